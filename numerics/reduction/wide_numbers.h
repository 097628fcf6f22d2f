// SPDX-License-Identifier: Apache-2.0
// Vectors of stored numbers as floats, for loops that are written by hand for processors of CpuLevel::kAvx512.
#ifndef HLOSCOPE_NUMERICS_REDUCTION_WIDE_NUMBERS_H_
#define HLOSCOPE_NUMERICS_REDUCTION_WIDE_NUMBERS_H_

#include "numerics/elements/numeric.h"
#include "numerics/parallel/bf16_vectors.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>

namespace hloscope::numerics {

// Numbers of `mask`; the others are zero.
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline __m512 NumbersAt(const float* x, __mmask16 mask) {
  return _mm512_maskz_loadu_ps(mask, x);
}
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline __m512 NumbersAt(const Bf16* x, __mmask16 mask) {
  const __m512i words = _mm512_maskz_cvtepu16_epi32(mask, _mm256_maskz_loadu_epi16(mask, x));
  return reinterpret_cast<__m512>(reinterpret_cast<WordVector>(words) << 16);
}

}  // namespace hloscope::numerics
#endif

#endif  // HLOSCOPE_NUMERICS_REDUCTION_WIDE_NUMBERS_H_
