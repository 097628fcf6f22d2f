// Tokens to syntax tree (spec/hlo-text.md 2, 3, 6.1, 6.2), with local recovery.
#ifndef HLOSCOPE_CORE_SYNTAX_SYNTAX_PARSER_H_
#define HLOSCOPE_CORE_SYNTAX_SYNTAX_PARSER_H_

#include "core/diagnostics/diagnostic.h"
#include "core/lex/token_buffer.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

// Deepest nesting of inline computations, nested operands, shapes and literals (spec/hlo-text.md 8.5).
inline constexpr int kMaxNesting = 8192;

// Never fails: a broken instruction yields one finding and a node marked `broken`; reading goes on at the next
// statement. Uses no recursion, so the depth of the text does not matter to the stack.
SyntaxTree ParseSyntax(const SourceText& source, const TokenBuffer& tokens, DiagnosticSink& sink);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SYNTAX_SYNTAX_PARSER_H_
