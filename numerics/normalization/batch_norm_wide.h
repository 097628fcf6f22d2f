// SPDX-License-Identifier: Apache-2.0
// The loops of batch normalization over rows of bf16, by hand: compilers widen, round and keep sums slowly.
#ifndef HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_WIDE_H_
#define HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_WIDE_H_

#include "numerics/elements/numeric.h"
#include "numerics/normalization/batch_norm_lanes.h"

namespace hloscope::numerics {

// For processors of CpuLevel::kAvx2 and up; null on others.
const BatchNormRows<Bf16>* WideBatchNormRows();

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_WIDE_H_
