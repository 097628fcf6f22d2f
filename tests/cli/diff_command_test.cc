// SPDX-License-Identifier: Apache-2.0
// `hloscope diff`.
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;

class DiffCommandTest : public CommandLineTest {
 protected:
  // Path of a second file with this text.
  std::string Other(const std::string& text) const {
    const std::string path = directory_ + "/other.hlo";
    std::ofstream(path) << text;
    return path;
  }
};

constexpr char kDiffCommandModule[] =
    "HloModule m\nENTRY e {\n  p = f32[2] parameter(0)\n  ROOT r = f32[2] add(p, p)\n}\n";
constexpr char kRenamed[] = "HloModule n\nENTRY f {\n  q = f32[2] parameter(0)\n  ROOT s = f32[2] add(q, q)\n}\n";
constexpr char kChanged[] =
    "HloModule m\nENTRY e {\n  p = f32[2] parameter(0)\n  n = f32[2] negate(p)\n  ROOT r = f32[2] add(p, n)\n}\n";

TEST_F(DiffCommandTest, StatusSaysWhetherTheyDiffer) {
  const Outcome same = RunHloscope({"diff", Module(kDiffCommandModule), Other(kRenamed)});
  EXPECT_EQ(same.exit_status, 0) << same.errors;
  EXPECT_EQ(same.output, "2 unchanged (2 renamed), 0 changed, 0 removed, 0 added\n");
  const Outcome changed = RunHloscope({"diff", Module(kDiffCommandModule), Other(kChanged)});
  EXPECT_EQ(changed.exit_status, 1);
  EXPECT_EQ(changed.output,
            "computation e\n  ~ r\n      operand 1 was %p, is now %n\n  + n = f32[2]{0} negate(p)\n"
            "similarity 0.6000\n1 unchanged (0 renamed), 1 changed, 0 removed, 1 added\n");
  const Outcome json = RunHloscope({"diff", "--json", Module(kDiffCommandModule), Other(kChanged)});
  EXPECT_EQ(json.exit_status, 1);
  EXPECT_EQ(nlohmann::json::parse(json.output, nullptr, false)["computations"][0]["added"][0], "n");
}

TEST_F(DiffCommandTest, ChangesThatAreAlikeAreToldOnce) {
  std::string text = "HloModule m\nENTRY e {\n  x.0 = f32[2] parameter(0)\n";
  for (int i = 0; i < 8; ++i) {
    text +=
        "  x." + std::to_string(i + 1) + " = f32[2] negate(x." + std::to_string(i) + "), backend_config={\"a\":1}\n";
  }
  text += "  ROOT r = f32[2] tanh(x.8)\n}\n";
  std::string other = text;
  for (size_t at = other.find("\"a\":1"); at != std::string::npos; at = other.find("\"a\":1", at))
    other.replace(at, 5, "\"a\":2");
  const Outcome folded = RunHloscope({"diff", Module(text), Other(other)});
  EXPECT_THAT(folded.output, HasSubstr("  ~ x.1  (and 7 more alike)\n"));
  EXPECT_THAT(folded.output, ::testing::Not(HasSubstr("~ x.2")));
  EXPECT_THAT(RunHloscope({"diff", "--all", Module(text), Other(other)}).output, HasSubstr("~ x.8"));
  const Outcome json = RunHloscope({"diff", "--json", Module(text), Other(other)});
  EXPECT_EQ(nlohmann::json::parse(json.output, nullptr, false)["groups"][0]["count"], 8);
  EXPECT_EQ(RunHloscope({"diff", "--ignore=backend-config", Module(text), Other(other)}).exit_status, 0);
  EXPECT_EQ(RunHloscope({"diff", "--ignore=everything", Module(text), Other(other)}).exit_status, 2);
}

TEST_F(DiffCommandTest, CopiesOfAComputationAreToldOnce) {
  std::string copies = "HloModule m\n", shared, calls;
  for (int i = 0; i < 5; ++i) {
    const std::string n = std::to_string(i);
    copies +=
        "f." + n + " {\n  x." + n + " = f32[2] parameter(0)\n  ROOT n." + n + " = f32[2] negate(x." + n + ")\n}\n";
    if (i == 0) shared = copies;
    calls += (i == 4 ? "  ROOT c." : "  c.") + n + " = f32[2] call(" + (i == 0 ? "p" : "c." + std::to_string(i - 1)) +
             "), to_apply=f." + n + "\n";
  }
  std::string shared_calls = calls;
  for (size_t at = shared_calls.find("to_apply=f."); at != std::string::npos;
       at = shared_calls.find("to_apply=f.", at + 1)) {
    shared_calls[at + 11] = '0';
  }
  const std::string entry = "ENTRY e {\n  p = f32[2] parameter(0)\n";
  const std::string a = Module(copies + entry + calls + "}\n"), b = Other(shared + entry + shared_calls + "}\n");
  const Outcome text = RunHloscope({"diff", a, b});
  EXPECT_EQ(text.exit_status, 1);
  EXPECT_EQ(text.output,
            "- computation f.1 (2 instructions), equal to f.0  (and 3 more alike)\nsimilarity 0.6667\n"
            "8 unchanged (0 renamed), 0 changed, 8 removed, 0 added\n");
  const Outcome all = RunHloscope({"diff", "--all", b, a});
  EXPECT_THAT(all.output, HasSubstr("+ computation f.4 (2 instructions), equal to f.0\n"));
  const Outcome json = RunHloscope({"diff", "--json", a, b});
  EXPECT_EQ(nlohmann::json::parse(json.output, nullptr, false)["computations"].back()["equal_to"], "f.0");
}

TEST_F(DiffCommandTest, BadInputAndUsage) {
  EXPECT_EQ(RunHloscope({"diff", Module(kDiffCommandModule), Other("HloModule")}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"diff", Module(kDiffCommandModule), directory_ + "/missing.hlo"}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"diff", Module(kDiffCommandModule)}).exit_status, 2);
}

}  // namespace
}  // namespace hloscope::cli
