// SPDX-License-Identifier: Apache-2.0
// `hloscope layout`.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class LayoutCommandTest : public CommandLineTest {
 protected:
  Json JsonOf(std::vector<std::string> operands) const {
    operands.insert(operands.begin(), {"layout", "--json"});
    const Outcome outcome = RunHloscope(operands);
    EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
    return Json::parse(outcome.output, nullptr, /*allow_exceptions=*/false);
  }
};

TEST_F(LayoutCommandTest, ShowsAddressesAndMemory) {
  const Outcome outcome = RunHloscope({"layout", "f32[2,3]{0,1:T(2,2)}"});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(outcome.output,
            "f32[2,3]{0,1:T(2,2)}\n"
            "  minor to major    0,1   (dimension 0 varies fastest)\n"
            "  physical order    3 x 2\n"
            "  tiled by (2,2)    2 x 1 x 2 x 2\n"
            "  element           32 bits\n"
            "  elements          6 in 8 cells\n"
            "  data              24 bytes\n"
            "  memory            32 bytes\n"
            "  waste             25.0%\n"
            "\n"
            "The array: address of each element\n"
            "         0  1  2\n"
            "    0 |  0  2  4\n"
            "    1 |  1  3  5\n"
            "\n"
            "The memory: element in each cell, `.` for padding\n"
            "   0 | (0,0) (1,0) (0,1) (1,1) | (0,2) (1,2)     .     .\n");
}

TEST_F(LayoutCommandTest, JsonHasEveryCell) {
  const Json json = JsonOf({"f32[2,3]{0,1:T(2,2)}"});
  EXPECT_EQ(json["addresses"], Json({0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(json["memory"], Json::parse("[[0,0],[1,0],[0,1],[1,1],[0,2],[1,2],null,null]"));
  EXPECT_EQ(json["physical_dimensions"], Json::parse("[[3,2],[2,1,2,2]]"));
  EXPECT_EQ(json["data_bytes"], 24);
  EXPECT_EQ(json["physical_bytes"], 32);
  EXPECT_EQ(json["waste"], 0.25);
  EXPECT_FALSE(JsonOf({"f32[1000,1000]"}).contains("memory"));
}

TEST_F(LayoutCommandTest, EveryPropertyShows) {
  EXPECT_THAT(RunHloscope({"layout", "s4[5]{0:E(4)S(1)}"}).output, HasSubstr("1 (fast on-chip memory)"));
  EXPECT_THAT(RunHloscope({"layout", "s4[5]{0:E(4)S(1)}"}).output, HasSubstr("4 bits, packed"));
  EXPECT_THAT(RunHloscope({"layout", "f32[3]{0:L(8)M(64)}"}).output, HasSubstr("a multiple of 8 cells"));
  EXPECT_THAT(RunHloscope({"layout", "f32[3]{0:L(8)M(64)}"}).output, HasSubstr("64 bytes in front"));
  EXPECT_THAT(RunHloscope({"layout", "f32[3,4]{1,0:SC(1:1)}"}).output, HasSubstr("Piece 1 of the memory"));
  EXPECT_THAT(RunHloscope({"layout", "f32[2,2,2,2]{3,2,1,0:T(*,2)}"}).output, HasSubstr("[1,1,:,:]"));
  EXPECT_THAT(RunHloscope({"layout", "f32[]"}).output, HasSubstr("1 in 1 cell\n"));
  EXPECT_THAT(RunHloscope({"layout", "f32[0,2]"}).output, HasSubstr("no elements"));
  EXPECT_THAT(RunHloscope({"layout", "--color=always", "f32[3]{0:T(2)}"}).output, HasSubstr("\x1b[2m"));
  const Outcome tuple = RunHloscope({"layout", "(f32[2], (token[], s4[3,2]{0,1:E(4)}))"});
  EXPECT_EQ(tuple.exit_status, 0) << tuple.errors;
  EXPECT_THAT(tuple.output, HasSubstr("11 bytes of data in 11 bytes of memory"));
}

TEST_F(LayoutCommandTest, OldPadding) {
  const Outcome outcome = RunHloscope({"layout", "s32[2,2]{0,1}", "--padded-dimensions=4,3", "--padding-value=0"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("padding holds     0"));
  EXPECT_THAT(outcome.output, HasSubstr("s32[2,2]{0,1:T(3,4)}"));
  EXPECT_EQ(JsonOf({"s32[2,2]{0,1}", "--padded-dimensions=4,3"})["memory"].size(), 12u);
  const Outcome narrow = RunHloscope({"layout", "s32[2,2]", "--padded-dimensions=1,3"});
  EXPECT_EQ(narrow.exit_status, 1);
  EXPECT_THAT(narrow.errors, HasSubstr("padded_dimensions[0]=1 is smaller than the size 2"));
}

TEST_F(LayoutCommandTest, LargeArraysAreAbbreviated) {
  const Outcome outcome = RunHloscope({"layout", "bf16[512,64,4096,1024]{3,2,1,0:T(8,128)(2,1)}"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_LT(outcome.output.size(), 16000u);
  EXPECT_THAT(outcome.output, HasSubstr("[511,63,:,:]"));
}

TEST_F(LayoutCommandTest, SaysWhatARelayoutCosts) {
  const Outcome reshape = RunHloscope({"layout", "f32[2,3]{0,1}", "f32[6]"});
  EXPECT_EQ(reshape.exit_status, 0);
  EXPECT_THAT(reshape.output, HasSubstr("element (0,1) at address 2 becomes (1) at address 1"));
  EXPECT_THAT(reshape.output, HasSubstr("4 of 6 elements"));
  EXPECT_THAT(RunHloscope({"layout", "f32[2,3,4]", "f32[6,4]"}).output, HasSubstr("free, every element keeps"));
  const Json json = JsonOf({"f32[2,3]", "f32[3,2]", "--transpose=1,0"});
  EXPECT_EQ(json["relayout"]["free"], false);
  EXPECT_EQ(json["relayout"]["free_layout"], "f32[3,2]{0,1}");
  EXPECT_EQ(RunHloscope({"layout", "f32[2,3]", "f32[7]"}).exit_status, 1);
  EXPECT_THAT(RunHloscope({"layout", "f32[2,3]", "f32[7]"}).errors, HasSubstr("TO:1:1: error: "));
}

TEST_F(LayoutCommandTest, BadInputIsLocated) {
  const Outcome outcome = RunHloscope({"layout", "(f32[2], f32[2,3]{1,1})"});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_EQ(outcome.output, "");
  EXPECT_THAT(outcome.errors, HasSubstr("SHAPE:1:10: error: "));
  EXPECT_THAT(outcome.errors, HasSubstr("dimension 1 is repeated in {1,1}"));
  for (const char* bad : {"", "f32", "f32[2", "f32[2]]", "f33[2]", "f32[?]", "token[]", "()", "f32[2]{0:T(0)}", "\x01",
                          "f32[9223372036854775807,9]", "f32[2]{0:T(-1)}", "f32[99999999999999999999]"}) {
    const Outcome refused = RunHloscope({"layout", bad});
    EXPECT_EQ(refused.exit_status, 1) << bad;
    EXPECT_THAT(refused.errors, HasSubstr("SHAPE:1:")) << bad;
  }
  EXPECT_EQ(RunHloscope({"layout"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"layout", "f32[2]", "--transpose=0"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"layout", "f32[2]", "--padded-dimensions=x"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"layout", "f32[2]", "--color=blue"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"layout", "(f32[2])", "f32[2]"}).exit_status, 1);
}

}  // namespace
}  // namespace hloscope::cli
