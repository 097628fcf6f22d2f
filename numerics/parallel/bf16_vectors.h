// SPDX-License-Identifier: Apache-2.0
// Rounding vectors of f32 to bf16 on processors of CpuLevel::kAvx512, for loops that are written by hand.
#ifndef HLOSCOPE_NUMERICS_PARALLEL_BF16_VECTORS_H_
#define HLOSCOPE_NUMERICS_PARALLEL_BF16_VECTORS_H_

#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>

#include <cstdint>

namespace hloscope::numerics {

typedef float FloatVector __attribute__((vector_size(64)));
typedef uint32_t WordVector __attribute__((vector_size(64)));

// The upper halves of the elements are those of FloatToBf16 (numerics/elements/numeric.h), but for NaN.
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline WordVector RoundUpperHalves(FloatVector x) {
  const __mmask16 is_odd = _mm512_test_epi32_mask(reinterpret_cast<__m512i>(x), _mm512_set1_epi32(0x10000));
  const __m512i half = _mm512_mask_mov_epi32(_mm512_set1_epi32(0x7fff), is_odd, _mm512_set1_epi32(0x8000));
  return reinterpret_cast<WordVector>(x) + reinterpret_cast<WordVector>(half);
}

// `rounded`, what RoundUpperHalves makes of `x`, with those of FloatToBf16 for NaN as well.
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline WordVector QuietNans(FloatVector x, WordVector rounded) {
  const WordVector nan = (reinterpret_cast<WordVector>(x) & 0x80000000u) | 0x7fc00000u;
  const __mmask16 is_nan = _mm512_cmp_ps_mask(reinterpret_cast<__m512>(x), reinterpret_cast<__m512>(x), _CMP_UNORD_Q);
  return reinterpret_cast<WordVector>(
      _mm512_mask_mov_epi32(reinterpret_cast<__m512i>(rounded), is_nan, reinterpret_cast<__m512i>(nan)));
}

}  // namespace hloscope::numerics
#endif

#endif  // HLOSCOPE_NUMERICS_PARALLEL_BF16_VECTORS_H_
