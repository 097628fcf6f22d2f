// SPDX-License-Identifier: Apache-2.0
// Factors, triangular systems and Fourier transforms: the evaluator's algorithms. Arrays are dense.
#ifndef HLO_LINEAR_ALGEBRA_H_
#define HLO_LINEAR_ALGEBRA_H_

#include <complex>
#include <cstdint>
#include <vector>

#include "hlo_runtime.h"
#include "numerics/fourier/line_transforms.h"

namespace hlo {

// T: float, double and their complex numbers.
template <typename T>
void Cholesky(const T* a, T* result, int64_t batch, int64_t n, bool lower);
// `x` holds the right-hand sides, [rows, columns] each.
template <typename T>
void SolveTriangular(const T* a, T* x, int64_t batch, int64_t n, int64_t rows, int64_t columns, bool left_side,
                     bool lower, bool unit_diagonal, bool transpose, bool conjugate);

// Along one axis, from [outer, n, inner] to [outer, m, inner], as numerics::LineTransforms::Run, of any length.
template <typename From, typename To>
void TransformAxis(numerics::FourierKind kind, const From* from, To* to, int64_t outer, int64_t length, int64_t inner);
// The array with every dimension cut, or extended with zeros, to its new size.
void ResizeArray(const std::complex<double>* from, const std::vector<int64_t>& sizes, std::complex<double>* to,
                 const std::vector<int64_t>& new_sizes);

}  // namespace hlo

#endif  // HLO_LINEAR_ALGEBRA_H_
