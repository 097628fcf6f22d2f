// SPDX-License-Identifier: Apache-2.0
// `hloscope broadcast`.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using BroadcastCommandTest = CommandLineTest;

TEST_F(BroadcastCommandTest, ExplainsStepByStep) {
  const Outcome outcome = RunHloscope({"broadcast", "f32[4]", "f32[1,2]", "--dims=0"});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(outcome.output,
            "  lhs     f32[4]\n"
            "          f32[4,2]   its dimension 0 stays dimension 0; dimension 1 is new, of size 2\n"
            "  rhs     f32[1,2]\n"
            "          f32[4,2]   dimension 0 has size 1 and is stretched to 4\n"
            "  result  f32[4,2]   add of equal shapes\n"
            "\n"
            "In HLO\n"
            "  broadcast = f32[4,2] broadcast(lhs), dimensions={0}\n"
            "  reshape = f32[2] reshape(rhs)\n"
            "  broadcast.1 = f32[4,2] broadcast(reshape), dimensions={1}\n"
            "  add = f32[4,2] add(broadcast, broadcast.1)\n");
}

TEST_F(BroadcastCommandTest, JsonAndModule) {
  const Outcome outcome = RunHloscope({"broadcast", "f32[4]", "f32[1,2]", "--dims={0}", "--json", "--op=multiply"});
  const nlohmann::json json = nlohmann::json::parse(outcome.output, nullptr, /*allow_exceptions=*/false);
  ASSERT_TRUE(json.is_object()) << outcome.output;
  EXPECT_EQ(json["result"], "f32[4,2]");
  EXPECT_EQ(json["op"], "multiply");
  EXPECT_EQ(json["steps"].size(), 2u);
  EXPECT_EQ(json["steps"][0]["to"], "f32[4,2]");
  EXPECT_EQ(json["instructions"].size(), 4u);
  const Outcome module = RunHloscope({"broadcast", "f32[4]", "f32[1,2]", "--dims", "0", "--module"});
  EXPECT_EQ(RunHloscope({"check", "-"}, module.output).errors, "");
  EXPECT_EQ(RunHloscope({"run", "-", "--fill=ones", "--print"}, module.output).exit_status, 0);
}

TEST_F(BroadcastCommandTest, BadInputIsLocated) {
  const Outcome order = RunHloscope({"broadcast", "f32[2,3,4]", "f32[4,3]", "--dims=2,1"});
  EXPECT_EQ(order.exit_status, 1);
  EXPECT_EQ(order.output, "");
  EXPECT_THAT(order.errors, HasSubstr("--dims:1:3: error: dimension 1 comes after 2"));
  const Outcome sizes = RunHloscope({"broadcast", "f32[7,2,5]", "f32[7,2,6]"});
  EXPECT_EQ(sizes.exit_status, 1);
  EXPECT_THAT(sizes.errors, HasSubstr("RHS:1:9: error: dimension 2 has size 5 in lhs and 6 in rhs"));
  EXPECT_THAT(RunHloscope({"broadcast", "f32[7", "f32[7]"}).errors, HasSubstr("LHS:1:5: error: "));
  EXPECT_EQ(RunHloscope({"broadcast", "f32[7", "f32[7]"}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"broadcast", "f32[7]", "(f32[7])"}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"broadcast", "f32[7,2]", "f32[2]", "--dims="}).exit_status, 1);
}

TEST_F(BroadcastCommandTest, WrongUsage) {
  EXPECT_EQ(RunHloscope({"broadcast", "f32[7]"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"broadcast", "f32[7]", "f32[7]", "f32[7]"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"broadcast", "f32[7]", "f32[7]", "--dims=a"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"broadcast", "f32[7]", "f32[7]", "--dims={0"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"broadcast", "f32[7]", "f32[7]", "--op=dot"}).exit_status, 2);
}

// Each call of the builder interface: what it expands to, and that this is a module that runs.
TEST_F(BroadcastCommandTest, ExpandsBuilderCalls) {
  struct Case {
    std::vector<std::string> words;
    std::vector<std::string> operands;  // named shapes
    std::string result, instruction;    // the last one
  };
  const std::vector<Case> cases = {
      {{"--call=broadcast", "f32[3]", "--sizes=2,4"},
       {"x f32[3]"},
       "f32[2,4,3]",
       "broadcast = f32[2,4,3] broadcast(x), dimensions={2}"},
      {{"--call=BroadcastInDim", "f32[2,1]", "--sizes=2,3,4", "--dims=0,2"},
       {"x f32[2,1]"},
       "f32[2,3,4]",
       "broadcast = f32[2,3,4] broadcast(reshape), dimensions={0}"},
      {{"--call=collapse", "f32[2,3,4]", "--dims=0,1"}, {"x f32[2,3,4]"}, "f32[6,4]", "reshape = f32[6,4] reshape(x)"},
      {{"--call=reshape", "f32[2,3]", "--sizes=6", "--order=1,0"},
       {"x f32[2,3]"},
       "f32[6]",
       "reshape = f32[6] reshape(transpose)"},
      {{"--call=concat_in_dim", "f32[2,3]", "f32[2,1]", "f32[2,2]", "--dim=1"},
       {"operand.0 f32[2,3]", "operand.1 f32[2,1]", "operand.2 f32[2,2]"},
       "f32[2,6]",
       "concatenate = f32[2,6] concatenate(operand.0, operand.1, operand.2), dimensions={1}"},
      {{"--call=SliceInDim", "f32[2,9]", "--dim=1", "--start=1", "--limit=8", "--stride=3"},
       {"x f32[2,9]"},
       "f32[2,3]",
       "slice = f32[2,3] slice(x), slice={[0:2], [1:8:3]}"},
      {{"--call=pad-in-dim", "f32[2,3]", "--dim=0", "--low=1", "--high=-1"},
       {"x f32[2,3]", "value f32[]"},
       "f32[2,3]",
       "pad = f32[2,3] pad(x, value), padding=1_-1x0_0"},
      {{"--call=reduce-all", "s32[2,3]", "--op=maximum"},
       {"x s32[2,3]", "init s32[]"},
       "s32[]",
       "reduce = s32[] reduce(x, init), dimensions={0,1}, to_apply=maximum_s32"},
      {{"--call=dot", "f32[2,3]", "f32[3]"},
       {"lhs f32[2,3]", "rhs f32[3]"},
       "f32[2]",
       "dot = f32[2] dot(lhs, rhs), lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
      {{"--call=conv", "f32[1,2,5,5]", "f32[4,2,3,3]", "--padding=same", "--strides=2,2"},
       {"lhs f32[1,2,5,5]", "kernel f32[4,2,3,3]"},
       "f32[1,4,3,3]",
       "convolution = f32[1,4,3,3] convolution(lhs, kernel), window={size=3x3 stride=2x2 pad=1_1x1_1}, "
       "dim_labels=bf01_oi01->bf01"},
      {{"--call=conv", "f32[1,2,5]", "f32[4,2,3]"},
       {"lhs f32[1,2,5]", "kernel f32[4,2,3]"},
       "f32[1,4,3]",
       "convolution = f32[1,4,3] convolution(lhs, kernel), window={size=3 stride=1 pad=0_0}, dim_labels=bf0_oi0->bf0"},
      {{"--call=cross-replica-sum", "f32[2]", "--replica-groups={{0}, {1}}"},
       {"x f32[2]"},
       "f32[2]",
       "all-reduce = f32[2] all-reduce(x), replica_groups={{0},{1}}, to_apply=add_f32"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> words = {"broadcast"};
    words.insert(words.end(), c.words.begin(), c.words.end());
    SCOPED_TRACE(c.words[0]);
    const Outcome text = RunHloscope(words);
    EXPECT_EQ(text.exit_status, 0) << text.errors;
    EXPECT_THAT(text.output, HasSubstr(c.instruction));
    words.push_back("--json");
    const nlohmann::json json = nlohmann::json::parse(RunHloscope(words).output, nullptr, /*allow_exceptions=*/false);
    ASSERT_TRUE(json.is_object());
    EXPECT_EQ(json["result"], c.result);
    EXPECT_EQ(json["instructions"].back(), c.instruction);
    std::vector<std::string> operands;
    for (const auto& [name, shape] : json["operands"].items()) {
      operands.push_back(name + " " + shape.get<std::string>());
    }
    EXPECT_THAT(operands, ::testing::UnorderedElementsAreArray(c.operands));
    words.back() = "--module";
    const Outcome module = RunHloscope(words);
    EXPECT_EQ(RunHloscope({"check", "-"}, module.output).errors, "") << module.output;
    const std::vector<std::string> run = {"run", "-", "--fill=ones", "--print"};
    EXPECT_EQ(RunHloscope(run, module.output).exit_status, 0) << module.output;
  }
}

TEST_F(BroadcastCommandTest, BuilderCallsSayWhatIsWrong) {
  const Outcome nothing = RunHloscope({"broadcast", "--call=collapse", "f32[2,3]", "--dims=1"});
  EXPECT_THAT(nothing.output, HasSubstr("nothing: the result is `x`"));
  const Outcome range =
      RunHloscope({"broadcast", "--call=slice-in-dim", "f32[4]", "--dim=0", "--start=1", "--limit=5"});
  EXPECT_EQ(range.exit_status, 1);
  EXPECT_EQ(range.errors, "error: slice-in-dim: [1:5:1] is no range of dimension 0, which has size 4\n");
  EXPECT_EQ(RunHloscope({"broadcast", "--call=dot", "f32[2,3]", "f32[2"}).exit_status, 1);

  const auto usage = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "broadcast");
    const Outcome outcome = RunHloscope(words);
    EXPECT_EQ(outcome.exit_status, 2) << outcome.errors;
    return outcome.errors;
  };
  EXPECT_THAT(usage({"--call=stack", "f32[2]"}), HasSubstr("--call=stack must be one of broadcast, broadcast-in-dim"));
  EXPECT_THAT(usage({"--call=dot", "f32[2]"}), HasSubstr("--call=dot takes LHS RHS, got 1 shape"));
  EXPECT_THAT(usage({"--call=dot", "f32[2]", "f32[2]", "--dim=0"}), HasSubstr("--call=dot takes no --dim"));
  EXPECT_THAT(usage({"--call=slice-in-dim", "f32[2]", "--dim=0", "--start=0"}), HasSubstr("needs --limit"));
  EXPECT_THAT(usage({"--call=concat-in-dim", "f32[2]", "--dim=x"}), HasSubstr("--dim"));
  EXPECT_THAT(usage({"--call=conv", "f32[1,1,2]", "f32[1,1,2]", "--padding=full"}), HasSubstr("--padding"));
  EXPECT_THAT(usage({"--call=reduce-all", "f32[2]", "--op=ad"}), HasSubstr("--op=ad: expected an opcode"));
  EXPECT_THAT(usage({"--call=cross-replica-sum", "f32[2]", "--replica-groups={0"}), HasSubstr("{{0,1},{2,3}}"));
  EXPECT_THAT(usage({"f32[2]", "f32[2]", "--sizes=2"}), HasSubstr("--sizes goes with --call=broadcast"));
  EXPECT_THAT(RunHloscope({"help", "broadcast"}).output,
              HasSubstr("slice-in-dim X           --dim --start --limit [--stride]"));
}

}  // namespace
}  // namespace hloscope::cli
