// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/selection_range.h"

#include <algorithm>
#include <vector>

#include "core/editing/instruction_text.h"
#include "core/editing/outer_place.h"
#include "core/lex/lexer.h"

namespace hloscope::lsp {
namespace {

// Tokens on either side that are searched for brackets.
constexpr TokenIndex kMaxBracketSearch = 20000;

// The pairs of brackets around the token inside [limits): with and without the brackets.
void AddBrackets(const TokenBuffer& tokens, TokenRange limits, TokenIndex token, std::vector<SourceRange>* ranges) {
  TokenIndex left = token;
  TokenIndex right = token;
  while (true) {
    int depth = 0;
    const TokenIndex lowest = std::max(limits.begin, token > kMaxBracketSearch ? token - kMaxBracketSearch : 0);
    while (left > lowest) {
      --left;
      if (IsClosingBracket(tokens.kind(left))) ++depth;
      if (IsOpeningBracket(tokens.kind(left)) && depth-- == 0) break;
    }
    if (left < lowest || !IsOpeningBracket(tokens.kind(left)) || depth != -1) return;
    depth = 0;
    const TokenIndex highest = std::min<TokenIndex>(limits.end, token + kMaxBracketSearch);
    while (right < highest) {
      if (IsOpeningBracket(tokens.kind(right)) && right != left) ++depth;
      if (IsClosingBracket(tokens.kind(right)) && depth-- == 0) break;
      ++right;
    }
    if (right >= highest) return;
    ranges->push_back({tokens.end(left), tokens.begin(right)});
    ranges->push_back({tokens.begin(left), tokens.end(right)});
    ++right;
  }
}

// The word at the offset, what is in brackets around it.
void AddTokens(const TokenBuffer& tokens, TokenRange limits, uint32_t offset, std::vector<SourceRange>* ranges) {
  TokenIndex token = tokens.TokenAt(offset);
  // A cursor just after a word means the word, not the bracket or blank that follows.
  const bool before_word = tokens.begin(token) == offset && tokens.kind(token) != TokenKind::kEndOfFile &&
                           !IsOpeningBracket(tokens.kind(token)) && !IsClosingBracket(tokens.kind(token)) &&
                           tokens.kind(token) != TokenKind::kComma;
  if (token > 0 && tokens.begin(token) >= offset && tokens.end(token - 1) == offset && !before_word) --token;
  if (tokens.range(token).Touches(offset)) ranges->push_back(tokens.range(token));
  AddBrackets(tokens, limits, token, ranges);
}

void AddInstruction(const Document& document, InstructionId instruction, uint32_t offset,
                    std::vector<SourceRange>* ranges) {
  const InstructionText text(document, instruction);
  const InstructionSyntax& node = text.node();
  AddTokens(text.tokens(), node.tokens, offset, ranges);
  for (uint32_t k = 0; k < node.operand_count; ++k) ranges->push_back(text.RangeOf(text.operand(k).tokens));
  for (uint32_t a = 0; a < node.attribute_count; ++a) {
    const AttributeSyntax& attribute = text.attribute(a);
    if (attribute.value.empty()) continue;
    ranges->push_back(text.RangeOf(attribute.value));
    ranges->push_back({text.tokens().begin(attribute.name), text.tokens().end(attribute.value.end - 1)});
  }
  if (!node.shape.empty()) ranges->push_back(text.RangeOf(node.shape));
}

// Header, tables and signatures.
void AddOuterPlace(const Document& document, uint32_t offset, std::vector<SourceRange>* ranges) {
  const OuterPlace place = OuterPlaceAt(document, offset);
  if (place.kind == OuterPlace::Kind::kNone) return;
  ranges->push_back(place.range);
  DiagnosticSink quiet;
  const TokenBuffer tokens = LexPart(document.source(), place.range.begin, place.range.end, 0, quiet);
  AddTokens(tokens, {0, static_cast<TokenIndex>(tokens.size())}, offset, ranges);
}

}  // namespace

protocol::SelectionRange ComputeSelectionRange(const DocumentView& view, protocol::Position position) {
  const Document& document = view.document;
  const TextMap& map = document.text_map();
  const uint32_t offset = view.ToOffset(position);
  std::vector<SourceRange> ranges = {{offset, offset}};
  const SymbolAtPosition symbol = document.SymbolAt(offset);
  if (symbol.kind != SymbolAtPosition::Kind::kNone) ranges.push_back(symbol.range);
  if (const InstructionId instruction = document.InstructionAt(offset); instruction.has_value()) {
    AddInstruction(document, instruction, offset, &ranges);
  } else {
    AddOuterPlace(document, offset, &ranges);
  }
  for (const TextMap::ComputationText& computation : map.computations) {
    if (!computation.range.Touches(offset)) continue;
    if (computation.is_closed) ranges.push_back({computation.body_begin, computation.close_brace});
    ranges.push_back(computation.range);
  }
  // The instruction, and those that hold the body the cursor is in.
  for (SourceRange range : map.nodes) {
    if (range.Touches(offset)) ranges.push_back(range);
  }
  ranges.push_back({0, document.source().size()});

  std::sort(ranges.begin(), ranges.end(), [](SourceRange a, SourceRange b) { return a.size() < b.size(); });
  protocol::SelectionRange result;
  SourceRange last = ranges[0];
  bool first = true;
  for (SourceRange range : ranges) {
    if (!range.Touches(offset)) continue;
    // Only what holds everything before it, and is larger.
    if (!first && (range == last || range.begin > last.begin || range.end < last.end)) continue;
    result.push_back(view.ToRange(range));
    last = range;
    first = false;
  }
  if (result.size() > 1 && result[0].start == result[0].end) result.erase(result.begin());
  return result;
}

}  // namespace hloscope::lsp
