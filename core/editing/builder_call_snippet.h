// SPDX-License-Identifier: Apache-2.0
// Calls of the builder interface as completion writes them.
#ifndef HLOSCOPE_CORE_EDITING_BUILDER_CALL_SNIPPET_H_
#define HLOSCOPE_CORE_EDITING_BUILDER_CALL_SNIPPET_H_

#include <string>

#include "absl/types/span.h"
#include "core/builder/builder_calls.h"
#include "core/editing/snippet_writer.h"

namespace hloscope {

// Whether a value of this shape can be operand number `before.size()` of the call, after those before it.
bool FitsBuilderOperand(const BuilderCall& call, absl::Span<const Shape> before, const Shape& shape);

// `Conv(lhs, kernel, padding=SAME, strides={1,1})` with holes: for each operand its name, and usual values for operands
// of these shapes, which may be invalid.
void WriteBuilderCall(const BuilderCall& call, absl::Span<const std::string> names, absl::Span<const Shape> shapes,
                      SnippetText* out);

// "(lhs, kernel, padding, [feature_group_count])", those that need not be written in brackets.
std::string BuilderSignature(const BuilderCall& call);

// What the call does, its arguments, and an example with the HLO that it becomes, as Markdown.
std::string BuilderCallPage(const BuilderCall& call);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_BUILDER_CALL_SNIPPET_H_
