// SPDX-License-Identifier: Apache-2.0
// Loops of convert, reduce-precision and stochastic-convert (docs/ops/elementwise.md 9).
#include <bit>
#include <cmath>
#include <complex>
#include <concepts>
#include <limits>
#include <type_traits>

#include "evaluator/kernels/lanes/lane_loops.h"
#include "numerics/elements/conversion_functions.h"
#include "numerics/elements/float_conversion.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX2_FUNCTION
#include <immintrin.h>
#endif

namespace hloscope::evaluator {
namespace {

template <typename In, typename Out>
void Convert(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters& parameters) {
  const In* x = reinterpret_cast<const In*>(operands[0].data);
  Out* out = reinterpret_cast<Out*>(result);
  if constexpr (std::floating_point<In> && std::integral<Out>) {
    const numerics::elementwise::Saturation<Out, In> saturate(BitWidth(parameters.result));
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = saturate(x[i]);
  } else {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = static_cast<Out>(x[i]);  // NOLINT: int8_t is a number here
  }
}

// The conversions of f32 that quantised networks make, compiled for several instruction sets.
#define HLOSCOPE_SATURATING_LOOP(Name, Out)                                                     \
  HLOSCOPE_VECTOR_CLONES void Name(const LaneOperand* operands, uint8_t* result, int64_t count, \
                                   const LaneParameters& parameters) {                          \
    const float* x = reinterpret_cast<const float*>(operands[0].data);                          \
    Out* out = reinterpret_cast<Out*>(result);                                                  \
    const numerics::elementwise::Saturation<Out, float> saturate(BitWidth(parameters.result));  \
    HLOSCOPE_INDEPENDENT_LANES                                                                  \
    for (int64_t i = 0; i < count; ++i) out[i] = saturate(x[i]);                                \
  }
HLOSCOPE_SATURATING_LOOP(FloatsToS8Plainly, int8_t)
HLOSCOPE_SATURATING_LOOP(FloatsToU8Plainly, uint8_t)
HLOSCOPE_SATURATING_LOOP(FloatsToS16, int16_t)
HLOSCOPE_SATURATING_LOOP(FloatsToS32, int32_t)
#undef HLOSCOPE_SATURATING_LOOP

#ifdef HLOSCOPE_AVX2_FUNCTION
// By hand: the compiler narrows lanes of 32 bits to those of 8 in many steps.
template <typename Out>
HLOSCOPE_AVX2_FUNCTION void FloatsToBytesAvx2(const LaneOperand* operands, uint8_t* result, int64_t count,
                                              const LaneParameters& parameters) {
  constexpr int64_t kFloats = 8, kAtOnce = 32;
  const float* const x = reinterpret_cast<const float*>(operands[0].data);
  const numerics::elementwise::Saturation<Out, float> saturate(BitWidth(parameters.result));
  const __m256 smallest = _mm256_set1_ps(saturate.smallest), largest = _mm256_set1_ps(saturate.largest);
  const auto eight = [&](const float* from) HLOSCOPE_AVX2_FUNCTION {
    const __m256 v = _mm256_loadu_ps(from);
    const __m256 number = _mm256_and_ps(v, _mm256_cmp_ps(v, v, _CMP_ORD_Q));  // NaN becomes 0
    return _mm256_cvttps_epi32(_mm256_min_ps(_mm256_max_ps(number, smallest), largest));
  };
  int64_t i = 0;
  for (; i + kAtOnce <= count; i += kAtOnce) {
    const float* const from = x + i;
    const __m256i low = _mm256_packs_epi32(eight(from), eight(from + kFloats));
    const __m256i high = _mm256_packs_epi32(eight(from + 2 * kFloats), eight(from + 3 * kFloats));
    const __m256i packed = std::is_signed_v<Out> ? _mm256_packs_epi16(low, high) : _mm256_packus_epi16(low, high);
    // Packed by halves of vectors: fours of every second place first.
    const __m256i in_order = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(result + i), in_order);
  }
  for (; i < count; ++i) result[i] = static_cast<uint8_t>(saturate(x[i]));
}
#endif

LaneLoopEntry FloatsToBytes(bool is_signed) {
#ifdef HLOSCOPE_AVX2_FUNCTION
  if (numerics::BestCpuLevel() == numerics::CpuLevel::kAvx2) {
    return {is_signed ? &FloatsToBytesAvx2<int8_t> : &FloatsToBytesAvx2<uint8_t>};
  }
#endif
  return {is_signed ? &FloatsToS8Plainly : &FloatsToU8Plainly};
}

// Of bytes, compiled for several instruction sets.
HLOSCOPE_VECTOR_CLONES void S8ToFloats(const LaneOperand* operands, uint8_t* result, int64_t count,
                                       const LaneParameters&) {
  const int8_t* const x = reinterpret_cast<const int8_t*>(operands[0].data);
  float* const out = reinterpret_cast<float*>(result);
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) out[i] = static_cast<float>(x[i]);
}
HLOSCOPE_VECTOR_CLONES void U8ToFloats(const LaneOperand* operands, uint8_t* result, int64_t count,
                                       const LaneParameters&) {
  const uint8_t* const x = operands[0].data;
  float* const out = reinterpret_cast<float*>(result);
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) out[i] = static_cast<float>(x[i]);
}

// To the real part; the imaginary part is +0.
template <typename In, typename Component>
void ConvertToComplex(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters&) {
  const In* x = reinterpret_cast<const In*>(operands[0].data);
  auto* out = reinterpret_cast<std::complex<Component>*>(result);
  for (int64_t i = 0; i < count; ++i) out[i] = std::complex<Component>(static_cast<Component>(x[i]), 0);
}

template <typename In>
void IsNonzero(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters&) {
  const In* x = reinterpret_cast<const In*>(operands[0].data);
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) result[i] = x[i] != 0;
}

template <typename In>
LaneLoopEntry ConvertFrom(ElementType to_domain) {
  switch (to_domain) {
    case ElementType::kS8:
      return {&Convert<In, int8_t>};
    case ElementType::kS16:
      return {&Convert<In, int16_t>};
    case ElementType::kS32:
      return {&Convert<In, int32_t>};
    case ElementType::kS64:
      return {&Convert<In, int64_t>};
    case ElementType::kU8:
      return {&Convert<In, uint8_t>};
    case ElementType::kU16:
      return {&Convert<In, uint16_t>};
    case ElementType::kU32:
      return {&Convert<In, uint32_t>};
    case ElementType::kU64:
      return {&Convert<In, uint64_t>};
    case ElementType::kF32:
      return {&Convert<In, float>};
    case ElementType::kF64:
      return {&Convert<In, double>};
    case ElementType::kC64:
      return {&ConvertToComplex<In, float>};
    case ElementType::kC128:
      return {&ConvertToComplex<In, double>};
    default:
      return {};
  }
}

template <typename In>
void ComplexToComplex(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters&) {
  using Out = std::conditional_t<std::is_same_v<In, float>, double, float>;
  const auto* x = reinterpret_cast<const std::complex<In>*>(operands[0].data);
  auto* out = reinterpret_cast<std::complex<Out>*>(result);
  for (int64_t i = 0; i < count; ++i) out[i] = std::complex<Out>(x[i]);
}

// --- reduce-precision ---

template <ElementType kType, typename Bits>
void ReducePrecisionLanes(const LaneOperand* operands, uint8_t* result, int64_t count,
                          const LaneParameters& parameters) {
  const FloatFormat& type = FloatFormatOf(kType);
  const numerics::elementwise::ReducedFormat format = {type.exponent_bits, type.mantissa_bits, type.bias,
                                                       parameters.exponent_bits, parameters.mantissa_bits};
  const Bits* x = reinterpret_cast<const Bits*>(operands[0].data);
  Bits* out = reinterpret_cast<Bits*>(result);
  for (int64_t i = 0; i < count; ++i) out[i] = numerics::elementwise::ReducePrecision(x[i], format);
}

// --- stochastic-convert ---

template <typename F, typename Random, typename Out>
void StochasticConvert(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters& parameters) {
  const F* x = reinterpret_cast<const F*>(operands[0].data);
  const Random* random = reinterpret_cast<const Random*>(operands[1].data);
  Out* out = reinterpret_cast<Out*>(result);
  const int64_t x_step = operands[0].is_uniform ? 0 : 1;
  const int64_t random_step = operands[1].is_uniform ? 0 : 1;
  const numerics::elementwise::StochasticRounding<Out> round(BitWidth(parameters.result), parameters.width);
  for (int64_t i = 0; i < count; ++i) {
    out[i] = round(static_cast<double>(x[i * x_step]), random[i * random_step]);
  }
}

template <typename F, typename Random>
LaneLoopEntry StochasticTo(ElementType result) {
  switch (StorageBytes(result)) {
    case 1:
      return {&StochasticConvert<F, Random, int8_t>, 4};
    case 2:
      return {&StochasticConvert<F, Random, int16_t>, 4};
    case 4:
      return {&StochasticConvert<F, Random, int32_t>, 4};
    case 8:
      return {&StochasticConvert<F, Random, int64_t>, 4};
    default:
      return {};
  }
}

template <typename F>
LaneLoopEntry StochasticFrom(int random_bytes, ElementType result) {
  switch (random_bytes) {
    case 1:
      return StochasticTo<F, uint8_t>(result);
    case 2:
      return StochasticTo<F, uint16_t>(result);
    case 4:
      return StochasticTo<F, uint32_t>(result);
    case 8:
      return StochasticTo<F, uint64_t>(result);
    default:
      return {};
  }
}

}  // namespace

LaneLoopEntry ConvertLoop(ElementType from_domain, ElementType to_domain) {
  switch (from_domain) {
    case ElementType::kS8:
      return to_domain == ElementType::kF32 ? LaneLoopEntry{&S8ToFloats} : ConvertFrom<int8_t>(to_domain);
    case ElementType::kS16:
      return ConvertFrom<int16_t>(to_domain);
    case ElementType::kS32:
      return ConvertFrom<int32_t>(to_domain);
    case ElementType::kS64:
      return ConvertFrom<int64_t>(to_domain);
    case ElementType::kU8:
      return to_domain == ElementType::kF32 ? LaneLoopEntry{&U8ToFloats} : ConvertFrom<uint8_t>(to_domain);
    case ElementType::kU16:
      return ConvertFrom<uint16_t>(to_domain);
    case ElementType::kU32:
      return ConvertFrom<uint32_t>(to_domain);
    case ElementType::kU64:
      return ConvertFrom<uint64_t>(to_domain);
    case ElementType::kF32:
      return to_domain == ElementType::kS8    ? FloatsToBytes(true)
             : to_domain == ElementType::kU8  ? FloatsToBytes(false)
             : to_domain == ElementType::kS16 ? LaneLoopEntry{&FloatsToS16}
             : to_domain == ElementType::kS32 ? LaneLoopEntry{&FloatsToS32}
                                              : ConvertFrom<float>(to_domain);
    case ElementType::kF64:
      return ConvertFrom<double>(to_domain);
    case ElementType::kC64:
      return to_domain == ElementType::kC128 ? LaneLoopEntry{&ComplexToComplex<float>, 2} : LaneLoopEntry{};
    case ElementType::kC128:
      return to_domain == ElementType::kC64 ? LaneLoopEntry{&ComplexToComplex<double>, 2} : LaneLoopEntry{};
    default:
      return {};
  }
}

LaneLoopEntry IsNonzeroLoop(ElementType from_domain) {
  switch (from_domain) {
    case ElementType::kS8:
    case ElementType::kU8:
      return {&IsNonzero<uint8_t>};
    case ElementType::kS16:
    case ElementType::kU16:
      return {&IsNonzero<uint16_t>};
    case ElementType::kS32:
    case ElementType::kU32:
      return {&IsNonzero<uint32_t>};
    case ElementType::kS64:
    case ElementType::kU64:
      return {&IsNonzero<uint64_t>};
    case ElementType::kF32:
      return {&IsNonzero<float>};
    case ElementType::kF64:
      return {&IsNonzero<double>};
    default:
      return {};
  }
}

LaneLoopEntry ReducePrecisionLoop(ElementType type) {
  switch (type) {
    case ElementType::kF8E3M4:
      return {&ReducePrecisionLanes<ElementType::kF8E3M4, uint8_t>, 2};
    case ElementType::kF8E4M3:
      return {&ReducePrecisionLanes<ElementType::kF8E4M3, uint8_t>, 2};
    case ElementType::kF8E5M2:
      return {&ReducePrecisionLanes<ElementType::kF8E5M2, uint8_t>, 2};
    case ElementType::kF16:
      return {&ReducePrecisionLanes<ElementType::kF16, uint16_t>, 2};
    case ElementType::kBF16:
      return {&ReducePrecisionLanes<ElementType::kBF16, uint16_t>, 2};
    case ElementType::kF32:
      return {&ReducePrecisionLanes<ElementType::kF32, uint32_t>, 2};
    case ElementType::kF64:
      return {&ReducePrecisionLanes<ElementType::kF64, uint64_t>, 2};
    default:
      return {};
  }
}

LaneLoopEntry StochasticConvertLoop(ElementType from_domain, int random_bytes, ElementType result) {
  return from_domain == ElementType::kF64 ? StochasticFrom<double>(random_bytes, result)
                                          : StochasticFrom<float>(random_bytes, result);
}

}  // namespace hloscope::evaluator
