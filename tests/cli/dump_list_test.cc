// SPDX-License-Identifier: Apache-2.0
// `hloscope open`: what a folder of dumps holds, what its modules take, and what appears in it.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"
#include "tests/support/dump_stages.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

constexpr char kListedModule[] =
    "HloModule f\n\nENTRY e {\n  p = f32[8] parameter(0)\n  ROOT r = f32[8] add(p, p)\n}\n";

class DumpListTest : public CommandLineTest {
 protected:
  std::string Folder() const { return directory_ + "/dump"; }
};

TEST_F(DumpListTest, CostIsThatOfTheLastStage) {
  WriteDump(Folder(), 7, "f",
            {{"before_optimizations", "", "no module"}, {"cpu_after_optimizations", "", kListedModule}});
  const Outcome json = RunHloscope({"open", "--json", "--cost", Folder()});
  EXPECT_EQ(json.exit_status, 0) << json.errors;
  const Json cost = Json::parse(json.output, nullptr, false)["modules"][0]["cost"];
  EXPECT_EQ(cost["stage"], "cpu_after_optimizations");
  EXPECT_EQ(cost["instructions"], 2);
  EXPECT_EQ(cost["flop"], 8);
  EXPECT_EQ(cost["bytes"], 64);  // the operand, which is both, once, and the result
  EXPECT_EQ(cost["peak_bytes"], 64);
  EXPECT_THAT(RunHloscope({"open", "--cost", Folder()}).output, HasSubstr("2 instructions, 8 FLOP"));
  EXPECT_THAT(RunHloscope({"open", Folder()}).output, Not(HasSubstr("FLOP")));
}

TEST_F(DumpListTest, AStageThatCannotBeReadSaysWhy) {
  WriteDump(Folder(), 7, "f", {{"cpu_after_optimizations", "", "HloModule f\n\nENTRY e {\n  p = f32[8] what(0)\n}\n"}});
  const Outcome outcome = RunHloscope({"open", "--cost", Folder()});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_THAT(outcome.output, HasSubstr("cost: "));
  EXPECT_THAT(outcome.output, HasSubstr(":4:"));
}

TEST_F(DumpListTest, FilesAreToldAsTheyAppear) {
  WriteDump(Folder(), 7, "f", {{"before_optimizations", "", kListedModule}});
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    std::ofstream(Folder() + "/module_0007.f.cpu_after_optimizations.txt") << kListedModule;
    std::filesystem::create_directories(Folder() + "/more");
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    std::ofstream(Folder() + "/more/module_0008.g.before_optimizations.txt") << kListedModule;
  });
  const Outcome outcome = RunHloscope({"open", "--follow=3", Folder()});
  writer.join();
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("+ f  cpu_after_optimizations  module_0007.f.cpu_after_optimizations.txt\n"));
  EXPECT_THAT(outcome.output, HasSubstr("+ g  before_optimizations  more/module_0008.g.before_optimizations.txt\n"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("+ f  before_optimizations")));
}

TEST_F(DumpListTest, TheTimeToFollowIsANumber) {
  std::filesystem::create_directories(Folder());
  EXPECT_EQ(RunHloscope({"open", "--follow=soon", Folder()}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"open", "--follow=0.1", Folder() + "/none"}).exit_status, 1);
}

}  // namespace
}  // namespace hloscope::cli
