// SPDX-License-Identifier: Apache-2.0
// `hloscope fingerprint`.
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;

class FingerprintCommandTest : public CommandLineTest {};

constexpr char kFingerprintModule[] =
    "HloModule m\nENTRY e {\n  p = f32[2] parameter(0)\n  ROOT r = f32[2] add(p, p)\n}\n";
constexpr char kFingerprintRenamed[] =
    "HloModule n\nENTRY f {\n  q = f32[2] parameter(0)\n  ROOT s = f32[2] add(q, q)\n}\n";
constexpr char kFingerprintLarger[] =
    "HloModule n\nENTRY f {\n  q = f32[3] parameter(0)\n  ROOT s = f32[3] add(q, q)\n}\n";

TEST_F(FingerprintCommandTest, OneLineForEachModule) {
  const Outcome one = RunHloscope({"fingerprint", Module(kFingerprintModule)});
  EXPECT_EQ(one.exit_status, 0) << one.errors;
  EXPECT_EQ(one.output.substr(32), "  m\n");
  const Outcome other = RunHloscope({"fingerprint", "-"}, kFingerprintRenamed);
  EXPECT_EQ(other.output, one.output.substr(0, 32) + "  n\n");
  EXPECT_NE(RunHloscope({"fingerprint", "-"}, kFingerprintLarger).output.substr(0, 32), one.output.substr(0, 32));
  const std::string ignored = RunHloscope({"fingerprint", "--ignore=shapes,names", Module(kFingerprintModule)}).output;
  EXPECT_EQ(RunHloscope({"fingerprint", "--ignore=shapes", "-"}, kFingerprintLarger).output.substr(0, 32),
            ignored.substr(0, 32));
  const Outcome json = RunHloscope({"fingerprint", "--json", Module(kFingerprintModule)});
  EXPECT_EQ(nlohmann::json::parse(json.output, nullptr, false)["modules"][0]["fingerprint"], one.output.substr(0, 32));
}

TEST_F(FingerprintCommandTest, SeveralFiles) {
  const std::string path = Module(kFingerprintModule);
  const Outcome two = RunHloscope({"fingerprint", path, directory_ + "/missing.hlo", path});
  EXPECT_EQ(two.exit_status, 1);
  EXPECT_THAT(two.errors, HasSubstr("missing.hlo"));
  const std::string line = two.output.substr(0, two.output.find('\n') + 1);
  EXPECT_EQ(two.output, line + line);
  EXPECT_THAT(line, HasSubstr("  " + path));
  EXPECT_EQ(RunHloscope({"fingerprint", "--ignore=colours", path}).exit_status, 2);
}

}  // namespace
}  // namespace hloscope::cli
