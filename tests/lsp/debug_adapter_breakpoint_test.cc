// SPDX-License-Identifier: Apache-2.0
// Breakpoints of all kinds, through the debug adapter.
#include <string>

#include "gtest/gtest.h"
#include "tests/lsp/dap_client.h"
#include "tests/lsp/debug_adapter_modules.h"

namespace hloscope::dap {
namespace {

using nlohmann::json;

json Line(const DapClient& client, const std::string& text, json more = json::object()) {
  more["line"] = client.LineOf(text);
  return {{"source", client.source()}, {"breakpoints", json::array({more})}};
}

TEST(DebugAdapterBreakpointTest, LinesMoveToTheInstructionBelow) {
  DapClient client;
  client.Launch(kLoopModule);
  const json set = client.Body("setBreakpoints", {{"source", client.source()},
                                                  {"breakpoints",
                                                   {{{"line", client.LineOf("body {")}},
                                                    {{"line", client.LineOf("ROOT d = ")}},
                                                    {{"line", client.LineOf("ROOT d = ") + 1}},
                                                    {{"line", 4000}}}}})["breakpoints"];
  ASSERT_EQ(set.size(), 4u);
  // The parameter below is no step: the run stops at the one after it.
  EXPECT_EQ(set[0]["line"], client.LineOf("i = s32[] get-tuple-element(s)"));
  EXPECT_EQ(set[0]["verified"], true);
  EXPECT_EQ(set[0]["column"], 3);
  EXPECT_EQ(set[1]["line"], client.LineOf("ROOT d = "));
  EXPECT_EQ(set[2]["verified"], false);
  EXPECT_EQ(set[2]["message"], "there is no instruction at or below this line");
  EXPECT_EQ(set[3]["verified"], false);
  client.Start();
  EXPECT_EQ(client.Move("continue")["hitBreakpointIds"], json::array({set[0]["id"]}));
  EXPECT_EQ(client.At(), "i");
  // Those that stay keep their numbers.
  const json again = client.Body("setBreakpoints", Line(client, "ROOT d = "))["breakpoints"];
  EXPECT_EQ(again[0]["id"], set[1]["id"]);
  EXPECT_EQ(client.Move("continue")["hitBreakpointIds"], json::array({set[1]["id"]}));
  EXPECT_NE(client.Error("setBreakpoints", {{"breakpoints", json::array()}}).find("`source`"), std::string::npos);
}

TEST(DebugAdapterBreakpointTest, LinesOfTheProgramThatWasCompiled) {
  DapClient client;
  client.Launch(kLoopModule);
  const json set = client.Body("setBreakpoints", {{"source", {{"path", "/home/me/model.py"}}},
                                                  {"breakpoints", {{{"line", 12}}, {{"line", 13}}}}})["breakpoints"];
  EXPECT_EQ(set[0]["verified"], true);
  EXPECT_EQ(set[0]["line"], 12);
  EXPECT_EQ(set[0]["source"]["path"], "/home/me/model.py");
  EXPECT_EQ(set[1]["message"], "no instruction comes from line 13 of model.py");
  client.Start();
  client.Move("continue");
  EXPECT_EQ(client.At(), "r");
}

TEST(DebugAdapterBreakpointTest, ConditionsHitCountsAndLogPoints) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Body("setBreakpoints", Line(client, "y = ", {{"condition", "x[1] > 1 && iteration < 2"}}));
  client.Start();
  client.Move("continue");
  EXPECT_EQ(client.Values("Loop state")["iteration"], "1");
  EXPECT_EQ(client.Move("continue")["reason"], "finished");

  client.Body("restart");
  client.Stopped();
  client.Body("setBreakpoints", Line(client, "y = ", {{"hitCondition", ">= 2"}}));
  client.Move("continue");
  EXPECT_EQ(client.Values("Loop state")["iteration"], "1");
  client.Move("continue");
  EXPECT_EQ(client.Values("Loop state")["iteration"], "2");

  client.Body("restart");
  client.Stopped();
  client.Body("setBreakpoints", Line(client, "y = ", {{"logMessage", "x is {x[3]} in {iteration}"}}));
  EXPECT_EQ(client.Move("continue")["reason"], "finished");
  for (const char* text : {"x is 3 in 0\n", "x is 6 in 1\n", "x is 12 in 2\n"}) {
    EXPECT_EQ(client.Output("console"), text);
  }
}

TEST(DebugAdapterBreakpointTest, MistakesInConditionsAreTold) {
  DapClient client;
  client.Launch(kLoopModule);
  const auto message = [&](json more) {
    const json set = client.Body("setBreakpoints", Line(client, "y = ", std::move(more)))["breakpoints"][0];
    EXPECT_EQ(set["verified"], false);
    return set.value("message", "");
  };
  const std::string unknown = message({{"condition", "x[1] > yy"}});
  EXPECT_NE(unknown.find("  x[1] > yy\n         ^~\n"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("there is no instruction `yy`"), std::string::npos) << unknown;
  EXPECT_NE(message({{"hitCondition", "often"}}).find("no hit count: write 5, >= 5"), std::string::npos);
  // A condition that cannot be evaluated stops the run to say so.
  client.Body("setBreakpoints", Line(client, "j = ", {{"condition", "doubled[0] > 1"}}));
  client.Start();
  const json stopped = client.Move("continue");
  EXPECT_EQ(stopped["reason"], "breakpoint");
  EXPECT_NE(stopped.value("text", "").find("cannot be evaluated"), std::string::npos) << stopped;
}

TEST(DebugAdapterBreakpointTest, NamesOpcodesAndPatterns) {
  DapClient client;
  client.Launch(kLoopModule);
  const json set = client.Body("setFunctionBreakpoints", {{"breakpoints",
                                                           {{{"name", "opcode:divide"}},
                                                            {{"name", "double"}},
                                                            {{"name", "op_name:*loop"}},
                                                            {{"name", "halvd"}}}}})["breakpoints"];
  EXPECT_EQ(set[0]["verified"], true);
  EXPECT_EQ(set[1]["line"], client.LineOf("ROOT doubled"));
  EXPECT_EQ(set[3]["verified"], false);
  EXPECT_NE(set[3].value("message", "").find("did you mean `halved`"), std::string::npos) << set[3];
  client.Start();
  EXPECT_EQ(client.Move("continue")["reason"], "function breakpoint");
  EXPECT_EQ(client.At(), "r");
  client.Move("continue");
  EXPECT_EQ(client.At(), "halved");
}

TEST(DebugAdapterBreakpointTest, InstructionsOfTheDisassembly) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  const std::string here = client.Top()["instructionPointerReference"];
  const json listing = client.Body(
      "disassemble", {{"memoryReference", here}, {"instructionOffset", -1}, {"instructionCount", 4}})["instructions"];
  ASSERT_EQ(listing.size(), 4u);
  EXPECT_EQ(listing[1]["address"], here);
  EXPECT_NE(listing[1].value("instruction", "").find("tuple(zero, p)"), std::string::npos) << listing[1];
  EXPECT_EQ(listing[1]["symbol"], "e::init");
  EXPECT_EQ(listing[2]["line"], client.LineOf("w = "));
  const json outside = client.Body(
      "disassemble", {{"memoryReference", here}, {"instructionOffset", 1000}, {"instructionCount", 2}})["instructions"];
  EXPECT_EQ(outside[0]["presentationHint"], "invalid");
  const json set = client.Body(
      "setInstructionBreakpoints",
      {{"breakpoints",
        {{{"instructionReference", here}, {"offset", 2}}, {{"instructionReference", "0xzz"}}}}})["breakpoints"];
  EXPECT_EQ(set[0]["line"], client.LineOf("r = f32"));
  EXPECT_EQ(set[1]["message"], "`0xzz` is no instruction of the module");
  EXPECT_EQ(client.Move("continue")["reason"], "instruction breakpoint");
  EXPECT_EQ(client.At(), "r");
  EXPECT_NE(client.Error("disassemble", {{"memoryReference", here}, {"instructionCount", 1 << 30}}).find("from 0 to"),
            std::string::npos);
}

TEST(DebugAdapterBreakpointTest, DataBreakpoints) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  const json info = client.Body("dataBreakpointInfo", {{"name", "y"}});
  EXPECT_EQ(info["dataId"], "value:body::y");
  EXPECT_EQ(info["accessTypes"], json::array({"write"}));
  EXPECT_EQ(info["description"], "whenever y is computed");
  EXPECT_EQ(client.Body("dataBreakpointInfo", {{"name", "p"}})["dataId"], nullptr);
  EXPECT_EQ(client.Body("dataBreakpointInfo", {{"name", "nothing like it"}})["dataId"], nullptr);
  const json condition = client.Body("dataBreakpointInfo", {{"name", "y[1] > 3"}});
  EXPECT_EQ(condition["dataId"], "if:y[1] > 3");
  // An element of a variable stands for its value.
  const std::map<std::string, int> scopes = client.Scopes();
  EXPECT_EQ(client.Body("dataBreakpointInfo", {{"name", "p"}, {"variablesReference", scopes.at("Locals")}})["dataId"],
            nullptr);

  client.Body("setDataBreakpoints",
              {{"breakpoints", {{{"dataId", info["dataId"]}, {"accessType", "write"}, {"hitCondition", "2"}}}}});
  const json stopped = client.Move("continue");
  EXPECT_EQ(stopped["reason"], "data breakpoint");
  EXPECT_EQ(stopped["text"], "y = f32[4] {0, 4, 8, 12}");
  EXPECT_EQ(client.Values("Results")["y"], "f32[4] {0, 4, 8, 12}");
  EXPECT_EQ(client.Move("continue")["reason"], "finished");

  client.Body("restart");
  client.Stopped();
  const json set = client.Body(
      "setDataBreakpoints",
      {{"breakpoints",
        {{{"dataId", condition["dataId"]}}, {{"dataId", "value:nobody"}}, {{"dataId", "x"}}}}})["breakpoints"];
  EXPECT_EQ(set[0]["verified"], true);
  EXPECT_EQ(set[1]["verified"], false);
  EXPECT_EQ(set[2]["message"], "`x` names no value");
  EXPECT_EQ(client.Move("continue")["text"], "y = f32[4] {0, 4, 8, 12}");
}

TEST(DebugAdapterBreakpointTest, ExceptionFilters) {
  DapClient client;
  client.Launch(kNanModule);
  const json set =
      client.Body("setExceptionBreakpoints", {{"filters", {"nan", "inf", "overflow", "index", "fire"}}})["breakpoints"];
  EXPECT_EQ(set[0]["verified"], true);
  EXPECT_EQ(set[4]["message"], "there is no exception filter `fire`");
  client.Start();
  EXPECT_NE(client.Error("exceptionInfo", {{"threadId", 1}}).find("not stop because of an exception"),
            std::string::npos);
  json stopped = client.Move("continue");
  EXPECT_EQ(stopped["reason"], "exception");
  // At the line of what made it. The logarithm of -1 is a NaN, that of 0 infinite.
  EXPECT_EQ(client.At(), "l");
  EXPECT_EQ(stopped["text"], "l[0] is a NaN; no operand holds one");
  const json info = client.Body("exceptionInfo", {{"threadId", 1}});
  EXPECT_EQ(info["exceptionId"], "nan");
  EXPECT_EQ(info["breakMode"], "always");
  EXPECT_EQ(info["description"], "l[0] is a NaN; no operand holds one");
  EXPECT_EQ(info["details"]["evaluateName"], "l");
  EXPECT_EQ(stopped["hitBreakpointIds"].size(), 2u);  // infinity too
  // What is only handed on is not reported again.
  stopped = client.Move("continue");
  EXPECT_EQ(stopped["text"], "small[0] = 127: 300 does not fit s8");
  stopped = client.Move("continue");
  EXPECT_EQ(stopped["text"], "dynamic-slice cut: index 3 of dimension 0 is outside 0..2: it is clamped");
  EXPECT_EQ(client.Body("exceptionInfo", {{"threadId", 1}})["exceptionId"], "index");
  EXPECT_EQ(client.Move("continue")["reason"], "finished");

  client.Body("restart");
  client.Stopped();
  client.Body("setExceptionBreakpoints",
              {{"filters", json::array()},
               {"filterOptions", {{{"filterId", "inf"}, {"condition", "m"}}, {{"filterId", "overflow"}}}}});
  EXPECT_EQ(client.Move("continue")["text"], "small[0] = 127: 300 does not fit s8");
}

TEST(DebugAdapterBreakpointTest, LocationsOfALine) {
  DapClient client;
  client.Launch("HloModule m\n\nENTRY e { p = f32[] parameter(0) ROOT n = f32[] negate(p) }\n");
  const auto locations = [&](json more) {
    more["source"] = client.source();
    return client.Body("breakpointLocations", more)["breakpoints"];
  };
  const json both = locations({{"line", 1}, {"endLine", 5}});
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0]["line"], 3);
  EXPECT_EQ(both[0]["column"], 11);
  EXPECT_EQ(locations({{"line", 3}, {"column", 20}}).size(), 1u);
  EXPECT_TRUE(locations({{"line", 1}}).empty());
  EXPECT_TRUE(client.Body("breakpointLocations", {{"source", {{"path", "/x"}}}, {"line", 1}})["breakpoints"].empty());
  // A column chooses between instructions of a line.
  const json set = client.Body(
      "setBreakpoints", {{"source", client.source()}, {"breakpoints", {{{"line", 3}, {"column", 40}}}}})["breakpoints"];
  EXPECT_EQ(set[0]["column"], both[1]["column"]);
}

}  // namespace
}  // namespace hloscope::dap
