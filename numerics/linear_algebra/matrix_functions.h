// SPDX-License-Identifier: Apache-2.0
// Cholesky factors and triangular systems of single matrices (docs/ops/tensor.md 6).
#ifndef HLOSCOPE_NUMERICS_LINEAR_ALGEBRA_MATRIX_FUNCTIONS_H_
#define HLOSCOPE_NUMERICS_LINEAR_ALGEBRA_MATRIX_FUNCTIONS_H_

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "numerics/elements/complex_functions.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {

struct TriangularSolveOptions {
  bool left_side = false;      // op(A) x = b, else x op(A) = b
  bool lower = false;          // which triangle of `a` is A, before transposing
  bool unit_diagonal = false;  // the diagonal counts as ones
  bool transpose = false;
  bool conjugate = false;
};

template <typename T>
struct RealPartOf {
  using Type = T;
};
template <typename T>
struct RealPartOf<std::complex<T>> {
  using Type = T;
};
template <typename T>
using RealPart = typename RealPartOf<T>::Type;

template <typename T>
T Conjugate(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value;
  } else {
    return std::conj(value);
  }
}

template <typename T>
T NotANumber() {
  constexpr RealPart<T> kNan = std::numeric_limits<RealPart<T>>::quiet_NaN();
  if constexpr (std::is_floating_point_v<T>) {
    return kNan;
  } else {
    return T(kNan, kNan);
  }
}

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
      for (int64_t k = 0; k < j; ++k) sum -= complex_functions::Product(row_i[k], Conjugate(row_j[k]));
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
      for (int64_t c = 0; c < columns; ++c)
        row[c * column_stride] -= complex_functions::Product(factor, solved[c * column_stride]);
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

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_LINEAR_ALGEBRA_MATRIX_FUNCTIONS_H_
