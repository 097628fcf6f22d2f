// SPDX-License-Identifier: Apache-2.0
// Borders of the rules of elementwise operations, data movement, products, windows and reductions.
#include "tests/support/rule_pair_rows.h"

namespace hloscope {

absl::Span<const RulePairRow> BorderRowsOfArrays() {
  static constexpr RulePairRow kRows[] = {
      {"select-and-scatter{window={size=2}, select=ge_f32, scatter=add_f32} f32[@n], f32[@n-1], f32[] -> f32[@n]",
       "select-and-scatter{window={size=2}, select=ge_f32, scatter=add_f32} f32[@n], f32[@n], f32[] -> f32[@n]",
       "source-shape"},
      {"select-and-scatter{window={size=2}, select=ge_f32, scatter=add_f32} f32[@n], f32[@n-1], f32[] -> f32[@n]",
       "select-and-scatter{window={size=2x1}, select=ge_f32, scatter=add_f32} f32[@n], f32[@n-1], f32[] -> f32[@n]",
       "window-rank"},
      {"select-and-scatter{window={size=2}, select=ge_f32, scatter=add_f32} f32[@n], f32[@n-1], f32[] -> f32[@n]",
       "select-and-scatter{window={size=2}, select=ge_f32, scatter=add_f32} f32[@n], f32[@n-1], f32[1] -> f32[@n]",
       "operand-not-scalar"},
      {"select-and-scatter{window={size=2}, select=ge_f32, scatter=add_f32} f32[@n], f32[@n-1], f32[] -> f32[@n]",
       "select-and-scatter{window={size=2}, select=add_f32, scatter=add_f32} f32[@n], f32[@n-1], f32[] -> f32[@n]",
       "called-result"},
      {"select-and-scatter{window={size=2}, select=ge_f32, scatter=add_f32} f32[@n], f32[@n-1], f32[] -> f32[@n]",
       "select-and-scatter{window={size=2}, select=ge_f32, scatter=add_f32} f32[@n], f32[@n-1], f32[] -> f32[@n+1]",
       "declared-shape"},
      {"reduce-window{window={size=2}, to_apply=add_s32} s32[@n], s32[] -> s32[@n-1]",
       "reduce-window{window={size=2}, to_apply=add_s32} s32[@n], s32[] -> s32[@n]", "declared-shape"},
      {"reduce-window{window={size=2}, to_apply=add_s32} s32[@n], s32[] -> s32[@n-1]",
       "reduce-window{window={size=2}, to_apply=add_s32} s32[@n], s32[1] -> s32[@n-1]", "operand-not-scalar"},
      {"reduce-window{window={size=2}, to_apply=add_s32} s32[@n], s32[] -> s32[@n-1]",
       "reduce-window{window={size=0}, to_apply=add_s32} s32[@n], s32[] -> s32[@n-1]", "window-field"},
      {"reduce-window{window={size=2 pad=0_0}, to_apply=add_s32} s32[@n], s32[] -> s32[@n-1]",
       "reduce-window{window={size=2 pad=-@n_-1}, to_apply=add_s32} s32[@n], s32[] -> s32[@n-1]", "window-padded-base"},
      {"reduce{dimensions={0}, to_apply=addpair_s32} s32[@n], s32[@n], s32[], s32[] -> (s32[], s32[])",
       "reduce{dimensions={0}, to_apply=addpair_s32} s32[@n], s32[@n+1], s32[], s32[] -> (s32[], s32[])",
       "operand-shapes-differ"},
      {"scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
       "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
       "scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
       "to_apply=add_s32} s32[@n], f32[@m], s32[@m] -> s32[@n]",
       "operand-element-type"},
      {"scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
       "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
       "scatter{update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
       "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
       "dimension-out-of-range"},
      {"scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
       "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
       "scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={}, index_vector_dim=1, "
       "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
       "entry-count"},
      {"scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
       "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
       "scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
       "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n+1]",
       "declared-shape"},
      {"scatter{update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
       "index_vector_dim=1, to_apply=add_s32} s32[@n,@k], s32[@m], s32[@m,@k] -> s32[@n,@k]",
       "scatter{update_window_dims={2}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
       "index_vector_dim=1, to_apply=add_s32} s32[@n,@k], s32[@m], s32[@m,@k] -> s32[@n,@k]",
       "dimension-out-of-range"},
      {"scatter{update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={1}, "
       "input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=1, to_apply=add_s32} s32[@n,@k], "
       "s32[@n], s32[@n,@k] -> s32[@n,@k]",
       "scatter{update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={1}, "
       "input_batching_dims={0}, scatter_indices_batching_dims={}, index_vector_dim=1, to_apply=add_s32} s32[@n,@k], "
       "s32[@n], s32[@n,@k] -> s32[@n,@k]",
       "batching-count"},
      {"scatter{update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={1}, "
       "input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=1, to_apply=add_s32} s32[@n,@k], "
       "s32[@n], s32[@n,@k] -> s32[@n,@k]",
       "scatter{update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={1}, "
       "input_batching_dims={0}, scatter_indices_batching_dims={2}, index_vector_dim=1, to_apply=add_s32} s32[@n,@k], "
       "s32[@n], s32[@n,@k] -> s32[@n,@k]",
       "dimension-out-of-range"},
      {"gather{offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
       "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,@k}} s32[@n,@k], s32[@n] -> s32[@n,@k]",
       "gather{offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
       "start_indices_batching_dims={2}, index_vector_dim=1, slice_sizes={1,@k}} s32[@n,@k], s32[@n] -> s32[@n,@k]",
       "dimension-out-of-range"},
      {"gather{offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
       "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,@k}} s32[@n,@k], s32[@n] -> s32[@n,@k]",
       "gather{offset_dims={1}, collapsed_slice_dims={}, start_index_map={0}, operand_batching_dims={0}, "
       "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,@k}} s32[@n,@k], s32[@n] -> s32[@n,@k]",
       "batching-overlap"},
      {"gather{offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
       "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,@k}} s32[@n,@k], s32[@n] -> s32[@n,@k]",
       "gather{offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
       "start_indices_batching_dims={1}, index_vector_dim=1, slice_sizes={1,@k}} s32[@n,@k], s32[@n] -> s32[@n,@k]",
       "batching-overlap"},
      {"gather{offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
       "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,@k}} s32[@n,@k], s32[@n] -> s32[@n,@k]",
       "gather{offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
       "start_indices_batching_dims={}, index_vector_dim=1, slice_sizes={1,@k}} s32[@n,@k], s32[@n] -> s32[@n,@k]",
       "batching-count"},
      {"gather{offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
       "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,@k}} s32[@n,@k], s32[@n] -> s32[@n,@k]",
       "gather{offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
       "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={2,@k}} s32[@n,@k], s32[@n] -> s32[@n,@k]",
       "collapsed-slice-size"},
      {"gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,@k}} "
       "s32[@n,@k], s32[@m] -> s32[@m,@k]",
       "gather{offset_dims={2}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,@k}} "
       "s32[@n,@k], s32[@m] -> s32[@m,@k]",
       "dimension-out-of-range"},
      {"gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,@k}} "
       "s32[@n,@k], s32[@m] -> s32[@m,@k]",
       "gather{offset_dims={1}, collapsed_slice_dims={2}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,@k}} "
       "s32[@n,@k], s32[@m] -> s32[@m,@k]",
       "dimension-out-of-range"},
      {"gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,@k}} "
       "s32[@n,@k], s32[@m] -> s32[@m,@k]",
       "gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}} "
       "s32[@n,@k], s32[@m] -> s32[@m,@k]",
       "entry-count"},
      {"gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,@k}} "
       "s32[@n,@k], s32[@m] -> s32[@m,@k]",
       "gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,@k}} "
       "s32[@n,@k], s32[@m] -> s32[@m,@k+1]",
       "declared-shape"},
      {"sort{dimensions={0}, to_apply=lt_f32} f32[@n] -> f32[@n]",
       "sort{dimensions={0}, to_apply=add_f32} f32[@n] -> f32[@n]", "called-result"},
      {"sort{dimensions={0}, to_apply=lt_s32_f32} s32[@n], f32[@n] -> (s32[@n], f32[@n])",
       "sort{dimensions={0}, to_apply=lt_f32} s32[@n], f32[@n] -> (s32[@n], f32[@n])", "called-parameter-count"},
      {"topk{k=2, largest=true} f32[@n] -> (f32[2], s32[2])", "topk{k=2, largest=true} f32[@n] -> (f32[2], u32[2])",
       "declared-shape"},
      {"topk{k=2, largest=true} f32[@n] -> (f32[2], s32[2])", "topk{k=2, largest=true} f32[] -> (f32[2], s32[2])",
       "topk-scalar"},
      {"map{dimensions={0}, to_apply=add_s32} s32[@n], s32[@n] -> s32[@n]",
       "map{dimensions={0}, to_apply=add_s32} s32[@n], s32[@n] -> f32[@n]", "declared-shape"},
      {"batch-norm-inference{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n], @F[@n], @F[@n], @F[@n] -> @F[@n,@m]",
       "batch-norm-inference{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n], @F[@n], @F[@n+1], @F[@n] -> @F[@n,@m]",
       "feature-vector"},
      {"batch-norm-inference{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n], @F[@n], @F[@n], @F[@n] -> @F[@n,@m]",
       "batch-norm-inference{epsilon=0.1, feature_index=2} @F[@n,@m], @F[@n], @F[@n], @F[@n], @F[@n] -> @F[@n,@m]",
       "dimension-out-of-range"},
      {"batch-norm-inference{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n], @F[@n], @F[@n], @F[@n] -> @F[@n,@m]",
       "batch-norm-inference{epsilon=0.1, feature_index=0} s32[@n,@m], s32[@n], s32[@n], s32[@n], s32[@n] -> "
       "s32[@n,@m]",
       "operand-element-type"},
      {"batch-norm-grad{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n], @F[@n], @F[@n], @F[@n,@m] -> (@F[@n,@m], "
       "@F[@n], @F[@n])",
       "batch-norm-grad{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n], @F[@n], @F[@n], @F[@n,@m+1] -> (@F[@n,@m], "
       "@F[@n], @F[@n])",
       "operand-shapes-differ"},
      {"batch-norm-grad{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n], @F[@n], @F[@n], @F[@n,@m] -> (@F[@n,@m], "
       "@F[@n], @F[@n])",
       "batch-norm-grad{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n+1], @F[@n], @F[@n], @F[@n,@m] -> (@F[@n,@m], "
       "@F[@n], @F[@n])",
       "feature-vector"},
      {"batch-norm-grad{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n], @F[@n], @F[@n], @F[@n,@m] -> (@F[@n,@m], "
       "@F[@n], @F[@n])",
       "batch-norm-grad{epsilon=0.1, feature_index=-1} @F[@n,@m], @F[@n], @F[@n], @F[@n], @F[@n,@m] -> (@F[@n,@m], "
       "@F[@n], @F[@n])",
       "dimension-out-of-range"},
      {"convolution{window={size=2}, dim_labels=b0f_0io->b0f, feature_group_count=2} f32[1,@n,@m*2], f32[2,@m,@k*2] -> "
       "f32[1,@n-1,@k*2]",
       "convolution{window={size=2}, dim_labels=b0f_0io->b0f, feature_group_count=2} f32[1,@n,@m*2], f32[2,@m,@k*2+1] "
       "-> f32[1,@n-1,@k*2+1]",
       "group-division"},
      {"convolution{window={size=2}, dim_labels=b0f_0io->b0f, batch_group_count=2} f32[2,@n,@m], f32[2,@m,@k*2] -> "
       "f32[1,@n-1,@k*2]",
       "convolution{window={size=2}, dim_labels=b0f_0io->b0f, batch_group_count=2} f32[3,@n,@m], f32[2,@m,@k*2] -> "
       "f32[1,@n-1,@k*2]",
       "group-division"},
      {"convolution{window={size=2}, dim_labels=b0f_0io->b0f, batch_group_count=2} f32[2,@n,@m], f32[2,@m,@k*2] -> "
       "f32[1,@n-1,@k*2]",
       "convolution{window={size=2}, dim_labels=b0f_0io->b0f, batch_group_count=2, feature_group_count=2} "
       "f32[2,@n,@m], f32[2,@m,@k*2] -> f32[1,@n-1,@k*2]",
       "group-counts"},
      {"convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,@k] -> f32[1,@n-1,@k]",
       "convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,@n], f32[2,@m,@k] -> f32[1,@n-1,@k]",
       "convolution-rank"},
      {"convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,@k] -> f32[1,@n-1,@k]",
       "convolution{window={size=2 stride=0}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,@k] -> f32[1,@n-1,@k]",
       "window-field"},
      {"convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,@k] -> f32[1,@n-1,@k]",
       "convolution{window={size=2x1}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,@k] -> f32[1,@n-1,@k]",
       "convolution-window"},
      {"convolution{window={size=2}, dim_labels=b0f_0io->b0f, batch_group_count=1} f32[1,@n,@m], f32[2,@m,@k] -> "
       "f32[1,@n-1,@k]",
       "convolution{window={size=2}, dim_labels=b0f_0io->b0f, batch_group_count=-1} f32[1,@n,@m], f32[2,@m,@k] -> "
       "f32[1,@n-1,@k]",
       "group-count"},
      {"ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k+1,2], s32[@m] -> f32[@n,2]",
       "dot-pair-size"},
      {"ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m+1,@k,2], s32[@m] -> f32[@n,2]",
       "ragged-group-size"},
      {"ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0,1}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "entry-count"},
      {"ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "ragged-group-count"},
      {"ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={2}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "dimension-out-of-range"},
      {"ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], f32[@m] -> f32[@n,2]",
       "operand-element-type"},
      {"ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,3]",
       "declared-shape"},
      {"triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[@n,@n], "
       "f32[@n,@m] -> f32[@n,@m]",
       "triangular-solve{left_side=false, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[@n,@n], "
       "f32[@n,@n+1] -> f32[@n,@n+1]",
       "solve-size"},
      {"triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[@n,@n], "
       "f32[@n,@m] -> f32[@n,@m]",
       "triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[@n,@n+1], "
       "f32[@n,@m] -> f32[@n,@m]",
       "matrix-not-square"},
      {"triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[@n,@n], "
       "f32[@n,@m] -> f32[@n,@m]",
       "triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} s32[@n,@n], "
       "s32[@n,@m] -> s32[@n,@m]",
       "operand-element-type"},
      {"triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[2,@n,@n], "
       "f32[2,@n,@m] -> f32[2,@n,@m]",
       "triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[2,@n,@n], "
       "f32[3,@n,@m] -> f32[3,@n,@m]",
       "operand-shapes-differ"},
      {"fft{fft_type=IRFFT, fft_length={@n*2}} c64[@n+1] -> f32[@n*2]",
       "fft{fft_type=IRFFT, fft_length={@n*2+2}} c64[@n+1] -> f32[@n*2]", "fft-length"},
      {"fft{fft_type=IRFFT, fft_length={@n*2}} c64[@n+1] -> f32[@n*2]",
       "fft{fft_type=IRFFT, fft_length={@n*2}} f32[@n+1] -> f32[@n*2]", "fft-type"},
      {"fft{fft_type=RFFT, fft_length={@n*2}} f32[@n*2] -> c64[@n+1]",
       "fft{fft_type=RFFT, fft_length={@n*2}} c64[@n*2] -> c64[@n+1]", "fft-type"},
      {"fft{fft_type=FFT, fft_length={@n}} c64[@n] -> c64[@n]",
       "fft{fft_type=FFT, fft_length={@n}} c64[@n] -> c64[@n+1]", "declared-shape"},
      {"fft{fft_type=FFT, fft_length={@n,@m,@k}} c64[@n,@m,@k] -> c64[@n,@m,@k]",
       "fft{fft_type=FFT, fft_length={2,@n,@m,@k}} c64[2,@n,@m,@k] -> c64[2,@n,@m,@k]", "fft-rank"},
      {"rng{distribution=rng_uniform} f32[], f32[] -> f32[@n]", "rng{distribution=rng_uniform} f32[], f64[] -> f32[@n]",
       "rng-types"},
      {"rng{distribution=rng_uniform} f32[], f32[] -> f32[@n]", "rng{distribution=rng_uniform} f32[], f32[] -> s32[@n]",
       "rng-types"},
      {"rng-bit-generator{algorithm=rng_default} u64[2] -> (u64[2], u32[@n])",
       "rng-bit-generator{algorithm=rng_default} u32[3] -> (u32[3], u32[@n])", "generator-state"},
      {"dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, algorithm=dot_bf16_bf16_f32} f32[@n,@k], f32[@k,@m] -> "
       "f32[@n,@m]",
       "dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}, algorithm=dot_bf16_bf16_f32, "
       "operand_precision={high,default}} f32[@n,@k], f32[@k,@m] -> f32[@n,@m]",
       "dot-algorithm-precision"},
      {"dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[@n,@k], f32[@k,@m] -> f32[@n,@m]",
       "dot{lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[@n,@k], f32[@k,@m] -> "
       "f32[@n,@m]",
       "dot-pair-count"},
      {"scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}} f8e4m3fn[@n,64], f8e4m3fn[@m,64], "
       "f8e8m0fnu[@n,2], f8e8m0fnu[@m,2] -> f32[@n,@m]",
       "scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}} f8e4m3fn[@n,64], f8e4m3fn[@m,64], "
       "f8e8m0fnu[@n,3], f8e8m0fnu[@m,2] -> f32[@n,@m]",
       "scale-size"},
      {"scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}} f8e4m3fn[@n,64], f8e4m3fn[@m,64], "
       "f8e8m0fnu[@n,2], f8e8m0fnu[@m,2] -> f32[@n,@m]",
       "scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}} f8e4m3fn[@n,64], f8e4m3fn[@m,64], f8e8m0fnu[2], "
       "f8e8m0fnu[@m,2] -> f32[@n,@m]",
       "scale-rank"},
      {"scan{dimensions={0}, is_reverse=false, num_carries=1, to_apply=cumsum_s32} s32[@n], s32[] -> (s32[@n], s32[])",
       "scan{dimensions={1}, is_reverse=false, num_carries=1, to_apply=cumsum_s32} s32[@n], s32[] -> (s32[@n], s32[])",
       "dimension-out-of-range"},
      {"scan{dimensions={0}, is_reverse=false, num_carries=1, to_apply=cumsum_s32} s32[@n], s32[] -> (s32[@n], s32[])",
       "scan{dimensions={0}, is_reverse=false, num_carries=3, to_apply=cumsum_s32} s32[@n], s32[] -> (s32[@n], s32[])",
       "scan-carry-count"},
      {"scan{dimensions={0}, is_reverse=false, num_carries=1, to_apply=cumsum_s32} s32[@n], s32[] -> (s32[@n], s32[])",
       "scan{dimensions={0}, is_reverse=false, num_carries=1, to_apply=cumsum_s32} s32[@n], s32[] -> (s32[@n+1], "
       "s32[])",
       "declared-shape"},
      {"scan{dimensions={0}, is_reverse=false, num_carries=1, to_apply=cumsum_s32} s32[@n], s32[] -> (s32[@n], s32[])",
       "scan{dimensions={0}, is_reverse=false, num_carries=1, to_apply=add_s32} s32[@n], s32[] -> (s32[@n], s32[])",
       "declared-shape"},
      {"copy @A[@n] -> @A[@n]", "copy @A[@n] -> @A[@n+1]", "declared-shape"},
      {"minimum @R[@n], @R[@n] -> @R[@n]", "minimum c64[@n], c64[@n] -> c64[@n]", "complex-extremum"},
      {"power @R[@n], @R[@n] -> @R[@n]", "power pred[@n], pred[@n] -> pred[@n]", "operand-element-type"},
      {"or @I[@n], @I[@n] -> @I[@n]", "or @F[@n], @F[@n] -> @F[@n]", "operand-element-type"},
      {"xor pred[@n], pred[@n] -> pred[@n]", "xor c64[@n], c64[@n] -> c64[@n]", "operand-element-type"},
      {"count-leading-zeros @I[@n] -> @I[@n]", "count-leading-zeros @F[@n] -> @F[@n]", "operand-element-type"},
      {"ceil @F[@n] -> @F[@n]", "ceil @I[@n] -> @I[@n]", "operand-element-type"},
      {"round-nearest-afz @F[@n] -> @F[@n]", "round-nearest-afz c64[@n] -> c64[@n]", "operand-element-type"},
      {"round-nearest-even @F[@n] -> @F[@n]", "round-nearest-even pred[@n] -> pred[@n]", "operand-element-type"},
      {"logistic @F[@n] -> @F[@n]", "logistic @I[@n] -> @I[@n]", "operand-element-type"},
      {"log-plus-one @F[@n] -> @F[@n]", "log-plus-one @I[@n] -> @I[@n]", "operand-element-type"},
      {"exponential-minus-one @F[@n] -> @F[@n]", "exponential-minus-one @I[@n] -> @I[@n]", "operand-element-type"},
      {"sine @F[@n] -> @F[@n]", "sine pred[@n] -> pred[@n]", "operand-element-type"},
      {"tan @F[@n] -> @F[@n]", "tan @I[@n] -> @I[@n]", "operand-element-type"},
      {"acos @F[@n] -> @F[@n]", "acos @I[@n] -> @I[@n]", "operand-element-type"},
      {"acosh @F[@n] -> @F[@n]", "acosh @I[@n] -> @I[@n]", "operand-element-type"},
      {"asin @F[@n] -> @F[@n]", "asin @I[@n] -> @I[@n]", "operand-element-type"},
      {"asinh @F[@n] -> @F[@n]", "asinh @I[@n] -> @I[@n]", "operand-element-type"},
      {"atanh @F[@n] -> @F[@n]", "atanh @I[@n] -> @I[@n]", "operand-element-type"},
      {"cosh @F[@n] -> @F[@n]", "cosh @I[@n] -> @I[@n]", "operand-element-type"},
      {"sinh @F[@n] -> @F[@n]", "sinh @I[@n] -> @I[@n]", "operand-element-type"},
      {"set-dimension-size{dimensions={0}} @A[@n], s32[] -> @A[<=@n]",
       "set-dimension-size{dimensions={0}} @A[@n], s32[1] -> @A[<=@n]", "size-operand"},
      {"reshape @A[@n,2] -> @A[@n*2]", "reshape{inferred_dimension=3} @A[@n,2] -> @A[@n*2]", "dimension-out-of-range"},
      {"broadcast{dimensions={1,0}} @A[@n,@m] -> @A[@m,@n]", "broadcast{dimensions={1,0}} @A[@n,@m] -> @A[@m+1,@n]",
       "broadcast-size"},
      {"iota{iota_dimension=0} -> @R[@n]", "iota{iota_dimension=0} -> @R[]", "iota-scalar"},
      {"dynamic-update-slice @A[@n], @A[1], s32[] -> @A[@n]", "dynamic-update-slice @A[@n], @A[1], s32[] -> @A[@n+1]",
       "declared-shape"},
      {"concatenate{dimensions={0}} @A[@n], @A[@m] -> @A[@n++m]",
       "concatenate{dimensions={0}} @A[@n], @A[@m,1] -> @A[@n++m]", "concatenate-shapes"},
      {"get-dimension-size{dimensions={0}} @A[@n] -> s32[]", "get-dimension-size{dimensions={0}} (@A[@n]) -> s32[]",
       "operand-not-array"},
      {"transpose{dimensions={1,0}} @A[@n,@m] -> @A[@m,@n]", "transpose{dimensions={0}} @A[@n,@m] -> @A[@m,@n]",
       "entry-count"},
      {"bitcast-convert f32[@n] -> u32[@n]", "bitcast-convert f32[@n] -> u32[@n+1]", "declared-shape"},
      {"bitcast-convert f32[@n] -> u8[@n,4]", "bitcast-convert f32[@n] -> u16[@n,3]", "declared-shape"},
      {"convert @A[@n] -> f32[@n]", "convert (@A[@n]) -> f32[@n]", "operand-not-array"},
      {"select pred[@n], @A[@n], @A[@n] -> @A[@n]", "select pred[@n], @A[@n], @A[@n] -> @A[@n+1]", "declared-shape"},
      {"select pred[@n], s32[@n], s32[@n] -> s32[@n]", "select pred[@n], s32[@n], u32[@n] -> s32[@n]",
       "select-branches"},
      {"clamp s32[@n], s32[@n], s32[@n] -> s32[@n]", "clamp s32[@n], s32[@n], u32[@n] -> s32[@n]",
       "operand-types-differ"},
      {"dynamic-slice{dynamic_slice_sizes={1}} @A[@n], s32[] -> @A[1]",
       "dynamic-slice{dynamic_slice_sizes={1}} @A[@n], s32[] -> @A[2]", "declared-shape"},
      {"reverse{dimensions={0}} @A[@n] -> @A[@n]", "reverse{dimensions={0}} @A[@n] -> @A[@n+1]", "declared-shape"},
      {"slice{slice={[0:@n]}} @A[@n] -> @A[@n]", "slice{slice={[0:@n]}} s32[@n] -> u32[@n]", "declared-shape"},
      {"pad{padding=1_2} @A[@n], @A[] -> @A[@n+3]", "pad{padding=1_2} (@A[@n]), @A[] -> @A[@n+3]", "operand-not-array"},
      {"cholesky{lower=true} f32[@n,@n] -> f32[@n,@n]", "cholesky{lower=true} f32[@n,@n] -> f32[@n,@n+1]",
       "declared-shape"},
  };
  return kRows;
}

}  // namespace hloscope
