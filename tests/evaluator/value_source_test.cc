// SPDX-License-Identifier: Apache-2.0
// constant, iota and the opcodes that route values.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tests/support/element_values.h"
#include "tests/support/kernel_test_support.h"

namespace hloscope::evaluator {
namespace {

void ExpectElements(const absl::StatusOr<Value>& value, ElementType type, std::vector<std::string> expected) {
  ASSERT_TRUE(value.ok()) << value.status();
  const absl::StatusOr<Tensor> dense = value->tensor().Contiguous();
  ASSERT_TRUE(dense.ok()) << dense.status();
  ASSERT_EQ(dense->element_type(), type);
  ASSERT_EQ(dense->element_count(), static_cast<int64_t>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) {
    uint8_t bytes[16] = {};
    ASSERT_TRUE(ReadElement(type, expected[i], bytes));
    const uint8_t* actual = dense->data() + static_cast<int64_t>(i) * StorageBytes(type);
    EXPECT_TRUE(ElementsIdentical(type, actual, bytes))
        << i << ": " << PrintElement(type, actual) << ", not " << expected[i];
  }
}

absl::StatusOr<Value> Iota(ElementType type, absl::Span<const int64_t> dimensions, int64_t dimension) {
  SingleInstruction instruction(Opcode::kIota, {}, Shape::Array(type, dimensions));
  instruction.module().AddInt(instruction.id(), AttributeKind::kIotaDimension, dimension);
  return instruction.Evaluate({});
}

TEST(IotaTest, WorkedVectors) {
  ExpectElements(Iota(ElementType::kS32, {2, 3}, 1), ElementType::kS32, {"0", "1", "2", "0", "1", "2"});
  ExpectElements(Iota(ElementType::kS32, {2, 3}, 0), ElementType::kS32, {"0", "0", "0", "1", "1", "1"});
  ExpectElements(Iota(ElementType::kS4, {10}, 0), ElementType::kS4,
                 {"0", "1", "2", "3", "4", "5", "6", "7", "-8", "-7"});
  ExpectElements(Iota(ElementType::kU2, {6}, 0), ElementType::kU2, {"0", "1", "2", "3", "0", "1"});
  ExpectElements(Iota(ElementType::kS2, {5}, 0), ElementType::kS2, {"0", "1", "-2", "-1", "0"});
  ExpectElements(Iota(ElementType::kF4E2M1FN, {9}, 0), ElementType::kF4E2M1FN,
                 {"0", "1", "2", "3", "4", "4", "6", "6", "6"});
  ExpectElements(Iota(ElementType::kF8E8M0FNU, {7}, 0), ElementType::kF8E8M0FNU, {"nan", "1", "2", "4", "4", "4", "8"});
  ExpectElements(Iota(ElementType::kC64, {2}, 0), ElementType::kC64, {"(0,0)", "(1,0)"});
}

TEST(IotaTest, RoundsBeyondTheMantissa) {
  const auto at = [](ElementType type, int64_t index) {
    const absl::StatusOr<Value> value = Iota(type, {70000}, 0);
    EXPECT_TRUE(value.ok()) << value.status();
    return PrintElement(type, value->tensor().At({index}));
  };
  EXPECT_EQ(at(ElementType::kBF16, 257), "256[#4380]");
  EXPECT_EQ(at(ElementType::kBF16, 259), "260[#4382]");
  EXPECT_EQ(at(ElementType::kF16, 2049), "2048[#6800]");
  EXPECT_EQ(at(ElementType::kF16, 65520), "inf[#7c00]");
  EXPECT_EQ(at(ElementType::kF8E4M3FN, 464), "448[#7e]");
  EXPECT_EQ(at(ElementType::kF8E4M3FN, 465), "nan[#7f]");
  EXPECT_EQ(at(ElementType::kS8, 128), "-128");
}

TEST(IotaTest, TakesNoMemoryForTheDimensionsItRepeatsIn) {
  const int64_t huge = int64_t{1} << 40;
  const absl::StatusOr<Value> value = Iota(ElementType::kF32, {huge, 3}, 1);
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_EQ(*reinterpret_cast<const float*>(value->tensor().At({huge - 1, 2})), 2.0f);
  const absl::StatusOr<Value> empty = Iota(ElementType::kF32, {std::numeric_limits<int64_t>::max(), 0}, 0);
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_EQ(empty->tensor().element_count(), 0);
}

TEST(ConstantTest, LiteralsBecomeValues) {
  const Shape shape = Shape::Array(ElementType::kS16, {2, 2});
  SingleInstruction constant(Opcode::kConstant, {}, shape);
  Literal literal(shape);
  literal.mutable_bytes() = {1, 0, 2, 0, 3, 0};
  constant.module().SetLiteral(constant.id(), literal);
  ExpectElements(constant.Evaluate({}), ElementType::kS16, {"1", "2", "3", "0"});
}

TEST(ConstantTest, OneRepeatedNumberIsStoredOnce) {
  const Shape shape = Shape::Array(ElementType::kS16, {3, 2});
  SingleInstruction constant(Opcode::kConstant, {}, shape);
  Literal literal(shape);
  for (int i = 0; i < 6; ++i) literal.mutable_bytes().insert(literal.mutable_bytes().end(), {5, 1});
  constant.module().SetLiteral(constant.id(), literal);
  const absl::StatusOr<Value> value = constant.Evaluate({});
  ExpectElements(value, ElementType::kS16, {"261", "261", "261", "261", "261", "261"});
  EXPECT_EQ(value->tensor().strides(), absl::MakeConstSpan({int64_t{0}, int64_t{0}}));

  const Shape zeros = Shape::Array(ElementType::kF32, {1 << 20, 1 << 20});
  SingleInstruction zero(Opcode::kConstant, {}, zeros);
  zero.module().SetLiteral(zero.id(), Literal(zeros));
  const absl::StatusOr<Value> nothing = zero.Evaluate({});
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_EQ(*reinterpret_cast<const float*>(nothing->tensor().At({77, 88})), 0.0f);
}

TEST(ConstantTest, ElidedValuesAreNamed) {
  const Shape shape = Shape::Array(ElementType::kF32, {2});
  SingleInstruction constant(Opcode::kConstant, {}, shape);
  Literal literal(shape);
  literal.set_elided();
  constant.module().SetLiteral(constant.id(), literal);
  const absl::Status status = constant.Evaluate({}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(absl::StartsWith(status.message(), "constant result: ")) << status;
}

TEST(TupleTest, ValuesAreRouted) {
  const int32_t number[] = {7};
  const Value seven(*Tensor::FromValues<int32_t>(ElementType::kS32, {}, number));
  const Shape scalar = Shape::Scalar(ElementType::kS32);
  const Shape pair = Shape::Tuple({scalar, Shape::Token()});
  const absl::StatusOr<Value> tuple =
      SingleInstruction(Opcode::kTuple, {scalar, Shape::Token()}, pair).Evaluate({seven, Value::Token()});
  ASSERT_TRUE(tuple.ok()) << tuple.status();
  ASSERT_EQ(tuple->elements().size(), 2u);
  EXPECT_TRUE(tuple->elements()[0].BitwiseEqual(seven));

  for (int64_t index : {0, 1, 2, -1}) {
    SingleInstruction get(Opcode::kGetTupleElement, {pair}, scalar);
    get.module().AddInt(get.id(), AttributeKind::kIndex, index);
    const absl::StatusOr<Value> element = get.Evaluate({*tuple});
    ASSERT_EQ(element.ok(), index == 0 || index == 1);
    if (!element.ok()) continue;
    EXPECT_EQ(element->BitwiseEqual(seven), index == 0);
    EXPECT_EQ(element->IsToken(), index == 1);
  }
  for (Opcode opcode : {Opcode::kOptBarrier, Opcode::kDomain}) {
    const absl::StatusOr<Value> same = SingleInstruction(opcode, {pair}, pair).Evaluate({*tuple});
    ASSERT_TRUE(same.ok()) << same.status();
    EXPECT_TRUE(same->BitwiseEqual(*tuple));
  }
  const absl::StatusOr<Value> token = SingleInstruction(Opcode::kAfterAll, {}, Shape::Token()).Evaluate({});
  ASSERT_TRUE(token.ok()) << token.status();
  EXPECT_TRUE(token->IsToken());
  const absl::StatusOr<Value> depends =
      SingleInstruction(Opcode::kAddDependency, {scalar, Shape::Token()}, scalar).Evaluate({seven, *token});
  ASSERT_TRUE(depends.ok()) << depends.status();
  EXPECT_TRUE(depends->BitwiseEqual(seven));
}

absl::StatusOr<Value> BitcastConvert(ElementType from, std::vector<int64_t> from_dimensions,
                                     std::vector<std::string> values, ElementType to,
                                     std::vector<int64_t> to_dimensions) {
  Tensor operand = *Tensor::Allocate(from, from_dimensions);
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_TRUE(ReadElement(from, values[i], operand.mutable_data() + static_cast<int64_t>(i) * StorageBytes(from)));
  }
  return SingleInstruction(Opcode::kBitcastConvert, {operand.shape()}, Shape::Array(to, to_dimensions))
      .Evaluate({Value(operand)});
}

TEST(BitcastConvertTest, WidthsMayDiffer) {
  ExpectElements(BitcastConvert(ElementType::kU32, {2}, {"287454020", "1"}, ElementType::kU8, {2, 4}), ElementType::kU8,
                 {"68", "51", "34", "17", "1", "0", "0", "0"});
  ExpectElements(
      BitcastConvert(ElementType::kU8, {2, 4}, {"0", "0", "128", "63", "0", "0", "0", "192"}, ElementType::kF32, {2}),
      ElementType::kF32, {"1", "-2"});
  ExpectElements(BitcastConvert(ElementType::kF32, {}, {"1.5"}, ElementType::kU16, {2}), ElementType::kU16,
                 {"0", "16320"});
  ExpectElements(BitcastConvert(ElementType::kU16, {}, {"6703"}, ElementType::kS4, {4}), ElementType::kS4,
                 {"-1", "2", "-6", "1"});
  ExpectElements(BitcastConvert(ElementType::kU4, {2}, {"14", "1"}, ElementType::kU2, {2, 2}), ElementType::kU2,
                 {"2", "3", "1", "0"});
  ExpectElements(BitcastConvert(ElementType::kU2, {2, 2}, {"2", "3", "1", "0"}, ElementType::kU4, {2}),
                 ElementType::kU4, {"14", "1"});
  ExpectElements(BitcastConvert(ElementType::kS4, {4}, {"-1", "2", "-6", "1"}, ElementType::kS16, {}),
                 ElementType::kS16, {"6703"});
  ExpectElements(BitcastConvert(ElementType::kU16, {2}, {"256", "3"}, ElementType::kPred, {2, 2}), ElementType::kPred,
                 {"0", "1", "1", "0"});
  ExpectElements(BitcastConvert(ElementType::kC128, {1}, {"(1.5,-2)"}, ElementType::kC64, {1, 2}), ElementType::kC64,
                 {"(0,1.9375)", "(0,-2)"});
}

}  // namespace
}  // namespace hloscope::evaluator
