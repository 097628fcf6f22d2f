// SPDX-License-Identifier: Apache-2.0
// Looking for infinities and NaNs.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_ALL_FINITE_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_ALL_FINITE_H_

#include <cstdint>

#include "numerics/elements/element_type.h"
#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// True if none of `count` neighbouring elements of bf16, f32, f64, c64 or c128, or no part of one, is infinite or NaN;
// true for other types. A run that is cancelled may get either answer.
bool AllFinite(ElementType type, const uint8_t* elements, int64_t count, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_ALL_FINITE_H_
