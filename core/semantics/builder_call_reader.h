// SPDX-License-Identifier: Apache-2.0
// Calls of the builder interface in texts, `y = BroadcastInDim(x, sizes={2,3}, dims={1})`: they are no HLO, but a fix
// replaces them by the instructions that they stand for (docs/ops/tensor.md 11).
#ifndef HLOSCOPE_CORE_SEMANTICS_BUILDER_CALL_READER_H_
#define HLOSCOPE_CORE_SEMANTICS_BUILDER_CALL_READER_H_

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "core/builder/builder_calls.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/shape.h"
#include "core/lex/token_buffer.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

// Every name that the text defines.
SnippetNames NamesOfText(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree);

struct BuilderCallText {
  const SourceText& source;
  const TokenBuffer& tokens;
  const SyntaxTree& tree;
  const InstructionSyntax& node;  // whose opcode is the name of the call
};

// Reports that the call is no opcode, with the fix that expands it or what is wrong with its arguments. `find_shape`
// gives the shape of what a name means before the call, null if it means nothing. The names of the expansion are taken
// from `names`. Returns the shape of the result; the invalid one if it is not known.
Shape ReportBuilderCall(const BuilderCallText& text, const BuilderCall& call,
                        absl::FunctionRef<const Shape*(absl::string_view name)> find_shape, SnippetNames& names,
                        DiagnosticSink& sink);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_BUILDER_CALL_READER_H_
