// SPDX-License-Identifier: Apache-2.0
// Vectors of f32 and bf16 on processors of CpuLevel::kAvx2 and up, with the names of wide_vectors.h, where what they
// give is described.
#ifndef HLOSCOPE_NUMERICS_ROWS_AVX2_VECTORS_H_
#define HLOSCOPE_NUMERICS_ROWS_AVX2_VECTORS_H_

#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX2_FUNCTION
#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "numerics/elements/numeric.h"

// Before a function of a few instructions that becomes part of such a loop.
#define HLOSCOPE_AVX2_INLINE HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static inline

namespace hloscope::numerics::avx2 {

typedef float Floats __attribute__((vector_size(32)));
typedef uint32_t Words __attribute__((vector_size(32)));
constexpr int64_t kFloats = 8, kBf16s = 16;
// How many lanes of a vector there is something in.
using FloatLanes = int64_t;
using Bf16Lanes = int64_t;
constexpr FloatLanes kAll = kFloats;
constexpr Bf16Lanes kAllBf16s = kBf16s;

HLOSCOPE_AVX2_INLINE Words Bits(Floats x) { return reinterpret_cast<Words>(x); }
HLOSCOPE_AVX2_INLINE Floats FromBits(Words x) { return reinterpret_cast<Floats>(x); }
HLOSCOPE_AVX2_INLINE Floats Everywhere(float x) { return reinterpret_cast<Floats>(_mm256_set1_ps(x)); }
HLOSCOPE_AVX2_INLINE Words Everywhere(uint32_t x) {
  return reinterpret_cast<Words>(_mm256_set1_epi32(static_cast<int>(x)));
}

HLOSCOPE_AVX2_INLINE Floats MultiplyAdd(Floats a, Floats b, Floats c) {
  return reinterpret_cast<Floats>(
      _mm256_fmadd_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
}
HLOSCOPE_AVX2_INLINE Floats SubtractProduct(Floats a, Floats b, Floats c) {
  return reinterpret_cast<Floats>(
      _mm256_fnmadd_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
}

HLOSCOPE_AVX2_INLINE Floats SquareRoot(Floats x) {
  return reinterpret_cast<Floats>(_mm256_sqrt_ps(reinterpret_cast<__m256>(x)));
}
template <int kDirection>
HLOSCOPE_AVX2_INLINE Floats RoundToIntegers(Floats x) {
  return reinterpret_cast<Floats>(_mm256_round_ps(reinterpret_cast<__m256>(x), kDirection | _MM_FROUND_NO_EXC));
}

HLOSCOPE_AVX2_INLINE Floats IfBelow(Floats a, Floats b, Floats x, Floats y) {
  const __m256 is_below = _mm256_cmp_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), _CMP_LT_OQ);
  return reinterpret_cast<Floats>(_mm256_blendv_ps(reinterpret_cast<__m256>(y), reinterpret_cast<__m256>(x), is_below));
}

HLOSCOPE_AVX2_INLINE Words Larger(Words a, Words b) {
  return reinterpret_cast<Words>(_mm256_max_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}
HLOSCOPE_AVX2_INLINE bool AnyAbove(Words a, Words b) {
  const __m256i x = reinterpret_cast<__m256i>(a);
  const __m256i is_not_above = _mm256_cmpeq_epi32(_mm256_min_epu32(x, reinterpret_cast<__m256i>(b)), x);
  return _mm256_movemask_epi8(is_not_above) != -1;
}

struct Pair {
  Floats even, odd;
};

HLOSCOPE_AVX2_INLINE Pair Widen(Words x) { return {FromBits(x << 16), FromBits(x & Everywhere(0xffff0000u))}; }

// The upper halves of the elements are those of FloatToBf16 (numerics/elements/numeric.h), but for NaN.
HLOSCOPE_AVX2_INLINE Words RoundUpperHalves(Floats x) { return Bits(x) + ((Bits(x) >> 16 & 1u) + 0x7fffu); }

// `rounded`, what RoundUpperHalves makes of `x`, with those of FloatToBf16 for NaN as well.
HLOSCOPE_AVX2_INLINE Words QuietNans(Floats x, Words rounded) {
  const Words nan = (Bits(x) & 0x80000000u) | 0x7fc00000u;
  const __m256 is_nan = _mm256_cmp_ps(reinterpret_cast<__m256>(x), reinterpret_cast<__m256>(x), _CMP_UNORD_Q);
  return reinterpret_cast<Words>(
      _mm256_blendv_ps(reinterpret_cast<__m256>(rounded), reinterpret_cast<__m256>(nan), is_nan));
}

HLOSCOPE_AVX2_INLINE Words Narrow(Pair x) {
  Words even = RoundUpperHalves(x.even), odd = RoundUpperHalves(x.odd);
  const __m256 is_nan = _mm256_cmp_ps(reinterpret_cast<__m256>(x.even), reinterpret_cast<__m256>(x.odd), _CMP_UNORD_Q);
  if (__builtin_expect(_mm256_movemask_ps(is_nan) != 0, 0)) {
    even = QuietNans(x.even, even);
    odd = QuietNans(x.odd, odd);
  }
  return reinterpret_cast<Words>(
      _mm256_blend_epi16(reinterpret_cast<__m256i>(even >> 16), reinterpret_cast<__m256i>(odd), 0xaa));
}

// e^(x - k ln 2) of an integer k next to x / ln 2, as in ExpSingle (elements/float_exp.h).
HLOSCOPE_AVX2_INLINE Floats ExpOfRest(Floats x, Floats k) {
  const Floats high = SubtractProduct(k, Everywhere(0.693359375f), x);
  const Floats low = k * Everywhere(-2.12194440e-4f);
  const Floats r = high - low, r2 = r * r;
  const Floats p4 = Everywhere(1.9875691500e-4f) * r + Everywhere(1.3981999507e-3f);
  const Floats p2 = Everywhere(8.3334519073e-3f) * r + Everywhere(4.1665795894e-2f);
  const Floats p0 = Everywhere(1.6666665459e-1f) * r + Everywhere(5.0000001201e-1f);
  const Floats p = (p4 * r2 + p2) * r2 + p0;
  return Everywhere(1.0f) + (high + (p * r2 - low));
}

// ExpSingle: 2^k, for what that has of k in integers, in two factors.
HLOSCOPE_AVX2_INLINE Floats Exp(Floats x) {
  const Floats rounder = Everywhere(0x1.8p23f + 254);
  const __m256 is_not_zero = _mm256_cmp_ps(reinterpret_cast<__m256>(x), _mm256_set1_ps(-104.0f), _CMP_NLT_UQ);
  const Floats limited =
      reinterpret_cast<Floats>(_mm256_min_ps(reinterpret_cast<__m256>(x * Everywhere(1.44269504088896341f) + rounder),
                                             reinterpret_cast<__m256>(rounder + Everywhere(130.0f))));
  const Floats power = ExpOfRest(x, limited - rounder);
  const Words half = Bits(limited) >> 1;
  const Floats scaled = power * FromBits(half << 23) * FromBits((Bits(limited) - half) << 23);
  return reinterpret_cast<Floats>(_mm256_and_ps(reinterpret_cast<__m256>(scaled), is_not_zero));
}

// Exp of each of some vectors: four at once, of numbers far from where e^x is subnormal or infinite, take two thirds of
// the time, as there is nothing to limit and 2^k is one factor.
constexpr int kTogether = 4;
HLOSCOPE_AVX2_INLINE void ExpOfEach(Floats (&x)[kTogether]) {
  const __m256i no_sign = _mm256_set1_epi32(0x7fffffff);
  __m256i largest = _mm256_and_si256(reinterpret_cast<__m256i>(x[0]), no_sign);  // as integers: NaN is larger than all
#pragma GCC unroll 4
  for (int n = 1; n < kTogether; ++n) {
    largest = _mm256_max_epi32(_mm256_and_si256(reinterpret_cast<__m256i>(x[n]), no_sign), largest);
  }
  const __m256i is_large = _mm256_cmpgt_epi32(largest, _mm256_set1_epi32(std::bit_cast<int32_t>(87.0f)));
  if (__builtin_expect(_mm256_movemask_epi8(is_large) != 0, 0)) {
#pragma GCC unroll 4
    for (int n = 0; n < kTogether; ++n) x[n] = Exp(x[n]);
    return;
  }
  const Floats rounder = Everywhere(0x1.8p23f);
#pragma GCC unroll 4
  for (int n = 0; n < kTogether; ++n) {
    const Floats rounded = x[n] * Everywhere(1.44269504088896341f) + rounder, k = rounded - rounder;
    x[n] = FromBits(Bits(ExpOfRest(x[n], k)) + (Bits(rounded) << 23));
  }
}

// 2^(j/16).
alignas(32) inline constexpr float kPowers[] = {0x1p+0f,        0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
                                                0x1.306fep+0f,  0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
                                                0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
                                                0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};

HLOSCOPE_AVX2_INLINE Floats ExpForBf16(Floats x) {
  constexpr float kRounder = 0x1.8p23f;
  // Beyond these limits the result is 0 or infinite. NaN stays NaN: the second operand is taken then.
  __m256 limited = _mm256_max_ps(_mm256_set1_ps(-110.0f), reinterpret_cast<__m256>(x));
  limited = _mm256_min_ps(_mm256_set1_ps(130.0f), limited);
  const Floats rounded =
      MultiplyAdd(reinterpret_cast<Floats>(limited), Everywhere(16 * 1.44269504088896341f), Everywhere(kRounder));
  const Floats sixteenths = rounded - Everywhere(kRounder), one = Everywhere(1.0f);
  const Floats r =
      SubtractProduct(sixteenths, Everywhere(0.693147180559945309f / 16), reinterpret_cast<Floats>(limited));
  const Floats p = MultiplyAdd(MultiplyAdd(MultiplyAdd(r, Everywhere(1.0f / 6), Everywhere(0.5f)), r, one), r, one);
  const __m256i j = reinterpret_cast<__m256i>(rounded);
  const __m256 low = _mm256_permutevar8x32_ps(_mm256_load_ps(kPowers), j);
  const __m256 high = _mm256_permutevar8x32_ps(_mm256_load_ps(kPowers + kFloats), j);
  const __m256 power = _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(j, 28)));
  // By 2^k in two factors, each with the bias of an exponent: k goes beyond those of f32, and only the last product
  // rounds.
  const __m256i k = _mm256_srai_epi32(_mm256_sub_epi32(j, _mm256_set1_epi32(std::bit_cast<int32_t>(kRounder))), 4);
  const __m256i half = _mm256_srai_epi32(k, 1), bias = _mm256_set1_epi32(127);
  const __m256i first = _mm256_slli_epi32(_mm256_add_epi32(half, bias), 23);
  const __m256i second = _mm256_slli_epi32(_mm256_add_epi32(_mm256_sub_epi32(k, half), bias), 23);
  return reinterpret_cast<Floats>(power) * p * reinterpret_cast<Floats>(first) * reinterpret_cast<Floats>(second);
}

// --- Memory ---

HLOSCOPE_AVX2_INLINE FloatLanes SomeFloats(int64_t count) { return count; }
HLOSCOPE_AVX2_INLINE Bf16Lanes SomeBf16s(int64_t count) { return count; }

HLOSCOPE_AVX2_INLINE __m256i MaskOf(FloatLanes lanes) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(lanes)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
HLOSCOPE_AVX2_INLINE Floats LoadFloats(const float* x, FloatLanes lanes) {
  return reinterpret_cast<Floats>(lanes == kAll ? _mm256_loadu_ps(x) : _mm256_maskload_ps(x, MaskOf(lanes)));
}
HLOSCOPE_AVX2_INLINE void StoreFloats(float* to, FloatLanes lanes, Floats x) {
  if (lanes == kAll) return _mm256_storeu_ps(to, reinterpret_cast<__m256>(x));
  _mm256_maskstore_ps(to, MaskOf(lanes), reinterpret_cast<__m256>(x));
}
HLOSCOPE_AVX2_INLINE Words LoadBf16s(const uint16_t* x, Bf16Lanes lanes) {
  uint16_t some[kBf16s] = {};
  if (lanes < kAllBf16s) {
    std::copy_n(x, lanes, some);
    x = some;
  }
  return reinterpret_cast<Words>(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x)));
}
HLOSCOPE_AVX2_INLINE void StoreBf16s(uint16_t* to, Bf16Lanes lanes, Pair x) {
  const __m256i narrow = reinterpret_cast<__m256i>(Narrow(x));
  if (lanes == kAllBf16s) return _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), narrow);
  uint16_t all[kBf16s];
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(all), narrow);
  std::copy_n(all, lanes, to);
}

#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX2_FUNCTION
#define HLOSCOPE_VECTOR_INLINE HLOSCOPE_AVX2_INLINE
#include "numerics/rows/vector_rows.def"

}  // namespace hloscope::numerics::avx2
#endif

#endif  // HLOSCOPE_NUMERICS_ROWS_AVX2_VECTORS_H_
