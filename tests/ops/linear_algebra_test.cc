// SPDX-License-Identifier: Apache-2.0
// Shape rules and checks of fft, cholesky and triangular-solve (docs/ops/tensor.md 6).
#include <gtest/gtest.h>

#include "core/document/document.h"
#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

TEST(FftRules, AcceptedAndRejected) {
  ExpectRules(R"(
    fft{fft_type=FFT, fft_length={4}} c64[4] => c64[4]
    fft{fft_type=IFFT, fft_length={4}} c128[2,4] => c128[2,4]
    fft{fft_type=IRFFT, fft_length={4}} c64[3] => f32[4]
    fft{fft_type=IRFFT, fft_length={5}} c64[3] => f32[5]
    fft{fft_type=RFFT, fft_length={2,3}} f32[2,3] => c64[2,2]
    fft{fft_type=RFFT, fft_length={5}} f64[5] => c128[3]
    fft{fft_type=RFFT, fft_length={0}} f32[2,0] => c64[2,0]
    fft{fft_type=IRFFT, fft_length={0}} c64[0] => f32[0]
    fft{fft_type=IRFFT, fft_length={6}} c64[3] -> f32[6] : fft-length at 6
    fft{fft_type=FFT, fft_length={}} c64[4] -> c64[4] : fft-rank
    fft{fft_type=FFT, fft_length={1,1,1,1}} c64[1,1,1,1] -> c64[1,1,1,1] : fft-rank
    fft{fft_type=FFT, fft_length={4,4}} c64[4] -> c64[4] : fft-rank
    fft{fft_type=FFT, fft_length={4}} f32[4] -> c64[4] : fft-type at p0
    fft{fft_type=IRFFT, fft_length={4}} f32[3] -> f32[4] : fft-type
    fft{fft_type=RFFT, fft_length={4}} c64[4] -> c64[3] : fft-type
    fft{fft_type=RFFT, fft_length={4}} f16[4] -> c64[3] : fft-type
    fft{fft_type=RFFT, fft_length={4}} f32[5] -> c64[3] : fft-length
    fft{fft_type=IRFFT, fft_length={3,4}} c64[2,3] -> f32[3,4] : fft-length
    fft{fft_type=FFT, fft_length={3}} c64[4] -> c64[4] : fft-length
    fft{fft_type=FFT, fft_length={-4}} c64[4] -> c64[4] : fft-length
    fft{fft_type=FFT, fft_length={4}} c64[4] -> c64[5] : declared-shape
  )");
}

// Twice the size of the operand is no 64-bit number: there is no length to suggest.
TEST(FftRules, LengthsBeyond64BitsAreNotSuggested) {
  const auto document = Document::Parse(SourceText::FromString("a.hlo", R"(HloModule m
ENTRY e {
  p = c64[9223372036854775807] parameter(0)
  ROOT r = f32[4] fft(p), fft_type=IRFFT, fft_length={4}
})"));
  int lengths = 0;
  for (const Diagnostic& diagnostic : document->diagnostics()) {
    if (diagnostic.kind != DiagnosticKind::kFftLength) continue;
    ++lengths;
    EXPECT_TRUE(diagnostic.fixes.empty());
  }
  EXPECT_EQ(lengths, 1);
}

TEST(CholeskyRules, AcceptedAndRejected) {
  ExpectRules(R"(
    cholesky{lower=true} f32[2,2] => f32[2,2]
    cholesky c64[5,3,3] => c64[5,3,3]
    cholesky bf16[<=5,3,3] => bf16[<=5,3,3]
    cholesky s32[2,2] -> s32[2,2] : operand-element-type at p0
    cholesky f32[2] -> f32[2] : matrix-rank at p0
    cholesky f32[2,3] -> f32[2,3] : matrix-not-square at p0
    cholesky f32[2,2] -> f32[2,3] : declared-shape
  )");
}

TEST(TriangularSolveRules, AcceptedAndRejected) {
  ExpectRules(R"(
    triangular-solve{left_side=true, lower=true, transpose_a=NO_TRANSPOSE} f32[2,2], f32[2,1] => f32[2,1]
    triangular-solve{transpose_a=ADJOINT} c64[4,2,2], c64[4,5,2] => c64[4,5,2]
    triangular-solve{left_side=true, transpose_a=TRANSPOSE} f32[2,2], f64[2,1] -> f64[2,1] : operand-types-differ at p1
    triangular-solve{left_side=true, transpose_a=TRANSPOSE} s32[2,2], s32[2,1] -> s32[2,1] : operand-element-type at p0
    triangular-solve{left_side=true, transpose_a=TRANSPOSE} f32[2], f32[2] -> f32[2] : matrix-rank
    triangular-solve{left_side=true, transpose_a=TRANSPOSE} f32[2,2], f32[2] -> f32[2] : operand-shapes-differ at p1
    triangular-solve{left_side=true, transpose_a=TRANSPOSE} f32[2,3], f32[3,1] -> f32[3,1] : matrix-not-square
    triangular-solve{left_side=true, transpose_a=TRANSPOSE} f32[2,2], f32[3,1] -> f32[3,1] : solve-size at p1
    triangular-solve{transpose_a=TRANSPOSE} f32[2,2], f32[2,1] -> f32[2,1] : solve-size at p1
    triangular-solve{left_side=true, transpose_a=TRANSPOSE} f32[4,2,2], f32[5,2,1] -> f32[5,2,1] : operand-shapes-differ at p1
    triangular-solve{left_side=true} f32[2,2], f32[2,1] -> f32[2,1] : transpose-a
    triangular-solve{left_side=true, transpose_a=TRANSPOSE_INVALID} f32[2,2], f32[2,1] -> f32[2,1] : transpose-a
  )");
}

}  // namespace
}  // namespace hloscope
