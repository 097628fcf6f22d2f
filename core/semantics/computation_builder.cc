// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/computation_builder.h"

#include <utility>

namespace hloscope {

void ComputationBuilder::StartComputation() {
  scope_.StartComputation();
  parameters_.StartComputation();
  instructions_.StartComputation();
}

void ComputationBuilder::Build(uint32_t index) {
  const ComputationSyntax& syntax = text_.tree().computations[index];
  const bool is_inline = syntax.name == kNoToken;
  const absl::string_view name = is_inline ? "_" : text_.NameOf(syntax.name);
  const ComputationId id = module_.AddComputation(name);
  progress_.computation = id;
  progress_.computation_of_syntax[index] = id;
  {
    Computation& computation = module_.mutable_computation(id);
    computation.is_anonymous = is_inline;
    computation.has_signature = !syntax.signature_result.empty();
    computation.syntax = index;
    computation.instructions.reserve(syntax.instruction_count);
  }
  StartComputation();
  const SyntaxId root = BuildInstructions(syntax, name);
  text_.sink().SetSource(CheckStage::kComputation, id.value);
  // Without its closing brace a computation may lack anything.
  const bool is_cut = syntax.close_brace == kNoToken && text_.tree().kind != SyntaxTree::TextKind::kSingleInstruction;
  Computation& computation = module_.mutable_computation(id);
  if (root.has_value()) {
    computation.root = progress_.instruction_of_syntax[root.index()];
    computation.root_is_marked = true;
  } else if (!computation.instructions.empty()) {
    if (!is_cut) computation.root = computation.instructions.back();
  } else {
    const TokenIndex at = is_inline ? syntax.open_brace : syntax.name;
    if (syntax.instruction_count == 0 && at != kNoToken) {
      text_.sink().Report(DiagnosticKind::kEmptyComputation, text_.tokens().range(at), name);
    }
  }
  SetParameters(text_, module_, id, parameters_.in_text_order(), parameters_.has_unreadable() || is_cut);
  signatures_.Check(syntax, id);
  ReadAttributes(syntax);
  if (is_inline) return;
  text_.names().CheckName(syntax.name, NameDiagnostics::Owner::kOther);
  const ComputationId first = computations_.Declare(name, id);
  if (first.has_value()) text_.names().DuplicateComputation(syntax.name, first);
}

SyntaxId ComputationBuilder::BuildInstructions(const ComputationSyntax& syntax, absl::string_view name) {
  SyntaxId root;
  for (uint32_t i = 0; i < syntax.instruction_count; ++i) {
    const SyntaxId id = text_.tree().instruction_lists[syntax.first_instruction + i];
    instructions_.Build(id);
    if (!text_.node(id).is_root) continue;
    if (root.has_value()) {
      text_.sink().SetSource(CheckStage::kComputation, progress_.computation.value);
      ReportSecondRoot(RootRange(id), RootRange(root), name);
    } else {
      root = id;
    }
  }
  return root;
}

void ComputationBuilder::ReportSecondRoot(SourceRange second, SourceRange first, absl::string_view computation) {
  text_.sink().Report(DiagnosticKind::kSecondRoot, second, computation).Related(first, "the first ROOT is here");
}

SourceRange ComputationBuilder::RootRange(InstructionId id) const {
  const uint32_t begin = text_.ids().Resolve(id, Anchor::Instruction()).begin;
  return {begin, begin + static_cast<uint32_t>(absl::string_view("ROOT").size())};
}

void ComputationBuilder::ReadAttributes(const ComputationSyntax& syntax) {
  TokenIndex seen = kNoToken;
  for (uint32_t i = 0; i < syntax.attribute_count; ++i) {
    const AttributeSyntax& attribute = text_.tree().attributes[syntax.first_attribute + i];
    const absl::string_view name = text_.NameOf(attribute.name);
    if (name != "execution_thread") {
      static constexpr absl::string_view kNames[] = {"execution_thread"};
      text_.names().UnknownAttribute(attribute.name, "a computation", kNames, {});
      continue;
    }
    if (seen != kNoToken) {
      text_.names().DuplicateAttribute(syntax.first_attribute + i, seen);
      continue;
    }
    seen = attribute.name;
    TokenCursor cursor = text_.Cursor(attribute.value, name);
    if (auto thread = cursor.String()) {
      module_.mutable_computation(progress_.computation).execution_thread = *std::move(thread);
    }
  }
}

void ComputationBuilder::Reread(SyntaxId node) {
  parameters_.StartComputation();  // the numbers of the other parameters are those of the module
  instructions_.Build(node);
}

std::optional<uint32_t> ComputationBuilder::parameter_number() const {
  if (parameters_.in_text_order().empty()) return std::nullopt;
  return parameters_.in_text_order().back().first;
}

void ComputationBuilder::Recheck(ComputationId id, const TokenBuffer& result) {
  text_.sink().SetSource(CheckStage::kComputation, id.value);
  InstructionId first_root;
  for (InstructionId i : module_.computation(id).instructions) {
    if (!module_.instruction(i).is_marked_root) continue;
    if (first_root.has_value()) {
      ReportSecondRoot(RootRange(i), RootRange(first_root), module_.ComputationName(id));
    } else {
      first_root = i;
    }
  }
  signatures_.CheckResult(result, id);
}

}  // namespace hloscope
