// SPDX-License-Identifier: Apache-2.0
// Tokens to literals (docs/text-format.md 5).
#ifndef HLOSCOPE_CORE_SEMANTICS_LITERAL_READER_H_
#define HLOSCOPE_CORE_SEMANTICS_LITERAL_READER_H_

#include <optional>

#include "core/ir/literal.h"
#include "core/semantics/token_cursor.h"

namespace hloscope {

// The value of `constant(...)`: a literal of the given shape, up to the end of the cursor's range.
std::optional<Literal> ReadLiteral(TokenCursor& cursor, const Shape& shape);

// The value of `literal=`: a literal whose arrays are preceded by their shapes.
std::optional<Literal> ReadLiteralWithShapes(TokenCursor& cursor);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_LITERAL_READER_H_
