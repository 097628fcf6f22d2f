// SPDX-License-Identifier: Apache-2.0
#include "core/lex/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/strings/str_cat.h"
#include "core/ir/word_table.h"
#include "core/lex/number_scan.h"
#include "core/lex/unexpected_text.h"
#include "core/lex/word_scan.h"

namespace hloscope {
namespace {

// Words that are tokens of their own kind: keywords and element types. `nan` is kError: its token may go on.
constexpr WordTable<TokenKind, 512> MakeReservedWords() {
  WordTable<TokenKind, 512> words;
#define HLO_TOKEN(Enum, description)
#define HLO_PUNCTUATION(Enum, spelling)
#define HLO_KEYWORD(Enum, spelling) words.Add(spelling, TokenKind::k##Enum);
#include "core/lex/token_kinds.def"
#define HLO_ELEMENT_TYPE(Enum, spelling, ...) \
  if (!absl::string_view(spelling).empty()) words.Add(spelling, TokenKind::kPrimitiveType);
#include "numerics/elements/element_types.def"
  words.Add("nan", TokenKind::kError);
  return words;
}
constexpr WordTable<TokenKind, 512> kReservedWords = MakeReservedWords();

// The length of the longest of them by its first byte: most names are longer.
constexpr std::array<uint8_t, 256> MakeLongestReserved() {
  std::array<uint8_t, 256> longest = {};
  const auto add = [&](absl::string_view word) {
    if (word.empty()) return;
    uint8_t& length = longest[static_cast<uint8_t>(word[0])];
    length = std::max(length, static_cast<uint8_t>(word.size()));
  };
#define HLO_TOKEN(Enum, description)
#define HLO_PUNCTUATION(Enum, spelling)
#define HLO_KEYWORD(Enum, spelling) add(spelling);
#include "core/lex/token_kinds.def"
#define HLO_ELEMENT_TYPE(Enum, spelling, ...) add(spelling);
#include "numerics/elements/element_types.def"
  add("nan");
  return longest;
}
constexpr std::array<uint8_t, 256> kLongestReserved = MakeLongestReserved();

// Tokens of one byte whatever follows, by that byte; kError: others.
constexpr std::array<TokenKind, 256> MakeSingleBytes() {
  std::array<TokenKind, 256> kinds = {};
  for (TokenKind& kind : kinds) kind = TokenKind::kError;
  kinds[','] = TokenKind::kComma;
  kinds[':'] = TokenKind::kColon;
  kinds['*'] = TokenKind::kStar;
  kinds['#'] = TokenKind::kHash;
  kinds['+'] = TokenKind::kPlus;
  kinds['~'] = TokenKind::kTilde;
  kinds['['] = TokenKind::kLeftBracket;
  kinds[']'] = TokenKind::kRightBracket;
  kinds['('] = TokenKind::kLeftParen;
  kinds[')'] = TokenKind::kRightParen;
  return kinds;
}
constexpr std::array<TokenKind, 256> kSingleBytes = MakeSingleBytes();

// What the first byte of a token says about it; see PlainToken.
enum class FirstByte : uint8_t { kOther, kPunctuation, kBraceOrEquals, kDigit, kLetter, kPercent };
constexpr std::array<FirstByte, 256> MakeFirstBytes() {
  std::array<FirstByte, 256> firsts = {};
  for (size_t c = 0; c < 256; ++c) {
    if (kSingleBytes[c] != TokenKind::kError) firsts[c] = FirstByte::kPunctuation;
    if ((kCharClasses[c] & kDigit) != 0) firsts[c] = FirstByte::kDigit;
    if ((kCharClasses[c] & kWordStart) != 0) firsts[c] = FirstByte::kLetter;
  }
  firsts['{'] = firsts['}'] = firsts['='] = FirstByte::kBraceOrEquals;
  firsts['%'] = FirstByte::kPercent;
  return firsts;
}
constexpr std::array<FirstByte, 256> kFirstBytes = MakeFirstBytes();

// About how many tokens a text has, rather too many than too few. A table that grows is copied, and one that is too
// large costs memory as well, so large texts are looked at in some places.
size_t EstimatedTokenCount(absl::string_view text) {
  constexpr size_t kWindow = 512, kWindows = 64;
  if (text.size() < 4 * kWindow * kWindows) return text.size() / 3 + 16;
  size_t count = 0;
  for (size_t w = 0; w < kWindows; ++w) {
    const absl::string_view window = text.substr((text.size() - kWindow) / (kWindows - 1) * w, kWindow);
    bool in_word = false;
    for (char c : window) {
      const bool is_word = IsClass(c, kWordByte) || c == '%';
      count += (is_word && !in_word) || (!is_word && !IsClass(c, kSpace)) ? 1 : 0;
      in_word = is_word;
    }
  }
  const double per_byte = static_cast<double>(count) / (kWindow * kWindows);
  return static_cast<size_t>(static_cast<double>(text.size()) * std::min(per_byte * 1.05, 0.5)) + 16;
}

class Lexer {
 public:
  Lexer(absl::string_view text, DiagnosticSink& sink) : text_(text), sink_(sink) { sink.SetSource(CheckStage::kLexer); }

  TokenBuffer Run() {
    tokens_.Reserve(EstimatedTokenCount(text_));
    RunToEnd(0);
    tokens_.Add(TokenKind::kEndOfFile, size(), size());
    return std::move(tokens_);
  }

  TokenBuffer RunLines(absl::Span<const SourceRange> parts, int more) {
    const absl::string_view whole = text_;
    for (const SourceRange& part : parts) {
      tokens_.Reserve(tokens_.size() + (part.end - part.begin) / 3 + 16);
      text_ = whole.substr(0, part.end);
      RunToEnd(part.begin);
      pos_ = part.end;
    }
    text_ = whole;
    for (; more > 0 && SkipSpace(); --more) {
      if (const uint32_t end = PlainToken(text_.data(), size(), pos_)) {
        pos_ = end;
      } else {
        Next();
      }
    }
    tokens_.Add(TokenKind::kEndOfFile, pos_, pos_);
    return std::move(tokens_);
  }

  TokenBuffer RunPart(uint32_t begin, uint32_t end, int more) {
    pos_ = begin;
    while (more >= 0 && SkipSpace()) {
      if (pos_ >= end) --more;
      if (const uint32_t token_end = PlainToken(text_.data(), size(), pos_)) {
        pos_ = token_end;
      } else {
        Next();
      }
    }
    tokens_.Add(TokenKind::kEndOfFile, pos_, pos_);
    return std::move(tokens_);
  }

 private:
  // What follows the text must be a NUL, or the text end with a line.
  void RunToEnd(uint32_t pos) {  // apart from pos_, so that it can stay in a register
    const char* const text = text_.data();
    const uint32_t size = this->size();
    while (true) {
      while (IsClass(text[pos], kSpace)) ++pos;
      if (pos >= size) return;
      if (const uint32_t end = PlainToken(text, size, pos)) {
        pos = end;
        continue;
      }
      pos_ = pos;
      if (!SkipSpace()) return;
      Next();
      pos = pos_;
    }
  }

  uint32_t size() const { return static_cast<uint32_t>(text_.size()); }
  char At(size_t i) const { return ByteAt(text_, i); }

  void Add(TokenKind kind, size_t end) {
    tokens_.Add(kind, pos_, static_cast<uint32_t>(end));
    pos_ = static_cast<uint32_t>(end);
  }

  SourceRange RangeTo(size_t end) const { return {pos_, static_cast<uint32_t>(end)}; }

  template <typename... Args>
  void AddError(DiagnosticKind kind, size_t end, const Args&... args) {
    sink_.Report(kind, RangeTo(end), args...);
    Add(TokenKind::kError, end);
  }

  // Adds the token at `pos` and returns its end if it is one of the kinds that make up most of any text and nothing
  // about it depends on more than the byte after it: punctuation, names, words, short integers. Otherwise 0.
  ABSL_ATTRIBUTE_ALWAYS_INLINE uint32_t PlainToken(const char* text, uint32_t size, uint32_t pos) {
    const auto in_frontend = [&] { return frontend_depth_ > 0 || expect_frontend_; };
    TokenKind kind = TokenKind::kError;
    uint32_t end = pos + 1;
    switch (kFirstBytes[static_cast<uint8_t>(text[pos])]) {
      case FirstByte::kPunctuation:
        kind = kSingleBytes[static_cast<uint8_t>(text[pos])];
        break;
      case FirstByte::kBraceOrEquals:
        if (in_frontend()) return 0;
        kind = text[pos] == '{'   ? TokenKind::kLeftBrace
               : text[pos] == '}' ? TokenKind::kRightBrace
                                  : TokenKind::kEquals;
        break;
      case FirstByte::kDigit:
        while (IsDigit(text[end])) ++end;
        if (end - pos > kSafeDigits || IsClass(text[end], kNumberMark)) return 0;
        kind = TokenKind::kInteger;
        break;
      case FirstByte::kPercent:
        if (end == size || !IsClass(text[end], kWordStart | kDigit)) return 0;
        end = static_cast<uint32_t>(EndOfWord(text + pos + 2, text + size) - text);
        kind = TokenKind::kName;
        break;
      case FirstByte::kLetter: {
        end = static_cast<uint32_t>(EndOfWord(text + pos + 1, text + size) - text);
        const absl::string_view word(text + pos, end - pos);
        const char next = end < size ? text[end] : '\0';
        if (next == ':') {
          kind = TokenKind::kName;
          ++end;
          break;
        }
        if (next == '=') {
          if (in_frontend() || StartsRawText(word)) return 0;
          kind = TokenKind::kAttributeName;
          ++end;
          break;
        }
        if (next == '>' || next == '?') return 0;
        kind = TokenKind::kIdentifier;
        if (word.size() > kLongestReserved[static_cast<uint8_t>(word[0])]) break;
        const TokenKind* const reserved = kReservedWords.Find(word);
        if (reserved == nullptr) break;
        if (*reserved == TokenKind::kError) return 0;
        kind = *reserved;
        break;
      }
      case FirstByte::kOther:
        return 0;
    }
    tokens_.Add(kind, pos, end);
    return end;
  }

  // Attributes whose values are not made of tokens, or not of tokens alone.
  static bool StartsRawText(absl::string_view attribute) {
    return attribute == "frontend_attributes" || attribute == "backend_config";
  }

  // Skips white space and comments; false at the end of the text.
  bool SkipSpace() {
    while (pos_ < text_.size()) {
      const char c = text_[pos_];
      if (c > '/') return true;  // no white space, no comment
      if (IsClass(c, kSpace)) {
        ++pos_;
      } else if (c == '/' && At(pos_ + 1) == '*') {
        const size_t end = text_.find("*/", pos_ + 2);
        if (end == absl::string_view::npos) {
          sink_.Report(DiagnosticKind::kUnclosedComment, SourceRange{pos_, pos_ + 2});
          pos_ = size();
          return false;
        }
        pos_ = static_cast<uint32_t>(end + 2);
      } else if (c == '/' && At(pos_ + 1) == '/') {
        while (pos_ < text_.size() && text_[pos_] != '\n' && text_[pos_] != '\r') ++pos_;
      } else {
        return true;
      }
    }
    return false;
  }

  void Next() {
    const char c = text_[pos_];
    const TokenKind single = kSingleBytes[static_cast<uint8_t>(c)];
    if (single != TokenKind::kError) return Add(single, pos_ + 1);
    if (IsClass(c, kWordStart)) return Word();
    if (IsDigit(c) || c == '-' || c == '?') return Number();
    switch (c) {
      case '%':
        return PercentName();
      case '"':
      case '\'':
        return String(c);
      case '=':
        // Only instructions have a free-standing `=` outside mesh axes: attributes left open end here.
        if (tokens_.size() > 0 && tokens_.kind(static_cast<TokenIndex>(tokens_.size() - 1)) != TokenKind::kString) {
          if (frontend_depth_ > 0 || expect_frontend_) tokens_.set_has_open_frontend_attributes();
          frontend_depth_ = 0;
          expect_frontend_ = false;
        }
        return Add(TokenKind::kEquals, pos_ + 1);
      case '{':
        return LeftBrace();
      case '}':
        if (frontend_depth_ > 0) --frontend_depth_;
        return Add(TokenKind::kRightBrace, pos_ + 1);
      case '<':
        if (At(pos_ + 1) == '=') return Add(TokenKind::kLessEqual, pos_ + 2);
        return BadToken();
      case '.':
        if (At(pos_ + 1) == '.' && At(pos_ + 2) == '.') return Add(TokenKind::kDots, pos_ + 3);
        if (IsDigit(At(pos_ + 1))) return LeadingPoint();
        return BadToken();
      case '/':
        return BadToken();
      default:
        return StrayByte();
    }
  }

  void BadToken() {
    const BadTokenText bad = BadTokenAt(text_, pos_);
    AddError(DiagnosticKind::kBadToken, bad.end, text_.substr(pos_, bad.end - pos_), bad.hint);
  }

  // `.5`: the number is meant.
  void LeadingPoint() {
    const size_t end = MatchDecimal(text_, pos_);
    sink_.Report(DiagnosticKind::kLeadingPoint, RangeTo(end), text_.substr(pos_, end - pos_))
        .Fix("write the 0", SourceRange{pos_, pos_}, "0");
    Add(TokenKind::kDecimal, end);
  }

  // A run of bytes outside the grammar makes one error token.
  void StrayByte() {
    if (TypographicCharacter()) return;
    const StrayBytes stray = StrayBytesAt(text_, pos_);
    Diagnostic& d = sink_.Report(DiagnosticKind::kStrayByte, RangeTo(stray.end), stray.what, stray.hint);
    if (stray.is_removed) d.Fix("remove it", RangeTo(stray.end), "");
    Add(TokenKind::kError, stray.end);
  }

  bool TypographicCharacter() {
    const std::optional<TypographicText> found = TypographicTextAt(text_, pos_);
    if (!found) return false;
    const SourceRange range = RangeTo(found->character_end);
    const bool is_blank = found->plain == " ";
    Diagnostic& d = sink_.Report(
        DiagnosticKind::kTypographicCharacter, range,
        is_blank ? "this special blank" : absl::StrCat("`", text_.substr(pos_, range.end - range.begin), "`"),
        absl::StrCat("`", found->plain, "`"));
    d.Fix(absl::StrCat("write `", found->plain, "`"), range, std::string(found->plain));
    if (!found->closing_quote.empty()) {
      d.fixes[0].edits.push_back({found->closing_quote, std::string(found->plain)});
    }
    if (is_blank) {
      pos_ = range.end;  // a blank separates tokens as it was meant to
    } else {
      Add(TokenKind::kError, found->end);
    }
    return true;
  }

  // docs/text-format.md 1.4
  void Word() {
    const size_t end = WordEnd(pos_ + 1);
    const absl::string_view word = text_.substr(pos_, end - pos_);
    const char next = At(end);
    if (next == ':') return Add(TokenKind::kName, end + 1);
    if (next == '=') {
      const bool is_frontend = word == "frontend_attributes";
      const bool starts_raw = frontend_depth_ == 1 || word == "backend_config";
      Add(TokenKind::kAttributeName, end + 1);
      if (is_frontend) expect_frontend_ = true;
      if (starts_raw) RawBlockIfAny();
      return;
    }
    if (const TokenKind* const reserved = kReservedWords.Find(word)) {
      return *reserved == TokenKind::kError ? Nan(end) : Add(*reserved, end);
    }
    // `bf01_oi01->bf01`: the word ends before the `>` or at a `?`.
    if (next == '>' || next == '?') {
      if (const size_t labels = MatchDimLabels(text_, pos_)) return Add(TokenKind::kDimLabels, labels);
    }
    Add(TokenKind::kIdentifier, end);
  }

  size_t WordEnd(size_t i) const {
    return static_cast<size_t>(EndOfWord(text_.data() + i, text_.data() + text_.size()) - text_.data());
  }

  // A name that starts with a digit (`%1`, as other dialects number values) is not legal, which is said where it is
  // defined: it is a name all the same, so that its uses are understood.
  void PercentName() {
    const size_t end = pos_ + 1;
    if (!IsClass(At(end), kWordStart | kDigit)) {
      Diagnostic& d = sink_.Report(DiagnosticKind::kPercentWithoutName, RangeTo(end));
      size_t word = end;
      while (At(word) == ' ') ++word;
      if (word > end && IsClass(At(word), kWordStart)) {
        d.Fix("remove the blank", SourceRange{pos_ + 1, static_cast<uint32_t>(word)}, "");
      }
      return Add(TokenKind::kError, end);
    }
    Add(TokenKind::kName, WordEnd(end + 1));
  }

  void LeftBrace() {
    if (expect_frontend_) {
      expect_frontend_ = false;
      frontend_depth_ = 1;
    } else if (frontend_depth_ > 0) {
      ++frontend_depth_;
    }
    Add(TokenKind::kLeftBrace, pos_ + 1);
  }

  // After `backend_config=` and after a key inside frontend_attributes={...}.
  void RawBlockIfAny() {
    // One block without end makes every later one suspect, and looking for each end again would take quadratic time.
    if (raw_block_unclosed_ || !SkipSpace() || text_[pos_] != '{') return;
    const auto end = RawBlockEnd(text_, pos_);
    if (!end) {
      raw_block_unclosed_ = true;
      sink_.Report(DiagnosticKind::kUnclosedRawBlock, SourceRange{pos_, pos_ + 1});
      Add(TokenKind::kError, pos_ + 1);
      return;
    }
    Add(TokenKind::kRawBlock, *end);
  }

  void Nan(size_t end) {
    if (At(end) != '(') return Add(TokenKind::kDecimal, end);
    size_t close = end + 1;
    uint64_t payload = 0;
    bool good = At(close) == '0' && At(close + 1) == 'x';
    if (good) {
      close += 2;
      const size_t digits = close;
      while (std::isxdigit(static_cast<uint8_t>(At(close))) != 0) {
        const char c = At(close);
        const uint64_t digit = static_cast<uint64_t>(IsDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
        payload = payload > (uint64_t{1} << 56) ? payload : payload * 16 + digit;
        ++close;
      }
      good = close > digits && At(close) == ')';
    }
    if (good && payload >= 1 && payload < (uint64_t{1} << 52)) return Add(TokenKind::kDecimal, close + 1);
    size_t error_end = end + 1;
    while (error_end < text_.size() && IsClass(text_[error_end], kWordByte)) ++error_end;
    if (At(error_end) == ')') ++error_end;
    AddError(DiagnosticKind::kBadNanPayload, error_end, text_.substr(end, error_end - end));
  }

  // docs/text-format.md 1.6
  void Number() {
    const char c = text_[pos_];
    if (c == '-' && At(pos_ + 1) == '>') return Add(TokenKind::kArrow, pos_ + 2);
    // Fast path: a plain integer ends at a byte that none of the longer patterns continues with.
    const size_t integer = MatchInteger(text_, pos_);
    if (integer != 0) {
      if (!IsClass(At(integer), kNumberMark)) return Integer(integer);
    }
    if (const size_t end = MatchDecimal(text_, pos_)) return Add(TokenKind::kDecimal, end);
    if (c != '-') {
      if (const size_t end = MatchDimLabels(text_, pos_)) return Add(TokenKind::kDimLabels, end);
      if (const size_t end = MatchDxD(text_, pos_)) return Add(TokenKind::kDxD, end);
    }
    if (const size_t end = MatchPad(text_, pos_)) return Add(TokenKind::kPad, end);
    if (integer != 0) return Integer(integer);
    if (c == '-' && NegativeWord()) return;
    if (c == '-' && text_.substr(pos_ + 1, 3) == "inf") return Add(TokenKind::kNegativeInf, pos_ + 4);
    if (c == '-' && text_.substr(pos_ + 1, 3) == "nan") return Nan(pos_ + 4);
    if (c == '?') return Add(TokenKind::kQuestion, pos_ + 1);
    BadToken();
  }

  // `-Infinity`, `-INF`, `-NaN`: the spellings of other languages.
  bool NegativeWord() {
    size_t end = pos_ + 1;
    while (end < text_.size() && IsClass(text_[end], kWordStart)) ++end;
    const absl::string_view spelling = PlainSpellingOfNonFinite(text_.substr(pos_ + 1, end - pos_ - 1));
    if (spelling.empty()) return false;
    const std::string plain = absl::StrCat("-", spelling);
    sink_.Report(DiagnosticKind::kNumberSpelling, RangeTo(end), text_.substr(pos_, end - pos_), plain)
        .Fix(absl::StrCat("write `", plain, "`"), RangeTo(end), plain);
    Add(spelling == "inf" ? TokenKind::kNegativeInf : TokenKind::kError, end);
    return true;
  }

  void Integer(size_t end) {
    if (end - pos_ > kSafeDigits && !DecodeInteger(text_.substr(pos_, end - pos_))) {
      return AddError(DiagnosticKind::kIntegerOutOfRange, end, text_.substr(pos_, end - pos_));
    }
    Add(TokenKind::kInteger, end);
  }

  void String(char quote) {
    // Most strings hold no escape: their end is found at the speed of memory.
    const char* const begin = text_.data() + pos_ + 1;
    const size_t rest = text_.size() - pos_ - 1;
    const char* const close = static_cast<const char*>(std::memchr(begin, quote, rest));
    const size_t plain = close != nullptr ? static_cast<size_t>(close - begin) : rest;
    bool has_escape = std::memchr(begin, '\\', plain) != nullptr;
    size_t end = pos_ + 1 + plain;
    if (has_escape) {
      end = pos_ + 1;
      while (end < text_.size() && text_[end] != quote) {
        if (text_[end] == '\\') {
          ++end;
          if (end < text_.size() && text_[end] == '\n') break;
        }
        ++end;
      }
    }
    const bool is_closed = end < text_.size() && text_[end] == quote;
    const size_t line_end = pos_ + LineLength(text_.substr(pos_, end - pos_));
    if (!is_closed || (line_end < end && OpensAnotherString(text_, line_end, end))) {
      // Assume the string was meant to end with its line, so that the rest of the text is still read.
      Diagnostic& d = sink_.Report(DiagnosticKind::kUnclosedString, RangeTo(line_end),
                                   absl::StrCat("`", absl::string_view(&quote, 1), "`"));
      if (is_closed) {
        const uint32_t at = static_cast<uint32_t>(end);
        d.Related(SourceRange{at, at + 1}, "the next one is here, where another string seems to open");
      } else if (end < text_.size()) {
        const uint32_t at = static_cast<uint32_t>(end);
        d.Related(SourceRange{at - 1, at}, "a backslash at the end of a line; a line break is written `\\n`");
      }
      return Add(TokenKind::kError, line_end);
    }
    size_t bad = 0;
    const absl::string_view token = text_.substr(pos_, end + 1 - pos_);
    if (has_escape && !DecodeString(token, &bad)) {
      const uint32_t at = pos_ + static_cast<uint32_t>(bad);
      sink_.Report(DiagnosticKind::kBadEscape, SourceRange{at, at + 2}, text_.substr(at, 2))
          .Fix("write `\\\\` for a backslash", SourceRange{at, at}, "\\");
      return Add(TokenKind::kError, end + 1);
    }
    Add(TokenKind::kString, end + 1);
  }

  static size_t LineLength(absl::string_view text) { return std::min({text.find('\r'), text.find('\n'), text.size()}); }

  absl::string_view text_;
  DiagnosticSink& sink_;
  TokenBuffer tokens_;
  uint32_t pos_ = 0;
  bool expect_frontend_ = false;  // the next `{` opens frontend attributes
  int frontend_depth_ = 0;        // braces open since then
  bool raw_block_unclosed_ = false;
};

}  // namespace

TokenBuffer Lex(const SourceText& source, DiagnosticSink& sink) { return Lexer(source.text(), sink).Run(); }

TokenBuffer LexPart(const SourceText& source, uint32_t begin, uint32_t end, int more, DiagnosticSink& sink) {
  return Lexer(source.text(), sink).RunPart(begin, end, more);
}

TokenBuffer LexLines(const SourceText& source, absl::Span<const SourceRange> parts, int more, DiagnosticSink& sink) {
  return Lexer(source.text(), sink).RunLines(parts, more);
}

}  // namespace hloscope
