// SPDX-License-Identifier: Apache-2.0
// Which element types each operation takes, of all there are: the elementwise ones by docs/ops/elementwise.md 2.3, the
// others by docs/ops.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

struct TypeFamily {
  char letter;
  absl::string_view types;
};
constexpr TypeFamily kTypeFamilies[] = {
    {'P', "pred"},
    {'S', "s1 s2 s4 s8 s16 s32 s64"},
    {'U', "u1 u2 u4 u8 u16 u32 u64"},
    {'F',
     "f4e2m1fn f6e2m3fn f6e3m2fn f8e3m4 f8e4m3 f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu f16 bf16 "
     "f32 f64"},
    {'C', "c64 c128"}};

struct OpcodeTypes {
  absl::string_view opcodes, accepted;
  int operands;
};
// The column "S" of the table, for operations whose result has the type of the operands.
constexpr OpcodeTypes kOpcodeTypes[] = {
    {"acos acosh asin asinh atanh cosine cosh exponential exponential-minus-one log log-plus-one logistic rsqrt sine "
     "sinh sqrt tan tanh",
     "FC", 1},
    {"cbrt ceil erf floor round-nearest-afz round-nearest-even", "F", 1},
    {"sign", "SFC", 1},
    {"negate", "SUFC", 1},
    {"not", "PSU", 1},
    {"count-leading-zeros popcnt", "SU", 1},
    {"copy", "PSUFC", 1},
    {"add multiply maximum minimum mulhi", "PSUFC", 2},
    {"subtract divide power remainder shift-left shift-right-arithmetic shift-right-logical", "SUFC", 2},
    {"and or xor", "PSU", 2},
    {"atan2", "FC", 2}};

// Instructions in which @ is a type, or one of a list of types.
struct PlaceTypes {
  absl::string_view instruction, accepted;  // families, or single types
};
constexpr PlaceTypes kPlaceTypes[] = {
    // Conversions and random numbers.
    {"convert @[3] -> f32[3]", "PSUFC"},
    {"convert f32[3] -> @[3]", "PSUFC"},
    {"convert c64[3] -> @[3]", "PSUFC"},
    {"bitcast-convert @[3] -> @[3]", "PSUFC"},
    {"bitcast @[3] -> @[3]", "PSUFC"},
    {"reduce-precision{exponent_bits=3, mantissa_bits=2} @[3] -> @[3]", "F"},
    {"is-finite @[3] -> pred[3]", "F"},
    {"stochastic-convert f32[3], @[3] -> s8[3]", "u32"},
    {"stochastic-convert @[3], u16[3] -> s8[3]", "f16 bf16"},
    {"stochastic-convert @[3], u8[3] -> s8[3]",
     "f8e3m4 f8e4m3 f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu"},
    {"rng{distribution=rng_uniform} @[], @[] -> @[3]", "PSUF"},
    {"rng{distribution=rng_normal} @[], @[] -> @[3]", "F"},
    {"rng-bit-generator{algorithm=rng_default} u64[2] -> (u64[2], @[3])", "PSUFC"},  // some of them not to be run
    {"iota{iota_dimension=0} -> @[3]", "SUFC"},
    {"complex @[3], @[3] -> c64[3]", "f32"},
    {"complex @[3], @[3] -> c128[3]", "f64"},
    // Choices and comparisons.
    {"compare{direction=EQ} @[3], @[3] -> pred[3]", "PSUFC"},
    {"compare{direction=LT} @[3], @[3] -> pred[3]", "PSUFC"},  // complex ones not to be run
    {"select pred[3], @[3], @[3] -> @[3]", "PSUFC"},
    {"select @[3], f32[3], f32[3] -> f32[3]", "P"},
    {"clamp @[], @[3], @[3] -> @[3]", "PSUFC"},
    {"conditional{true_computation=same, false_computation=same} @[], @[], @[] -> @[]", "P"},
    {"conditional{branch_computations={same,same}} @[], @[], @[] -> @[]", "s32"},
    // What moves elements.
    {"broadcast{dimensions={0}} @[3] -> @[3,2]", "PSUFC"},
    {"reshape @[4] -> @[2,2]", "PSUFC"},
    {"transpose{dimensions={1,0}} @[2,3] -> @[3,2]", "PSUFC"},
    {"reverse{dimensions={0}} @[3] -> @[3]", "PSUFC"},
    {"concatenate{dimensions={0}} @[3], @[2] -> @[5]", "PSUFC"},
    {"slice{slice={[0:2]}} @[3] -> @[2]", "PSUFC"},
    {"pad{padding=1_1} @[3], @[] -> @[5]", "PSUFC"},
    {"dynamic-slice{dynamic_slice_sizes={2}} @[3], s32[] -> @[2]", "PSUFC"},
    {"dynamic-slice{dynamic_slice_sizes={2}} f32[3], @[] -> f32[2]", "SU"},
    {"dynamic-update-slice @[3], @[2], s32[] -> @[3]", "PSUFC"},
    {"dynamic-update-slice f32[3], f32[2], @[] -> f32[3]", "SU"},
    {"gather{offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}} @[5], "
     "s32[3] -> @[3]",
     "PSUFC"},
    {"gather{offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}} "
     "f32[5], "
     "@[3] -> f32[3]",
     "SU"},
    {"scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
     "to_apply=keep} @[5], s32[3], @[3] -> @[5]",
     "PSUFC"},
    {"scatter{update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
     "to_apply=keep_f32} f32[5], @[3], f32[3] -> f32[5]",
     "SU"},
    {"get-dimension-size{dimensions={0}} @[3] -> s32[]", "PSUFC"},
    {"set-dimension-size{dimensions={0}} @[3], s32[] -> @[<=3]", "PSUFC"},
    {"set-dimension-size{dimensions={0}} f32[3], @[] -> f32[<=3]", "s32"},
    {"dynamic-reshape @[3], s32[] -> @[<=3]", "PSUFC"},
    {"dynamic-reshape f32[3], @[] -> f32[<=3]", "s32"},
    {"sort{dimensions={0}, to_apply=before} @[3] -> @[3]", "PSUFC"},
    {"topk{k=2} @[3] -> (@[2], s32[2])", "PSUFC"},  // complex ones not to be run
    // What applies computations.
    {"map{dimensions={0}, to_apply=same} @[3] -> @[3]", "PSUFC"},
    {"reduce{dimensions={0}, to_apply=keep} @[3], @[] -> @[]", "PSUFC"},
    {"reduce-window{window={size=2}, to_apply=keep} @[3], @[] -> @[2]", "PSUFC"},
    {"select-and-scatter{window={size=1}, select=before, scatter=keep} @[3], @[3], @[] -> @[3]", "PSUFC"},
    {"scan{dimensions={0}, num_carries=1, to_apply=step} @[3], @[] -> (@[3], @[])", "PSUFC"},
    // Products, transforms, matrices, normalization.
    {"dot{lhs_contracting_dims={0}, rhs_contracting_dims={0}} @[3], @[3] -> @[]", "PSUFC"},
    {"dot{lhs_contracting_dims={0}, rhs_contracting_dims={0}} @[3], f32[3] -> f32[]", "PSUFC"},
    {"dot{lhs_contracting_dims={0}, rhs_contracting_dims={0}} s8[3], s8[3] -> @[]", "PSUFC"},
    {"ragged-dot{lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}} @[4,2], "
     "@[2,2,1], s32[2] -> @[4,1]",
     "PSUFC"},
    {"convolution{dim_labels=bf_io->bf} @[2,3], @[3,1] -> @[2,1]", "PSUFC"},
    {"convolution{dim_labels=bf_io->bf} s8[2,3], @[3,1] -> s32[2,1]", "PSUFC"},
    {"convolution{dim_labels=bf_io->bf} s8[2,3], s8[3,1] -> @[2,1]", "PSUFC"},
    {"fft{fft_type=FFT, fft_length={3}} @[3] -> @[3]", "C"},
    {"fft{fft_type=IFFT, fft_length={3}} @[3] -> @[3]", "C"},
    {"fft{fft_type=RFFT, fft_length={3}} @[3] -> c64[2]", "f32"},
    {"fft{fft_type=RFFT, fft_length={3}} @[3] -> c128[2]", "f64"},
    {"fft{fft_type=IRFFT, fft_length={3}} @[2] -> f32[3]", "c64"},
    {"cholesky{lower=true} @[2,2] -> @[2,2]", "FC"},
    {"triangular-solve{left_side=true, lower=true, transpose_a=NO_TRANSPOSE} @[2,2], @[2,1] -> @[2,1]", "FC"},
    {"batch-norm-training{epsilon=0.1, feature_index=0} @[3,2], @[3], @[3] -> (@[3,2], @[3], @[3])", "F"},
    {"batch-norm-inference{epsilon=0.1, feature_index=0} @[3,2], @[3], @[3], @[3], @[3] -> @[3,2]", "F"},
    {"batch-norm-grad{epsilon=0.1, feature_index=0} @[3,2], @[3], @[3], @[3], @[3,2] -> (@[3,2], @[3], @[3])", "F"},
    // Collectives and transfers.
    {"all-gather{dimensions={0}, replica_groups={{0,1}}} @[3] -> @[6]", "PSUFC"},
    {"all-reduce{replica_groups={{0,1}}, to_apply=keep} @[3] -> @[3]", "PSUFC"},
    {"all-reduce{replica_groups={{0,1}}, to_apply=keep_f32} @[3] -> @[3]", "PSUFC"},  // the combiner is not compared
    {"reduce-scatter{dimensions={0}, replica_groups={{0,1}}, to_apply=keep} @[4] -> @[2]", "PSUFC"},
    {"all-to-all{dimensions={0}, replica_groups={{0,1}}} @[4] -> @[4]", "PSUFC"},
    {"all-to-all{replica_groups={{0,1}}} @[3], @[3] -> (@[3], @[3])", "PSUFC"},
    {"ragged-all-to-all{replica_groups={{0,1}}} @[3], @[3], s32[2], s32[2], s32[2], s32[2] -> @[3]", "PSUFC"},
    {"ragged-all-to-all{replica_groups={{0,1}}} s8[3], s8[3], @[2], @[2], @[2], @[2] -> s8[3]", "PSUFC"},
    {"collective-permute{source_target_pairs={{0,1}}} @[3] -> @[3]", "PSUFC"},
    {"collective-broadcast{replica_groups={{0,1}}} @[3] -> @[3]", "PSUFC"},
    {"replica-id -> @[]", "u32"},
    {"partition-id -> @[]", "u32"},
    {"rng-get-and-update-state{delta=1} -> @[2]", "u64"},
    {"opt-barrier @[3] -> @[3]", "PSUFC"},
    {"add-dependency @[3], token[] -> @[3]", "PSUFC"}};

// Computations on scalars of a type.
std::string ComputationsOf(absl::string_view type) {
  return absl::StrReplaceAll(R"(keep { ROOT a = @[] parameter(0) b = @[] parameter(1) }
keep_f32 { ROOT a = f32[] parameter(0) b = f32[] parameter(1) }
before { a = @[] parameter(0) b = @[] parameter(1) ROOT c = pred[] constant(true) }
same { ROOT a = @[] parameter(0) }
step { x = @[] parameter(0) c = @[] parameter(1) ROOT t = (@[], @[]) tuple(x, c) }
)",
                             {{"@", type}});
}

bool IsAccepted(const std::string& instruction, absl::string_view computations = "") {
  const auto document = Document::Parse(SourceText::FromString("types", ModuleAround(instruction, computations)));
  return std::none_of(document->diagnostics().begin(), document->diagnostics().end(),
                      [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

TEST(ElementTypes, OfElementwiseOperationsAreThoseOfTheTable) {
  for (const OpcodeTypes& row : kOpcodeTypes) {
    for (const absl::string_view opcode : absl::StrSplit(row.opcodes, ' ')) {
      for (const TypeFamily& family : kTypeFamilies) {
        for (const absl::string_view type : absl::StrSplit(family.types, ' ')) {
          const std::string array = absl::StrCat(type, "[3]");
          const std::string operands = row.operands == 1 ? array : absl::StrCat(array, ", ", array);
          const bool accepted = row.accepted.find(family.letter) != absl::string_view::npos;
          EXPECT_EQ(IsAccepted(absl::StrCat(opcode, " ", operands, " -> ", array)), accepted) << opcode << " " << type;
        }
      }
      for (const absl::string_view type : {"token[]", "opaque[]", "(f32[3])"}) {
        if (opcode == "copy") continue;
        const std::string operands = row.operands == 1 ? std::string(type) : absl::StrCat(type, ", ", type);
        EXPECT_FALSE(IsAccepted(absl::StrCat(opcode, " ", operands, " -> f32[3]"))) << opcode << " " << type;
      }
    }
  }
}

TEST(ElementTypes, OfOtherOperationsAreThoseOfTheTable) {
  for (const PlaceTypes& row : kPlaceTypes) {
    for (const TypeFamily& family : kTypeFamilies) {
      for (const absl::string_view type : absl::StrSplit(family.types, ' ')) {
        const bool by_family = absl::StrContains(row.accepted, std::string(1, family.letter));
        const std::vector<absl::string_view> single = absl::StrSplit(row.accepted, ' ');
        const bool accepted = by_family || std::find(single.begin(), single.end(), type) != single.end();
        EXPECT_EQ(IsAccepted(absl::StrReplaceAll(row.instruction, {{"@", type}}), ComputationsOf(type)), accepted)
            << row.instruction << " of " << type;
      }
    }
  }
}

}  // namespace
}  // namespace hloscope
