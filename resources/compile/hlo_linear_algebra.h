// SPDX-License-Identifier: Apache-2.0
// Factors, triangular systems and Fourier transforms: the evaluator's algorithms. Arrays are dense.
#ifndef HLO_LINEAR_ALGEBRA_H_
#define HLO_LINEAR_ALGEBRA_H_

#include <complex>
#include <cstdint>
#include <vector>

#include "hlo_runtime.h"

namespace hlo {

// T: float, double and their complex numbers.
template <typename T>
void Cholesky(const T* a, T* result, int64_t batch, int64_t n, bool lower);
// `x` holds the right-hand sides, [rows, columns] each.
template <typename T>
void SolveTriangular(const T* a, T* x, int64_t batch, int64_t n, int64_t rows, int64_t columns, bool left_side,
                     bool lower, bool unit_diagonal, bool transpose, bool conjugate);

// Transforms lines of `length` elements, `stride` apart, of `count` elements in place.
void TransformLines(std::complex<double>* data, int64_t count, int64_t length, int64_t stride, bool inverse);
// The array with every dimension cut, or extended with zeros, to its new size.
void ResizeArray(const std::complex<double>* from, const std::vector<int64_t>& sizes, std::complex<double>* to,
                 const std::vector<int64_t>& new_sizes);
// Completes the half spectrum of real signals that each line begins with, and transforms it back.
void TransformHalfSpectra(std::complex<double>* data, int64_t lines, int64_t length);

}  // namespace hlo

#endif  // HLO_LINEAR_ALGEBRA_H_
