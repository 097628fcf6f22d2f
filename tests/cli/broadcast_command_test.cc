// `hloscope broadcast`.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"

namespace hloscope {
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

}  // namespace
}  // namespace hloscope
