// SPDX-License-Identifier: Apache-2.0
// Pairs of reductions, windows, sorting, linear algebra, random numbers.
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/support/rule_pair_makers.h"

namespace hloscope::rule_pairs {
namespace {

// --- Reductions, windows, sorting ---

RulePair ReduceRepeated(Random& r) {
  const int64_t n = r.Int(1, 9), m = r.Int(1, 9), k = r.Int(1, 9);
  const std::string operands = absl::StrCat(Array("s32", {n, m, k}), ", s32[]");
  return {InstructionModule("dimensions={0,1}, to_apply=add_s32", "reduce", operands, Array("s32", {k})),
          InstructionModule("dimensions={1,1}, to_apply=add_s32", "reduce", operands, Array("s32", {n, k})),
          "duplicate-dimension"};
}
RulePair ReduceInit(Random& r) {
  const Sizes sizes = r.Array();
  return ByOperands("operand-not-scalar", "reduce", "dimensions={0}, to_apply=add_s32", Array("s32", Without(sizes, 0)),
                    absl::StrCat(Array("s32", sizes), ", s32[]"), absl::StrCat(Array("s32", sizes), ", s32[1]"));
}
RulePair ReduceWindowRank(Random& r) {
  const int64_t n = r.Int(2, 9), m = r.Int(2, 9);
  return ByAttributes("window-rank", "reduce-window", absl::StrCat(Array("s32", {n, m}), ", s32[]"),
                      Array("s32", {n - 1, m - 1}), "window={size=2x2}, to_apply=add_s32",
                      r.Of({"window={size=2}, to_apply=add_s32", "window={size=2x2x1}, to_apply=add_s32"}));
}
RulePair ReduceWindowFields(Random& r) {
  const int64_t n = r.Int(2, 9);
  return ByAttributes(
      "window-field", "reduce-window", absl::StrCat(Array("s32", {n}), ", s32[]"), Array("s32", {n - 1}),
      "window={size=2 stride=1}, to_apply=add_s32",
      r.Of({"window={size=2 stride=0}, to_apply=add_s32", "window={size=2 rhs_dilate=0}, to_apply=add_s32",
            "window={size=2 lhs_dilate=0}, to_apply=add_s32"}));
}
RulePair SortDimension(Random& r) {
  const Sizes sizes = r.Array();
  const std::string array = Array("f32", sizes);
  const int64_t rank = static_cast<int64_t>(sizes.size());
  return ByAttributes("dimension-out-of-range", "sort", array, array,
                      absl::StrCat("dimensions={", r.Int(0, rank - 1), "}, to_apply=lt_f32"),
                      absl::StrCat("dimensions={", r.Int(0, 1) == 0 ? rank : -1, "}, to_apply=lt_f32"));
}

// --- Linear algebra, random numbers, sizes ---

RulePair FftTypes(Random& r) {
  const int64_t n = r.Int(1, 9);
  const std::string attributes = absl::StrCat("fft_type=FFT, fft_length={", n, "}");
  return {InstructionModule(attributes, "fft", Array("c64", {n}), Array("c64", {n})),
          InstructionModule(attributes, "fft", Array(r.Real(), {n}), Array("c64", {n})), "fft-type"};
}
RulePair FftLengths(Random& r) {
  const int64_t n = r.Int(1, 9);
  const std::string array = Array(r.Of({"c64", "c128"}), {n});
  const absl::string_view type = r.Of({"FFT", "IFFT"});
  return ByAttributes("fft-length", "fft", array, array, absl::StrCat("fft_type=", type, ", fft_length={", n, "}"),
                      absl::StrCat("fft_type=", type, ", fft_length={", r.Int(0, 1) == 0 ? n + 1 : n - 1, "}"));
}
RulePair RfftLengths(Random& r) {
  const int64_t n = r.Int(2, 9);
  return ByAttributes("fft-length", "fft", Array("f32", {n}), Array("c64", {n / 2 + 1}),
                      absl::StrCat("fft_type=RFFT, fft_length={", n, "}"),
                      absl::StrCat("fft_type=RFFT, fft_length={", r.Int(0, 1) == 0 ? n + 1 : n - 1, "}"));
}
RulePair CholeskySquare(Random& r) {
  const int64_t n = r.Int(1, 9);
  const absl::string_view type = r.Of({"f32", "f64", "c64"});
  const std::string good = Array(type, {n, n}), bad = Array(type, {n, n + 1});
  return {InstructionModule("lower=true", "cholesky", good, good),
          InstructionModule("lower=true", "cholesky", bad, bad), "matrix-not-square"};
}
RulePair SolveSizes(Random& r) {
  const int64_t n = r.Int(1, 9), m = r.Int(1, 9);
  const absl::string_view type = r.Of({"f32", "f64", "c64"});
  const std::string a = Array(type, {n, n}), good = Array(type, {n, m}), bad = Array(type, {n + 1, m});
  const absl::string_view attributes = "left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE";
  return {InstructionModule(attributes, "triangular-solve", absl::StrCat(a, ", ", good), good),
          InstructionModule(attributes, "triangular-solve", absl::StrCat(a, ", ", bad), bad), "solve-size"};
}
RulePair RngScalars(Random& r) {
  const std::string result = Array("f32", r.Array(0));
  return ByOperands("operand-not-scalar", "rng", "distribution=rng_uniform", result, "f32[], f32[]", "f32[], f32[1]");
}
RulePair GeneratorTupleSize(Random& r) {
  const std::string data = Array(r.Integer(), r.Array(0));
  return ByResult("generator-result", "rng-bit-generator", "algorithm=rng_default", "u64[2]",
                  absl::StrCat("(u64[2], ", data, ")"), absl::StrCat("(u64[2], ", data, ", ", data, ")"));
}
RulePair GeneratorStateKept(Random& r) {
  const std::string data = Array(r.Integer(), r.Array(0));
  return ByResult("generator-state-changed", "rng-bit-generator", "algorithm=rng_default", "u64[2]",
                  absl::StrCat("(u64[2], ", data, ")"), absl::StrCat("(u64[3], ", data, ")"));
}
RulePair GeneratorData(Random& r) {
  const Sizes sizes = r.Array(0);
  return ByResult("result-type-unsupported", "rng-bit-generator", "algorithm=rng_default", "u64[2]",
                  absl::StrCat("(u64[2], ", Array(r.Integer(), sizes), ")"),
                  absl::StrCat("(u64[2], ", Array(r.Float(), sizes), ")"));
}
RulePair DimensionSizeRange(Random& r) {
  const Sizes sizes = r.Array();
  const int64_t rank = static_cast<int64_t>(sizes.size());
  return ByAttributes("dimension-out-of-range", "get-dimension-size", Array(r.Any(), sizes), "s32[]",
                      absl::StrCat("dimensions={", r.Int(0, rank - 1), "}"), absl::StrCat("dimensions={", rank, "}"));
}

}  // namespace

absl::Span<const Maker> ReductionMakers() {
  static constexpr Maker kMakers[] = {
      ReduceRepeated, ReduceInit,         ReduceWindowRank,   ReduceWindowFields, SortDimension,
      FftTypes,       FftLengths,         RfftLengths,        CholeskySquare,     SolveSizes,
      RngScalars,     GeneratorTupleSize, GeneratorStateKept, GeneratorData,      DimensionSizeRange,
  };
  return kMakers;
}

}  // namespace hloscope::rule_pairs
