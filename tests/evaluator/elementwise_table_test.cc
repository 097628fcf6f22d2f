// SPDX-License-Identifier: Apache-2.0
// The table of elementwise opcodes (core/ir/elementwise.def) and the loops that are made from it.
#include "core/ir/elementwise_table.h"

#include <optional>
#include <string>

#include "core/ir/opcode.h"
#include "evaluator/kernels/lanes/lane_loops.h"
#include "gtest/gtest.h"

namespace hloscope::evaluator {
namespace {

TEST(ElementwiseTableTest, EveryElementwiseOpcodeHasARow) {
  int rows = 0;
  for (Opcode opcode : AllOpcodes()) {
    const std::optional<ElementwiseInfo> info = ElementwiseInfoOf(opcode);
    const bool depends_on_more = opcode == Opcode::kCompare || opcode == Opcode::kSelect;
    EXPECT_EQ(info.has_value(), InfoOf(opcode).family == OpFamily::kElementwise && !depends_on_more)
        << OpcodeName(opcode);
    rows += info ? 1 : 0;
  }
  EXPECT_GT(rows, 40);
}

TEST(ElementwiseTableTest, ThereAreLoopsForTheKindsThatHaveAFunction) {
  for (Opcode opcode : AllOpcodes()) {
    const std::optional<ElementwiseInfo> info = ElementwiseInfoOf(opcode);
    const auto has_function = [&](ElementKind kind) { return info && !info->FunctionOf(kind).empty(); };
    const std::string name(OpcodeName(opcode));
    EXPECT_EQ(PredicateLoop(opcode).loop != nullptr, has_function(ElementKind::kPredicate)) << name;
    EXPECT_EQ(IntegerLoop(opcode, ElementType::kS32).loop != nullptr, has_function(ElementKind::kSigned)) << name;
    EXPECT_EQ(IntegerLoop(opcode, ElementType::kU8).loop != nullptr, has_function(ElementKind::kUnsigned)) << name;
    EXPECT_EQ(FloatLoop(opcode, ElementType::kF32).loop != nullptr, has_function(ElementKind::kFloat)) << name;
    EXPECT_EQ(FloatLoop(opcode, ElementType::kF64).loop != nullptr, has_function(ElementKind::kFloat)) << name;
    EXPECT_EQ(ComplexLoop(opcode, ElementType::kC64).loop != nullptr, has_function(ElementKind::kComplex)) << name;
  }
  EXPECT_EQ(PredicateLoop(Opcode::kSubtract).loop, nullptr);
  EXPECT_NE(FloatLoop(Opcode::kCeil, ElementType::kF64).loop, nullptr);
  EXPECT_EQ(FloatLoop(Opcode::kAsin, ElementType::kF64).nanoseconds,
            ElementwiseInfoOf(Opcode::kAsin)->float_nanoseconds);
}

TEST(ElementwiseTableTest, TranscendentalFunctionsAreThoseOfTheMathematicalLibrary) {
  EXPECT_TRUE(ElementwiseInfoOf(Opcode::kSqrt)->is_transcendental);
  EXPECT_TRUE(ElementwiseInfoOf(Opcode::kAtan2)->is_transcendental);
  EXPECT_FALSE(ElementwiseInfoOf(Opcode::kDivide)->is_transcendental);
  EXPECT_FALSE(ElementwiseInfoOf(Opcode::kRemainder)->is_transcendental);
}

}  // namespace
}  // namespace hloscope::evaluator
