// SPDX-License-Identifier: Apache-2.0
// What changed between two modules.
#include "core/analysis/module_diff.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/read_document.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

// "~a>a2: shape ...; -x; +y", all computations together.
std::string DiffOf(const std::string& text_a, const std::string& text_b) {
  const auto a = ReadCorrectDocument(text_a), b = ReadCorrectDocument(text_b);
  const ModuleDiff diff = DiffModules(a->module(), b->module());
  std::vector<std::string> words = diff.header;
  for (const ComputationDiff& computation : diff.computations) {
    for (const ChangedInstruction& one : computation.changed) {
      words.push_back(absl::StrCat("~", a->module().InstructionName(one.a), ">", b->module().InstructionName(one.b),
                                   ": ", absl::StrJoin(one.changes, ", ")));
    }
    for (InstructionId id : computation.removed) words.push_back(absl::StrCat("-", a->module().InstructionName(id)));
    for (InstructionId id : computation.added) words.push_back(absl::StrCat("+", b->module().InstructionName(id)));
  }
  EXPECT_EQ(diff.IsEmpty(), words.empty());
  return absl::StrJoin(words, "; ");
}

constexpr char kModuleDiffModule[] = R"(HloModule m
plus { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = f32[] add(x, y) }
ENTRY e {
  p = f32[4,2] parameter(0)
  a = f32[4,2] negate(p)
  b = f32[4,2] add(a, p)
  z = f32[] constant(0)
  c = f32[4] reduce(b, z), dimensions={1}, to_apply=plus
  ROOT d = f32[4] multiply(c, c)
}
)";

std::string With(absl::string_view from, absl::string_view to) {
  return absl::StrReplaceAll(kModuleDiffModule, {{from, to}});
}

TEST(ModuleDiffTest, EqualModules) {
  EXPECT_EQ(DiffOf(kModuleDiffModule, kModuleDiffModule), "");
  EXPECT_EQ(DiffOf(kModuleDiffModule, R"(HloModule other
sum { u = f32[] parameter(0) v = f32[] parameter(1) ROOT w = f32[] add(u, v) }
ENTRY main {
  zero = f32[] constant(0)
  q = f32[4,2]{1,0} parameter(0), metadata={op_name="q"}
  n = f32[4,2] negate(q)
  s = f32[4,2] add(n, q)
  t = f32[4] reduce(s, zero), dimensions={1}, to_apply=sum
  ROOT u = f32[4] multiply(t, t)
}
)"),
            "");
}

TEST(ModuleDiffTest, WrittenDefaultsAreNoChange) {
  const auto module = [](const std::string& broadcast, const std::string& topk) {
    return "HloModule m\nENTRY e { a = f32[8] parameter(0) b = f32[8] collective-broadcast(a), replica_groups={{0,1}}" +
           broadcast + " ROOT t = (f32[2], s32[2]) topk(b), k=2" + topk + " }";
  };
  EXPECT_EQ(DiffOf(module("", ""), module(", has_dynamic_root=false", ", largest=true, is_stable=true")), "");
  EXPECT_THAT(DiffOf(module("", ""), module("", ", largest=false")), ::testing::HasSubstr("largest=false is new"));
}

TEST(ModuleDiffTest, ChangesAreNamed) {
  EXPECT_EQ(DiffOf(kModuleDiffModule, With("constant(0)", "constant(1)")), "~z>z: the value of the constant changed");
  EXPECT_EQ(DiffOf(kModuleDiffModule, With("b = f32[4,2] add(a, p)", "b = f32[4,2] add(p, a)")),
            "~b>b: operand 0 was %a, is now %p, operand 1 was %p, is now %a");
  EXPECT_EQ(DiffOf(kModuleDiffModule, With("ROOT d = f32[4] multiply(c, c)", "ROOT d = f32[4] subtract(c, c)")),
            "~d>d: opcode multiply became subtract");
  // Who uses it is as before.
  EXPECT_EQ(DiffOf(kModuleDiffModule, With("b = f32[4,2] add(a, p)", "b = f32[4,2] power(a, p)")),
            "~b>b: opcode add became power");
  // Another name, shape or operand: another instruction.
  for (const char* other :
       {"e = f32[4] subtract(c, c)", "d = pred[4] compare(c, c), direction=EQ", "d = f32[4] negate(c)"}) {
    EXPECT_THAT(DiffOf(kModuleDiffModule, With("d = f32[4] multiply(c, c)", other)), ::testing::HasSubstr("-d"))
        << other;
  }
  EXPECT_EQ(DiffOf(kModuleDiffModule, With("  ROOT d = f32[4] multiply(c, c)",
                                           "  n = f32[4] negate(c)\n  ROOT d = f32[4] multiply(n, c)")),
            "~d>d: operand 0 was %c, is now %n; +n");
  EXPECT_EQ(DiffOf(With("f32[4] m", "f32[4]{0} m"), kModuleDiffModule), "");
  EXPECT_EQ(DiffOf(kModuleDiffModule, With("HloModule m", "HloModule m, replica_count=2")), "replica_count differs");
}

TEST(ModuleDiffTest, ChangesInCalledComputations) {
  EXPECT_EQ(DiffOf(kModuleDiffModule, With("ROOT r = f32[] add(x, y)", "n = f32[] negate(y) ROOT r = f32[] add(x, n)")),
            "~r>r: operand 1 was %y, is now %n; +n");
}

TEST(ModuleDiffTest, AnotherComputationIsCalled) {
  const std::string more = "most { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = f32[] maximum(x, y) }\nENTRY";
  const std::string both = With("ENTRY", more);
  EXPECT_EQ(DiffOf(both, absl::StrReplaceAll(both, {{"to_apply=plus", "to_apply=most"}})),
            "~c>c: attribute to_apply was %plus, is now %most");
  // An equal copy under another name is no change.
  const std::string copy = absl::StrReplaceAll(more, {{"maximum", "add"}});
  EXPECT_EQ(DiffOf(With("ENTRY", copy), absl::StrReplaceAll(With("ENTRY", copy), {{"to_apply=plus", "to_apply=most"}})),
            "");
}

TEST(ModuleDiffTest, Headers) {
  EXPECT_EQ(DiffOf(kModuleDiffModule, With("HloModule m", "HloModule m, buffer_donor={ (0, {}) }")),
            "buffer_donor differs");
  EXPECT_EQ(DiffOf(kModuleDiffModule,
                   With("HloModule m", "HloModule m, entry_computation_layout={(f32[4,2]{0,1})->f32[4]{0}}")),
            "entry_computation_layout differs");
}

// A module is equal to itself under other names: the canonical form has none of the old ones.
TEST(ModuleDiffTest, RenamingTheCorpusChangesNothing) {
  SKIP_WITHOUT_SHARED_FILES();
  int compared = 0;
  for (const std::string& file : CorpusFiles()) {
    const auto a = Document::Parse(*SourceText::FromFile(file));
    if (a->has_errors() || a->module().instruction_count() > 6000) continue;
    Module renamed = a->module();
    for (uint32_t i = 0; i < renamed.instruction_count(); ++i) {
      renamed.mutable_instruction(InstructionId(i)).name = renamed.InternString(absl::StrCat("renamed.", i));
    }
    const ModuleDiff diff = DiffModules(a->module(), renamed);
    EXPECT_TRUE(diff.IsEmpty()) << file;
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

}  // namespace
}  // namespace hloscope
