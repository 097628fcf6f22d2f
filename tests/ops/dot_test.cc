// SPDX-License-Identifier: Apache-2.0
// Shape rules and checks of dot, ragged-dot and scaled-dot (docs/ops/tensor.md 5).
#include <gtest/gtest.h>

#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

TEST(DotRules, Accepted) {
  ExpectRules(R"(
    dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} s32[2,3], s32[3,2] => s32[2,2]
    dot{lhs_batch_dims={2}, rhs_batch_dims={0}, lhs_contracting_dims={0}, rhs_contracting_dims={1}} s32[2,3,2], s32[2,2] => s32[2,3]
    dot s32[2], s32[3] => s32[2,3]
    dot{lhs_contracting_dims={0}, rhs_contracting_dims={0}} s8[2], s8[2] -> s32[] => s32[]
    dot{lhs_contracting_dims={0}, rhs_contracting_dims={0}} bf16[2], f32[2] => f32[]
    dot{lhs_contracting_dims={0}, rhs_contracting_dims={0}} s8[2], u8[2] => s8[]
    dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[<=2,0], f32[0,3] => f32[<=2,3]
    dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={default,default}, algorithm=dot_bf16_bf16_f32} f32[2,3], f32[3,2] => f32[2,2]
    dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={highest,high}} f32[2,3], f32[3,2] => f32[2,2]
  )");
}

TEST(DotRules, Rejected) {
  ExpectRules(R"(
    dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[2,3], f32[2,3] -> f32[2,3] : dot-pair-size at 0
    dot{lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={0}, rhs_contracting_dims={1}} f32[2,3], f32[2,2] -> f32[2,3] : dot-dimension-reused at 0
    dot{lhs_contracting_dims={2}, rhs_contracting_dims={0}} f32[2,3], f32[3,2] -> f32[2,2] : dimension-out-of-range at 2
    dot{lhs_contracting_dims={1}, rhs_contracting_dims={-1}} f32[2,3], f32[3,2] -> f32[2,2] : dimension-out-of-range at -1
    dot{lhs_contracting_dims={1,1}, rhs_contracting_dims={0,1}} f32[2,3], f32[3,3] -> f32[2] : duplicate-dimension at 1
    dot{lhs_contracting_dims={1}, rhs_contracting_dims={}} f32[2,3], f32[3,2] -> f32[2,3,2] : dot-pair-count
    dot{lhs_batch_dims={0}, rhs_batch_dims={}, lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[2,3], f32[3,2] -> f32[2,2] : dot-pair-count
    dot{lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}} f32[2,3], f32[4,3] -> f32[2] : dot-pair-size at 0
    dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={high,default}, algorithm=dot_bf16_bf16_f32} f32[2,3], f32[3,2] -> f32[2,2] : dot-algorithm-precision
    dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[2,3], f32[3,2] -> f32[2,3] : declared-shape
    dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} (f32[2,3]), f32[3,2] -> f32[2,3] : operand-not-array at p0
    // Every list is checked.
    dot{lhs_batch_dims={5}, rhs_batch_dims={6}, lhs_contracting_dims={7}, rhs_contracting_dims={8}} f32[2], f32[2] -> f32[] : dimension-out-of-range | dimension-out-of-range | dimension-out-of-range | dimension-out-of-range
  )");
}

TEST(RaggedDotRules, AcceptedAndRejected) {
  ExpectRules(R"(
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} s32[4,2], s32[2,2,1], s32[2] => s32[4,1]
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}} s32[1,4], s32[4,1], s64[3] => s32[3,1,1]
    ragged-dot{lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}, lhs_ragged_dims={0}} s32[3,1,1], s32[3,1,1], s32[1] => s32[3,1,1]
    ragged-dot{lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}, lhs_ragged_dims={1}, rhs_group_dims={1}} f32[5,4,2], f32[5,3,2,1], s32[5,3] => f32[5,4,1]
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} s32[1,4], s32[4,1], s64[3] -> s32[3,1,1] : entry-count
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={0,1}} s32[1,4], s32[4,1], s64[3] -> s32[3,1,1] : entry-count
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={2}} s32[1,4], s32[4,1], s64[3] -> s32[3,1,1] : dimension-out-of-range at 2
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}} s32[1,4], s32[4,1], s64[2,2,3] -> s32[3,1,1] : group-sizes-shape at p2
    ragged-dot{lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}, lhs_ragged_dims={1}, rhs_group_dims={1}} f32[5,4,2], f32[5,3,2,1], s32[4,3] -> f32[5,4,1] : group-sizes-shape at p2
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={1}} s32[4,2], s32[2,2,1], s32[2] -> s32[4,1] : ragged-group-dimension
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={3}} s32[4,2], s32[2,2,1], s32[2] -> s32[4,1] : dimension-out-of-range
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}} s32[4,2], s32[2,2,1], s32[2] -> s32[4,1] : ragged-group-count
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}, rhs_group_dims={1}} s32[1,4], s32[4,1], s64[3] -> s32[3,1,1] : ragged-group-count
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} s32[4,2], s32[2,2,1], s32[3] -> s32[4,1] : ragged-group-size
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}} s32[1,4], s32[4,1], f32[3] -> s32[3,1,1] : operand-element-type at p2
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}} s32[1,4], s32[3,1], s64[3] -> s32[3,1,1] : dot-pair-size
    ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}} s32[1,4], s32[4,1], s64[] -> s32[3,1,1] : group-sizes-shape at p2
  )");
}

TEST(ScaledDotRules, AcceptedAndRejected) {
  ExpectRules(R"(
    scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[1,4], f32[4,1], f32[1,2], f32[4,1] -> f32[1,1] => f32[1,1]
    scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[2,2], f32[2,1], f32[1,1], f32[1,1] -> f32[2,1] => f32[2,1]
    scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} bf16[2,2], bf16[2,1], bf16[], f32[1,1] -> f32[2,1] : ok
    scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[2,10], f32[10,1], f32[2,3], f32[10,1] -> f32[2,1] : scale-size at p2
    scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[2,10], f32[10,1], f32[2], f32[10,1] -> f32[2,1] : scale-rank at p2
    scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[2,10], f32[10,1], f32[2,5], f32[] -> f32[2,1] : scale-rank at p3
    scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} bf16[2,2], bf16[2,1], bf16[], bf16[] -> f32[2,1] : no-scale
    scaled-dot f32[2], f32[3], f32[1], f32[1] -> f32[2,3] : entry-count
    scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[1,4], f32[4,1], f32[1,0], f32[4,1] -> f32[1,1] : scale-size
    scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[1,4], f32[3,1], f32[1,2], f32[3,1] -> f32[1,1] : dot-pair-size
  )");
}

}  // namespace
}  // namespace hloscope
