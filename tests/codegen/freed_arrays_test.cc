// SPDX-License-Identifier: Apache-2.0
// Arrays of a compiled program are freed or given away by the last statement that needs them, also those that one
// instruction works with: converted operands, sums in a wider type.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "codegen/program.h"
#include "gtest/gtest.h"
#include "tests/support/session_test_support.h"

namespace hloscope::codegen {
namespace {

// An instruction `y` with such arrays, and the shape of its result.
struct ScratchCase {
  const char* name;
  const char* shape;
  const char* instructions;
};
constexpr ScratchCase kCases[] = {
    {"batch_norm", "f32[4,5,6,3]",
     "x = f32[4,5,6,3] parameter(0) s = f32[3] parameter(1) t = (f32[4,5,6,3], f32[3], f32[3]) "
     "batch-norm-training(x, s, s), epsilon=0.01, feature_index=3 y = f32[4,5,6,3] get-tuple-element(t), index=0"},
    {"convolution", "bf16[1,8,8,4]",
     "x = bf16[1,8,8,4] parameter(0) k = f16[3,3,4,4] parameter(1) y = bf16[1,8,8,4] convolution(x, k), "
     "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"},
    {"dot", "f16[8,8]",
     "x = bf16[8,8] parameter(0) k = f16[8,8] parameter(1) y = f16[8,8] dot(x, k), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={0}"},
    {"cholesky", "bf16[8,8]", "x = bf16[8,8] parameter(0) y = bf16[8,8] cholesky(x), lower=true"},
    {"fft", "c64[8,8]", "x = c64[8,8] parameter(0) y = c64[8,8] fft(x), fft_type=FFT, fft_length={8,8}"},
    {"bitcast", "f32[8,16]{0,1}", "x = f32[16,8]{0,1} parameter(0) y = f32[8,16]{0,1} bitcast(x)"},
};

// The variables of a function that hold new memory, each with the text that follows.
std::vector<std::pair<std::string, absl::string_view>> Allocations(absl::string_view text) {
  std::vector<std::pair<std::string, absl::string_view>> result;
  constexpr absl::string_view kBegin = "\n  Array ";
  for (size_t at = text.find(kBegin); at != absl::string_view::npos; at = text.find(kBegin, at + 1)) {
    const absl::string_view line = text.substr(at + kBegin.size());
    const absl::string_view name = line.substr(0, line.find(' '));
    if (absl::StartsWith(line, absl::StrCat(name, " = Allocate("))) result.emplace_back(name, line);
  }
  return result;
}

TEST(FreedArraysTest, NoArrayOutlivesItsLastUse) {
  for (const ScratchCase& c : kCases) {
    SCOPED_TRACE(c.name);
    // The last statement of a function frees nothing: another one follows.
    const auto module = ModuleFromText(absl::StrCat("HloModule m\nENTRY e { ", c.instructions, " ROOT r = ", c.shape,
                                                    " reverse(y), dimensions={0} }"));
    ASSERT_NE(module, nullptr);
    const ProgramModule only = {module.get(), c.name};
    const Program program = GenerateProgram({&only, 1});
    ASSERT_TRUE(program.complete());
    size_t count = 0;
    for (const ProgramFile& file : program.files) {
      if (!absl::StartsWith(file.path, "computations")) continue;
      for (const auto& [name, after] : Allocations(file.content)) {
        ++count;
        EXPECT_TRUE(absl::StrContains(after, absl::StrCat("\n  ", name, " = {};")) ||
                    absl::StrContains(after, absl::StrCat("std::move(", name, ")")))
            << name << "\n"
            << file.content;
      }
    }
    EXPECT_GE(count, 3u);  // of y, of what it works with and of the result
  }
}

}  // namespace
}  // namespace hloscope::codegen
