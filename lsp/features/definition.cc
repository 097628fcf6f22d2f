#include "lsp/features/definition.h"

#include <optional>

#include "absl/strings/numbers.h"
#include "core/editing/instruction_text.h"

namespace hloscope::lsp {
namespace {

// The number written after `stack_frame_id=` if the offset is on that field.
std::optional<uint32_t> StackFrameIdAt(const Document& document, uint32_t offset) {
  const InstructionId instruction = document.InstructionAt(offset);
  if (!instruction.has_value()) return std::nullopt;
  const InstructionText text(document, instruction);
  const TokenBuffer& tokens = text.tokens();
  TokenIndex at = tokens.TokenAt(offset);
  // A cursor just behind the number belongs to it.
  if (at > 0 && tokens.begin(at) >= offset && tokens.end(at - 1) == offset) --at;
  if (tokens.kind(at) == TokenKind::kAttributeName) ++at;
  if (at == 0 || at >= tokens.size() || tokens.kind(at) != TokenKind::kInteger ||
      tokens.kind(at - 1) != TokenKind::kAttributeName) {
    return std::nullopt;
  }
  const absl::string_view name = document.source().Slice(tokens.range(at - 1));
  uint32_t id = 0;
  if (name.substr(0, name.find('=')) != "stack_frame_id" ||
      !absl::SimpleAtoi(document.source().Slice(tokens.range(at)), &id) || id == 0) {
    return std::nullopt;
  }
  return id;
}

// Row `number` (from 1) of the StackFrames table: `INT { ... }`. Rows count by position (spec/hlo-text.md 2.8).
SourceRange StackFrameRow(const Document& document, uint32_t number) {
  const TokenBuffer& tokens = document.tokens();
  const TokenRange rows = document.syntax().stack_frames;
  uint32_t row = 0;
  for (TokenIndex i = rows.begin; i < rows.end; ++i) {
    if (tokens.kind(i) != TokenKind::kLeftBrace || i == rows.begin || ++row != number) continue;
    TokenIndex close = i;
    while (close + 1 < rows.end && tokens.kind(close) != TokenKind::kRightBrace) ++close;
    return {tokens.begin(i - 1), tokens.end(close)};
  }
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
    default:
      if (const std::optional<uint32_t> frame = StackFrameIdAt(view.document, offset)) {
        target = StackFrameRow(view.document, *frame);
      }
      break;
  }
  if (target.empty()) return {};
  return {view.ToLocation(target)};
}

}  // namespace hloscope::lsp
