// SPDX-License-Identifier: Apache-2.0
// Shape rules and checks of the data-movement ops (docs/ops/tensor.md 1, 9).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "core/ops/factor_groups.h"
#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(DataMovementRules, Broadcast) {
  ExpectRules(R"(
    broadcast{dimensions={0}} s32[2] -> s32[2,3] : ok
    broadcast{dimensions={2,0}} s32[2,3] -> s32[3,2,2] : ok
    broadcast{dimensions={}} f32[] -> f32[2,0] : ok
    broadcast f32[] -> f32[4] : ok
    broadcast f32[] => f32[]
    broadcast{dimensions={0}} f32[2] : missing-shape
    broadcast f32[2] -> f32[2] : entry-count
    broadcast{dimensions={0}} s32[2,3] -> s32[2,3] : entry-count at {0}
    broadcast{dimensions={0}} s32[2] -> f32[2,3] : result-element-type at f32
    broadcast{dimensions={2}} s32[2] -> s32[3,2] : dimension-out-of-range at 2
    broadcast{dimensions={-1}} s32[2] -> s32[3,2] : dimension-out-of-range at -1
    broadcast{dimensions={0,1}} s32[1,3] -> s32[2,3] : broadcast-size at 0
    broadcast{dimensions={0,0}} s32[2,2] -> s32[2,2] : duplicate-dimension at 0
    broadcast{dimensions={0}} s32[2] -> (s32[2,3]) : result-not-array
    broadcast{dimensions={0,1}} s32[1,4] -> f32[2,3] : result-element-type | broadcast-size | broadcast-size
  )");
  EXPECT_THAT(FirstMessage("broadcast{dimensions={0,1}} s32[1,3] -> s32[2,3]"), HasSubstr("size 1 is not stretched"));
}

TEST(DataMovementRules, Reshape) {
  ExpectRules(R"(
    reshape s32[2,3] -> s32[3,1,2] : ok
    reshape s32[0,4] -> s32[2,0,5] : ok
    reshape s32[1,1] -> s32[] : ok
    reshape s32[2,3]{0,1} -> s32[6]{0} => s32[6]{0}
    reshape s32[2,3] -> s32[4] : element-count at [4]
    reshape s32[2,3] -> f32[6] : result-element-type at f32
    reshape s32[2,3] -> f32[4] : result-element-type | element-count
    reshape{inferred_dimension=1} s32[6] -> s32[2,3] : ok
    reshape{inferred_dimension=2} s32[6] -> s32[2,3] : dimension-out-of-range at 2
    // Dynamic sizes.
    reshape s32[<=6] -> s32[<=2,3] => s32[<=2,3]
    reshape s32[<=2,3] -> s32[<=6] => s32[<=6]
    reshape{inferred_dimension=1} s32[<=6] -> s32[2,<=3] => s32[2,<=3]
    reshape s32[<=6,4] -> s32[1,<=6,4] => s32[1,<=6,4]
    reshape s32[<=6] -> s32[1,1,<=6] => s32[1,1,<=6]
    reshape s32[<=1,4] -> s32[<=1,4] => s32[<=1,4]
    reshape s32[4,<=1] -> s32[2,2,<=1] => s32[2,2,<=1]
    reshape s32[4,<=1,4] -> s32[16] => s32[16]
    reshape s32[<=4,6] -> s32[3,8] => s32[3,8]
    reshape s32[<=2,?] -> s32[4] : ok
    reshape s32[4] -> s32[?] : unbounded-dimension
  )");
}

TEST(DataMovementRules, ReshapeOfSizesBeyond64Bits) {
  ExpectRules(R"(
    reshape s8[4611686018427387904,4] -> s8[4611686018427387904,8] : element-count-overflow
    reshape s8[4611686018427387904,4,0] -> s8[0] : ok
  )");
}

TEST(DataMovementRules, DynamicReshape) {
  ExpectRules(R"(
    dynamic-reshape s32[2,<=3], s32[] -> s32[<=6] : ok
    dynamic-reshape s32[<=6], s32[], s32[] -> s32[2,<=3] : ok
    dynamic-reshape s32[<=6], s32[], s32[] -> s32[2,<=4] : element-count at [2,<=4]
    dynamic-reshape s32[<=6], s32[] -> s32[2,<=3] : operand-count at p0, p1
    dynamic-reshape s32[<=6], s32[], s32[] -> f32[2,<=3] : result-element-type
    dynamic-reshape s32[<=6], s64[], s32[1] -> s32[2,<=3] : size-operand at p1 | size-operand at p2
  )");
}

TEST(DataMovementRules, Transpose) {
  ExpectRules(R"(
    transpose{dimensions={2,0,1}} s32[2,1,3] => s32[3,2,1]
    transpose{dimensions={1,0}} s32[2,<=3] => s32[<=3,2]
    transpose{dimensions={}} s32[] => s32[]
    transpose{dimensions={0}} s32[2,3] -> s32[2,3] : entry-count at {0}
    transpose{dimensions={0,0}} s32[2,3] -> s32[2,2] : not-a-permutation at 0
    transpose{dimensions={0,2}} s32[2,3] -> s32[2,3] : not-a-permutation
    transpose{dimensions={1,0}} s32[2,3] -> s32[2,3] : declared-shape at 2
  )");
  EXPECT_THAT(FirstMessage("transpose{dimensions={0,2}} s32[2,3] -> s32[2,3]"), HasSubstr("2 is out of range"));
}

TEST(DataMovementRules, Reverse) {
  ExpectRules(R"(
    reverse{dimensions={1,0}} s32[2,<=3] => s32[2,<=3]
    reverse{dimensions={}} s32[2,3] => s32[2,3]
    reverse{dimensions={1,1}} s32[2,3] -> s32[2,3] : duplicate-dimension at 1
    reverse{dimensions={2}} s32[2,3] -> s32[2,3] : dimension-out-of-range
    reverse{dimensions={-1,0,0}} s32[2,3] -> s32[2,3] : dimension-out-of-range | duplicate-dimension
  )");
}

TEST(DataMovementRules, Concatenate) {
  ExpectRules(R"(
    concatenate{dimensions={1}} s32[2,1], s32[2,0], s32[2,2] => s32[2,3]
    concatenate{dimensions={0}} s32[1,2] => s32[1,2]
    concatenate{dimensions={0}} s32[3], s32[<=4] => s32[<=7]
    concatenate{dimensions={0}} s32[<=3,2], s32[<=4,<=2] => s32[<=7,<=2]
    concatenate{dimensions={1}} s32[2,2], s32[3,2] -> s32[3,4] : concatenate-shapes at p1
    concatenate{dimensions={1}} s32[2,2], s32[<=3,2] -> s32[3,4] : concatenate-shapes at p1
    concatenate{dimensions={0}} s32[], s32[] -> s32[] : dimension-out-of-range
    concatenate{dimensions={0,1}} s32[2,2], s32[2,2] -> s32[4,2] : entry-count
    concatenate{dimensions={0}} -> s32[2] : operand-count
    concatenate{dimensions={0}} s32[2], s32[2,2] -> s32[4] : concatenate-shapes at p1
    concatenate{dimensions={0}} s32[2], f32[2] -> s32[4] : operand-types-differ at p1
    concatenate{dimensions={0}} f32[2], bf16[2] -> f32[4] : mixed-precision at p1
    concatenate{dimensions={0}} s8[9223372036854775807], s8[1] -> s8[1] : size-overflow at p1
    concatenate{dimensions={0}} s32[2], s32[3] -> s32[4] : declared-shape
  )");
}

TEST(DataMovementRules, Slice) {
  ExpectRules(R"(
    slice{slice={[1:6:2]}} s32[7] -> s32[3] : ok
    slice{slice={[0:3:2], [1:4:2]}} s32[3,4] -> s32[2,2] : ok
    slice{slice={[3:3]}} s32[3] -> s32[0] : ok
    slice{slice={[1:4]}} s32[3] -> s32[3] : slice-range at [1:4]
    slice{slice={[2:1]}} s32[3] -> s32[1] : slice-range
    slice{slice={[0:2:0]}} s32[3] -> s32[1] : slice-range
    slice{slice={[-1:2]}} s32[3] -> s32[3] : slice-range
    slice{slice={[0:2]}} s32[3,3] -> s32[2,3] : entry-count
    slice{slice={[-1:9], [2:1]}} s32[3,3] -> s32[2,3] : slice-range | slice-range | slice-range
    slice{slice={[0:2]}} s32[<=3] -> s32[2] => s32[<=2]
    slice{slice={[0:1]}} s32[<=3] -> s32[1] => s32[1]
    slice{slice={[0:9223372036854775807:2]}} s8[9223372036854775807] -> s8[4611686018427387904] : ok
    slice{slice={[0:2]}} s32[3] -> s32[3] : declared-shape
  )");
}

TEST(DataMovementRules, DynamicSlice) {
  ExpectRules(R"(
    dynamic-slice{dynamic_slice_sizes={2,3}} s32[3,4], s32[], s32[] -> s32[2,3] : ok
    dynamic-slice{dynamic_slice_sizes={2}} s32[5], s64[1] -> s32[2] : ok
    dynamic-slice{dynamic_slice_sizes={2}} s32[5], u8[] -> s32[2] : ok
    dynamic-slice{dynamic_slice_sizes={}} f32[] -> f32[] : ok
    dynamic-slice{dynamic_slice_sizes={0,3}} s32[3,4], s32[2] -> s32[0,3] : ok
    dynamic-slice{dynamic_slice_sizes={2,3}} s32[3,4], s32[] -> s32[2,3] : operand-count
    dynamic-slice{dynamic_slice_sizes={2,3}} s32[3,4], s32[3] -> s32[2,3] : start-index-shape at p1
    dynamic-slice{dynamic_slice_sizes={2,3}} s32[3,4], s32[], s32[1] -> s32[2,3] : start-index-shape at p2
    dynamic-slice{dynamic_slice_sizes={2}} s32[5], f32[] -> s32[2] : operand-element-type at p1
    dynamic-slice{dynamic_slice_sizes={2}} s32[5], pred[1] -> s32[2] : operand-element-type at p1
    dynamic-slice{dynamic_slice_sizes={2,3}} s32[3,4], s32[], s64[] -> s32[2,3] : index-types-differ at p2
    dynamic-slice{dynamic_slice_sizes={2}} s32[3,4], s32[], s32[] -> s32[2,3] : entry-count
    dynamic-slice{dynamic_slice_sizes={-1,3}} s32[3,4], s32[], s32[] -> s32[2,3] : slice-size
    dynamic-slice{dynamic_slice_sizes={4,5}} s32[3,4], s32[], s32[] -> s32[2,3] : slice-size | slice-size
    dynamic-slice{dynamic_slice_sizes={3,2}} s32[<=3,<=4], s32[], s32[] -> s32[3,2] => s32[<=3,2]
  )");
}

TEST(DataMovementRules, DynamicUpdateSlice) {
  ExpectRules(R"(
    dynamic-update-slice s32[3,3], s32[2,2], s32[], s32[] -> s32[3,3] : ok
    dynamic-update-slice s32[3], s32[0], s32[1] -> s32[3] : ok
    dynamic-update-slice s32[], s32[] -> s32[] : ok
    dynamic-update-slice b(s32[3]), s32[1], s32[] -> b(s32[3]) : ok
    dynamic-update-slice s32[3,3], s32[2,2], s32[] -> s32[3,3] : operand-count
    dynamic-update-slice s32[3] -> s32[3] : operand-count
    dynamic-update-slice s32[3,3], s32[2], s32[], s32[] -> s32[3,3] : update-shape at p1
    dynamic-update-slice s32[3], f32[2], s32[] -> s32[3] : operand-types-differ at p1
    dynamic-update-slice f32[3], bf16[2], s32[] -> f32[3] : mixed-precision at p1
    dynamic-update-slice s32[3], s32[4], s32[] -> s32[3] : update-shape at p1
    dynamic-update-slice s32[3], s32[2], s32[] -> s32[2] : declared-shape
    dynamic-update-slice s32[3], s32[<=3], s32[] -> s32[<=3] => s32[<=3]
    dynamic-update-slice s32[3], s32[<=2], s32[] -> s32[3] => s32[3]
  )");
}

TEST(DataMovementRules, Pad) {
  ExpectRules(R"(
    pad{padding=1_2_1} s32[3], s32[] => s32[8]
    pad{padding=-1_-1_1} s32[4], s32[] => s32[5]
    pad{padding=0_1x-1_0} s32[2,3], s32[] => s32[3,2]
    pad{padding=1_2_4x0_0} s32[0,2], s32[] => s32[3,2]
    pad{padding=1_0} s32[<=3], s32[] => s32[<=4]
    pad{padding=0_0} s32[2], s32[1] -> s32[2] : operand-not-scalar at p1
    pad{padding=0_0} s32[2,2], s32[] -> s32[2,2] : entry-count at 0_0
    pad{padding=0_0} s32[2], f32[] -> s32[2] : operand-types-differ at p1
    pad{padding=0_0} f32[2], bf16[] -> f32[2] : mixed-precision at p1
    pad{padding=-2_-1} s32[2], s32[] -> s32[0] : padded-size
    pad{padding=0_0_9223372036854775807} s32[4], s32[] -> s32[0] : size-overflow
    pad{padding=1_1} s32[2], s32[] -> s32[3] : declared-shape
  )");
}

// In a text the reader of `padding` reports it; modules built by other means may have one, too.
TEST(DataMovementRules, PadWithNegativeInterior) {
  ExpectRules("pad{padding=0_0_-1} s32[2], s32[] -> s32[1] : interior-padding");
  Module module;
  const ComputationId entry = module.AddComputation("entry");
  const Shape scalar = Shape::Scalar(ElementType::kS32), vector = Shape::Array(ElementType::kS32, {2});
  const InstructionId x = module.AddInstruction(entry, Opcode::kParameter, "x", vector, {});
  const InstructionId v = module.AddInstruction(entry, Opcode::kParameter, "v", scalar, {});
  const InstructionId pad = module.AddInstruction(entry, Opcode::kPad, "pad", vector, {x, v});
  module.AddPadding(pad, {{0, 0, -1}});
  EXPECT_THAT(DiagnosticCodes(module, pad), ElementsAre("interior-padding"));
}

TEST(DataMovementRules, CopyAndBitcast) {
  ExpectRules(R"(
    copy s32[2,3]{0,1} => s32[2,3]{0,1}
    copy s32[2,3]{0,1} -> s32[2,3]{1,0} : ok
    copy (s32[2], f32[]) -> (s32[2], f32[]) : ok
    copy s32[2,3] -> s32[3,2] : declared-shape
    copy (f32[], bf16[]) -> (f32[], bf16[]) : mixed-precision
    bitcast s32[2,3]{1,0} -> s32[3,2]{0,1} : ok
    bitcast s32[2,3] -> f32[6] : ok
  )");
}

TEST(FactorGroups, FollowTheProducts) {
  const auto groups = [](absl::Span<const int64_t> input, absl::Span<const int64_t> output) {
    std::string text;
    for (const FactorGroup& g : FactorGroups(input, output)) {
      absl::StrAppend(&text, "[", g.input_begin, ",", g.input_end, ")->[", g.output_begin, ",", g.output_end, ") ");
    }
    return text;
  };
  EXPECT_EQ(groups({2, 3}, {2, 3}), "[0,1)->[0,1) [1,2)->[1,2) ");
  EXPECT_EQ(groups({6}, {2, 3}), "[0,1)->[0,2) ");
  EXPECT_EQ(groups({4, 6}, {2, 2, 3, 2}), "[0,1)->[0,2) [1,2)->[2,4) ");
  EXPECT_EQ(groups({2, 6}, {3, 4}), "[0,2)->[0,2) ");
  EXPECT_EQ(groups({6}, {1, 6}), "[0,0)->[0,1) [0,1)->[1,2) ");
  EXPECT_EQ(groups({0, 4}, {2, 0, 5}), "[0,2)->[0,3) ");
  EXPECT_EQ(groups({}, {1}), "[0,0)->[0,1) ");
  EXPECT_EQ(groups({}, {}), "");
}

}  // namespace
}  // namespace hloscope
