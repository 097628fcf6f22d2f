// SPDX-License-Identifier: Apache-2.0
// Walking several strided arrays of one shape in lockstep: the only place that turns dimensions and strides into loops.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_INDEXING_STRIDED_ITERATION_H_
#define HLOSCOPE_EVALUATOR_KERNELS_INDEXING_STRIDED_ITERATION_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// N arrays of one shape. Dimensions are in row-major order of the original index space, but dimensions of size 1 are
// gone and neighbours are merged where all N arrays allow it, so dense arrays of any rank become one long dimension.
// Strides are in elements of each array; 0 repeats, negative reverses.
template <size_t N>
struct StridedPlan {
  DimensionVector dimensions;              // at least one; a scalar has the dimension 1
  std::array<DimensionVector, N> strides;  // by array, then by dimension

  int64_t element_count() const {
    int64_t count = 1;
    for (int64_t size : dimensions) count *= size;
    return count;
  }
  int64_t row_size() const { return dimensions.back(); }
  int64_t row_stride(size_t array) const { return strides[array].back(); }
};

// Builds the plan for arrays of `dimensions`. Every strides span has the rank of `dimensions`.
template <size_t N>
StridedPlan<N> CollapseDimensions(absl::Span<const int64_t> dimensions,
                                  const std::array<absl::Span<const int64_t>, N>& strides) {
  StridedPlan<N> plan;
  for (size_t d = 0; d < dimensions.size(); ++d) {
    if (dimensions[d] == 1) continue;
    bool merges = !plan.dimensions.empty();
    for (size_t k = 0; merges && k < N; ++k) {
      // A multiplication that wraps cannot equal a stride inside a buffer that exists.
      int64_t expected;
      merges = !__builtin_mul_overflow(strides[k][d], dimensions[d], &expected) && plan.strides[k].back() == expected;
    }
    if (merges) {
      plan.dimensions.back() *= dimensions[d];
      for (size_t k = 0; k < N; ++k) plan.strides[k].back() = strides[k][d];
    } else {
      plan.dimensions.push_back(dimensions[d]);
      for (size_t k = 0; k < N; ++k) plan.strides[k].push_back(strides[k][d]);
    }
  }
  if (plan.dimensions.empty()) {
    plan.dimensions.push_back(1);
    for (size_t k = 0; k < N; ++k) plan.strides[k].push_back(0);
  }
  return plan;
}

// Calls `body(offsets, count)` for the elements [begin, end) of the row-major index space, one call for each row of the
// last dimension (the first and last row may be partial). `offsets[k]` is the offset in elements of the first element
// of the row in array k; the others follow at plan.row_stride(k).
template <size_t N, typename Body>
void ForEachRow(const StridedPlan<N>& plan, int64_t begin, int64_t end, Body&& body) {
  if (begin >= end) return;
  const size_t rank = plan.dimensions.size();
  const int64_t row_size = plan.row_size();
  DimensionVector index(rank, 0);
  std::array<int64_t, N> offsets{};
  int64_t remaining = begin;
  for (size_t d = rank; d-- > 0;) {
    index[d] = remaining % plan.dimensions[d];
    remaining /= plan.dimensions[d];
    for (size_t k = 0; k < N; ++k) offsets[k] += index[d] * plan.strides[k][d];
  }
  for (int64_t done = begin;;) {
    const int64_t count = std::min(row_size - index[rank - 1], end - done);
    body(static_cast<const std::array<int64_t, N>&>(offsets), count);
    done += count;
    if (done >= end) return;
    // The row is used up: back to its start, then on to the next row.
    for (size_t k = 0; k < N; ++k) offsets[k] -= index[rank - 1] * plan.strides[k][rank - 1];
    index[rank - 1] = 0;
    for (size_t d = rank - 1; d-- > 0;) {
      for (size_t k = 0; k < N; ++k) offsets[k] += plan.strides[k][d];
      if (++index[d] < plan.dimensions[d]) break;
      for (size_t k = 0; k < N; ++k) offsets[k] -= index[d] * plan.strides[k][d];
      index[d] = 0;
    }
  }
}

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_INDEXING_STRIDED_ITERATION_H_
