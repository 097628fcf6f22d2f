// SPDX-License-Identifier: Apache-2.0
// sort and topk (docs/ops/tensor.md 7).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_SORTING_SORT_H_
#define HLOSCOPE_EVALUATOR_KERNELS_SORTING_SORT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

struct Sort {
  std::vector<Tensor> operands;  // of one shape, exactly sized; the comparator may take fewer of them, the first ones
  int64_t dimension = 0;
  ComputationId comparator;
};

// Sorts the lines along the dimension with the algorithm of 7.1; all operands are permuted together. Errors: Cancelled,
// ResourceExhausted, those of the comparator.
absl::StatusOr<std::vector<Tensor>> SortOperands(const Module& module, const Sort& sort, KernelRuntime& runtime);
// The same without a special case for simple comparators.
absl::StatusOr<std::vector<Tensor>> SortByProgram(const Module& module, const Sort& sort, KernelRuntime& runtime);

// The first `k` elements of each last-dimension line in descending (`largest`) or ascending order, and their positions
// (s32); floats in total order, equal elements by position. Errors: Cancelled, ResourceExhausted, InvalidArgument.
absl::StatusOr<std::vector<Tensor>> TopK(const Tensor& operand, int64_t k, bool largest, KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_SORTING_SORT_H_
