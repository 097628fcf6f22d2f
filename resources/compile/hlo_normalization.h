// SPDX-License-Identifier: Apache-2.0
// The batch-norm operations: the evaluator's loops (numerics/normalization). Arrays are dense.
#ifndef HLO_NORMALIZATION_H_
#define HLO_NORMALIZATION_H_

#include <cstdint>

#include "hlo_runtime.h"
#include "numerics/normalization/batch_norm.h"

namespace hlo {

// On features of [outer, features, inner]. T: float, double, numerics::Bf16.
template <typename T>
void NormalizeBatch(numerics::BatchNorm kind, const numerics::FeatureExtent& extent, float epsilon,
                    const T* const* operands, T* const* results);

}  // namespace hlo

#endif  // HLO_NORMALIZATION_H_
