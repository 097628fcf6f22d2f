// SPDX-License-Identifier: Apache-2.0
// Shape rules and checks of reduce, reduce-window, map and scan, with the reducer and window contracts
// (docs/ops/tensor.md 0.5, 0.6, 3).
#include <gtest/gtest.h>

#include <limits>

#include "core/ops/window_rules.h"
#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

TEST(ReduceRules, Accepted) {
  ExpectRules(R"(
    reduce{dimensions={1}, to_apply=sub_s32} s32[2,3], s32[] => s32[2]
    reduce{dimensions={1,0}, to_apply=new_s32} s32[2,2], s32[] => s32[]
    reduce{dimensions={}, to_apply=add_s32} s32[2,2], s32[] => s32[2,2]
    reduce{dimensions={0}, to_apply=add_s32} s32[<=4,<=3], s32[] => s32[<=3]
    reduce{dimensions={0}, to_apply=argmax_f32_s32} f32[4], s32[4], f32[], s32[] => (f32[], s32[])
  )");
}

TEST(ReduceRules, Rejected) {
  ExpectRules(R"(
    reduce{dimensions={0}, to_apply=add_s32} -> s32[] : operand-count
    reduce{dimensions={0}, to_apply=add_s32} s32[2], s32[], s32[] -> s32[] : operand-count
    reduce{dimensions={0}, to_apply=argmax_f32_s32} f32[4], s32[5], f32[], s32[] -> (f32[], s32[]) : operand-shapes-differ at p1
    reduce{dimensions={2}, to_apply=add_s32} s32[2,3], s32[] -> s32[2] : dimension-out-of-range at 2
    reduce{dimensions={1,1}, to_apply=add_s32} s32[2,3], s32[] -> s32[2] : duplicate-dimension
    reduce{dimensions={1}, to_apply=add_s32} s32[2,3], s32[1] -> s32[2] : operand-not-scalar at p1
    reduce{dimensions={1}, to_apply=add_s32} s32[2,3], s32[] -> s32[3] : declared-shape
    reduce{dimensions={1}, to_apply=add_f32} f32[2,3], bf16[] -> f32[2] : mixed-precision at p1 | called-parameter
    reduce{dimensions={1}, to_apply=add_s32} (s32[2,3]), s32[] -> s32[2] : operand-not-array at p0
  )");
}

constexpr char kReducers[] = R"(
one { ROOT a = s32[] parameter(0) }
pair {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT t = (s32[], s32[]) tuple(a, b)
}
single_tuple {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  c = s32[] add(a, b)
  ROOT t = (s32[]) tuple(c)
}
vector {
  a = s32[1] parameter(0)
  b = s32[1] parameter(1)
  ROOT c = s32[1] add(a, b)
}
two_values_array {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT e = s32[] add(a, c)
}
three_results {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT t = (s32[], s32[], s32[]) tuple(a, b, c)
}
widening {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = f32[] convert(a)
}
token_result {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = token[] after-all()
}
accumulate_wide {
  a = f32[] parameter(0)
  b = bf16[] parameter(1)
  c = f32[] convert(b)
  ROOT d = f32[] add(a, c)
}
)";

TEST(ReducerContract, Violations) {
  ExpectRules(R"(
    reduce{dimensions={0}, to_apply=one} s32[2], s32[] -> s32[] : called-parameter-count at to_apply=one
    reduce{dimensions={0}, to_apply=two_values_array} s32[2], s32[2], s32[], s32[] -> s32[] : called-result
    reduce{dimensions={0}, to_apply=three_results} s32[2], s32[2], s32[], s32[] -> s32[] : called-result
    reduce{dimensions={0}, to_apply=pair} s32[2], s32[] -> s32[] : called-result
    reduce{dimensions={0}, to_apply=token_result} s32[2], s32[] -> s32[] : called-result
    reduce{dimensions={0}, to_apply=vector} s32[2], s32[] -> s32[] : called-result
    reduce{dimensions={0}, to_apply=widening} s32[2], s32[] -> f32[] : called-parameter | reducer-init | called-parameter
    reduce{dimensions={0}, to_apply=add_f32} f32[2], s32[] -> f32[] : reducer-init
    reduce{dimensions={0}, to_apply=add_f32} s32[2], f32[] -> f32[] : called-parameter
    reduce{dimensions={0}, to_apply=add_f32} bf16[2], bf16[] -> f32[] : called-parameter | called-parameter
    reduce{dimensions={0}, to_apply=single_tuple} s32[2], s32[] => (s32[])
  )",
              kReducers);
}

TEST(ReducerContract, PrecisionIsForgivenWhenMixedPrecisionIsAllowed) {
  VerifyOptions options;
  options.allow_mixed_precision = true;
  ExpectRules(R"(
    reduce{dimensions={0}, to_apply=add_f32} bf16[2], bf16[] => f32[]
    reduce{dimensions={0}, to_apply=accumulate_wide} bf16[2], f32[] => f32[]
  )",
              kReducers, options);
}

TEST(ReduceWindowRules, AcceptedAndRejected) {
  ExpectRules(R"(
    reduce-window{window={size=3 stride=2 pad=1_1}, to_apply=min_s32} s32[5], s32[] => s32[3]
    reduce-window{window={size=2x1 stride=3x1 pad=1_2x0_0 lhs_dilate=3x1 rhs_dilate=4x1}, to_apply=add_s32} s32[3,2], s32[] => s32[2,2]
    reduce-window{window={size=2 pad=-1_-1}, to_apply=add_s32} s32[5], s32[] => s32[2]
    reduce-window{window={size=2 pad=1_2 lhs_dilate=4}, to_apply=add_s32} s32[0], s32[] => s32[2]
    reduce-window{window={size=3}, to_apply=add_s32} s32[2], s32[] => s32[0]
    reduce-window{window={size=2 stride=2}, to_apply=argmax_f32_s32} f32[4], s32[4], f32[], s32[] => (f32[2], s32[2])
    reduce-window{to_apply=add_s32} s32[], s32[] => s32[]
    reduce-window{window={size=2}, to_apply=add_s32} s32[<=5], s32[] => s32[<=4]
    reduce-window{window={size=2}, to_apply=add_s32} s32[5], s32[], s32[] -> s32[4] : operand-count
    reduce-window{window={size=2}, to_apply=argmax_f32_s32} f32[4], s32[5], f32[], s32[] -> (f32[3], s32[3]) : operand-shapes-differ
    reduce-window{to_apply=add_s32} s32[2], s32[] -> s32[2] : window-rank
    reduce-window{window={size=2x2}, to_apply=add_s32} s32[5], s32[] -> s32[4] : window-rank at window={size=2x2}
    reduce-window{window={size=1 pad=-1_-1}, to_apply=add_s32} s32[1], s32[] -> s32[0] : window-padded-base
    reduce-window{window={size=0}, to_apply=add_s32} s32[1], s32[] -> s32[0] : window-field
    reduce-window{window={size=2 lhs_dilate=0}, to_apply=add_s32} s32[1], s32[] -> s32[0] : window-field
    reduce-window{window={size=2 stride=0 rhs_dilate=0}, to_apply=add_s32} s32[1], s32[] -> s32[0] : window-field | window-field
    reduce-window{window={size=2 rhs_reversal=1}, to_apply=add_s32} s32[3], s32[] => s32[2]
    reduce-window{window={size=1 pad=9223372036854775807_1}, to_apply=add_s32} s32[3], s32[] -> s32[2] : size-overflow
    reduce-window{window={size=2}, to_apply=add_f32} f32[3], bf16[] -> bf16[2] : called-parameter
  )");
}

TEST(MapRules, AcceptedAndRejected) {
  ExpectRules(R"(
    map{dimensions={0}, to_apply=fma_s32} s32[3], s32[3], s32[3] => s32[3]
    map{dimensions={0}, to_apply=ge_f32} f32[2], f32[2] => pred[2]
    map{to_apply=ge_f32} f32[2,2], f32[2,2] => pred[2,2]
    map{dimensions={0}, to_apply=ge_f32} -> pred[2] : operand-count
    map{dimensions={0}, to_apply=ge_f32} f32[2], f32[] -> pred[2] : operand-shapes-differ at p1
    map{dimensions={1,0}, to_apply=ge_f32} f32[2,2], f32[2,2] => pred[2,2]
    map{dimensions={0}, to_apply=ge_f32} f32[2,2], f32[2,2] => pred[2,2]
    map{dimensions={0}, to_apply=ge_f32} f32[2] -> pred[2] : called-parameter-count
    map{dimensions={0}, to_apply=vector} s32[2], s32[2] -> s32[2] : called-parameter | called-parameter | called-result
    map{dimensions={0}, to_apply=ge_f32} f32[2], s32[2] -> pred[2] : called-parameter
    map{dimensions={0}, to_apply=ge_f32} bf16[2], bf16[2] -> pred[2] : called-parameter | called-parameter
    map{dimensions={0}, to_apply=ge_f32} f32[2], f32[2] -> f32[2] : declared-shape
  )",
              kReducers);
}

constexpr char kScans[] = R"(
carry_changes {
  x = s32[] parameter(0)
  c = s32[] parameter(1)
  f = f32[] convert(c)
  ROOT t = (s32[], f32[]) tuple(x, f)
}
generate {
  c = s32[] parameter(0)
  ROOT t = (s32[], s32[]) tuple(c, c)
}
only_carry { ROOT c = s32[] parameter(0) }
square { c = s32[] parameter(0) ROOT r = s32[] multiply(c, c) }
)";

TEST(ScanRules, AcceptedAndRejected) {
  ExpectRules(R"(
    scan{dimensions={0}, num_carries=1, to_apply=cumsum_s32} s32[4], s32[] => (s32[4], s32[])
    scan{dimensions={1}, num_carries=1, is_reverse=true, to_apply=cumsum_s32x2} s32[2,3], s32[2] => (s32[2,3], s32[2])
    scan{dimensions={0}, num_carries=1, to_apply=cumsum_s32} s32[0], s32[] => (s32[0], s32[])
    scan{dimensions={0}, num_carries=1, to_apply=generate} s32[] -> (s32[7], s32[]) => (s32[7], s32[])
    scan{dimensions={0,1}, num_carries=1, to_apply=cumsum_s32} s32[4], s32[] -> (s32[4], s32[]) : entry-count
    scan{dimensions={-1}, num_carries=1, to_apply=cumsum_s32} s32[4], s32[] -> (s32[4], s32[]) : negative-dimension
    scan{dimensions={0}, num_carries=3, to_apply=cumsum_s32} s32[4], s32[] -> (s32[4], s32[]) : scan-carry-count
    scan{dimensions={0}, num_carries=-1, to_apply=cumsum_s32} s32[4], s32[] -> (s32[4], s32[]) : scan-carry-count
    scan{dimensions={0}, num_carries=0, to_apply=square} s32[4] -> s32[4] => s32[4]
    scan{dimensions={0}, num_carries=0, to_apply=square} s32[4] -> (s32[4]) => (s32[4])
    scan{dimensions={0}, num_carries=1, to_apply=only_carry} s32[] -> s32[] : scan-empty
    scan{dimensions={0}, num_carries=1, to_apply=cumsum_s32} s32[4], s32[4], s32[] -> (s32[4], s32[]) : called-parameter-count
    scan{dimensions={0}, num_carries=1, to_apply=cumsum_s32} s32[4], s32[] -> s32[4] : declared-shape
    scan{dimensions={1}, num_carries=1, to_apply=cumsum_s32} s32[4], s32[] -> (s32[4], s32[]) : dimension-out-of-range
    scan{dimensions={0}, num_carries=1, to_apply=addpair_s32} s32[4], s32[5], s32[4], s32[] -> (s32[4], s32[]) : scan-size at p1
    scan{dimensions={0}, num_carries=1, to_apply=cumsum_s32} f32[4], s32[] -> (s32[4], s32[]) : called-parameter
    scan{dimensions={0}, num_carries=1, to_apply=cumsum_s32} s32[4], s32[2] -> (s32[4], s32[]) : called-parameter
    scan{dimensions={0}, num_carries=1, to_apply=carry_changes} s32[4], s32[] -> (s32[4], f32[]) : scan-carry
    scan{dimensions={0}, num_carries=1, to_apply=cumsum_s32} s32[4], s32[] -> (s32[5], s32[]) : declared-shape
    scan{dimensions={0}, num_carries=1, to_apply=cumsum_s32} s32[<=4], s32[] -> (s32[4], s32[]) : scan-dynamic at p0
  )",
              kScans);
}

TEST(ScanRules, NonAssociativeScansEndWithLayoutAssignment) {
  VerifyOptions options;
  options.layout_sensitive = true;
  ExpectRules(R"(
    scan{dimensions={0}, num_carries=1, to_apply=cumsum_s32} s32[4], s32[] -> (s32[4], s32[]) : scan-not-expanded at scan
    scan{dimensions={0}, num_carries=1, is_associative=true, to_apply=cumsum_s32} s32[4], s32[] -> (s32[4], s32[]) : ok
  )",
              "", options);
}

TEST(WindowCount, FollowsTheFormula) {
  WindowDimension w;
  w.size = 3;
  EXPECT_EQ(WindowCount(5, w), 3);
  w.stride = 2;
  EXPECT_EQ(WindowCount(5, w), 2);
  w.padding_low = w.padding_high = 1;
  EXPECT_EQ(WindowCount(5, w), 3);
  w = WindowDimension();
  w.base_dilation = 4;
  EXPECT_EQ(WindowCount(0, w), 0);
  EXPECT_EQ(WindowCount(1, w), 1);
  EXPECT_EQ(WindowCount(2, w), 5);
  w = WindowDimension();
  w.padding_low = -3;
  EXPECT_EQ(WindowCount(2, w), std::nullopt);
  EXPECT_EQ(WindowCount(3, w), 0);
  w.padding_low = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(WindowCount(2, w), std::nullopt);
}

}  // namespace
}  // namespace hloscope
