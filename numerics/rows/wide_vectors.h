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
constexpr __mmask16 kAll = 0xffff;

HLOSCOPE_WIDE Words Bits(Floats x) { return reinterpret_cast<Words>(x); }
HLOSCOPE_WIDE Floats FromBits(Words x) { return reinterpret_cast<Floats>(x); }
HLOSCOPE_WIDE Floats Everywhere(float x) { return reinterpret_cast<Floats>(_mm512_set1_ps(x)); }
HLOSCOPE_WIDE Words Everywhere(uint32_t x) { return reinterpret_cast<Words>(_mm512_set1_epi32(static_cast<int>(x))); }

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

// --- Loops: whole vectors, and one that is partly filled ---

template <typename Function>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void EachVector(int64_t count, Function function) {
  int64_t i = 0;
  for (; i + kFloats <= count; i += kFloats) function(i, kAll);
  if (i < count) function(i, static_cast<__mmask16>((1u << (count - i)) - 1));
}

HLOSCOPE_WIDE Floats LoadFloats(const float* x, __mmask16 lanes) {
  return reinterpret_cast<Floats>(_mm512_maskz_loadu_ps(lanes, x));
}

template <typename Function>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void EachBf16Vector(int64_t count, Function function) {
  int64_t i = 0;
  for (; i + kBf16s <= count; i += kBf16s) function(i, ~__mmask32{0});
  if (i < count) function(i, static_cast<__mmask32>((uint32_t{1} << (count - i)) - 1));
}

HLOSCOPE_WIDE Words LoadBf16s(const uint16_t* x, __mmask32 lanes) {
  return reinterpret_cast<Words>(_mm512_maskz_loadu_epi16(lanes, x));
}
HLOSCOPE_WIDE void StoreBf16s(uint16_t* to, __mmask32 lanes, Pair x) {
  _mm512_mask_storeu_epi16(to, lanes, reinterpret_cast<__m512i>(Narrow(x)));
}

// --- Functions of vectors ---

struct AddVectors {
  HLOSCOPE_WIDE Floats Of(Floats a, Floats b) { return a + b; }
};
struct SubtractVectors {
  HLOSCOPE_WIDE Floats Of(Floats a, Floats b) { return a - b; }
};
struct MultiplyVectors {
  HLOSCOPE_WIDE Floats Of(Floats a, Floats b) { return a * b; }
};
struct DivideVectors {
  HLOSCOPE_WIDE Floats Of(Floats a, Floats b) { return a / b; }
};
struct ExponentialOfDifference {
  HLOSCOPE_WIDE Floats Of(Floats a, Floats b) { return Exp(a - b); }
};
// Of bf16, as which the difference is rounded. No sum of these is a NaN whose lower half carries into the upper one.
struct ExponentialOfBf16Difference {
  HLOSCOPE_WIDE Floats Of(Floats a, Floats b) {
    return ExpForBf16(FromBits(RoundUpperHalves(a - b) & Everywhere(0xffff0000u)));
  }
};

// --- Rows with one number each: many of them are too short for a call of its own ---

template <typename Function>
HLOSCOPE_AVX512_FUNCTION void RowsOf(const uint16_t* x, const uint16_t* of_rows, uint16_t* out, int64_t rows,
                                     int64_t columns) {
  for (int64_t r = 0; r < rows; ++r, x += columns, out += columns) {
    const Floats y = Everywhere(Bf16ToFloat(of_rows[r]));
    EachBf16Vector(columns, [&](int64_t i, __mmask32 lanes) HLOSCOPE_AVX512_FUNCTION {
      const Pair wide = Widen(LoadBf16s(x + i, lanes));
      StoreBf16s(out + i, lanes, {Function::Of(wide.even, y), Function::Of(wide.odd, y)});
    });
  }
}

template <typename Function>
HLOSCOPE_AVX512_FUNCTION void RowsOf(const float* x, const float* of_rows, float* out, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r, x += columns, out += columns) {
    const Floats y = Everywhere(of_rows[r]);
    EachVector(columns, [&](int64_t i, __mmask16 lanes) HLOSCOPE_AVX512_FUNCTION {
      _mm512_mask_storeu_ps(out + i, lanes, Function::Of(LoadFloats(x + i, lanes), y));
    });
  }
}

}  // namespace hloscope::numerics::wide
#endif

#endif  // HLOSCOPE_NUMERICS_ROWS_WIDE_VECTORS_H_
