// SPDX-License-Identifier: Apache-2.0
// Bytes and seconds of collectives on topologies (docs/communication.md), against numbers worked out by hand.
#include "core/communication/communication_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "core/analysis/module_index.h"
#include "core/communication/communication_plan.h"
#include "tests/support/read_document.h"

namespace hloscope {
namespace {

using ::testing::HasSubstr;

constexpr double kBandwidth = 50e9, kHop = 1e-6;

Topology Parsed(absl::string_view text) {
  const absl::StatusOr<Topology> topology = Topology::Parse(text);
  EXPECT_TRUE(topology.ok()) << topology.status();
  return topology.ok() ? *topology : Topology();
}

CommunicationCost CostOf(absl::string_view instruction, int partitions, const std::string& topology) {
  const auto document = ReadDocument(
      absl::StrCat("HloModule m, num_partitions=", partitions, "\n\n",
                   "add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = f32[] add(a, b)\n}\n",
                   "ENTRY e {\n x = f32[1024] parameter(0)\n ROOT r = ", instruction, "\n}\n"));
  EXPECT_EQ(document->error_count(), 0) << instruction;
  const Module& module = document->module();
  const ModuleIndex index(module);
  const CostAnalysis cost(module, *index.calls);
  return MeasureCommunication(module, *index.users, cost, InferredGrid(module, {1, partitions}), Parsed(topology));
}

std::string AllReduce(absl::string_view groups) {
  return absl::StrCat(
      "f32[1024] all-reduce(x), channel_id=1, use_global_device_ids=true, to_apply=add, replica_groups=", groups);
}

TEST(Topology, Texts) {
  EXPECT_EQ(Parsed("torus:8x8x8").device_count(), 512);
  EXPECT_EQ(Parsed("torus:8x8x8").name(), "torus:8x8x8");
  EXPECT_EQ(Parsed("mesh:2x3,bandwidth=12.5G,latency=500ns").name(), "mesh:2x3");
  EXPECT_DOUBLE_EQ(Parsed("ring:4,bandwidth=12.5G").bytes_per_second, 12.5e9);
  EXPECT_DOUBLE_EQ(Parsed("ring:4,latency=500ns").seconds_per_hop, 500e-9);
  for (const char* text : {"", "ring", "ring:", "ring:0", "ring:2x2", "star:4", "torus:4x", "ring:4,", "ring:4,speed=1",
                           "ring:4,bandwidth=0", "ring:4,bandwidth=G", "ring:4,latency=-1s", "ring:4,bandwidth=nan",
                           "torus:99999999x99999999x99999999"}) {
    EXPECT_FALSE(Topology::Parse(text).ok()) << text;
  }
}

TEST(LinkLoads, TheShorterWayRound) {
  const Topology ring = Parsed("ring:8"), mesh = Parsed("mesh:8"), torus = Parsed("torus:4x4");
  LinkLoads loads(ring);
  EXPECT_EQ(loads.Send(0, 3, 10), 3);
  EXPECT_EQ(loads.Send(1, 7, 10), 2);
  EXPECT_EQ(loads.Send(5, 5, 10), 0);
  EXPECT_DOUBLE_EQ(loads.total(), 50);
  EXPECT_DOUBLE_EQ(loads.most(), 10);
  EXPECT_EQ(loads.used(), 5);
  loads.Send(1, 2, 10);
  EXPECT_DOUBLE_EQ(loads.most(), 20);
  LinkLoads open(mesh);
  EXPECT_EQ(open.Send(0, 7, 1), 7);
  EXPECT_EQ(open.Send(7, 0, 1), 7);
  LinkLoads two(torus);
  EXPECT_EQ(two.Send(0, 15, 1), 2);  // one step back in each dimension
  EXPECT_EQ(two.Send(0, 10, 1), 4);
  EXPECT_EQ(two.Send(16, 26, 1), 4);  // beyond the topology
}

TEST(CommunicationCost, Rings) {
  // 4096 bytes: 6 steps of 512 bytes in each direction of each link.
  const CommunicationCost one = CostOf(AllReduce("{{0,1,2,3}}"), 4, "ring:4");
  ASSERT_EQ(one.collectives.size(), 1u);
  EXPECT_EQ(one.collectives[0].operand_bytes, 4096);
  EXPECT_EQ(one.collectives[0].steps, 6);
  EXPECT_DOUBLE_EQ(one.busiest_link, 6 * 512);
  EXPECT_DOUBLE_EQ(one.sent_bytes, 6 * 8 * 512);
  EXPECT_NEAR(one.seconds, 6 * (512 / kBandwidth + kHop), 1e-12);
  // Every second device: both groups share the links, and neighbours in a group are two links apart.
  const CommunicationCost two = CostOf(AllReduce("{{0,2,4,6},{1,3,5,7}}"), 8, "ring:8");
  EXPECT_EQ(two.collectives[0].longest_way, 2);
  EXPECT_DOUBLE_EQ(two.busiest_link, 6 * 2 * 512);
  // On an open line the way from the last to the first goes over all links.
  const CommunicationCost line = CostOf(AllReduce("{{0,1,2,3}}"), 4, "mesh:4");
  EXPECT_DOUBLE_EQ(line.busiest_link, 6 * 2 * 512);
  EXPECT_EQ(line.collectives[0].longest_way, 3);
  EXPECT_EQ(CostOf(AllReduce("{{0},{1}}"), 2, "ring:2").seconds, 0);
}

TEST(CommunicationCost, OtherCollectives) {
  const CommunicationCost gather = CostOf(
      "f32[4096] all-gather(x), channel_id=1, use_global_device_ids=true, replica_groups={{0,1,2,3}}, dimensions={0}",
      4, "ring:4");
  EXPECT_DOUBLE_EQ(gather.busiest_link, 3 * 2048);
  const CommunicationCost scatter = CostOf(
      "f32[256] reduce-scatter(x), channel_id=1, use_global_device_ids=true, replica_groups={{0,1,2,3}}, "
      "dimensions={0}, "
      "to_apply=add",
      4, "ring:4");
  EXPECT_DOUBLE_EQ(scatter.busiest_link, 3 * 512);
  // Each sends 1024 bytes to the three others; the one opposite is two links away.
  const CommunicationCost all =
      CostOf("f32[1024] all-to-all(x), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}", 4, "ring:4");
  EXPECT_DOUBLE_EQ(all.sent_bytes, 4 * 1024 * (1 + 1 + 2));
  EXPECT_DOUBLE_EQ(all.busiest_link, 3 * 1024);
  const CommunicationCost permute = CostOf(
      "f32[1024] collective-permute(x), channel_id=1, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}", 4, "mesh:2x2");
  EXPECT_DOUBLE_EQ(permute.sent_bytes, 4096 * (1 + 2 + 1 + 2));
  EXPECT_EQ(permute.collectives[0].longest_way, 2);
  const CommunicationCost broadcast =
      CostOf("f32[1024] collective-broadcast(x), channel_id=1, replica_groups={{2,3,0}}", 4, "ring:4");
  EXPECT_DOUBLE_EQ(broadcast.sent_bytes, 2 * 4096);
  EXPECT_NEAR(broadcast.seconds, 4096 / kBandwidth + 2 * kHop, 1e-12);
}

TEST(CommunicationCost, LargeRunsAndWrongGroups) {
  // 8 x 8 x 8: groups of 8 along the last dimension, as neighbours.
  const CommunicationCost large = CostOf(AllReduce("[64,8]<=[512]"), 512, "torus:8x8x8");
  EXPECT_DOUBLE_EQ(large.busiest_link, 14 * 256);
  EXPECT_EQ(large.collectives[0].longest_way, 1);
  // Along the first dimension, too.
  EXPECT_DOUBLE_EQ(CostOf(AllReduce("[64,8]<=[8,64]T(1,0)"), 512, "torus:8x8x8").busiest_link, 14 * 256);
  EXPECT_GT(CostOf(AllReduce("[64,8]<=[512]"), 512, "ring:512").seconds, large.seconds);
}

// One more than the last device is no number there.
TEST(InferredGrid, DevicesBeyondThoseThatAHeaderCanHave) {
  const auto document = ReadDocument(
      "HloModule m\nENTRY e {\n x = f32[4] parameter(0)\n ROOT r = f32[4] collective-permute(x), channel_id=1, "
      "source_target_pairs={{0,9223372036854775807}}\n}\n");
  const DeviceGrid grid = InferredGrid(document->module(), {1, 1});
  EXPECT_EQ(grid.partitions, int64_t{1} << 31);
  EXPECT_EQ(grid.replicas, 1);
}

TEST(CommunicationCost, MadeWholeOnlyToBeCut) {
  const auto document = ReadDocument(
      "HloModule m, num_partitions=4\n\nENTRY e {\n x = f32[256,64] parameter(0)\n"
      " g = f32[1024,64] all-gather(x), channel_id=1, use_global_device_ids=true, replica_groups={{0,1,2,3}}, "
      "dimensions={0}\n"
      " p = u32[] partition-id()\n s = u32[] constant(16)\n z = u32[] constant(0)\n o = u32[] multiply(p, s)\n"
      " c = f32[1024,64] copy(g)\n ROOT r = f32[1024,16] dynamic-slice(c, z, o), dynamic_slice_sizes={1024,16}\n}\n");
  ASSERT_EQ(document->error_count(), 0);
  const Module& module = document->module();
  const ModuleIndex index(module);
  const CommunicationCost cost =
      MeasureCommunication(module, *index.users, CostAnalysis(module, *index.calls), {1, 4}, Parsed("ring:4"));
  ASSERT_TRUE(cost.collectives[0].resharded_by.has_value());
  EXPECT_EQ(module.InstructionName(cost.collectives[0].resharded_by), "r");
}

TEST(ShardingChanges, WhatAPartitionerHasToSend) {
  const auto change = [](absl::string_view before, absl::string_view after) -> std::string {
    const auto document = ReadDocument(
        absl::StrCat("HloModule m, num_partitions=4\n\nENTRY e {\n x = f32[64,64] parameter(0), sharding=", before,
                     "\n ROOT r = f32[64,64] negate(x), sharding=", after, "\n}\n"));
    EXPECT_EQ(document->error_count(), 0) << before << after;
    const std::vector<ShardingChange> changes = FindShardingChanges(document->module());
    return changes.empty() ? "same" : absl::StrCat(changes[0].collective, " ", changes[0].bytes_per_device);
  };
  EXPECT_EQ(change("{devices=[4,1]0,1,2,3}", "{devices=[4,1]0,1,2,3}"), "same");
  EXPECT_EQ(change("{replicated}", "{devices=[4,1]0,1,2,3}"), "none 0");
  EXPECT_EQ(change("{devices=[4,1]0,1,2,3}", "{replicated}"), "all-gather 12288");
  EXPECT_EQ(change("{devices=[4,1]0,1,2,3}", "{devices=[1,4]0,1,2,3}"), "all-to-all 3072");
  EXPECT_EQ(change("{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}", "{devices=[1,4]0,1,2,3}"),
            "all-gather, then slice 8192");
}

}  // namespace
}  // namespace hloscope
