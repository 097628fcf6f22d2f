// SPDX-License-Identifier: Apache-2.0
// Debugging what is not HLO text: StableHLO programs, where they are written, protos, and snapshots with their values.
#include <fstream>
#include <string>

#include "core/document/document.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "interop/files/write_file.h"
#include "tests/lsp/dap_client.h"

namespace hloscope::dap {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

// The transposed broadcast becomes two instructions, the square a formula.
constexpr char kDebuggedProgram[] = R"(func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2x4xf32> {
  %twice = stablehlo.add %x, %x : tensor<2x3xf32>
  %wide = stablehlo.broadcast_in_dim %twice, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2x4xf32>
  %again = chlo.square %wide : tensor<3x2x4xf32> -> tensor<3x2x4xf32>
  %negative = stablehlo.negate %again : tensor<3x2x4xf32>
  return %negative : tensor<3x2x4xf32>
}
)";

TEST(DebugProgramTest, StepsAreOperationsOfTheProgram) {
  DapClient client;
  client.Launch(kDebuggedProgram);
  client.Start();
  EXPECT_EQ(client.Top()["line"], client.LineOf("%twice ="));
  EXPECT_EQ(client.Top()["source"]["path"], client.program());
  client.Move("next");
  EXPECT_EQ(client.Top()["line"], client.LineOf("%wide ="));
  client.Move("next");
  EXPECT_EQ(client.Top()["line"], client.LineOf("%again ="));
  client.Move("next");
  EXPECT_EQ(client.Top()["line"], client.LineOf("%negative ="));
  client.Move("stepBack");
  EXPECT_EQ(client.Top()["line"], client.LineOf("%again ="));
  EXPECT_THAT(client.Value("twice"), HasSubstr("f32[2,3]"));
}

TEST(DebugProgramTest, InstructionsOfAnOperationCanBeSteppedThrough) {
  DapClient client;
  client.Launch(kDebuggedProgram);
  client.Start();
  client.Move("next");
  const int line = client.LineOf("%wide =");
  EXPECT_EQ(client.Top()["line"], line);
  // By operation the run is at the last instruction of the operation: a step back by instruction is inside of it.
  client.Move("stepBack", {{"granularity", "instruction"}});
  EXPECT_EQ(client.Top()["line"], line);
  client.Move("stepBack", {{"granularity", "instruction"}});
  EXPECT_EQ(client.Top()["line"], client.LineOf("%twice ="));
}

TEST(DebugProgramTest, BreakpointsAreInTheProgram) {
  DapClient client;
  client.Launch(kDebuggedProgram, {{"stopOnEntry", false}});
  const int line = client.LineOf("%negative =");
  const json set = client.Body("setBreakpoints", {{"source", client.source()}, {"breakpoints", {{{"line", line}}}}});
  EXPECT_EQ(set["breakpoints"][0]["verified"], true) << set;
  EXPECT_EQ(set["breakpoints"][0]["line"], line);
  const json places =
      client.Body("breakpointLocations", {{"source", client.source()}, {"line", 1}, {"endLine", 6}})["breakpoints"];
  std::vector<int> lines;
  for (const json& place : places) lines.push_back(place["line"]);
  for (const char* text : {"%twice =", "%wide =", "%again =", "%negative ="}) {
    EXPECT_EQ(std::count(lines.begin(), lines.end(), client.LineOf(text)), 1) << text;
  }
  EXPECT_EQ(client.Start()["reason"], "breakpoint");
  EXPECT_EQ(client.Top()["line"], line);
  const json source = client.Body("source", {{"source", client.source()}, {"sourceReference", 0}});
  EXPECT_EQ(source["content"], kDebuggedProgram);
  // The HLO beside it knows its lines.
  const json listing =
      client.Body("disassemble", {{"memoryReference", "0x0"}, {"instructionCount", 4}})["instructions"];
  EXPECT_THAT(listing[1]["instruction"].get<std::string>(), HasSubstr("add"));
  EXPECT_EQ(listing[1]["line"], client.LineOf("%twice ="));
}

TEST(DebugProgramTest, MistakesAreThoseOfTheProgram) {
  DapClient client;
  client.Body("initialize", {{"adapterID", "hlo"}});
  std::ofstream(client.program()) << "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                                     "  %y = stablehlo.add %x, %w : tensor<2xf32>\n"
                                     "  return %y : tensor<2xf32>\n}\n";
  EXPECT_THAT(client.Error("launch", {{"program", client.program()}}), HasSubstr(":2:26: error: `%w` is not defined"));
}

TEST(DebugProgramTest, SizesThatAreOpenAreLaunchedWith) {
  DapClient client;
  client.Body("initialize", {{"adapterID", "hlo"}});
  std::ofstream(client.program()) << "func.func @main(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {\n"
                                     "  %y = stablehlo.negate %x : tensor<?x2xf32>\n"
                                     "  return %y : tensor<?x2xf32>\n}\n";
  EXPECT_THAT(client.Error("launch", {{"program", client.program()}, {"shapes", 3}}),
              HasSubstr("`shapes` is an object"));
  EXPECT_THAT(client.Error("launch", {{"program", client.program()}, {"shapes", {{"0", "3x"}}}}),
              HasSubstr("`shapes`: "));
  client.Body("launch",
              {{"program", client.program()}, {"shapes", {{"%x", "3x2"}}}, {"fill", "ones"}, {"stopOnEntry", true}});
  client.Event("initialized");
  client.Start();
  EXPECT_THAT(client.Value("x"), HasSubstr("f32[3,2]"));
}

TEST(DebugProgramTest, SizesAreOfProgramsOnly) {
  DapClient client;
  client.Body("initialize", {{"adapterID", "hlo"}});
  std::ofstream(client.program()) << "HloModule m\n\nENTRY e {\n  ROOT p = f32[2] parameter(0)\n}\n";
  EXPECT_THAT(client.Error("launch", {{"program", client.program()}, {"shapes", {{"0", "3"}}}}),
              HasSubstr("is no StableHLO program"));
}

constexpr char kRecordedModule[] =
    "HloModule m\n\nENTRY e {\n  p = f32[2] parameter(0)\n  ROOT r = f32[2] add(p, p)\n}\n";

std::string SnapshotWithResult(float second) {
  const auto document = Document::Parse(SourceText::FromString("m", kRecordedModule));
  const auto literal = [](float a, float b) {
    Literal made(Shape::Array(ElementType::kF32, {2}));
    const float numbers[] = {a, b};
    made.mutable_bytes().assign(reinterpret_cast<const uint8_t*>(numbers),
                                reinterpret_cast<const uint8_t*>(numbers + 2));
    return made;
  };
  interop::RecordedValues values;
  values.arguments.push_back(literal(5, 7));
  values.result = literal(10, second);
  return *interop::EncodeModule(document->module(), interop::OutputForm::kSnapshot, values);
}

TEST(DebugSnapshotTest, TakesTheRecordedArgumentsAndComparesTheResults) {
  DapClient client;
  client.Launch(SnapshotWithResult(14));
  client.Start();
  const json source = client.Top()["source"];
  EXPECT_EQ(source["sourceReference"], 1);
  EXPECT_THAT(client.Body("source", {{"source", source}, {"sourceReference", 1}})["content"].get<std::string>(),
              HasSubstr("add(%p, %p)"));
  client.Send("continue", {{"threadId", 1}});
  EXPECT_THAT(client.Output("stdout"), HasSubstr("{10, 14}"));
  EXPECT_EQ(client.Output("stdout"), "the results agree with the snapshot's\n");
}

// As an editor that shows the text in a document of its own.
TEST(DebugSnapshotTest, PlacesAreInTheTextThatTheClientShows) {
  DapClient client;
  const std::string uri = "hlo-module:/m.hlo?file%3Dm";
  client.Launch(SnapshotWithResult(14), {{"textUri", uri}});
  const json source = {{"path", uri}};
  const json set = client.Body("setBreakpoints", {{"source", source}, {"breakpoints", {{{"line", 5}}}}});
  EXPECT_EQ(set["breakpoints"][0]["verified"], true) << set;
  EXPECT_EQ(client.Body("breakpointLocations", {{"source", source}, {"line", 5}})["breakpoints"].size(), 1u);
  client.Start();
  const json top = client.Top();
  EXPECT_EQ(top["source"]["path"], uri);
  EXPECT_FALSE(top["source"].contains("sourceReference")) << top;
}

TEST(DebugSnapshotTest, SaysWhereResultsPart) {
  DapClient client;
  client.Launch(SnapshotWithResult(15));
  client.Start();
  client.Send("continue", {{"threadId", 1}});
  EXPECT_THAT(client.Output("stderr"), HasSubstr("result0 differs from the snapshot's: 1 of 2 elements, first {1}"));
}

TEST(DebugModulesTest, OneOfSeveralIsNamed) {
  DapClient client;
  client.Body("initialize", {{"adapterID", "hlo"}});
  std::ofstream(client.program())
      << "HloModule a\n\nENTRY e {\n  ROOT c = f32[] constant(1)\n}\n\nHloModule b\n\nENTRY e "
         "{\n  ROOT d = f32[] constant(2)\n}\n";
  EXPECT_THAT(client.Error("launch", {{"program", client.program()}}), HasSubstr("1 a, 2 b"));
  client.Body("launch", {{"program", client.program()}, {"module", "b"}, {"stopOnEntry", true}});
  client.Event("initialized");
  client.Start();
  EXPECT_EQ(client.Top()["line"], 10);
}

}  // namespace
}  // namespace hloscope::dap
