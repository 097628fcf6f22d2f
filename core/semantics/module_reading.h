// What BuildModule and ModuleUpdater read modules with: computations and names (module_builder.cc), instructions with
// their operands (instruction_building.cc), their attributes (attribute_building.cc). Internal to core/semantics.
#ifndef HLOSCOPE_CORE_SEMANTICS_MODULE_READING_H_
#define HLOSCOPE_CORE_SEMANTICS_MODULE_READING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/ir/text_hash.h"
#include "core/ops/sugared_opcodes.h"
#include "core/semantics/anchor_resolver.h"
#include "core/semantics/builder_call_reader.h"
#include "core/semantics/module_builder.h"
#include "core/semantics/name_diagnostics.h"
#include "core/semantics/recent_attributes.h"
#include "core/semantics/recent_names.h"
#include "core/semantics/text_names.h"
#include "core/semantics/token_cursor.h"

namespace hloscope {

class ModuleBuilder {
 public:
  ModuleBuilder(const SourceText& source, const VerifyOptions& options, DiagnosticSink& sink, Module& module)
      : source_(source), options_(options), sink_(sink), module_(module) {}

  void Run(const TokenBuffer& tokens, const SyntaxTree& tree, BuiltModule& result);

  // --- Updating a module; see ModuleUpdater ---
  void StartUpdate(const AnchorResolver& resolver);

  void SetNamesAreUnique(const absl::flat_hash_set<StringId>* except, bool are_all) {
    unique_except_ = except;
    names_are_unique_ = are_all;
  }

  bool Reread(const TokenBuffer& tokens, const SyntaxTree& tree, SyntaxId node, InstructionId id);

  std::optional<uint32_t> parameter_number() const;

  void RereadParameters(ComputationId id, absl::Span<const std::pair<uint32_t, InstructionId>> owners,
                        bool has_unreadable);

  // Diagnostics about the computation's signature and roots.
  void RereadComputation(ComputationId id, const TokenBuffer& result_tokens);

 private:
  // --- Text ---
  absl::string_view TokenText(TokenIndex i) const { return source_.Slice(tokens_->range(i)); }
  absl::string_view NameOf(TokenIndex i) const { return TokenName(tokens_->kind(i), TokenText(i)); }
  TokenCursor Cursor(TokenRange range, absl::string_view subject) {
    return TokenCursor(source_, *tokens_, sink_, range, subject);
  }

  // --- Computations ---
  void BuildComputation(uint32_t index);

  void ReportSecondRoot(SourceRange second, SourceRange first, absl::string_view computation) {
    sink_.Report(DiagnosticKind::kSecondRoot, second, computation).Related(first, "the first ROOT is here");
  }
  // The keyword before the instruction.
  SourceRange RangeOfRoot(InstructionId id) const;
  SourceRange RootRange(SyntaxId id) const { return tokens_->range(tree_->instructions[id.index()].tokens.begin); }

  // `owners`: the parameters with readable numbers, in text order.
  void CollectParameters(absl::Span<const std::pair<uint32_t, InstructionId>> owners, bool has_unreadable);

  void CheckSignature(const ComputationSyntax& syntax);

  // Compares the result of the signature, which stands at `range`, with the root.
  void CheckResult(const Shape& result, SourceRange range);

  // Names and shapes are read and then ignored: the parameter instructions count (docs/text-format.md 3).
  void ReadSignatureParameters(const ComputationSyntax& syntax);

  // The shape at the cursor; each spelling is read once. Null after a diagnostic. Valid until the next call.
  const Shape* ReadSignatureShape(TokenCursor& cursor);

  void ReadComputationAttributes(const ComputationSyntax& syntax);

  void DeclareComputation(const ComputationSyntax& syntax);

  void ChooseEntry();

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

  // What operand `k` of the instruction being read means: an updated one mostly means what it meant before.
  InstructionId DefinitionOfOperand(uint32_t k, StringId name) const;
  // The first instruction of the computation that the text gives this name, if it stands before `before`.
  InstructionId FirstDefinition(StringId name, InstructionId before) const;
  InstructionId ResolveInstruction(absl::string_view name, SourceRange range);

  // The computation of that name that stands before the one being read.
  ComputationId FindDeclaredComputation(absl::string_view name) const;

  ComputationId ResolveComputation(absl::string_view name, SourceRange range);

  // --- Instructions ---
  void BuildInstruction(SyntaxId syntax_id);

  // The name that is written, or one that is made up.
  StringId NameFor(SyntaxId syntax_id);

  struct WrittenOpcode {
    Opcode opcode;
    std::optional<AsyncSugar> sugar;  // of `all-reduce-start` and the like: `opcode` is then its link
  };
  // Nothing, and no diagnostic, if the word is no opcode.
  std::optional<WrittenOpcode> ReadOpcode(const InstructionSyntax& node);

  // Asks for the memory that instructions a little after this one will be read from.
  void FetchAhead(SyntaxId syntax_id) const;

  // What a node of `tree_` is in the tree of the whole text.
  SyntaxId NodeOfText(SyntaxId node) const { return updated_.has_value() ? updated_syntax_ : node; }

  // Adds an instruction to the computation, or makes it the one that is updated.
  InstructionId PlaceInstruction(Opcode opcode, StringId name, ShapeId shape, absl::Span<const InstructionId> operands);

  bool IsOutermost(SyntaxId id) const { return id.index() + 1 == tree_->instructions.size(); }

  // Keeps the name and, if it is readable, the shape, so that users are neither reported nor left unanalysed.
  // `shape` is used if none is written.
  void AddUnreadable(SyntaxId syntax_id, StringId name, const Shape& shape = Shape());
  // A call of the builder interface.
  void AddBuilderCall(SyntaxId syntax_id, StringId name, const BuilderCall& call);

  void DeclareInstruction(const InstructionSyntax& node, StringId name, InstructionId id);

  // The same few shapes occur thousands of times: each spelling that gives no diagnostic is read once.
  std::optional<ShapeId> ReadCachedShape(TokenRange range);

  // --- Operands ---
  void ReadOperands(const InstructionSyntax& node);

  InstructionId ReadReference(const OperandSyntax& operand, uint32_t k);

  // In a text of one instruction, unknown operands are its parameters (docs/text-format.md 2.1).
  InstructionId AddImpliedParameter(absl::string_view name, ShapeId shape);

  // `t#2#0`: one get-tuple-element per distinct path and computation (docs/text-format.md 6.2).
  InstructionId ReadTupleAccess(const OperandSyntax& operand, InstructionId base);

  // --- Arguments of parameter and constant ---
  void ReadParameterNumber(const InstructionSyntax& node, InstructionId id);
  // The parameter of this computation that has the number already.
  InstructionId ParameterNumbered(uint32_t n) const;

  void ReadConstant(const InstructionSyntax& node, InstructionId id);

  // --- Attributes ---
  void ReadAttributes(const InstructionSyntax& node, InstructionId id, Opcode opcode,
                      const std::optional<AsyncSugar>& sugar, ComputationId wrapped);

  // An attribute of earlier versions (docs/text-format.md 9); false if it is none.
  bool ReadOldAttribute(const InstructionSyntax& node, uint32_t i, Opcode opcode, InstructionId id);

  bool IsDuplicate(const InstructionSyntax& node, uint32_t i);

  // Many instructions have attributes that are spelt the same: such a value is read and stored once.
  void ReadOneAttribute(const AttributeSyntax& attribute, uint32_t number, AttributeKind kind, InstructionId id);

  // Returns the attribute that is probably meant.
  absl::string_view ReportUnknownAttribute(const AttributeSyntax& attribute, Opcode opcode,
                                           const std::optional<AsyncSugar>& sugar);

  // `meant`: attributes that are there under misspelt names.
  void CheckRequiredAttributes(const InstructionSyntax& node, InstructionId id, Opcode opcode,
                               absl::Span<const absl::string_view> meant);

  // --- Asynchronous sugar ---
  // Makes the computation that `X-start` wraps: parameters from the first element of the declared shape, X as root.
  ComputationId WrapAsync(SyntaxId syntax_id, Opcode opcode, const Shape& shape);
  void DescribeAsyncParameter(InstructionId id, size_t number);

  // Gives a computation that sugar stands for the parameters and the result that are known by now.
  void SetWrappedSignature(ComputationId wrapped);

  // X of a sugared update or done must be the X of its start, if the start can be found; it may bind more operands, or
  // the result.
  void CheckAsyncLink(InstructionId id, Opcode wrapped);

  // `async_execution_thread` on an update or done must be the thread of its start, if the start can be found.
  void CheckThreadOfLink(InstructionId id);

  // What an asynchronous start calls runs on its thread, with all that is called there, whatever is written.
  void AssignThreads();
  void SetThread(InstructionId start, absl::string_view thread);

  // What the tokens and nodes that are read from now on belong to.
  void SetSyntax(const TokenBuffer& tokens, const SyntaxTree& tree);

  const SourceText& source_;
  const VerifyOptions& options_;
  DiagnosticSink& sink_;
  Module& module_;
  const TokenBuffer* tokens_ = nullptr;
  const SyntaxTree* tree_ = nullptr;
  std::optional<SyntaxAnchorResolver> nodes_;  // of tokens_ and tree_
  const AnchorResolver* ids_ = nullptr;        // of the whole module
  // See ModuleUpdater::SetNamesAreUnique.
  bool names_are_unique_ = false;
  const absl::flat_hash_set<StringId>* unique_except_ = nullptr;
  InstructionId updated_;    // none while a whole module is built
  SyntaxId updated_syntax_;  // the node of updated_ in the whole text
  // In an update: the first definition of each name of a computation, made when enough names were looked for.
  static constexpr size_t kMaxSearches = 8;
  mutable absl::flat_hash_map<StringId, InstructionId> definitions_;
  mutable ComputationId definitions_of_;
  mutable size_t looked_at_ = 0;  // instructions, to find names
  bool irregular_ = false;        // what is read makes or needs more than one instruction
  std::optional<ModuleNames> module_names_;
  const TextNames* text_names_ = nullptr;
  std::optional<NameDiagnostics> names_;       // about tokens_ and tree_
  std::optional<SnippetNames> snippet_names_;  // of the whole text, once a call of the builder interface is read
  RecentNames recent_names_;
  std::vector<InstructionId> instruction_of_syntax_;
  std::vector<ComputationId> computation_of_syntax_;
  ShapeId invalid_shape_;
  absl::flat_hash_map<absl::string_view, ShapeId, TextHash> shape_cache_;
  absl::flat_hash_map<absl::string_view, Shape, TextHash> signature_shapes_;
  Shape odd_signature_shape_;  // one that is not in signature_shapes_
  RecentAttributes recent_attributes_;
  absl::flat_hash_map<absl::string_view, ComputationId, TextHash> computation_names_;
  absl::flat_hash_map<std::string, int> anonymous_count_;
  absl::flat_hash_map<ComputationId, WrappedSignature> wrapped_signatures_;  // of asynchronous sugar

  // Of the computation being built.
  ComputationId computation_;
  uint32_t epoch_ = 0;
  std::vector<ScopeEntry> scope_;
  absl::flat_hash_map<std::pair<InstructionId, int64_t>, InstructionId> tuple_elements_;
  std::vector<std::pair<uint32_t, InstructionId>> parameter_owner_;
  // Parameters by number; the entries carry the number of the computation. Numbers beyond the table are in the map.
  static constexpr uint32_t kMaxInTable = 1 << 14;
  std::vector<ScopeEntry> parameter_table_;
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, InstructionId> far_parameters_;  // (computation, number)
  std::vector<InstructionId> operand_scratch_;
  bool has_unreadable_ = false;  // an instruction of this computation could not be read
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_MODULE_READING_H_
