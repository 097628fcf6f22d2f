// SPDX-License-Identifier: Apache-2.0
// Shape rule and checks of convolution (docs/ops/tensor.md 4).
#include <gtest/gtest.h>

#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

TEST(ConvolutionRules, Accepted) {
  ExpectRules(R"(
    convolution{window={size=3 stride=2 pad=1_1}, dim_labels=bf0_oi0->bf0} s32[1,1,5], s32[1,1,3] => s32[1,1,3]
    convolution{window={size=2 rhs_dilate=3 rhs_reversal=1}, dim_labels=b0f_0io->b0f} s32[1,6,1], s32[2,1,1] => s32[1,3,1]
    convolution{window={size=2 pad=-1_0 lhs_dilate=2}, dim_labels=b0f_0io->b0f} s32[1,3,1], s32[2,1,1] => s32[1,3,1]
    convolution{window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=2} s32[1,2,2], s32[1,1,4] => s32[1,2,4]
    convolution{window={size=1}, dim_labels=b0f_0io->b0f, batch_group_count=2} s32[4,1,1], s32[1,1,2] => s32[2,1,2]
    convolution{window={size=2x2}, dim_labels=b01f_o01i->1fb0} s32[1,2,3,1], s32[1,2,2,1] => s32[2,1,1,1]
    convolution{dim_labels=bf_io->bf} s32[2,2], s32[2,1] => s32[2,1]
    convolution{dim_labels=bf_io->bf} f32[2,2], bf16[2,1] => f32[2,1]
    convolution{dim_labels=bf_io->bf} s32[2,2], s32[2,1] -> s8[2,1] => s8[2,1]
    convolution{dim_labels=bf_io->bf, sparsity_config={rhs={sparsity=1x3 dimension=0 stride=1 idx=2}}} f32[1,6], f32[2,1], s32[2,1] => f32[1,1]
    convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[<=4,6,1], f32[2,1,3] => f32[<=4,5,3]
  )");
}

TEST(ConvolutionRules, Rejected) {
  ExpectRules(R"(
    convolution{dim_labels=bf_io->bf, feature_group_count=0} f32[2,2], f32[2,1] -> f32[2,1] : group-count at 0
    convolution{dim_labels=bf_io->bf, batch_group_count=-1} f32[2,2], f32[2,1] -> f32[2,1] : group-count at -1
    convolution{dim_labels=bf_io->bf, feature_group_count=2, batch_group_count=2} f32[2,2], f32[1,2] -> f32[2,1] : group-counts
    convolution{window={size=3}, dim_labels=bf_io->bf} f32[2,2], f32[2,1] -> f32[2,1] : convolution-window
    convolution{dim_labels=b0f_0io->b0f} f32[1,6,1], f32[2,1,1] -> f32[1,5,1] : convolution-window
    convolution{dim_labels=bf_io->bf} f32[2,2,2], f32[2] -> f32[2,1] : convolution-rank at p0 | convolution-rank at p1
    convolution{window={size=3}, dim_labels=bf0_oi0->bb0} f32[1,1,5], f32[1,1,3] -> f32[1,1,3] : dim-label-repeated
    convolution{window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=2} f32[1,2,3], f32[1,1,4] -> f32[1,2,4] : group-division at feature_group_count=2
    convolution{window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=2} f32[1,2,2], f32[1,1,3] -> f32[1,2,3] : group-division
    convolution{window={size=1}, dim_labels=b0f_0io->b0f, batch_group_count=2} f32[3,1,1], f32[1,1,2] -> f32[1,1,2] : group-division
    convolution{window={size=1}, dim_labels=b0f_0io->b0f, batch_group_count=2} f32[4,1,1], f32[1,1,3] -> f32[2,1,3] : group-division
    convolution{window={size=1}, dim_labels=b0f_0io->b0f} f32[1,2,2], f32[1,3,4] -> f32[1,2,4] : convolution-features at p1
    convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,6,1], f32[3,1,1] -> f32[1,5,1] : kernel-size
    convolution{window={size=0}, dim_labels=b0f_0io->b0f} f32[1,6,1], f32[0,1,1] -> f32[1,5,1] : window-field
    convolution{window={size=1 pad=-4_-3}, dim_labels=b0f_0io->b0f} f32[1,6,1], f32[1,1,1] -> f32[1,5,1] : window-padded-base
    convolution{dim_labels=bf_io->bf} f32[2,2], f32[2,<=1] -> f32[2,1] : kernel-output-dynamic at p1
    convolution{dim_labels=bf_io->bf} f32[2,2] -> f32[2,1] : operand-count
    convolution{dim_labels=bf_io->bf} f32[2,2], f32[2,1], f32[2] -> f32[2,1] : operand-count
    convolution{dim_labels=bf_io->bf} f32[2,2], f32[2,1] -> f32[2,2] : declared-shape
    convolution{dim_labels=bf_io->bf, sparsity_config={rhs={sparsity=1x3 dimension=0 stride=1 idx=1}}} f32[1,6], f32[2,1], s32[2,1] -> f32[1,1] : sparsity
    convolution{dim_labels=bf_io->bf, sparsity_config={rhs={sparsity=2x4 dimension=0 stride=1 idx=2}}} f32[1,8], f32[2,1], s32[2,1] -> f32[1,1] : sparsity
    convolution{dim_labels=bf_io->bf, sparsity_config={rhs={sparsity=1x3 dimension=0 stride=2 idx=2}}} f32[1,6], f32[2,1], s32[2,1] -> f32[1,1] : sparsity
    convolution{dim_labels=bf_io->bf, sparsity_config={rhs={sparsity=1x3 dimension=2 stride=1 idx=2}}} f32[1,2], f32[2,1], s32[2,1] -> f32[1,1] : sparsity
    convolution{dim_labels=bf_io->bf, sparsity_config={rhs={sparsity=1x3 dimension=0 stride=1 idx=2}}} f32[1,6], f32[2,1], s32[3,1] -> f32[1,1] : sparsity
  )");
}

}  // namespace
}  // namespace hloscope
