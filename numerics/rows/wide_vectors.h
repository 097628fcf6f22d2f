// SPDX-License-Identifier: Apache-2.0
// Vectors of f32 and bf16 on processors of CpuLevel::kAvx512, for loops that are written by hand: loading, widening,
// rounding, exponentials, and loops over rows.
#ifndef HLOSCOPE_NUMERICS_ROWS_WIDE_VECTORS_H_
#define HLOSCOPE_NUMERICS_ROWS_WIDE_VECTORS_H_

#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>

#include <cstdint>

#include "numerics/elements/numeric.h"
#include "numerics/parallel/bf16_vectors.h"

// Before a function of a few instructions that becomes part of such a loop.
#define HLOSCOPE_WIDE HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline

namespace hloscope::numerics::wide {

using Floats = FloatVector;
using Words = WordVector;
constexpr int64_t kFloats = 16, kBf16s = 32;
// Lanes of a vector of f32, and of one of bf16, that there is something in.
using FloatLanes = __mmask16;
using Bf16Lanes = __mmask32;
constexpr FloatLanes kAll = 0xffff;
constexpr Bf16Lanes kAllBf16s = ~Bf16Lanes{0};

HLOSCOPE_WIDE Words Bits(Floats x) { return reinterpret_cast<Words>(x); }
HLOSCOPE_WIDE Floats FromBits(Words x) { return reinterpret_cast<Floats>(x); }
HLOSCOPE_WIDE Floats Everywhere(float x) { return reinterpret_cast<Floats>(_mm512_set1_ps(x)); }
HLOSCOPE_WIDE Words Everywhere(uint32_t x) { return reinterpret_cast<Words>(_mm512_set1_epi32(static_cast<int>(x))); }

// a * b + c and c - a * b, rounded once.
HLOSCOPE_WIDE Floats MultiplyAdd(Floats a, Floats b, Floats c) {
  return reinterpret_cast<Floats>(
      _mm512_fmadd_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
}
HLOSCOPE_WIDE Floats SubtractProduct(Floats a, Floats b, Floats c) {
  return reinterpret_cast<Floats>(
      _mm512_fnmadd_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
}

HLOSCOPE_WIDE Floats SquareRoot(Floats x) {
  return reinterpret_cast<Floats>(_mm512_maskz_sqrt_ps(kAll, reinterpret_cast<__m512>(x)));
}
// In a direction of _MM_FROUND_.
template <int kDirection>
HLOSCOPE_WIDE Floats RoundToIntegers(Floats x) {
  return reinterpret_cast<Floats>(
      _mm512_maskz_roundscale_ps(kAll, reinterpret_cast<__m512>(x), kDirection | _MM_FROUND_NO_EXC));
}

// x where a < b, else y.
HLOSCOPE_WIDE Floats IfBelow(Floats a, Floats b, Floats x, Floats y) {
  const __mmask16 is_below = _mm512_cmp_ps_mask(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), _CMP_LT_OQ);
  return reinterpret_cast<Floats>(
      _mm512_mask_mov_ps(reinterpret_cast<__m512>(y), is_below, reinterpret_cast<__m512>(x)));
}

// The larger of two elements.
HLOSCOPE_WIDE Words Larger(Words a, Words b) {
  return reinterpret_cast<Words>(
      _mm512_maskz_max_epu32(kAll, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}
// Whether any element of `a` is above the one of `b`.
HLOSCOPE_WIDE bool AnyAbove(Words a, Words b) {
  return _mm512_cmpgt_epu32_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)) != 0;
}

// Two vectors of f32: the elements of 32 bf16 at even places, and those at odd ones. They get there without a detour
// through other lanes.
struct Pair {
  Floats even, odd;
};

HLOSCOPE_WIDE Pair Widen(Words x) { return {FromBits(x << 16), FromBits(x & Everywhere(0xffff0000u))}; }

HLOSCOPE_WIDE Words Narrow(Pair x) {
  Words even = RoundUpperHalves(x.even), odd = RoundUpperHalves(x.odd);
  if (__builtin_expect(_mm512_cmp_ps_mask(x.even, x.odd, _CMP_UNORD_Q) != 0, 0)) {
    even = QuietNans(x.even, even);
    odd = QuietNans(x.odd, odd);
  }
  constexpr __mmask32 kOdd = 0xaaaaaaaa;
  return reinterpret_cast<Words>(
      _mm512_mask_mov_epi16(reinterpret_cast<__m512i>(even >> 16), kOdd, reinterpret_cast<__m512i>(odd)));
}

// ExpSingle (elements/float_exp.h): the product with the first part of ln 2 is exact there, so it may as well be fused,
// and a number is scaled in one step that rounds once, as the last of two factors does.
HLOSCOPE_WIDE Floats Exp(Floats x) {
  const Floats rounder = Everywhere(0x1.8p23f), one = Everywhere(1.0f);
  const __mmask16 is_not_zero = _mm512_cmp_ps_mask(x, Everywhere(-104.0f), _CMP_NLT_UQ);
  const Floats rounded = x * Everywhere(1.44269504088896341f) + (rounder + Everywhere(254.0f));
  const Floats most = rounder + Everywhere(254.0f + 130.0f);
  const Floats k = reinterpret_cast<Floats>(_mm512_maskz_min_ps(kAll, rounded, most)) - (rounder + Everywhere(254.0f));
  const Floats high = reinterpret_cast<Floats>(_mm512_fnmadd_ps(k, Everywhere(0.693359375f), x));
  const Floats low = k * Everywhere(-2.12194440e-4f);
  const Floats r = high - low, r2 = r * r;
  const Floats p4 = Everywhere(1.9875691500e-4f) * r + Everywhere(1.3981999507e-3f);
  const Floats p2 = Everywhere(8.3334519073e-3f) * r + Everywhere(4.1665795894e-2f);
  const Floats p0 = Everywhere(1.6666665459e-1f) * r + Everywhere(5.0000001201e-1f);
  const Floats p = (p4 * r2 + p2) * r2 + p0;
  const Floats power = one + (high + (p * r2 - low));
  return reinterpret_cast<Floats>(_mm512_maskz_scalef_ps(is_not_zero, power, k));
}

// Exp of each of some vectors.
constexpr int kTogether = 4;
HLOSCOPE_WIDE void ExpOfEach(Floats (&x)[kTogether]) {
#pragma GCC unroll 4
  for (int n = 0; n < kTogether; ++n) x[n] = Exp(x[n]);
}

// 2^(j/16).
alignas(64) inline constexpr float kPowers[] = {0x1p+0f,        0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
                                                0x1.306fep+0f,  0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
                                                0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
                                                0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};

// e^x of a bf16, exact enough for the bf16 next to it: on all 65,536 of them what ExpSingle gives after rounding
// (wide_loops_test). x = (16 k + j) ln 2 / 16 + r: 2^k 2^(j/16) e^r.
HLOSCOPE_WIDE Floats ExpForBf16(Floats x) {
  const __m512 one = _mm512_set1_ps(1.0f), rounder = _mm512_set1_ps(0x1.8p23f);
  // Beyond these limits the result is 0 or infinite. NaN stays NaN: the second operand is taken then.
  __m512 limited = _mm512_maskz_max_ps(kAll, _mm512_set1_ps(-110.0f), reinterpret_cast<__m512>(x));
  limited = _mm512_maskz_min_ps(kAll, _mm512_set1_ps(130.0f), limited);
  const __m512 rounded = _mm512_fmadd_ps(limited, _mm512_set1_ps(16 * 1.44269504088896341f), rounder);
  const __m512 sixteenths = rounded - rounder;
  const __m512 r = _mm512_fnmadd_ps(sixteenths, _mm512_set1_ps(0.693147180559945309f / 16), limited);
  const __m512 p = _mm512_fmadd_ps(
      _mm512_fmadd_ps(_mm512_fmadd_ps(r, _mm512_set1_ps(1.0f / 6), _mm512_set1_ps(0.5f)), r, one), r, one);
  const __m512 power = _mm512_maskz_permutexvar_ps(kAll, reinterpret_cast<__m512i>(rounded), _mm512_load_ps(kPowers));
  return reinterpret_cast<Floats>(
      _mm512_maskz_scalef_ps(kAll, power * p, sixteenths * _mm512_set1_ps(1.0f / 16)));  // by the floor of it
}

// --- Memory ---

HLOSCOPE_WIDE FloatLanes SomeFloats(int64_t count) { return static_cast<__mmask16>((1u << count) - 1); }
HLOSCOPE_WIDE Bf16Lanes SomeBf16s(int64_t count) { return static_cast<__mmask32>((uint32_t{1} << count) - 1); }

HLOSCOPE_WIDE Floats LoadFloats(const float* x, FloatLanes lanes) {
  return reinterpret_cast<Floats>(_mm512_maskz_loadu_ps(lanes, x));
}
HLOSCOPE_WIDE void StoreFloats(float* to, FloatLanes lanes, Floats x) {
  _mm512_mask_storeu_ps(to, lanes, reinterpret_cast<__m512>(x));
}
HLOSCOPE_WIDE Words LoadBf16s(const uint16_t* x, Bf16Lanes lanes) {
  return reinterpret_cast<Words>(_mm512_maskz_loadu_epi16(lanes, x));
}
HLOSCOPE_WIDE void StoreBf16s(uint16_t* to, Bf16Lanes lanes, Pair x) {
  _mm512_mask_storeu_epi16(to, lanes, reinterpret_cast<__m512i>(Narrow(x)));
}

#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX512_FUNCTION
#define HLOSCOPE_VECTOR_INLINE HLOSCOPE_WIDE
#include "numerics/rows/vector_rows.def"

}  // namespace hloscope::numerics::wide
#endif

#endif  // HLOSCOPE_NUMERICS_ROWS_WIDE_VECTORS_H_
