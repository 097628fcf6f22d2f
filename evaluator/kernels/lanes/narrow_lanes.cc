// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/narrow_lanes.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/float_conversion.h"
#include "numerics/elements/numeric.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"
#include "numerics/rows/avx2_vectors.h"

namespace hloscope::evaluator {
namespace {

template <typename In, typename Out, typename Function>
[[gnu::always_inline]] inline void Convert(const uint8_t* in, uint8_t* out, int64_t count, Function function) {
  const In* x = reinterpret_cast<const In*>(in);
  Out* y = reinterpret_cast<Out*>(out);
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) y[i] = function(x[i]);
}

// The conversions between f32 and types of 16 bits are vector loops of integers.
HLOSCOPE_VECTOR_CLONES void WidenBf16(const uint8_t* in, uint8_t* out, int64_t count) {
  Convert<uint16_t, float>(in, out, count, [](uint16_t bits) { return numerics::Bf16ToFloat(bits); });
}
HLOSCOPE_VECTOR_CLONES void NarrowToBf16Plainly(const uint8_t* in, uint8_t* out, int64_t count) {
  Convert<float, uint16_t>(in, out, count, [](float x) { return numerics::FloatToBf16(x); });
}
#ifdef HLOSCOPE_AVX2_FUNCTION
// By hand: the compiler makes of FloatToBf16 twice as many instructions.
HLOSCOPE_AVX2_FUNCTION void NarrowToBf16Avx2(const uint8_t* in, uint8_t* out, int64_t count) {
  using namespace numerics::avx2;  // NOLINT: the vocabulary of this loop
  const float* const x = reinterpret_cast<const float*>(in);
  uint16_t* const to = reinterpret_cast<uint16_t*>(out);
  int64_t i = 0;
  for (; i + kBf16s <= count; i += kBf16s) {
    const Floats low = LoadFloats(x + i, kAll), high = LoadFloats(x + i + kFloats, kAll);
    Words a = RoundUpperHalves(low), b = RoundUpperHalves(high);
    const __m256 is_nan = _mm256_cmp_ps(reinterpret_cast<__m256>(low), reinterpret_cast<__m256>(high), _CMP_UNORD_Q);
    if (__builtin_expect(_mm256_movemask_ps(is_nan) != 0, 0)) {
      a = QuietNans(low, a);
      b = QuietNans(high, b);
    }
    // Packed by halves of vectors, of which the middle two change places.
    const __m256i packed = _mm256_packus_epi32(reinterpret_cast<__m256i>(a >> 16), reinterpret_cast<__m256i>(b >> 16));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm256_permute4x64_epi64(packed, _MM_SHUFFLE(3, 1, 2, 0)));
  }
  for (; i < count; ++i) to[i] = numerics::FloatToBf16(x[i]);
}
#endif
HLOSCOPE_VECTOR_CLONES void WidenF16(const uint8_t* in, uint8_t* out, int64_t count) {
  Convert<uint16_t, float>(in, out, count, [](uint16_t bits) { return numerics::F16ToFloat(bits); });
}
HLOSCOPE_VECTOR_CLONES void NarrowToF16(const uint8_t* in, uint8_t* out, int64_t count) {
  Convert<float, uint16_t>(in, out, count, [](float x) { return numerics::FloatToF16(x); });
}

// --- Types of a byte or less: tables made with the one definition of each format ---

template <ElementType kType, typename Out>
void WidenByte(const uint8_t* in, uint8_t* out, int64_t count) {
  static const std::array<Out, 256> table = [] {
    std::array<Out, 256> values;
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Out>(DecodeFloat(kType, i));
    return values;
  }();
  Convert<uint8_t, Out>(in, out, count, [](uint8_t bits) { return table[bits]; });
}

// How an f32 rounds to a type of at most 4 mantissa bits depends on its upper 16 bits (8 significant ones) and on
// whether any lower bit is set: every tie of such a type has its lower bits clear.
uint32_t RoundingKey(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  return ((bits >> 16) << 1) | ((bits & 0xffff) != 0 ? 1 : 0);
}

template <ElementType kType>
const std::array<uint8_t, 1 << 17>& RoundingTable() {
  static_assert(sizeof(float) == 4);
  using Table = std::array<uint8_t, 1 << 17>;
  static const std::unique_ptr<const Table> table = [] {
    auto codes = std::make_unique<Table>();
    for (uint32_t key = 0; key < codes->size(); ++key) {
      const float representative = std::bit_cast<float>(((key >> 1) << 16) | (key & 1));
      (*codes)[key] = static_cast<uint8_t>(EncodeFloat(kType, static_cast<double>(representative)));
    }
    return codes;
  }();
  return *table;
}

// To f32 with the last bit set if anything was lost: a later rounding to fewer than 23 bits then sees what one direct
// rounding would have seen.
float RoundToOdd(double x) {
  const float nearest = static_cast<float>(x);
  if (!(static_cast<double>(nearest) != x) || x != x) return nearest;
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(x)) --bits;
  return std::bit_cast<float>(bits | 1);
}

template <ElementType kType, typename In>
void NarrowToByte(const uint8_t* in, uint8_t* out, int64_t count) {
  const std::array<uint8_t, 1 << 17>& table = RoundingTable<kType>();
  if constexpr (sizeof(In) == 8) {
    Convert<double, uint8_t>(in, out, count, [&table](double x) { return table[RoundingKey(RoundToOdd(x))]; });
  } else {
    Convert<float, uint8_t>(in, out, count, [&table](float x) { return table[RoundingKey(x)]; });
  }
}

template <typename Out>
LaneConversion WidenTo(ElementType type) {
  switch (type) {
    case ElementType::kF4E2M1FN:
      return &WidenByte<ElementType::kF4E2M1FN, Out>;
    case ElementType::kF6E2M3FN:
      return &WidenByte<ElementType::kF6E2M3FN, Out>;
    case ElementType::kF6E3M2FN:
      return &WidenByte<ElementType::kF6E3M2FN, Out>;
    case ElementType::kF8E3M4:
      return &WidenByte<ElementType::kF8E3M4, Out>;
    case ElementType::kF8E4M3:
      return &WidenByte<ElementType::kF8E4M3, Out>;
    case ElementType::kF8E4M3FN:
      return &WidenByte<ElementType::kF8E4M3FN, Out>;
    case ElementType::kF8E4M3B11FNUZ:
      return &WidenByte<ElementType::kF8E4M3B11FNUZ, Out>;
    case ElementType::kF8E4M3FNUZ:
      return &WidenByte<ElementType::kF8E4M3FNUZ, Out>;
    case ElementType::kF8E5M2:
      return &WidenByte<ElementType::kF8E5M2, Out>;
    case ElementType::kF8E5M2FNUZ:
      return &WidenByte<ElementType::kF8E5M2FNUZ, Out>;
    case ElementType::kF8E8M0FNU:
      return &WidenByte<ElementType::kF8E8M0FNU, Out>;
    case ElementType::kF16:
      return [](const uint8_t* in, uint8_t* out, int64_t count) {
        Convert<uint16_t, Out>(in, out, count, [](uint16_t bits) { return numerics::F16ToFloat(bits); });
      };
    case ElementType::kBF16:
      return [](const uint8_t* in, uint8_t* out, int64_t count) {
        Convert<uint16_t, Out>(in, out, count, [](uint16_t bits) { return numerics::Bf16ToFloat(bits); });
      };
    case ElementType::kF32:
      return [](const uint8_t* in, uint8_t* out, int64_t count) {
        Convert<float, Out>(in, out, count, [](float x) { return static_cast<Out>(x); });
      };
    default:
      return nullptr;
  }
}

template <typename In>
LaneConversion NarrowFrom(ElementType type) {
  switch (type) {
    case ElementType::kF4E2M1FN:
      return &NarrowToByte<ElementType::kF4E2M1FN, In>;
    case ElementType::kF6E2M3FN:
      return &NarrowToByte<ElementType::kF6E2M3FN, In>;
    case ElementType::kF6E3M2FN:
      return &NarrowToByte<ElementType::kF6E3M2FN, In>;
    case ElementType::kF8E3M4:
      return &NarrowToByte<ElementType::kF8E3M4, In>;
    case ElementType::kF8E4M3:
      return &NarrowToByte<ElementType::kF8E4M3, In>;
    case ElementType::kF8E4M3FN:
      return &NarrowToByte<ElementType::kF8E4M3FN, In>;
    case ElementType::kF8E4M3B11FNUZ:
      return &NarrowToByte<ElementType::kF8E4M3B11FNUZ, In>;
    case ElementType::kF8E4M3FNUZ:
      return &NarrowToByte<ElementType::kF8E4M3FNUZ, In>;
    case ElementType::kF8E5M2:
      return &NarrowToByte<ElementType::kF8E5M2, In>;
    case ElementType::kF8E5M2FNUZ:
      return &NarrowToByte<ElementType::kF8E5M2FNUZ, In>;
    case ElementType::kF8E8M0FNU:
      return &NarrowToByte<ElementType::kF8E8M0FNU, In>;
    case ElementType::kF16:
      return [](const uint8_t* in, uint8_t* out, int64_t count) {
        Convert<In, uint16_t>(in, out, count, [](In x) { return numerics::FloatToF16(static_cast<float>(x)); });
      };
    case ElementType::kBF16:
      return [](const uint8_t* in, uint8_t* out, int64_t count) {
        Convert<In, uint16_t>(in, out, count, [](In x) { return numerics::FloatToBf16(static_cast<float>(x)); });
      };
    case ElementType::kF32:
      return [](const uint8_t* in, uint8_t* out, int64_t count) {
        Convert<In, float>(in, out, count, [](In x) { return static_cast<float>(x); });
      };
    default:
      return nullptr;
  }
}

template <int kWidth>
void WrapSigned(const uint8_t* in, uint8_t* out, int64_t count) {
  Convert<uint8_t, int8_t>(in, out, count, [](uint8_t bits) {
    return static_cast<int8_t>(static_cast<int8_t>(static_cast<uint8_t>(bits << (8 - kWidth))) >> (8 - kWidth));
  });
}

template <int kWidth>
void WrapUnsigned(const uint8_t* in, uint8_t* out, int64_t count) {
  Convert<uint8_t, uint8_t>(in, out, count,
                            [](uint8_t bits) { return static_cast<uint8_t>(bits & ((1 << kWidth) - 1)); });
}

template <ElementType kType, typename Bits>
void OrderKeys(const uint8_t* in, uint8_t* out, int64_t count) {
  const FloatFormat& format = FloatFormatOf(kType);
  const int width = BitWidth(kType);
  Convert<Bits, int64_t>(in, out, count, [&format, width](Bits bits) {
    return numerics::elementwise::TotalOrderKey(bits, width, format.has_sign, format.has_negative_zero);
  });
}

LaneConversion NarrowToBf16() {
#ifdef HLOSCOPE_AVX2_FUNCTION
  if (numerics::BestCpuLevel() == numerics::CpuLevel::kAvx2) return &NarrowToBf16Avx2;
#endif
  return &NarrowToBf16Plainly;
}

}  // namespace

LaneConversion WidenLanes(ElementType type, ElementType domain) {
  if (type == domain) return nullptr;
  if (type == ElementType::kBF16 && domain == ElementType::kF32) return &WidenBf16;
  if (type == ElementType::kF16 && domain == ElementType::kF32) return &WidenF16;
  return domain == ElementType::kF64 ? WidenTo<double>(type) : WidenTo<float>(type);
}

LaneConversion NarrowLanes(ElementType domain, ElementType type) {
  if (type == domain) return nullptr;
  if (type == ElementType::kBF16 && domain == ElementType::kF32) return NarrowToBf16();
  if (type == ElementType::kF16 && domain == ElementType::kF32) return &NarrowToF16;
  return domain == ElementType::kF64 ? NarrowFrom<double>(type) : NarrowFrom<float>(type);
}

LaneConversion CanonicalizeLanes(ElementType type) {
  switch (type) {
    case ElementType::kS1:
      return &WrapSigned<1>;
    case ElementType::kS2:
      return &WrapSigned<2>;
    case ElementType::kS4:
      return &WrapSigned<4>;
    case ElementType::kU1:
      return &WrapUnsigned<1>;
    case ElementType::kU2:
      return &WrapUnsigned<2>;
    case ElementType::kU4:
    case ElementType::kF4E2M1FN:
      return &WrapUnsigned<4>;
    case ElementType::kF6E2M3FN:
    case ElementType::kF6E3M2FN:
      return &WrapUnsigned<6>;
    default:
      return nullptr;
  }
}

LaneConversion TotalOrderLanes(ElementType type) {
  switch (type) {
    case ElementType::kF4E2M1FN:
      return &OrderKeys<ElementType::kF4E2M1FN, uint8_t>;
    case ElementType::kF6E2M3FN:
      return &OrderKeys<ElementType::kF6E2M3FN, uint8_t>;
    case ElementType::kF6E3M2FN:
      return &OrderKeys<ElementType::kF6E3M2FN, uint8_t>;
    case ElementType::kF8E3M4:
      return &OrderKeys<ElementType::kF8E3M4, uint8_t>;
    case ElementType::kF8E4M3:
      return &OrderKeys<ElementType::kF8E4M3, uint8_t>;
    case ElementType::kF8E4M3FN:
      return &OrderKeys<ElementType::kF8E4M3FN, uint8_t>;
    case ElementType::kF8E4M3B11FNUZ:
      return &OrderKeys<ElementType::kF8E4M3B11FNUZ, uint8_t>;
    case ElementType::kF8E4M3FNUZ:
      return &OrderKeys<ElementType::kF8E4M3FNUZ, uint8_t>;
    case ElementType::kF8E5M2:
      return &OrderKeys<ElementType::kF8E5M2, uint8_t>;
    case ElementType::kF8E5M2FNUZ:
      return &OrderKeys<ElementType::kF8E5M2FNUZ, uint8_t>;
    case ElementType::kF8E8M0FNU:
      return &OrderKeys<ElementType::kF8E8M0FNU, uint8_t>;
    case ElementType::kF16:
      return &OrderKeys<ElementType::kF16, uint16_t>;
    case ElementType::kBF16:
      return &OrderKeys<ElementType::kBF16, uint16_t>;
    case ElementType::kF32:
      return &OrderKeys<ElementType::kF32, uint32_t>;
    case ElementType::kF64:
      return &OrderKeys<ElementType::kF64, uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace hloscope::evaluator
