// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/instruction_builder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ir/text_hash.h"
#include "core/ops/shape_matching.h"
#include "core/semantics/implied_shapes.h"
#include "core/semantics/literal_reader.h"
#include "core/semantics/old_spellings.h"
#include "core/semantics/shape_reader.h"

namespace hloscope {

// Of a large text, tokens and places in the table of names have left the caches, or were never in them, when they are
// needed: waiting for them took a third of the time of building a module. So one after the other is asked for early
// enough: tokens, then the text that they stand for, then where the name, most often a new one, belongs in the table.
void InstructionBuilder::FetchAhead(SyntaxId syntax_id) const {
  constexpr size_t kTokensAhead = 16, kTextAhead = 8, kNameAhead = 4;
  constexpr TokenIndex kMostTokens = 48;
  constexpr uint32_t kMostText = 256, kCacheLine = 64;
  const std::vector<InstructionSyntax>& nodes = text_.tree().instructions;
  size_t i = syntax_id.index() + kTokensAhead;
  if (i < nodes.size()) {
    const TokenRange tokens = nodes[i].tokens;
    text_.tokens().Prefetch(tokens.begin, std::min(tokens.end, tokens.begin + kMostTokens));
  }
  i = syntax_id.index() + kTextAhead;
  if (i < nodes.size()) {
    const SourceRange range = text_.RangeOf(nodes[i].tokens);
    const char* const text = text_.source().text().data();
    for (uint32_t at = range.begin; at < std::min(range.end, range.begin + kMostText); at += kCacheLine) {
      __builtin_prefetch(text + at);
    }
  }
  i = syntax_id.index() + kNameAhead;
  if (i < nodes.size() && nodes[i].name != kNoToken) {
    module_.mutable_strings().Prefetch(HashText(text_.NameOf(nodes[i].name)));
  }
}

StringId InstructionBuilder::NameFor(SyntaxId syntax_id) {
  const InstructionSyntax& node = text_.node(syntax_id);
  if (node.name != kNoToken) return scope_.Intern(text_.NameOf(node.name));
  if (text_.tree().kind == SyntaxTree::TextKind::kSingleInstruction && IsOutermost(syntax_id)) {
    return module_.InternString("_");
  }
  const int n = anonymous_count_[node.opcode != kNoToken ? std::string(text_.TextOf(node.opcode)) : ""]++;
  return module_.InternString(absl::StrCat(node.opcode != kNoToken ? text_.TextOf(node.opcode) : "broken", ".anon",
                                           n == 0 ? "" : absl::StrCat(".", n)));
}

std::optional<InstructionBuilder::WrittenOpcode> InstructionBuilder::ReadOpcode(const InstructionSyntax& node) {
  const absl::string_view word = text_.TextOf(node.opcode);
  if (const auto found = OpcodeFromName(word)) return WrittenOpcode{*found, std::nullopt};
  if (const std::optional<AsyncSugar> sugar = ParseAsyncSugar(word)) {
    progress_.is_irregular = true;
    return WrittenOpcode{sugar->link, sugar};
  }
  const auto old = OldOpcodeFromName(word);
  if (!old) return std::nullopt;
  text_.sink()
      .Report(DiagnosticKind::kOldSpelling, text_.tokens().range(node.opcode), word, old->advice)
      .Fix(absl::StrCat("change to `", OpcodeName(old->opcode), "`"), text_.tokens().range(node.opcode),
           std::string(OpcodeName(old->opcode)));
  return WrittenOpcode{old->opcode, std::nullopt};
}

void InstructionBuilder::Build(SyntaxId syntax_id) {
  constexpr size_t kOutgrowsCaches = 1 << 20;  // of smaller texts everything is at hand, and asking for it costs 4 %
  if (text_.source().size() >= kOutgrowsCaches) FetchAhead(syntax_id);
  const InstructionSyntax& node = text_.node(syntax_id);
  const int errors_before = text_.sink().error_count();
  text_.sink().SetSource(CheckStage::kInstruction, progress_.is_update()
                                                       ? progress_.updated.value
                                                       : static_cast<uint32_t>(module_.instruction_count()));
  const StringId name = NameFor(syntax_id);
  if (node.broken) {
    AddUnreadable(syntax_id, name);
    return;
  }
  if (node.name != kNoToken) {
    text_.names().CheckName(node.name, NameDiagnostics::Owner::kInstruction);
    // The fix renames all uses.
    progress_.is_irregular = progress_.is_irregular || text_.sink().error_count() != errors_before;
  }

  const absl::string_view word = text_.TextOf(node.opcode);
  const std::optional<WrittenOpcode> written = ReadOpcode(node);
  if (!written) {
    if (const BuilderCall* call = WrittenBuilderCall(word)) {
      AddBuilderCall(syntax_id, name, *call);
    } else {
      text_.names().UnknownOpcode(node.opcode);
      AddUnreadable(syntax_id, name);
    }
    return;
  }
  const Opcode opcode = written->opcode;
  const std::optional<AsyncSugar>& sugar = written->sugar;

  ShapeId shape = shapes_.invalid();
  bool shape_failed = false;
  if (!node.shape.empty()) {
    const auto read = shapes_.Read(node.shape);
    shape_failed = !read;
    shape = read.value_or(shapes_.invalid());
  } else if (!InfoOf(opcode).shape_can_be_omitted || opcode == Opcode::kOptBarrier) {
    // The reference has no rule for opt-barrier, and rejects one without a shape.
    text_.sink().Report(DiagnosticKind::kMissingShape, text_.OpcodeRange(node), word);
    shape_failed = true;
  }

  operands_.clear();
  ReadOperands(node);
  const absl::Span<const InstructionId> operands = operands_;
  ComputationId wrapped;
  if (sugar && progress_.is_update()) return;
  if (sugar && sugar->link == Opcode::kAsyncStart && !shape_failed)
    wrapped = sugar_.Wrap(syntax_id, sugar->wrapped, module_.shape(shape));

  const InstructionId id = Place(opcode, name, shape, operands);
  {
    Instruction& instruction = module_.mutable_instruction(id);
    instruction.syntax = progress_.NodeOfText(syntax_id);
    instruction.shape_declared = !node.shape.empty();
    instruction.is_named = node.name != kNoToken;
    instruction.is_marked_root = node.is_root;
  }
  progress_.instruction_of_syntax[syntax_id.index()] = id;
  if (opcode == Opcode::kParameter) parameters_.Read(node, id);
  if (opcode == Opcode::kConstant && shape != shapes_.invalid()) ReadConstant(node, id);
  attributes_.ReadAll(node, id, opcode, sugar, wrapped);
  if (sugar && sugar->link != Opcode::kAsyncStart) sugar_.CheckLink(id, sugar->wrapped);

  if (text_.sink().error_count() != errors_before || shape_failed) {
    module_.mutable_instruction(id).has_reading_errors = true;
  } else if (node.shape.empty()) {
    InferOmittedShape(module_, id, options_, text_.ids(), text_.sink());
  } else {
    RecomputeShape(module_, id, text_.ids(), text_.sink());
  }
  if (node.name != kNoToken) DeclareInstruction(node, name, id);
}

InstructionId InstructionBuilder::Place(Opcode opcode, StringId name, ShapeId shape,
                                        absl::Span<const InstructionId> operands) {
  if (!progress_.is_update()) return module_.AddInstruction(progress_.computation, opcode, name, shape, operands);
  module_.ReplaceInstruction(progress_.updated, opcode, name, shape, operands);
  text_.NoteInModule();
  return progress_.updated;
}

void InstructionBuilder::AddBuilderCall(SyntaxId syntax_id, StringId name, const BuilderCall& call) {
  progress_.is_irregular = true;  // the fix depends on operands, and on the names of the whole text
  if (progress_.is_update()) return AddUnreadable(syntax_id, name);
  if (!snippet_names_) snippet_names_ = NamesOfText(text_.source(), text_.tokens(), text_.tree());
  const auto find_shape = [&](absl::string_view operand) -> const Shape* {
    const InstructionId found = scope_.Find(operand);
    return found.has_value() ? &module_.shape(found) : nullptr;
  };
  const InstructionSyntax& node = text_.node(syntax_id);
  AddUnreadable(syntax_id, name,
                ReportBuilderCall({text_.source(), text_.tokens(), text_.tree(), node}, call, find_shape,
                                  *snippet_names_, text_.sink()));
}

void InstructionBuilder::AddUnreadable(SyntaxId syntax_id, StringId name, const Shape& shape_if_none) {
  const InstructionSyntax& node = text_.node(syntax_id);
  ShapeId shape = shape_if_none.IsValid() ? module_.InternShape(shape_if_none) : shapes_.invalid();
  if (!node.shape.empty()) {
    DiagnosticSink quiet;
    TokenCursor cursor(text_.source(), text_.tokens(), quiet, node.shape, "shape");
    if (const auto read = ReadShape(cursor)) shape = module_.InternShape(*read);
  }
  const InstructionId id = Place(Opcode::kInvalid, name, shape, {});
  Instruction& instruction = module_.mutable_instruction(id);
  instruction.syntax = progress_.NodeOfText(syntax_id);
  instruction.has_reading_errors = true;
  instruction.is_named = node.name != kNoToken;
  instruction.is_marked_root = node.is_root;
  progress_.instruction_of_syntax[syntax_id.index()] = id;
  parameters_.NoteUnreadable();
  if (node.name != kNoToken && !progress_.is_update() && !scope_.Find(name).has_value()) scope_.Declare(name, id);
}

void InstructionBuilder::DeclareInstruction(const InstructionSyntax& node, StringId name, InstructionId id) {
  if (progress_.is_update() && scope_.names_are_unique()) return;
  const InstructionId first = scope_.Find(name);
  if (!first.has_value()) {
    if (!progress_.is_update()) scope_.Declare(name, id);
    return;
  }
  text_.names().DuplicateInstruction(node.name, first, progress_.computation);
}

void InstructionBuilder::ReadOperands(const InstructionSyntax& node) {
  for (uint32_t k = 0; k < node.operand_count; ++k) {
    const OperandSyntax& operand = text_.tree().operands[node.first_operand + k];
    if (operand.nested.has_value()) {
      progress_.is_irregular = true;
      operands_.push_back(progress_.instruction_of_syntax[operand.nested.index()]);
      continue;
    }
    operands_.push_back(ReadReference(operand, k));
  }
}

InstructionId InstructionBuilder::ReadReference(const OperandSyntax& operand, uint32_t k) {
  const bool single = text_.tree().kind == SyntaxTree::TextKind::kSingleInstruction;
  std::optional<ShapeId> written;
  if (!operand.shape.empty()) {
    written = shapes_.Read(operand.shape);
    if (!written) return InstructionId::None();
  }
  if (operand.name == kNoToken) return AddImpliedParameter(absl::StrCat("_", k), *written);
  const absl::string_view name = text_.NameOf(operand.name);
  InstructionId id = scope_.FindOperand(k, scope_.Intern(name));
  if (!id.has_value()) {
    if (single && written) {
      text_.names().CheckName(operand.name, NameDiagnostics::Owner::kOther);
      return AddImpliedParameter(name, *written);
    }
    text_.names().UnknownInstruction(name, text_.nodes().NameRange(operand.name), progress_.computation);
    return id;
  }
  if (operand.path_begin < operand.tokens.end) {
    progress_.is_irregular = true;
    if (progress_.is_update()) return InstructionId::None();
    id = ReadTupleAccess(operand, id);
  }
  if (!id.has_value() || !written) return id;
  const ShapeId actual = module_.instruction(id).shape;
  if (actual == *written || actual == shapes_.invalid()) return id;
  if (!ShapesCompatible(module_.shape(*written), module_.shape(actual))) {
    const SourceRange range = text_.RangeOf(operand.shape);
    const std::string right = module_.shape(actual).ToString();
    text_.sink()
        .Report(DiagnosticKind::kOperandShapeMismatch, range, name, module_.shape(*written).ToString(false),
                module_.shape(actual).ToString(false))
        .Related(text_.ids().Resolve(id, Anchor::Shape()), "its shape is given here")
        .Fix(absl::StrCat("change to ", right), range, right);
  }
  return id;
}

InstructionId InstructionBuilder::AddImpliedParameter(absl::string_view name, ShapeId shape) {
  const StringId name_id = module_.InternString(name);
  const InstructionId id = module_.AddInstruction(progress_.computation, Opcode::kParameter, name_id, shape, {});
  Instruction& instruction = module_.mutable_instruction(id);
  instruction.synthesized = true;
  instruction.shape_declared = true;
  parameters_.AddImplied(id);
  scope_.Declare(name_id, id);
  return id;
}

InstructionId InstructionBuilder::ReadTupleAccess(const OperandSyntax& operand, InstructionId base) {
  std::string name(module_.InstructionName(base));
  for (TokenIndex t = operand.path_begin; t + 1 < operand.tokens.end; t += 2) {
    const int64_t index = DecodeInteger(text_.TextOf(t + 1)).value_or(-1);
    absl::StrAppend(&name, "_", index);
    const Shape& shape = module_.shape(base);
    if (!shape.IsValid()) return InstructionId::None();
    if (!shape.IsTuple() || index < 0 || index >= shape.tuple_size()) {
      text_.sink().Report(DiagnosticKind::kTupleAccess, SourceRange{text_.tokens().begin(t), text_.tokens().end(t + 1)},
                          index, shape.ToString(false));
      return InstructionId::None();
    }
    const auto key = std::make_pair(base, index);
    const auto it = tuple_elements_.find(key);
    if (it != tuple_elements_.end()) {
      base = it->second;
      continue;
    }
    const InstructionId element =
        module_.AddInstruction(progress_.computation, Opcode::kGetTupleElement, name, shape.element(index), {base});
    module_.mutable_instruction(element).synthesized = true;
    module_.AddInt(element, AttributeKind::kIndex, index);
    tuple_elements_.emplace(key, element);
    base = element;
  }
  return base;
}

void InstructionBuilder::ReadConstant(const InstructionSyntax& node, InstructionId id) {
  TokenCursor cursor = text_.Cursor(node.arguments, "constant");
  Shape shape = module_.shape(id);
  if (shape.IsArray() && shape.IsDynamic() && !shape.HasUnboundedDimension()) {
    // A constant's size is known: the declared bounds are its sizes.
    for (int64_t d = 0; d < shape.rank(); ++d) shape.set_dynamic_dimension(d, false);
    module_.SetShape(id, shape);
  }
  auto literal = ReadLiteral(cursor, shape);
  if (!literal) return;
  if (literal->IsElided()) {
    text_.sink().Report(DiagnosticKind::kReservedElided, text_.RangeOf(node.arguments));
  }
  literal->mutable_shape() = shape;
  module_.SetLiteral(id, *std::move(literal));
}

}  // namespace hloscope
