// SPDX-License-Identifier: Apache-2.0
// Reductions of rows in compiled programs have every bit of the evaluator; those of neighbouring floats are folded by
// the loops of the evaluator.
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

// $0 is the element type, $1 an initial value.
enum class Fold { kElements, kRuns, kColumns };  // by which loops, for the types that have such loops
struct RowReduction {
  const char* name;
  Fold fold;
  const char* entry;
};
constexpr RowReduction kReductions[] = {
    {"short", Fold::kElements,
     "x = $0[50,63] parameter(0) i = $0[] constant($1) ROOT r = $0[50] reduce(x, i), dimensions={1}"},
    {"rows", Fold::kRuns,
     "x = $0[50,64] parameter(0) i = $0[] constant($1) ROOT r = $0[50] reduce(x, i), dimensions={1}"},
    {"long", Fold::kRuns,
     "x = $0[3,5001] parameter(0) i = $0[] constant($1) ROOT r = $0[3] reduce(x, i), dimensions={1}"},
    {"whole", Fold::kRuns,
     "x = $0[30,101] parameter(0) i = $0[] constant($1) ROOT r = $0[] reduce(x, i), dimensions={0,1}"},
    {"outer_and_inner", Fold::kRuns,
     "x = $0[7,5,90] parameter(0) i = $0[] constant($1) ROOT r = $0[5] reduce(x, i), dimensions={0,2}"},
    {"part_of_rows", Fold::kRuns,
     "x = $0[9,200] parameter(0) i = $0[] constant($1) s = $0[9,150] slice(x), slice={[0:9], [20:170]} "
     "ROOT r = $0[9] reduce(s, i), dimensions={1}"},
    {"backwards", Fold::kElements,
     "x = $0[9,200] parameter(0) i = $0[] constant($1) s = $0[9,200] reverse(x), dimensions={1} "
     "ROOT r = $0[9] reduce(s, i), dimensions={1}"},
    {"first_dimension", Fold::kColumns,
     "x = $0[200,9] parameter(0) i = $0[] constant($1) ROOT r = $0[9] reduce(x, i), dimensions={0}"},
    {"many_columns", Fold::kColumns,
     "x = $0[13,1101] parameter(0) i = $0[] constant($1) ROOT r = $0[1101] reduce(x, i), dimensions={0}"},
    {"inner_columns", Fold::kColumns,
     "x = $0[3,70,40,5] parameter(0) i = $0[] constant($1) ROOT r = $0[3,5] reduce(x, i), dimensions={1,2}"},
    {"outer_columns", Fold::kColumns,
     "x = $0[6,5,70,40] parameter(0) i = $0[] constant($1) ROOT r = $0[5,40] reduce(x, i), dimensions={0,2}"},
    {"part_of_columns", Fold::kColumns,
     "x = $0[90,200] parameter(0) i = $0[] constant($1) s = $0[60,150] slice(x), slice={[10:70], [20:170]} "
     "ROOT r = $0[150] reduce(s, i), dimensions={0}"},
    {"columns_upwards", Fold::kElements,
     "x = $0[90,200] parameter(0) i = $0[] constant($1) s = $0[90,200] reverse(x), dimensions={0} "
     "ROOT r = $0[200] reduce(s, i), dimensions={0}"},
    {"short_runs_of_neighbours", Fold::kColumns,
     "x = $0[4,90,6,3] parameter(0) i = $0[] constant($1) ROOT r = $0[4,6] reduce(x, i), dimensions={1,3}"},
    {"runs_of_neighbours", Fold::kColumns,
     "x = $0[3,5,9,30,50] parameter(0) i = $0[] constant($1) ROOT r = $0[3,30] reduce(x, i), dimensions={1,2,4}"},
    {"computed", Fold::kElements,
     "x = $0[9,200] parameter(0) i = $0[] constant($1) s = $0[9,200] negate(x) "
     "ROOT r = $0[9] reduce(s, i), dimensions={1}"},
};

std::vector<NamedModule> ModulesOf(const RowReduction& reduction, const char* type) {
  std::vector<NamedModule> modules;
  for (const char* reducer : {"add", "maximum", "minimum"}) {
    const std::string entry = absl::Substitute(reduction.entry, type, "2.5");
    modules.push_back({absl::StrCat(reduction.name, "_", type, "_", reducer),
                       ModuleFromText(absl::StrCat("HloModule m\nf { a = ", type, "[] parameter(0) b = ", type,
                                                   "[] parameter(1) ROOT r = ", type, "[] ", reducer,
                                                   "(a, b) }\nENTRY e { ", entry, ", to_apply=f }"))});
  }
  return modules;
}

TEST(CompiledReductionsTest, HaveEveryBitOfTheEvaluator) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  std::vector<NamedModule> modules;
  for (const char* type : {"f32", "bf16", "f16", "f64"}) {
    for (const RowReduction& reduction : kReductions) {
      for (NamedModule& module : ModulesOf(reduction, type)) modules.push_back(std::move(module));
    }
  }
  // Sums of bf16 as JAX writes them.
  modules.push_back({"converted", ModuleFromText(R"(HloModule m
f { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
ENTRY e { x = bf16[9,200] parameter(0)
  i = f32[] constant(0)
  c = f32[9,200] convert(x)
  ROOT r = f32[9] reduce(c, i), dimensions={1}, to_apply=f })")});
  ExpectSameResults(modules, /*seed=*/5, /*tolerance=*/0);
}

TEST(CompiledReductionsTest, NeighbouringFloatsAreFoldedByTheLoopsOfTheEvaluator) {
  for (const char* type : {"f32", "bf16", "f64"}) {
    for (const RowReduction& reduction : kReductions) {
      for (const NamedModule& module : ModulesOf(reduction, type)) {
        ASSERT_NE(module.module, nullptr) << module.name;
        const ProgramModule only = {module.module.get(), module.name};
        Fold fold = Fold::kElements;
        for (const ProgramFile& file : GenerateProgram({&only, 1}).files) {
          if (!absl::StartsWith(file.path, "loops")) continue;
          const auto calls = [&](const char* function) {
            return absl::StrContains(file.content, absl::StrCat("numerics::", function, "("));
          };
          if (calls("SumFloats") || calls("FoldFloatRun")) fold = Fold::kRuns;
          if (calls("AddRowsOfFloats") || calls("FoldRowsOfFloats")) fold = Fold::kColumns;
        }
        // Comparisons of columns of bf16 are left to the compiler.
        const bool has_loops =
            std::string(type) == "f32" ||
            (std::string(type) == "bf16" && (reduction.fold == Fold::kRuns || absl::EndsWith(module.name, "add")));
        EXPECT_EQ(fold, has_loops ? reduction.fold : Fold::kElements) << module.name;
      }
    }
  }
}

}  // namespace
}  // namespace hloscope::codegen
