// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/linear_algebra/matrix_blocks.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "Eigen/Core"
#include "evaluator/kernels/interface/parallel_loop.h"

namespace hloscope::evaluator {
namespace {

constexpr int64_t kBlock = 64;
// Right-hand sides that are solved together, by one thread.
constexpr int64_t kTogether = 128;
// At most so many elements of right-hand sides that are rows are copied to columns at a time.
constexpr int64_t kCopiedElements = 1 << 18;
// A multiply-add of Eigen.
constexpr double kNanoseconds = 0.06;

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using View = Eigen::Map<Matrix<T>, Eigen::Unaligned, Eigen::OuterStride<>>;

double Products(int64_t rows, int64_t columns, int64_t inner) {
  return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(inner);
}

// A number that can be divided by, or by whose reciprocal can be multiplied.
template <typename T>
bool IsOrdinary(T value) {
  using Real = numerics::RealPart<T>;
  const Real size = std::abs(value);
  return size >= std::numeric_limits<Real>::min() * 16 && size <= std::numeric_limits<Real>::max() / 16;
}

// The triangular matrix of a system, with its transposition and conjugation.
template <typename T>
struct Triangle {
  const T* data;
  int64_t n;
  bool transpose, conjugate, is_lower, unit_diagonal;

  void Load(int64_t row, int64_t rows, int64_t column, int64_t columns, Matrix<T>& block) const {
    using Stored = Eigen::Map<const Matrix<T>, Eigen::Unaligned, Eigen::OuterStride<>>;
    if (transpose) {
      block = Stored(data + column * n + row, columns, rows, Eigen::OuterStride<>(n)).transpose();
    } else {
      block = Stored(data + row * n + column, rows, columns, Eigen::OuterStride<>(n));
    }
    if (conjugate) block = block.conjugate().eval();
  }
};

// `block` is on the diagonal of the triangle.
template <typename T>
void SolveInPlace(const Triangle<T>& triangle, Matrix<T>& block, Eigen::Block<View<T>> x) {
  // To divide by ones changes nothing, and needs no solvers of its own.
  if (triangle.unit_diagonal) block.diagonal().setOnes();
  triangle.is_lower ? block.template triangularView<Eigen::Lower>().solveInPlace(x)
                    : block.template triangularView<Eigen::Upper>().solveInPlace(x);
}

// Solves for some right-hand sides, the columns of x.
template <typename T>
void Substitute(const Triangle<T>& triangle, View<T> x, KernelRuntime& runtime) {
  CancellationPoll poll(runtime);
  Matrix<T> block;
  const int64_t n = triangle.n, blocks = (n - 1) / kBlock + 1;
  for (int64_t step = 0; step < blocks; ++step) {
    const int64_t k = (triangle.is_lower ? step : blocks - 1 - step) * kBlock, size = std::min(kBlock, n - k);
    triangle.Load(k, size, k, size, block);
    SolveInPlace<T>(triangle, block, x.block(k, 0, size, x.cols()));
    for (int64_t other = step + 1; other < blocks; ++other) {
      const int64_t i = (triangle.is_lower ? other : blocks - 1 - other) * kBlock, rows = std::min(kBlock, n - i);
      triangle.Load(i, rows, k, size, block);
      x.middleRows(i, rows).noalias() -= block * x.middleRows(k, size);
      if (poll.Cancelled(kNanoseconds * Products(rows, x.cols() + 16, size))) return;
    }
  }
}

// The lower triangle in place; the upper one is not touched. False if a pivot has no root to divide by.
template <typename T>
bool FactorLowerInBlocks(T* l, int64_t n, KernelRuntime& runtime) {
  View<T> matrix(l, n, n, Eigen::OuterStride<>(n));
  CancellationPoll poll(runtime);
  for (int64_t k = 0; k < n; k += kBlock) {
    const int64_t size = std::min(kBlock, n - k), rest = n - k - size;
    Matrix<T> pivot = matrix.block(k, k, size, size);
    if (!numerics::FactorLower(pivot.data(), size, poll)) return false;
    for (int64_t i = 0; i < size; ++i) {
      if (!IsOrdinary(pivot(i, i))) return false;
    }
    matrix.block(k, k, size, size).template triangularView<Eigen::Lower>() = pivot;
    if (rest == 0) break;
    const int64_t blocks = (rest - 1) / kBlock + 1;
    absl::Status status =
        ParallelLoop(runtime, blocks, kNanoseconds * Products(kBlock, kBlock, size), [&](int64_t begin, int64_t end) {
          const int64_t first = k + size + begin * kBlock, last = std::min(n, k + size + end * kBlock);
          auto panel = matrix.block(first, k, last - first, size);
          pivot.template triangularView<Eigen::Lower>().adjoint().template solveInPlace<Eigen::OnTheRight>(panel);
        });
    if (!status.ok()) return true;
    const double nanoseconds = kNanoseconds * Products(kBlock, rest / 2 + kBlock, size);
    status = ParallelLoop(runtime, blocks, nanoseconds, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const int64_t row = k + size + b * kBlock, rows = std::min(kBlock, n - row), columns = row + rows - k - size;
        matrix.block(row, k + size, rows, columns).noalias() -=
            matrix.block(row, k, rows, size) * matrix.block(k + size, k, columns, size).adjoint();
      }
    });
    if (!status.ok()) return true;
  }
  return true;
}

}  // namespace

template <typename T>
bool FactorMatrixInBlocks(const T* a, T* result, int64_t n, bool lower, KernelRuntime& runtime) {
  const Eigen::Map<const Matrix<T>> from(a, n, n);
  Eigen::Map<Matrix<T>> to(result, n, n);
  // The upper triangle of a Hermitian matrix is the conjugate transpose of its lower one, and U = L^H.
  const auto copy = [&](const auto& place) {
    return ParallelLoop(runtime, (n - 1) / kBlock + 1, 2 * Products(n, kBlock, 1), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin * kBlock; row < std::min(n, end * kBlock); row += kBlock) {
        place(row, std::min(kBlock, n - row));
      }
    });
  };
  absl::Status status = copy([&](int64_t row, int64_t rows) {
    if (lower) {
      to.middleRows(row, rows) = from.middleRows(row, rows);
    } else {
      to.middleRows(row, rows) = from.middleCols(row, rows).adjoint();
    }
  });
  if (!status.ok()) return true;
  if (!FactorLowerInBlocks(result, n, runtime)) return false;
  // Clears the other triangle, or makes U of L.
  copy([&](int64_t row, int64_t rows) {
    for (int64_t i = row; i < row + rows; ++i) {
      if (!lower) result[i * n + i] = numerics::Conjugate(result[i * n + i]);
      for (int64_t j = i + 1; j < n; ++j) {
        result[i * n + j] = lower ? T() : numerics::Conjugate(result[j * n + i]);
        if (!lower) result[j * n + i] = T();
      }
    }
  }).IgnoreError();  // whoever started it asks
  return true;
}

template <typename T>
bool SolveMatrixInBlocks(const T* a, T* x, int64_t n, int64_t rows, int64_t columns,
                         const numerics::TriangularSolveOptions& options, KernelRuntime& runtime) {
  for (int64_t i = 0; i < n && !options.unit_diagonal; ++i) {
    if (!IsOrdinary(a[i * n + i])) return false;
  }
  // x op(A) = b is op(A)^T x^T = b^T.
  const bool transpose = options.transpose == options.left_side;
  const Triangle<T> triangle = {a, n, transpose, options.conjugate, options.lower != transpose, options.unit_diagonal};
  const int64_t sides = options.left_side ? columns : rows;
  const int64_t together = options.left_side ? kTogether : std::clamp<int64_t>(kCopiedElements / n, 1, kTogether);
  const double nanoseconds = kNanoseconds * Products(n, n, std::min(together, sides) + 16) / 2;
  ParallelLoop(runtime, (sides - 1) / together + 1, nanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin * together; first < std::min(sides, end * together); first += together) {
      const int64_t count = std::min(together, sides - first);
      if (options.left_side) {
        Substitute<T>(triangle, View<T>(x + first, n, count, Eigen::OuterStride<>(columns)), runtime);
      } else {
        View<T> sides_of_x(x + first * columns, count, n, Eigen::OuterStride<>(columns));
        Matrix<T> copy = sides_of_x.transpose();
        Substitute<T>(triangle, View<T>(copy.data(), n, count, Eigen::OuterStride<>(count)), runtime);
        sides_of_x = copy.transpose();
      }
    }
  }).IgnoreError();  // whoever started it asks
  return true;
}

#define HLOSCOPE_FOR_MATRIX_TYPE(T)                                                   \
  template bool FactorMatrixInBlocks<T>(const T*, T*, int64_t, bool, KernelRuntime&); \
  template bool SolveMatrixInBlocks<T>(const T*, T*, int64_t, int64_t, int64_t,       \
                                       const numerics::TriangularSolveOptions&, KernelRuntime&);
HLOSCOPE_FOR_MATRIX_TYPE(float)
HLOSCOPE_FOR_MATRIX_TYPE(double)
HLOSCOPE_FOR_MATRIX_TYPE(std::complex<float>)
HLOSCOPE_FOR_MATRIX_TYPE(std::complex<double>)
#undef HLOSCOPE_FOR_MATRIX_TYPE

}  // namespace hloscope::evaluator
