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
struct RowReduction {
  const char* name;
  bool by_runs;  // for the types that have such loops
  const char* entry;
};
constexpr RowReduction kReductions[] = {
    {"short", false, "x = $0[50,63] parameter(0) i = $0[] constant($1) ROOT r = $0[50] reduce(x, i), dimensions={1}"},
    {"rows", true, "x = $0[50,64] parameter(0) i = $0[] constant($1) ROOT r = $0[50] reduce(x, i), dimensions={1}"},
    {"long", true, "x = $0[3,5001] parameter(0) i = $0[] constant($1) ROOT r = $0[3] reduce(x, i), dimensions={1}"},
    {"whole", true, "x = $0[30,101] parameter(0) i = $0[] constant($1) ROOT r = $0[] reduce(x, i), dimensions={0,1}"},
    {"outer_and_inner", true,
     "x = $0[7,5,90] parameter(0) i = $0[] constant($1) ROOT r = $0[5] reduce(x, i), dimensions={0,2}"},
    {"part_of_rows", true,
     "x = $0[9,200] parameter(0) i = $0[] constant($1) s = $0[9,150] slice(x), slice={[0:9], [20:170]} "
     "ROOT r = $0[9] reduce(s, i), dimensions={1}"},
    {"backwards", false,
     "x = $0[9,200] parameter(0) i = $0[] constant($1) s = $0[9,200] reverse(x), dimensions={1} "
     "ROOT r = $0[9] reduce(s, i), dimensions={1}"},
    {"first_dimension", false,
     "x = $0[200,9] parameter(0) i = $0[] constant($1) ROOT r = $0[9] reduce(x, i), dimensions={0}"},
    {"computed", false,
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
        bool by_runs = false;
        for (const ProgramFile& file : GenerateProgram({&only, 1}).files) {
          by_runs = by_runs || (absl::StartsWith(file.path, "loops") &&
                                (absl::StrContains(file.content, "numerics::SumFloats(") ||
                                 absl::StrContains(file.content, "numerics::FoldFloatRun(")));
        }
        EXPECT_EQ(by_runs, reduction.by_runs && std::string(type) != "f64") << module.name;
      }
    }
  }
}

}  // namespace
}  // namespace hloscope::codegen
