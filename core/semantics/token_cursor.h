// SPDX-License-Identifier: Apache-2.0
// A reader's position in a run of tokens, with the reports that all readers of values share.
#ifndef HLOSCOPE_CORE_SEMANTICS_TOKEN_CURSOR_H_
#define HLOSCOPE_CORE_SEMANTICS_TOKEN_CURSOR_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/diagnostics/diagnostic.h"
#include "core/lex/lexer.h"
#include "core/lex/token_buffer.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

// Reads tokens [range.begin, range.end). Readers report at most one diagnostic and then return nothing; tokens that the
// lexer has reported already are not reported again. `subject` names what is being read ("dimensions", "a shape") in
// messages.
class TokenCursor {
 public:
  TokenCursor(const SourceText& source, const TokenBuffer& tokens, DiagnosticSink& sink, TokenRange range,
              absl::string_view subject)
      : source_(source),
        tokens_(tokens),
        sink_(sink),
        begin_(range.begin),
        pos_(range.begin),
        end_(range.end),
        subject_(subject) {}

  bool AtEnd() const { return pos_ >= end_; }
  // kEndOfFile at the end of the range.
  TokenKind kind() const { return AtEnd() ? TokenKind::kEndOfFile : tokens_.kind(pos_); }
  TokenKind Peek(uint32_t ahead = 1) const {
    return pos_ + ahead < end_ ? tokens_.kind(pos_ + ahead) : TokenKind::kEndOfFile;
  }
  absl::string_view text() const { return AtEnd() ? absl::string_view() : source_.Slice(tokens_.range(pos_)); }
  // The name in a Name or AttributeName token, else its text.
  absl::string_view name() const { return TokenName(kind(), text()); }
  TokenIndex position() const { return pos_; }
  TokenIndex end() const { return end_; }
  void Advance() { ++pos_; }
  // Range of the current token; at the end, of the last token of the range (where something is missing).
  SourceRange range() const {
    if (!AtEnd() || pos_ == 0) return tokens_.range(pos_);
    return tokens_.range(pos_ - 1);
  }
  SourceRange RangeFrom(TokenIndex first) const {
    return SourceRange{tokens_.begin(first), tokens_.end(pos_ > first ? pos_ - 1 : first)};
  }
  absl::string_view TextFrom(TokenIndex first) const { return source_.Slice(RangeFrom(first)); }

  bool At(TokenKind k) const { return kind() == k; }
  // True at an identifier of exactly this text.
  bool AtWord(absl::string_view word) const { return kind() == TokenKind::kIdentifier && text() == word; }
  bool AtAttribute(absl::string_view word) const { return kind() == TokenKind::kAttributeName && name() == word; }
  bool Eat(TokenKind k) {
    if (!At(k)) return false;
    ++pos_;
    return true;
  }
  bool EatWord(absl::string_view word) {
    if (!AtWord(word)) return false;
    ++pos_;
    return true;
  }
  // False after reporting what is here instead of `k`; brackets of another kind and braces that are missing or too
  // many have diagnostics of their own.
  bool Expect(TokenKind k);
  // Reports "malformed value of `subject`: expected ..., found ..."; always false.
  bool FailExpected(absl::string_view what);
  // Reports `kind` at the current token; always false.
  template <typename... Args>
  bool Fail(DiagnosticKind kind, const Args&... args) {
    if (!At(TokenKind::kError)) sink_.Report(kind, range(), args...);
    return false;
  }
  template <typename... Args>
  Diagnostic& Report(DiagnosticKind kind, SourceRange where, const Args&... args) {
    return sink_.Report(kind, where, args...);
  }
  // Reports that `owner` has no field of the name that is here, with the nearest one or the list of `names`; always
  // false.
  bool FailUnknownField(absl::string_view owner, absl::Span<const absl::string_view> names);
  // Reports that the word here is none of `words`; always false.
  bool FailUnknownWord(absl::string_view owner, absl::Span<const absl::string_view> words);
  // Reports the field `name=value` that is here as given twice; always false.
  bool FailDuplicateField();
  // "`x`" or "the end of the value".
  std::string Found() const;
  // Reports anything left in the range.
  bool ExpectEnd();

  // Reports what follows an item of a list, neither a comma nor `close`; always false.
  bool FailListEnd(TokenKind close);
  // Reports the comma before the current token, which nothing follows; always false.
  bool FailSurplusComma();

  // `open` item, item, ... `close`, possibly empty. `item` reads one item and returns false after a diagnostic. Commas
  // that are missing or too many are reported; one before `close` is accepted if `trailing_comma`.
  template <typename Item>
  bool ReadList(TokenKind open, TokenKind close, bool trailing_comma, Item item) {
    if (!Expect(open)) return false;
    if (Eat(close)) return true;
    while (true) {
      if (!item()) return false;
      if (Eat(close)) return true;
      if (!At(TokenKind::kComma)) return FailListEnd(close);
      Advance();
      if (!At(close)) continue;
      if (!trailing_comma) return FailSurplusComma();
      Advance();
      return true;
    }
  }

  // One Integer token.
  std::optional<int64_t> Int();
  // An Integer token within [low, high].
  std::optional<int64_t> IntIn(int64_t low, int64_t high);
  std::optional<bool> Bool();
  // An Integer or Decimal token, as a finite double.
  std::optional<double> Double();
  // A String token, decoded.
  std::optional<std::string> String();

  const SourceText& source() const { return source_; }
  const TokenBuffer& tokens() const { return tokens_; }
  DiagnosticSink& sink() { return sink_; }
  absl::string_view subject() const { return subject_; }
  void set_subject(absl::string_view subject) { subject_ = subject; }

 private:
  bool FailOpening(TokenKind k);
  bool FailClosing(TokenKind k);
  // At what follows the value on another line; always false.
  bool FailNextLine();
  // Reports "`subject` has no value" if the whole value is missing.
  bool FailIfMissing(absl::string_view expected);
  // Index after the bracket that closes the one at `open`, or after the last token.
  TokenIndex EndOfGroup(TokenIndex open) const;

  const SourceText& source_;
  const TokenBuffer& tokens_;
  DiagnosticSink& sink_;
  TokenIndex begin_;
  TokenIndex pos_;
  TokenIndex end_;
  absl::string_view subject_;
};

// Value of a Decimal or Integer token without NaN forms: correctly rounded; infinite beyond binary64.
double DecodeDecimal(absl::string_view token);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_TOKEN_CURSOR_H_
