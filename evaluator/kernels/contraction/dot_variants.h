// SPDX-License-Identifier: Apache-2.0
// ragged-dot and scaled-dot (docs/ops/tensor.md 5.2, 5.3).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_CONTRACTION_DOT_VARIANTS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_CONTRACTION_DOT_VARIANTS_H_

#include <optional>

#include "absl/status/statusor.h"
#include "evaluator/kernels/contraction/dot.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

struct RaggedDotDimensionNumbers {
  DotDimensionNumbers dot;
  int64_t lhs_ragged = 0;
  std::optional<int64_t> rhs_group;  // only if the ragged dimension is a free one
};

// 5.2: the kind of the ragged dimension decides: one rhs per group of rows, one result per group, or a covered part of
// the batch. Conversion, accumulation and wrap as for Dot. Errors: those of Dot; InvalidArgument for a negative group
// size.
absl::StatusOr<Tensor> RaggedDot(const Tensor& lhs, const Tensor& rhs, const Tensor& group_sizes,
                                 const RaggedDotDimensionNumbers& numbers, ElementType result_type,
                                 KernelRuntime& runtime);

// 5.3: a dot of operands that are scaled blockwise; a rank-0 scale stands for 1. Errors: those of Dot.
absl::StatusOr<Tensor> ScaledDot(const Tensor& lhs, const Tensor& rhs, const Tensor& lhs_scale, const Tensor& rhs_scale,
                                 const DotDimensionNumbers& numbers, ElementType result_type, KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_CONTRACTION_DOT_VARIANTS_H_
