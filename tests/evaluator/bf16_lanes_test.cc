// SPDX-License-Identifier: Apache-2.0
// Loops from bf16 to bf16 give what loops on f32 give between a widening and a rounding.
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "evaluator/kernels/lanes/lane_function.h"
#include "gtest/gtest.h"

namespace hloscope::evaluator {
namespace {

constexpr Opcode kUnary[] = {Opcode::kAbs,   Opcode::kNegate,      Opcode::kSqrt,
                             Opcode::kRsqrt, Opcode::kExponential, Opcode::kExponentialMinusOne,
                             Opcode::kLog,   Opcode::kLogPlusOne,  Opcode::kLogistic,
                             Opcode::kSinh,  Opcode::kCosh,        Opcode::kTanh,
                             Opcode::kSine,  Opcode::kSign,        Opcode::kFloor,
                             Opcode::kErf,   Opcode::kTan,         Opcode::kCosine,
                             Opcode::kCbrt};
constexpr Opcode kBinary[] = {Opcode::kAdd,    Opcode::kSubtract, Opcode::kMultiply,
                              Opcode::kDivide, Opcode::kMaximum,  Opcode::kMinimum,
                              Opcode::kPower,  Opcode::kAtan2,    Opcode::kRemainder};

template <typename T>
LaneOperand OperandOf(const std::vector<T>& elements, bool is_uniform = false) {
  return {reinterpret_cast<const uint8_t*>(elements.data()), is_uniform};
}

template <typename To, typename From>
std::vector<To> Converted(const std::vector<From>& elements, ElementType from, ElementType to) {
  std::vector<To> converted(elements.size());
  const LaneOperand operand = OperandOf(elements);
  LaneFunction::Convert(from, to)(&operand, reinterpret_cast<uint8_t*>(converted.data()),
                                  static_cast<int64_t>(elements.size()));
  return converted;
}

struct Operand {
  std::vector<uint16_t> elements;
  bool is_uniform = false;
};

// Both ways for `count` lanes.
void ExpectSame(Opcode opcode, const std::vector<Operand>& operands, int64_t count) {
  SCOPED_TRACE(OpcodeName(opcode));
  const std::vector<ElementType> narrow_types(operands.size(), ElementType::kBF16);
  const std::vector<ElementType> wide_types(operands.size(), ElementType::kF32);
  const auto narrow = LaneFunction::Create(opcode, narrow_types, ElementType::kBF16);
  const auto wide = LaneFunction::Create(opcode, wide_types, ElementType::kF32);
  ASSERT_TRUE(narrow.ok() && wide.ok());
  std::vector<std::vector<float>> widened;
  std::vector<LaneOperand> narrow_lanes, wide_lanes;
  for (const Operand& operand : operands) {
    widened.push_back(Converted<float>(operand.elements, ElementType::kBF16, ElementType::kF32));
    narrow_lanes.push_back(OperandOf(operand.elements, operand.is_uniform));
  }
  for (size_t k = 0; k < operands.size(); ++k) wide_lanes.push_back(OperandOf(widened[k], operands[k].is_uniform));
  std::vector<uint16_t> direct(static_cast<size_t>(count));
  std::vector<float> sums(static_cast<size_t>(count));
  (*narrow)(narrow_lanes.data(), reinterpret_cast<uint8_t*>(direct.data()), count);
  (*wide)(wide_lanes.data(), reinterpret_cast<uint8_t*>(sums.data()), count);
  EXPECT_EQ(direct, Converted<uint16_t>(sums, ElementType::kF32, ElementType::kBF16));
}

TEST(Bf16LanesTest, UnaryLoopsAgreeOnEveryNumber) {
  Operand all;
  for (uint32_t code = 0; code < (1 << 16); ++code) all.elements.push_back(static_cast<uint16_t>(code));
  for (Opcode opcode : kUnary) ExpectSame(opcode, {all}, 1 << 16);
}

TEST(Bf16LanesTest, BinaryLoopsAndClampAgree) {
  std::mt19937 random(1);
  const auto numbers = [&](size_t count) {
    Operand operand;
    for (size_t i = 0; i < count; ++i) operand.elements.push_back(static_cast<uint16_t>(random()));
    return operand;
  };
  Operand one = numbers(1);
  one.is_uniform = true;
  for (Opcode opcode : kBinary) {
    for (const size_t count : {size_t{1}, size_t{17}, size_t{5000}}) {
      ExpectSame(opcode, {numbers(count), numbers(count)}, static_cast<int64_t>(count));
      ExpectSame(opcode, {one, numbers(count)}, static_cast<int64_t>(count));
      ExpectSame(opcode, {numbers(count), one}, static_cast<int64_t>(count));
      ExpectSame(opcode, {one, one}, static_cast<int64_t>(count));
    }
  }
  for (const size_t count : {size_t{1}, size_t{17}, size_t{5000}}) {
    ExpectSame(Opcode::kClamp, {numbers(count), numbers(count), numbers(count)}, static_cast<int64_t>(count));
    ExpectSame(Opcode::kClamp, {one, numbers(count), one}, static_cast<int64_t>(count));
    ExpectSame(Opcode::kClamp, {one, numbers(count), numbers(count)}, static_cast<int64_t>(count));
    ExpectSame(Opcode::kClamp, {numbers(count), one, numbers(count)}, static_cast<int64_t>(count));
  }
}

TEST(Bf16LanesTest, AResultMayTakeThePlaceOfAnOperand) {
  const auto add = LaneFunction::Create(Opcode::kAdd, {ElementType::kBF16, ElementType::kBF16}, ElementType::kBF16);
  ASSERT_TRUE(add.ok());
  std::vector<uint16_t> a(1000, 0x3f80), b(1000, 0x4000);
  const LaneOperand operands[] = {OperandOf(a), OperandOf(b)};
  (*add)(operands, reinterpret_cast<uint8_t*>(a.data()), 1000);
  EXPECT_EQ(a, std::vector<uint16_t>(1000, 0x4040));
}

}  // namespace
}  // namespace hloscope::evaluator
