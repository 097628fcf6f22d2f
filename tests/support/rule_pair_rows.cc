// SPDX-License-Identifier: Apache-2.0
#include "tests/support/rule_pair_rows.h"

#include <charconv>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/ops/verify_switches.h"
#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

constexpr RulePairRow kRulePairRows[] = {
    {"convert @A[@n] -> f32[@n]", "convert @A[@n] -> f32[@n+1]", "declared-shape"},
    {"compare{direction=LT} @R[@n], @R[@n] -> pred[@n]", "compare{direction=LT} @R[@n], @R[@n] -> s8[@n]",
     "declared-shape"},
    {"compare{direction=LT} @R[@n], @R[@n] -> pred[@n]", "compare{direction=LT} @R[@n], @R[@n+1] -> pred[@n]",
     "operand-shapes-differ"},
    {"is-finite @F[@n] -> pred[@n]", "is-finite @F[@n] -> @F[@n]", "declared-shape"},
    {"and @I[@n], @I[@n] -> @I[@n]", "and @F[@n], @F[@n] -> @F[@n]", "operand-element-type"},
    {"not @I[@n] -> @I[@n]", "not @F[@n] -> @F[@n]", "operand-element-type"},
    {"popcnt @I[@n] -> @I[@n]", "popcnt @F[@n] -> @F[@n]", "operand-element-type"},
    {"subtract @R[@n], @R[@n] -> @R[@n]", "subtract pred[@n], pred[@n] -> pred[@n]", "operand-element-type"},
    {"atan2 @F[@n], @F[@n] -> @F[@n]", "atan2 @I[@n], @I[@n] -> @I[@n]", "operand-element-type"},
    {"abs @F[@n] -> @F[@n]", "abs u32[@n] -> u32[@n]", "operand-element-type"},
    {"sign @F[@n] -> @F[@n]", "sign u16[@n] -> u16[@n]", "operand-element-type"},
    {"erf @F[@n] -> @F[@n]", "erf c64[@n] -> c64[@n]", "operand-element-type"},
    {"cbrt @F[@n] -> @F[@n]", "cbrt c128[@n] -> c128[@n]", "operand-element-type"},
    {"real c64[@n] -> f32[@n]", "real s32[@n] -> s32[@n]", "operand-element-type"},
    {"imag c128[@n] -> f64[@n]", "imag c128[@n] -> f64[@n+1]", "declared-shape"},
    {"complex f32[@n], f32[@n] -> c64[@n]", "complex f32[@n], f32[@n+1] -> c64[@n]", "operand-shapes-differ"},
    {"complex f64[@n], f64[@n] -> c128[@n]", "complex f16[@n], f16[@n] -> c64[@n]", "complex-parts"},
    {"select pred[], @A[@n], @A[@n] -> @A[@n]", "select s32[], @A[@n], @A[@n] -> @A[@n]", "operand-element-type"},
    {"clamp @R[], @R[@n], @R[] -> @R[@n]", "clamp @R[], @R[@n], @R[] -> @R[@n+1]", "declared-shape"},
    {"mulhi @I[@n], @I[@n] -> @I[@n]", "mulhi @F[@n], @F[@n] -> @F[@n]", "undefined-for-type"},
    {"maximum @R[@n], @R[@n] -> @R[@n]", "maximum c64[@n], c64[@n] -> c64[@n]", "complex-extremum"},
    {"remainder @R[@n], @R[@n] -> @R[@n]", "remainder c64[@n], c64[@n] -> c64[@n]", "undefined-for-type"},
    {"bitcast-convert f32[@n] -> u32[@n]", "bitcast-convert f32[@n] -> c64[@n]", "bitcast-convert-types"},
    {"reduce-precision{exponent_bits=5, mantissa_bits=3} @F[@n] -> @F[@n]",
     "reduce-precision{exponent_bits=5, mantissa_bits=3} @I[@n] -> @I[@n]", "operand-element-type"},
    {"stochastic-convert f32[@n], u32[@n] -> s8[@n]", "stochastic-convert f32[@n], u32[@n+1] -> s8[@n]",
     "operand-shapes-differ"},
    {"stochastic-convert f32[@n], u32[@n] -> s8[@n]", "stochastic-convert f32[@n], u16[@n] -> s8[@n]",
     "stochastic-widths"},
    {"stochastic-convert f32[@n], u32[@n] -> s8[@n]", "stochastic-convert f32[@n], s32[@n] -> s8[@n]",
     "operand-element-type"},
    {"iota{iota_dimension=1} -> @R[@n,@m]", "iota{iota_dimension=2} -> @R[@n,@m]", "dimension-out-of-range"},
    {"iota{iota_dimension=0} -> @R[@n]", "iota{iota_dimension=0} -> pred[@n]", "result-type-unsupported"},
    {"concatenate{dimensions={0}} @A[@n], @A[@m] -> @A[@n++m]",
     "concatenate{dimensions={1}} @A[@n], @A[@m] -> @A[@n++m]", "dimension-out-of-range"},
    {"concatenate{dimensions={0}} @A[@n], @A[@m] -> @A[@n++m]",
     "concatenate{dimensions={0}} @A[@n], @A[@m] -> @A[@n++m+1]", "declared-shape"},
    {"concatenate{dimensions={0}} s32[@n], s32[@m] -> s32[@n++m]",
     "concatenate{dimensions={0}} s32[@n], u32[@m] -> s32[@n++m]", "operand-types-differ"},
    {"slice{slice={[0:@n]}} @A[@n] -> @A[@n]", "slice{slice={[0:@n], [0:1]}} @A[@n] -> @A[@n]", "entry-count"},
    {"slice{slice={[0:@n]}} @A[@n] -> @A[@n]", "slice{slice={[1:@n]}} @A[@n] -> @A[@n]", "declared-shape"},
    {"reverse{dimensions={0}} @A[@n] -> @A[@n]", "reverse{dimensions={1}} @A[@n] -> @A[@n]", "dimension-out-of-range"},
    {"transpose{dimensions={1,0}} @A[@n,@m] -> @A[@m,@n]", "transpose{dimensions={1,0}} @A[@n,@m] -> @A[@m,@n+1]",
     "declared-shape"},
    {"pad{padding=1_2} @A[@n], @A[] -> @A[@n+3]", "pad{padding=1_2} @A[@n], @A[] -> @A[@n+2]", "declared-shape"},
    {"pad{padding=1_2} s32[@n], s32[] -> s32[@n+3]", "pad{padding=1_2} s32[@n], u32[] -> s32[@n+3]",
     "operand-types-differ"},
    {"pad{padding=1_2} @A[@n], @A[] -> @A[@n+3]", "pad{padding=1_2x0_0} @A[@n], @A[] -> @A[@n+3]", "entry-count"},
    {"dynamic-slice{dynamic_slice_sizes={1}} @A[@n], s32[] -> @A[1]",
     "dynamic-slice{dynamic_slice_sizes={1}} @A[@n], f32[] -> @A[1]", "operand-element-type"},
    {"dynamic-slice{dynamic_slice_sizes={1}} @A[@n], s32[] -> @A[1]",
     "dynamic-slice{dynamic_slice_sizes={1,1}} @A[@n], s32[] -> @A[1]", "entry-count"},
    {"dynamic-update-slice @A[@n], @A[1], s32[] -> @A[@n]", "dynamic-update-slice @A[@n], @A[], s32[] -> @A[@n]",
     "update-shape"},
    {"dynamic-update-slice s32[@n], s32[1], s32[] -> s32[@n]", "dynamic-update-slice s32[@n], u32[1], s32[] -> s32[@n]",
     "operand-types-differ"},
    {"get-dimension-size{dimensions={0}} @A[@n] -> s32[]", "get-dimension-size{dimensions={0}} @A[@n] -> u32[]",
     "declared-shape"},
    {"set-dimension-size{dimensions={0}} @A[@n], s32[] -> @A[<=@n]",
     "set-dimension-size{dimensions={0}} @A[@n], s64[] -> @A[<=@n]", "size-operand"},
    {"set-dimension-size{dimensions={0}} @A[@n], s32[] -> @A[<=@n]",
     "set-dimension-size{dimensions={1}} @A[@n], s32[] -> @A[<=@n]", "dimension-out-of-range"},
    {"dynamic-reshape @A[@n,2], s32[] -> @A[<=@n*2]", "dynamic-reshape @A[@n,2], s64[] -> @A[<=@n*2]", "size-operand"},
    {"dynamic-reshape @A[@n,2], s32[] -> @A[<=@n*2]", "dynamic-reshape @A[@n,2], s32[1] -> @A[<=@n*2]", "size-operand"},
    {"dynamic-reshape @A[@n,2], s32[] -> @A[<=@n*2]", "dynamic-reshape @A[@n,2], s32[], s32[] -> @A[<=@n*2]",
     "operand-count"},
    {"gather{offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}} "
     "@A[@n], s32[@m] -> @A[@m]",
     "gather{offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, slice_sizes={1}} "
     "@A[@n], s32[@m] -> @A[@m]",
     "index-vector-dim"},
    {"gather{offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}} "
     "@A[@n], s32[@m] -> @A[@m]",
     "gather{offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}} "
     "@A[@n], f32[@m] -> @A[@m]",
     "operand-element-type"},
    {"gather{offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}} "
     "@A[@n], s32[@m] -> @A[@m]",
     "gather{offset_dims={}, collapsed_slice_dims={0}, start_index_map={1}, index_vector_dim=1, slice_sizes={1}} "
     "@A[@n], s32[@m] -> @A[@m]",
     "dimension-out-of-range"},
    {"gather{offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}} "
     "@A[@n], s32[@m] -> @A[@m]",
     "gather{offset_dims={}, collapsed_slice_dims={0}, start_index_map={}, index_vector_dim=1, slice_sizes={1}} "
     "@A[@n], s32[@m] -> @A[@m]",
     "entry-count"},
    {"scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
     "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
     "scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=2, "
     "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
     "index-vector-dim"},
    {"scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
     "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
     "scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
     "to_apply=add_s32} s32[@n], s32[@m], s32[@m,1] -> s32[@n]",
     "updates-rank"},
    {"scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
     "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
     "scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={1}, index_vector_dim=1, "
     "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
     "dimension-out-of-range"},
    {"scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
     "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
     "scatter{update_window_dims={}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
     "to_apply=add_s32} s32[@n], s32[@m], s32[@m] -> s32[@n]",
     "indexed-rank"},
    {"map{dimensions={0}, to_apply=add_s32} s32[@n], s32[@n] -> s32[@n]",
     "map{dimensions={0}, to_apply=add_s32} s32[@n], s32[@n+1] -> s32[@n]", "operand-shapes-differ"},
    {"map{dimensions={0}, to_apply=add_s32} s32[@n], s32[@n] -> s32[@n]",
     "map{dimensions={0}, to_apply=add_s32} s32[@n], s32[] -> s32[@n]", "operand-shapes-differ"},
    {"map{dimensions={0}, to_apply=add_s32} s32[@n], s32[@n] -> s32[@n]",
     "map{dimensions={0}, to_apply=add_s32} s32[@n] -> s32[@n]", "called-parameter-count"},
    {"reduce{dimensions={0}, to_apply=add_s32} s32[@n], s32[] -> s32[]",
     "reduce{dimensions={1}, to_apply=add_s32} s32[@n], s32[] -> s32[]", "dimension-out-of-range"},
    {"reduce{dimensions={0}, to_apply=add_s32} s32[@n], s32[] -> s32[]",
     "reduce{dimensions={0}, to_apply=add_s32} s32[@n] -> s32[]", "operand-count"},
    {"reduce{dimensions={0}, to_apply=add_s32} s32[@n], s32[] -> s32[]",
     "reduce{dimensions={0}, to_apply=add_s32} s32[@n], s32[] -> s32[@n]", "declared-shape"},
    {"sort{dimensions={0}, to_apply=lt_f32} f32[@n] -> f32[@n]",
     "sort{dimensions={0}, to_apply=lt_f32} f32[@n] -> f32[@n+1]", "declared-shape"},
    {"topk{k=2, largest=true} f32[@n] -> (f32[2], s32[2])",
     "topk{k=@n+1, largest=true} f32[@n] -> (f32[@n+1], s32[@n+1])", "topk-count"},
    {"dot{lhs_contracting_dims={0}, rhs_contracting_dims={0}} @R[@n], @R[@n] -> @R[]",
     "dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} @R[@n], @R[@n] -> @R[]", "dimension-out-of-range"},
    {"dot{lhs_contracting_dims={0}, rhs_contracting_dims={0}} @R[@n], @R[@n] -> @R[]",
     "dot{lhs_contracting_dims={0}, rhs_contracting_dims={0}} @R[@n], @R[@n] -> @R[@n]", "declared-shape"},
    {"convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,@k] -> f32[1,@n-1,@k]",
     "convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m+1,@k] -> f32[1,@n-1,@k]",
     "convolution-features"},
    {"convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,@k] -> f32[1,@n-1,@k]",
     "convolution{window={size=3}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,@k] -> f32[1,@n-1,@k]",
     "kernel-size"},
    {"convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,@k] -> f32[1,@n-1,@k]",
     "convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,@k] -> f32[1,@n,@k]",
     "declared-shape"},
    {"convolution{window={size=2}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[2,@m,@k] -> f32[1,@n-1,@k]",
     "convolution{window={size=2}, dim_labels=b0f_0io->b0f, feature_group_count=0} f32[1,@n,@m], f32[2,@m,@k] -> "
     "f32[1,@n-1,@k]",
     "group-count"},
    {"convolution{window={size=1}, dim_labels=b0f_0io->b0f} f32[1,@n,@m], f32[1,@m,@k] -> f32[1,@n,@k]",
     "convolution{window={size=1}, dim_labels=b?0f_0io->b0f} f32[1,@n,@m], f32[1,@m,@k] -> f32[1,@n,@k]",
     "convolution-dimensions"},
    {"convolution{dim_labels=bf_io->bf, sparsity_config={rhs={sparsity=1x3 dimension=0 stride=1 idx=2}}} f32[@n,6], "
     "f32[2,@k], s32[2,@k] -> f32[@n,@k]",
     "convolution{dim_labels=bf_io->bf, sparsity_config={rhs={sparsity=1x3 dimension=0 stride=1 idx=3}}} f32[@n,6], "
     "f32[2,@k], s32[2,@k] -> f32[@n,@k]",
     "sparsity"},
    {"reshape @A[36028797018963968,@n] -> @A[@n,36028797018963968]",
     "reshape @A[4611686018427387904,@n] -> @A[@n,4611686018427387904]", "element-count-overflow"},
    {"batch-norm-training{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n], @F[@n] -> (@F[@n,@m], @F[@n], @F[@n])",
     "batch-norm-training{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n+1], @F[@n] -> (@F[@n,@m], @F[@n], @F[@n])",
     "feature-vector"},
    {"batch-norm-training{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n], @F[@n] -> (@F[@n,@m], @F[@n], @F[@n])",
     "batch-norm-training{epsilon=0.1, feature_index=2} @F[@n,@m], @F[@n], @F[@n] -> (@F[@n,@m], @F[@n], @F[@n])",
     "dimension-out-of-range"},
    {"batch-norm-training{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n], @F[@n] -> (@F[@n,@m], @F[@n], @F[@n])",
     "batch-norm-training{epsilon=0.1, feature_index=0} @F[@n,@m], @F[@n,1], @F[@n] -> (@F[@n,@m], @F[@n], @F[@n])",
     "feature-vector"},
    {"cholesky{lower=true} f32[@n,@n] -> f32[@n,@n]", "cholesky{lower=true} @I[@n,@n] -> @I[@n,@n]",
     "operand-element-type"},
    {"cholesky{lower=true} f32[@n,@n] -> f32[@n,@n]", "cholesky{lower=true} f32[@n] -> f32[@n]", "matrix-rank"},
    {"fft{fft_type=FFT, fft_length={@n}} c64[@n] -> c64[@n]",
     "fft{fft_type=FFT, fft_length={@n,@n}} c64[@n] -> c64[@n]", "fft-rank"},
    {"rng{distribution=rng_uniform} @R[], @R[] -> @R[@n]", "rng{distribution=rng_normal} s32[], s32[] -> s32[@n]",
     "rng-distribution"},
    {"rng-get-and-update-state{delta=1} -> u64[2]", "rng-get-and-update-state{delta=1} -> u64[@n+1]", "declared-shape"},
    {"replica-id -> u32[]", "replica-id -> s32[]", "declared-shape"},
    {"partition-id -> u32[]", "partition-id -> u32[@n]", "declared-shape"},
    {"get-tuple-element{index=0} (@A[@n]) -> @A[@n]", "get-tuple-element{index=1} (@A[@n]) -> @A[@n]", "tuple-access"},
    {"get-tuple-element{index=0} (@A[@n]) -> @A[@n]", "get-tuple-element{index=0} (@A[@n]) -> @A[@n+1]",
     "declared-shape"},
    {"opt-barrier @A[@n] -> @A[@n]", "opt-barrier @A[@n] -> @A[@n+1]", "declared-shape"},
    {"add-dependency @A[@n], token[] -> @A[@n]", "add-dependency @A[@n], @A[@n] -> @A[@n]", "operand-not-token"},
    {"call{to_apply=add_s32} s32[], s32[] -> s32[]", "call{to_apply=add_s32} s32[] -> s32[]", "argument-count"},
    {"call{to_apply=add_s32} s32[], s32[] -> s32[]", "call{to_apply=add_s32} s32[], s32[@n] -> s32[]",
     "argument-shape"},
    {"call{to_apply=add_s32} s32[], s32[] -> s32[]", "call{to_apply=add_s32} s32[], s32[] -> s32[@n]",
     "declared-shape"},
    {"all-gather{dimensions={0}, replica_groups={{0,1}}} @A[@n] -> @A[@n*2]",
     "all-gather{dimensions={1}, replica_groups={{0,1}}} @A[@n] -> @A[@n*2]", "dimension-out-of-range"},
    {"all-to-all{dimensions={0}, replica_groups={{0,1}}} @A[@n*2] -> @A[@n*2]",
     "all-to-all{dimensions={0}, replica_groups={{0,1}}} @A[@n*2+1] -> @A[@n*2+1]", "collective-size"},
    {"all-to-all{replica_groups={{0,1}}} @A[@n], @A[@n] -> (@A[@n], @A[@n])",
     "all-to-all{replica_groups={{0,1}}} @A[@n], @A[@n+1] -> (@A[@n], @A[@n+1])", "operand-shapes-differ"},
    {"all-reduce{replica_groups={{0,1}}, to_apply=add_s32} s32[@n] -> s32[@n]",
     "all-reduce{replica_groups={{0,1}}, to_apply=add_s32} s32[@n] -> s32[@n+1]", "declared-shape"},
    {"collective-permute{source_target_pairs={{0,1}}} @A[@n] -> @A[@n]",
     "collective-permute{source_target_pairs={{0,1}}} @A[@n] -> @A[@n+1]", "declared-shape"},
    {"collective-broadcast{replica_groups={{0,1}}} @A[@n] -> @A[@n]",
     "collective-broadcast{replica_groups={{0,1}}} @A[@n] -> @A[@n+1]", "declared-shape"},
    {"reduce-scatter{dimensions={0}, replica_groups={{0,1}}, to_apply=add_s32} s32[@n*2] -> s32[@n]",
     "reduce-scatter{dimensions={1}, replica_groups={{0,1}}, to_apply=add_s32} s32[@n*2] -> s32[@n]",
     "dimension-out-of-range"},
};

class RowChoices {
 public:
  explicit RowChoices(uint64_t seed) : engine_(seed) {
    for (int64_t& size : sizes_) size = 3 + static_cast<int64_t>(engine_() % 7);
    float_ = Of({"f16", "bf16", "f32", "f64"});
    integer_ = Of({"s8", "u8", "s16", "u16", "s32", "s64"});
    real_ = Of({float_, integer_});
    any_ = Of({real_, "pred", "c64", "c128"});
  }

  std::string Filled(absl::string_view text) const {
    std::string filled;
    for (size_t at = 0; at < text.size();) {
      if (text[at] != '@') {
        filled.push_back(text[at++]);
        continue;
      }
      const char name = text[at + 1];
      at += 2;
      const absl::string_view type = name == 'F' ? float_ : name == 'I' ? integer_ : name == 'R' ? real_ : any_;
      if (name == 'F' || name == 'I' || name == 'R' || name == 'A') {
        absl::StrAppend(&filled, type);
      } else {
        absl::StrAppend(&filled, Size(name, text, at));
      }
    }
    return filled;
  }

 private:
  absl::string_view Of(std::initializer_list<absl::string_view> choices) {
    return *(choices.begin() + engine_() % choices.size());
  }
  int64_t SizeOf(char name) const { return sizes_[name == 'n' ? 0 : name == 'm' ? 1 : 2]; }

  // The size `name` and what is done to it from `at` on.
  int64_t Size(char name, absl::string_view text, size_t& at) const {
    int64_t size = SizeOf(name);
    while (at + 1 < text.size() && (text[at] == '+' || text[at] == '-' || text[at] == '*')) {
      const char operation = text[at++];
      if (text[at] == '+') {
        size += SizeOf(text[at + 1]);
        at += 2;
        continue;
      }
      int64_t number = 0;
      const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
      at = static_cast<size_t>(end - text.data());
      size = operation == '+' ? size + number : operation == '-' ? size - number : size * number;
    }
    return size;
  }

  std::mt19937_64 engine_;
  int64_t sizes_[3];
  absl::string_view float_, integer_, real_, any_;
};

// `switches`: layout-sensitive, and what --checks= takes.
VerifyOptions OptionsOf(absl::string_view switches) {
  VerifyOptions options;
  options.layout_sensitive = absl::ConsumePrefix(&switches, "layout-sensitive");
  if (!switches.empty() && !ApplyVerifySwitches(switches, &options).ok()) std::abort();
  return options;
}

RulePair PairOfModule(const RulePairModule& row, const RowChoices& choices) {
  const auto text = [&](absl::string_view body) {
    return choices.Filled(absl::StrCat(absl::StartsWith(body, "HloModule") ? "" : "HloModule m\n", body, "\n"));
  };
  return {text(row.good),           text(row.bad),          std::string(row.code), OptionsOf(row.switches),
          /*is_whole_module=*/true, std::string(row.common)};
}

}  // namespace

size_t RulePairRowCount() {
  return std::size(kRulePairRows) + BorderRowsOfArrays().size() + BorderRowsOfInstructions().size() +
         BorderRowsOfPrograms().size() + BorderRowsOfModules().size() + BorderModules().size() +
         BorderModulesOfDevices().size();
}

RulePair PairOfRow(size_t row, uint64_t seed) {
  const RowChoices choices(seed * 1000003 + row);
  for (const absl::Span<const RulePairRow> rows :
       {absl::MakeConstSpan(kRulePairRows), BorderRowsOfArrays(), BorderRowsOfInstructions(), BorderRowsOfPrograms()}) {
    if (row < rows.size()) {
      return {ModuleAround(choices.Filled(rows[row].good)), ModuleAround(choices.Filled(rows[row].bad)),
              std::string(rows[row].code)};
    }
    row -= rows.size();
  }
  for (const absl::Span<const RulePairModule> modules : {BorderModules(), BorderModulesOfDevices()}) {
    if (row < modules.size()) return PairOfModule(modules[row], choices);
    row -= modules.size();
  }
  const RulePairRow& lines = BorderRowsOfModules()[row];
  return {choices.Filled(ModuleAroundLines(lines.good)), choices.Filled(ModuleAroundLines(lines.bad)),
          std::string(lines.code)};
}

}  // namespace hloscope
