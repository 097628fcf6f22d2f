// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/computation_builder.h"

#include <utility>

namespace hloscope {

namespace {

absl::string_view NameOf(const ReadText& text, const ComputationSyntax& syntax) {
  return syntax.name == kNoToken ? "_" : text.NameOf(syntax.name);
}

}  // namespace

void ComputationBuilder::Build(uint32_t index) {
  const ComputationSyntax& syntax = text_.tree().computations[index];
  Start(index, syntax.instruction_count);
  AddInstructions(
      absl::MakeConstSpan(text_.tree().instruction_lists).subspan(syntax.first_instruction, syntax.instruction_count));
  Finish(index);
}

void ComputationBuilder::Start(uint32_t index, size_t expected_instructions) {
  const ComputationSyntax& syntax = text_.tree().computations[index];
  const ComputationId id = module_.AddComputation(NameOf(text_, syntax));
  progress_.computation = id;
  progress_.computation_of_syntax[index] = id;
  Computation& computation = module_.mutable_computation(id);
  computation.is_anonymous = syntax.name == kNoToken;
  computation.has_signature = !syntax.signature_result.empty();
  computation.syntax = progress_.first_computation_node + index;
  computation.instructions.reserve(expected_instructions);
  root_ = InstructionId::None();
  has_statements_ = false;
  scope_.StartComputation();
  parameters_.StartComputation();
  instructions_.StartComputation();
}

void ComputationBuilder::AddInstructions(absl::Span<const SyntaxId> nodes) {
  has_statements_ = has_statements_ || !nodes.empty();
  for (const SyntaxId node : nodes) {
    instructions_.Build(node);
    if (!text_.node(node).is_root) continue;
    const InstructionId id = progress_.instruction_of_syntax[node.index()];
    if (root_.has_value()) {
      text_.sink().SetSource(CheckStage::kComputation, progress_.computation.value);
      ReportSecondRoot(RootRange(id), RootRange(root_), module_.ComputationName(progress_.computation));
    } else {
      root_ = id;
    }
  }
}

void ComputationBuilder::Finish(uint32_t index) {
  const ComputationSyntax& syntax = text_.tree().computations[index];
  const ComputationId id = progress_.computation;
  text_.sink().SetSource(CheckStage::kComputation, id.value);
  // Without its closing brace a computation may lack anything.
  const bool is_cut = syntax.close_brace == kNoToken && text_.tree().kind != SyntaxTree::TextKind::kSingleInstruction;
  const bool is_inline = syntax.name == kNoToken;
  Computation& computation = module_.mutable_computation(id);
  if (root_.has_value()) {
    computation.root = root_;
    computation.root_is_marked = true;
  } else if (!computation.instructions.empty()) {
    if (!is_cut) computation.root = computation.instructions.back();
  } else {
    const TokenIndex at = is_inline ? syntax.open_brace : syntax.name;
    if (!has_statements_ && at != kNoToken) {
      text_.sink().Report(DiagnosticKind::kEmptyComputation, text_.tokens().range(at), NameOf(text_, syntax));
    }
  }
  SetParameters(text_, module_, id, parameters_.in_text_order(), parameters_.has_unreadable() || is_cut);
  signatures_.Check(syntax, id);
  ReadAttributes(syntax);
  if (is_inline) return;
  text_.names().CheckName(syntax.name, NameDiagnostics::Owner::kOther);
  const ComputationId first = computations_.Declare(NameOf(text_, syntax), id);
  if (first.has_value()) text_.names().DuplicateComputation(syntax.name, first);
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
