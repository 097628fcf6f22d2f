// SPDX-License-Identifier: Apache-2.0
// How far two arrays are apart.
#ifndef HLOSCOPE_EVALUATOR_COMPARE_TENSOR_DIFFERENCE_H_
#define HLOSCOPE_EVALUATOR_COMPARE_TENSOR_DIFFERENCE_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// Two elements agree if they are equal (0 equals -0, NaN equals NaN); if they differ by at most
// absolute + relative * |first| + of_largest * (largest finite magnitude of the first array); or if at most `ulps`
// representable values lie between them. Complex numbers: by the magnitude of their difference; ulps of the worse part.
// Integers and pred count as numbers; their ulps are their difference.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  double of_largest = 0;
  uint64_t ulps = 0;
};

// What reordering sums and fusing operations changes: 1e-12 of an f64, 2e-5 of an f32, more of narrower types, both of
// the element and of the largest one; nothing for integers and pred.
Tolerance UsualTolerance(ElementType type);

struct TensorDifference {
  int64_t count = 0;        // elements compared
  int64_t different = 0;    // not equal
  int64_t beyond = 0;       // beyond the tolerance
  int64_t not_finite = 0;   // of those: NaN or infinite on one side only, or infinities of other signs
  double max_absolute = 0;  // of the pairs of finite elements
  double max_relative = 0;  // |first - second| / |first|, where first is not 0; at most the largest number
  // Of the differences of the pairs of finite elements, equal ones among them.
  double root_mean_square = 0;
  uint64_t max_ulps = 0;
  // Elements by how many representable values they are apart: [0] equal, [1] neighbours, [k] 2^(k-1) to 2^k - 1.
  // Without those that are not finite on one side only. As long as needed; empty if nothing was compared.
  std::vector<int64_t> by_ulps;
  std::vector<int64_t> first_beyond;  // index of the first element beyond the tolerance; empty if there is none
  std::vector<int64_t> worst;  // index of the largest absolute difference; of the first non-finite one if there is one
  bool incomplete = false;     // `cancelled` was set
};

// The number of representable values of a float type from one element to another, 0 from -0 to 0 and between NaNs; the
// largest number if one is NaN or infinite and the other is not the same. The difference for integers and pred.
uint64_t UlpDistance(ElementType type, const uint8_t* a, const uint8_t* b);

// Compares the valid elements (dynamic dimensions at their run-time sizes). Errors: InvalidArgument, with both shapes,
// if element types or sizes differ; ResourceExhausted if a dense copy of a view cannot be had.
absl::StatusOr<TensorDifference> DifferenceOf(const Tensor& first, const Tensor& second, const Tolerance& tolerance,
                                              const std::atomic<bool>* cancelled = nullptr);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_COMPARE_TENSOR_DIFFERENCE_H_
