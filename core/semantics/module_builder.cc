#include "core/semantics/module_builder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/lex/lexer.h"
#include "core/ops/shape_matching.h"
#include "core/semantics/header_reader.h"
#include "core/semantics/module_reading.h"
#include "core/semantics/shape_reader.h"

namespace hloscope {

void ModuleBuilder::Run(const TokenBuffer& tokens, const SyntaxTree& tree, BuiltModule& result) {
  nodes_.emplace(source_, tokens, tree, module_);
  ids_ = &*nodes_;
  SyntaxNames text_names(source_, tokens, tree, module_);
  text_names_ = &text_names;
  SetSyntax(tokens, tree);
  module_.Reserve(tree_->instructions.size(), tree_->operands.size(), tree_->attributes.size());
  instruction_of_syntax_.resize(tree_->instructions.size());
  computation_of_syntax_.resize(tree_->computations.size());
  invalid_shape_ = module_.InternShape(Shape());
  sink_.SetSource(CheckStage::kHeader);
  ReadHeader(source_, tokens, tree, module_, *names_, sink_);
  for (uint32_t i = 0; i < tree.computations.size(); ++i) BuildComputation(i);
  AssignThreads();
  sink_.SetSource(CheckStage::kEntry);
  ChooseEntry();
  result.instruction_of_syntax = std::move(instruction_of_syntax_);
  result.computation_of_syntax = std::move(computation_of_syntax_);
}

void ModuleBuilder::StartUpdate(const AnchorResolver& resolver) {
  ids_ = &resolver;
  module_names_.emplace(module_, resolver);
  text_names_ = &*module_names_;
  invalid_shape_ = module_.InternShape(Shape());
}

bool ModuleBuilder::Reread(const TokenBuffer& tokens, const SyntaxTree& tree, SyntaxId node, InstructionId id) {
  SetSyntax(tokens, tree);
  module_names_->Start(id);
  updated_ = id;
  irregular_ = false;
  parameter_owner_.clear();
  computation_ = module_.instruction(id).computation;
  updated_syntax_ = module_.instruction(id).syntax;
  instruction_of_syntax_.assign(tree.instructions.size(), InstructionId());
  const std::string thread(module_.StringAttribute(id, AttributeKind::kAsyncExecutionThread));
  BuildInstruction(node);
  // On the thread of a start depends that of what it calls, and what the other links may say.
  return !irregular_ && thread == module_.StringAttribute(id, AttributeKind::kAsyncExecutionThread);
}

std::optional<uint32_t> ModuleBuilder::parameter_number() const {
  if (parameter_owner_.empty()) return std::nullopt;
  return parameter_owner_.back().first;
}

void ModuleBuilder::RereadParameters(ComputationId id, absl::Span<const std::pair<uint32_t, InstructionId>> owners,
                                     bool has_unreadable) {
  computation_ = id;
  sink_.SetSource(CheckStage::kComputation, id.value);
  CollectParameters(owners, has_unreadable);
}

void ModuleBuilder::RereadComputation(ComputationId id, const TokenBuffer& result_tokens) {
  computation_ = id;
  sink_.SetSource(CheckStage::kComputation, id.value);
  InstructionId first_root;
  for (InstructionId i : module_.computation(id).instructions) {
    if (!module_.instruction(i).is_marked_root) continue;
    if (first_root.has_value()) {
      ReportSecondRoot(RangeOfRoot(i), RangeOfRoot(first_root), module_.ComputationName(id));
    } else {
      first_root = i;
    }
  }
  if (result_tokens.size() <= 1) return;
  DiagnosticSink quiet;  // a malformed signature stays as it was reported
  const TokenRange all = {0, static_cast<TokenIndex>(result_tokens.size()) - 1};
  TokenCursor cursor(source_, result_tokens, quiet, all, "the result shape");
  if (const auto result = ReadShape(cursor)) CheckResult(*result, RangeOfTokens(result_tokens, all));
}

void ModuleBuilder::BuildComputation(uint32_t index) {
  const ComputationSyntax& syntax = tree_->computations[index];
  const bool is_inline = syntax.name == kNoToken;
  const absl::string_view name = is_inline ? "_" : NameOf(syntax.name);
  computation_ = module_.AddComputation(name);
  computation_of_syntax_[index] = computation_;
  {
    Computation& computation = module_.mutable_computation(computation_);
    computation.is_anonymous = is_inline;
    computation.has_signature = !syntax.signature_result.empty();
    computation.syntax = index;
    computation.instructions.reserve(syntax.instruction_count);
  }
  ++epoch_;
  tuple_elements_.clear();
  parameter_owner_.clear();
  has_unreadable_ = false;
  SyntaxId first_root;
  for (uint32_t i = 0; i < syntax.instruction_count; ++i) {
    const SyntaxId id = tree_->instruction_lists[syntax.first_instruction + i];
    BuildInstruction(id);
    if (!tree_->instructions[id.index()].is_root) continue;
    if (first_root.has_value()) {
      sink_.SetSource(CheckStage::kComputation, computation_.value);
      ReportSecondRoot(RootRange(id), RootRange(first_root), name);
    } else {
      first_root = id;
    }
  }
  sink_.SetSource(CheckStage::kComputation, computation_.value);
  // Without its closing brace a computation may lack anything.
  const bool is_cut = syntax.close_brace == kNoToken && tree_->kind != SyntaxTree::TextKind::kSingleInstruction;
  has_unreadable_ = has_unreadable_ || is_cut;
  Computation& computation = module_.mutable_computation(computation_);
  if (first_root.has_value()) {
    computation.root = instruction_of_syntax_[first_root.index()];
    computation.root_is_marked = true;
  } else if (!computation.instructions.empty()) {
    if (!is_cut) computation.root = computation.instructions.back();
  } else {
    const TokenIndex at = is_inline ? syntax.open_brace : syntax.name;
    if (syntax.instruction_count == 0 && at != kNoToken) {
      sink_.Report(DiagnosticKind::kEmptyComputation, tokens_->range(at), name);
    }
  }
  CollectParameters(parameter_owner_, has_unreadable_);
  CheckSignature(syntax);
  ReadComputationAttributes(syntax);
  if (!is_inline) names_->CheckName(syntax.name, NameDiagnostics::Owner::kOther);
  if (!is_inline) DeclareComputation(syntax);
}

SourceRange ModuleBuilder::RangeOfRoot(InstructionId id) const {
  const uint32_t begin = ids_->Resolve(id, Anchor::Instruction()).begin;
  return {begin, begin + static_cast<uint32_t>(absl::string_view("ROOT").size())};
}

void ModuleBuilder::CollectParameters(absl::Span<const std::pair<uint32_t, InstructionId>> owners,
                                      bool has_unreadable) {
  // Numbers without gaps are 0 to count-1; reported ones are left out.
  const size_t size = owners.size();
  uint32_t count = 0;
  for (const auto& [number, id] : owners) count = std::max(count, number + 1);
  if (count > size && has_unreadable) {
    // The missing number may be that of an instruction that could not be read.
    const size_t instructions = module_.computation(computation_).instructions.size();
    count = std::min(count, static_cast<uint32_t>(instructions));
  } else if (count > size) {
    const uint32_t expected = static_cast<uint32_t>(size) - 1;
    for (const auto& [number, id] : owners) {
      if (number <= expected) continue;
      sink_.Report(DiagnosticKind::kParameterGap, ids_->Resolve(id, Anchor::OperandList()), number,
                   absl::StrCat(size, size == 1 ? " parameter" : " parameters"), expected);
      module_.mutable_instruction(id).has_reading_errors = true;
    }
    count = expected + 1;
  }
  Computation& computation = module_.mutable_computation(computation_);
  computation.parameters.assign(count, InstructionId::None());
  for (const auto& [number, id] : owners) {
    if (number < count) computation.parameters[number] = id;
  }
}

void ModuleBuilder::CheckSignature(const ComputationSyntax& syntax) {
  if (syntax.signature_result.empty()) return;
  ReadSignatureParameters(syntax);
  TokenCursor cursor = Cursor(syntax.signature_result, "the result shape");
  const Shape* const result = ReadSignatureShape(cursor);
  if (result != nullptr) CheckResult(*result, RangeOfTokens(*tokens_, syntax.signature_result));
}

void ModuleBuilder::CheckResult(const Shape& result, SourceRange range) {
  const InstructionId root = module_.computation(computation_).root;
  if (!root.has_value()) return;
  const Shape& shape = module_.shape(root);
  if (!shape.IsValid() || ShapesCompatible(result, shape)) return;
  sink_
      .Report(DiagnosticKind::kSignatureMismatch, range, result.ToString(false), module_.InstructionName(root),
              shape.ToString(false))
      .Related(ids_->Resolve(root, Anchor::Shape()), "the root's shape")
      .Fix(absl::StrCat("change the signature to ", shape.ToString(false)), range, shape.ToString(false));
}

void ModuleBuilder::ReadSignatureParameters(const ComputationSyntax& syntax) {
  TokenCursor cursor = Cursor(syntax.signature_parameters, "the signature");
  while (!cursor.AtEnd()) {
    if (!cursor.At(TokenKind::kName) && !cursor.At(TokenKind::kIdentifier)) {
      cursor.FailExpected("the name of a parameter");
      return;
    }
    names_->CheckName(cursor.position(), NameDiagnostics::Owner::kOther);
    cursor.Advance();
    if (ReadSignatureShape(cursor) == nullptr) return;
    if (cursor.AtEnd()) return;
    if (!cursor.Eat(TokenKind::kComma)) {
      cursor.FailListEnd(TokenKind::kRightParen);
      return;
    }
    if (cursor.AtEnd()) cursor.FailSurplusComma();
  }
}

const Shape* ModuleBuilder::ReadSignatureShape(TokenCursor& cursor) {
  TokenIndex end = cursor.position();
  int64_t depth = 0;
  for (; end < cursor.end(); ++end) {
    const TokenKind kind = tokens_->kind(end);
    if (depth == 0 && kind == TokenKind::kComma) break;
    if (IsOpeningBracket(kind)) ++depth;
    if (IsClosingBracket(kind)) --depth;
  }
  const absl::string_view text = source_.Slice(RangeOfTokens(*tokens_, {cursor.position(), end}));
  const auto known = signature_shapes_.find(text);
  if (known != signature_shapes_.end()) {
    while (cursor.position() < end) cursor.Advance();
    return &known->second;
  }
  const size_t diagnostics = sink_.diagnostics().size();
  auto shape = ReadShape(cursor);
  if (!shape) return nullptr;
  if (cursor.position() == end && sink_.diagnostics().size() == diagnostics) {
    return &signature_shapes_.emplace(text, *std::move(shape)).first->second;
  }
  odd_signature_shape_ = *std::move(shape);
  return &odd_signature_shape_;
}

void ModuleBuilder::ReadComputationAttributes(const ComputationSyntax& syntax) {
  TokenIndex seen = kNoToken;
  for (uint32_t i = 0; i < syntax.attribute_count; ++i) {
    const AttributeSyntax& attribute = tree_->attributes[syntax.first_attribute + i];
    const absl::string_view name = NameOf(attribute.name);
    if (name != "execution_thread") {
      static constexpr absl::string_view kNames[] = {"execution_thread"};
      names_->UnknownAttribute(attribute.name, "a computation", kNames, {});
      continue;
    }
    if (seen != kNoToken) {
      names_->DuplicateAttribute(syntax.first_attribute + i, seen);
      continue;
    }
    seen = attribute.name;
    TokenCursor cursor = Cursor(attribute.value, name);
    if (auto thread = cursor.String()) module_.mutable_computation(computation_).execution_thread = *std::move(thread);
  }
}

void ModuleBuilder::DeclareComputation(const ComputationSyntax& syntax) {
  const auto [it, inserted] = computation_names_.try_emplace(NameOf(syntax.name), computation_);
  if (inserted) return;
  names_->DuplicateComputation(syntax.name, it->second);
}

void ModuleBuilder::ChooseEntry() {
  if (tree_->computations.empty()) {
    // A broken header or an empty text has been reported.
    if (sink_.error_count() == 0) {
      sink_.Report(DiagnosticKind::kNoComputation,
                   tree_->module_name != kNoToken ? tokens_->range(tree_->module_name) : SourceRange{0, 0});
    }
    return;
  }
  uint32_t entry = kNoSyntaxNode;
  for (uint32_t i = 0; i < tree_->computations.size(); ++i) {
    if (tree_->computations[i].entry == kNoToken) continue;
    if (entry == kNoSyntaxNode) {
      entry = i;
      continue;
    }
    const ComputationSyntax& second = tree_->computations[i];
    sink_
        .Report(DiagnosticKind::kSecondEntry, tokens_->range(second.entry),
                second.name != kNoToken ? NameOf(second.name) : "")
        .Related(tokens_->range(tree_->computations[entry].entry), "the first ENTRY is here");
  }
  if (entry == kNoSyntaxNode) {
    // The last one of the text; inline computations are not candidates.
    for (uint32_t i = 0; i < tree_->computations.size(); ++i) {
      if (tree_->computations[i].name != kNoToken || tree_->kind == SyntaxTree::TextKind::kSingleInstruction) entry = i;
    }
  }
  if (entry == kNoSyntaxNode) return;
  module_.set_entry(computation_of_syntax_[entry]);
  ModuleHeader& header = module_.mutable_header();
  if (tree_->kind == SyntaxTree::TextKind::kHeaderless) {
    header.name = absl::StrCat("module_", module_.ComputationName(module_.entry()));
  } else if (tree_->kind == SyntaxTree::TextKind::kSingleInstruction) {
    header.name = std::string(1, '_');
    header.is_scheduled = true;
  }
}

InstructionId ModuleBuilder::DefinitionOfOperand(uint32_t k, StringId name) const {
  if (!updated_.has_value()) return Lookup(name);
  const absl::Span<const InstructionId> operands = module_.operands(updated_);
  if (unique_except_ == nullptr || k >= operands.size() || !operands[k].has_value()) return Lookup(name);
  const Instruction& known = module_.instruction(operands[k]);
  const bool is_it = known.name == name && known.is_named && known.computation == computation_ &&
                     operands[k] < updated_ && !unique_except_->contains(name);
  return is_it ? operands[k] : Lookup(name);
}

InstructionId ModuleBuilder::FirstDefinition(StringId name, InstructionId before) const {
  const std::vector<InstructionId>& list = module_.computation(computation_).instructions;
  if (definitions_of_ != computation_) {
    definitions_of_ = computation_;
    definitions_.clear();
    looked_at_ = 0;
  }
  const auto defines = [&](InstructionId id) {
    const Instruction& instruction = module_.instruction(id);
    return instruction.name == name && instruction.is_named;
  };
  if (looked_at_ > kMaxSearches * list.size()) {
    // A tuple may have thousands of operands.
    if (definitions_.empty()) {
      for (InstructionId id : list) {
        if (module_.instruction(id).is_named) definitions_.try_emplace(module_.instruction(id).name, id);
      }
    }
    const auto found = definitions_.find(name);
    return found != definitions_.end() && found->second < before ? found->second : InstructionId::None();
  }
  const auto end = std::lower_bound(list.begin(), list.end(), before);
  if (names_are_unique_) {
    for (auto at = end; at != list.begin(); ++looked_at_) {
      if (defines(*--at)) return *at;
    }
    return InstructionId::None();
  }
  const auto found = std::find_if(list.begin(), end, defines);
  looked_at_ += static_cast<size_t>(found - list.begin());
  return found != end ? *found : InstructionId::None();
}

InstructionId ModuleBuilder::ResolveInstruction(absl::string_view name, SourceRange range) {
  const StringId id = module_.mutable_strings().Find(name);
  const InstructionId found = id.has_value() ? Lookup(id) : InstructionId::None();
  if (found.has_value()) return found;
  names_->UnknownInstruction(name, range, computation_);
  return InstructionId::None();
}

ComputationId ModuleBuilder::FindDeclaredComputation(absl::string_view name) const {
  if (!updated_.has_value()) {
    const auto it = computation_names_.find(name);
    return it != computation_names_.end() ? it->second : ComputationId::None();
  }
  const StringId id = module_.mutable_strings().Find(name);
  if (!id.has_value()) return ComputationId::None();
  for (ComputationId c(0); c < computation_; ++c.value) {
    if (module_.computation(c).name == id && !module_.computation(c).is_anonymous) return c;
  }
  return ComputationId::None();
}

ComputationId ModuleBuilder::ResolveComputation(absl::string_view name, SourceRange range) {
  const ComputationId declared = FindDeclaredComputation(name);
  if (declared.has_value()) return declared;
  names_->UnknownComputation(name, range, computation_);
  return ComputationId::None();
}

void ModuleBuilder::SetSyntax(const TokenBuffer& tokens, const SyntaxTree& tree) {
  tokens_ = &tokens;
  tree_ = &tree;
  nodes_.emplace(source_, tokens, tree, module_);
  names_.emplace(source_, tokens, tree, module_, *text_names_, *ids_, sink_);
}

BuiltModule BuildModule(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree,
                        const VerifyOptions& options, DiagnosticSink& sink) {
  BuiltModule result;
  ModuleBuilder(source, options, sink, result.module).Run(tokens, tree, result);
  return result;
}

struct ModuleUpdater::Builder : ModuleBuilder {
  using ModuleBuilder::ModuleBuilder;
};

ModuleUpdater::ModuleUpdater(const SourceText& source, const VerifyOptions& options, const AnchorResolver& resolver,
                             DiagnosticSink& sink, Module& module)
    : builder_(std::make_unique<Builder>(source, options, sink, module)) {
  builder_->StartUpdate(resolver);
}
ModuleUpdater::~ModuleUpdater() = default;

void ModuleUpdater::SetNamesAreUnique(const absl::flat_hash_set<StringId>* except, bool are_all) {
  builder_->SetNamesAreUnique(except, are_all);
}

bool ModuleUpdater::Reread(const TokenBuffer& tokens, const SyntaxTree& tree, SyntaxId node, InstructionId id) {
  return builder_->Reread(tokens, tree, node, id);
}
std::optional<uint32_t> ModuleUpdater::parameter_number() const { return builder_->parameter_number(); }
void ModuleUpdater::RereadParameters(ComputationId id, absl::Span<const std::pair<uint32_t, InstructionId>> owners,
                                     bool has_unreadable) {
  builder_->RereadParameters(id, owners, has_unreadable);
}
void ModuleUpdater::RereadComputation(ComputationId id, const TokenBuffer& result_tokens) {
  builder_->RereadComputation(id, result_tokens);
}

}  // namespace hloscope
