// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/token_cursor.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/diagnostics/suggestions.h"

namespace hloscope {
namespace {

// Longer lists do not help.
constexpr size_t kMaxListedWords = 8;

std::string QuotedNames(absl::Span<const absl::string_view> names) {
  return absl::StrJoin(names, ", ",
                       [](std::string* out, absl::string_view name) { absl::StrAppend(out, "`", name, "`"); });
}

}  // namespace

std::string TokenCursor::Found() const {
  if (AtEnd()) return "the end of the value";
  const absl::string_view t = text();
  return t.size() > 40 ? absl::StrCat("`", t.substr(0, 37), "...`") : absl::StrCat("`", t, "`");
}

bool TokenCursor::FailIfMissing(absl::string_view expected) {
  if (begin_ != end_) return false;
  Fail(DiagnosticKind::kMissingValue, subject_, expected);
  return true;
}

bool TokenCursor::FailExpected(absl::string_view what) {
  if (FailIfMissing(what)) return false;
  return Fail(DiagnosticKind::kBadValue, subject_, what, Found());
}

bool TokenCursor::FailUnknownField(absl::string_view owner, absl::Span<const absl::string_view> names) {
  const absl::string_view nearest = NearestName(name(), names);
  SourceRange where = range();
  if (At(TokenKind::kAttributeName)) --where.end;
  const std::string hint = nearest.empty() ? absl::StrCat("; it has ", QuotedNames(names)) : DidYouMean(nearest);
  FixSpelling(sink_.Report(DiagnosticKind::kUnknownField, where, owner, name(), hint), where, nearest);
  return false;
}

bool TokenCursor::FailUnknownWord(absl::string_view owner, absl::Span<const absl::string_view> words) {
  // Some words are keywords or look like other tokens elsewhere.
  const bool is_word = At(TokenKind::kIdentifier) || (!AtEnd() && kind() >= TokenKind::kTrue);
  if (!is_word) return FailExpected(words.size() <= kMaxListedWords ? QuotedNames(words) : "a word");
  absl::string_view nearest = NearestName(text(), words);
  if (nearest.empty()) nearest = NameWithParts(text(), words);
  std::string hint = DidYouMean(nearest);
  const bool lists_words = nearest.empty() && words.size() <= kMaxListedWords;
  if (lists_words) hint = absl::StrCat("; it takes ", QuotedNames(words));
  Diagnostic& d = sink_.Report(DiagnosticKind::kUnknownWord, range(), text(), owner, hint);
  FixSpelling(d, range(), nearest);
  if (lists_words) {
    for (const absl::string_view word : words) FixSpelling(d, range(), word);
  }
  return false;
}

bool TokenCursor::FailDuplicateField() {
  SourceRange where = range();
  if (At(TokenKind::kAttributeName)) --where.end;
  // The field with its value, and the comma before it.
  TokenIndex last = pos_ + 1;
  while (last < end_ && tokens_.kind(last) != TokenKind::kComma && tokens_.kind(last) != TokenKind::kAttributeName &&
         !IsClosingBracket(tokens_.kind(last))) {
    last = IsOpeningBracket(tokens_.kind(last)) ? EndOfGroup(last) : last + 1;
  }
  const TokenIndex before = tokens_.kind(pos_ - 1) == TokenKind::kComma ? pos_ - 2 : pos_ - 1;
  sink_.Report(DiagnosticKind::kDuplicateField, where, name())
      .Fix("remove this one", SourceRange{tokens_.end(before), tokens_.end(last - 1)}, "");
  return false;
}

bool TokenCursor::Expect(TokenKind k) {
  if (Eat(k)) return true;
  if (IsOpeningBracket(k)) return FailOpening(k);
  if (IsClosingBracket(k)) return FailClosing(k);
  return FailExpected(TokenDescription(k));
}

bool TokenCursor::FailOpening(TokenKind k) {
  const absl::string_view open = BracketText(k), close = BracketText(ClosingBracketOf(k));
  if (IsOpeningBracket(kind())) {
    const TokenIndex last = EndOfGroup(pos_) - 1;
    const absl::string_view other_close = BracketText(ClosingBracketOf(kind()));
    Diagnostic& d = sink_.Report(DiagnosticKind::kWrongBracket, range(), subject_, open, close, text(), other_close);
    if (last > pos_ && source_.Slice(tokens_.range(last)) == other_close) {
      d.fixes.push_back({absl::StrCat("write `", open, "...", close, "`"),
                         {{range(), std::string(open)}, {tokens_.range(last), std::string(close)}}});
    }
    return false;
  }
  // A single item without its braces.
  const bool is_item = At(TokenKind::kInteger) || At(TokenKind::kName) || At(TokenKind::kIdentifier) ||
                       At(TokenKind::kTrue) || At(TokenKind::kFalse);
  if (k == TokenKind::kLeftBrace && is_item && pos_ == begin_ && end_ == pos_ + 1) {
    const std::string braced = absl::StrCat("{", text(), "}");
    Report(DiagnosticKind::kMissingBraces, range(), subject_, text()).Fix("add the braces", range(), braced);
    return false;
  }
  return FailExpected(TokenDescription(k));
}

bool TokenCursor::FailClosing(TokenKind k) {
  if (!AtEnd() && At(TokenKind::kError)) return false;
  if (!IsClosingBracket(kind())) return FailExpected(TokenDescription(k));
  // Look back for the bracket that is open here.
  int64_t depth = 0;
  TokenIndex open = pos_;
  while (open > begin_) {
    --open;
    if (IsClosingBracket(tokens_.kind(open))) ++depth;
    if (IsOpeningBracket(tokens_.kind(open)) && --depth < 0) break;
  }
  const absl::string_view expected = BracketText(k);
  Diagnostic& d =
      sink_.Report(DiagnosticKind::kMismatchedBracket, range(), text(), BracketText(OpeningBracketOf(k)), expected);
  d.Fix(absl::StrCat("change to `", expected, "`"), range(), std::string(expected));
  if (depth < 0) d.Related(tokens_.range(open), "the bracket opened here");
  return false;
}

bool TokenCursor::FailListEnd(TokenKind close) {
  if (AtEnd() || At(TokenKind::kError) || IsClosingBracket(kind())) return FailClosing(close);
  // What looks like the item before is the next item.
  const TokenKind before = tokens_.kind(pos_ - 1);
  const auto starts_item = [](TokenKind k) {
    return k == TokenKind::kInteger || k == TokenKind::kName || k == TokenKind::kIdentifier ||
           k == TokenKind::kString || k == TokenKind::kAttributeName || k == TokenKind::kPrimitiveType ||
           k == TokenKind::kTrue || k == TokenKind::kFalse || IsOpeningBracket(k);
  };
  if (!starts_item(kind()) || before == TokenKind::kComma)
    return FailExpected(absl::StrCat("`,` or ", TokenDescription(close)));
  const uint32_t at = tokens_.end(pos_ - 1);
  Report(DiagnosticKind::kMissingComma, range(), Found()).Fix("insert a comma", SourceRange{at, at}, ",");
  return false;
}

bool TokenCursor::FailSurplusComma() {
  const SourceRange comma = tokens_.range(pos_ - 1);
  Report(DiagnosticKind::kSurplusComma, comma).Fix("remove the comma", comma, "");
  return false;
}

TokenIndex TokenCursor::EndOfGroup(TokenIndex open) const {
  int64_t depth = 0;
  for (TokenIndex i = open; i < end_; ++i) {
    if (IsOpeningBracket(tokens_.kind(i))) ++depth;
    if (IsClosingBracket(tokens_.kind(i)) && --depth == 0) return i + 1;
  }
  return end_;
}

bool TokenCursor::ExpectEnd() {
  if (AtEnd()) return true;
  const SourceRange gap = {tokens_.end(pos_ - 1), tokens_.begin(pos_)};
  if (source_.Slice(gap).find_first_of("\r\n") != absl::string_view::npos) return FailNextLine();
  // `0.5f`.
  const TokenKind before = tokens_.kind(pos_ - 1);
  if (gap.empty() && At(TokenKind::kIdentifier) && (before == TokenKind::kInteger || before == TokenKind::kDecimal)) {
    const SourceRange number = {tokens_.begin(pos_ - 1), tokens_.end(pos_)};
    const absl::string_view plain = source_.Slice(tokens_.range(pos_ - 1));
    sink_.Report(DiagnosticKind::kNumberSpelling, number, source_.Slice(number), plain)
        .Fix(absl::StrCat("write `", plain, "`"), number, std::string(plain));
    return false;
  }
  return Fail(DiagnosticKind::kSurplusValue, subject_, Found());
}

bool TokenCursor::FailNextLine() {
  const bool is_name = At(TokenKind::kName) || At(TokenKind::kIdentifier);
  const SourceRange next = tokens_.range(pos_ + 1);
  const SourceRange gap = {tokens_.end(pos_), next.begin};
  if (!is_name || source_.Slice(gap).find_first_of("\r\n") != absl::string_view::npos || next.empty() ||
      tokens_.kind(pos_ + 1) == TokenKind::kLeftParen) {
    return Fail(DiagnosticKind::kExpectedToken, "an instruction, `name = shape opcode(...)`", Found());
  }
  Diagnostic& d = sink_.Report(DiagnosticKind::kMissingEquals, next, TokenName(kind(), text()),
                               absl::StrCat("`", source_.Slice(next), "`"));
  if (source_.text().substr(next.begin, 2) == ":=")
    d.Fix("change to `=`", SourceRange{next.begin, next.begin + 2}, "=");
  return false;
}

std::optional<int64_t> TokenCursor::Int() {
  if (!At(TokenKind::kInteger)) {
    if (FailIfMissing("an integer")) return std::nullopt;
    const bool in_braces =
        At(TokenKind::kLeftBrace) && Peek() == TokenKind::kInteger && Peek(2) == TokenKind::kRightBrace;
    if (in_braces) {
      sink_.Report(DiagnosticKind::kSurplusBraces, range(), subject_)
          .fixes.push_back({"remove the braces", {{range(), ""}, {tokens_.range(pos_ + 2), ""}}});
      return std::nullopt;
    }
    if (At(TokenKind::kError)) return std::nullopt;
    Diagnostic& d = sink_.Report(DiagnosticKind::kExpectedInteger, range(), subject_, Found());
    if (At(TokenKind::kString)) {
      const absl::string_view digits = text().substr(1, text().size() - 2);
      if (!digits.empty() && digits.size() < 19 &&
          std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
        d.Fix("remove the quotes", range(), std::string(digits));
      }
    }
    return std::nullopt;
  }
  const auto value = DecodeInteger(text());
  Advance();
  return value;
}

std::optional<int64_t> TokenCursor::IntIn(int64_t low, int64_t high) {
  const TokenIndex at = pos_;
  const absl::string_view digits = text();
  const auto value = Int();
  // A token above 2^63-1 has wrapped: its sign tells.
  const bool wrapped = value && *value < 0 && !absl::StartsWith(digits, "-");
  if (value && (wrapped || *value < low || *value > high)) {
    const bool unbounded = high == std::numeric_limits<int64_t>::max();
    sink_.Report(DiagnosticKind::kValueOutOfRange, tokens_.range(at), digits,
                 unbounded ? absl::StrCat("`", subject_, "` takes ", low, " and more")
                           : absl::StrCat("`", subject_, "` takes ", low, " to ", high));
    return std::nullopt;
  }
  return value;
}

std::optional<bool> TokenCursor::Bool() {
  if (Eat(TokenKind::kTrue)) return true;
  if (Eat(TokenKind::kFalse)) return false;
  if (FailIfMissing("`true` or `false`") || At(TokenKind::kError)) return std::nullopt;
  Diagnostic& d = sink_.Report(DiagnosticKind::kExpectedBoolean, range(), subject_, Found());
  for (const absl::string_view yes : {"true", "1", "yes", "on", "t", "y"}) {
    if (absl::EqualsIgnoreCase(text(), yes)) FixSpelling(d, range(), "true");
  }
  for (const absl::string_view no : {"false", "0", "no", "off", "f", "n", "none"}) {
    if (absl::EqualsIgnoreCase(text(), no)) FixSpelling(d, range(), "false");
  }
  return std::nullopt;
}

std::optional<double> TokenCursor::Double() {
  if (!At(TokenKind::kInteger) && !At(TokenKind::kDecimal)) {
    if (!FailIfMissing("a number")) Fail(DiagnosticKind::kExpectedNumber, subject_, Found());
    return std::nullopt;
  }
  if (absl::StrContains(text(), "nan")) {
    const double nan = std::copysign(std::numeric_limits<double>::quiet_NaN(), absl::StartsWith(text(), "-") ? -1 : 1);
    Advance();
    return nan;
  }
  const double value = DecodeDecimal(text());
  if (!std::isfinite(value)) {
    Fail(DiagnosticKind::kValueOutOfRange, text(), "it is beyond the largest double");
    return std::nullopt;
  }
  Advance();
  return value;
}

std::optional<std::string> TokenCursor::String() {
  if (!At(TokenKind::kString)) {
    if (FailIfMissing("a string in quotes") || At(TokenKind::kError)) return std::nullopt;
    Diagnostic& d = sink_.Report(DiagnosticKind::kExpectedString, range(), subject_, Found());
    const bool is_word = At(TokenKind::kIdentifier) || At(TokenKind::kInteger) || At(TokenKind::kPrimitiveType);
    if (is_word) d.Fix("put it in quotes", range(), absl::StrCat("\"", text(), "\""));
    return std::nullopt;
  }
  auto value = DecodeString(text());
  Advance();
  return value;
}

double DecodeDecimal(absl::string_view token) {
  double value = 0;
  const auto result = std::from_chars(token.data(), token.data() + token.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    // from_chars does not say whether the value is too large or too small.
    value = std::strtod(std::string(token).c_str(), nullptr);
  }
  return value;
}

}  // namespace hloscope
