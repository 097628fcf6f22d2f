// SPDX-License-Identifier: Apache-2.0
// Sorting with a comparator that is a compiled computation: many comparisons at a time.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_SORTING_LANE_SORT_H_
#define HLOSCOPE_EVALUATOR_KERNELS_SORTING_LANE_SORT_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/scalar_program.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// The comparator of a sort and the arrays it compares, one for each of its parameters in that one's type: contiguous,
// of one shape, lines along the last dimension.
struct LaneComparator {
  const ScalarProgram& program;
  const std::vector<Tensor>& keys;
  std::vector<bool> used;  // by parameter of the program: false if its value does not matter
};

// Sorts lines [first_line, first_line + line_count) of `length` elements each, as MergeSort does. On return
// order[i*length+j] is the position in line first_line + i of the element that comes j-th. All insertions, and all
// merges of one depth, run as lanes of the comparator. Errors: those of the program.
absl::Status LaneSort(const LaneComparator& comparator, int64_t first_line, int64_t line_count, int64_t length,
                      int64_t* order, KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_SORTING_LANE_SORT_H_
