// SPDX-License-Identifier: Apache-2.0
// Checks of constant and iota (docs/ops/elementwise.md 10).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/ir/module.h"
#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

TEST(IotaRules, AcceptedAndRejected) {
  ExpectRules(R"(
    iota{iota_dimension=1} -> f32[0,3] : ok
    iota{iota_dimension=0} -> c64[2,3] : ok
    iota{iota_dimension=0} -> s4[10] : ok
    iota{iota_dimension=0} -> f32[] : iota-scalar at f32[]
    iota{iota_dimension=2} -> f32[2,3] : dimension-out-of-range at 2
    iota{iota_dimension=-1} -> f32[2,3] : dimension-out-of-range
    iota{iota_dimension=0} -> pred[4] : result-type-unsupported at pred
    iota{iota_dimension=0} -> (f32[4]) : result-not-array
  )");
}

TEST(ConstantRules, LiteralHasTheShapeOfTheInstruction) {
  Module module;
  const ComputationId entry = module.AddComputation("entry");
  const InstructionId constant =
      module.AddInstruction(entry, Opcode::kConstant, "c", Shape::Array(ElementType::kF32, {2}), {});
  module.mutable_instruction(constant).shape_declared = true;
  module.SetLiteral(constant, Literal(Shape::Array(ElementType::kF32, {3})));
  EXPECT_THAT(DiagnosticCodes(module, constant), testing::ElementsAre("constant-shape"));
  module.SetLiteral(constant, Literal(Shape::Array(ElementType::kF32, {2})));
  EXPECT_THAT(DiagnosticCodes(module, constant), testing::IsEmpty());
}

}  // namespace
}  // namespace hloscope
