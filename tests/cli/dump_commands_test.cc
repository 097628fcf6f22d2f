// SPDX-License-Identifier: Apache-2.0
// `hloscope passes` and `hloscope blame`, on folders of dumps.
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"
#include "tests/support/dump_stages.h"
#include "tests/support/shared_files.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

constexpr char kDumpedModule[] = R"(HloModule jit_f

ENTRY e {
  p = f32[8,4] parameter(0)
  q = f32[8,4] parameter(1)
  c = f32[] constant(2)
  b = f32[8,4] broadcast(c), dimensions={}
  m = f32[8,4] multiply(p, b)
  s = f32[8,4] subtract(m, q)
  ROOT r = f32[8,4] tanh(s)
}
)";

class DumpCommandsTest : public CommandLineTest {
 protected:
  std::string Folder() const { return directory_ + "/dump"; }
  // Four stages; the third is wrong.
  void WriteStages() const {
    const std::string renamed = absl::StrReplaceAll(kDumpedModule, {{" m = ", " mm = "}, {"(m, q)", "(mm, q)"}});
    const std::string wrong = absl::StrReplaceAll(renamed, {{"subtract(mm, q)", "subtract(q, mm)"}});
    WriteDump(Folder(), 7, "jit_f",
              {{"before_optimizations", "", kDumpedModule},
               {"0000.simplification.after_renaming.before_swap", "", renamed},
               {"0001.simplification.after_swap.before_pipeline-end", "", wrong},
               {"cpu_after_optimizations", "", wrong}});
  }
};

TEST_F(DumpCommandsTest, PassesListStages) {
  WriteStages();
  const Outcome text = RunHloscope({"passes", Folder()});
  EXPECT_EQ(text.exit_status, 0) << text.errors;
  EXPECT_THAT(text.output, HasSubstr("swap"));
  EXPECT_THAT(text.output, HasSubstr("2 of 4 stages are not shown"));
  EXPECT_THAT(RunHloscope({"passes", Folder(), "--all"}).output, HasSubstr("renaming"));
  EXPECT_THAT(RunHloscope({"passes", Folder(), "--search=renam"}).output, Not(HasSubstr("swap")));
  const Outcome json = RunHloscope({"passes", "--json", Folder()});
  const Json stages = Json::parse(json.output, nullptr, false)["stages"];
  ASSERT_EQ(stages.size(), 4);
  EXPECT_EQ(stages[2]["pass"], "swap");
  EXPECT_EQ(stages[2]["order"], 2);
  EXPECT_EQ(stages[2]["changed"], true);
  EXPECT_EQ(stages[1]["changed"], false);
  EXPECT_EQ(stages[2]["modified"], Json({"s"}));
  EXPECT_EQ(stages[2]["file"], "module_0007.jit_f.0001.simplification.after_swap.before_pipeline-end.txt");
  EXPECT_GT(stages[0]["flop"], 0);
  EXPECT_EQ(stages[2]["before"]["flop"], stages[1]["flop"]);
}

TEST_F(DumpCommandsTest, PassesSayWhatAModuleTookBefore) {
  const std::string shorter =
      absl::StrReplaceAll(kDumpedModule, {{"  ROOT r = f32[8,4] tanh(s)\n", ""}, {"  s = ", "  ROOT s = "}});
  WriteDump(Folder(), 7, "jit_f",
            {{"before_optimizations", "", kDumpedModule}, {"0000.p.after_cut.before_next", "", shorter}});
  EXPECT_THAT(RunHloscope({"passes", Folder()}).output, HasSubstr("= instructions 7 -> 6 (-14.3 %), FLOP 96 -> 64"));
  const Json stages = Json::parse(RunHloscope({"passes", "--json", Folder()}).output, nullptr, false)["stages"];
  EXPECT_EQ(stages[1]["before"]["instructions"], 7);
  EXPECT_EQ(stages[1]["before"]["flop"], 96);
  EXPECT_EQ(stages[1]["flop"], 64);
  EXPECT_EQ(
      stages[0]["before"],
      Json(
          {{"instructions", 7}, {"flop", 96}, {"bytes", stages[0]["bytes"]}, {"peak_bytes", stages[0]["peak_bytes"]}}));
}

TEST_F(DumpCommandsTest, PassesShowTwoStagesAndOneInstruction) {
  WriteStages();
  const Outcome diff = RunHloscope({"passes", Folder(), "--from=0", "--to=2"});
  EXPECT_EQ(diff.exit_status, 1);
  EXPECT_THAT(diff.output, HasSubstr("operand 0 was %m, is now %q"));
  EXPECT_EQ(RunHloscope({"passes", Folder(), "--from=0", "--to=1"}).exit_status, 0);
  EXPECT_EQ(RunHloscope({"passes", Folder(), "--from=0", "--to=9"}).exit_status, 1);
  const Outcome trace = RunHloscope({"passes", Folder(), "--follow=m", "--json"});
  EXPECT_EQ(trace.exit_status, 0) << trace.errors;
  const Json steps = Json::parse(trace.output, nullptr, false)["steps"];
  ASSERT_EQ(steps.size(), 4);
  EXPECT_EQ(steps[1]["what"], "renamed from m");
  EXPECT_EQ(steps[3]["instruction"], "mm");
  EXPECT_EQ(RunHloscope({"passes", Folder(), "--follow=nothing"}).exit_status, 1);
}

TEST_F(DumpCommandsTest, SeveralModulesNeedAChoice) {
  WriteStages();
  WriteDump(Folder(), 8, "jit_g",
            {{"before_optimizations", "", kDumpedModule}, {"cpu_after_optimizations", "", kDumpedModule}});
  const Outcome both = RunHloscope({"passes", Folder()});
  EXPECT_EQ(both.exit_status, 1);
  EXPECT_THAT(both.errors, HasSubstr("--module"));
  EXPECT_THAT(both.errors, HasSubstr("jit_g"));
  EXPECT_EQ(RunHloscope({"passes", Folder(), "--module=jit_g"}).exit_status, 0);
  EXPECT_EQ(RunHloscope({"blame", Folder(), "--module=2", "--fill=random"}).exit_status, 0);
  EXPECT_EQ(RunHloscope({"passes", Folder(), "--module=3"}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"passes", directory_}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"passes", directory_ + "/none"}).exit_status, 1);
}

TEST_F(DumpCommandsTest, AStageThatCannotBeReadIsNamed) {
  WriteStages();
  std::ofstream(Folder() + "/module_0007.jit_f.0002.simplification.after_last.before_x.txt") << "no module";
  const Outcome outcome = RunHloscope({"passes", Folder()});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.output, HasSubstr("last: cannot be read"));
  EXPECT_EQ(Json::parse(RunHloscope({"passes", Folder(), "--json"}).output, nullptr, false)["stages"].size(), 5);
  // Blame goes around it.
  const Json blame = Json::parse(RunHloscope({"blame", Folder(), "--fill=random", "--json"}).output, nullptr, false);
  EXPECT_EQ(blame["stage"]["pass"], "swap");
}

TEST_F(DumpCommandsTest, BlameNamesThePassAndTheInstruction) {
  WriteStages();
  const Outcome json = RunHloscope({"blame", Folder(), "--fill=random", "--json", "--reproduce=" + Out()});
  EXPECT_EQ(json.exit_status, 1) << json.errors;
  const Json result = Json::parse(json.output, nullptr, false);
  EXPECT_EQ(result["agree"], false);
  EXPECT_EQ(result["stage"]["order"], 2);
  EXPECT_EQ(result["stage"]["pass"], "swap");
  EXPECT_EQ(result["computation"], "e");
  EXPECT_EQ(result["instruction"], "s");
  EXPECT_EQ(result["result"]["index"], Json({0, 0}));
  EXPECT_NE(result["result"]["expected"], result["result"]["got"]);
  // What was written shows it.
  const Outcome good = RunHloscope({"run", Out() + "/good/module.hlo", "--args-dir", Out() + "/good", "--print"});
  const Outcome bad = RunHloscope({"run", Out() + "/bad/module.hlo", "--args-dir", Out() + "/bad", "--print"});
  EXPECT_EQ(good.exit_status, 0) << good.errors;
  EXPECT_EQ(bad.exit_status, 0) << bad.errors;
  EXPECT_NE(good.output, bad.output);
  EXPECT_THAT(RunHloscope({"blame", Folder(), "--fill=random"}).output,
              HasSubstr("first difference after: stage 2, swap"));
  EXPECT_EQ(RunHloscope({"blame", Folder(), "--fill=random", "--atol=100"}).exit_status, 0);
}

TEST_F(DumpCommandsTest, BlameSaysWhatItLacks) {
  WriteStages();
  const Outcome none = RunHloscope({"blame", Folder()});
  EXPECT_EQ(none.exit_status, 1);
  EXPECT_THAT(none.errors, HasSubstr("parameter 0"));
  EXPECT_EQ(RunHloscope({"blame", Folder(), "--fill=random", "--time-limit=0.000001"}).exit_status, 3);
  EXPECT_EQ(RunHloscope({"blame", Folder(), "--rtol=x"}).exit_status, 2);
}

TEST_F(DumpCommandsTest, Pages) {
  const std::string hostile = "x</script><img src=x onerror=alert(1)>";
  const std::string wrong =
      absl::StrReplaceAll(kDumpedModule, {{"constant(2)", "constant(3), metadata={op_name=\"" + hostile + "\"}"}});
  WriteDump(Folder(), 7, "jit_f",
            {{"before_optimizations", "", kDumpedModule}, {"0000.p.after_<b>x.before_y", "", wrong}});
  const auto page = [&](std::vector<std::string> words) {
    words.push_back("--html=" + Out());
    RunHloscope(words);
    return ReadFileOrDie(Out());
  };
  for (const std::string& text :
       {page({"passes", Folder()}), page({"passes", Folder(), "--follow=c"}),
        page({"blame", Folder(), "--fill=random"}), page({"passes", Folder(), "--from=0", "--to=1"})}) {
    EXPECT_THAT(text, HasSubstr("<!doctype html>"));
    EXPECT_THAT(text, HasSubstr("&lt;b&gt;x"));
    EXPECT_THAT(text, Not(HasSubstr("<b>x")));
    EXPECT_THAT(text, Not(HasSubstr("<img src=x")));
  }
}

}  // namespace
}  // namespace hloscope::cli
