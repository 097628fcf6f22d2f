// SPDX-License-Identifier: Apache-2.0
// The loops of batch normalization over rows of bf16, by hand: compilers widen, round and keep sums slowly.
#ifndef HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_WIDE_H_
#define HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_WIDE_H_

#include "numerics/elements/numeric.h"
#include "numerics/normalization/batch_norm_lanes.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace hloscope::numerics {

// For processors of CpuLevel::kAvx512.
extern const BatchNormRows<Bf16> kWideBatchNormRows;

}  // namespace hloscope::numerics
#endif

#endif  // HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_WIDE_H_
