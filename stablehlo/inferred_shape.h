// SPDX-License-Identifier: Apache-2.0
// The shape of an instruction by the rules of HLO.
#ifndef HLOSCOPE_STABLEHLO_INFERRED_SHAPE_H_
#define HLOSCOPE_STABLEHLO_INFERRED_SHAPE_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "stablehlo/hlo_writer.h"

namespace hloscope::stablehlo {

// What `opcode(operands)attributes` gives. `computations` is the text of those that the attributes name. Nothing if
// that does not follow from the operands, or if something is wrong.
std::optional<Shape> InferHloShape(absl::string_view opcode, absl::Span<const HloRef> operands,
                                   absl::string_view attributes, absl::string_view computations);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_INFERRED_SHAPE_H_
