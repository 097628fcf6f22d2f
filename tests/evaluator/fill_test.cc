// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/fill.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

std::vector<ElementType> ArrayTypes() {
  std::vector<ElementType> types;
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, number) \
  if (IsArrayElement(ElementType::k##Enum)) types.push_back(ElementType::k##Enum);
#include "numerics/elements/element_types.def"
  return types;
}

TEST(FillTest, NamesOfKinds) {
  EXPECT_EQ(FillKindFromName("random"), FillKind::kRandom);
  EXPECT_EQ(FillKindFromName("iota"), FillKind::kIota);
  EXPECT_FALSE(FillKindFromName("Random").has_value());
}

// The same seed gives the same data everywhere: these numbers must never change.
TEST(FillTest, RandomNumbersAreFixed) {
  const Value value = *FillValue(Shape::Array(ElementType::kF32, {4}), FillKind::kRandom, 42, 0);
  const float* data = value.tensor().data_as<float>();
  const float expected[] = {0.510777593f, -0.157668352f, -0.289887786f, -0.266479254f};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(data[i], expected[i]) << i;
  const Value integers = *FillValue(Shape::Array(ElementType::kS32, {8}), FillKind::kRandom, 42, 1);
  const std::vector<int32_t> read(integers.tensor().data_as<int32_t>(), integers.tensor().data_as<int32_t>() + 8);
  EXPECT_EQ(read, (std::vector<int32_t>{2, 6, 4, 3, 3, 3, 6, 5}));
}

TEST(FillTest, SeedParameterAndLeafMakeADifference) {
  const Shape shape = Shape::Array(ElementType::kF64, {16});
  const Value a = *FillValue(shape, FillKind::kRandom, 1, 0);
  EXPECT_TRUE(a.BitwiseEqual(*FillValue(shape, FillKind::kRandom, 1, 0)));
  EXPECT_FALSE(a.BitwiseEqual(*FillValue(shape, FillKind::kRandom, 2, 0)));
  EXPECT_FALSE(a.BitwiseEqual(*FillValue(shape, FillKind::kRandom, 1, 1)));
  const Value tuple = *FillValue(Shape::Tuple({shape, Shape::Token(), Shape::Tuple({shape})}), FillKind::kRandom, 1, 0);
  EXPECT_FALSE(tuple.elements()[0].BitwiseEqual(tuple.elements()[2].elements()[0]));
  EXPECT_TRUE(tuple.elements()[0].BitwiseEqual(a));
}

// Each type has the numbers of f64, rounded, but for those that would become 1.
TEST(FillTest, RandomFloatsOfEveryTypeAreTheSameNumbers) {
  constexpr int64_t kCount = 5000;
  const Tensor exact = FillValue(Shape::Array(ElementType::kF64, {kCount}), FillKind::kRandom, 3, 0)->tensor();
  for (ElementType type : ArrayTypes()) {
    if (!IsFloat(type) || !FloatFormatOf(type).has_sign) continue;
    const Tensor tensor = FillValue(Shape::Array(type, {kCount}), FillKind::kRandom, 3, 0)->tensor();
    const uint64_t one = EncodeFloat(type, 1.0);
    for (int64_t i = 0; i < kCount; ++i) {
      const uint64_t code = EncodeFloat(type, exact.data_as<double>()[i]);
      ASSERT_EQ(ReadBits(type, tensor.data() + i * tensor.element_bytes()), code == one ? one - 1 : code)
          << ElementTypeName(type) << " " << i;
    }
  }
}

// Integers of every type are the same small numbers.
TEST(FillTest, RandomIntegersOfEveryTypeAreTheSameNumbers) {
  const auto filled = [](ElementType type) {
    return FillValue(Shape::Array(type, {500}), FillKind::kRandom, 5, 2)->tensor();
  };
  const Tensor exact = filled(ElementType::kU64);
  for (ElementType type : ArrayTypes()) {
    if (!IsInteger(type) || BitWidth(type) < 4) continue;
    const Tensor tensor = filled(type);
    for (int64_t i = 0; i < 500; ++i) {
      ASSERT_EQ(ReadInteger(type, tensor.data() + i * tensor.element_bytes()),
                static_cast<int64_t>(exact.data_as<uint64_t>()[i]))
          << ElementTypeName(type) << " " << i;
    }
  }
}

// iota counts as far as the type does exactly and begins again; ones are ones.
TEST(FillTest, IotaAndOnesOfEveryType) {
  for (ElementType type : ArrayTypes()) {
    const Tensor iota = FillValue(Shape::Array(type, {700}), FillKind::kIota, 0, 0)->tensor();
    const Tensor ones = FillValue(Shape::Array(type, {700}), FillKind::kOnes, 0, 0)->tensor();
    const ElementType component = ComplexComponent(type);
    const int64_t period = type == ElementType::kPred ? 2
                           : IsFloat(component)       ? int64_t{1} << (FloatFormatOf(component).mantissa_bits + 1)
                                                      : 1000;
    std::vector<uint8_t> expected(static_cast<size_t>(iota.element_bytes()));
    for (int64_t i = 0; i < 700; ++i) {
      WriteInteger(type, i % period, expected.data());
      ASSERT_EQ(std::memcmp(iota.data() + i * iota.element_bytes(), expected.data(), expected.size()), 0)
          << ElementTypeName(type) << " " << i;
      WriteInteger(type, 1, expected.data());
      ASSERT_EQ(std::memcmp(ones.data() + i * ones.element_bytes(), expected.data(), expected.size()), 0)
          << ElementTypeName(type) << " " << i;
    }
  }
}

TEST(FillTest, RandomValuesAreInRange) {
  for (ElementType type : ArrayTypes()) {
    const Tensor tensor = FillValue(Shape::Array(type, {1000}), FillKind::kRandom, 3, 0)->tensor();
    for (int64_t i = 0; i < 1000; ++i) {
      const std::complex<double> x = ReadComplex(type, tensor.data() + i * tensor.element_bytes());
      if (type == ElementType::kPred) {
        ASSERT_LE(tensor.data()[i], 1);
      } else if (IsInteger(type)) {
        ASSERT_GE(x.real(), 0);
        ASSERT_LT(x.real(), 8);
      } else {
        for (const double part : {x.real(), x.imag()}) {
          ASSERT_GE(part, -1) << ElementTypeName(type);
          ASSERT_LT(part, 1) << ElementTypeName(type);
        }
      }
    }
  }
}

TEST(FillTest, OnesZerosAndIota) {
  for (ElementType type : ArrayTypes()) {
    const Shape shape = Shape::Array(type, {3});
    const Tensor ones = FillValue(shape, FillKind::kOnes, 0, 0)->tensor();
    const Tensor iota = FillValue(shape, FillKind::kIota, 0, 0)->tensor();
    const Tensor zeros = FillValue(shape, FillKind::kZeros, 0, 0)->tensor();
    if (BitWidth(type) > 2 && type != ElementType::kF8E8M0FNU) {
      for (int64_t i = 0; i < 3; ++i) {
        EXPECT_EQ(ReadComplex(type, ones.data() + i * ones.element_bytes()), 1.0) << ElementTypeName(type);
        EXPECT_EQ(ReadComplex(type, zeros.data() + i * ones.element_bytes()), 0.0) << ElementTypeName(type);
        EXPECT_EQ(ReadComplex(type, iota.data() + i * ones.element_bytes()), static_cast<double>(i))
            << ElementTypeName(type);
      }
    }
  }
}

TEST(FillTest, ShapesWithoutValues) {
  EXPECT_FALSE(FillValue(Shape::Opaque(), FillKind::kOnes, 0, 0).ok());
  EXPECT_FALSE(FillValue(Shape::Array(ElementType::kF32, {kUnboundedSize}), FillKind::kOnes, 0, 0).ok());
  EXPECT_FALSE(FillValue(Shape::Array(ElementType::kF32, {int64_t{1} << 60}), FillKind::kOnes, 0, 0).ok());
}

}  // namespace
}  // namespace hloscope::evaluator
