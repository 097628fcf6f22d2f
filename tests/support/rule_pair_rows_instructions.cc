// SPDX-License-Identifier: Apache-2.0
// Borders of rules that few operations have: forms of results, operands that disagree, sizes that overflow, scans,
// sparse and ragged products.
#include "tests/support/rule_pair_rows.h"

namespace hloscope {

absl::Span<const RulePairRow> BorderRowsOfInstructions() {
  static constexpr RulePairRow kRows[] = {
      // Operands that disagree: the result is not blamed for that too.
      {"triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f64[@n,@n], "
       "f64[@n,@m] -> f64[@n,@m]",
       "triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f64[@n,@n], "
       "f32[@n,@m] -> f64[@n,@m]",
       "operand-types-differ"},
      {"triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[@n,@n], "
       "f32[@n,@m] -> f32[@n,@m]",
       "triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} s32[@n,@n], "
       "f32[@n,@m] -> f32[@n,@m]",
       "operand-element-type"},
      {"triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[@n,@n], "
       "f32[@n,@m] -> f32[@n,@m]",
       "triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[@n], "
       "f32[@n,@m] -> f32[@n,@m]",
       "matrix-rank"},
      {"triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[@n,@n], "
       "f32[@n,@m] -> f32[@n,@m]",
       "triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[@n,@n], "
       "f32[@n] -> f32[@n,@m]",
       "operand-shapes-differ"},
      {"triangular-solve{left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE} f32[@n,@n], "
       "f32[@n,@m] -> f32[@n,@m]",
       "triangular-solve{left_side=true, lower=true, unit_diagonal=false} f32[@n,@n], f32[@n,@m] -> f32[@n,@m]",
       "transpose-a"},
      {"sort{dimensions={0}, to_apply=lt_s32_f32} s32[@n], f32[@n] -> (s32[@n], f32[@n])",
       "sort{dimensions={0}, to_apply=lt_s32_f32} s32[@n], f32[@n+1] -> (s32[@n], f32[@n])", "operand-shapes-differ"},
      {"sort{dimensions={0}, to_apply=lt_s32_f32} s32[@n], f32[@n] -> (s32[@n], f32[@n])",
       "sort{dimensions={0}, to_apply=lt_s32_f32} s32[@n+1], f32[@n] -> (s32[@n], f32[@n])", "operand-shapes-differ"},
      {"sort{dimensions={0}, to_apply=lt_s32_f32} s32[@n], f32[@n] -> (s32[@n], f32[@n])",
       "sort{dimensions={0}, to_apply=lt_s32_f32} s32[@n], f32[@n,1] -> (s32[@n], f32[@n])", "operand-shapes-differ"},
      {"stochastic-convert f32[@n], u32[@n] -> s8[@n]", "stochastic-convert f32[@n+1], u32[@n] -> s8[@n]",
       "operand-shapes-differ"},
      {"add @R[@n], @R[@n] -> @R[@n]", "add @R[@n], @R[] -> @R[@n]", "implicit-broadcast"},
      {"add @R[@n], @R[@n] -> @R[@n]", "add @R[@n], @R[1] -> @R[@n]", "implicit-broadcast"},

      // Forms of results.
      {"broadcast{dimensions={0}} @A[@n] -> @A[@n,@m]", "broadcast{dimensions={0}} @A[@n] -> (@A[@n,@m])",
       "result-not-array"},
      {"convert @A[@n] -> f32[@n]", "convert @A[@n] -> (f32[@n])", "result-not-array"},
      {"iota{iota_dimension=0} -> @R[@n]", "iota{iota_dimension=0} -> token[]", "result-not-array"},
      {"broadcast{dimensions={0}} s32[@n] -> s32[@n,@m]", "broadcast{dimensions={0}} s32[@n] -> u32[@n,@m]",
       "result-element-type"},
      {"reshape f32[@n,2] -> f32[@n*2]", "reshape f32[@n,2] -> f64[@n*2]", "result-element-type"},
      {"rng-bit-generator{algorithm=rng_default} u64[2] -> (u64[2], u32[@n])",
       "rng-bit-generator{algorithm=rng_default} u64[2] -> (u64[2], u32[@n], u32[@n])", "generator-result"},
      {"rng-bit-generator{algorithm=rng_default} u64[2] -> (u64[2], u32[@n])",
       "rng-bit-generator{algorithm=rng_default} u64[2] -> (u64[3], u32[@n])", "generator-state-changed"},

      // Lists of dimensions.
      {"gather{offset_dims={1,2}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
       "slice_sizes={1,@k,2}} s32[@n,@k,2], s32[@m] -> s32[@m,@k,2]",
       "gather{offset_dims={2,1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
       "slice_sizes={1,@k,2}} s32[@n,@k,2], s32[@m] -> s32[@m,@k,2]",
       "unsorted-dimensions"},
      {"gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
       "slice_sizes={1,@k}} s32[@n,@k], s32[@m] -> s32[@m,@k]",
       "gather{offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
       "slice_sizes={1,@k+1}} s32[@n,@k], s32[@m] -> s32[@m,@k]",
       "slice-size"},
      {"dynamic-slice{dynamic_slice_sizes={1}} @A[@n], s32[] -> @A[1]",
       "dynamic-slice{dynamic_slice_sizes={1}} @A[@n], s32[2] -> @A[1]", "start-index-shape"},
      {"dynamic-slice{dynamic_slice_sizes={1,1}} @A[@n,@m], s32[], s32[] -> @A[1,1]",
       "dynamic-slice{dynamic_slice_sizes={1,1}} @A[@n,@m], s32[], s64[] -> @A[1,1]", "index-types-differ"},
      {"ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={1}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "ragged-group-dimension"},
      {"ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[@m] -> f32[@n,2]",
       "ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} "
       "f32[@n,@k], f32[@m,@k,2], s32[1,@m] -> f32[@n,2]",
       "group-sizes-shape"},
      {"scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}} f8e4m3fn[@n,64], bf16[@m,64], "
       "f8e8m0fnu[@n,2], bf16[] -> f32[@n,@m]",
       "scaled-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}} bf16[@n,64], bf16[@m,64], bf16[], bf16[] -> "
       "f32[@n,@m]",
       "no-scale"},
      {"dot{lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}} f32[@n,@k], "
       "f32[@n,@k] -> f32[@n]",
       "dot{lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={0}, rhs_contracting_dims={1}} f32[@n,@k], "
       "f32[@n,@k] -> f32[@n]",
       "dot-dimension-reused"},
      {"scan{dimensions={0}, is_reverse=false, num_carries=1, to_apply=cumsum_s32} s32[@n], s32[] -> (s32[@n], s32[])",
       "scan{dimensions={-1}, is_reverse=false, num_carries=1, to_apply=cumsum_s32} s32[@n], s32[] -> (s32[@n], s32[])",
       "negative-dimension"},
      {"scan{dimensions={0}, is_reverse=false, num_carries=1, to_apply=cumsum_s32} s32[@n], s32[] -> (s32[@n], s32[])",
       "scan{dimensions={0}, is_reverse=false, num_carries=1, to_apply=cumsum_s32} s32[<=@n], s32[] -> (s32[@n], "
       "s32[])",
       "scan-dynamic"},
      {"scan{dimensions={0}, is_reverse=false, num_carries=1, to_apply=cumsum_s32} s32[@n], s32[] -> (s32[@n], s32[])",
       "scan{dimensions={0}, is_reverse=false, num_carries=1, to_apply=cumsum_s32} s32[@n], s32[1] -> (s32[@n], s32[])",
       "called-parameter"},
      {"scan{dimensions={0}, is_reverse=false, num_carries=0, to_apply=addpair_s32} s32[@n], s32[@n], s32[@n], s32[@n] "
       "-> (s32[@n], s32[@n])",
       "scan{dimensions={0}, is_reverse=false, num_carries=0, to_apply=addpair_s32} s32[@n], s32[@n], s32[@n+1], "
       "s32[@n] -> (s32[@n], s32[@n])",
       "scan-size"},

      // Sizes.
      {"pad{padding=1_2} @A[@n], @A[] -> @A[@n+3]", "pad{padding=9223372036854775807_1} @A[@n], @A[] -> @A[@n+3]",
       "size-overflow"},
      {"get-dimension-size{dimensions={0}} @A[2147483647] -> s32[]",
       "get-dimension-size{dimensions={0}} @A[2147483648] -> s32[]", "dimension-size-too-large"},
      {"set-dimension-size{dimensions={0}} @A[2147483647], s32[] -> @A[<=2147483647]",
       "set-dimension-size{dimensions={0}} @A[2147483648], s32[] -> @A[<=2147483648]", "dimension-size-too-large"},
      {"bitcast-convert f32[@n,2] -> u64[@n]", "bitcast-convert f32[@n,<=2] -> u64[@n]", "bitcast-convert-dynamic"},
      {"bitcast-convert f32[@n,2] -> u64[@n]", "bitcast-convert f32[@n,3] -> u64[@n]", "bitcast-convert-size"},

      // Computations that are called.
      {"reduce{dimensions={0}, to_apply=add_s32} s32[@n], s32[] -> s32[]",
       "reduce{dimensions={0}, to_apply=add_s32} s32[@n], f32[] -> s32[]", "reducer-init"},
      {"reduce{dimensions={0}, to_apply=add_s32} s32[@n], s32[] -> s32[]",
       "reduce{dimensions={0}, to_apply=add_s32} f32[@n], s32[] -> s32[]", "called-parameter"},
      {"select-and-scatter{window={size=2}, select=ge_f32, scatter=add_f32} f32[@n], f32[@n-1], f32[] -> f32[@n]",
       "select-and-scatter{window={size=2}, select=ge_f32, scatter=add_f32} f32[@n], f32[@n-1], s32[] -> f32[@n]",
       "reducer-init"},
      {"convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,@k] -> f32[1,@n-1,@k]",
       "convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,<=@k] -> f32[1,@n-1,@k]",
       "kernel-output-dynamic"},
  };
  return kRows;
}

}  // namespace hloscope
