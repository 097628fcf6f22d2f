// SPDX-License-Identifier: Apache-2.0
#include "numerics/elements/numeric.h"

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace hloscope::evaluator {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNumericNan = std::numeric_limits<double>::quiet_NaN();

std::vector<ElementType> FloatTypes() {
  std::vector<ElementType> types;
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, number) \
  if (IsFloat(ElementType::k##Enum)) types.push_back(ElementType::k##Enum);
#include "numerics/elements/element_types.def"
  return types;
}

// Codes of common numbers (docs/ops/elementwise.md 1.4).
TEST(FloatConversionTest, CodesOfCommonValues) {
  const std::vector<ElementType> types = {ElementType::kF8E3M4,     ElementType::kF8E4M3,        ElementType::kF8E4M3FN,
                                          ElementType::kF8E4M3FNUZ, ElementType::kF8E4M3B11FNUZ, ElementType::kF8E5M2,
                                          ElementType::kF8E5M2FNUZ, ElementType::kF6E2M3FN,      ElementType::kF6E3M2FN,
                                          ElementType::kF4E2M1FN,   ElementType::kF8E8M0FNU,     ElementType::kBF16,
                                          ElementType::kF16};
  const std::vector<std::pair<double, std::vector<uint64_t>>> rows = {
      {0.0, {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0, 0xff, 0x0000, 0x0000}},
      {-0.0, {0x80, 0x80, 0x80, 0x00, 0x00, 0x80, 0x00, 0x20, 0x20, 0x8, 0xff, 0x8000, 0x8000}},
      {1.0, {0x30, 0x38, 0x38, 0x40, 0x58, 0x3c, 0x40, 0x08, 0x0c, 0x2, 0x7f, 0x3f80, 0x3c00}},
      {-1.0, {0xb0, 0xb8, 0xb8, 0xc0, 0xd8, 0xbc, 0xc0, 0x28, 0x2c, 0xa, 0xff, 0xbf80, 0xbc00}},
      {1.5, {0x38, 0x3c, 0x3c, 0x44, 0x5c, 0x3e, 0x42, 0x0c, 0x0e, 0x3, 0x80, 0x3fc0, 0x3e00}},
      {0.1, {0x06, 0x1d, 0x1d, 0x25, 0x3d, 0x2e, 0x32, 0x01, 0x02, 0x0, 0x7c, 0x3dcd, 0x2e66}},
      {-2.7, {0xc6, 0xc3, 0xc3, 0xcb, 0xe3, 0xc1, 0xc5, 0x33, 0x31, 0xd, 0xff, 0xc02d, 0xc166}},
      {17, {0x70, 0x58, 0x58, 0x60, 0x78, 0x4c, 0x50, 0x1f, 0x1c, 0x7, 0x83, 0x4188, 0x4c40}},
      {300, {0x70, 0x78, 0x79, 0x80, 0x80, 0x5d, 0x61, 0x1f, 0x1f, 0x7, 0x87, 0x4396, 0x5cb0}},
      {1e-4, {0x00, 0x00, 0x00, 0x00, 0x01, 0x07, 0x0b, 0x00, 0x00, 0x0, 0x72, 0x38d2, 0x068e}},
      {kInf, {0x70, 0x78, 0x7f, 0x80, 0x80, 0x7c, 0x80, 0x1f, 0x1f, 0x7, 0xff, 0x7f80, 0x7c00}},
      {kNumericNan, {0x78, 0x7c, 0x7f, 0x80, 0x80, 0x7e, 0x80, 0x20, 0x20, 0x8, 0xff, 0x7fc0, 0x7e00}},
      {-kNumericNan, {0xf8, 0xfc, 0xff, 0x80, 0x80, 0xfe, 0x80, 0x00, 0x00, 0x0, 0xff, 0xffc0, 0xfe00}},
  };
  for (const auto& [value, codes] : rows) {
    for (size_t i = 0; i < types.size(); ++i) {
      EXPECT_EQ(EncodeFloat(types[i], value), codes[i]) << ElementTypeName(types[i]) << " of " << value;
    }
  }
}

// Every code of every type up to 16 bits is the rounding of its own value.
TEST(FloatConversionTest, CodesRoundToThemselves) {
  for (ElementType type : FloatTypes()) {
    if (BitWidth(type) > 16) continue;
    for (uint64_t code = 0; code < (uint64_t{1} << BitWidth(type)); ++code) {
      const double value = DecodeFloat(type, code);
      if (!std::isnan(value)) {
        EXPECT_EQ(EncodeFloat(type, value), code) << ElementTypeName(type);
      }
    }
  }
}

// Ties between neighbours go to the even code, everything else to the nearer one.
TEST(FloatConversionTest, RoundsToNearestEven) {
  for (ElementType type : FloatTypes()) {
    if (BitWidth(type) > 16 || type == ElementType::kF8E8M0FNU) continue;
    for (uint64_t code = 0; code < LargestFiniteCode(type); ++code) {
      const double low = DecodeFloat(type, code), high = DecodeFloat(type, code + 1);
      const double middle = (low + high) / 2;
      ASSERT_EQ(EncodeFloat(type, middle), code % 2 == 0 ? code : code + 1) << ElementTypeName(type);
      ASSERT_EQ(EncodeFloat(type, std::nextafter(middle, 0)), code) << ElementTypeName(type);
      ASSERT_EQ(EncodeFloat(type, std::nextafter(middle, kInf)), code + 1) << ElementTypeName(type);
    }
  }
}

TEST(FloatConversionTest, WideTypesAreTheMachines) {
  for (const double value : {0.1, -2.5e-310, 3.4028236e38, 1e39, 1e-46, 0x1.000001p0, -0.0}) {
    EXPECT_EQ(EncodeFloat(ElementType::kF64, value), std::bit_cast<uint64_t>(value));
    EXPECT_EQ(EncodeFloat(ElementType::kF32, value), std::bit_cast<uint32_t>(static_cast<float>(value)));
  }
  EXPECT_EQ(DecodeFloat(ElementType::kF32, std::bit_cast<uint32_t>(0.1f)), 0.1f);
}

TEST(NumericTest, FastHalvesAgreeWithTheDefinition) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    const uint16_t bits = static_cast<uint16_t>(code);
    const double f16 = DecodeFloat(ElementType::kF16, code), bf16 = DecodeFloat(ElementType::kBF16, code);
    if (std::isnan(f16)) {
      EXPECT_TRUE(std::isnan(numerics::F16ToFloat(bits)));
    } else {
      ASSERT_EQ(numerics::F16ToFloat(bits), f16);
    }
    if (std::isnan(bf16)) {
      EXPECT_TRUE(std::isnan(numerics::Bf16ToFloat(bits)));
    } else {
      ASSERT_EQ(numerics::Bf16ToFloat(bits), bf16);
    }
  }
  uint32_t bits = 0;
  do {
    const float value = std::bit_cast<float>(bits);
    ASSERT_EQ(numerics::FloatToF16(value), EncodeFloat(ElementType::kF16, static_cast<double>(value))) << bits;
    ASSERT_EQ(numerics::FloatToBf16(value), EncodeFloat(ElementType::kBF16, static_cast<double>(value))) << bits;
    bits += 4099;  // prime, so that all low bits occur
  } while (bits >= 4099);
}

TEST(NumericTest, RoundingThroughF32) {
  // Just above the tie between 1 and the next f16, by less than f32 can tell: directly up, through f32 to the even 1.
  const double value = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(EncodeFloat(ElementType::kF16, value), 0x3c01u);
  EXPECT_EQ(EncodeFloatViaF32(ElementType::kF16, value), 0x3c00u);
}

TEST(NumericTest, IntegersWrapOrSaturate) {
  uint8_t element[16] = {};
  WriteInteger(ElementType::kS4, 9, element);
  EXPECT_EQ(element[0], 0xf9);
  EXPECT_EQ(ReadInteger(ElementType::kS4, element), -7);
  WriteInteger(ElementType::kU4, -1, element);
  EXPECT_EQ(element[0], 0x0f);
  WriteReal(ElementType::kS2, 1e30, element);
  EXPECT_EQ(ReadInteger(ElementType::kS2, element), 1);
  WriteReal(ElementType::kS64, -1e30, element);
  EXPECT_EQ(ReadInteger(ElementType::kS64, element), std::numeric_limits<int64_t>::min());
  WriteReal(ElementType::kU64, 1e30, element);
  EXPECT_EQ(ReadReal(ElementType::kU64, element), 0x1p64);
  WriteReal(ElementType::kS32, kNumericNan, element);
  EXPECT_EQ(ReadInteger(ElementType::kS32, element), 0);
  WriteReal(ElementType::kPred, 0.5, element);
  EXPECT_EQ(element[0], 1);
  WriteReal(ElementType::kC64, 2.5, element);
  EXPECT_EQ(ReadComplex(ElementType::kC64, element), std::complex<double>(2.5, 0));
}

}  // namespace
}  // namespace hloscope::evaluator
