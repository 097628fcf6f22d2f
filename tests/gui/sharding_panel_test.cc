// SPDX-License-Identifier: Apache-2.0
// Devices, parts and collectives: model, clicks and keys.
#include "gui/panels/sharding_panel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QtTest/QTest>

#include "absl/strings/str_cat.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

DeviceMap MapOfRoot(const std::string& text, int64_t leaf = 0) {
  const auto document = ParseText(text);
  const Module& module = document->module();
  return DeviceMapOf(module, module.computation(module.entry()).root, leaf);
}

constexpr char kAdd[] = "add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n";

TEST(DeviceMapTest, TilesOfAnArray) {
  const DeviceMap map =
      MapOfRoot("HloModule m\nENTRY e { ROOT p = f32[8,6] parameter(0), sharding={devices=[2,3]0,1,2,3,4,5} }\n");
  ASSERT_EQ(map.cells.size(), 6u);
  EXPECT_TRUE(map.has_sharding);
  EXPECT_FALSE(map.has_collective);
  EXPECT_EQ(map.columns, 3);
  EXPECT_EQ(DeviceMap::RangesText(map.Find(4)->ranges), QStringLiteral("[4:8, 2:4]"));
  EXPECT_EQ(map.Find(99), nullptr);
}

TEST(DeviceMapTest, ReplicationGivesDevicesTheSamePart) {
  const DeviceMap map = MapOfRoot(
      "HloModule m\nENTRY e { ROOT p = f32[8] parameter(0), sharding={devices=[2,2]3,2,1,0 last_tile_dim_replicate} "
      "}\n");
  ASSERT_EQ(map.cells.size(), 4u);
  EXPECT_EQ(map.Find(3)->part, map.Find(2)->part);
  EXPECT_NE(map.Find(3)->part, map.Find(0)->part);
  const DeviceMap replicated =
      MapOfRoot("HloModule m\nENTRY e { ROOT p = f32[8] parameter(0), sharding={replicated} }\n");
  EXPECT_TRUE(replicated.cells.empty());
  EXPECT_TRUE(replicated.sharding_text.contains(QStringLiteral("all of it")));
}

TEST(DeviceMapTest, LeavesOfTuples) {
  const std::string text =
      "HloModule m\nENTRY e { ROOT p = (f32[8], f32[4]) parameter(0), sharding={{replicated}, {devices=[4]0,1,2,3}} "
      "}\n";
  EXPECT_TRUE(MapOfRoot(text, 0).cells.empty());
  EXPECT_EQ(MapOfRoot(text, 1).cells.size(), 4u);
  EXPECT_FALSE(MapOfRoot(text, 7).has_sharding);
}

TEST(DeviceMapTest, NamedAxesOfAMesh) {
  const DeviceMap map = MapOfRoot(
      "HloModule m\nENTRY e { ROOT p = f32[8,6] parameter(0), sharding={mesh['x'=2,'y'=3], [{'y'}, {'x'}]} }\n");
  ASSERT_EQ(map.cells.size(), 6u);
  EXPECT_EQ(map.tiles, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(map.columns, 3);
  // Device 4 is at x=1, y=1.
  EXPECT_EQ(DeviceMap::RangesText(map.Find(4)->ranges), QStringLiteral("[3:6, 3:6]"));
  EXPECT_TRUE(map.sharding_text.contains(QStringLiteral("dimension 0 is split along y")))
      << map.sharding_text.toStdString();
}

TEST(DeviceMapTest, SubAxesOrdersAndReplicationOfAMesh) {
  // The minor half of y cuts; x and the major half hold copies.
  const DeviceMap sub =
      MapOfRoot("HloModule m\nENTRY e { ROOT p = f32[8] parameter(0), sharding={mesh['x'=2,'y'=4], [{'y':(2)2}]} }\n");
  ASSERT_EQ(sub.cells.size(), 8u);
  EXPECT_EQ(sub.Find(0)->part, sub.Find(2)->part);
  EXPECT_EQ(sub.Find(1)->part, sub.Find(7)->part);
  EXPECT_NE(sub.Find(0)->part, sub.Find(1)->part);
  EXPECT_EQ(DeviceMap::RangesText(sub.Find(5)->ranges), QStringLiteral("[4:8]"));
  const DeviceMap turned = MapOfRoot(
      "HloModule m\nENTRY e { ROOT p = f32[8] parameter(0), sharding={mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)), "
      "[{'x'}]} }\n");
  ASSERT_EQ(turned.cells.size(), 4u);
  EXPECT_EQ(turned.Find(0)->part, turned.Find(2)->part);
  EXPECT_NE(turned.Find(0)->part, turned.Find(1)->part);
  const DeviceMap replicated =
      MapOfRoot("HloModule m\nENTRY e { ROOT p = f32[8] parameter(0), sharding={mesh['x'=2], replicated} }\n");
  EXPECT_TRUE(replicated.tiles.empty());
  EXPECT_TRUE(replicated.sharding_text.contains(QStringLiteral("holds all of it")));
}

TEST(DeviceMapTest, TransfersBetweenDevices) {
  const std::string head =
      "HloModule m, num_partitions=4\nENTRY e {\n  d = f32[4] parameter(0)\n  t = token[] after-all()\n";
  const std::string pairs = "channel_id=4, frontend_attributes={_xla_send_recv_source_target_pairs=\"{{0,1},{1,2}}\"}";
  const auto document = ParseText(absl::StrCat(
      head, "  s = (f32[4], u32[], token[]) send(d, t), ", pairs, "\n  r = (f32[4], u32[], token[]) recv(t), ", pairs,
      "\n  sd = token[] send-done(s), channel_id=4\n  ROOT rd = (f32[4], token[]) recv-done(r), channel_id=4\n}\n"));
  for (const char* name : {"s", "r", "sd", "rd"}) {
    const DeviceMap map = DeviceMapOf(document->module(), FindByName(document->module(), name), 0);
    EXPECT_EQ(map.flow, DeviceMap::Flow::kPairs) << name;
    ASSERT_EQ(map.cells.size(), 4u) << name;
    EXPECT_EQ(map.pairs.size(), 2u) << name;
    EXPECT_EQ(map.ReceiversFrom(0), std::vector<int64_t>{1}) << name;
    EXPECT_EQ(map.SendersTo(2), std::vector<int64_t>{1}) << name;
    EXPECT_TRUE(map.SendersTo(3).empty()) << name;
  }
  const auto bare = ParseText(head + "  ROOT s = (f32[4], u32[], token[]) send(d, t), channel_id=4\n}\n");
  EXPECT_FALSE(DeviceMapOf(bare->module(), FindByName(bare->module(), "s"), 0).problem.isEmpty());
  const auto host =
      ParseText(head + "  ROOT s = (f32[4], u32[], token[]) send(d, t), channel_id=4, is_host_transfer=true\n}\n");
  const DeviceMap to_host = DeviceMapOf(host->module(), FindByName(host->module(), "s"), 0);
  EXPECT_TRUE(to_host.cells.empty());
  EXPECT_TRUE(to_host.collective_text.contains(QStringLiteral("host")));
}

TEST(DeviceMapTest, GroupsOfReplicasAndPartitions) {
  const DeviceMap map = MapOfRoot(absl::StrCat("HloModule m, replica_count=2, num_partitions=3\n", kAdd,
                                               "ENTRY e { p = f32[8] parameter(0) ROOT r = f32[8] all-reduce(p), "
                                               "replica_groups={{0,1}}, to_apply=add }\n"));
  ASSERT_EQ(map.cells.size(), 6u);
  EXPECT_EQ(map.columns, 3);
  EXPECT_EQ(map.cells[4].name, QStringLiteral("r1,p1"));
  ASSERT_EQ(map.groups.size(), 3u);  // one for each partition
  EXPECT_THAT(map.SendersTo(1), ::testing::ElementsAre(4));
  EXPECT_THAT(map.ReceiversFrom(1), ::testing::ElementsAre(4));
  EXPECT_EQ(map.cells[4].rank, 1);
}

TEST(DeviceMapTest, TheHeaderMaySayNothingOfDevices) {
  const DeviceMap map = MapOfRoot(absl::StrCat("HloModule m\n", kAdd,
                                               "ENTRY e { p = f32[8] parameter(0) ROOT r = f32[8] all-reduce(p), "
                                               "replica_groups={{0,2},{1,3}}, to_apply=add }\n"));
  EXPECT_EQ(map.cells.size(), 4u);
  EXPECT_TRUE(map.problem.isEmpty()) << map.problem.toStdString();
  EXPECT_THAT(map.SendersTo(3), ::testing::ElementsAre(1));
}

TEST(DeviceMapTest, PairsAndRoots) {
  const DeviceMap ring = MapOfRoot(
      "HloModule m, num_partitions=4\nENTRY e { p = f32[8] parameter(0) ROOT r = f32[8] collective-permute(p), "
      "channel_id=1, source_target_pairs={{0,1},{1,2},{2,3},{3,0}} }\n");
  ASSERT_EQ(ring.cells.size(), 4u);
  EXPECT_THAT(ring.SendersTo(0), ::testing::ElementsAre(3));
  EXPECT_THAT(ring.ReceiversFrom(0), ::testing::ElementsAre(1));
  const DeviceMap root = MapOfRoot(
      "HloModule m, replica_count=3\nENTRY e { p = f32[8] parameter(0) ROOT r = f32[8] collective-broadcast(p), "
      "replica_groups={{1,0,2}} }\n");
  EXPECT_THAT(root.ReceiversFrom(1), ::testing::ElementsAre(0, 2));
  EXPECT_TRUE(root.ReceiversFrom(0).empty());
  EXPECT_THAT(root.SendersTo(2), ::testing::ElementsAre(1));
}

TEST(DeviceMapTest, BadIdsAreToldNotFollowed) {
  const DeviceMap pairs = MapOfRoot(
      "HloModule m, num_partitions=2\nENTRY e { p = f32[8] parameter(0) ROOT r = f32[8] collective-permute(p), "
      "channel_id=1, source_target_pairs={{0,1},{1,9},{-3,0}} }\n");
  EXPECT_FALSE(pairs.problem.isEmpty());
  EXPECT_EQ(pairs.pairs.size(), 1u);
  const DeviceMap groups = MapOfRoot(absl::StrCat("HloModule m, replica_count=2\n", kAdd,
                                                  "ENTRY e { p = f32[8] parameter(0) ROOT r = f32[8] all-reduce(p), "
                                                  "replica_groups={{0,7}}, to_apply=add }\n"));
  EXPECT_TRUE(groups.problem.contains(QStringLiteral("id 7")));
  EXPECT_TRUE(groups.SendersTo(0).empty());
  const DeviceMap many = MapOfRoot(absl::StrCat("HloModule m, replica_count=1000000, num_partitions=1000000\n", kAdd,
                                                "ENTRY e { p = f32[8] parameter(0) ROOT r = f32[8] all-reduce(p), "
                                                "replica_groups={}, to_apply=add }\n"));
  EXPECT_FALSE(many.problem.isEmpty());
}

TEST(ShardingPanelTest, ClicksAndKeysChooseADevice) {
  Selection selection;
  SessionController session;
  ShardingPanel panel(&selection, &session);
  panel.resize(700, 400);
  panel.show();
  EXPECT_FALSE(panel.message().isEmpty());
  const auto document = ParseText(absl::StrCat(
      "HloModule m, num_partitions=4\n", kAdd,
      "ENTRY e {\n  p = f32[8,4] parameter(0), sharding={devices=[2,2]0,1,2,3}\n  r = f32[8,4] all-reduce(p), "
      "channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=add\n  ROOT n = f32[8,4] "
      "negate(r)\n}\n"));
  selection.SetDocument(document, false);
  selection.SelectInstruction(FindByName(document->module(), "p"));
  EXPECT_TRUE(panel.message().isEmpty());
  QTest::mouseClick(panel.grid()->viewport(), Qt::LeftButton, {}, panel.grid()->RectOf(2).center().toPoint());
  EXPECT_EQ(panel.grid()->current(), 2);
  EXPECT_TRUE(panel.device_text().contains(QStringLiteral("[4:8, 0:2]"))) << panel.device_text().toStdString();
  QTest::keyClick(panel.grid(), Qt::Key_Right);
  EXPECT_TRUE(panel.device_text().contains(QStringLiteral("[4:8, 2:4]")));
  QTest::keyClick(panel.grid(), Qt::Key_Up);
  EXPECT_EQ(panel.grid()->current(), 1);
  selection.SelectInstruction(FindByName(document->module(), "r"));
  EXPECT_TRUE(panel.device_text().contains(QStringLiteral("gets from 0; gives to 0")))
      << panel.device_text().toStdString();
  panel.grab();
  selection.SelectInstruction(FindByName(document->module(), "n"));
  EXPECT_TRUE(panel.message().contains(QStringLiteral("no sharding")));
  selection.SetDocument(nullptr, false);
  EXPECT_FALSE(panel.message().isEmpty());
}

}  // namespace
}  // namespace hloscope::gui
