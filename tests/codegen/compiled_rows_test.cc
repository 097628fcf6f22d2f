// SPDX-License-Identifier: Apache-2.0
// Exponentials and quotients of rows in compiled programs are the functions of numerics/rows, results of costly
// functions of 16 bits are looked up, and all have every bit of the evaluator: on every bf16, and on f32 of every
// exponent.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "codegen/program.h"
#include "gtest/gtest.h"
#include "tests/codegen/compiled_program.h"
#include "tests/support/session_test_support.h"

namespace hloscope::codegen {
namespace {

// $0 is the type; x[256,256] and y[256] are arrays of it.
struct RowCase {
  const char* name;
  const char* function;  // of numerics/rows; null: the loop is the compiler's
  const char* root;
};
constexpr RowCase kRows[] = {
    {"exp", "ExpOfRow", "ROOT r = $0[256,256] exponential(x)"},
    {"difference", "ExpOfDifferences",
     "b = $0[256,256] broadcast(y), dimensions={0} d = $0[256,256] subtract(x, b) ROOT r = $0[256,256] exponential(d)"},
    {"quotient", "QuotientsOfRows", "b = $0[256,256] broadcast(y), dimensions={0} ROOT r = $0[256,256] divide(x, b)"},
    {"part_of_rows", "QuotientsOfRows",
     "s = $0[256,100] slice(x), slice={[0:256], [0:100]} c = $0[256,100] concatenate(s), dimensions={1} "
     "b = $0[256,100] broadcast(y), dimensions={0} ROOT r = $0[256,100] divide(c, b)"},
    {"scalar", nullptr,
     "s = $0[1,1] slice(x), slice={[3:4], [1:2]} t = $0[] reshape(s) u = $0[1] slice(y), slice={[7:8]} "
     "v = $0[] reshape(u) e = $0[] exponential(t) ROOT r = $0[] divide(e, v)"},
    {"one_row", nullptr,
     "s = $0[1,256] slice(x), slice={[3:4], [0:256]} u = $0[1] slice(y), slice={[7:8]} "
     "b = $0[1,256] broadcast(u), dimensions={0} ROOT r = $0[1,256] divide(s, b)"},
    {"columns", nullptr, "b = $0[256,256] broadcast(y), dimensions={1} ROOT r = $0[256,256] divide(x, b)"},
    {"backwards", nullptr,
     "v = $0[256,256] reverse(x), dimensions={1} b = $0[256,256] broadcast(y), dimensions={0} "
     "ROOT r = $0[256,256] divide(v, b)"},
    {"first_of_rows", nullptr,
     "s = $0[256,1] slice(x), slice={[0:256], [0:1]} t = $0[256] reshape(s) "
     "v = $0[256,256] broadcast(t), dimensions={0} b = $0[256,256] broadcast(y), dimensions={0} "
     "ROOT r = $0[256,256] divide(v, b)"},
    {"turned", nullptr,
     "t = $0[256,256] transpose(x), dimensions={1,0} b = $0[256,256] broadcast(y), dimensions={0} "
     "ROOT r = $0[256,256] divide(t, b)"},
    {"other_side", nullptr,
     "b = $0[256,256] broadcast(y), dimensions={0} d = $0[256,256] subtract(b, x) ROOT r = $0[256,256] exponential(d)"},
    {"slice", nullptr,
     "s = $0[256,100] slice(x), slice={[0:256], [7:107]} b = $0[256,100] broadcast(y), dimensions={0} "
     "ROOT r = $0[256,100] divide(s, b)"},
};

NamedModule ModuleOf(const RowCase& row, const std::string& type) {
  // Arrays, not what a loop computes on its way.
  const std::string bits = type == "bf16" ? "u16" : "u32";
  const std::string factor = type == "bf16" ? "1" : "65519";
  const std::string arrays = absl::Substitute(
      "i = $1[256,128] iota(), iota_dimension=0 j = $1[256,128] iota(), iota_dimension=1 "
      "w = $1[] constant(256) f = $1[] constant($2) h = $1[] constant(128) "
      "wb = $1[256,128] broadcast(w), dimensions={} fb = $1[256,128] broadcast(f), dimensions={} "
      "hb = $1[256,128] broadcast(h), dimensions={} k = $1[256,128] multiply(i, wb) m = $1[256,128] add(k, j) "
      "n = $1[256,128] add(m, hb) mf = $1[256,128] multiply(m, fb) nf = $1[256,128] multiply(n, fb) "
      "p = $0[256,128] bitcast-convert(mf) q = $0[256,128] bitcast-convert(nf) "
      "x = $0[256,256] concatenate(p, q), dimensions={1} y = $0[256] parameter(0) ",
      type, bits, factor);
  return {absl::StrCat(row.name, "_", type),
          ModuleFromText(absl::StrCat("HloModule m\nENTRY e { ", arrays, absl::Substitute(row.root, type), " }"))};
}

// x is an array of every number of 16 bits, four times and a bit: more than a table of results is made after.
struct LookUpCase {
  const char* name;
  const char* type;
  bool looks_up;
  const char* root;
};
constexpr LookUpCase kLookUps[] = {
    {"log", "bf16", true, "ROOT r = bf16[5,65536] log(x)"},
    {"tanh", "bf16", true, "ROOT r = bf16[5,65536] tanh(x)"},
    {"sine", "f16", true, "ROOT r = f16[5,65536] sine(x)"},
    {"silu", "bf16", true,
     "w = f32[5,65536] convert(x) l = f32[5,65536] logistic(w) m = f32[5,65536] multiply(w, l) "
     "ROOT r = bf16[5,65536] convert(m)"},
    {"predicate", "f16", true,
     "c = f16[5,65536] cosine(x) d = f16[5,65536] tan(c) ROOT r = pred[5,65536] compare(c, d), direction=LT"},
    {"wide_result", "bf16", false, "w = f32[5,65536] convert(x) ROOT r = f32[5,65536] log(w)"},
    {"cheap", "bf16", false, "ROOT r = bf16[5,65536] negate(x)"},
    {"two_arrays", "bf16", false,
     "v = bf16[5,65536] reverse(x), dimensions={1} l = bf16[5,65536] log(x) ROOT r = bf16[5,65536] add(l, v)"},
    {"few", "bf16", false, "s = bf16[1,65536] slice(x), slice={[4:5], [0:65536]} ROOT r = bf16[1,65536] log(s)"},
    {"turned", "bf16", false, "t = bf16[65536,5] transpose(x), dimensions={1,0} ROOT r = bf16[65536,5] log(t)"},
};

NamedModule ModuleOf(const LookUpCase& look_up) {
  const std::string text = absl::Substitute(
      "HloModule m\nENTRY e { i = u16[4,65536] iota(), iota_dimension=1 j = u16[1,65536] iota(), iota_dimension=1 "
      "k = u16[5,65536] concatenate(i, j), dimensions={0} x = $0[5,65536] bitcast-convert(k) $1 }",
      look_up.type, look_up.root);
  return {absl::StrCat("look_up_", look_up.name), ModuleFromText(text)};
}

TEST(CompiledRowsTest, HaveEveryBitOfTheEvaluator) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  std::vector<NamedModule> modules;
  for (const char* type : {"f32", "bf16"}) {
    for (const RowCase& row : kRows) modules.push_back(ModuleOf(row, type));
  }
  for (const LookUpCase& look_up : kLookUps) modules.push_back(ModuleOf(look_up));
  ExpectSameResults(modules, /*seed=*/7, /*tolerance=*/0);
}

TEST(CompiledRowsTest, RowsAreComputedByTheFunctionsOfNumerics) {
  for (const char* type : {"f32", "bf16"}) {
    for (const RowCase& row : kRows) {
      const NamedModule module = ModuleOf(row, type);
      ASSERT_NE(module.module, nullptr) << module.name;
      const ProgramModule only = {module.module.get(), module.name};
      std::string called;
      for (const ProgramFile& file : GenerateProgram({&only, 1}).files) {
        if (!absl::StartsWith(file.path, "loops")) continue;
        for (const char* function : {"ExpOfRow", "ExpOfDifferences", "QuotientsOfRows"}) {
          if (absl::StrContains(file.content, absl::StrCat("numerics::", function, "("))) called = function;
        }
      }
      EXPECT_EQ(called, row.function == nullptr ? "" : row.function) << module.name;
    }
  }
}

TEST(CompiledRowsTest, ResultsOfCostlyFunctionsOf16BitsAreLookedUp) {
  for (const LookUpCase& look_up : kLookUps) {
    const NamedModule module = ModuleOf(look_up);
    ASSERT_NE(module.module, nullptr) << module.name;
    const ProgramModule only = {module.module.get(), module.name};
    bool looks_up = false;
    for (const ProgramFile& file : GenerateProgram({&only, 1}).files) {
      looks_up = looks_up || (absl::StartsWith(file.path, "loops") && absl::StrContains(file.content, "table.LookUp("));
    }
    EXPECT_EQ(looks_up, look_up.looks_up) << module.name;
  }
}

}  // namespace
}  // namespace hloscope::codegen
