// SPDX-License-Identifier: Apache-2.0
#include "core/editing/white_space.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/editing/cursor_context.h"
#include "core/lex/lexer.h"

namespace hloscope {
namespace {

constexpr size_t kColumnsPerBody = 2;
// Two empty lines.
constexpr size_t kMostLineEnds = 3;

bool IsSpaceOrTab(char c) { return c == ' ' || c == '\t'; }
bool IsSpace(char c) { return IsSpaceOrTab(c) || c == '\n' || c == '\r'; }

// A run of white space, or a comment, between two tokens.
struct Piece {
  absl::string_view text;
  bool is_space = false;
  size_t line_ends = 0;  // of white space
};

std::vector<Piece> PiecesOf(absl::string_view gap) {
  std::vector<Piece> pieces;
  for (size_t at = 0; at < gap.size();) {
    size_t end = at;
    Piece piece;
    piece.is_space = IsSpace(gap[at]);
    if (piece.is_space) {
      while (end < gap.size() && IsSpace(gap[end])) {
        const bool is_pair = gap[end] == '\r' && end + 1 < gap.size() && gap[end + 1] == '\n';
        if (!IsSpaceOrTab(gap[end])) ++piece.line_ends;
        end += is_pair ? 2 : 1;
      }
    } else if (absl::StartsWith(gap.substr(at), "/*")) {
      const size_t close = gap.find("*/", at + 2);
      end = close == absl::string_view::npos ? gap.size() : close + 2;
    } else if (absl::StartsWith(gap.substr(at), "//")) {
      while (end < gap.size() && gap[end] != '\n' && gap[end] != '\r') ++end;
    } else {  // what the lexer steps over, such as a byte order mark
      while (end < gap.size() && !IsSpace(gap[end])) ++end;
    }
    piece.text = gap.substr(at, end - at);
    pieces.push_back(piece);
    at = end;
  }
  return pieces;
}

class Formatter {
 public:
  // `known_gaps`: by token, or empty.
  Formatter(const Document& document, SourceRange range, absl::Span<const absl::string_view> known_gaps)
      : text_(document.source().text()),
        tokens_(document.tokens()),
        tree_(document.syntax()),
        range_(range),
        known_gaps_(known_gaps),
        line_end_(absl::StrContains(text_, "\r\n") ? "\r\n" : "\n"),
        marks_(tokens_.size()),
        depth_(tokens_.size() + 1) {
    MarkComputations();
    MarkStatements();
  }

  std::vector<TextEdit> Format() {
    for (TokenIndex i = 0; i < tokens_.size(); ++i) {
      if (marks_[i].starts_computation || marks_[i].starts_statement) open_.clear();
      FormatGap(i);
      const TokenKind kind = tokens_.kind(i);
      if (IsOpeningBracket(kind) && !marks_[i].is_body_brace)
        open_.push_back({kind, kind == TokenKind::kLeftBracket || IsGluedList(i)});
      if (IsClosingBracket(kind) && !marks_[i].is_body_brace && !open_.empty()) open_.pop_back();
    }
    return std::move(edits_);
  }

 private:
  struct Mark {
    bool starts_computation : 1 = false;  // at the top level
    bool starts_statement : 1 = false;
    bool has_own_line : 1 = false;  // statements and closing braces of computations at the top level
    bool is_body_brace : 1 = false;
    bool is_opcode : 1 = false;
    bool is_computation_name : 1 = false;
    bool is_inside : 1 =
        false;  // of a statement, an attribute list or a heading that could be read; not its first token
  };

  struct Open {
    TokenKind bracket;
    bool is_tight;  // no blanks after its commas
  };

  // The list in `[2,8]<=[8,2]T(1,0)`, `(1)4` and the like: no arguments, which follow an opcode or a computation's
  // name.
  bool IsGluedList(TokenIndex i) const {
    if (i == 0 || tokens_.kind(i) != TokenKind::kLeftParen || tokens_.end(i - 1) != tokens_.begin(i)) return false;
    const TokenKind before = tokens_.kind(i - 1);
    const bool is_word = before == TokenKind::kIdentifier || before == TokenKind::kName;
    return is_word && marks_[i].is_inside && !marks_[i - 1].is_opcode && !marks_[i - 1].is_computation_name;
  }

  void MarkComputations() {
    std::vector<bool> is_inline(tree_.computations.size());
    for (uint32_t node : tree_.inline_computations) is_inline[node] = true;
    first_computation_ = static_cast<TokenIndex>(tokens_.size());
    std::vector<int> change(tokens_.size() + 2);
    for (size_t node = 0; node < tree_.computations.size(); ++node) {
      const ComputationSyntax& computation = tree_.computations[node];
      const bool has_close = computation.close_brace != kNoToken;
      if (!is_inline[node] && !computation.tokens.empty()) {
        marks_[computation.tokens.begin].starts_computation = true;
        first_computation_ = std::min(first_computation_, computation.tokens.begin);
      }
      if (computation.name != kNoToken) marks_[computation.name].is_computation_name = true;
      if (computation.open_brace == kNoToken) continue;
      marks_[computation.open_brace].is_body_brace = true;
      if (!is_inline[node]) MarkInside({computation.tokens.begin, computation.open_brace + 1});
      ++change[computation.open_brace + 1];
      --change[has_close ? computation.close_brace : computation.tokens.end];
      if (!has_close) continue;
      marks_[computation.close_brace].is_body_brace = true;
      marks_[computation.close_brace].has_own_line = !is_inline[node] && computation.instruction_count > 0;
    }
    int depth = 0;
    for (size_t i = 0; i < depth_.size(); ++i)
      depth_[i] = static_cast<uint16_t>(std::clamp(depth += change[i], 0, 1000));
  }

  void MarkInside(TokenRange range) {
    for (TokenIndex i = range.begin + 1; i < range.end; ++i) marks_[i].is_inside = true;
  }

  void MarkStatements() {
    for (const InstructionSyntax& node : tree_.instructions) {
      if (node.tokens.empty() || node.name == kNoToken) continue;
      Mark& first = marks_[node.tokens.begin];
      first.starts_statement = true;
      first.has_own_line = depth_[node.tokens.begin] == 1;
      if (node.broken) continue;
      MarkInside(node.tokens);
      if (node.opcode != kNoToken) marks_[node.opcode].is_opcode = true;
    }
    // The heading is one line by nature; tables follow it.
    if (tree_.module_name != kNoToken) {
      TokenIndex end = first_computation_;
      for (const TokenRange& table :
           {tree_.file_names, tree_.function_names, tree_.file_locations, tree_.stack_frames}) {
        if (!table.empty()) end = std::min(end, table.begin - 1);
      }
      MarkInside({0, end});
    }
  }

  // The blanks between two tokens of one line.
  absl::string_view Between(TokenIndex left, TokenIndex right, absl::string_view written) const {
    const TokenKind l = tokens_.kind(left), r = tokens_.kind(right);
    const Mark& before = marks_[left];
    const Mark& after = marks_[right];
    if (after.is_body_brace && r == TokenKind::kLeftBrace && l != TokenKind::kAttributeName) return " ";
    if (!after.is_inside || before.is_body_brace || after.is_body_brace) return written;
    if (std::any_of(open_.begin(), open_.end(), [](const Open& open) { return open.bracket == TokenKind::kLeftBrace; }))
      return written;
    const absl::string_view short_gap = written.empty() ? "" : " ";
    if (r == TokenKind::kComma) return "";
    if (l == TokenKind::kComma) return !open_.empty() && open_.back().is_tight ? "" : " ";
    if (l == TokenKind::kEquals || r == TokenKind::kEquals) return " ";
    if (l == TokenKind::kLeftParen || l == TokenKind::kLeftBracket) return "";
    if (r == TokenKind::kRightParen || r == TokenKind::kRightBracket) return "";
    if (l == TokenKind::kAttributeName) return "";
    if (r == TokenKind::kLeftParen && before.is_opcode) return "";
    if (r == TokenKind::kLeftParen && before.is_computation_name) return " ";
    if (r == TokenKind::kLeftBracket && l == TokenKind::kPrimitiveType) return "";
    if (open_.empty() && (l == TokenKind::kArrow || r == TokenKind::kArrow)) return " ";
    return short_gap;
  }

  // The column of an offset whose line begins with blanks up to it; nothing if tabs are among them.
  std::optional<size_t> ColumnAtLineStart(uint32_t offset) const {
    uint32_t begin = offset;
    while (begin > 0 && text_[begin - 1] == ' ') --begin;
    const bool is_start = begin == 0 || text_[begin - 1] == '\n' || text_[begin - 1] == '\r';
    return is_start ? std::optional<size_t>(offset - begin) : std::nullopt;
  }

  // What a line begins with that goes on with token `i`, or with a comment before it; `written` is what is there.
  std::string Indentation(TokenIndex i, bool is_comment, absl::string_view written) {
    const Mark& mark = marks_[i];
    size_t columns = kColumnsPerBody * depth_[i];
    const bool closes_body = mark.is_body_brace && tokens_.kind(i) == TokenKind::kRightBrace;
    // Comments at the end of a body are of the body.
    if (is_comment && closes_body) columns += kColumnsPerBody;
    const bool is_start = mark.starts_statement || mark.starts_computation || closes_body || i == 0;
    if (is_start || !mark.is_inside) return std::string(columns, ' ');
    // The second and later lines of a statement move as its first one does.
    if (absl::StrContains(written, "\t")) return std::string(written);
    const int64_t moved = static_cast<int64_t>(written.size()) + shift_;
    return std::string(static_cast<size_t>(std::max<int64_t>(0, moved)), ' ');
  }

  // How many line ends white space with `count` of them gets. A computation follows an empty line (`has_empty_line`:
  // the gap holds one), before or after the comments in between.
  size_t LineEnds(TokenIndex i, size_t count, bool is_first, bool is_last, bool has_empty_line) const {
    const bool after_open = i > 0 && marks_[i - 1].is_body_brace && tokens_.kind(i - 1) == TokenKind::kLeftBrace;
    const bool before_close = marks_[i].is_body_brace && tokens_.kind(i) == TokenKind::kRightBrace;
    // Dumps of XLA end in an empty line.
    if (tokens_.kind(i) == TokenKind::kEndOfFile && is_last) return std::min<size_t>(count, 2);
    if ((after_open && is_first) || (before_close && is_last)) return 1;
    if (marks_[i].starts_computation && is_first && i > 0 && !has_empty_line) return 2;
    return std::min(count, kMostLineEnds);
  }

  std::string NewGap(TokenIndex i, absl::string_view gap) {
    std::vector<Piece> pieces = PiecesOf(gap);
    const bool is_end = tokens_.kind(i) == TokenKind::kEndOfFile;
    const bool has_empty_line =
        std::any_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.line_ends > 1; });
    const bool has_line_end =
        std::any_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.line_ends > 0; });
    const bool wants_line = i > 0 && (marks_[i].has_own_line || marks_[i].starts_computation || is_end);
    if (wants_line && !has_line_end) {
      if (is_end && (pieces.empty() || pieces.back().is_space)) {
        if (!pieces.empty()) pieces.pop_back();
        pieces.push_back({"", true, 1});
      } else if (!is_end) {
        if (pieces.empty() || !pieces[0].is_space) pieces.insert(pieces.begin(), Piece{"", true, 0});
        pieces[0].line_ends = 1;
      }
    }
    std::string out;
    bool is_first_line = true;
    for (size_t p = 0; p < pieces.size(); ++p) {
      const Piece& piece = pieces[p];
      const bool is_last = p + 1 == pieces.size();
      if (piece.is_space && i == 0 && p == 0) continue;  // nothing before the first thing of a text
      if (piece.line_ends > 0) {
        const bool later = std::any_of(pieces.begin() + static_cast<ptrdiff_t>(p) + 1, pieces.end(),
                                       [](const Piece& other) { return other.line_ends > 0; });
        const size_t count = LineEnds(i, piece.line_ends, is_first_line, !later, has_empty_line);
        for (size_t k = 0; k < count; ++k) absl::StrAppend(&out, line_end_);
        is_first_line = false;
        if (is_last && is_end) continue;
        const size_t line_start = piece.text.find_last_of("\r\n");
        const absl::string_view written =
            line_start == absl::string_view::npos ? absl::string_view() : piece.text.substr(line_start + 1);
        out += Indentation(i, !is_last, written);
      } else if (piece.is_space && p == 0 && is_last && i > 0) {
        absl::StrAppend(&out, Between(i - 1, i, piece.text));
      } else {
        absl::StrAppend(&out, piece.text);  // a comment, or blanks beside one
      }
    }
    if (pieces.empty() && i > 0) out = std::string(Between(i - 1, i, ""));
    return out;
  }

  void FormatGap(TokenIndex i) {
    const uint32_t begin = i == 0 ? 0 : tokens_.end(i - 1), end = tokens_.begin(i);
    if (begin > end) return;
    if (marks_[i].starts_statement || marks_[i].starts_computation) {
      const std::optional<size_t> column = ColumnAtLineStart(end);
      shift_ = column ? static_cast<int64_t>(kColumnsPerBody * depth_[i]) - static_cast<int64_t>(*column) : 0;
    }
    if (end < range_.begin || begin > range_.end) return;
    const absl::string_view gap = text_.substr(begin, end - begin);
    const bool is_known = !known_gaps_.empty() && known_gaps_[i].data() != nullptr;
    const std::string wanted = is_known ? std::string(known_gaps_[i]) : NewGap(i, gap);
    if (wanted == gap) return;
    // White space alone changes: what is common at both ends stays.
    size_t prefix = 0, suffix = 0;
    const size_t shorter = std::min(gap.size(), wanted.size());
    while (prefix < shorter && gap[prefix] == wanted[prefix]) ++prefix;
    while (suffix < shorter - prefix && gap[gap.size() - 1 - suffix] == wanted[wanted.size() - 1 - suffix]) ++suffix;
    edits_.push_back({{begin + static_cast<uint32_t>(prefix), end - static_cast<uint32_t>(suffix)},
                      wanted.substr(prefix, wanted.size() - suffix - prefix)});
  }

  const absl::string_view text_;
  const TokenBuffer& tokens_;
  const SyntaxTree& tree_;
  const SourceRange range_;
  const absl::Span<const absl::string_view> known_gaps_;
  const absl::string_view line_end_;
  std::vector<Mark> marks_;      // by token
  std::vector<uint16_t> depth_;  // bodies around each token
  TokenIndex first_computation_ = 0;
  std::vector<Open> open_;  // of the statement or heading before the gap
  int64_t shift_ = 0;       // columns that the first line of the statement moves
  std::vector<TextEdit> edits_;
};

// White space may not join tokens, or make others of them.
bool HasSameTokens(const Document& document, const std::vector<TextEdit>& edits) {
  const absl::string_view old_text = document.source().text();
  std::string text;
  uint32_t copied = 0;
  for (const TextEdit& edit : edits) {
    absl::StrAppend(&text, old_text.substr(copied, edit.range.begin - copied), edit.replacement);
    copied = edit.range.end;
  }
  absl::StrAppend(&text, old_text.substr(copied));
  DiagnosticSink sink;
  const auto source = SourceText::FromString("", std::move(text));
  const TokenBuffer after = Lex(*source, sink);
  const TokenBuffer& before = document.tokens();
  if (after.size() != before.size()) return false;
  for (TokenIndex i = 0; i < after.size(); ++i) {
    if (after.kind(i) != before.kind(i) || source->Slice(after.range(i)) != document.source().Slice(before.range(i))) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<TextEdit> FormatWhiteSpace(const Document& document, SourceRange range) {
  return FormatWhiteSpace(document, range, {});
}

std::vector<TextEdit> FormatWhiteSpace(const Document& document, SourceRange range,
                                       const std::vector<absl::string_view>& known_gaps) {
  const SourceText& source = document.source();
  const uint32_t first = source.LineColumnAt(range.begin).line, last = source.LineColumnAt(range.end).line;
  const SourceRange lines = {source.LineStart(first),
                             source.LineStart(last) + static_cast<uint32_t>(source.Line(last).size())};
  std::vector<TextEdit> edits = Formatter(document, lines, known_gaps).Format();
  if (!HasSameTokens(document, edits)) return {};
  return edits;
}

std::vector<TextEdit> IndentLine(const Document& document, uint32_t offset) {
  const SourceText& source = document.source();
  const uint32_t line = source.LineColumnAt(offset).line;
  const uint32_t begin = source.LineStart(line);
  const absl::string_view text = source.Line(line);
  const size_t blanks = std::min(text.find_first_not_of(" \t"), text.size());
  const bool closes = blanks < text.size() && text[blanks] == '}';
  // Bodies that are open where the line begins.
  size_t depth = 0;
  for (const TextMap::ComputationText& body : document.text_map().computations) {
    if (body.body_begin == 0 || body.body_begin > begin) continue;
    if (!body.is_closed || body.close_brace >= begin + blanks) ++depth;
  }
  // Unclosed ones at the end of the text are counted while the cursor is in them only.
  if (!ComputationWithBodyAt(document, begin).has_value() && depth > 0 && !closes) depth = 0;
  if (closes && depth > 0) --depth;
  const std::string wanted(kColumnsPerBody * depth, ' ');
  if (text.substr(0, blanks) == wanted) return {};
  return {{{begin, begin + static_cast<uint32_t>(blanks)}, wanted}};
}

std::vector<TextEdit> FormatTypedLine(const Document& document, uint32_t offset, bool after_line_end) {
  const SourceText& source = document.source();
  const uint32_t line = source.LineColumnAt(offset).line;
  std::vector<TextEdit> edits;
  if (after_line_end && line > 0) {
    const SourceRange before = {source.LineStart(line - 1),
                                source.LineStart(line - 1) + static_cast<uint32_t>(source.Line(line - 1).size())};
    for (TextEdit& edit : FormatWhiteSpace(document, before)) {
      // Lines stay as they are while they are written.
      if (edit.range.begin < before.begin || edit.range.end > before.end || absl::StrContains(edit.replacement, "\n")) {
        continue;
      }
      edits.push_back(std::move(edit));
    }
  }
  for (TextEdit& edit : IndentLine(document, offset)) edits.push_back(std::move(edit));
  return edits;
}

}  // namespace hloscope
