// SPDX-License-Identifier: Apache-2.0
// Algorithms on batches of matrices: the last two dimensions are the matrix, the others the batch. Types are FLOAT or
// COMPLEX; f32 and narrower are computed in f32.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_MATRIX_ALGORITHMS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_MATRIX_ALGORITHMS_H_

#include "absl/status/statusor.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"
#include "numerics/linear_algebra/matrix_functions.h"

namespace hloscope::evaluator {

// docs/ops/tensor.md 6.2: L with L*L^H = a, or U with U^H*U = a, from one triangle of `a`; zeros in the other one. A
// matrix without such a factor becomes NaN. Errors: Cancelled, ResourceExhausted.
absl::StatusOr<Tensor> Cholesky(const Tensor& a, bool lower, KernelRuntime& runtime);

// docs/ops/tensor.md 6.3: x, by substitution. A zero on the diagonal gives infinities and NaN. Errors: as above.
absl::StatusOr<Tensor> TriangularSolve(const Tensor& a, const Tensor& b,
                                       const numerics::TriangularSolveOptions& options, KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_MATRIX_ALGORITHMS_H_
