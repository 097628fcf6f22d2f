// SPDX-License-Identifier: Apache-2.0
// Single elements of any type as native numbers (docs/ops/elementwise.md 1). For whole arrays use LaneFunction
// (evaluator/kernels/lanes/lane_function.h).
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_NUMERIC_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_NUMERIC_H_

#include <bit>
#include <complex>
#include <cstdint>

#include "numerics/elements/element_type.h"
#include "numerics/elements/float_conversion.h"

namespace hloscope::numerics {

// --- 16-bit floats, without branches so that loops over them vectorise. Equal to EncodeFloat and DecodeFloat. ---

inline float Bf16ToFloat(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

// One stored bf16 or f16, apart from integers of its size.
struct Bf16 {
  uint16_t bits;
};
struct F16 {
  uint16_t bits;
};

inline uint16_t FloatToBf16(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  const uint32_t nan = ((bits >> 16) & 0x8000) | 0x7fc0;
  return static_cast<uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? nan : rounded);
}

inline float F16ToFloat(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  // The fields moved to their place in f32 stand for a number 2^112 too small, subnormals included.
  const float scaled = std::bit_cast<float>(static_cast<uint32_t>(bits & 0x7fff) << 13) * 0x1p112f;
  const uint32_t special = (bits & 0x7c00) == 0x7c00 ? 0x7f800000 : 0;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(scaled) | special | sign);
}

inline uint16_t FloatToF16(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t sign = (bits >> 16) & 0x8000;
  const uint32_t magnitude = bits & 0x7fffffff;
  // Normal results: rounding carries from the 13 bits that go away, then the bias changes from 127 to 15.
  const uint32_t normal = (magnitude + 0xfff + ((magnitude >> 13) & 1) - (uint32_t{127 - 15} << 23)) >> 13;
  // Subnormal results: adding 0.5 leaves the number in units of 2^-24 in the low bits, rounded by the addition.
  const uint32_t subnormal = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000;
  uint32_t result = magnitude < 0x38800000 ? subnormal : normal;  // 2^-14
  result = magnitude >= 0x477ff000 ? 0x7c00 : result;             // 65520: overflow
  result = magnitude > 0x7f800000 ? 0x7e00 : result;
  return static_cast<uint16_t>(result | sign);
}

// A stored element as the number that is computed with.
template <typename T>
T Widened(T x) {
  return x;
}
inline float Widened(Bf16 x) { return Bf16ToFloat(x.bits); }
inline float Widened(F16 x) { return F16ToFloat(x.bits); }
template <typename T>
using WidenedType = decltype(Widened(T()));

// A number that was computed, as an element of type T.
template <typename T>
T Narrowed(WidenedType<T> x) {
  return x;
}
template <>
inline Bf16 Narrowed<Bf16>(float x) {
  return {FloatToBf16(x)};
}
template <>
inline F16 Narrowed<F16>(float x) {
  return {FloatToF16(x)};
}

// --- Any type. `element` points to the StorageBytes(type) bytes of one element as a Tensor stores it. ---

// The bits of an element of at most 64 bits, those above the type's width cleared.
uint64_t ReadBits(ElementType type, const uint8_t* element);
// Stores the low bits of `bits` in the canonical form: signed integers sign-extended, others zero-extended.
void WriteBits(ElementType type, uint64_t bits, uint8_t* element);

// An integer or pred element; u64 beyond the range of int64 wraps.
int64_t ReadInteger(ElementType type, const uint8_t* element);
// The number of an element that is not complex; integers beyond 2^53 are rounded to nearest.
double ReadReal(ElementType type, const uint8_t* element);
// The number of any element; the imaginary part of a real one is 0.
std::complex<double> ReadComplex(ElementType type, const uint8_t* element);

// Stores an integer: wrapped to an integer type, rounded to a float type, "is not zero" for pred, as the real part of a
// complex one.
void WriteInteger(ElementType type, int64_t value, uint8_t* element);
// Stores a number: rounded once to a float type, truncated toward zero and saturated to an integer type (NaN gives 0).
void WriteReal(ElementType type, double value, uint8_t* element);

// The bits of `value` rounded to f32 first and then to `type`, as `convert` does for f64 to f16 and bf16 and for wide
// integers to narrow floats (decisions A3 and A4). EncodeFloat rounds directly. Requires IsFloat(type).
inline uint64_t EncodeFloatViaF32(ElementType type, double value) {
  return EncodeFloat(type, static_cast<double>(static_cast<float>(value)));
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_NUMERIC_H_
