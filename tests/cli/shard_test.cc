// SPDX-License-Identifier: Apache-2.0
// `hloscope shard` and `unshard` as processes.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"

namespace hloscope {
namespace {

using ::testing::HasSubstr;

class ShardTest : public CommandLineTest {};

constexpr char kNegated[] = "ENTRY e {\n  x = f32[4,6] parameter(0)\n  ROOT y = f32[4,6] negate(x)\n}\n";

TEST_F(ShardTest, CutsByAGivenShardingAndComesBack) {
  const Outcome cut = RunHloscope({"shard", Module(kNegated), "--sharding=0={devices=[2,1]<=[2]}"});
  EXPECT_EQ(cut.exit_status, 0) << cut.errors;
  EXPECT_THAT(cut.output, HasSubstr("num_partitions=2"));
  EXPECT_THAT(cut.output, HasSubstr("f32[2,6] negate"));
  const Outcome back = RunHloscope({"unshard", "-"}, cut.output);
  EXPECT_EQ(back.exit_status, 0) << back.errors;
  EXPECT_THAT(back.output, HasSubstr("f32[4,6] negate"));
}

TEST_F(ShardTest, SaysWhatAnotherShardingWouldSave) {
  // The rows of the one and the columns of the other do not fit together: one is gathered.
  const std::string module = Module(
      "ENTRY e {\n  x = f32[64,64] parameter(0), sharding={devices=[4,1]<=[4]}\n"
      "  y = f32[64,64] parameter(1), sharding={devices=[1,4]<=[4]}\n  ROOT z = f32[64,64] add(x, y)\n}\n");
  const Outcome outcome = RunHloscope({"shard", module, "--alternatives=ring:4"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("On 4 devices of ring:4: "));
  EXPECT_THAT(outcome.output, HasSubstr("--sharding='1={devices=[4,1]0,1,2,3}' saves "));
  EXPECT_THAT(outcome.output, HasSubstr("`y` f32[64,64]; then 0 s of communication, 0 B over the links, 8.00 KiB"));
  EXPECT_THAT(outcome.output, HasSubstr("  of 6 that were tried\n"));
  const Outcome best = RunHloscope({"shard", module, "--alternatives=ring:4", "--sharding=1={devices=[4,1]<=[4]}"});
  EXPECT_THAT(best.output, HasSubstr("nothing is sent: no other sharding of a parameter takes less"));
  const Outcome wrong = RunHloscope({"shard", module, "--alternatives=blob:4"});
  EXPECT_EQ(wrong.exit_status, 2);
  EXPECT_EQ(RunHloscope({"shard", module, "--alternatives=ring:4", "--output=x"}).exit_status, 2);
}

TEST_F(ShardTest, WritesAFile) {
  const std::string path = Out() + ".hlo";
  const Outcome cut = RunHloscope({"shard", Module(kNegated), "--sharding=0={devices=[2,1]<=[2]}", "--output=" + path});
  EXPECT_EQ(cut.exit_status, 0) << cut.errors;
  EXPECT_EQ(cut.output, "");
  const Outcome run = RunHloscope({"run", path, "--fill=iota", "--print"});
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_EQ(RunHloscope({"unshard", path, "--output=/nowhere/at/all.hlo"}).exit_status, 1);
}

TEST_F(ShardTest, DevicesOfTheHeaderAreLimited) {
  const std::string path = Module(std::string("HloModule m, num_partitions=2000000000\n\n") + kNegated);
  for (const char* command : {"shard", "unshard"}) {
    const Outcome outcome = RunHloscope({command, path});
    EXPECT_EQ(outcome.exit_status, 1) << command;
    EXPECT_THAT(outcome.errors, HasSubstr("1024 partitions")) << command;
  }
}

TEST_F(ShardTest, WrongOptionsAreNamed) {
  const Outcome number = RunHloscope({"shard", Module(kNegated), "--sharding=1={replicated}"});
  EXPECT_EQ(number.exit_status, 2);
  EXPECT_THAT(number.errors, HasSubstr("parameters 0 to 0"));
  const Outcome text = RunHloscope({"shard", Module(kNegated), "--sharding=0={devices=[2,1]<=[3]}"});
  EXPECT_EQ(text.exit_status, 2);
  EXPECT_THAT(text.errors, HasSubstr("--sharding=0={devices=[2,1]<=[3]}: "));
  EXPECT_EQ(RunHloscope({"shard", Module(kNegated), "--partitions=0"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"shard", Module(kNegated), "--partitions=1025"}).exit_status, 2);
  const Outcome nothing = RunHloscope({"shard", Module(kNegated)});
  EXPECT_EQ(nothing.exit_status, 1);
  EXPECT_THAT(nothing.errors, HasSubstr("nothing says over how many devices"));
}

}  // namespace
}  // namespace hloscope
