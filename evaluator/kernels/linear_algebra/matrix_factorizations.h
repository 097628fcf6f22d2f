// SPDX-License-Identifier: Apache-2.0
// Factorisations in the conventions of LAPACK, on row-major matrices.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_MATRIX_FACTORIZATIONS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_MATRIX_FACTORIZATIONS_H_

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/linear_algebra/matrix_batch.h"

namespace hloscope::evaluator {

// LU with partial pivoting in place: L below the diagonal (its own is 1), U above. pivots[i], 0-based: the row
// exchanged with row i. Returns 0, or i + 1 for the first zero pivot i.
template <typename T>
int32_t FactorLu(T* a, int64_t rows, int64_t columns, int32_t* pivots) {
  int32_t info = 0;
  for (int64_t k = 0; k < std::min(rows, columns); ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < rows; ++i) {
      if (std::abs(a[i * columns + k]) > std::abs(a[pivot * columns + k])) pivot = i;
    }
    pivots[k] = static_cast<int32_t>(pivot);
    if (pivot != k) std::swap_ranges(a + k * columns, a + (k + 1) * columns, a + pivot * columns);
    const T divisor = a[k * columns + k];
    if (divisor == T()) {
      if (info == 0) info = static_cast<int32_t>(k + 1);
      continue;
    }
    for (int64_t i = k + 1; i < rows; ++i) {
      const T factor = a[i * columns + k] /= divisor;
      for (int64_t j = k + 1; j < columns; ++j) a[i * columns + j] -= factor * a[k * columns + j];
    }
  }
  return info;
}

// Householder QR in place: R on and above the diagonal, the reflectors v_i (v_i[i] = 1) below it;
// H_i = I - tau_i v_i v_i^H.
template <typename T>
void FactorQr(T* a, int64_t rows, int64_t columns, T* taus) {
  using Real = numerics::RealPart<T>;
  for (int64_t k = 0; k < std::min(rows, columns); ++k) {
    const T alpha = a[k * columns + k];
    Real below = 0;
    for (int64_t i = k + 1; i < rows; ++i) below += std::norm(a[i * columns + k]);
    if (below == 0 && std::imag(alpha) == 0) {
      taus[k] = T();
      continue;
    }
    const Real length = std::sqrt(std::norm(alpha) + below);
    const Real beta = std::real(alpha) >= 0 ? -length : length;
    taus[k] = (T(beta) - alpha) / beta;
    for (int64_t i = k + 1; i < rows; ++i) a[i * columns + k] /= alpha - T(beta);
    a[k * columns + k] = beta;
    // The other columns: H^H x = x - conj(tau) v (v^H x).
    for (int64_t j = k + 1; j < columns; ++j) {
      T dot = a[k * columns + j];
      for (int64_t i = k + 1; i < rows; ++i) dot += numerics::Conjugate(a[i * columns + k]) * a[i * columns + j];
      const T factor = numerics::Conjugate(taus[k]) * dot;
      a[k * columns + j] -= factor;
      for (int64_t i = k + 1; i < rows; ++i) a[i * columns + j] -= factor * a[i * columns + k];
    }
  }
}

// q = the first `columns` columns of H_0 H_1 ... H_{count-1}, the reflectors packed as FactorQr leaves them.
template <typename T>
void MultiplyReflectors(const T* packed, const T* taus, int64_t rows, int64_t columns, int64_t count, T* q) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) q[i * columns + j] = T(i == j ? 1 : 0);
  }
  for (int64_t k = count; k-- > 0;) {
    for (int64_t j = 0; j < columns; ++j) {
      T dot = q[k * columns + j];
      for (int64_t i = k + 1; i < rows; ++i) dot += numerics::Conjugate(packed[i * columns + k]) * q[i * columns + j];
      const T factor = taus[k] * dot;
      q[k * columns + j] -= factor;
      for (int64_t i = k + 1; i < rows; ++i) q[i * columns + j] -= factor * packed[i * columns + k];
    }
  }
}

struct EigenDecomposition {
  Tensor vectors, values;     // eigenvectors in columns, eigenvalues ascending
  std::vector<int32_t> info;  // by member of the batch: 0, or 1 if the iteration did not converge
};
// Of Hermitian matrices given by one triangle. Computes in f64 or c128. Errors: InvalidArgument if the matrices are not
// square; Cancelled, ResourceExhausted.
absl::StatusOr<EigenDecomposition> SelfAdjointEigen(const Tensor& matrices, bool lower, KernelRuntime& runtime);

struct SingularValueDecomposition {
  Tensor values;               // descending
  Tensor left, right_adjoint;  // U and V^H, thin or full
};
// Computes in f64 or c128. Errors: Cancelled, ResourceExhausted.
absl::StatusOr<SingularValueDecomposition> SingularValues(const Tensor& matrices, bool full, KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_MATRIX_FACTORIZATIONS_H_
