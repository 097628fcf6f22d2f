// SPDX-License-Identifier: Apache-2.0
// Shape rules and checks of gather, scatter and select-and-scatter (docs/ops/tensor.md 2).
#include <gtest/gtest.h>

#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

TEST(GatherRules, Accepted) {
  ExpectRules(R"(
    gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}} s32[3,2], s32[2] => s32[2,2]
    gather{offset_dims={0,2}, collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=0, slice_sizes={2,2}} s32[3,4], s32[2,5] => s32[2,5,2]
    gather{offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={1,0}, index_vector_dim=1, slice_sizes={1,1}} s32[3,4], u8[3,2] => s32[3]
    gather{offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={1}, index_vector_dim=2, slice_sizes={1,1}} s32[2,3], s32[3,2] => s32[3,2]
    gather{offset_dims={0}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=0, slice_sizes={2}} s32[3], s32[] => s32[2]
    gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}} s32[3,<=2], s32[<=5] => s32[<=5,<=2]
    gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,1}} s32[3,<=2], s32[5] => s32[5,1]
  )");
}

TEST(GatherRules, Rejected) {
  ExpectRules(R"(
    gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}} s32[3,2], f32[2] -> s32[2,2] : operand-element-type at p1
    gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, slice_sizes={1,2}} s32[3,2], s32[2] -> s32[2,2] : index-vector-dim at 2
    gather{offset_dims={1,0}, collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=0, slice_sizes={2,2}} s32[3,4], s32[2,2] -> s32[2,2,2] : unsorted-dimensions at {1,0}
    gather{offset_dims={1,1}, collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=0, slice_sizes={2,2}} s32[3,4], s32[2,2] -> s32[2,2,2] : duplicate-dimension at 1
    gather{offset_dims={2}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}} s32[3,2], s32[2] -> s32[2,2] : dimension-out-of-range at 2
    gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,2}} s32[3,2], s32[2] -> s32[2,2] : entry-count at {0,1}
    gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={2}, index_vector_dim=1, slice_sizes={1,2}} s32[3,2], s32[2] -> s32[2,2] : dimension-out-of-range at 2
    gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0,0}, index_vector_dim=1, slice_sizes={1,2}} s32[3,2], s32[2,2] -> s32[2,2] : duplicate-dimension at 0
    gather{offset_dims={1}, collapsed_slice_dims={2}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}} s32[3,2], s32[2] -> s32[2,2] : dimension-out-of-range at 2
    gather{offset_dims={1}, collapsed_slice_dims={1,0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,1,2}} s32[3,1,2], s32[2] -> s32[2,2] : unsorted-dimensions at {1,0}
    gather{offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}} s32[2,3], s32[3,2] -> s32[3,2] : batching-count
    gather{offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={2}, start_indices_batching_dims={1}, index_vector_dim=2, slice_sizes={1,1}} s32[2,3], s32[3,2] -> s32[3,2] : dimension-out-of-range at 2
    gather{offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={2}, index_vector_dim=2, slice_sizes={1,1}} s32[2,3], s32[3,2] -> s32[3,2] : batching-overlap at 2
    gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}} s32[3,2], s32[2] -> s32[2,2] : entry-count at {1}
    gather{offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}} s32[3,2], s32[2] -> s32[2] : indexed-rank at offset_dims={}
    gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}} s32[3,2], s32[2] -> s32[2,3] : slice-size at 3
    gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={2,2}} s32[3,2], s32[2] -> s32[2,2] : collapsed-slice-size
    gather{offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={1}, index_vector_dim=2, slice_sizes={1,1}} s32[2,3], s32[3,2] -> s32[3,2] : indexed-rank at offset_dims={} | batching-overlap at 0
    gather{offset_dims={}, collapsed_slice_dims={1}, start_index_map={0}, operand_batching_dims={0}, start_indices_batching_dims={1}, index_vector_dim=2, slice_sizes={1,1}} s32[2,3], s32[3,2] -> s32[3,2] : batching-overlap
    gather{offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={1}, index_vector_dim=1, slice_sizes={1,1}} s32[2,3], s32[2,1] -> s32[2] : batching-overlap at 1
    gather{offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}} s32[2,3], s32[3,2] -> s32[3,2] : batching-size
    gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}} s32[3,2], s32[2] -> s32[2,3] : declared-shape
  )");
}

TEST(ScatterRules, Accepted) {
  ExpectRules(R"(
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32} s32[4], s32[3], s32[3] => s32[4]
    scatter{update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=new_s32} s32[5], s32[3,1], s32[3,2] => s32[5]
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=addpair_s32} s32[3], s32[3], s32[2,1], s32[2], s32[2] => (s32[3], s32[3])
    scatter{update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=2, to_apply=add_s32} s32[2,3], s32[2,2], s32[2,2] => s32[2,3]
  )");
}

TEST(ScatterRules, Rejected) {
  ExpectRules(R"(
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32} s32[4], s32[3] -> s32[4] : operand-count
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32} s32[4] -> s32[4] : operand-count
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32} s32[4], pred[3], s32[3] -> s32[4] : operand-element-type at p1
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=-1, to_apply=add_s32} s32[4], s32[3], s32[3] -> s32[4] : index-vector-dim
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32} s32[4], s32[3], s32[3,1] -> s32[4] : updates-rank at p2
    scatter{update_window_dims={2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=new_s32} s32[5], s32[3,1], s32[3,2] -> s32[5] : dimension-out-of-range at 2
    scatter{update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32} s32[4], s32[3], s32[3] -> s32[4] : dimension-out-of-range at 1
    scatter{update_window_dims={}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32} s32[4], s32[3], s32[3] -> s32[4] : indexed-rank
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={}, index_vector_dim=1, to_apply=add_s32} s32[4], s32[3], s32[3] -> s32[4] : entry-count at {}
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={4}, index_vector_dim=1, to_apply=add_s32} s32[4], s32[3], s32[3] -> s32[4] : dimension-out-of-range
    scatter{update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={0,1}, index_vector_dim=2, to_apply=add_s32} s32[2,3], s32[2,2], s32[2,2] -> s32[2,3] : batching-count
    scatter{update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=new_s32} s32[5], s32[3,1], s32[3,6] -> s32[5] : updates-size at p2
    scatter{update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=new_s32} s32[5], s32[3,1], s32[4,2] -> s32[5] : updates-size at p2
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=addpair_s32} s32[3], s32[4], s32[2,1], s32[2], s32[2] -> (s32[3], s32[4]) : operand-shapes-differ at p1
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=addpair_s32} s32[3], s32[3], s32[2,1], s32[2], s32[3] -> (s32[3], s32[3]) : operand-shapes-differ at p4 | updates-size at p4
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32} s32[4], s32[3], f32[3] -> s32[4] : operand-types-differ at p2
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f32} f32[4], s32[3], bf16[3] -> f32[4] : mixed-precision at p2
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=fma_s32} s32[4], s32[3], s32[3] -> s32[4] : called-parameter-count at to_apply=fma_s32
    scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32} f32[4], s32[3], f32[3] -> f32[4] : reducer-init | called-parameter
  )");
}

TEST(SelectAndScatterRules, AcceptedAndRejected) {
  ExpectRules(R"(
    select-and-scatter{window={size=3 stride=2}, select=ge_s32, scatter=add_s32} s32[5], s32[2], s32[] => s32[5]
    select-and-scatter{window={size=2x2}, select=ge_s32, scatter=add_s32} s32[2,3], s32[1,2], s32[] => s32[2,3]
    select-and-scatter{window={size=1 stride=2 pad=1_2}, select=ge_s32, scatter=add_s32} s32[2], s32[3], s32[] => s32[2]
    select-and-scatter{window={size=3 stride=2}, select=fma_s32, scatter=add_s32} s32[5], s32[2], s32[] -> s32[5] : called-result at select=fma_s32 | called-parameter-count at select=fma_s32
    select-and-scatter{window={size=3 stride=2}, select=add_s32, scatter=add_s32} s32[5], s32[2], s32[] -> s32[5] : called-result at select=add_s32
    select-and-scatter{window={size=3 stride=2}, select=ge_f32, scatter=add_s32} s32[5], s32[2], s32[] -> s32[5] : called-parameter | called-parameter
    select-and-scatter{window={size=3 stride=2}, select=ge_s32, scatter=add_s32} s32[5], s32[3], s32[] -> s32[5] : source-shape at p1
    select-and-scatter{window={size=3 stride=2}, select=ge_s32, scatter=add_s32} s32[5], s32[2], s32[1] -> s32[5] : operand-not-scalar at p2
    select-and-scatter{window={size=3 stride=2}, select=ge_s32, scatter=add_f32} s32[5], s32[2], s32[] -> s32[5] : reducer-init | called-parameter
    select-and-scatter{window={size=3x1 stride=2x1}, select=ge_s32, scatter=add_s32} s32[5], s32[2], s32[] -> s32[5] : window-rank
    select-and-scatter{window={size=3 stride=2 rhs_reversal=1}, select=ge_s32, scatter=add_s32} s32[5], s32[2], s32[] => s32[5]
    select-and-scatter{window={size=3 stride=2}, select=ge_s32, scatter=add_s32} s32[5], s32[2], s32[] -> s32[4] : declared-shape
  )");
}

}  // namespace
}  // namespace hloscope
