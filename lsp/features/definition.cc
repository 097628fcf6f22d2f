// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/definition.h"

#include <optional>

#include "absl/strings/numbers.h"
#include "core/editing/instruction_text.h"
#include "core/editing/outer_place.h"
#include "core/lex/lexer.h"

namespace hloscope::lsp {
namespace {

// Of TextMap::tables.
constexpr size_t kFileNames = 0, kFunctionNames = 1, kFileLocations = 2, kStackFrames = 3;

// `stack_frame_id=3`: the name of a field and the number that is written after it, if the offset is on either.
struct NumberedField {
  absl::string_view name;
  uint32_t number = 0;
};

std::optional<NumberedField> FieldAt(const SourceText& source, const TokenBuffer& tokens, uint32_t offset) {
  TokenIndex at = tokens.TokenAt(offset);
  // A cursor just after the number belongs to it.
  const bool is_behind = at > 0 && tokens.begin(at) >= offset && tokens.end(at - 1) == offset;
  if (is_behind && tokens.kind(at - 1) == TokenKind::kInteger) --at;
  if (tokens.kind(at) == TokenKind::kAttributeName) ++at;
  if (at == 0 || at >= tokens.size() || tokens.kind(at) != TokenKind::kInteger ||
      tokens.kind(at - 1) != TokenKind::kAttributeName) {
    return std::nullopt;
  }
  NumberedField field;
  field.name = TokenName(TokenKind::kAttributeName, source.Slice(tokens.range(at - 1)));
  if (!absl::SimpleAtoi(source.Slice(tokens.range(at)), &field.number) || field.number == 0) return std::nullopt;
  return field;
}

// The row of a table that the field at the offset means, in the metadata of an instruction or in another row. Empty if
// there is none.
SourceRange MeantRow(const Document& document, uint32_t offset) {
  std::optional<NumberedField> field;
  if (const InstructionId instruction = document.InstructionAt(offset); instruction.has_value()) {
    field = FieldAt(document.source(), InstructionText(document, instruction).tokens(), offset);
    if (!field.has_value() || field->name != "stack_frame_id") return {};
    return TableRowRange(document, kStackFrames, field->number);
  }
  const OuterPlace place = OuterPlaceAt(document, offset);
  if (place.kind != OuterPlace::Kind::kTableRow) return {};
  DiagnosticSink quiet;
  field = FieldAt(document.source(), LexPart(document.source(), place.range.begin, place.range.end, 0, quiet), offset);
  if (!field.has_value()) return {};
  if (field->name == "file_name_id") return TableRowRange(document, kFileNames, field->number);
  if (field->name == "function_name_id") return TableRowRange(document, kFunctionNames, field->number);
  if (field->name == "file_location_id") return TableRowRange(document, kFileLocations, field->number);
  // Parent n means row n - 1; 1 means none (docs/text-format.md 2.8).
  if (field->name == "parent_frame_id" && field->number > 1)
    return TableRowRange(document, kStackFrames, field->number - 1);
  return {};
}

}  // namespace

std::vector<protocol::Location> FindDefinition(const DocumentView& view, protocol::Position position) {
  using Kind = SymbolAtPosition::Kind;
  const uint32_t offset = view.positions.ToOffset(position);
  const SymbolAtPosition symbol = view.document.SymbolAt(offset);
  SourceRange target;
  switch (symbol.kind) {
    case Kind::kInstructionName:
    case Kind::kOperand:
    case Kind::kControlPredecessor:
      if (const InstructionId named = NamedInstruction(view.module(), symbol.instruction); named.has_value()) {
        target = view.document.NameRange(named);
      }
      break;
    case Kind::kComputationName:
    case Kind::kComputationUse:
      if (symbol.computation.has_value()) target = view.document.ComputationNameRange(symbol.computation);
      break;
    case Kind::kNone:
    case Kind::kShape:
    case Kind::kOpcode:
    case Kind::kAttributeName:
    case Kind::kAttributeValue:
    case Kind::kModuleName:
      target = MeantRow(view.document, offset);
      break;
  }
  if (target.empty()) return {};
  return {view.ToLocation(target)};
}

}  // namespace hloscope::lsp
