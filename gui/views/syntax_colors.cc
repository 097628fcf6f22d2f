// SPDX-License-Identifier: Apache-2.0
#include "gui/views/syntax_colors.h"

#include <algorithm>
#include <vector>

namespace hloscope::gui {
namespace {

// UTF-16 column of each byte of the line and of its end; empty if every byte is one column.
std::vector<uint32_t> Columns(const SourceText& source, uint32_t line) {
  const absl::string_view text = source.Line(line);
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
  if (ascii) return {};
  std::vector<uint32_t> columns(text.size() + 1);
  const std::shared_ptr<const SourceText> alone = SourceText::FromString("", std::string(text));
  for (size_t i = 0; i <= text.size(); ++i) {
    columns[i] = alone->LineColumnAt(static_cast<uint32_t>(i), ColumnUnit::kUtf16).column;
  }
  return columns;
}

bool IsBlank(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
}

struct Style {
  QColor color;
  bool bold = false;
};

Style StyleOf(const Document& document, TokenIndex i, const Theme& theme) {
  const TokenBuffer& tokens = document.tokens();
  auto kind_at = [&](TokenIndex k) { return k < tokens.size() ? tokens.kind(k) : TokenKind::kEndOfFile; };
  const TokenKind next = kind_at(i + 1);
  const TokenKind previous = i > 0 ? kind_at(i - 1) : TokenKind::kEndOfFile;
  // A computation's heading: a name, then a signature or a brace, where an instruction would begin.
  const bool starts_line = previous == TokenKind::kRightBrace || previous == TokenKind::kEndOfFile || i < 3;
  const bool heads_computation = next == TokenKind::kLeftBrace || (next == TokenKind::kLeftParen && starts_line);
  switch (tokens.kind(i)) {
    case TokenKind::kName:
      if (next == TokenKind::kEquals || previous == TokenKind::kEntry || heads_computation)
        return {theme.definition, true};
      return {theme.name};
    case TokenKind::kIdentifier: {
      if (next == TokenKind::kEquals || previous == TokenKind::kEntry || previous == TokenKind::kHloModule ||
          (heads_computation && previous != TokenKind::kEquals)) {
        return {theme.definition, true};
      }
      const absl::string_view word = document.source().Slice(tokens.range(i));
      if (next == TokenKind::kLeftParen && OpcodeFromName(word).has_value()) return {theme.opcode, true};
      return {theme.name};
    }
    case TokenKind::kAttributeName:
      return {theme.attribute};
    case TokenKind::kPrimitiveType:
      return {theme.type};
    case TokenKind::kInteger:
    case TokenKind::kDecimal:
    case TokenKind::kDxD:
    case TokenKind::kPad:
    case TokenKind::kDimLabels:
    case TokenKind::kTrue:
    case TokenKind::kFalse:
    case TokenKind::kInf:
    case TokenKind::kNegativeInf:
      return {theme.number};
    case TokenKind::kString:
    case TokenKind::kRawBlock:
      return {theme.string};
    case TokenKind::kError:
      return {theme.error};
    case TokenKind::kHloModule:
    case TokenKind::kEntry:
    case TokenKind::kRoot:
    case TokenKind::kFileNames:
    case TokenKind::kFunctionNames:
    case TokenKind::kFileLocations:
    case TokenKind::kStackFrames:
    case TokenKind::kMaximal:
    case TokenKind::kReplicated:
    case TokenKind::kManual:
    case TokenKind::kUnknown:
    case TokenKind::kUnreduced:
    case TokenKind::kLastTileDimReplicate:
    case TokenKind::kShardAs:
    case TokenKind::kShardLike:
      return {theme.keyword};
    case TokenKind::kEndOfFile:
#define HLO_PUNCTUATION(Enum, spelling) case TokenKind::k##Enum:
#include "core/lex/token_kinds.def"
      break;
  }
  return {theme.muted};
}

}  // namespace

QList<QTextLayout::FormatRange> LineColors(const Document& document, uint32_t line, const Theme& theme) {
  const SourceText& source = document.source();
  const TokenBuffer& tokens = document.tokens();
  const uint32_t begin = source.LineStart(line);
  const uint32_t end = begin + static_cast<uint32_t>(std::min<size_t>(source.Line(line).size(), kMaxColoredColumn));
  const std::vector<uint32_t> columns = Columns(source, line);
  QList<QTextLayout::FormatRange> ranges;
  auto add = [&](uint32_t from, uint32_t to, const Style& style) {
    from = std::max(from, begin) - begin;
    to = std::min(to, end) - begin;
    if (from >= to) return;
    const uint32_t first = columns.empty() ? from : columns[from];
    const uint32_t last = columns.empty() ? to : columns[to];
    QTextLayout::FormatRange range;
    range.start = static_cast<int>(first);
    range.length = static_cast<int>(last - first);
    range.format.setForeground(style.color);
    if (style.bold) range.format.setFontWeight(QFont::Bold);
    ranges.push_back(range);
  };
  uint32_t covered = begin;
  for (TokenIndex i = tokens.TokenAt(begin); i < tokens.size(); ++i) {
    // Between tokens there is space and there are comments.
    const uint32_t gap_end = std::min(tokens.begin(i), end);
    if (gap_end > covered && !IsBlank(source.Slice({covered, gap_end}))) add(covered, gap_end, {theme.comment});
    if (tokens.begin(i) >= end || tokens.kind(i) == TokenKind::kEndOfFile) break;
    add(tokens.begin(i), tokens.end(i), StyleOf(document, i, theme));
    covered = std::max(covered, tokens.end(i));
  }
  return ranges;
}

}  // namespace hloscope::gui
