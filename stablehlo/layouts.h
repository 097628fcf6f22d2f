// SPDX-License-Identifier: Apache-2.0
// Layouts that a program asks for (docs/stablehlo.md 10).
#ifndef HLOSCOPE_STABLEHLO_LAYOUTS_H_
#define HLOSCOPE_STABLEHLO_LAYOUTS_H_

#include <optional>
#include <string>
#include <vector>

#include "stablehlo/program.h"

namespace hloscope::stablehlo {

// Gives each shape its layout from an array of lists of dimensions, minor to major. False if they do not fit.
bool SetLayouts(const Program& program, const AttributeValue& layouts, std::vector<Shape>& shapes);

// The shape of a result as `xla_shape` writes it, with its layout; nullopt if that is no such shape.
std::optional<Shape> ShapeOfXlaShape(const AttributeValue& written, const Shape& shape);

// ", entry_computation_layout={(...)->...}" for a function whose arguments or results ask for layouts; else empty.
// `result` is the shape of what it returns. What cannot be used is reported to `sink`.
std::string EntryLayoutText(const Program& program, const Function& entry, const Shape& result, DiagnosticSink& sink);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_LAYOUTS_H_
