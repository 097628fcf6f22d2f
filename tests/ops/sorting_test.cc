// SPDX-License-Identifier: Apache-2.0
// Shape rules and checks of sort and topk (docs/ops/tensor.md 7).
#include <gtest/gtest.h>

#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

TEST(SortRules, AcceptedAndRejected) {
  ExpectRules(R"(
    sort{dimensions={1}, to_apply=lt_s32} s32[2,3] => s32[2,3]
    sort{dimensions={0}, is_stable=true, to_apply=lt_s32_f32} s32[4], f32[4] => (s32[4], f32[4])
    sort{dimensions={0}, to_apply=lt_f32} bf16[<=4] => bf16[<=4]
    sort{dimensions={0}, to_apply=lt_s32} -> s32[2] : operand-count
    sort{dimensions={0,1}, to_apply=lt_s32} s32[2,3] -> s32[2,3] : entry-count
    sort{dimensions={2}, to_apply=lt_s32} s32[2,3] -> s32[2,3] : dimension-out-of-range
    sort{dimensions={0}, to_apply=lt_s32} s32[] -> s32[] : dimension-out-of-range
    sort{dimensions={0}, to_apply=lt_s32_f32} s32[4], f32[5] -> (s32[4], f32[5]) : operand-shapes-differ at p1
    sort{dimensions={0}, to_apply=add_s32} s32[4] -> s32[4] : called-result
    sort{dimensions={0}, to_apply=lt_s32} s32[4], s32[4] -> (s32[4], s32[4]) : called-parameter-count
    sort{dimensions={0}, to_apply=lt_s32} f32[4] -> f32[4] : called-parameter | called-parameter
    sort{dimensions={0}, to_apply=lt_s32} s32[4] -> (s32[4]) : declared-shape
  )");
}

TEST(TopkRules, AcceptedAndRejected) {
  ExpectRules(R"(
    topk{k=3} f32[5] => (f32[3], s32[3])
    topk{k=2, largest=false} s32[<=2,<=4] => (s32[<=2,2], s32[<=2,2])
    topk{k=0} f32[3] => (f32[0], s32[0])
    topk{k=1} pred[3] => (pred[1], s32[1])
    topk{k=1} f32[] -> (f32[], s32[]) : topk-scalar at p0
    topk{k=4} f32[3] -> (f32[4], s32[4]) : topk-count at 4
    topk{k=-1} f32[3] -> (f32[4], s32[4]) : topk-count
    topk{k=1} c64[3] -> (c64[1], s32[1]) : operand-element-type at p0
    topk{k=1} c64[3] -> (c64[2], s32[1]) : declared-shape | operand-element-type at p0
    topk{k=1} f32[3] -> (f32[1], s64[1]) : declared-shape
  )");
}

}  // namespace
}  // namespace hloscope
