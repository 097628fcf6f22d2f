// SPDX-License-Identifier: Apache-2.0
// Integers that operands carry: start indices, sizes, offsets.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_INDEXING_INDEX_VALUES_H_
#define HLOSCOPE_EVALUATOR_KERNELS_INDEXING_INDEX_VALUES_H_

#include <cstdint>
#include <vector>

#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// The integer at `element`. A u64 beyond the range of int64 reads as the largest int64 (decision D8).
int64_t ReadIndex(const uint8_t* element, ElementType type);

// All elements of an integer tensor in row-major order.
std::vector<int64_t> ReadIndices(const Tensor& tensor);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_INDEXING_INDEX_VALUES_H_
