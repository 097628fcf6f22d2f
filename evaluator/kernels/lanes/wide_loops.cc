// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/wide_loops.h"

#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>

#include <bit>
#include <utility>

#include "numerics/data_movement/run_ahead.h"
#include "numerics/elements/float_exp.h"
#include "numerics/elements/numeric.h"
#include "numerics/parallel/bf16_vectors.h"
#endif

namespace hloscope::evaluator {

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace {

#define HLOSCOPE_WIDE HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline

using Floats = numerics::FloatVector;
using Words = numerics::WordVector;
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
  Words even = numerics::RoundUpperHalves(x.even), odd = numerics::RoundUpperHalves(x.odd);
  if (__builtin_expect(_mm512_cmp_ps_mask(x.even, x.odd, _CMP_UNORD_Q) != 0, 0)) {
    even = numerics::QuietNans(x.even, even);
    odd = numerics::QuietNans(x.odd, odd);
  }
  constexpr __mmask32 kOdd = 0xaaaaaaaa;
  return reinterpret_cast<Words>(
      _mm512_mask_mov_epi16(reinterpret_cast<__m512i>(even >> 16), kOdd, reinterpret_cast<__m512i>(odd)));
}

// ExpSingle (float_exp.h): the product with the first part of ln 2 is exact there, so it may as well be fused, and a
// number is scaled in one step that rounds once, as the last of two factors does.
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
alignas(64) constexpr float kPowers[] = {0x1p+0f,        0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
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

HLOSCOPE_AVX512_FUNCTION void ExpOfFloats(const LaneOperand* operands, uint8_t* result, int64_t count,
                                          const LaneParameters&) {
  const float* const x = reinterpret_cast<const float*>(operands[0].data);
  float* const out = reinterpret_cast<float*>(result);
  EachVector(count, [&](int64_t i, __mmask16 lanes) HLOSCOPE_AVX512_FUNCTION {
    numerics::FetchAhead(x + i, kFloats);
    _mm512_mask_storeu_ps(out + i, lanes, Exp(LoadFloats(x + i, lanes)));
  });
}

HLOSCOPE_AVX512_FUNCTION void ExpOfBf16s(const LaneOperand* operands, uint8_t* result, int64_t count,
                                         const LaneParameters&) {
  const uint16_t* const x = reinterpret_cast<const uint16_t*>(operands[0].data);
  uint16_t* const out = reinterpret_cast<uint16_t*>(result);
  EachBf16Vector(count, [&](int64_t i, __mmask32 lanes) HLOSCOPE_AVX512_FUNCTION {
    const Pair wide = Widen(LoadBf16s(x + i, lanes));
    StoreBf16s(out + i, lanes, {ExpForBf16(wide.even), ExpForBf16(wide.odd)});
  });
}

// --- Division of many numbers by one ---

// Of divisors and dividends in this range neither the quotient nor what an approximation leaves over is subnormal or
// infinite.
constexpr uint32_t kLeastExponent = 127 - 60, kExponents = 120;

bool IsModerate(float x) {
  const uint32_t exponent = (std::bit_cast<uint32_t>(x) >> 23) & 0xff;
  return exponent >= kLeastExponent && exponent < kLeastExponent + kExponents;
}

// One correction makes a quotient that is less than one unit in the last place off; what that leaves over is exact, and
// with a correctly rounded reciprocal the second one rounds as a division does (Markstein).
HLOSCOPE_AVX512_FUNCTION void DivideByOne(const float* x, float divisor, float* out, int64_t count) {
  const Floats d = Everywhere(divisor), reciprocal = Everywhere(1.0f / divisor);
  EachVector(count, [&](int64_t i, __mmask16 lanes) HLOSCOPE_AVX512_FUNCTION {
    const Floats a = LoadFloats(x + i, lanes);
    Floats q = a * reciprocal;
    q = reinterpret_cast<Floats>(_mm512_fmadd_ps(_mm512_fnmadd_ps(q, d, a), reciprocal, q));
    q = reinterpret_cast<Floats>(_mm512_fmadd_ps(_mm512_fnmadd_ps(q, d, a), reciprocal, q));
    const Words above_least = (Bits(a) << 1) - Everywhere(kLeastExponent << 24);
    if (__builtin_expect(AnyAbove(above_least, Everywhere(kExponents << 24)), 0)) q = a / d;
    _mm512_mask_storeu_ps(out + i, lanes, q);
  });
}

// The quotient of two numbers of 8 bits is never half-way between two such numbers, and never so close to there that
// two roundings to 24 bits could lead across, unless it is subnormal.
HLOSCOPE_AVX512_FUNCTION void DivideByOne(const uint16_t* x, float divisor, uint16_t* out, int64_t count) {
  const Floats d = Everywhere(divisor), reciprocal = Everywhere(1.0f / divisor);
  const Words sign = Everywhere(0x80000000u), least = Everywhere(uint32_t{7} << 23);
  EachBf16Vector(count, [&](int64_t i, __mmask32 lanes) HLOSCOPE_AVX512_FUNCTION {
    const Pair a = Widen(LoadBf16s(x + i, lanes));
    Pair q = {a.even * reciprocal, a.odd * reciprocal};
    const Words even = Bits(q.even) & ~sign, odd = Bits(q.odd) & ~sign;
    if (__builtin_expect(AnyAbove(least, even) || AnyAbove(least, odd), 0)) q = {a.even / d, a.odd / d};
    StoreBf16s(out + i, lanes, q);
  });
}

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

template <typename Function>
HLOSCOPE_AVX512_FUNCTION void BinaryBf16s(const LaneOperand* operands, uint8_t* result, int64_t count,
                                          const LaneParameters&) {
  const uint16_t* const a = reinterpret_cast<const uint16_t*>(operands[0].data);
  const uint16_t* const b = reinterpret_cast<const uint16_t*>(operands[1].data);
  uint16_t* const out = reinterpret_cast<uint16_t*>(result);
  if (operands[0].is_uniform) {
    const Floats a0 = Everywhere(numerics::Bf16ToFloat(a[0]));
    EachBf16Vector(count, [&](int64_t i, __mmask32 lanes) HLOSCOPE_AVX512_FUNCTION {
      const Pair y = Widen(LoadBf16s(b + i, lanes));
      StoreBf16s(out + i, lanes, {Function::Of(a0, y.even), Function::Of(a0, y.odd)});
    });
  } else if (operands[1].is_uniform) {
    const Floats b0 = Everywhere(numerics::Bf16ToFloat(b[0]));
    EachBf16Vector(count, [&](int64_t i, __mmask32 lanes) HLOSCOPE_AVX512_FUNCTION {
      const Pair x = Widen(LoadBf16s(a + i, lanes));
      StoreBf16s(out + i, lanes, {Function::Of(x.even, b0), Function::Of(x.odd, b0)});
    });
  } else {
    EachBf16Vector(count, [&](int64_t i, __mmask32 lanes) HLOSCOPE_AVX512_FUNCTION {
      const Pair x = Widen(LoadBf16s(a + i, lanes)), y = Widen(LoadBf16s(b + i, lanes));
      StoreBf16s(out + i, lanes, {Function::Of(x.even, y.even), Function::Of(x.odd, y.odd)});
    });
  }
}

HLOSCOPE_AVX512_FUNCTION void DivideBf16sWide(const LaneOperand* operands, uint8_t* result, int64_t count,
                                              const LaneParameters& parameters) {
  if (operands[1].is_uniform && !operands[0].is_uniform) {
    const float divisor = numerics::Bf16ToFloat(*reinterpret_cast<const uint16_t*>(operands[1].data));
    if (IsModerate(divisor)) {
      return DivideByOne(reinterpret_cast<const uint16_t*>(operands[0].data), divisor,
                         reinterpret_cast<uint16_t*>(result), count);
    }
  }
  BinaryBf16s<DivideVectors>(operands, result, count, parameters);
}

// `function` of two operands of f32, each of which may be one number for all lanes.
template <typename Function>
HLOSCOPE_AVX512_FUNCTION void BinaryFloats(const LaneOperand* operands, uint8_t* result, int64_t count,
                                           const LaneParameters&) {
  const float* const a = reinterpret_cast<const float*>(operands[0].data);
  const float* const b = reinterpret_cast<const float*>(operands[1].data);
  float* const out = reinterpret_cast<float*>(result);
  const bool one_a = operands[0].is_uniform, one_b = operands[1].is_uniform;
  const Floats a0 = Everywhere(one_a ? a[0] : 0.0f), b0 = Everywhere(one_b ? b[0] : 0.0f);
  EachVector(count, [&](int64_t i, __mmask16 lanes) HLOSCOPE_AVX512_FUNCTION {
    const Floats x = one_a ? a0 : LoadFloats(a + i, lanes), y = one_b ? b0 : LoadFloats(b + i, lanes);
    _mm512_mask_storeu_ps(out + i, lanes, Function::Of(x, y));
  });
}

HLOSCOPE_AVX512_FUNCTION void DivideFloatsWide(const LaneOperand* operands, uint8_t* result, int64_t count,
                                               const LaneParameters& parameters) {
  if (operands[1].is_uniform && !operands[0].is_uniform) {
    const float divisor = *reinterpret_cast<const float*>(operands[1].data);
    if (IsModerate(divisor)) {
      return DivideByOne(reinterpret_cast<const float*>(operands[0].data), divisor, reinterpret_cast<float*>(result),
                         count);
    }
  }
  BinaryFloats<DivideVectors>(operands, result, count, parameters);
}

// `Outer` of what `Inner` gives of the first two operands and of the third, in this order unless kIsRight.
template <typename Outer, typename Inner, bool kIsRight>
HLOSCOPE_AVX512_FUNCTION void ComposedFloats(const LaneOperand* operands, uint8_t* result, int64_t count,
                                             const LaneParameters&) {
  const auto data = [&](size_t k) { return reinterpret_cast<const float*>(operands[k].data); };
  const float *const a = data(0), *const b = data(1), *const c = data(2);
  float* const out = reinterpret_cast<float*>(result);
  const bool one_a = operands[0].is_uniform, one_b = operands[1].is_uniform, one_c = operands[2].is_uniform;
  const Floats a0 = Everywhere(one_a ? a[0] : 0.0f), b0 = Everywhere(one_b ? b[0] : 0.0f);
  const Floats c0 = Everywhere(one_c ? c[0] : 0.0f);
  EachVector(count, [&](int64_t i, __mmask16 lanes) HLOSCOPE_AVX512_FUNCTION {
    const Floats x = one_a ? a0 : LoadFloats(a + i, lanes), y = one_b ? b0 : LoadFloats(b + i, lanes);
    const Floats z = one_c ? c0 : LoadFloats(c + i, lanes), inner = Inner::Of(x, y);
    _mm512_mask_storeu_ps(out + i, lanes, kIsRight ? Outer::Of(z, inner) : Outer::Of(inner, z));
  });
}

template <typename Outer, typename Inner>
LaneLoop CompositionOf(bool is_right) {
  return is_right ? &ComposedFloats<Outer, Inner, true> : &ComposedFloats<Outer, Inner, false>;
}

template <typename Outer>
LaneLoop CompositionOf(Opcode inner, bool is_right) {
  return inner == Opcode::kAdd        ? CompositionOf<Outer, AddVectors>(is_right)
         : inner == Opcode::kSubtract ? CompositionOf<Outer, SubtractVectors>(is_right)
         : inner == Opcode::kMultiply ? CompositionOf<Outer, MultiplyVectors>(is_right)
                                      : nullptr;
}

struct ExponentialOfDifference {
  HLOSCOPE_WIDE Floats Of(Floats a, Floats b) { return Exp(a - b); }
};
// Of bf16, as which the difference is rounded. No sum of these is a NaN whose lower half carries into the upper one.
struct ExponentialOfBf16Difference {
  HLOSCOPE_WIDE Floats Of(Floats a, Floats b) {
    return ExpForBf16(FromBits(numerics::RoundUpperHalves(a - b) & Everywhere(0xffff0000u)));
  }
};

// --- Rows with one number each: many of them are too short for a call of its own ---

template <typename Function>
HLOSCOPE_AVX512_FUNCTION void RowsOfBf16s(const uint8_t* data, const uint8_t* of_rows, uint8_t* result, int64_t rows,
                                          int64_t columns) {
  const uint16_t* x = reinterpret_cast<const uint16_t*>(data);
  const uint16_t* const y = reinterpret_cast<const uint16_t*>(of_rows);
  uint16_t* out = reinterpret_cast<uint16_t*>(result);
  for (int64_t r = 0; r < rows; ++r, x += columns, out += columns) {
    const Floats y0 = Everywhere(numerics::Bf16ToFloat(y[r]));
    EachBf16Vector(columns, [&](int64_t i, __mmask32 lanes) HLOSCOPE_AVX512_FUNCTION {
      const Pair wide = Widen(LoadBf16s(x + i, lanes));
      StoreBf16s(out + i, lanes, {Function::Of(wide.even, y0), Function::Of(wide.odd, y0)});
    });
  }
}

template <typename Function>
HLOSCOPE_AVX512_FUNCTION void RowsOfFloats(const uint8_t* data, const uint8_t* of_rows, uint8_t* result, int64_t rows,
                                           int64_t columns) {
  const float* x = reinterpret_cast<const float*>(data);
  const float* const y = reinterpret_cast<const float*>(of_rows);
  float* out = reinterpret_cast<float*>(result);
  for (int64_t r = 0; r < rows; ++r, x += columns, out += columns) {
    const Floats y0 = Everywhere(y[r]);
    EachVector(columns, [&](int64_t i, __mmask16 lanes) HLOSCOPE_AVX512_FUNCTION {
      _mm512_mask_storeu_ps(out + i, lanes, Function::Of(LoadFloats(x + i, lanes), y0));
    });
  }
}

// A loop of operands, of which the second one is one number, for each row.
template <LaneLoop kLoop, int64_t kElementBytes>
void EachRow(const uint8_t* data, const uint8_t* of_rows, uint8_t* result, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r) {
    const LaneOperand operands[] = {{data + r * columns * kElementBytes, false}, {of_rows + r * kElementBytes, true}};
    kLoop(operands, result + r * columns * kElementBytes, columns, LaneParameters());
  }
}

#undef HLOSCOPE_WIDE

}  // namespace

LaneLoop WideFloatLoop(Opcode opcode) {
  if (numerics::BestCpuLevel() != numerics::CpuLevel::kAvx512) return nullptr;
  return opcode == Opcode::kExponential ? &ExpOfFloats : opcode == Opcode::kDivide ? &DivideFloatsWide : nullptr;
}

LaneLoop WideBf16Loop(Opcode opcode) {
  if (numerics::BestCpuLevel() != numerics::CpuLevel::kAvx512) return nullptr;
  switch (opcode) {
    case Opcode::kExponential:
      return &ExpOfBf16s;
    case Opcode::kAdd:
      return &BinaryBf16s<AddVectors>;
    case Opcode::kSubtract:
      return &BinaryBf16s<SubtractVectors>;
    case Opcode::kMultiply:
      return &BinaryBf16s<MultiplyVectors>;
    case Opcode::kDivide:
      return &DivideBf16sWide;
    default:
      return nullptr;
  }
}

LaneLoop WideExponentialOfDifference(ElementType type) {
  if (numerics::BestCpuLevel() != numerics::CpuLevel::kAvx512) return nullptr;
  return type == ElementType::kF32    ? &BinaryFloats<ExponentialOfDifference>
         : type == ElementType::kBF16 ? &BinaryBf16s<ExponentialOfBf16Difference>
                                      : nullptr;
}

RowLoop WideRowLoop(LaneLoop loop) {
  static constexpr std::pair<LaneLoop, RowLoop> kLoops[] = {
      {&BinaryBf16s<AddVectors>, &RowsOfBf16s<AddVectors>},
      {&BinaryBf16s<SubtractVectors>, &RowsOfBf16s<SubtractVectors>},
      {&BinaryBf16s<MultiplyVectors>, &RowsOfBf16s<MultiplyVectors>},
      {&BinaryBf16s<ExponentialOfBf16Difference>, &RowsOfBf16s<ExponentialOfBf16Difference>},
      {&DivideBf16sWide, &EachRow<&DivideBf16sWide, 2>},
      {&BinaryFloats<ExponentialOfDifference>, &RowsOfFloats<ExponentialOfDifference>},
      {&DivideFloatsWide, &EachRow<&DivideFloatsWide, 4>},
  };
  for (const auto& [of_lanes, of_rows] : kLoops) {
    if (of_lanes == loop) return of_rows;
  }
  return nullptr;
}

LaneLoop WideComposition(Opcode outer, Opcode inner, bool is_right) {
  if (numerics::BestCpuLevel() != numerics::CpuLevel::kAvx512) return nullptr;
  return outer == Opcode::kAdd        ? CompositionOf<AddVectors>(inner, is_right)
         : outer == Opcode::kSubtract ? CompositionOf<SubtractVectors>(inner, is_right)
         : outer == Opcode::kMultiply ? CompositionOf<MultiplyVectors>(inner, is_right)
                                      : nullptr;
}
#else
LaneLoop WideComposition(Opcode, Opcode, bool) { return nullptr; }
LaneLoop WideExponentialOfDifference(ElementType) { return nullptr; }
RowLoop WideRowLoop(LaneLoop) { return nullptr; }
LaneLoop WideFloatLoop(Opcode) { return nullptr; }
LaneLoop WideBf16Loop(Opcode) { return nullptr; }
#endif

}  // namespace hloscope::evaluator
