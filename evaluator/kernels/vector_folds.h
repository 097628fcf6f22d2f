// Folding rows of floats element by element, compiled for several instruction sets.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_VECTOR_FOLDS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_VECTOR_FOLDS_H_

#include <cstdint>

#include "evaluator/kernels/elementwise_functions.h"

namespace hloscope {

// accumulators[l] = op(... op(op(accumulators[l], rows[0][l]), rows[1][l]) ..., rows[row_count - 1][l]) for all lanes.
using FoldFloatRows = void (*)(const float* const* rows, int64_t row_count, int64_t lanes, float* accumulators);

FoldFloatRows FloatRowFold(elementwise::Add);
FoldFloatRows FloatRowFold(elementwise::Maximum);
FoldFloatRows FloatRowFold(elementwise::Minimum);

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_VECTOR_FOLDS_H_
