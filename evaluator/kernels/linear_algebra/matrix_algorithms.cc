// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/linear_algebra/matrix_algorithms.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/linear_algebra/matrix_batch.h"
#include "evaluator/kernels/linear_algebra/matrix_blocks.h"

namespace hloscope::evaluator {

absl::StatusOr<Tensor> Cholesky(const Tensor& a, bool lower, KernelRuntime& runtime) {
  return VisitMatrixType(a.element_type(), [&](auto zero) -> absl::StatusOr<Tensor> {
    using T = decltype(zero);
    absl::StatusOr<Tensor> operand = DenseMatrices<T>(a, runtime);
    if (!operand.ok()) return operand;
    absl::StatusOr<Tensor> result = Tensor::Allocate(operand->element_type(), operand->dimensions());
    if (!result.ok() || result->element_count() == 0) return result;
    const MatrixBatch batch = MatrixBatchOf(*operand);
    const T* const from = operand->data_as<T>();
    T* const to = result->mutable_data_as<T>();
    const double n = static_cast<double>(batch.rows);
    absl::Status status = ParallelLoop(runtime, batch.count, n * n * n / 3 + 20, [&](int64_t begin, int64_t end) {
      CancellationPoll poll(runtime);
      for (int64_t b = begin; b < end; ++b) {
        const T* const matrix = from + b * batch.size();
        T* const factor = to + b * batch.size();
        if (batch.rows < kLeastBlockedSize || !FactorMatrixInBlocks(matrix, factor, batch.rows, lower, runtime)) {
          numerics::FactorMatrix(matrix, factor, batch.rows, lower, poll);
        }
      }
    });
    if (status.ok()) status = runtime.CheckCancelled();
    if (!status.ok()) return status;
    return ConvertElements(*result, a.element_type(), runtime);
  });
}

absl::StatusOr<Tensor> TriangularSolve(const Tensor& a, const Tensor& b,
                                       const numerics::TriangularSolveOptions& options, KernelRuntime& runtime) {
  return VisitMatrixType(a.element_type(), [&](auto zero) -> absl::StatusOr<Tensor> {
    using T = decltype(zero);
    absl::StatusOr<Tensor> matrices = DenseMatrices<T>(a, runtime);
    if (!matrices.ok()) return matrices;
    absl::StatusOr<Tensor> right_hand_side = DenseMatrices<T>(b, runtime);
    if (!right_hand_side.ok()) return right_hand_side;
    absl::StatusOr<Tensor> x = CopyOfElements(*right_hand_side, runtime);
    if (!x.ok()) return x;
    const MatrixBatch batch = MatrixBatchOf(*x);
    const int64_t n = a.dimension(a.rank() - 1);
    if (x->element_count() > 0) {
      const T* const from = matrices->data_as<T>();
      T* const to = x->mutable_data_as<T>();
      const double nanoseconds = 0.5 * static_cast<double>(n) * static_cast<double>(batch.size()) + 20;
      absl::Status status = ParallelLoop(runtime, batch.count, nanoseconds, [&](int64_t begin, int64_t end) {
        CancellationPoll poll(runtime);
        for (int64_t k = begin; k < end; ++k) {
          const T* const matrix = from + k * n * n;
          T* const solution = to + k * batch.size();
          if (n < kLeastBlockedSize ||
              !SolveMatrixInBlocks(matrix, solution, n, batch.rows, batch.columns, options, runtime)) {
            numerics::SolveMatrix(matrix, solution, n, batch.rows, batch.columns, options, poll);
          }
        }
      });
      if (status.ok()) status = runtime.CheckCancelled();
      if (!status.ok()) return status;
    }
    return ConvertElements(*x, b.element_type(), runtime);
  });
}

}  // namespace hloscope::evaluator
