// SPDX-License-Identifier: Apache-2.0
// Blocks of elements narrower than their evaluation domain (docs/ops/elementwise.md 1.7): floats below f32 are
// widened before a computation and rounded after it, integers below a byte are wrapped after it. Agrees with
// EncodeFloat and DecodeFloat (numerics/elements/float_conversion.h) for every input, but is fast.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_NARROW_LANES_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_NARROW_LANES_H_

#include "core/ir/element_type.h"
#include "evaluator/kernels/lanes/lane_function.h"

namespace hloscope::evaluator {

// From stored elements of a float type to float or double; null if `type` is the domain already. `domain` is f32 or f64
// and at least as wide as `type`.
LaneConversion WidenLanes(ElementType type, ElementType domain);

// From float or double to stored elements, rounded as `convert` rounds (1.3, 9.1): f64 goes to f16 and bf16 through f32
// (decision A4), to other types directly. Null if `type` is the domain already.
LaneConversion NarrowLanes(ElementType domain, ElementType type);

// Wraps integers below a byte, stored in int8_t or uint8_t, to their width; clears the bits above a float of 4 or 6
// bits. Null for all other types.
LaneConversion CanonicalizeLanes(ElementType type);

// From stored floats to the int64_t whose order is the total order of 6.3.
LaneConversion TotalOrderLanes(ElementType type);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_NARROW_LANES_H_
