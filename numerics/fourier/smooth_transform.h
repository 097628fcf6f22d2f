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

// Of `lines` lines whose elements alternate, values[k] = sum over t of values[t] e^(-2 pi i k t / length) of each, in
// `values` or in `scratch`, which has as many elements: returns where. `roots[k]` is e^(-2 pi i k / length), k <
// length.
std::complex<double>* TransformBySmallFactors(const std::vector<int>& factors, const std::complex<double>* roots,
                                              int64_t length, int64_t lines, std::complex<double>* values,
                                              std::complex<double>* scratch);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_FOURIER_SMOOTH_TRANSFORM_H_
