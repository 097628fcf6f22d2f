// SPDX-License-Identifier: Apache-2.0
// Folding rows of floats element by element, compiled for several instruction sets.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_VECTOR_FOLDS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_VECTOR_FOLDS_H_

#include <cstdint>

#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {

// accumulators[l] = op(... op(op(accumulators[l], rows[0][l]), rows[1][l]) ..., rows[row_count - 1][l]) for all lanes.
using FoldFloatRows = void (*)(const float* const* rows, int64_t row_count, int64_t lanes, float* accumulators);

FoldFloatRows FloatRowFold(numerics::elementwise::Add);
FoldFloatRows FloatRowFold(numerics::elementwise::Maximum);
FoldFloatRows FloatRowFold(numerics::elementwise::Minimum);

// op(... op(x[0], x[1]) ..., x[count - 1]), in an order of its own: for operations that do not mind, and for which an
// element counts once however often it is met. Requires count >= kMinFoldedRun.
constexpr int64_t kMinFoldedRun = 16;
float FoldFloatRun(numerics::elementwise::Maximum, const float* x, int64_t count);
float FoldFloatRun(numerics::elementwise::Minimum, const float* x, int64_t count);
float FoldFloatRun(numerics::elementwise::Maximum, const numerics::Bf16* x, int64_t count);
float FoldFloatRun(numerics::elementwise::Minimum, const numerics::Bf16* x, int64_t count);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_VECTOR_FOLDS_H_
