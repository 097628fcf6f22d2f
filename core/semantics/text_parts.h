// SPDX-License-Identifier: Apache-2.0
// Where a part of a value or of a shape is in its text, found in the tokens when a diagnostic needs it: the syntax
// tree does not keep these places.
#ifndef HLOSCOPE_CORE_SEMANTICS_TEXT_PARTS_H_
#define HLOSCOPE_CORE_SEMANTICS_TEXT_PARTS_H_

#include <cstddef>

#include "absl/strings/string_view.h"
#include "core/lex/token_buffer.h"
#include "core/ops/rule_context.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

// Entry `i` of a value that is a list, `{0,1}` or `{[0:2],[1:3]}`, or numbers joined by x, `2x3` or `0_1x2_2`. With a
// `field`, the entry of that field of a value `{size=2x2 stride=1x1}`. Empty if the value has no such entry.
SourceRange ListEntryRange(const SourceText& source, const TokenBuffer& tokens, TokenRange value,
                           absl::string_view field, size_t i);

// The part of a written shape. Of a dimension, the size with its `<=`; of the dimensions, the brackets. Empty if the
// part is not written.
SourceRange ShapePartRange(const TokenBuffer& tokens, TokenRange shape, const ShapePart& part);

// The part of the value of a header attribute. Empty if it is not written, or if the whole attribute is asked for.
SourceRange HeaderPartRange(const TokenBuffer& tokens, TokenRange value, const HeaderPart& part);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_TEXT_PARTS_H_
