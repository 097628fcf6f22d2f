// SPDX-License-Identifier: Apache-2.0
// Cholesky factors and triangular systems of large matrices, block by block with Eigen's products and solvers.
//
// Measured beside the plain loops of matrix_functions.h, f32 n x n with n right-hand sides, two threads, milliseconds
// on a busy machine; the results differ by some units of the last place:
//   n                    64     128     512    1000
//   Cholesky, plain    0.03    0.24    33.9     271
//   Cholesky, blocks   0.03    0.09     2.5      25
//   systems, plain     0.06    0.46    55.7     412
//   systems, blocks    0.01    0.07     4.5      56
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_MATRIX_BLOCKS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_MATRIX_BLOCKS_H_

#include <cstdint>

#include "evaluator/kernels/interface/kernel.h"
#include "numerics/linear_algebra/matrix_functions.h"

namespace hloscope::evaluator {

// Below, the plain loops are as fast, and their results are those of compiled programs to the last bit.
constexpr int64_t kLeastBlockedSize = 48;

// As FactorMatrix of matrix_functions.h. False if the matrix is not one of the ordinary ones, for which every pivot has
// a positive root: then the result is to be computed by FactorMatrix. Stops early if the run was cancelled.
template <typename T>
bool FactorMatrixInBlocks(const T* a, T* result, int64_t n, bool lower, KernelRuntime& runtime);

// As SolveMatrix. False, with x as it was, if a number on the diagonal is zero, subnormal or not finite. Stops early if
// the run was cancelled.
template <typename T>
bool SolveMatrixInBlocks(const T* a, T* x, int64_t n, int64_t rows, int64_t columns,
                         const numerics::TriangularSolveOptions& options, KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_MATRIX_BLOCKS_H_
