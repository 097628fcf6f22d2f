// SPDX-License-Identifier: Apache-2.0
// Four complex numbers side by side, for loops that are written by hand for processors of CpuLevel::kAvx512.
#ifndef HLOSCOPE_NUMERICS_FOURIER_COMPLEX_VECTORS_H_
#define HLOSCOPE_NUMERICS_FOURIER_COMPLEX_VECTORS_H_

#include <complex>
#include <cstdint>

#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {

constexpr int64_t kComplexLanes = 4;

}  // namespace hloscope::numerics

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>

#define HLOSCOPE_COMPLEX_VECTORS HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline

namespace hloscope::numerics {

// Real parts at even places, imaginary ones at odd places.
typedef double FourComplex __attribute__((vector_size(64)));

HLOSCOPE_COMPLEX_VECTORS FourComplex LoadFour(const std::complex<double>* from) {
  return reinterpret_cast<FourComplex>(_mm512_loadu_pd(from));
}
HLOSCOPE_COMPLEX_VECTORS void StoreFour(std::complex<double>* to, FourComplex z) {
  _mm512_storeu_pd(to, reinterpret_cast<__m512d>(z));
}

HLOSCOPE_COMPLEX_VECTORS FourComplex Swapped(FourComplex z) {
  return __builtin_shufflevector(z, z, 1, 0, 3, 2, 5, 4, 7, 6);
}
HLOSCOPE_COMPLEX_VECTORS FourComplex Conjugate(FourComplex z) { return z * FourComplex{1, -1, 1, -1, 1, -1, 1, -1}; }
// -i z, a quarter turn clockwise.
HLOSCOPE_COMPLEX_VECTORS FourComplex Turned(FourComplex z) { return Conjugate(Swapped(z)); }

// One number, as a factor of four.
struct ComplexFactor {
  FourComplex real, imaginary;  // imaginary: with a minus at even places

  HLOSCOPE_COMPLEX_VECTORS ComplexFactor Of(const std::complex<double>& z) {
    const double* const parts = reinterpret_cast<const double*>(&z);
    return {reinterpret_cast<FourComplex>(_mm512_set1_pd(parts[0])),
            reinterpret_cast<FourComplex>(_mm512_set1_pd(parts[1])) * FourComplex{-1, 1, -1, 1, -1, 1, -1, 1}};
  }
};
// Rounded as PlainProduct (numerics/elements/complex_product.h) of each number.
HLOSCOPE_COMPLEX_VECTORS FourComplex PlainProduct(FourComplex z, const ComplexFactor& w) {
  return z * w.real + Swapped(z) * w.imaginary;
}

}  // namespace hloscope::numerics

#undef HLOSCOPE_COMPLEX_VECTORS
#endif

#endif  // HLOSCOPE_NUMERICS_FOURIER_COMPLEX_VECTORS_H_
