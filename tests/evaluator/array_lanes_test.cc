// SPDX-License-Identifier: Apache-2.0
// Elementwise kernels on views: any strides give what dense copies give.
#include "evaluator/kernels/lanes/array_lanes.h"

#include <complex>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/kernel_test_support.h"
#include "tests/support/random_views.h"

namespace hloscope::evaluator {
namespace {

struct Case {
  Opcode opcode;
  std::vector<ElementType> operands;
  ElementType result;
};

void CheckViews(const Case& test, const std::vector<int64_t>& dimensions, std::mt19937& random) {
  std::vector<Shape> shapes;
  std::vector<Value> views, copies;
  for (ElementType type : test.operands) {
    shapes.push_back(Shape::Array(type, dimensions));
    const Tensor view = RandomView(type, dimensions, random);
    views.push_back(view);
    copies.push_back(*view.Copy());
  }
  SingleInstruction instruction(test.opcode, shapes, Shape::Array(test.result, dimensions));
  const absl::StatusOr<Value> from_views = instruction.Evaluate(views);
  const absl::StatusOr<Value> from_copies = instruction.Evaluate(copies);
  ASSERT_TRUE(from_views.ok()) << from_views.status();
  ASSERT_TRUE(from_copies.ok()) << from_copies.status();
  EXPECT_TRUE(from_views->BitwiseEqual(*from_copies));
}

TEST(ArrayLanesTest, ViewsGiveWhatCopiesGive) {
  const Case kCases[] = {
      {Opcode::kNegate, {ElementType::kS8}, ElementType::kS8},
      {Opcode::kTanh, {ElementType::kF32}, ElementType::kF32},
      {Opcode::kFloor, {ElementType::kF8E4M3FN}, ElementType::kF8E4M3FN},
      {Opcode::kImag, {ElementType::kC128}, ElementType::kF64},
      {Opcode::kConvert, {ElementType::kBF16}, ElementType::kF16},
      {Opcode::kConvert, {ElementType::kC64}, ElementType::kC128},
      {Opcode::kAdd, {ElementType::kS4, ElementType::kS4}, ElementType::kS4},
      {Opcode::kSubtract, {ElementType::kBF16, ElementType::kBF16}, ElementType::kBF16},
      {Opcode::kDivide, {ElementType::kS32, ElementType::kS32}, ElementType::kS32},
      {Opcode::kMultiply, {ElementType::kC128, ElementType::kC128}, ElementType::kC128},
      {Opcode::kComplex, {ElementType::kF32, ElementType::kF32}, ElementType::kC64},
      {Opcode::kCompare, {ElementType::kF64, ElementType::kF64}, ElementType::kPred},
      {Opcode::kClamp, {ElementType::kU16, ElementType::kU16, ElementType::kU16}, ElementType::kU16},
      {Opcode::kSelect, {ElementType::kPred, ElementType::kF16, ElementType::kF16}, ElementType::kF16},
  };
  const std::vector<std::vector<int64_t>> kDimensions = {{},       {1},         {7},    {3, 5},     {2, 1, 3, 4},
                                                         {5, 200}, {130, 9, 3}, {0, 4}, {2, 3, 700}};
  std::mt19937 random(7);
  for (const Case& test : kCases) {
    SCOPED_TRACE(OpcodeName(test.opcode));
    for (const std::vector<int64_t>& dimensions : kDimensions) {
      SCOPED_TRACE(Shape::Array(test.result, dimensions).ToString());
      for (int repetition = 0; repetition < 8; ++repetition) CheckViews(test, dimensions, random);
    }
  }
}

// Of every width, with every operand one element for all lanes or one for each; also in place of an operand.
TEST(ArrayLanesTest, SelectTakesEachLaneFromItsBranch) {
  std::mt19937 random(9);
  for (ElementType type :
       {ElementType::kS8, ElementType::kBF16, ElementType::kF32, ElementType::kF64, ElementType::kC128}) {
    const absl::StatusOr<LaneFunction> select =
        LaneFunction::Create(Opcode::kSelect, {ElementType::kPred, type, type}, type);
    ASSERT_TRUE(select.ok()) << select.status();
    const size_t bytes = static_cast<size_t>(StorageBytes(type));
    for (const int64_t count : {1, 15, 16, 64, 131}) {
      for (unsigned uniform = 0; uniform < 8; ++uniform) {
        Tensor predicates = RandomTensor(ElementType::kPred, {count}, random);
        for (int64_t i = 0; i < count; ++i) predicates.mutable_data()[i] = random() % 2;
        Tensor branches[] = {RandomTensor(type, {count}, random), RandomTensor(type, {count}, random)};
        const LaneOperand operands[] = {{predicates.data(), (uniform & 1) != 0},
                                        {branches[0].data(), (uniform & 2) != 0},
                                        {branches[1].data(), (uniform & 4) != 0}};
        std::vector<uint8_t> expected, actual(static_cast<size_t>(count) * bytes);
        for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
          const LaneOperand& chosen = operands[predicates.data()[operands[0].is_uniform ? 0 : i] != 0 ? 1 : 2];
          const uint8_t* const element = chosen.data + (chosen.is_uniform ? 0 : i) * bytes;
          expected.insert(expected.end(), element, element + bytes);
        }
        (*select)(operands, actual.data(), count);
        EXPECT_EQ(actual, expected) << ElementTypeName(type) << " " << count << " " << uniform;
        if ((uniform & 4) != 0) continue;
        (*select)(operands, branches[1].mutable_data(), count);
        EXPECT_EQ(std::memcmp(branches[1].data(), expected.data(), expected.size()), 0) << ElementTypeName(type);
      }
    }
  }
}

TEST(ArrayLanesTest, LargeArraysAreSplitIntoBlocks) {
  std::mt19937 random(8);
  for (int repetition = 0; repetition < 4; ++repetition) {
    CheckViews({Opcode::kPower, {ElementType::kF32, ElementType::kF32}, ElementType::kF32}, {61, 700}, random);
    CheckViews({Opcode::kAdd, {ElementType::kF16, ElementType::kF16}, ElementType::kF16}, {300, 7, 30}, random);
  }
}

TEST(ArrayLanesTest, DimensionsInWhichAllOperandsRepeatAreComputedOnce) {
  const float number[] = {2.5f};
  const Tensor scalar = *Tensor::FromValues<float>(ElementType::kF32, {}, number);
  // More elements than any machine could hold.
  const std::vector<int64_t> dimensions = {1 << 20, 1 << 20, 1 << 20};
  const Tensor repeated = scalar.View(dimensions, {0, 0, 0}, 0);
  const Shape shape = Shape::Array(ElementType::kF32, dimensions);
  const absl::StatusOr<Value> result =
      SingleInstruction(Opcode::kAdd, {shape, shape}, shape).Evaluate({Value(repeated), Value(repeated)});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->tensor().dimensions(), absl::MakeConstSpan(dimensions));
  EXPECT_EQ(*reinterpret_cast<const float*>(result->tensor().At({5, 6, 7})), 5.0f);
}

TEST(ArrayLanesTest, ScalarBoundsAndPredicatesServeEveryElement) {
  const float values[] = {-3, -0.5f, 2, 9};
  const float bounds[] = {-1, 2};
  const Tensor x = *Tensor::FromValues<float>(ElementType::kF32, {4}, values);
  const Tensor low = *Tensor::FromValues<float>(ElementType::kF32, {}, absl::MakeConstSpan(bounds, 1));
  const Tensor high = *Tensor::FromValues<float>(ElementType::kF32, {}, absl::MakeConstSpan(bounds + 1, 1));
  const absl::StatusOr<Value> clamped =
      SingleInstruction(Opcode::kClamp, {low.shape(), x.shape(), high.shape()}, x.shape())
          .Evaluate({Value(low), Value(x), Value(high)});
  ASSERT_TRUE(clamped.ok()) << clamped.status();
  const float expected[] = {-1, -0.5f, 2, 2};
  EXPECT_TRUE(clamped->tensor().BitwiseEqual(*Tensor::FromValues<float>(ElementType::kF32, {4}, expected)));

  const uint8_t no[] = {0};
  const Tensor predicate = *Tensor::FromValues<uint8_t>(ElementType::kPred, {}, no);
  const absl::StatusOr<Value> selected =
      SingleInstruction(Opcode::kSelect, {predicate.shape(), x.shape(), x.shape()}, x.shape())
          .Evaluate({Value(predicate), Value(x), *clamped});
  ASSERT_TRUE(selected.ok()) << selected.status();
  EXPECT_TRUE(selected->BitwiseEqual(*clamped));
}

TEST(ArrayLanesTest, RunTimeSizesAreCombined) {
  const int32_t numbers[] = {1, 2, 3, 4};
  Tensor a = *Tensor::FromValues<int32_t>(ElementType::kS32, {4}, numbers);
  Tensor b = a, one = a;
  const Shape shape = a.shape();
  a.set_dynamic_sizes({3});
  SingleInstruction add(Opcode::kAdd, {shape, shape}, shape);
  const absl::StatusOr<Value> different = add.Evaluate({Value(a), Value(b)});
  EXPECT_EQ(different.status().code(), absl::StatusCode::kInvalidArgument) << different.status();

  b.set_dynamic_sizes({3});
  const absl::StatusOr<Value> equal = add.Evaluate({Value(a), Value(b)});
  ASSERT_TRUE(equal.ok()) << equal.status();
  EXPECT_EQ(equal->tensor().dynamic_sizes(), absl::MakeConstSpan({int64_t{3}}));

  one.set_dynamic_sizes({1});
  const absl::StatusOr<Value> stretched = add.Evaluate({Value(one), Value(a)});
  ASSERT_TRUE(stretched.ok()) << stretched.status();
  EXPECT_EQ(stretched->tensor().dynamic_sizes(), absl::MakeConstSpan({int64_t{3}}));
  EXPECT_EQ(*reinterpret_cast<const int32_t*>(stretched->tensor().At({2})), 4);  // 1 + 3
}

TEST(ArrayLanesTest, MixedPrecisionRoundsToTheResult) {
  const float wide[] = {1.00390625f};
  const uint16_t narrow[] = {0x3f80};  // 1
  const Tensor a = *Tensor::FromValues<float>(ElementType::kF32, {1}, wide);
  const Tensor b = *Tensor::FromValues<uint16_t>(ElementType::kBF16, {1}, narrow);
  const absl::StatusOr<Value> sum =
      SingleInstruction(Opcode::kAdd, {a.shape(), b.shape()}, a.shape()).Evaluate({Value(a), Value(b)});
  ASSERT_TRUE(sum.ok()) << sum.status();
  EXPECT_EQ(*sum->tensor().data_as<float>(), 2.00390625f);
  const absl::StatusOr<Value> rounded =
      SingleInstruction(Opcode::kAdd, {a.shape(), b.shape()}, b.shape()).Evaluate({Value(a), Value(b)});
  ASSERT_TRUE(rounded.ok()) << rounded.status();
  EXPECT_EQ(*rounded->tensor().data_as<uint16_t>(), 0x4000);  // 2
}

// The loops of complex numbers give parts of the numbers' own type, which may be wider than the result.
TEST(ArrayLanesTest, PartsOfComplexNumbersAreRoundedToTheResult) {
  const std::complex<double> numbers[] = {{3, 4}, {-0.25, 1.00390625}, {6, -8}};
  const Tensor x = *Tensor::FromValues<std::complex<double>>(ElementType::kC128, {3}, numbers);
  const auto part = [&](Opcode opcode, ElementType type) {
    const absl::StatusOr<Value> result =
        SingleInstruction(opcode, {x.shape()}, Shape::Array(type, {3})).Evaluate({Value(x)});
    EXPECT_TRUE(result.ok()) << result.status();
    return result->tensor();
  };
  const Tensor size = part(Opcode::kAbs, ElementType::kF32);
  EXPECT_THAT(absl::MakeSpan(size.data_as<float>(), 3), ::testing::ElementsAre(5, 1.0345664024f, 10));
  const Tensor real = part(Opcode::kReal, ElementType::kF32);
  EXPECT_THAT(absl::MakeSpan(real.data_as<float>(), 3), ::testing::ElementsAre(3, -0.25f, 6));
  const Tensor imaginary = part(Opcode::kImag, ElementType::kBF16);
  EXPECT_THAT(absl::MakeSpan(imaginary.data_as<uint16_t>(), 3), ::testing::ElementsAre(0x4080, 0x3f80, 0xc100));
  // What is narrower than the result is widened.
  const std::complex<float> narrow[] = {{3, 4}};
  const Tensor y = *Tensor::FromValues<std::complex<float>>(ElementType::kC64, {1}, narrow);
  const absl::StatusOr<Value> wide =
      SingleInstruction(Opcode::kAbs, {y.shape()}, Shape::Array(ElementType::kF64, {1})).Evaluate({Value(y)});
  ASSERT_TRUE(wide.ok()) << wide.status();
  EXPECT_EQ(*wide->tensor().data_as<double>(), 5);
}

TEST(ArrayLanesTest, MeaninglessTypesAreUnimplemented) {
  const Shape shape = Shape::Array(ElementType::kC64, {2});
  const Tensor x = *Tensor::Zeros(ElementType::kC64, {2});
  const absl::StatusOr<Value> result =
      SingleInstruction(Opcode::kRemainder, {shape, shape}, shape).Evaluate({Value(x), Value(x)});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(result.status().message(), "remainder is not defined for c64, c64 with a result of c64");
}

}  // namespace
}  // namespace hloscope::evaluator
