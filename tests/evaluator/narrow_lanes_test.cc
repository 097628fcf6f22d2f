// SPDX-License-Identifier: Apache-2.0
// The fast block conversions agree with the definition of each format (numerics/elements/float_conversion.h).
#include "evaluator/kernels/lanes/narrow_lanes.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "numerics/elements/float_conversion.h"
#include "tests/support/element_values.h"

namespace hloscope::evaluator {
namespace {

constexpr ElementType kNarrowFloats[] = {
    ElementType::kF4E2M1FN, ElementType::kF6E2M3FN,   ElementType::kF6E3M2FN,   ElementType::kF8E3M4,
    ElementType::kF8E4M3,   ElementType::kF8E4M3FN,   ElementType::kF8E4M3FNUZ, ElementType::kF8E4M3B11FNUZ,
    ElementType::kF8E5M2,   ElementType::kF8E5M2FNUZ, ElementType::kF8E8M0FNU,  ElementType::kF16,
    ElementType::kBF16,
};

uint64_t StoredBits(ElementType type, const uint8_t* bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, static_cast<size_t>(StorageBytes(type)));
  return bits;
}

// Same number, or NaN of the same sign.
template <typename T>
bool SameNumber(T a, T b) {
  return std::signbit(a) == std::signbit(b) && ((std::isnan(a) && std::isnan(b)) || a == b);
}

TEST(NarrowLanesTest, WidensEveryCode) {
  for (ElementType type : kNarrowFloats) {
    SCOPED_TRACE(ElementTypeName(type));
    const uint32_t codes = 1u << BitWidth(type);
    std::vector<uint8_t> stored(codes * static_cast<size_t>(StorageBytes(type)));
    for (uint32_t code = 0; code < codes; ++code) {
      std::memcpy(&stored[code * static_cast<size_t>(StorageBytes(type))], &code,
                  static_cast<size_t>(StorageBytes(type)));
    }
    std::vector<float> floats(codes);
    std::vector<double> doubles(codes);
    WidenLanes(type, ElementType::kF32)(stored.data(), reinterpret_cast<uint8_t*>(floats.data()), codes);
    WidenLanes(type, ElementType::kF64)(stored.data(), reinterpret_cast<uint8_t*>(doubles.data()), codes);
    for (uint32_t code = 0; code < codes; ++code) {
      const double expected = DecodeFloat(type, code);
      ASSERT_TRUE(SameNumber(doubles[code], expected)) << code;
      ASSERT_TRUE(SameNumber(floats[code], static_cast<float>(expected))) << code;
    }
  }
}

void CheckNarrowing(ElementType type, const std::vector<float>& inputs) {
  std::vector<uint8_t> stored(inputs.size() * static_cast<size_t>(StorageBytes(type)));
  NarrowLanes(ElementType::kF32, type)(reinterpret_cast<const uint8_t*>(inputs.data()), stored.data(),
                                       static_cast<int64_t>(inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    const uint64_t actual = StoredBits(type, &stored[i * static_cast<size_t>(StorageBytes(type))]);
    ASSERT_EQ(actual, EncodeFloat(type, static_cast<double>(inputs[i]))) << inputs[i];
  }
}

TEST(NarrowLanesTest, RoundsFloatsOfEveryExponentAndTie) {
  std::mt19937 random(1);
  std::vector<float> inputs;
  for (uint32_t upper = 0; upper < 0x10000; ++upper) {
    // The exact value, its neighbours, the middle to the next one, and something between.
    for (uint32_t lower : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu, static_cast<uint32_t>(random() & 0xffff)}) {
      inputs.push_back(std::bit_cast<float>(upper << 16 | lower));
    }
  }
  for (ElementType type : kNarrowFloats) {
    SCOPED_TRACE(ElementTypeName(type));
    CheckNarrowing(type, inputs);
  }
}

TEST(NarrowLanesTest, RoundsFloatsBetweenNeighboursOfF16) {
  std::vector<float> inputs;
  for (uint32_t code = 0; code < 0x7c00; ++code) {
    const float low = static_cast<float>(DecodeFloat(ElementType::kF16, code));
    const float high = code + 1 == 0x7c00 ? 65536.0f : static_cast<float>(DecodeFloat(ElementType::kF16, code + 1));
    const float middle = (low + high) / 2;
    for (float x : {middle, std::nextafter(middle, low), std::nextafter(middle, high), std::nextafter(low, 0.0f)}) {
      inputs.push_back(x);
      inputs.push_back(-x);
    }
  }
  CheckNarrowing(ElementType::kF16, inputs);
}

TEST(NarrowLanesTest, RoundsDoublesOnceToEightBitsAndTwiceToSixteen) {
  std::mt19937_64 random(2);
  for (ElementType type : kNarrowFloats) {
    SCOPED_TRACE(ElementTypeName(type));
    const bool through_float = BitWidth(type) == 16;
    std::vector<double> inputs = {0.0,      -0.0,      1e-300, -1e-300, 1e300, -1e300,
                                  INFINITY, -INFINITY, NAN,    -NAN,    1e-45, 0x1p-127};
    for (uint32_t code = 0; code < (1u << BitWidth(type)); code += through_float ? 37 : 1) {
      const double x = DecodeFloat(type, code), y = DecodeFloat(type, code + 1);
      // Just beside a tie, by less than an f32 can tell.
      const double tie = (x + y) / 2;
      for (double input : {x, tie, std::nextafter(tie, x), std::nextafter(tie, y)}) inputs.push_back(input);
    }
    for (int i = 0; i < 20000; ++i) inputs.push_back(std::bit_cast<double>(random()));
    std::vector<uint8_t> stored(inputs.size() * static_cast<size_t>(StorageBytes(type)));
    NarrowLanes(ElementType::kF64, type)(reinterpret_cast<const uint8_t*>(inputs.data()), stored.data(),
                                         static_cast<int64_t>(inputs.size()));
    for (size_t i = 0; i < inputs.size(); ++i) {
      const double input = through_float ? static_cast<double>(static_cast<float>(inputs[i])) : inputs[i];
      ASSERT_EQ(StoredBits(type, &stored[i * static_cast<size_t>(StorageBytes(type))]), EncodeFloat(type, input))
          << inputs[i];
    }
  }
}

TEST(NarrowLanesTest, CanonicalizesToTheWidth) {
  const uint8_t bytes[] = {0x00, 0x01, 0x02, 0x07, 0x08, 0x0f, 0x3f, 0x7f, 0x80, 0xff};
  const auto check = [&](ElementType type, std::vector<int> expected) {
    uint8_t out[10];
    CanonicalizeLanes(type)(bytes, out, 10);
    for (size_t i = 0; i < 10; ++i) {
      EXPECT_EQ(IsSigned(type) ? static_cast<int8_t>(out[i]) : out[i], expected[i])
          << ElementTypeName(type) << " " << i;
    }
  };
  check(ElementType::kS4, {0, 1, 2, 7, -8, -1, -1, -1, 0, -1});
  check(ElementType::kU4, {0, 1, 2, 7, 8, 15, 15, 15, 0, 15});
  check(ElementType::kS2, {0, 1, -2, -1, 0, -1, -1, -1, 0, -1});
  check(ElementType::kU2, {0, 1, 2, 3, 0, 3, 3, 3, 0, 3});
  check(ElementType::kS1, {0, -1, 0, -1, 0, -1, -1, -1, 0, -1});
  check(ElementType::kU1, {0, 1, 0, 1, 0, 1, 1, 1, 0, 1});
  check(ElementType::kF6E2M3FN, {0, 1, 2, 7, 8, 15, 63, 63, 0, 63});
  EXPECT_EQ(CanonicalizeLanes(ElementType::kS8), nullptr);
}

}  // namespace
}  // namespace hloscope::evaluator
