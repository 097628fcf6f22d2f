#include "core/semantics/module_builder.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/ir/text_hash.h"
#include "core/lex/lexer.h"
#include "core/ops/shape_matching.h"
#include "core/semantics/anchor_resolver.h"
#include "core/semantics/async_sugar.h"
#include "core/semantics/attribute_reader.h"
#include "core/semantics/header_reader.h"
#include "core/semantics/implied_shapes.h"
#include "core/semantics/literal_reader.h"
#include "core/semantics/metadata_reader.h"
#include "core/semantics/name_findings.h"
#include "core/semantics/old_spellings.h"
#include "core/semantics/recent_names.h"
#include "core/semantics/shape_reader.h"
#include "core/semantics/token_cursor.h"

namespace hloscope {
namespace {

class ModuleBuilder {
 public:
  ModuleBuilder(const SourceText& source, const VerifyOptions& options, DiagnosticSink& sink, Module& module)
      : source_(source), options_(options), sink_(sink), module_(module) {}

  void Run(const TokenBuffer& tokens, const SyntaxTree& tree, BuiltModule& result) {
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
    sink_.SetSource(CheckStage::kEntry);
    ChooseEntry();
    result.instruction_of_syntax = std::move(instruction_of_syntax_);
    result.computation_of_syntax = std::move(computation_of_syntax_);
  }

  // --- Updating a module; see ModuleUpdater ---
  void StartUpdate(const AnchorResolver& resolver) {
    ids_ = &resolver;
    module_names_.emplace(module_, resolver);
    text_names_ = &*module_names_;
    invalid_shape_ = module_.InternShape(Shape());
  }

  bool Reread(const TokenBuffer& tokens, const SyntaxTree& tree, SyntaxId node, InstructionId id) {
    SetSyntax(tokens, tree);
    module_names_->Start(id);
    updated_ = id;
    irregular_ = false;
    parameter_owner_.clear();
    computation_ = module_.instruction(id).computation;
    updated_syntax_ = module_.instruction(id).syntax;
    instruction_of_syntax_.assign(tree.instructions.size(), InstructionId());
    BuildInstruction(node);
    return !irregular_;
  }

  std::optional<uint32_t> parameter_number() const {
    if (parameter_owner_.empty()) return std::nullopt;
    return parameter_owner_.back().first;
  }

  void RereadParameters(ComputationId id, absl::Span<const std::pair<uint32_t, InstructionId>> owners,
                        bool has_unreadable) {
    computation_ = id;
    sink_.SetSource(CheckStage::kComputation, id.value);
    CollectParameters(owners, has_unreadable);
  }

  // Findings about the computation's signature and roots.
  void RereadComputation(ComputationId id, const TokenBuffer& result_tokens) {
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

 private:
  // --- Text ---
  absl::string_view TokenText(TokenIndex i) const { return source_.Slice(tokens_->range(i)); }
  absl::string_view NameOf(TokenIndex i) const { return TokenName(tokens_->kind(i), TokenText(i)); }
  TokenCursor Cursor(TokenRange range, absl::string_view subject) {
    return TokenCursor(source_, *tokens_, sink_, range, subject);
  }

  // --- Computations ---
  void BuildComputation(uint32_t index) {
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
    if (!is_inline) names_->CheckName(syntax.name, NameFindings::Owner::kOther);
    if (!is_inline) DeclareComputation(syntax, module_.computation(computation_).name);
  }

  void ReportSecondRoot(SourceRange second, SourceRange first, absl::string_view computation) {
    sink_.Report(DiagnosticKind::kSecondRoot, second, computation).Related(first, "the first ROOT is here");
  }
  // The keyword before the instruction.
  SourceRange RangeOfRoot(InstructionId id) const {
    const uint32_t begin = ids_->Resolve(id, Anchor::Instruction()).begin;
    return {begin, begin + static_cast<uint32_t>(absl::string_view("ROOT").size())};
  }
  SourceRange RootRange(SyntaxId id) const { return tokens_->range(tree_->instructions[id.index()].tokens.begin); }

  // `owners`: the parameters with readable numbers, in text order.
  void CollectParameters(absl::Span<const std::pair<uint32_t, InstructionId>> owners, bool has_unreadable) {
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

  void CheckSignature(const ComputationSyntax& syntax) {
    if (syntax.signature_result.empty()) return;
    ReadSignatureParameters(syntax);
    TokenCursor cursor = Cursor(syntax.signature_result, "the result shape");
    const Shape* const result = ReadSignatureShape(cursor);
    if (result != nullptr) CheckResult(*result, RangeOfTokens(*tokens_, syntax.signature_result));
  }

  // Compares the result of the signature, which stands at `range`, with the root.
  void CheckResult(const Shape& result, SourceRange range) {
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

  // Names and shapes are read and then ignored: the parameter instructions count (spec 3).
  void ReadSignatureParameters(const ComputationSyntax& syntax) {
    TokenCursor cursor = Cursor(syntax.signature_parameters, "the signature");
    while (!cursor.AtEnd()) {
      if (!cursor.At(TokenKind::kName) && !cursor.At(TokenKind::kIdentifier)) {
        cursor.FailExpected("the name of a parameter");
        return;
      }
      names_->CheckName(cursor.position(), NameFindings::Owner::kOther);
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

  // The shape at the cursor; each spelling is read once. Null after a finding. Valid until the next call.
  const Shape* ReadSignatureShape(TokenCursor& cursor) {
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
    const size_t findings = sink_.diagnostics().size();
    auto shape = ReadShape(cursor);
    if (!shape) return nullptr;
    if (cursor.position() == end && sink_.diagnostics().size() == findings) {
      return &signature_shapes_.emplace(text, *std::move(shape)).first->second;
    }
    odd_signature_shape_ = *std::move(shape);
    return &odd_signature_shape_;
  }

  void ReadComputationAttributes(const ComputationSyntax& syntax) {
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
      if (auto thread = cursor.String())
        module_.mutable_computation(computation_).execution_thread = *std::move(thread);
    }
  }

  void DeclareComputation(const ComputationSyntax& syntax, StringId name) {
    const auto [it, inserted] = computation_names_.try_emplace(name, computation_);
    if (inserted) return;
    names_->DuplicateComputation(syntax.name, it->second);
  }

  void ChooseEntry() {
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
        if (tree_->computations[i].name != kNoToken || tree_->kind == SyntaxTree::TextKind::kSingleInstruction)
          entry = i;
      }
    }
    if (entry == kNoSyntaxNode) return;
    module_.set_entry(computation_of_syntax_[entry]);
    ModuleHeader& header = module_.mutable_header();
    if (tree_->kind == SyntaxTree::TextKind::kHeaderless) {
      header.name = absl::StrCat("module_", module_.ComputationName(module_.entry()));
    } else if (tree_->kind == SyntaxTree::TextKind::kSingleInstruction) {
      header.name = "_";
      header.is_scheduled = true;
    }
  }

  // --- Names ---
  // The scope is a table by string id whose entries carry the number of the computation that wrote them.
  struct ScopeEntry {
    uint32_t epoch = 0;
    InstructionId id;
  };
  InstructionId Lookup(StringId name) const {
    if (updated_.has_value()) return FirstDefinition(name, updated_);
    if (name.index() >= scope_.size() || scope_[name.index()].epoch != epoch_) return InstructionId::None();
    return scope_[name.index()].id;
  }
  void Declare(StringId name, InstructionId id) {
    if (name.index() >= scope_.size()) scope_.resize(std::max<size_t>(name.index() + 1, scope_.size() * 2));
    scope_[name.index()] = {epoch_, id};
  }

  // The first instruction of the computation that the text gives this name, if it stands before `before`.
  InstructionId FirstDefinition(StringId name, InstructionId before) const {
    if (definitions_of_ != computation_) {
      definitions_of_ = computation_;
      definitions_.clear();
      searches_ = 0;
    }
    if (++searches_ > kMaxSearches) {
      // A tuple may have thousands of operands.
      if (definitions_.empty()) {
        for (InstructionId id : module_.computation(computation_).instructions) {
          if (module_.instruction(id).is_named) definitions_.try_emplace(module_.instruction(id).name, id);
        }
      }
      const auto found = definitions_.find(name);
      return found != definitions_.end() && found->second < before ? found->second : InstructionId::None();
    }
    for (InstructionId id : module_.computation(computation_).instructions) {
      if (id == before) break;
      const Instruction& instruction = module_.instruction(id);
      if (instruction.name == name && instruction.is_named) return id;
    }
    return InstructionId::None();
  }
  InstructionId ResolveInstruction(absl::string_view name, SourceRange range) {
    const StringId id = module_.mutable_strings().Find(name);
    const InstructionId found = id.has_value() ? Lookup(id) : InstructionId::None();
    if (found.has_value()) return found;
    names_->UnknownInstruction(name, range, computation_);
    return InstructionId::None();
  }

  // The computation of that name that stands before the one being read.
  ComputationId FindDeclaredComputation(absl::string_view name) const {
    const StringId id = module_.mutable_strings().Find(name);
    if (!id.has_value()) return ComputationId::None();
    if (!updated_.has_value()) {
      const auto it = computation_names_.find(id);
      return it != computation_names_.end() ? it->second : ComputationId::None();
    }
    for (ComputationId c(0); c < computation_; ++c.value) {
      if (module_.computation(c).name == id && !module_.computation(c).is_anonymous) return c;
    }
    return ComputationId::None();
  }

  ComputationId ResolveComputation(absl::string_view name, SourceRange range) {
    const ComputationId declared = FindDeclaredComputation(name);
    if (declared.has_value()) return declared;
    names_->UnknownComputation(name, range, computation_);
    return ComputationId::None();
  }

  // --- Instructions ---
  void BuildInstruction(SyntaxId syntax_id) {
    const InstructionSyntax& node = tree_->instructions[syntax_id.index()];
    const int errors_before = sink_.error_count();
    sink_.SetSource(CheckStage::kInstruction,
                    updated_.has_value() ? updated_.value : static_cast<uint32_t>(module_.instruction_count()));
    // Names.
    StringId name;
    if (node.name != kNoToken) {
      name = recent_names_.Intern(NameOf(node.name), module_.mutable_strings());
    } else if (tree_->kind == SyntaxTree::TextKind::kSingleInstruction && IsOutermost(syntax_id)) {
      name = module_.InternString("_");
    } else {
      const int n = anonymous_count_[node.opcode != kNoToken ? std::string(TokenText(node.opcode)) : ""]++;
      name = module_.InternString(absl::StrCat(node.opcode != kNoToken ? TokenText(node.opcode) : "broken", ".anon",
                                               n == 0 ? "" : absl::StrCat(".", n)));
    }
    if (node.broken) {
      AddUnreadable(syntax_id, name);
      return;
    }
    if (node.name != kNoToken) {
      names_->CheckName(node.name, NameFindings::Owner::kInstruction);
      // The fix renames all uses.
      irregular_ = irregular_ || sink_.error_count() != errors_before;
    }

    Opcode opcode = Opcode::kInvalid;
    std::optional<AsyncSugar> sugar;
    const absl::string_view word = TokenText(node.opcode);
    if (const auto found = OpcodeFromName(word)) {
      opcode = *found;
    } else if ((sugar = ParseAsyncSugar(word))) {
      opcode = sugar->link;
      irregular_ = true;
    } else if (const auto old = OldOpcodeFromName(word)) {
      opcode = old->opcode;
      sink_.Report(DiagnosticKind::kOldSpelling, tokens_->range(node.opcode), word, old->advice)
          .Fix(absl::StrCat("change to `", OpcodeName(opcode), "`"), tokens_->range(node.opcode),
               std::string(OpcodeName(opcode)));
    } else {
      names_->UnknownOpcode(node.opcode);
      AddUnreadable(syntax_id, name);
      return;
    }

    ShapeId shape = invalid_shape_;
    bool shape_failed = false;
    if (!node.shape.empty()) {
      const auto read = ReadCachedShape(node.shape);
      shape_failed = !read;
      shape = read.value_or(invalid_shape_);
    } else if (!InfoOf(opcode).shape_can_be_omitted) {
      sink_.Report(DiagnosticKind::kMissingShape, nodes_->Resolve(node, Anchor::Opcode(), kNoSyntaxNode), word);
      shape_failed = true;
    }

    operand_scratch_.clear();
    ReadOperands(node);
    const absl::Span<const InstructionId> operands = operand_scratch_;
    ComputationId wrapped;
    if (sugar && updated_.has_value()) return;
    if (sugar && sugar->link == Opcode::kAsyncStart && !shape_failed)
      wrapped = WrapAsync(node, sugar->wrapped, module_.shape(shape));

    const InstructionId id = PlaceInstruction(opcode, name, shape, operands);
    {
      Instruction& instruction = module_.mutable_instruction(id);
      instruction.syntax = NodeOfText(syntax_id);
      instruction.shape_declared = !node.shape.empty();
      instruction.is_named = node.name != kNoToken;
      instruction.is_marked_root = node.is_root;
    }
    instruction_of_syntax_[syntax_id.index()] = id;
    if (opcode == Opcode::kParameter) ReadParameterNumber(node, id);
    if (opcode == Opcode::kConstant && shape != invalid_shape_) ReadConstant(node, id);
    ReadAttributes(node, id, opcode, sugar, wrapped);
    if (sugar && sugar->link != Opcode::kAsyncStart) CheckAsyncLink(id, sugar->wrapped);

    if (sink_.error_count() != errors_before || shape_failed) {
      module_.mutable_instruction(id).has_reading_errors = true;
    } else if (node.shape.empty()) {
      InferOmittedShape(module_, id, options_, *ids_, sink_);
    } else {
      RecomputeShape(module_, id, *ids_, sink_);
    }
    if (node.name != kNoToken) DeclareInstruction(node, name, id);
  }

  // What a node of `tree_` is in the tree of the whole text.
  SyntaxId NodeOfText(SyntaxId node) const { return updated_.has_value() ? updated_syntax_ : node; }

  // Adds an instruction to the computation, or makes it the one that is updated.
  InstructionId PlaceInstruction(Opcode opcode, StringId name, ShapeId shape,
                                 absl::Span<const InstructionId> operands) {
    if (!updated_.has_value()) return module_.AddInstruction(computation_, opcode, name, shape, operands);
    module_.ReplaceInstruction(updated_, opcode, name, shape, operands);
    module_names_->set_placed();
    return updated_;
  }

  bool IsOutermost(SyntaxId id) const { return id.index() + 1 == tree_->instructions.size(); }

  // Keeps the name and, if it is readable, the shape, so that users are neither reported nor left unanalysed.
  void AddUnreadable(SyntaxId syntax_id, StringId name) {
    const InstructionSyntax& node = tree_->instructions[syntax_id.index()];
    ShapeId shape = invalid_shape_;
    if (!node.shape.empty()) {
      DiagnosticSink quiet;
      TokenCursor cursor(source_, *tokens_, quiet, node.shape, "shape");
      if (const auto read = ReadShape(cursor)) shape = module_.InternShape(*read);
    }
    const InstructionId id = PlaceInstruction(Opcode::kInvalid, name, shape, {});
    Instruction& instruction = module_.mutable_instruction(id);
    instruction.syntax = NodeOfText(syntax_id);
    instruction.has_reading_errors = true;
    instruction.is_named = node.name != kNoToken;
    instruction.is_marked_root = node.is_root;
    instruction_of_syntax_[syntax_id.index()] = id;
    has_unreadable_ = true;
    if (node.name != kNoToken && !updated_.has_value() && !Lookup(name).has_value()) Declare(name, id);
  }

  void DeclareInstruction(const InstructionSyntax& node, StringId name, InstructionId id) {
    const InstructionId first = Lookup(name);
    if (!first.has_value()) {
      if (!updated_.has_value()) Declare(name, id);
      return;
    }
    names_->DuplicateInstruction(node.name, first, computation_);
  }

  // The same few shapes occur thousands of times: each spelling that gives no finding is read once.
  std::optional<ShapeId> ReadCachedShape(TokenRange range) {
    const absl::string_view text = source_.Slice(RangeOfTokens(*tokens_, range));
    const auto it = shape_cache_.find(text);
    if (it != shape_cache_.end()) return it->second;
    TokenCursor cursor = Cursor(range, "a shape");
    const size_t findings = sink_.diagnostics().size();
    const auto shape = ReadShape(cursor);
    if (!shape || !cursor.ExpectEnd()) return std::nullopt;
    const ShapeId id = module_.InternShape(*shape);
    if (sink_.diagnostics().size() == findings) shape_cache_.emplace(text, id);
    return id;
  }

  // --- Operands ---
  void ReadOperands(const InstructionSyntax& node) {
    for (uint32_t k = 0; k < node.operand_count; ++k) {
      const OperandSyntax& operand = tree_->operands[node.first_operand + k];
      if (operand.nested.has_value()) {
        irregular_ = true;
        operand_scratch_.push_back(instruction_of_syntax_[operand.nested.index()]);
        continue;
      }
      operand_scratch_.push_back(ReadReference(operand, k));
    }
  }

  InstructionId ReadReference(const OperandSyntax& operand, uint32_t k) {
    const bool single = tree_->kind == SyntaxTree::TextKind::kSingleInstruction;
    std::optional<ShapeId> written;
    if (!operand.shape.empty()) {
      written = ReadCachedShape(operand.shape);
      if (!written) return InstructionId::None();
    }
    if (operand.name == kNoToken) return AddImpliedParameter(absl::StrCat("_", k), *written);
    const absl::string_view name = NameOf(operand.name);
    InstructionId id = Lookup(recent_names_.Intern(name, module_.mutable_strings()));
    if (!id.has_value()) {
      if (single && written) {
        names_->CheckName(operand.name, NameFindings::Owner::kOther);
        return AddImpliedParameter(name, *written);
      }
      return ResolveInstruction(name, nodes_->NameRange(operand.name));
    }
    if (operand.path_begin < operand.tokens.end) {
      irregular_ = true;
      if (updated_.has_value()) return InstructionId::None();
      id = ReadTupleAccess(operand, id);
    }
    if (!id.has_value() || !written) return id;
    const ShapeId actual = module_.instruction(id).shape;
    if (actual == *written || actual == invalid_shape_) return id;
    if (!ShapesCompatible(module_.shape(*written), module_.shape(actual))) {
      const SourceRange range = RangeOfTokens(*tokens_, operand.shape);
      const std::string right = module_.shape(actual).ToString();
      sink_
          .Report(DiagnosticKind::kOperandShapeMismatch, range, name, module_.shape(*written).ToString(false),
                  module_.shape(actual).ToString(false))
          .Related(ids_->Resolve(id, Anchor::Shape()), "its shape is given here")
          .Fix(absl::StrCat("change to ", right), range, right);
    }
    return id;
  }

  // In a text of one instruction, unknown operands are its parameters (spec 2.1).
  InstructionId AddImpliedParameter(absl::string_view name, ShapeId shape) {
    const StringId name_id = module_.InternString(name);
    const InstructionId id = module_.AddInstruction(computation_, Opcode::kParameter, name_id, shape, {});
    Instruction& instruction = module_.mutable_instruction(id);
    instruction.synthesized = true;
    instruction.shape_declared = true;
    instruction.parameter_number = static_cast<uint32_t>(parameter_owner_.size());
    parameter_owner_.emplace_back(instruction.parameter_number, id);
    Declare(name_id, id);
    return id;
  }

  // `t#2#0`: one get-tuple-element per distinct path and computation (spec 6.2).
  InstructionId ReadTupleAccess(const OperandSyntax& operand, InstructionId base) {
    std::string name(module_.InstructionName(base));
    for (TokenIndex t = operand.path_begin; t + 1 < operand.tokens.end; t += 2) {
      const int64_t index = DecodeInteger(TokenText(t + 1)).value_or(-1);
      absl::StrAppend(&name, "_", index);
      const Shape& shape = module_.shape(base);
      if (!shape.IsValid()) return InstructionId::None();
      if (!shape.IsTuple() || index < 0 || index >= shape.tuple_size()) {
        sink_.Report(DiagnosticKind::kTupleAccess, SourceRange{tokens_->begin(t), tokens_->end(t + 1)}, index,
                     shape.ToString(false));
        return InstructionId::None();
      }
      const auto key = std::make_pair(base, index);
      const auto it = tuple_elements_.find(key);
      if (it != tuple_elements_.end()) {
        base = it->second;
        continue;
      }
      const InstructionId element =
          module_.AddInstruction(computation_, Opcode::kGetTupleElement, name, shape.element(index), {base});
      module_.mutable_instruction(element).synthesized = true;
      module_.AddInt(element, AttributeKind::kIndex, index);
      tuple_elements_.emplace(key, element);
      base = element;
    }
    return base;
  }

  // --- Arguments of parameter and constant ---
  void ReadParameterNumber(const InstructionSyntax& node, InstructionId id) {
    TokenCursor cursor = Cursor(node.arguments, "parameter");
    const absl::string_view digits = cursor.text();
    const SourceRange range = cursor.range();
    const auto number = cursor.Int();
    if (!number || !cursor.ExpectEnd()) return;
    if (*number < 0 || *number >= std::numeric_limits<int32_t>::max()) {
      sink_.Report(DiagnosticKind::kNegativeParameterNumber, range, digits);
      return;
    }
    const uint32_t n = static_cast<uint32_t>(*number);
    if (const InstructionId other = ParameterNumbered(n); other.has_value() && !updated_.has_value()) {
      sink_.Report(DiagnosticKind::kDuplicateParameterNumber, range, n)
          .Related(ids_->Resolve(other, Anchor::Instruction()), "the first parameter with this number is here");
      return;
    }
    module_.mutable_instruction(id).parameter_number = n;
    parameter_owner_.emplace_back(n, id);
    parameter_seen_[{epoch_, n}] = id;
  }
  // The parameter of this computation that has the number already.
  InstructionId ParameterNumbered(uint32_t n) const {
    const auto it = parameter_seen_.find({epoch_, n});
    return it == parameter_seen_.end() ? InstructionId::None() : it->second;
  }

  void ReadConstant(const InstructionSyntax& node, InstructionId id) {
    TokenCursor cursor = Cursor(node.arguments, "constant");
    Shape shape = module_.shape(id);
    if (shape.IsArray() && shape.IsDynamic() && !shape.HasUnboundedDimension()) {
      // A constant's size is known: the declared bounds are its sizes.
      for (int64_t d = 0; d < shape.rank(); ++d) shape.set_dynamic_dimension(d, false);
      module_.SetShape(id, shape);
    }
    auto literal = ReadLiteral(cursor, shape);
    if (!literal) return;
    if (literal->IsElided()) {
      sink_.Report(DiagnosticKind::kReservedElided, RangeOfTokens(*tokens_, node.arguments));
    }
    literal->mutable_shape() = shape;
    module_.SetLiteral(id, *std::move(literal));
  }

  // --- Attributes ---
  void ReadAttributes(const InstructionSyntax& node, InstructionId id, Opcode opcode,
                      const std::optional<AsyncSugar>& sugar, ComputationId wrapped) {
    const bool sugar_start = sugar && sugar->link == Opcode::kAsyncStart;
    if (sugar_start && wrapped.has_value()) module_.AddComputations(id, AttributeKind::kCalls, {wrapped});
    std::bitset<256> seen;                 // by kind
    std::vector<absl::string_view> meant;  // by misspelt attributes
    for (uint32_t i = 0; i < node.attribute_count; ++i) {
      const AttributeSyntax& attribute = tree_->attributes[node.first_attribute + i];
      const absl::string_view name = NameOf(attribute.name);
      auto kind = AttributeFromName(opcode, name);
      if (sugar && kind == AttributeKind::kCalls) kind.reset();
      if (sugar_start && !kind) {
        if (AttributeFromName(sugar->wrapped, name)) continue;  // read with the wrapped instruction
      }
      if (!kind) {
        if (!ReadOldAttribute(node, i, opcode, id)) meant.push_back(ReportUnknownAttribute(attribute, opcode, sugar));
        continue;
      }
      const size_t bit = static_cast<size_t>(*kind);
      if (seen[bit] && IsDuplicate(node, i)) continue;
      seen.set(bit);
      if (const absl::string_view advice = OldAttributeAdvice(opcode, *kind); !advice.empty()) {
        sink_.Report(DiagnosticKind::kOldSpelling, nodes_->NameRange(attribute.name), name, advice);
      }
      ReadOneAttribute(attribute, i, *kind, id);
    }
    if (!sugar) CheckRequiredAttributes(node, id, opcode, meant);
  }

  // An attribute of earlier versions (spec 9); false if it is none.
  bool ReadOldAttribute(const InstructionSyntax& node, uint32_t i, Opcode opcode, InstructionId id) {
    const AttributeSyntax& attribute = tree_->attributes[node.first_attribute + i];
    const absl::string_view name = NameOf(attribute.name);
    const auto old = OldAttributeFromName(opcode, name);
    if (!old) return false;
    if (IsDuplicate(node, i)) return true;
    const SourceRange range = nodes_->NameRange(attribute.name);
    TokenCursor cursor = Cursor(attribute.value, name);
    switch (old->meaning) {
      case OldAttribute::Meaning::kRenamed: {
        const absl::string_view now = AttributeName(old->kind);
        for (uint32_t j = 0; j < node.attribute_count; ++j) {
          if (NameOf(tree_->attributes[node.first_attribute + j].name) != now) continue;
          sink_.Report(DiagnosticKind::kDuplicateAttribute, range, now);
          return true;
        }
        sink_.Report(DiagnosticKind::kOldSpelling, range, name, old->advice)
            .Fix(absl::StrCat("change to `", now, "`"), range, std::string(now));
        ReadOneAttribute(attribute, i, old->kind, id);
        return true;
      }
      case OldAttribute::Meaning::kIgnored:
        if (!cursor.Int() || !cursor.ExpectEnd()) return true;
        break;
      case OldAttribute::Meaning::kPrefetchFlag: {
        const auto flag = cursor.Bool();
        if (!flag || !cursor.ExpectEnd()) return true;
        if (*flag && !module_.HasAttribute(id, old->kind)) module_.AddInt(id, old->kind, 0, i);
        break;
      }
    }
    sink_.Report(DiagnosticKind::kOldSpelling, range, name, old->advice);
    return true;
  }

  bool IsDuplicate(const InstructionSyntax& node, uint32_t i) {
    const AttributeSyntax& attribute = tree_->attributes[node.first_attribute + i];
    for (uint32_t j = 0; j < i; ++j) {
      const AttributeSyntax& earlier = tree_->attributes[node.first_attribute + j];
      if (NameOf(earlier.name) != NameOf(attribute.name)) continue;
      names_->DuplicateAttribute(node.first_attribute + i, earlier.name);
      return true;
    }
    return false;
  }

  void ReadOneAttribute(const AttributeSyntax& attribute, uint32_t number, AttributeKind kind, InstructionId id) {
    if (kind == AttributeKind::kMetadata) return ReadMetadataAttribute(attribute, number, id);
    TokenCursor cursor = Cursor(attribute.value, AttributeName(kind));
    const auto computation = [this](absl::string_view name, SourceRange range) {
      return ResolveComputation(name, range);
    };
    const auto instruction = [this](absl::string_view name, SourceRange range) {
      return ResolveInstruction(name, range);
    };
    const auto inline_computation = [&](uint32_t k) {
      irregular_ = true;
      if (k >= attribute.inline_computation_count || updated_.has_value()) return ComputationId::None();
      return computation_of_syntax_[tree_->inline_computations[attribute.first_inline_computation + k]];
    };
    const NameResolver resolve{computation, instruction, inline_computation};
    ReadAttribute(cursor, kind, number, resolve, id, module_);
  }

  // Many instructions share their metadata: each spelling is read once.
  void ReadMetadataAttribute(const AttributeSyntax& attribute, uint32_t number, InstructionId id) {
    const absl::string_view text = source_.Slice(RangeOfTokens(*tokens_, attribute.value));
    const auto known = metadata_cache_.find(text);
    if (known != metadata_cache_.end()) {
      module_.AddMetadata(id, module_.metadata(known->second), number);
      return;
    }
    TokenCursor cursor = Cursor(attribute.value, AttributeName(AttributeKind::kMetadata));
    const size_t findings = sink_.diagnostics().size();
    const auto metadata = ReadMetadata(cursor, module_);
    if (!metadata || !cursor.ExpectEnd()) return;
    module_.AddMetadata(id, *metadata, number);
    if (sink_.diagnostics().size() == findings) metadata_cache_.emplace(text, module_.InternMetadata(*metadata));
  }

  // Returns the attribute that is probably meant.
  absl::string_view ReportUnknownAttribute(const AttributeSyntax& attribute, Opcode opcode,
                                           const std::optional<AsyncSugar>& sugar) {
    std::vector<absl::string_view> names;
    for (AttributeKind kind : InfoOf(opcode).attributes) names.push_back(AttributeName(kind));
    if (sugar && sugar->link == Opcode::kAsyncStart) {
      for (AttributeKind kind : InfoOf(sugar->wrapped).attributes) names.push_back(AttributeName(kind));
    }
    std::vector<absl::string_view> common;
    for (AttributeKind kind : CommonAttributes()) common.push_back(AttributeName(kind));
    const std::string owner =
        sugar ? std::string(OpcodeName(sugar->wrapped)) + "-" + std::string(OpcodeName(opcode).substr(6))
              : std::string(OpcodeName(opcode));
    return names_->UnknownAttribute(attribute.name, owner, names, common);
  }

  // `meant`: attributes that are there under misspelt names.
  void CheckRequiredAttributes(const InstructionSyntax& node, InstructionId id, Opcode opcode,
                               absl::Span<const absl::string_view> meant) {
    const auto is_written = [&](AttributeKind kind) {
      for (uint32_t i = 0; i < node.attribute_count; ++i) {
        if (NameOf(tree_->attributes[node.first_attribute + i].name) == AttributeName(kind)) return true;
      }
      return false;
    };
    for (AttributeKind kind : InfoOf(opcode).required) {
      if (module_.HasAttribute(id, kind) || is_written(kind)) continue;  // a malformed one has been reported
      if (std::find(meant.begin(), meant.end(), AttributeName(kind)) != meant.end()) continue;
      sink_.Report(DiagnosticKind::kMissingAttribute, nodes_->Resolve(node, Anchor::Opcode(), kNoSyntaxNode),
                   OpcodeName(opcode), AttributeName(kind));
    }
  }

  // --- Asynchronous sugar ---
  // Makes the computation that `X-start` wraps: parameters from the first element of the declared shape, X as root.
  ComputationId WrapAsync(const InstructionSyntax& node, Opcode opcode, const Shape& shape) {
    const SourceRange at = nodes_->Resolve(node, Anchor::Shape(), kNoSyntaxNode);
    if (!shape.IsTuple() || shape.tuple_size() < 2 || !shape.element(0).IsTuple()) {
      sink_.Report(DiagnosticKind::kAsyncLink, at,
                   absl::StrCat("the shape of an asynchronous start is ((operands...), result, ...), not ",
                                shape.ToString(false)));
      return ComputationId::None();
    }
    const ComputationId outer = computation_;
    const ComputationId wrapped = module_.AddComputation("async_wrapped");
    module_.mutable_computation(wrapped).is_anonymous = true;
    std::vector<InstructionId> parameters;
    for (const Shape& element : shape.element(0).elements()) {
      const InstructionId parameter = module_.AddInstruction(
          wrapped, Opcode::kParameter,
          absl::StrCat("async_param", parameters.empty() ? "" : absl::StrCat(".", parameters.size())), element, {});
      Instruction& instruction = module_.mutable_instruction(parameter);
      instruction.synthesized = true;
      instruction.shape_declared = true;
      instruction.parameter_number = static_cast<uint32_t>(parameters.size());
      parameters.push_back(parameter);
    }
    const InstructionId root = module_.AddInstruction(wrapped, opcode, "async_op", shape.element(1), parameters);
    {
      Instruction& instruction = module_.mutable_instruction(root);
      instruction.synthesized = true;
      instruction.shape_declared = true;
    }
    Computation& computation = module_.mutable_computation(wrapped);
    computation.parameters = parameters;
    computation.root = root;
    for (uint32_t i = 0; i < node.attribute_count; ++i) {
      const AttributeSyntax& attribute = tree_->attributes[node.first_attribute + i];
      const absl::string_view name = NameOf(attribute.name);
      const auto kind = AttributeFromName(opcode, name);
      if (!kind) continue;
      const bool common = AttributeFromName(Opcode::kAsyncStart, name).has_value();
      if (common && !IsCopiedToWrapped(*kind)) continue;
      if (IsDuplicate(node, i)) continue;
      ReadOneAttribute(attribute, i, *kind, root);
    }
    CheckRequiredAttributes(node, root, opcode, {});
    computation_ = outer;
    return wrapped;
  }

  // X of a sugared update or done must be the X of its start, if the start can be found.
  void CheckAsyncLink(InstructionId id, Opcode wrapped) {
    InstructionId link = id;
    while (link.has_value() &&
           (module_.opcode(link) == Opcode::kAsyncUpdate || module_.opcode(link) == Opcode::kAsyncDone)) {
      if (module_.operands(link).empty()) return;
      link = module_.operand(link, 0);
    }
    if (!link.has_value() || module_.opcode(link) != Opcode::kAsyncStart) return;
    const ComputationId callee = module_.ComputationAttribute(link, AttributeKind::kCalls);
    if (!callee.has_value()) return;
    const InstructionId root = module_.computation(callee).root;
    if (!root.has_value() || module_.opcode(root) == wrapped || module_.opcode(root) == Opcode::kInvalid) return;
    sink_
        .Report(DiagnosticKind::kAsyncLink, ids_->Resolve(id, Anchor::Opcode()),
                absl::StrCat("this continues `", module_.InstructionName(link), "`, which wraps `",
                             OpcodeName(module_.opcode(root)), "`, not `", OpcodeName(wrapped), "`"))
        .Related(ids_->Resolve(link, Anchor::Opcode()), "the start is here");
  }

  // What the tokens and nodes that are read from now on belong to.
  void SetSyntax(const TokenBuffer& tokens, const SyntaxTree& tree) {
    tokens_ = &tokens;
    tree_ = &tree;
    nodes_.emplace(source_, tokens, tree, module_);
    names_.emplace(source_, tokens, tree, module_, *text_names_, *ids_, sink_);
  }

  const SourceText& source_;
  const VerifyOptions& options_;
  DiagnosticSink& sink_;
  Module& module_;
  const TokenBuffer* tokens_ = nullptr;
  const SyntaxTree* tree_ = nullptr;
  std::optional<SyntaxAnchorResolver> nodes_;  // of tokens_ and tree_
  const AnchorResolver* ids_ = nullptr;        // of the whole module
  InstructionId updated_;                      // none while a whole module is built
  SyntaxId updated_syntax_;                    // the node of updated_ in the whole text
  // In an update: the first definition of each name of a computation, made when enough names were looked for.
  static constexpr int kMaxSearches = 16;
  mutable absl::flat_hash_map<StringId, InstructionId> definitions_;
  mutable ComputationId definitions_of_;
  mutable int searches_ = 0;
  bool irregular_ = false;  // what is read makes or needs more than one instruction
  std::optional<ModuleNames> module_names_;
  const TextNames* text_names_ = nullptr;
  std::optional<NameFindings> names_;  // about tokens_ and tree_
  RecentNames recent_names_;
  std::vector<InstructionId> instruction_of_syntax_;
  std::vector<ComputationId> computation_of_syntax_;
  ShapeId invalid_shape_;
  absl::flat_hash_map<absl::string_view, ShapeId, TextHash> shape_cache_;
  absl::flat_hash_map<absl::string_view, Shape, TextHash> signature_shapes_;
  Shape odd_signature_shape_;  // one that is not in signature_shapes_
  absl::flat_hash_map<absl::string_view, MetadataId, TextHash> metadata_cache_;
  absl::flat_hash_map<StringId, ComputationId> computation_names_;
  absl::flat_hash_map<std::string, int> anonymous_count_;

  // Of the computation being built.
  ComputationId computation_;
  uint32_t epoch_ = 0;
  std::vector<ScopeEntry> scope_;
  absl::flat_hash_map<std::pair<InstructionId, int64_t>, InstructionId> tuple_elements_;
  std::vector<std::pair<uint32_t, InstructionId>> parameter_owner_;
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, InstructionId> parameter_seen_;  // (computation, number)
  std::vector<InstructionId> operand_scratch_;
  bool has_unreadable_ = false;  // an instruction of this computation could not be read
};

}  // namespace

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
