// SPDX-License-Identifier: Apache-2.0
// Text to tokens (docs/text-format.md 1).
#ifndef HLOSCOPE_CORE_LEX_LEXER_H_
#define HLOSCOPE_CORE_LEX_LEXER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/diagnostics/diagnostic.h"
#include "core/lex/token_buffer.h"
#include "core/source/source_text.h"

namespace hloscope {

// Never fails: bytes that make no token become error tokens, and the diagnostic is reported. Linear in the text.
TokenBuffer Lex(const SourceText& source, DiagnosticSink& sink);

// Tokens of a part of the text: from `begin`, which must be where an instruction starts, or after a body's opening
// brace, to the first one that begins at `end` or later, and `more` beyond that; then kEndOfFile. They are those of Lex
// if no frontend attributes are left open before `begin`.
TokenBuffer LexPart(const SourceText& source, uint32_t begin, uint32_t end, int more, DiagnosticSink& sink);

// Tokens of several parts of the text, one after the other, as if nothing were between them: each part begins and ends
// where a line does, and what it leaves open ends with it. After the last part follow `more` tokens of the text after
// it, then kEndOfFile.
TokenBuffer LexLines(const SourceText& source, absl::Span<const SourceRange> parts, int more, DiagnosticSink& sink);

// The name a Name or AttributeName token holds: without `%`, `:` or `=`.
absl::string_view TokenName(TokenKind kind, absl::string_view text);

// Decodes a String token, quotes included (docs/text-format.md 1.8). Nothing if an escape is invalid; `bad_escape`, if
// given, is then set to the escape's offset within the token.
std::optional<std::string> DecodeString(absl::string_view token, size_t* bad_escape = nullptr);

// Value of an Integer token; values above 2^63-1 keep their bit pattern. Nothing beyond 64 bits (1.7).
std::optional<int64_t> DecodeInteger(absl::string_view token);

// "inf" or "nan" for how other languages spell them (`Infinity`, `INF`, `NaN`), else an empty view.
absl::string_view PlainSpellingOfNonFinite(absl::string_view word);

// Offset after the brace block that starts at text[begin] == '{' (1.9), or nothing if it is not closed.
std::optional<size_t> RawBlockEnd(absl::string_view text, size_t begin);
// Braces of a block, which begins with one, that its text leaves open.
int64_t OpenBraces(absl::string_view block);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_LEX_LEXER_H_
