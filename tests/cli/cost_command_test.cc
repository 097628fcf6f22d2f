// SPDX-License-Identifier: Apache-2.0
// `hloscope cost`.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using CostCommandTest = CommandLineTest;

constexpr char kCostCommandModule[] = R"(HloModule m, is_scheduled=true
body {
  s = f32[1000] parameter(0)
  ROOT n = f32[1000] tanh(s), metadata={op_name="jit(f)/loop/tanh"}
}
cond {
  s = f32[1000] parameter(0)
  ROOT t = pred[] constant(true)
}
ENTRY e {
  p = f32[1000] parameter(0)
  a = f32[1000] negate(p), metadata={op_name="jit(f)/neg"}
  b = f32[1000] add(a, a), metadata={op_name="jit(f)/add"}
  w = f32[1000] while(b), condition=cond, body=body, backend_config={"known_trip_count":{"n":"3"}}
  ROOT c = f32[1000] multiply(w, p), metadata={op_name="jit(f)/mul"}
}
)";

TEST_F(CostCommandTest, Json) {
  const Outcome outcome = RunHloscope({"cost", "--json", Module(kCostCommandModule)});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  const nlohmann::json json = nlohmann::json::parse(outcome.output, nullptr, /*allow_exceptions=*/false);
  ASSERT_TRUE(json.is_object()) << outcome.output;
  EXPECT_EQ(json["total"]["flops"], 6000);
  EXPECT_EQ(json["total"]["transcendentals"], 3000);
  // p, b, the new state and what the body makes.
  EXPECT_EQ(json["memory"]["peak_live_bytes"], 16000);
  EXPECT_EQ(json["memory"]["schedule_kind"], "given");
  EXPECT_EQ(json["memory"]["peak_path"], nlohmann::json({"w", "n"}));
  EXPECT_EQ(json["memory"]["schedule"][2]["live_bytes"], 12000);
  ASSERT_EQ(json["scopes"].size(), 3u);
  EXPECT_EQ(json["scopes"][1]["name"], "jit(f)");
  EXPECT_EQ(json["scopes"][1]["flops"], 6000);
  EXPECT_EQ(json["scopes"][2]["name"], "loop");
  EXPECT_EQ(json["scopes"][2]["flops"], 3000);
}

TEST_F(CostCommandTest, Text) {
  const Outcome outcome = RunHloscope({"cost", Module(kCostCommandModule)});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("m: 6000 FLOP (3000 transcendental), 50.8 KiB read and written"));
  EXPECT_THAT(outcome.output, HasSubstr("16000 bytes (15.6 KiB)"));
  EXPECT_THAT(outcome.output, HasSubstr("given by the module"));
  EXPECT_THAT(outcome.output, HasSubstr("w > n"));
  EXPECT_THAT(RunHloscope({"cost", "--rows=1", Module(kCostCommandModule)}).output,
              HasSubstr("more (all with --json)"));
  EXPECT_THAT(RunHloscope({"cost", "--color=always", Module(kCostCommandModule)}).output, HasSubstr("\x1b[1m"));
}

TEST_F(CostCommandTest, BadInputAndUsage) {
  EXPECT_EQ(RunHloscope({"cost", Module("HloModule m\nENTRY e { p = f32[] negate(q) }\n")}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"cost", directory_ + "/missing.hlo"}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"cost"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"cost", "--rows=0", Module(kCostCommandModule)}).exit_status, 2);
}

constexpr absl::string_view kCollectives = R"(HloModule c, num_partitions=4
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e {
  x = f32[1024] parameter(0)
  s = f32[1024] all-reduce(x), channel_id=1, use_global_device_ids=true, replica_groups={{0,1,2,3}}, to_apply=add
  ROOT r = f32[1024] collective-permute(s), channel_id=2, source_target_pairs={{0,1}}
}
)";

TEST_F(CostCommandTest, CollectivesOnATopology) {
  const std::string module = Module(kCollectives);
  const Outcome text = RunHloscope({"cost", module, "--topology=ring:4,bandwidth=1G,latency=1us"});
  EXPECT_EQ(text.exit_status, 0) << text.errors;
  // 6 steps of 512 bytes and one link, and one message of 4096 bytes.
  EXPECT_THAT(text.output, HasSubstr("14.17 us in all"));
  EXPECT_THAT(text.output, HasSubstr("all-reduce e::s"));
  const Outcome json = RunHloscope({"cost", module, "--topology=ring:4,bandwidth=1G,latency=1us", "--json"});
  const auto report = nlohmann::json::parse(json.output)["communication"];
  EXPECT_EQ(report["collectives"].size(), 2u);
  EXPECT_EQ(report["collectives"][0]["busiest_link_bytes"], 3072);
  EXPECT_NEAR(report["seconds"].get<double>(), 14.168e-6, 1e-9);
  EXPECT_FALSE(nlohmann::json::parse(RunHloscope({"cost", module, "--json"}).output).contains("communication"));
  EXPECT_EQ(RunHloscope({"cost", module, "--topology=star:4"}).exit_status, 2);
}

}  // namespace
}  // namespace hloscope::cli
