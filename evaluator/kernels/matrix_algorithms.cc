#include "evaluator/kernels/matrix_algorithms.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "evaluator/kernels/element_conversion.h"
#include "evaluator/kernels/matrix_batch.h"
#include "evaluator/kernels/parallel_loop.h"

namespace hloscope {
namespace {

// Factor of the matrix whose lower triangle (or the conjugate of whose upper one) is given, written as its lower
// triangle l[i*n+j], i >= j. Returns false if a pivot has no square root. Stops early if the run was cancelled.
template <typename T>
bool FactorLower(T* l, int64_t n, CancellationPoll& poll) {
  using Real = RealPart<T>;
  for (int64_t j = 0; j < n; ++j) {
    T* const row_j = l + j * n;
    Real pivot = std::real(row_j[j]);
    for (int64_t k = 0; k < j; ++k) pivot -= std::norm(row_j[k]);
    const Real root = std::sqrt(pivot);
    if (std::isnan(root)) return false;
    row_j[j] = root;
    for (int64_t i = j + 1; i < n; ++i) {
      if (poll.Cancelled(static_cast<double>(j + 1))) return true;
      T* const row_i = l + i * n;
      T sum = row_i[j];
      for (int64_t k = 0; k < j; ++k) sum -= row_i[k] * Conjugate(row_j[k]);
      row_i[j] = sum / root;
    }
  }
  return true;
}

template <typename T>
void FactorMatrix(const T* a, T* result, int64_t n, bool lower, CancellationPoll& poll) {
  // The upper triangle of a Hermitian matrix is the conjugate transpose of its lower one, and U = L^H.
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      result[i * n + j] = j > i ? T() : lower ? a[i * n + j] : Conjugate(a[j * n + i]);
    }
  }
  if (!FactorLower(result, n, poll)) {
    std::fill_n(result, n * n, NotANumber<T>());
  } else if (!lower) {
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j <= i; ++j) {
        const T value = Conjugate(result[i * n + j]);
        result[i * n + j] = T();
        result[j * n + i] = value;
      }
    }
  }
}

// Solves M x = b in place for a triangular M given by element access: column by column of M, whole rows of b at a time.
// x is [n, columns] with strides. Stops early if the run was cancelled.
template <typename T, typename Element>
void Substitute(const Element& m, bool forward, bool unit_diagonal, int64_t n, int64_t columns, T* x,
                int64_t row_stride, int64_t column_stride, CancellationPoll& poll) {
  for (int64_t step = 0; step < n; ++step) {
    const int64_t j = forward ? step : n - 1 - step;
    T* const row = x + j * row_stride;
    for (int64_t earlier = 0; earlier < step; ++earlier) {
      if (poll.Cancelled(0.5 * static_cast<double>(columns) + 1)) return;
      const int64_t i = forward ? earlier : n - 1 - earlier;
      const T factor = m(j, i);
      const T* const solved = x + i * row_stride;
      for (int64_t c = 0; c < columns; ++c) row[c * column_stride] -= factor * solved[c * column_stride];
    }
    if (unit_diagonal) continue;
    const T pivot = m(j, j);
    for (int64_t c = 0; c < columns; ++c) row[c * column_stride] /= pivot;
  }
}

template <typename T>
void SolveMatrix(const T* a, T* x, int64_t n, int64_t rows, int64_t columns, const TriangularSolveOptions& options,
                 CancellationPoll& poll) {
  // x op(A) = b is op(A)^T x^T = b^T.
  const bool transpose = options.transpose == options.left_side;
  const bool is_lower = options.lower != transpose;
  const auto element = [&](int64_t i, int64_t j) {
    const T value = transpose ? a[j * n + i] : a[i * n + j];
    return options.conjugate ? Conjugate(value) : value;
  };
  if (options.left_side) {
    Substitute(element, is_lower, options.unit_diagonal, n, columns, x, columns, 1, poll);
  } else {
    Substitute(element, is_lower, options.unit_diagonal, n, rows, x, 1, columns, poll);
  }
}

}  // namespace

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
      for (int64_t b = begin; b < end; ++b)
        FactorMatrix(from + b * batch.size(), to + b * batch.size(), batch.rows, lower, poll);
    });
    if (status.ok()) status = runtime.CheckCancelled();
    if (!status.ok()) return status;
    return ConvertElements(*result, a.element_type(), runtime);
  });
}

absl::StatusOr<Tensor> TriangularSolve(const Tensor& a, const Tensor& b, const TriangularSolveOptions& options,
                                       KernelRuntime& runtime) {
  return VisitMatrixType(a.element_type(), [&](auto zero) -> absl::StatusOr<Tensor> {
    using T = decltype(zero);
    absl::StatusOr<Tensor> matrices = DenseMatrices<T>(a, runtime);
    if (!matrices.ok()) return matrices;
    absl::StatusOr<Tensor> right_hand_side = DenseMatrices<T>(b, runtime);
    if (!right_hand_side.ok()) return right_hand_side;
    absl::StatusOr<Tensor> x = right_hand_side->Copy();
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
          SolveMatrix(from + k * n * n, to + k * batch.size(), n, batch.rows, batch.columns, options, poll);
        }
      });
      if (status.ok()) status = runtime.CheckCancelled();
      if (!status.ok()) return status;
    }
    return ConvertElements(*x, b.element_type(), runtime);
  });
}

}  // namespace hloscope
