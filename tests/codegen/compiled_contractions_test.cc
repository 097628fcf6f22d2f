// SPDX-License-Identifier: Apache-2.0
// Products, convolutions, triangular systems, Fourier transforms and complex arithmetic: compiled programs give every
// bit of the evaluator, however they are optimised. HLOSCOPE_CPU=baseline and avx2 ask both for the loops of smaller
// processors (codegen_contractions_* in tests/CMakeLists.txt).
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "codegen/program.h"
#include "core/ir/module.h"
#include "gtest/gtest.h"
#include "tests/codegen/compiled_program.h"
#include "tests/support/session_test_support.h"

namespace hloscope::codegen {
namespace {

struct Form {
  const char* name;
  const char* body;  // of an entry computation; $0 is the element type
};

// Small and large, dense and transposed, with one row or column, in batches; sums that are longer than a chain.
constexpr Form kProducts[] = {
    {"small",
     "a = $0[5,7] parameter(0) b = $0[7,6] parameter(1) ROOT r = $0[5,6] dot(a, b), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    {"transposed",
     "a = $0[300,5] parameter(0) b = $0[6,300] parameter(1) ROOT r = $0[5,6] dot(a, b), "
     "lhs_contracting_dims={0}, rhs_contracting_dims={1}"},
    {"tall",
     "a = $0[90,700] parameter(0) b = $0[700] parameter(1) ROOT r = $0[90] dot(a, b), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    {"wide",
     "a = $0[700] parameter(0) b = $0[700,150] parameter(1) ROOT r = $0[150] dot(a, b), "
     "lhs_contracting_dims={0}, rhs_contracting_dims={0}"},
    {"single",
     "a = $0[9000] parameter(0) b = $0[9000] parameter(1) ROOT r = $0[] dot(a, b), "
     "lhs_contracting_dims={0}, rhs_contracting_dims={0}"},
    {"packed",
     "a = $0[61,300] parameter(0) b = $0[300,67] parameter(1) ROOT r = $0[61,67] dot(a, b), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    {"packed_transposed",
     "a = $0[300,61] parameter(0) b = $0[67,300] parameter(1) ROOT r = $0[61,67] dot(a, b), "
     "lhs_contracting_dims={0}, rhs_contracting_dims={1}"},
    {"batch",
     "a = $0[6,20,19] parameter(0) b = $0[19,6,21] parameter(1) ROOT r = $0[6,20,21] dot(a, b), "
     "lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_contracting_dims={0}"},
    // Operands that are views of other arrays: most can be read in place.
    {"transposed_batch",
     "a = $0[1,4,30,16] parameter(0) b = $0[1,4,20,16] parameter(1) q = $0[4,30,16] reshape(a) "
     "t = $0[1,4,16,20] transpose(b), dimensions={0,1,3,2} k = $0[4,16,20] reshape(t) ROOT r = $0[4,30,20] dot(q, k), "
     "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}"},
    {"sliced",
     "a = $0[40,50] parameter(0) b = $0[60,33] parameter(1) l = $0[20,30] slice(a), slice={[5:25], [7:37]} "
     "r0 = $0[30,11] slice(b), slice={[10:40], [22:33]} ROOT r = $0[20,11] dot(l, r0), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    {"steps_and_reversal",
     "a = $0[40,50] parameter(0) b = $0[25,33] parameter(1) l = $0[20,25] slice(a), slice={[0:40:2], [0:50:2]} "
     "r0 = $0[25,33] reverse(b), dimensions={0} ROOT r = $0[20,33] dot(l, r0), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    {"repeated",
     "a = $0[25] parameter(0) b = $0[25,33] parameter(1) l = $0[20,25] broadcast(a), dimensions={1} "
     "ROOT r = $0[20,33] dot(l, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    // The views have other users, too, or show what is computed.
    {"views_of_views",
     "a = $0[12,25] parameter(0) b = $0[25,12] parameter(1) t = $0[25,12] transpose(a), dimensions={1,0} "
     "s = $0[25,12] add(t, b) u = $0[12,25] transpose(s), dimensions={1,0} p = $0[12,12] dot(u, t), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0} v = $0[1,25,12] reshape(s) w = $0[1,25,12] add(v, v) "
     "ROOT r = ($0[12,12], $0[25,12], $0[1,25,12], $0[1,25,12]) tuple(p, t, v, w)"},
    {"outer", "a = $0[30] parameter(0) b = $0[40] parameter(1) ROOT r = $0[30,40] dot(a, b)"},
    {"usual",
     "a = $0[2,9,9,8] parameter(0) b = $0[3,3,8,24] parameter(1) ROOT r = $0[2,9,9,24] convolution(a, b), "
     "window={size=3x3 pad=1_1x1_1 rhs_reversal=1x0}, dim_labels=b01f_01io->b01f"},
    {"dilated",
     "a = $0[2,5,5,8] parameter(0) b = $0[3,3,8,24] parameter(1) ROOT r = $0[2,9,9,24] convolution(a, b), "
     "window={size=3x3 pad=2_2x2_2 lhs_dilate=2x2 rhs_dilate=2x2}, dim_labels=b01f_01io->b01f"},
    {"pointwise",
     "a = $0[2,5,5,8] parameter(0) b = $0[1,1,8,24] parameter(1) ROOT r = $0[2,5,5,24] "
     "convolution(a, b), window={size=1x1}, dim_labels=b01f_01io->b01f"},
    {"feature_groups",
     "a = $0[2,9,9,8] parameter(0) b = $0[3,3,2,24] parameter(1) ROOT r = $0[2,9,9,24] "
     "convolution(a, b), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, "
     "feature_group_count=4"},
    {"lanes",
     "a = $0[2,9,9,8] parameter(0) b = $0[3,3,1,8] parameter(1) ROOT r = $0[2,9,9,8] convolution(a, b), "
     "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=8"},
    {"planes",
     "a = $0[2,6,16,16] parameter(0) b = $0[6,1,3,3] parameter(1) ROOT r = $0[2,6,16,16] "
     "convolution(a, b), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, feature_group_count=6"},
    {"planes_of_five",
     "a = $0[3,5,20,17] parameter(0) b = $0[5,1,5,5] parameter(1) ROOT r = $0[3,5,10,9] "
     "convolution(a, b), window={size=5x5 stride=2x2 pad=2_2x2_2}, dim_labels=bf01_oi01->bf01, feature_group_count=5"},
    {"turned_planes",
     "a = $0[2,6,16,16] parameter(0) b = $0[3,3,1,6] parameter(1) ROOT r = $0[16,16,2,6] "
     "convolution(a, b), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_01io->01bf, feature_group_count=6"},
    {"batch_groups",
     "a = $0[16,9,9,2] parameter(0) b = $0[7,7,2,16] parameter(1) ROOT r = $0[1,3,3,16] "
     "convolution(a, b), window={size=7x7}, dim_labels=b01f_01io->b01f, batch_group_count=16"},
    {"window_as_wide_as_its_input",
     "a = $0[2,9,9,30] parameter(0) b = $0[9,9,30,40] parameter(1) ROOT r = $0[2,3,3,40] convolution(a, b), "
     "window={size=9x9 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"},
};

// Groups that cover too little and too much, for all rows and for each position of a batch or of another dimension
// before the ragged one.
constexpr Form kRaggedProducts[] = {
    {"ragged_rows",
     "a = $0[9,5] parameter(0) b = $0[3,5,7] parameter(1) g = s32[3] constant({2, 0, 4}) ROOT r = $0[9,7] "
     "ragged-dot(a, b, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, "
     "rhs_group_dims={0}"},
    {"ragged_rows_between",
     "a = $0[4,2,3,5,6] parameter(0) b = $0[2,2,6,7] parameter(1) g = u8[2,4,3,2] iota(), iota_dimension=1 "
     "ROOT r = $0[2,4,3,5,7] ragged-dot(a, b, g), lhs_batch_dims={1}, rhs_batch_dims={1}, lhs_contracting_dims={4}, "
     "rhs_contracting_dims={2}, lhs_ragged_dims={3}, rhs_group_dims={0}"},
    {"ragged_inner",
     "a = $0[4,9] parameter(0) b = $0[9,6] parameter(1) g = s64[3] constant({4, 0, 7}) ROOT r = $0[3,4,6] "
     "ragged-dot(a, b, g), lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}"},
    {"ragged_inner_of_two",
     "a = $0[2,4,3,5] parameter(0) b = $0[5,3,6,2] parameter(1) g = s32[2,3,2] constant({{{1,2},{5,9},{0,3}},"
     "{{4,1},{0,0},{2,2}}}) ROOT r = $0[2,2,4,6] ragged-dot(a, b, g), lhs_batch_dims={0}, rhs_batch_dims={3}, "
     "lhs_contracting_dims={2,3}, rhs_contracting_dims={1,0}, lhs_ragged_dims={3}"},
    {"ragged_inner_shared",
     "a = $0[2,4,3,5] parameter(0) b = $0[5,3,6,2] parameter(1) g = s32[2] constant({3, 1}) ROOT r = $0[2,2,4,6] "
     "ragged-dot(a, b, g), lhs_batch_dims={0}, rhs_batch_dims={3}, lhs_contracting_dims={2,3}, "
     "rhs_contracting_dims={1,0}, lhs_ragged_dims={3}"},
    {"ragged_batch",
     "a = $0[2,6,3,4,5] parameter(0) b = $0[6,5,2,7,3] parameter(1) g = s32[2,2] constant({{1,2},{5,9}}) "
     "ROOT r = $0[2,6,3,4,7] ragged-dot(a, b, g), lhs_batch_dims={0,1,2}, rhs_batch_dims={2,0,4}, "
     "lhs_contracting_dims={4}, rhs_contracting_dims={1}, lhs_ragged_dims={1}"},
    {"ragged_without_groups",
     "a = $0[4,9] parameter(0) b = $0[0,9,6] parameter(1) g = s32[0] constant({}) ROOT r = $0[4,6] "
     "ragged-dot(a, b, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, "
     "rhs_group_dims={0}"},
};

// Scales of blocks, of single elements and of everything, in a batch.
constexpr Form kScaledProducts[] = {
    {"scaled",
     "a = $0[3,5,8] parameter(0) b = $0[8,3,6] parameter(1) s = bf16[3,5,2] parameter(2) t = f32[8,1,3] parameter(3) "
     "ROOT r = $0[3,5,6] scaled-dot(a, b, s, t), lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, "
     "rhs_contracting_dims={0}"},
    {"scaled_once",
     "a = bf16[5,8] parameter(0) b = bf16[8,6] parameter(1) s = bf16[] parameter(2) t = f8e8m0fnu[2,6] parameter(3) "
     "ROOT r = $0[5,6] scaled-dot(a, b, s, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
};

constexpr Form kSystems[] = {
    {"left",
     "a = $0[2,9,9] parameter(0) b = $0[2,9,4] parameter(1) ROOT r = $0[2,9,4] triangular-solve(a, b), "
     "left_side=true, lower=true, transpose_a=NO_TRANSPOSE"},
    {"right",
     "a = $0[9,9] parameter(0) b = $0[4,9] parameter(1) ROOT r = $0[4,9] triangular-solve(a, b), "
     "lower=true, unit_diagonal=true, transpose_a=ADJOINT"},
    {"factor",
     "a = $0[9,9] parameter(0) i = s32[9,9] iota(), iota_dimension=0 j = s32[9,9] iota(), iota_dimension=1 "
     "on = pred[9,9] compare(i, j), direction=EQ z = s32[] constant(0) n = s32[] constant(20) "
     "zs = s32[9,9] broadcast(z), dimensions={} ns = s32[9,9] broadcast(n), dimensions={} "
     "d = s32[9,9] select(on, ns, zs) e = $0[9,9] convert(d) s = $0[9,9] add(a, e) "
     "ROOT r = $0[9,9] cholesky(s), lower=true"},
};

// Sums and differences of products that are neighbours in memory.
constexpr Form kComplexArithmetic[] = {
    {"multiply", "a = $0[50] parameter(0) b = $0[50] parameter(1) ROOT r = $0[50] multiply(a, b)"},
    {"divide", "a = $0[50] parameter(0) b = $0[50] parameter(1) ROOT r = $0[50] divide(a, b)"},
    {"chain",
     "a = $0[50] parameter(0) b = $0[50] parameter(1) c = $0[50] multiply(a, b) d = $0[50] multiply(b, b) "
     "ROOT r = $0[50] subtract(c, d)"},
};
constexpr Form kRealArithmetic[] = {
    {"rotation",
     "a = $0[50] parameter(0) b = $0[50] parameter(1) c = $0[50] parameter(2) d = $0[50] parameter(3) "
     "ac = $0[50] multiply(a, c) bd = $0[50] multiply(b, d) ad = $0[50] multiply(a, d) "
     "bc = $0[50] multiply(b, c) x = $0[50] subtract(ac, bd) y = $0[50] add(ad, bc) "
     "ROOT r = $1[50] complex(x, y)"},
};

// Every method of a transform, lines that are neighbours and that are not; lengths that are not those of the operand
// (which they cut or extend), one of them zero.
constexpr Form kTransforms[] = {
    {"smooth", "a = $1[3,1000] parameter(0) ROOT r = $1[3,1000] fft(a), fft_type=FFT, fft_length={1000}"},
    {"power_of_two", "a = $1[2,4096] parameter(0) ROOT r = $1[2,4096] fft(a), fft_type=IFFT, fft_length={4096}"},
    {"small_factors", "a = $1[360,7] parameter(0) ROOT r = $1[360,7] fft(a), fft_type=FFT, fft_length={360,7}"},
    {"prime", "a = $1[2,101] parameter(0) ROOT r = $1[2,101] fft(a), fft_type=FFT, fft_length={101}"},
    {"prime_and_smooth",
     "a = $1[3,12,101] parameter(0) ROOT r = $1[3,12,101] fft(a), fft_type=IFFT, fft_length={12,101}"},
    {"prime_real", "a = $0[2,12,37] parameter(0) ROOT r = $1[2,12,19] fft(a), fft_type=RFFT, fft_length={12,37}"},
    {"parts", "a = $1[80000] parameter(0) ROOT r = $1[80000] fft(a), fft_type=FFT, fft_length={80000}"},
    {"real", "a = $0[4,30,12] parameter(0) ROOT r = $1[4,30,7] fft(a), fft_type=RFFT, fft_length={30,12}"},
    {"to_real", "a = $1[4,30,7] parameter(0) ROOT r = $0[4,30,12] fft(a), fft_type=IRFFT, fft_length={30,12}"},
    {"shorter", "a = $1[2,9] parameter(0) ROOT r = $1[2,9] fft(a), fft_type=FFT, fft_length={6}"},
    {"longer", "a = $1[2,3,4] parameter(0) ROOT r = $1[2,3,4] fft(a), fft_type=IFFT, fft_length={5,2}"},
    {"none", "a = $1[2,3] parameter(0) ROOT r = $1[2,3] fft(a), fft_type=FFT, fft_length={0}"},
};

std::string NameOf(const char* form, const char* type) { return absl::StrCat(form, "_", type); }

const char* ComplexOf(absl::string_view part) { return part == "f64" ? "c128" : "c64"; }

std::vector<NamedModule> ModulesOfEveryType() {
  std::vector<NamedModule> modules;
  const auto add = [&](const Form& form, const char* type) {
    modules.push_back({NameOf(form.name, type),
                       ModuleFromText(absl::StrCat("HloModule m\nENTRY e { ",
                                                   absl::Substitute(form.body, type, ComplexOf(type)), " }"))});
  };
  for (const char* type : {"c64", "c128", "f32", "f64", "bf16", "s32"}) {
    for (const Form& form : kProducts) add(form, type);
    for (const Form& form : kRaggedProducts) add(form, type);
  }
  for (const char* type : {"f32", "f64", "bf16"}) {
    for (const Form& form : kScaledProducts) add(form, type);
  }
  for (const char* type : {"c64", "c128", "f32", "f64"}) {
    for (const Form& form : kSystems) add(form, type);
  }
  for (const char* type : {"c64", "c128"}) {
    for (const Form& form : kComplexArithmetic) add(form, type);
  }
  for (const char* type : {"f32", "f64"}) {
    for (const Form& form : kRealArithmetic) add(form, type);
    for (const Form& form : kTransforms) add(form, type);
  }
  return modules;
}

// Attention as JAX writes it: neither the transposed keys nor the reshapes around the products are copied.
TEST(CompiledProductsTest, ReadTheArraysThatViewsShow) {
  const std::shared_ptr<const Module> module = ModuleFromText(R"(HloModule attention
ENTRY e {
  q = bf16[1,12,128,64] parameter(0)
  k = bf16[1,12,128,64] parameter(1)
  v = bf16[1,12,128,64] parameter(2)
  kt = bf16[1,12,64,128] transpose(k), dimensions={0,1,3,2}
  qs = bf16[12,128,64] reshape(q)
  ks = bf16[12,64,128] reshape(kt)
  scores = bf16[12,128,128] dot(qs, ks), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
  vs = bf16[12,128,64] reshape(v)
  sums = bf16[12,128,64] dot(scores, vs), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
  ROOT r = bf16[1,12,128,64] reshape(sums)
})");
  ASSERT_NE(module, nullptr);
  const ProgramModule only = {module.get(), "attention"};
  const Program program = GenerateProgram({&only, 1});
  ASSERT_TRUE(program.complete());
  for (const ProgramFile& file : program.files) {
    EXPECT_FALSE(absl::StartsWith(file.path, "loops") && absl::StrContains(file.content, "void loop_")) << file.content;
  }
}

class CompiledContractionsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(CompiledContractionsTest, HaveEveryBitOfTheEvaluator) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  if (*GetParam() != 0) setenv("OPTIMISE", GetParam(), 1);
  ExpectSameResults(ModulesOfEveryType(), /*seed=*/11, /*tolerance=*/0);
  unsetenv("OPTIMISE");
}

INSTANTIATE_TEST_SUITE_P(Optimised, CompiledContractionsTest, ::testing::Values("", "-O0"),
                         [](const auto& info) { return std::string(*info.param == 0 ? "AsUsual" : "NotAtAll"); });

}  // namespace
}  // namespace hloscope::codegen
