// SPDX-License-Identifier: Apache-2.0
// Conversion between numbers and the bits of every floating-point element type (docs/ops/elementwise.md 1.2, 1.3).
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_FLOAT_CONVERSION_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_FLOAT_CONVERSION_H_

#include <cstdint>

#include "numerics/elements/element_type.h"

namespace hloscope::numerics {

// The bits of `value` rounded once, directly from double, to `type`: nearest, ties to even (f8e8m0fnu: ties up).
// Overflow, NaN and signed zeros become what docs/ops/elementwise.md 1.2 and 1.3 say for the type. The bits above the
// type's width are zero. Requires IsFloat(type).
uint64_t EncodeFloat(ElementType type, double value);

// The number that `bits` stand for; bits above the type's width are ignored. Exact for every type. Requires
// IsFloat(type).
double DecodeFloat(ElementType type, uint64_t bits);

// The code of the largest finite value of `type`. Requires IsFloat(type).
uint64_t LargestFiniteCode(ElementType type);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_FLOAT_CONVERSION_H_
