// SPDX-License-Identifier: Apache-2.0
// Tokens of MLIR text, one at a time (docs/stablehlo.md 1).
#ifndef HLOSCOPE_STABLEHLO_LEXER_H_
#define HLOSCOPE_STABLEHLO_LEXER_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "core/diagnostics/diagnostic.h"
#include "core/source/source_range.h"

namespace hloscope::stablehlo {

enum class TokenKind : uint8_t {
  kEnd,
  kWord,       // stablehlo.add, func.func, f32, array
  kValue,      // %0, %arg0; a following #1 or :2 is a token of its own
  kBlock,      // ^bb0
  kSymbol,     // @main, @"any string"
  kHash,       // #loc12, #stablehlo.gather
  kBang,       // !stablehlo.token
  kInteger,    // 12, 0xFF
  kFloat,      // 1.0e-3
  kString,     // "..."
  kArrow,      // ->
  kOpenFile,   // {-#
  kCloseFile,  // #-}
  kEllipsis,   // ...
  kLeftParen,
  kRightParen,
  kLeftBrace,
  kRightBrace,
  kLeftBracket,
  kRightBracket,
  kLess,
  kGreater,
  kComma,
  kColon,
  kEquals,
  kMinus,
  kQuestion,
  kStar,
  kPlus,
  kSlash,
  kBar,
  kBad,  // was reported
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  uint32_t begin = 0, end = 0;
  SourceRange range() const { return {begin, end}; }
};

// Reads tokens on demand: nothing is stored, so that texts of any size cost no memory, and the payload of a constant is
// skipped without looking at it.
class Lexer {
 public:
  // `text` must outlive the lexer. Lexical errors are reported to `sink`.
  Lexer(absl::string_view text, DiagnosticSink* sink) : text_(text), sink_(sink) {}

  absl::string_view text() const { return text_; }
  absl::string_view Slice(SourceRange range) const { return text_.substr(range.begin, range.size()); }
  // Reads the token at or after `position`.
  Token ReadFrom(uint32_t position);
  // The first byte at or after `position` that is neither blank nor comment.
  uint32_t SkipBlanks(uint32_t position) const;
  // The byte after the string that starts at `position`; the end of its line if it is not closed.
  uint32_t EndOfString(uint32_t position, bool* closed = nullptr) const;
  // The byte after the bracket that closes the one at `position` ('<', '(', '[' or '{'), skipping strings, `->` and
  // nested brackets; the end of the text if it is never closed. Where many are not, each of which would be looked for
  // to the end, the end of its line.
  uint32_t EndOfBracket(uint32_t position) const;

 private:
  uint32_t FindEndOfBracket(uint32_t position) const;
  Token Make(TokenKind kind, uint32_t begin, uint32_t end) const { return {kind, begin, end}; }
  Token ReadPrefixed(uint32_t begin);
  Token ReadNumber(uint32_t begin);
  Token ReadString(uint32_t begin);
  Token ReadPunctuation(uint32_t begin);

  absl::string_view text_;
  DiagnosticSink* sink_;
  mutable uint64_t bracket_bytes_ = 0;  // that EndOfBracket went over
};

// Letters, digits, '_', '$' and '.'.
bool IsWordByte(char c);
// As IsWordByte, and '-'.
bool IsSuffixByte(char c);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_LEXER_H_
