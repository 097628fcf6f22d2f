// SPDX-License-Identifier: Apache-2.0
// `hloscope extract`.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using ExtractCommandTest = CommandLineTest;

constexpr char kExtractCommandModule[] = R"(HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  a = f32[2] negate(p)
  b = f32[2] add(a, a)
  ROOT c = f32[2] multiply(b, p)
}
)";

TEST_F(ExtractCommandTest, WhatComesOutChecksAndRuns) {
  for (const char* depth : {"0", "1", "9"}) {
    const Outcome outcome =
        RunHloscope({"extract", Module(kExtractCommandModule), "--instruction=c", "--depth", depth});
    EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
    EXPECT_THAT(outcome.output, HasSubstr("ROOT %c = "));
    EXPECT_EQ(RunHloscope({"check", "-"}, outcome.output).exit_status, 0);
    EXPECT_EQ(RunHloscope({"run", "-", "--fill=iota"}, outcome.output).exit_status, 0);
  }
  EXPECT_EQ(RunHloscope({"extract", Module(kExtractCommandModule), "--instruction=%b"}).exit_status, 0);
}

TEST_F(ExtractCommandTest, BadInputAndUsage) {
  const Outcome missing = RunHloscope({"extract", Module(kExtractCommandModule), "--instruction=cc"});
  EXPECT_EQ(missing.exit_status, 1);
  EXPECT_THAT(missing.errors, HasSubstr("hloscope extract: there is no instruction `cc`"));
  EXPECT_EQ(RunHloscope({"extract", Module(kExtractCommandModule), "--instruction=c", "--computation=f"}).exit_status,
            1);
  EXPECT_EQ(RunHloscope({"extract", Module("HloModule"), "--instruction=c"}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"extract", Module(kExtractCommandModule)}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"extract", Module(kExtractCommandModule), "--instruction=c", "--depth=-1"}).exit_status, 2);
}

}  // namespace
}  // namespace hloscope::cli
