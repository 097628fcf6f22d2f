// SPDX-License-Identifier: Apache-2.0
// Tokens to shapes and layouts (docs/text-format.md 4).
#ifndef HLOSCOPE_CORE_SEMANTICS_SHAPE_READER_H_
#define HLOSCOPE_CORE_SEMANTICS_SHAPE_READER_H_

#include <optional>
#include <vector>

#include "core/ir/shape.h"
#include "core/semantics/token_cursor.h"

namespace hloscope {

// True if a shape can start at the cursor: an element type, `(`, or `b(`.
bool AtShape(const TokenCursor& cursor);

// Reads one shape and stops after it. Nothing after a diagnostic. Uses no recursion.
std::optional<Shape> ReadShape(TokenCursor& cursor);

// Reads a text that is one shape and nothing else: "f32[2,3]{0,1}". Nothing after a diagnostic.
std::optional<Shape> ReadShapeText(const SourceText& source, DiagnosticSink& sink);

// `{shape, shape, ...}`
std::optional<std::vector<Shape>> ReadShapeList(TokenCursor& cursor);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_SHAPE_READER_H_
