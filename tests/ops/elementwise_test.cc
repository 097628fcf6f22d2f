// SPDX-License-Identifier: Apache-2.0
// Shape rules and checks of the elementwise ops (docs/ops/elementwise.md 2, 4-8).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

using ::testing::HasSubstr;

TEST(ElementwiseRules, ShapesOfTheSpecification) {
  ExpectRules(R"(
    // 2.4
    add f32[2,3], f32[2,3] -> f32[2,3] : ok
    add f32[], f32[2,3] -> f32[2,3] : implicit-broadcast at p0
    add f32[1,3], f32[2,3] -> f32[2,3] : implicit-broadcast at p0
    add f32[3], f32[2,3] -> f32[2,3] : operand-ranks-differ at p0
    add f32[2,3], f32[2,4] -> f32[2,4] : operand-shapes-differ at p1
    add f32[2], s32[2] -> f32[2] : operand-types-differ at p1
    add s32[2], s64[2] -> s64[2] : operand-types-differ at p1
    add f32[2], bf16[2] -> f32[2] : mixed-precision at p1
    add f32[2], f32[2] -> f32[3] : declared-shape at 3
    add f32[<=4], f32[4] -> f32[<=4] : ok
    add f32[<=4], f32[4] -> f32[4] : ok
    subtract pred[2], pred[2] -> pred[2] : operand-element-type at p0
    not f32[2] -> f32[2] : operand-element-type at p0
    shift-left f32[2], f32[2] -> f32[2] : undefined-for-type at p0
    is-finite f32[2] -> f32[2] : declared-shape
    is-finite s32[2] -> pred[2] : operand-element-type at p0
    abs c64[5] -> f32[5] : ok
    abs c64[5] -> c64[5] : declared-shape
    abs u8[5] -> u8[5] : operand-element-type at p0
    negate u8[5] -> u8[5] : ok
    tanh s32[2] -> s32[2] : operand-element-type at p0
    tanh (f32[2]) -> f32[2] : operand-not-array at p0
    add f32[2] -> f32[2] : operand-count
    // 6.2 clamp
    clamp f32[], f32[4], f32[] -> f32[4] : ok
    clamp f32[4], f32[4], f32[] -> f32[4] : ok
    clamp f32[1], f32[4], f32[4] -> f32[4] : clamp-bound at p0
    clamp s32[], f32[4], f32[] -> f32[4] : operand-types-differ at p0
    // 6.3 compare
    compare{direction=LT} f32[2], f32[2] -> pred[2] : ok
    compare{direction=LT,type=TOTALORDER} f32[2], f32[2] -> pred[2] : ok
    compare{direction=LT,type=TOTALORDER} s32[2], s32[2] -> pred[2] : ok
    compare{direction=LT,type=UNSIGNED} s32[2], s32[2] -> pred[2] : comparison-type at UNSIGNED
    compare{direction=LT} c64[2], c64[2] -> pred[2] : complex-order at LT
    compare{direction=LT} f32[2], f32[2] -> f32[2] : declared-shape
    // 6.4 select
    select pred[], f32[2,3], f32[2,3] -> f32[2,3] : ok
    select pred[2], f32[2,3], f32[2,3] -> f32[2,3] : select-predicate at p0
    select s32[2], f32[2], f32[2] -> f32[2] : operand-element-type at p0
    select s32[2], f32[2,3], f32[2,3] -> f32[2,3] : operand-element-type at p0
    select pred[2], f32[2], s32[2] -> f32[2] : select-branches at p2
    select pred[2], f32[2], f32[] -> f32[2] : select-branches at p2
    select pred[], (f32[2]), (f32[2]) -> (f32[2]) : operand-not-array at p1 | operand-not-array at p2
    select pred[2], f32[2], bf16[2] -> f32[2] : mixed-precision at p2
    // 8.1 complex
    complex f32[2], f32[2] -> c64[2] : ok
    complex f16[2], f16[2] -> c64[2] : complex-parts at p0, p1
    complex s32[2], s32[2] -> c64[2] : operand-element-type at p0
    complex f32[2], f32[2] -> f32[2] : declared-shape
  )");
}

// XLA accepts it, and there are modules that need it (A18).
TEST(ElementwiseRules, MaximumOfComplexNumbersIsAWarning) {
  ExpectRules("maximum c64[2], c64[2] -> c64[2] : complex-extremum at p0");
  ExpectRules("minimum c128[], c128[] -> c128[] : complex-extremum at p0");
}

TEST(ElementwiseRules, ElementTypes) {
  ExpectRules(R"(
    add pred[2], pred[2] -> pred[2] : ok
    and pred[2], pred[2] -> pred[2] : ok
    xor c64[2], c64[2] -> c64[2] : operand-element-type at p0
    remainder c64[2], c64[2] -> c64[2] : undefined-for-type at p0
    clamp c64[2], c64[2], c64[2] -> c64[2] : undefined-for-type at p0
    mulhi s32[2], s32[2] -> s32[2] : ok
    mulhi s4[2], s4[2] -> s4[2] : undefined-for-type at p0
    mulhi f32[2], f32[2] -> f32[2] : undefined-for-type at p0
    sign u8[2] -> u8[2] : operand-element-type at p0
    sign pred[2] -> pred[2] : operand-element-type at p0
    real f32[2] -> f32[2] : ok
    imag c128[2] -> f64[2] : ok
    real s32[2] -> s32[2] : operand-element-type at p0
    popcnt u4[2] -> u4[2] : ok
    popcnt pred[2] -> pred[2] : operand-element-type at p0
    cbrt c64[2] -> c64[2] : operand-element-type at p0
    erf f16[2] -> f16[2] : ok
    atan2 c64[2], c64[2] -> c64[2] : ok
    atan2 s32[2], s32[2] -> s32[2] : operand-element-type at p0
    complex f64[], f64[] => c128[]
    complex f32[], f64[] : complex-parts
    compare{direction=EQ} c64[2], c64[2] -> pred[2] : ok
    compare{direction=NE,type=FLOAT} c64[2], c64[2] -> pred[2] : ok
    compare{direction=GE,type=UNSIGNED} pred[2], pred[2] -> pred[2] : ok
    compare{direction=GE,type=SIGNED} u8[2], u8[2] -> pred[2] : comparison-type
    compare{direction=GE,type=UNSIGNED} f32[2], f32[2] -> pred[2] : comparison-type
    compare{direction=GE,type=FLOAT} s32[2], s32[2] -> pred[2] : comparison-type
    compare{direction=GE,order=PARTIAL} u8[2], u8[2] -> pred[2] : comparison-type
    compare{direction=GE,order=TOTAL} u8[2], u8[2] -> pred[2] : ok
    tanh token[] -> token[] : operand-not-array at p0
    // Two mistakes, two diagnostics; the pair of types is not reported on top.
    add token[], (f32[]) -> f32[] : operand-not-array at p0 | operand-not-array at p1
    subtract pred[2], f32[3] -> f32[3] : operand-element-type at p0 | operand-shapes-differ at p1
    add f32[2], s32[3] -> f32[2] : operand-types-differ at p1 | operand-shapes-differ at p1
    clamp s32[], f32[4], pred[3] -> f32[4] : operand-types-differ at p0 | operand-types-differ at p2 | clamp-bound at p2
  )");
}

TEST(ElementwiseRules, MixedPrecisionWhenAllowed) {
  VerifyOptions options;
  options.allow_mixed_precision = true;
  ExpectRules(R"(
    add f32[2], bf16[2] => f32[2]
    add f16[2], bf16[2] => bf16[2]
    add f8e8m0fnu[2], f16[2] => f8e8m0fnu[2]
    add f8e5m2[2], f16[2] => f16[2]
    select pred[], bf16[2], f32[2] => f32[2]
    clamp f32[], bf16[2], f32[] => bf16[2]
    add s32[2], f32[2] : operand-types-differ
  )",
              "", options);
}

TEST(ElementwiseRules, DynamicDimensions) {
  ExpectRules(R"(
    add f32[<=4], f32[4] => f32[<=4]
    add f32[4], f32[<=4] => f32[<=4]
    add f32[<=4], f32[<=5] : operand-shapes-differ
    add f32[<=4], f32[5] : operand-shapes-differ
    negate f32[<=4,2] => f32[<=4,2]
    compare{direction=EQ} f32[<=4,2], f32[4,<=2] => pred[<=4,<=2]
    select pred[<=3], f32[3], f32[3] => f32[<=3]
    select pred[], f32[3], f32[<=3] => f32[<=3]
    add f32[1], f32[<=4] : implicit-broadcast at p0
  )");
}

TEST(ElementwiseRules, ResultKeepsTheLeftLayout) {
  ExpectRules(R"(
    add f32[2,3]{0,1}, f32[2,3]{1,0} => f32[2,3]{0,1}
    compare{direction=EQ} s4[8]{0:E(4)}, s4[8]{0:E(4)} => pred[8]{0:E(4)}
    abs c64[8]{0} => f32[8]{0}
  )");
}

TEST(ElementwiseRules, MessagesSayWhatToInsert) {
  EXPECT_THAT(FirstMessage("add f32[], f32[2,3] -> f32[2,3]"),
              HasSubstr("HLO needs an explicit `f32[2,3] broadcast(p0), dimensions={}`"));
  EXPECT_THAT(FirstMessage("add f32[1,3], f32[2,3] -> f32[2,3]"),
              HasSubstr("HLO needs an explicit `f32[2,3] broadcast(f32[3] reshape(p0)), dimensions={1}`"));
  EXPECT_THAT(FirstMessage("add f32[2,3], f32[2] -> f32[2,3]"),
              HasSubstr("for example `f32[2,3] broadcast(p1), dimensions={0}`"));
  EXPECT_THAT(FirstMessage("abs u8[5] -> u8[5]"),
              "`abs`: operand 0 must be signed integer, floating-point or complex, got u8");
}

}  // namespace
}  // namespace hloscope
