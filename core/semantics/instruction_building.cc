// Instructions: their names, shapes, operands and arguments (docs/text-format.md 6.1, 6.2, 6.17).
#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/lex/lexer.h"
#include "core/ops/shape_matching.h"
#include "core/semantics/implied_shapes.h"
#include "core/semantics/literal_reader.h"
#include "core/semantics/module_reading.h"
#include "core/semantics/old_spellings.h"
#include "core/semantics/shape_reader.h"

namespace hloscope {

// Of a large text, tokens and places in the table of names have left the caches, or were never in them, when they are
// needed: waiting for them took a third of the time of building a module. So one after the other is asked for early
// enough: tokens, then the text that they stand for, then where the name, most often a new one, belongs in the table.
void ModuleBuilder::FetchAhead(SyntaxId syntax_id) const {
  constexpr size_t kTokensAhead = 16, kTextAhead = 8, kNameAhead = 4;
  constexpr TokenIndex kMostTokens = 48;
  constexpr uint32_t kMostText = 256, kCacheLine = 64;
  const std::vector<InstructionSyntax>& nodes = tree_->instructions;
  size_t i = syntax_id.index() + kTokensAhead;
  if (i < nodes.size()) {
    const TokenRange tokens = nodes[i].tokens;
    tokens_->Prefetch(tokens.begin, std::min(tokens.end, tokens.begin + kMostTokens));
  }
  i = syntax_id.index() + kTextAhead;
  if (i < nodes.size()) {
    const SourceRange range = RangeOfTokens(*tokens_, nodes[i].tokens);
    const char* const text = source_.text().data();
    for (uint32_t at = range.begin; at < std::min(range.end, range.begin + kMostText); at += kCacheLine) {
      __builtin_prefetch(text + at);
    }
  }
  i = syntax_id.index() + kNameAhead;
  if (i < nodes.size() && nodes[i].name != kNoToken) {
    module_.mutable_strings().Prefetch(HashText(NameOf(nodes[i].name)));
  }
}

StringId ModuleBuilder::NameFor(SyntaxId syntax_id) {
  const InstructionSyntax& node = tree_->instructions[syntax_id.index()];
  if (node.name != kNoToken) return recent_names_.Intern(NameOf(node.name), module_.mutable_strings());
  if (tree_->kind == SyntaxTree::TextKind::kSingleInstruction && IsOutermost(syntax_id)) {
    return module_.InternString("_");
  }
  const int n = anonymous_count_[node.opcode != kNoToken ? std::string(TokenText(node.opcode)) : ""]++;
  return module_.InternString(absl::StrCat(node.opcode != kNoToken ? TokenText(node.opcode) : "broken", ".anon",
                                           n == 0 ? "" : absl::StrCat(".", n)));
}

std::optional<ModuleBuilder::WrittenOpcode> ModuleBuilder::ReadOpcode(const InstructionSyntax& node) {
  const absl::string_view word = TokenText(node.opcode);
  if (const auto found = OpcodeFromName(word)) return WrittenOpcode{*found, std::nullopt};
  if (const std::optional<AsyncSugar> sugar = ParseAsyncSugar(word)) {
    irregular_ = true;
    return WrittenOpcode{sugar->link, sugar};
  }
  const auto old = OldOpcodeFromName(word);
  if (!old) return std::nullopt;
  sink_.Report(DiagnosticKind::kOldSpelling, tokens_->range(node.opcode), word, old->advice)
      .Fix(absl::StrCat("change to `", OpcodeName(old->opcode), "`"), tokens_->range(node.opcode),
           std::string(OpcodeName(old->opcode)));
  return WrittenOpcode{old->opcode, std::nullopt};
}

void ModuleBuilder::BuildInstruction(SyntaxId syntax_id) {
  constexpr size_t kOutgrowsCaches = 1 << 20;  // of smaller texts everything is at hand, and asking for it costs 4 %
  if (source_.size() >= kOutgrowsCaches) FetchAhead(syntax_id);
  const InstructionSyntax& node = tree_->instructions[syntax_id.index()];
  const int errors_before = sink_.error_count();
  sink_.SetSource(CheckStage::kInstruction,
                  updated_.has_value() ? updated_.value : static_cast<uint32_t>(module_.instruction_count()));
  const StringId name = NameFor(syntax_id);
  if (node.broken) {
    AddUnreadable(syntax_id, name);
    return;
  }
  if (node.name != kNoToken) {
    names_->CheckName(node.name, NameDiagnostics::Owner::kInstruction);
    // The fix renames all uses.
    irregular_ = irregular_ || sink_.error_count() != errors_before;
  }

  const absl::string_view word = TokenText(node.opcode);
  const std::optional<WrittenOpcode> written = ReadOpcode(node);
  if (!written) {
    if (const BuilderCall* call = WrittenBuilderCall(word)) {
      AddBuilderCall(syntax_id, name, *call);
    } else {
      names_->UnknownOpcode(node.opcode);
      AddUnreadable(syntax_id, name);
    }
    return;
  }
  const Opcode opcode = written->opcode;
  const std::optional<AsyncSugar>& sugar = written->sugar;

  ShapeId shape = invalid_shape_;
  bool shape_failed = false;
  if (!node.shape.empty()) {
    const auto read = ReadCachedShape(node.shape);
    shape_failed = !read;
    shape = read.value_or(invalid_shape_);
  } else if (!InfoOf(opcode).shape_can_be_omitted || opcode == Opcode::kOptBarrier) {
    // The reference has no rule for opt-barrier, and rejects one without a shape.
    sink_.Report(DiagnosticKind::kMissingShape, nodes_->Resolve(node, Anchor::Opcode(), kNoSyntaxNode), word);
    shape_failed = true;
  }

  operand_scratch_.clear();
  ReadOperands(node);
  const absl::Span<const InstructionId> operands = operand_scratch_;
  ComputationId wrapped;
  if (sugar && updated_.has_value()) return;
  if (sugar && sugar->link == Opcode::kAsyncStart && !shape_failed)
    wrapped = WrapAsync(syntax_id, sugar->wrapped, module_.shape(shape));

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

InstructionId ModuleBuilder::PlaceInstruction(Opcode opcode, StringId name, ShapeId shape,
                                              absl::Span<const InstructionId> operands) {
  if (!updated_.has_value()) return module_.AddInstruction(computation_, opcode, name, shape, operands);
  module_.ReplaceInstruction(updated_, opcode, name, shape, operands);
  module_names_->set_placed();
  return updated_;
}

void ModuleBuilder::AddBuilderCall(SyntaxId syntax_id, StringId name, const BuilderCall& call) {
  irregular_ = true;  // the fix depends on operands, and on the names of the whole text
  if (updated_.has_value()) return AddUnreadable(syntax_id, name);
  if (!snippet_names_) snippet_names_ = NamesOfText(source_, *tokens_, *tree_);
  const auto find_shape = [&](absl::string_view operand) -> const Shape* {
    const StringId id = module_.mutable_strings().Find(operand);
    const InstructionId found = id.has_value() ? Lookup(id) : InstructionId::None();
    return found.has_value() ? &module_.shape(found) : nullptr;
  };
  const InstructionSyntax& node = tree_->instructions[syntax_id.index()];
  AddUnreadable(syntax_id, name,
                ReportBuilderCall({source_, *tokens_, *tree_, node}, call, find_shape, *snippet_names_, sink_));
}

void ModuleBuilder::AddUnreadable(SyntaxId syntax_id, StringId name, const Shape& shape_if_none) {
  const InstructionSyntax& node = tree_->instructions[syntax_id.index()];
  ShapeId shape = shape_if_none.IsValid() ? module_.InternShape(shape_if_none) : invalid_shape_;
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

void ModuleBuilder::DeclareInstruction(const InstructionSyntax& node, StringId name, InstructionId id) {
  if (updated_.has_value() && names_are_unique_) return;
  const InstructionId first = Lookup(name);
  if (!first.has_value()) {
    if (!updated_.has_value()) Declare(name, id);
    return;
  }
  names_->DuplicateInstruction(node.name, first, computation_);
}

std::optional<ShapeId> ModuleBuilder::ReadCachedShape(TokenRange range) {
  const absl::string_view text = source_.Slice(RangeOfTokens(*tokens_, range));
  const auto it = shape_cache_.find(text);
  if (it != shape_cache_.end()) return it->second;
  TokenCursor cursor = Cursor(range, "shape");
  const size_t diagnostics = sink_.diagnostics().size();
  const auto shape = ReadShape(cursor);
  if (!shape || !cursor.ExpectEnd()) return std::nullopt;
  const ShapeId id = module_.InternShape(*shape);
  if (sink_.diagnostics().size() == diagnostics) shape_cache_.emplace(text, id);
  return id;
}

void ModuleBuilder::ReadOperands(const InstructionSyntax& node) {
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

InstructionId ModuleBuilder::ReadReference(const OperandSyntax& operand, uint32_t k) {
  const bool single = tree_->kind == SyntaxTree::TextKind::kSingleInstruction;
  std::optional<ShapeId> written;
  if (!operand.shape.empty()) {
    written = ReadCachedShape(operand.shape);
    if (!written) return InstructionId::None();
  }
  if (operand.name == kNoToken) return AddImpliedParameter(absl::StrCat("_", k), *written);
  const absl::string_view name = NameOf(operand.name);
  InstructionId id = DefinitionOfOperand(k, recent_names_.Intern(name, module_.mutable_strings()));
  if (!id.has_value()) {
    if (single && written) {
      names_->CheckName(operand.name, NameDiagnostics::Owner::kOther);
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

InstructionId ModuleBuilder::AddImpliedParameter(absl::string_view name, ShapeId shape) {
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

InstructionId ModuleBuilder::ReadTupleAccess(const OperandSyntax& operand, InstructionId base) {
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

void ModuleBuilder::ReadParameterNumber(const InstructionSyntax& node, InstructionId id) {
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
  if (n >= kMaxInTable) {
    far_parameters_[{epoch_, n}] = id;
    return;
  }
  if (n >= parameter_table_.size()) parameter_table_.resize(n + 1);
  parameter_table_[n] = {epoch_, id};
}

InstructionId ModuleBuilder::ParameterNumbered(uint32_t n) const {
  if (n < kMaxInTable) {
    const bool is_seen = n < parameter_table_.size() && parameter_table_[n].epoch == epoch_;
    return is_seen ? parameter_table_[n].id : InstructionId::None();
  }
  const auto it = far_parameters_.find({epoch_, n});
  return it == far_parameters_.end() ? InstructionId::None() : it->second;
}

void ModuleBuilder::ReadConstant(const InstructionSyntax& node, InstructionId id) {
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

}  // namespace hloscope
