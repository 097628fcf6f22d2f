// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of moderate lengths with small prime factors.
#ifndef HLOSCOPE_NUMERICS_FOURIER_SMOOTH_TRANSFORM_H_
#define HLOSCOPE_NUMERICS_FOURIER_SMOOTH_TRANSFORM_H_

#include <complex>
#include <cstdint>
#include <vector>

namespace hloscope::numerics {

// The length as a product of 4, 2, 3 and 5, one pass each. Empty if it has other prime factors, or is 1.
std::vector<int> SmallFactors(int64_t length);

// to values[k] = sum over t of values[t] e^(-2 pi i k t / length). `roots[k]` is e^(-2 pi i k / length), k < length;
// `scratch` has as many elements as `values`.
void TransformBySmallFactors(const std::vector<int>& factors, const std::complex<double>* roots, int64_t length,
                             std::complex<double>* values, std::complex<double>* scratch);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_FOURIER_SMOOTH_TRANSFORM_H_
