// Commands on StableHLO programs.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"

namespace hloscope {
namespace {

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

}  // namespace
}  // namespace hloscope
