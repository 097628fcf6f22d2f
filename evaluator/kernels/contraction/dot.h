// SPDX-License-Identifier: Apache-2.0
// Contractions (docs/ops/tensor.md 5).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_CONTRACTION_DOT_H_
#define HLOSCOPE_EVALUATOR_KERNELS_CONTRACTION_DOT_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// Entries of the two sides are paired by list position.
struct DotDimensionNumbers {
  DimensionVector lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
};
DotDimensionNumbers DotDimensionNumbersOf(const Module& module, InstructionId id);

// 5.1: result sizes [batch, lhs free, rhs free]. Both operands are converted to `result_type` first (D5); sums
// accumulate as 0.2 says and are rounded once; integers wrap. Errors: Cancelled, ResourceExhausted, Unimplemented.
absl::StatusOr<Tensor> Dot(const Tensor& lhs, const Tensor& rhs, const DotDimensionNumbers& numbers,
                           ElementType result_type, KernelRuntime& runtime);
// The same by the plain formula, one product after the other in the order of the contracting lists.
absl::StatusOr<Tensor> DotReference(const Tensor& lhs, const Tensor& rhs, const DotDimensionNumbers& numbers,
                                    ElementType result_type, KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_CONTRACTION_DOT_H_
