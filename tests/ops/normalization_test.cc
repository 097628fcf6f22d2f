// SPDX-License-Identifier: Apache-2.0
// Shape rules and checks of batch normalization (docs/ops/tensor.md 8).
#include <gtest/gtest.h>

#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

TEST(BatchNormRules, Accepted) {
  ExpectRules(R"(
    batch-norm-training{epsilon=0, feature_index=1} f32[2,3], f32[3], f32[3] => (f32[2,3], f32[3], f32[3])
    batch-norm-training{epsilon=0, feature_index=0} f32[<=2,3], f32[<=2], f32[<=2] => (f32[<=2,3], f32[<=2], f32[<=2])
    batch-norm-inference{epsilon=1, feature_index=1} f32[1,2], f32[2], f32[2], f32[2], f32[2] => f32[1,2]
    batch-norm-grad{epsilon=1, feature_index=1} f32[2,1], f32[1], f32[1], f32[1], f32[2,1] => (f32[2,1], f32[1], f32[1])
  )");
}

TEST(BatchNormRules, Rejected) {
  ExpectRules(R"(
    batch-norm-training{epsilon=0, feature_index=2} f32[2,3], f32[3], f32[3] -> (f32[2,3], f32[3], f32[3]) : dimension-out-of-range at 2
    batch-norm-grad{epsilon=1, feature_index=-1} f32[2,1], f32[1], f32[1], f32[1], f32[2,1] -> (f32[2,1], f32[1], f32[1]) : dimension-out-of-range
    batch-norm-training{epsilon=0, feature_index=0} f32[], f32[3], f32[3] -> (f32[], f32[3], f32[3]) : dimension-out-of-range
    batch-norm-training{epsilon=0, feature_index=1} s32[2,3], f32[3], f32[3] -> (f32[2,3], f32[3], f32[3]) : operand-element-type at p0
    batch-norm-grad{epsilon=1, feature_index=1} f32[2,1], f32[1], f32[1], f32[1], s32[2,1] -> (f32[2,1], f32[1], f32[1]) : operand-element-type at p4
    batch-norm-training{epsilon=0, feature_index=1} f32[2,3], f32[], f32[3,1] -> (f32[2,3], f32[3], f32[3]) : feature-vector at p1
    batch-norm-inference{epsilon=1, feature_index=1} f32[1,2], f32[2], f32[2], f32[2,2], f32[2] -> f32[1,2] : feature-vector at p3
    batch-norm-training{epsilon=0, feature_index=1} f32[2,3], f32[2], f32[3] -> (f32[2,3], f32[3], f32[3]) : feature-vector at p1
    batch-norm-training{epsilon=0, feature_index=1} f32[2,3], s32[3], f32[3] -> (f32[2,3], f32[3], f32[3]) : operand-types-differ at p1
    batch-norm-training{epsilon=0, feature_index=1} bf16[2,3], f32[3], f32[3] -> (bf16[2,3], bf16[3], bf16[3]) : mixed-precision at p1
    batch-norm-grad{epsilon=1, feature_index=1} f32[2,1], f32[1], f32[1], f32[1], f32[1,2] -> (f32[2,1], f32[1], f32[1]) : operand-shapes-differ at p4
    batch-norm-inference{epsilon=1, feature_index=1} f32[1,2], f32[2], f32[2], f32[2], f32[2] -> f32[2,2] : declared-shape
  )");
}

}  // namespace
}  // namespace hloscope
