// SPDX-License-Identifier: Apache-2.0
// Tokens to syntax tree (docs/text-format.md 2, 3, 6.1, 6.2), with local recovery.
#ifndef HLOSCOPE_CORE_SYNTAX_SYNTAX_PARSER_H_
#define HLOSCOPE_CORE_SYNTAX_SYNTAX_PARSER_H_

#include <optional>

#include "absl/functional/function_ref.h"
#include "core/diagnostics/diagnostic.h"
#include "core/lex/token_buffer.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

// Deepest nesting of inline computations, nested operands, shapes and literals (docs/text-format.md 8.5).
inline constexpr int kMaxNesting = 8192;

// Never fails: a broken instruction yields one diagnostic and a node marked `broken`; reading goes on at the next
// statement. Uses no recursion, so the depth of the text does not matter to the stack.
SyntaxTree ParseSyntax(const SourceText& source, const TokenBuffer& tokens, DiagnosticSink& sink);

// The same for a part of a text that holds whole computations and no header.
SyntaxTree ParseComputations(const SourceText& source, const TokenBuffer& tokens, DiagnosticSink& sink);

// Reads statements of one body, from the first token on, until one ends where `is_end` says so of the offset of the
// next token (asked before the first statement, too). `tokens` may be a part of the text (LexPart). Nothing if no such
// place is met before the body or the tokens end; `tokens_ended` tells which. The tree has instructions only.
std::optional<SyntaxTree> ParseStatements(const SourceText& source, const TokenBuffer& tokens,
                                          absl::FunctionRef<bool(uint32_t offset)> is_end, DiagnosticSink& sink,
                                          bool* tokens_ended);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SYNTAX_SYNTAX_PARSER_H_
