// SPDX-License-Identifier: Apache-2.0
// Commands on StableHLO programs.
#include <fstream>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"

namespace hloscope::stablehlo {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using StablehloCommandsTest = CommandLineTest;

constexpr char kStablehloProgram[] = R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  %z = stablehlo.custom_call @unknown_thing(%y) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
)";

// The file is called module.hlo: what it holds counts, not its name.
TEST_F(StablehloCommandsTest, ConvertPrintsTheModule) {
  const Outcome outcome = RunHloscope({"convert", Module(kStablehloProgram)});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("%y = f32[2]{0} add(%x, %x)"));
  EXPECT_EQ(RunHloscope({"check", "-"}, outcome.output).exit_status, 0);
  // HLO comes out as it is.
  EXPECT_EQ(RunHloscope({"convert", "-"}, outcome.output).output, outcome.output);
  EXPECT_EQ(RunHloscope({"convert", Module(kStablehloProgram), "-o", directory_ + "/x.hlo"}).exit_status, 0);
  EXPECT_EQ(RunHloscope({"convert", directory_ + "/x.hlo"}).output, outcome.output);
}

TEST_F(StablehloCommandsTest, OtherCommandsTakePrograms) {
  for (const char* command : {"check", "fmt", "graph", "cost", "run"}) {
    std::vector<std::string> arguments = {command, "-"};
    if (std::string(command) == "run") arguments.push_back("--fill=iota");
    const Outcome outcome = RunHloscope(arguments, kStablehloProgram);
    EXPECT_EQ(outcome.exit_status, 0) << command << ": " << outcome.errors;
  }
}

TEST_F(StablehloCommandsTest, MistakesAreShownInTheProgram) {
  const Outcome outcome = RunHloscope({"check", "-"},
                                      "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                                      "  %y = stablehlo.add %x, %w : tensor<2xf32>\n"
                                      "  return %y : tensor<2xf32>\n}\n");
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("<stdin>:2:26: error: `%w` is not defined here [shlo-unknown-value]"));
  EXPECT_THAT(outcome.errors, HasSubstr("1 error, "));
}

// A step is an operation of the program, not each of the instructions that it became.
TEST_F(StablehloCommandsTest, TheDebuggerStepsAndStopsInTheProgram) {
  const std::string program = Module(R"(func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.while(%i = %0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %2 = stablehlo.constant dense<3> : tensor<i32>
    %3 = stablehlo.compare LT, %i, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %2 = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.add %i, %2 : tensor<i32>
    %4 = stablehlo.add %y, %x : tensor<4xf32>
    stablehlo.return %3, %4 : tensor<i32>, tensor<4xf32>
  }
  return %1#1 : tensor<4xf32>
}
)");
  const std::string script = directory_ + "/script";
  const auto debug = [&](const std::string& commands) {
    std::ofstream(script) << commands;
    return RunHloscope({"debug", program, "--fill=iota", "--batch", "-x", script}).output;
  };
  EXPECT_THAT(debug("break 10\nbreak module.hlo:11\ncontinue\nstep\n"),
              AllOf(HasSubstr("breakpoint 2"), HasSubstr("module.hlo:10: %3 = stablehlo.add %i, %2 : tensor<i32>"),
                    HasSubstr("module.hlo:11: %4 = stablehlo.add %y, %x : tensor<4xf32>")));
  const std::string steps = debug("break 6\ncontinue\nstep\nstep\n");
  EXPECT_THAT(steps, AllOf(HasSubstr("module.hlo:10:"), HasSubstr("module.hlo:11:")));
  EXPECT_THAT(debug("break 11\ncontinue\nback\n"), HasSubstr("module.hlo:10:"));
  // The parameters of regions are instructions, too.
  EXPECT_THAT(debug("granularity instruction\nbreak 6\ncontinue\nstep\n"), HasSubstr("get-tuple-element(arg_tuple"));
  EXPECT_THAT(debug("break 99\n"), Not(HasSubstr("breakpoint 1")));
}

// What only the rules of HLO find.
TEST_F(StablehloCommandsTest, BrokenRulesAreShownAtTheOperation) {
  const Outcome outcome = RunHloscope({"run", "-"},
                                      "func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {\n"
                                      "  %0 = stablehlo.constant dense<1.0> : tensor<3xf32>\n"
                                      "  %y = stablehlo.reshape %x : (tensor<2xf32>) -> tensor<3xf32>\n"
                                      "  return %y : tensor<3xf32>\n}\n");
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("<stdin>:3:3: error: "));
}

TEST_F(StablehloCommandsTest, FailuresAndListingsShowTheProgram) {
  std::string program = kStablehloProgram;
  program.replace(program.find("return %y"), 9, "return %z");
  const Outcome run = RunHloscope({"run", "-", "--fill=iota"}, program);
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.errors, HasSubstr("<stdin>:3:3: error: custom-call z"));
  const Outcome debug = RunHloscope({"debug", Module(kStablehloProgram), "--fill=iota"}, "step\nlist\n");
  EXPECT_THAT(debug.output, HasSubstr("2    %y = stablehlo.add %x, %x"));
  EXPECT_THAT(debug.output, Not(HasSubstr("ENTRY")));
}

// Against values of the functions that are known elsewhere.
TEST_F(StablehloCommandsTest, FormulasOfChloAreRight) {
  struct Row {
    const char *operation, *values, *result;
  };
  const Row rows[] = {
      {"erfc", "[0.5, -1.5]", "{0.4795001, 1.966105}"},     {"lgamma", "[4.5, 0.5]", "{2.453737, 0.5723649}"},
      {"digamma", "[1.0, 2.5]", "{-0.5772157, 0.7031566}"}, {"erf_inv", "[0.5, -0.9]", "{0.4769363, -1.163087}"},
      {"atan", "[1.0, -1.0]", "{0.7853982, -0.7853982}"},   {"square", "[3.0, -2.0]", "{9, 4}"}};
  for (const Row& row : rows) {
    const std::string program = absl::StrCat("func.func @main() -> tensor<2xf64> {\n  %x = stablehlo.constant dense<",
                                             row.values, "> : tensor<2xf64>\n  %y = chlo.", row.operation,
                                             " %x : tensor<2xf64> -> tensor<2xf64>\n  return %y : tensor<2xf64>\n}\n");
    const Outcome outcome = RunHloscope({"run", "-", "--print"}, program);
    EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
    std::vector<absl::string_view> printed =
        absl::StrSplit(outcome.output, absl::ByAnyChar("{}, \n"), absl::SkipEmpty());
    const std::vector<absl::string_view> expected =
        absl::StrSplit(row.result, absl::ByAnyChar("{}, "), absl::SkipEmpty());
    ASSERT_GE(printed.size(), 2u) << outcome.output;
    for (size_t k = 0; k < 2; ++k) {
      double got = 0, wanted = 0;
      ASSERT_TRUE(absl::SimpleAtod(printed[printed.size() - 2 + k], &got)) << outcome.output;
      ASSERT_TRUE(absl::SimpleAtod(expected[k], &wanted));
      EXPECT_NEAR(got, wanted, 1e-6) << row.operation;
    }
  }
}

TEST_F(StablehloCommandsTest, CommandsTakeShapesAndNames) {
  const std::string program =
      "func.func @main(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {\n"
      "  %y = stablehlo.add %x, %x : tensor<?x2xf32>\n"
      "  return %y : tensor<?x2xf32>\n}\n";
  const Outcome run = RunHloscope({"run", "-", "--shape", "0=3x2", "--fill=iota", "--print"}, program);
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("f32[3,2] { { 0, 2 }, { 4, 6 }, { 8, 10 } }"));
  const Outcome named = RunHloscope({"convert", "-", "--shape=%x=3x2", "--names=xla"}, program);
  EXPECT_THAT(named.output, HasSubstr("%add.1 = f32[3,2]{1,0} add(%Arg_0.1, %Arg_0.1)"));
  const Outcome open = RunHloscope({"check", "-"}, program);
  EXPECT_EQ(open.exit_status, 1);
  EXPECT_THAT(open.errors, HasSubstr("(--shape 0=3x4)"));
  const Outcome wrong = RunHloscope({"check", "-", "--shape=3x2"}, program);
  EXPECT_EQ(wrong.exit_status, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("does not say which argument"));
  EXPECT_EQ(RunHloscope({"check", "-", "--names=short"}, program).exit_status, 2);
  const Outcome hlo = RunHloscope({"check", "-", "--shape=0=3x2"}, named.output);
  EXPECT_EQ(hlo.exit_status, 1);
  EXPECT_THAT(hlo.errors, HasSubstr("is no StableHLO program"));
}

TEST_F(StablehloCommandsTest, ProgramsAreNotOverwrittenByHlo) {
  const std::string path = Module(kStablehloProgram);
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", path}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"fmt", "--check", path}).exit_status, 2);
}

TEST_F(StablehloCommandsTest, BytecodeIsNamed) {
  const Outcome outcome = RunHloscope({"check", "-"}, absl::string_view("ML\xEFR\x0dStableHLO_v1.8.0\0\x01", 24));
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("format version 6, written by StableHLO_v1.8.0"));
}

// Sizes within bounds go through collectives along the other dimensions, and are joined along their own.
TEST_F(StablehloCommandsTest, CollectivesOfBoundedArraysRun) {
  const std::string program = R"(module @m attributes {mhlo.num_replicas = 2 : i32} {
  func.func public @main(%x: tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> (tensor<?x8xf32, #stablehlo.bounds<8, ?>>, tensor<?x4xf32, #stablehlo.bounds<16, ?>>, tensor<?x2xf32, #stablehlo.bounds<8, ?>>) {
    %s = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<8, ?>>
    %p = "stablehlo.collective_permute"(%s) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<8, ?>>
    %g = "stablehlo.all_gather"(%p) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x8xf32, #stablehlo.bounds<8, ?>>
    %j = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<16, ?>>
    %r = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x2xf32, #stablehlo.bounds<8, ?>>
    return %g, %j, %r : tensor<?x8xf32, #stablehlo.bounds<8, ?>>, tensor<?x4xf32, #stablehlo.bounds<16, ?>>, tensor<?x2xf32, #stablehlo.bounds<8, ?>>
  }
}
)";
  const Outcome outcome = RunHloscope({"run", "-", "--fill=ones"}, program);
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("f32[8,8]  min 2  max 2"), HasSubstr("f32[16,4]  min 1  max 1"),
                                    HasSubstr("f32[8,2]  min 2  max 2")));
}

}  // namespace
}  // namespace hloscope::stablehlo
