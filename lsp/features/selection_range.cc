#include "lsp/features/selection_range.h"

#include <algorithm>
#include <vector>

#include "core/semantics/anchor_resolver.h"

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

}  // namespace

protocol::SelectionRange ComputeSelectionRange(const DocumentView& view, protocol::Position position) {
  const Document& document = view.document;
  const TokenBuffer& tokens = document.tokens();
  const SyntaxTree& syntax = document.syntax();
  const uint32_t offset = view.ToOffset(position);
  std::vector<SourceRange> ranges = {{offset, offset}};

  TokenIndex token = tokens.TokenAt(offset);
  // A cursor just behind a word means the word, not the bracket or blank that follows.
  const bool before_word = tokens.begin(token) == offset && tokens.kind(token) != TokenKind::kEndOfFile &&
                           !IsOpeningBracket(tokens.kind(token)) && !IsClosingBracket(tokens.kind(token)) &&
                           tokens.kind(token) != TokenKind::kComma;
  if (token > 0 && tokens.begin(token) >= offset && tokens.end(token - 1) == offset && !before_word) --token;
  const SymbolAtPosition symbol = document.SymbolAt(offset);
  if (symbol.kind != SymbolAtPosition::Kind::kNone) ranges.push_back(symbol.range);
  if (tokens.range(token).Touches(offset)) ranges.push_back(tokens.range(token));

  const InstructionId instruction = document.InstructionAt(offset);
  if (instruction.has_value()) {
    const InstructionSyntax& node = syntax.instructions[document.module().instruction(instruction).syntax.index()];
    AddBrackets(tokens, node.tokens, token, &ranges);
    for (uint32_t k = 0; k < node.operand_count; ++k) {
      ranges.push_back(RangeOfTokens(tokens, syntax.operands[node.first_operand + k].tokens));
    }
    for (uint32_t a = 0; a < node.attribute_count; ++a) {
      const AttributeSyntax& attribute = syntax.attributes[node.first_attribute + a];
      if (!attribute.value.empty()) {
        ranges.push_back(RangeOfTokens(tokens, attribute.value));
        ranges.push_back({tokens.begin(attribute.name), tokens.end(attribute.value.end - 1)});
      }
    }
    if (!node.shape.empty()) ranges.push_back(RangeOfTokens(tokens, node.shape));
    ranges.push_back(RangeOfTokens(tokens, node.tokens));
  }
  for (const ComputationSyntax& computation : syntax.computations) {
    if (!RangeOfTokens(tokens, computation.tokens).Touches(offset)) continue;
    if (computation.open_brace != kNoToken && computation.close_brace != kNoToken)
      ranges.push_back({tokens.end(computation.open_brace), tokens.begin(computation.close_brace)});
    ranges.push_back(RangeOfTokens(tokens, computation.tokens));
  }
  // Instructions that hold the body the cursor is in.
  for (const InstructionSyntax& outer : syntax.instructions) {
    const SourceRange range = RangeOfTokens(tokens, outer.tokens);
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
