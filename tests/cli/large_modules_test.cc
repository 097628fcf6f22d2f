// SPDX-License-Identifier: Apache-2.0
// Modules with very many instructions, operands or calls: what commands take is in proportion to them.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"
#include "tests/support/measured_command.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMegabyteOfMemory = 1 << 20;

class LargeModulesTest : public CommandLineTest {};

// One instruction with very many operands, and very many that use one: nothing compares each with each.
TEST_F(LargeModulesTest, WideModulesTakeNoLongerThanOthersOfTheirSize) {
  constexpr int kCount = 50000;
  std::string text = "HloModule m\nENTRY e { p = f32[4] parameter(0)\n", all, shapes;
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(&text, "x", i, " = f32[4] negate(p)\n");
    absl::StrAppend(&all, i > 0 ? ", " : "", "x", i);
    absl::StrAppend(&shapes, i > 0 ? ", " : "", "f32[4]");
  }
  absl::StrAppend(&text, "ROOT r = (", shapes, ") tuple(", all, ") }\n");
  const std::string wide = Module(text), narrow = directory_ + "/narrow.hlo";
  std::ofstream(narrow) << "ENTRY e { p = f32[4] parameter(0) ROOT r = f32[4] negate(p) }\n";
  const std::vector<std::vector<std::string>> commands = {
      {"check", wide}, {"cost", wide}, {"memory", wide}, {"run", wide, "--fill=zeros"}, {"diff", wide, narrow}};
  for (const std::vector<std::string>& command : commands) {
    SCOPED_TRACE(command[0]);
    const Usage usage = MeasureCommand(command);
    EXPECT_TRUE(usage.exit_status == 0 || command[0] == "diff") << usage.exit_status;
    EXPECT_LE(usage.exit_status, 1);
    EXPECT_LE(usage.processor_seconds, 2);
    EXPECT_LE(usage.peak_bytes, 400 * kMegabyteOfMemory);
  }
}

TEST_F(LargeModulesTest, ManyParametersInOneTuple) {
  constexpr int kCount = 100000;
  std::string text = "HloModule m\nENTRY e {\n", all, shapes;
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(&text, "p", i, " = f32[] parameter(", i, ")\n");
    absl::StrAppend(&all, i > 0 ? ", " : "", "p", i);
    absl::StrAppend(&shapes, i > 0 ? ", " : "", "f32[]");
  }
  const std::string module = Module(absl::StrCat(text, "ROOT r = (", shapes, ") tuple(", all, ") }\n"));
  const Usage usage = MeasureCommand({"run", module, "--fill=random", "--threads=1"});
  EXPECT_EQ(usage.exit_status, 0);
  EXPECT_LE(usage.processor_seconds, 3);
}

// The bodies that a line shows in place are found once for a module, and not for each line.
TEST_F(LargeModulesTest, DifferencesOfModulesWithManyCalls) {
  constexpr int kCount = 20000;
  std::string calls = "HloModule m\n", plain = "ENTRY e {\n  x0 = f32[4] parameter(0)\n", entry = plain;
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(&calls, "callee", i, " { x = f32[4] parameter(0)\n  ROOT r = f32[4] sine(x) }\n");
    absl::StrAppend(&entry, "  x", i + 1, " = f32[4] fusion(x", i, "), kind=kLoop, calls=callee", i, "\n");
    absl::StrAppend(&plain, "  x", i + 1, " = f32[4] ", i % 2 == 0 ? "cosine" : "negate", "(x", i, ")\n");
  }
  const std::string root = absl::StrCat("  ROOT r = f32[4] tanh(x", kCount, ") }\n");
  const std::string with_calls = Module(absl::StrCat(calls, entry, root)), without = directory_ + "/plain.hlo";
  std::ofstream(without) << "HloModule m\n" << plain << root;
  for (const std::string& html : {std::string("--json"), absl::StrCat("--html=", directory_, "/diff.html")}) {
    const Usage usage = MeasureCommand({"diff", with_calls, without, html});
    EXPECT_EQ(usage.exit_status, 1);
    EXPECT_LE(usage.processor_seconds, 3) << html;
  }
  const Usage usage = MeasureCommand({"diff", with_calls, without});
  EXPECT_EQ(usage.exit_status, 1);
  EXPECT_LE(usage.processor_seconds, 3);
}

// What does not depend on the device is found out once.
TEST_F(LargeModulesTest, UnshardingOfALongChain) {
  constexpr int kCount = 40000;
  std::string text = "HloModule m, num_partitions=2\nENTRY e {\n  x0 = f32[4] parameter(0)\n";
  for (int i = 1; i < kCount; ++i) absl::StrAppend(&text, "  x", i, " = f32[4] negate(x", i - 1, ")\n");
  const Usage usage =
      MeasureCommand({"unshard", Module(absl::StrCat(text, "  ROOT r = f32[4] sine(x", kCount - 1, ") }\n"))});
  EXPECT_EQ(usage.exit_status, 0);
  EXPECT_LE(usage.processor_seconds, 2);
}

// Modules of many operands, donors, aliases and memory spaces, with their names.
std::vector<std::pair<std::string, std::string>> WideModules(int count) {
  std::string uses = "HloModule m\nENTRY e { p = f32[4] parameter(0)\n", list;
  std::string donors = "ENTRY e {\n", donor_list, results, donor_results;
  std::string aliases, alias_list, spaces = "HloModule m\nENTRY e { p = f32[4] parameter(0)\n", space_shapes;
  for (int i = 0; i < count; ++i) {
    const char* const comma = i > 0 ? ", " : "";
    absl::StrAppend(&uses, "x", i, " = f32[4] negate(p)\n");
    absl::StrAppend(&list, comma, "x", i);
    absl::StrAppend(&donors, "p", i, " = f32[4] parameter(", i, ")\nx", i, " = f32[", 10 + i, "] custom-call(p", i,
                    "), custom_call_target=\"t\"\n");
    absl::StrAppend(&donor_list, comma, "(", i, ", {})");
    absl::StrAppend(&donor_results, comma, "f32[", 10 + i, "]");
    absl::StrAppend(&aliases, "p", i, " = f32[4] parameter(", i, ")\nx", i, " = f32[4] negate(p", i, ")\n");
    absl::StrAppend(&alias_list, comma, "{", i, "}: (", i, ", {}, may-alias)");
    absl::StrAppend(&results, comma, "f32[4]");
    absl::StrAppend(&spaces, "x", i, " = f32[4]{0:S(", i + 10, ")} copy(p)\n");
    absl::StrAppend(&space_shapes, comma, "f32[4]{0:S(", i + 10, ")}");
  }
  return {
      {"many operands", absl::StrCat(uses, "ROOT r = f32[", 4 * count, "] concatenate(", list, "), dimensions={0} }")},
      {"donors", absl::StrCat("HloModule m, buffer_donor={ ", donor_list, " }\n", donors, "ROOT r = (", donor_results,
                              ") tuple(", list, ") }")},
      {"aliases", absl::StrCat("HloModule m, input_output_alias={ ", alias_list, " }\nENTRY e {\n", aliases,
                               "ROOT r = (", results, ") tuple(", list, ") }")},
      {"memory spaces", absl::StrCat(spaces, "ROOT r = (", space_shapes, ") tuple(", list, ") }")}};
}

// Nothing compares each value with each, or each result with each argument: twice the size takes about twice the time.
TEST_F(LargeModulesTest, MemoryOfWideModules) {
  constexpr int kCount = 30000;
  constexpr double kMostSeconds = 10, kMostGrowth = 3, kNoise = 0.3;  // of the processor
  const auto halves = WideModules(kCount / 2), wholes = WideModules(kCount);
  for (size_t k = 0; k < wholes.size(); ++k) {
    SCOPED_TRACE(wholes[k].first);
    for (const std::string& how :
         {std::string("--rows=3"), std::string("--json"), absl::StrCat("--html=", directory_, "/page.html")}) {
      const Usage half = MeasureCommand({"memory", how, Module(halves[k].second)});
      const Usage whole = MeasureCommand({"memory", how, Module(wholes[k].second)});
      EXPECT_EQ(whole.exit_status, 0);
      EXPECT_LE(whole.processor_seconds, kMostSeconds) << how;
      EXPECT_LE(whole.processor_seconds, kMostGrowth * half.processor_seconds + kNoise) << how;
    }
  }
}

// What is alive when much more is still to come, and what is computed in very many calls.
TEST_F(LargeModulesTest, MemoryOfLongModules) {
  constexpr int kCount = 20000;
  std::string kept = "HloModule m\nENTRY e { p = f32[4] parameter(0)\ny0 = f32[4] sine(p)\n", list, shapes;
  std::string called =
      "HloModule m\nf { p = f32[4] parameter(0) a = f32[4] sine(p) b = f32[4] cosine(a) "
      "ROOT r = f32[4] add(a, b) }\nENTRY e { x0 = f32[4] parameter(0)\n";
  for (int i = 1; i <= kCount; ++i) {
    absl::StrAppend(&kept, "x", i, " = f32[4] negate(p)\ny", i, " = f32[4] add(y", i - 1, ", x", i, ")\n");
    absl::StrAppend(&list, "x", i, ", ");
    absl::StrAppend(&shapes, "f32[4], ");
    absl::StrAppend(&called, "x", i, " = f32[4] call(x", i - 1, "), to_apply=f\n");
  }
  absl::StrAppend(&kept, "large = f32[10000000,4] broadcast(y", kCount, "), dimensions={1}\n",
                  "w0 = f32[1,4] slice(large), slice={[0:1], [0:4]}\n");
  for (int i = 1; i <= kCount; ++i) absl::StrAppend(&kept, "w", i, " = f32[1,4] negate(w", i - 1, ")\n");
  absl::StrAppend(&kept, "ROOT r = (", shapes, "f32[1,4]) tuple(", list, "w", kCount, ") }\n");
  absl::StrAppend(&called, "ROOT r = f32[4] negate(x", kCount, ") }\n");
  for (const std::string& text : {kept, called}) {
    const std::string module = Module(text);
    for (const char* how : {"--rows=3", "--json"}) {
      const Usage usage = MeasureCommand({"memory", how, module});
      EXPECT_EQ(usage.exit_status, 0);
      EXPECT_LE(usage.processor_seconds, 3) << text.substr(0, 20) << how;
    }
  }
}

// What an assignment does not say is looked for in what instructions call: in each computation once.
TEST_F(LargeModulesTest, MemoryOfBranchesInBranches) {
  std::string text = "HloModule m\nb0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n";
  for (int i = 1; i <= 40; ++i) {
    absl::StrAppend(&text, i == 40 ? "ENTRY e" : absl::StrCat("b", i),
                    " { p = f32[] parameter(0) k = s32[] constant(0)\n", "ROOT r", i,
                    " = f32[] conditional(k, p, p), branch_computations={b", i - 1, ", b", i - 1, "} }\n");
  }
  const std::string assignment = directory_ + "/assignment.txt";
  std::ofstream(assignment) << "BufferAssignment:\nallocation 0: size 4, parameter 0, shape |f32[]| at ShapeIndex {}:\n"
                            << " value: <0 x @0> (size=4,offset=0): f32[]\n";
  const Usage usage = MeasureCommand({"memory", "--buffer-assignment=" + assignment, Module(text)});
  EXPECT_EQ(usage.exit_status, 0);
  EXPECT_LE(usage.processor_seconds, 1);
}

// Each of them has all instructions of those that it calls.
TEST_F(LargeModulesTest, IsolatingOfNestedCalls) {
  const auto nested = [&](int deepest) {
    std::string text = "HloModule m\nd0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n";
    for (int i = 1; i <= deepest; ++i) {
      absl::StrAppend(&text, i == deepest ? "ENTRY e" : absl::StrCat("d", i), " { p = f32[] parameter(0) ROOT r", i,
                      " = f32[] call(p), to_apply=d", i - 1, " }\n");
    }
    return Module(text);
  };
  constexpr int kDeepest = 5000;
  const Usage half = MeasureCommand({"isolate", "--fill=zeros", "--threads=1", nested(kDeepest / 2)});
  const std::string module = nested(kDeepest);
  const Usage usage = MeasureCommand({"isolate", "--fill=zeros", "--threads=1", module});
  EXPECT_EQ(usage.exit_status, 0);
  // What is run again is limited, so it does not grow with the depth, however fast the processor is.
  EXPECT_LE(usage.processor_seconds, 2 * half.processor_seconds);
  EXPECT_LE(usage.processor_seconds, 12);
  const Outcome outcome = RunHloscope({"isolate", "--fill=zeros", module});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("passed over: what it calls was run alone"));
  EXPECT_THAT(outcome.output, HasSubstr(" of 5000 called computations agree with the whole run"));
}

// Names of branches are found in the text of their instruction once, not once for each.
TEST_F(LargeModulesTest, DifferencesOfConditionalsWithManyBranches) {
  constexpr int kCount = 20000;
  std::string operands, branches;
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(&operands, ", p");
    absl::StrAppend(&branches, i > 0 ? ", " : "", "b");
  }
  const std::string text =
      absl::StrCat("HloModule m\nb { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n",
                   "ENTRY e { i = s32[] parameter(0) p = f32[] parameter(1)\n", "ROOT r = f32[] conditional(i",
                   operands, "), branch_computations={", branches, "} }\n");
  const std::string other = directory_ + "/other.hlo";
  std::ofstream(other) << "HloModule m\nENTRY e { i = s32[] parameter(0) ROOT p = f32[] parameter(1) }\n";
  for (const std::string& how : {std::string("--json"), absl::StrCat("--html=", directory_, "/diff.html")}) {
    const Usage usage = MeasureCommand({"diff", Module(text), other, how});
    EXPECT_EQ(usage.exit_status, 1);
    EXPECT_LE(usage.processor_seconds, 2) << how;
  }
}

// Too many steps to look at singly: what a computation needs is then one value without an instruction.
TEST_F(LargeModulesTest, MemoryOfCallsWithoutNumber) {
  std::string doubling = "HloModule m\nd0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n", deep = doubling;
  const auto call = [](absl::string_view name, int callee) {
    return absl::StrCat("  ", name, " = f32[] call(p), to_apply=d", callee, "\n");
  };
  for (int i = 1; i < 40; ++i) {
    absl::StrAppend(&doubling, "d", i, " { p = f32[] parameter(0)\n", call("a", i - 1), call("b", i - 1),
                    "  ROOT r = f32[] add(a, b) }\n");
  }
  for (int i = 1; i < 400; ++i) {
    absl::StrAppend(&deep, "d", i, " { p = f32[] parameter(0)\n", call("ROOT r", i - 1), "}\n");
  }
  for (const auto& [text, last] : {std::pair(doubling, 39), std::pair(deep, 399)}) {
    const std::string module =
        Module(absl::StrCat(text, "ENTRY e { p = f32[] parameter(0)\n", call("ROOT r", last), "}\n"));
    const Outcome outcome = RunHloscope({"memory", module});
    EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
    EXPECT_THAT(outcome.output, HasSubstr("all of d"));
    EXPECT_EQ(RunHloscope({"memory", "--json", module}).exit_status, 0);
    EXPECT_EQ(RunHloscope({"memory", absl::StrCat("--html=", directory_, "/page.html"), module}).exit_status, 0);
  }
}

// Each change of one operand costs the same, however many there are.
TEST_F(LargeModulesTest, RewritesOfOperandsOfALongList) {
  constexpr int kCount = 50000;
  std::string text = "HloModule m\nf { q = f32[4] parameter(0) ROOT s = f32[4] sine(q) }\nENTRY e {\n";
  std::string list;
  absl::StrAppend(&text, "p = f32[4] parameter(0)\n");
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(&text, "y", i, " = f32[4] negate(p)\nx", i, " = f32[4] negate(y", i, ")\n", "call", i,
                    " = f32[4] call(p), to_apply=f\n", "k", i, " = f32[4] constant({1, 2, 3, ", i, "})\nn", i,
                    " = f32[4] negate(k", i, ")\n");
    for (const char* name : {"x", "call", "n"}) absl::StrAppend(&list, i > 0 || *name != 'x' ? ", " : "", name, i);
  }
  absl::StrAppend(&text, "ROOT r = f32[", 12 * kCount, "] concatenate(", list, "), dimensions={0} }\n");
  const std::string module = Module(text);
  for (const char* pass : {"algebraic", "inline-calls", "fold-constants", "cse"}) {
    SCOPED_TRACE(pass);
    const Usage usage = MeasureCommand({"transform", absl::StrCat("--passes=", pass), module});
    EXPECT_EQ(usage.exit_status, 0);
    EXPECT_LE(usage.processor_seconds, 6);
    EXPECT_LE(usage.peak_bytes, 900 * kMegabyteOfMemory);
  }
}

// Both calls go deeper than the stack of a program that calls itself for each.
TEST_F(LargeModulesTest, ComputationsAppliedInsideOfOthersAreCompiled) {
  std::string text = "HloModule m\na0 { p = f32[] parameter(0) q = f32[] parameter(1) ROOT t = f32[] add(p, q) }\n";
  for (int i = 1; i < 20000; ++i) {
    absl::StrAppend(&text, "a", i, " { p = f32[] parameter(0) q = f32[] parameter(1) ROOT t = f32[] map(p, q), ",
                    "dimensions={}, to_apply=a", i - 1, " }\n");
  }
  absl::StrAppend(&text, "ENTRY e { p = f32[4] parameter(0) z = f32[] constant(0)\n",
                  "ROOT w = f32[] reduce(p, z), dimensions={0}, to_apply=a19999 }\n");
  const Usage usage = MeasureCommand({"compile", "--build=off", "-o", Out(), Module(text)});
  EXPECT_EQ(usage.exit_status, 0);
  EXPECT_LE(usage.processor_seconds, 5);
  std::filesystem::remove_all(Out());
}

// The module prints once, however many parts are cut out of it.
TEST_F(LargeModulesTest, IsolatingOfManyComputations) {
  constexpr int kCount = 10000;
  std::string text = "HloModule m\n", entry = "ENTRY e {\n  x0 = f32[4] parameter(0)\n";
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(&text, "d", i, " { p = f32[4] parameter(0) ROOT r = f32[4] sine(p) }\n");
    absl::StrAppend(&entry, "  x", i + 1, " = f32[4] fusion(x", i, "), kind=kLoop, calls=d", i, "\n");
  }
  const std::string module = Module(absl::StrCat(text, entry, "  ROOT r = f32[4] negate(x", kCount, ")\n}\n"));
  const Usage usage = MeasureCommand({"isolate", "--fill=random", "--threads=1", module});
  EXPECT_EQ(usage.exit_status, 0);
  EXPECT_LE(usage.processor_seconds, 5);
}

// Tables of tiles are shared by the values that are cut alike: they are no longer than the module for each device.
TEST_F(LargeModulesTest, ShardingOfALongChainForManyDevices) {
  constexpr int kCount = 30000;
  std::string text = "HloModule m\nENTRY e {\n  x0 = f32[4096] parameter(0)\n";
  for (int i = 1; i < kCount; ++i) absl::StrAppend(&text, "  x", i, " = f32[4096] negate(x", i - 1, ")\n");
  const Usage usage = MeasureCommand({"shard", "--partitions=1024", "--sharding=0={devices=[1024]<=[1024]}",
                                      Module(absl::StrCat(text, "  ROOT r = f32[4096] sine(x", kCount - 1, ") }\n"))});
  EXPECT_EQ(usage.exit_status, 0);
  EXPECT_LE(usage.processor_seconds, 2);
  EXPECT_LE(usage.peak_bytes, 300 * kMegabyteOfMemory);
}

}  // namespace
}  // namespace hloscope::cli
