// SPDX-License-Identifier: Apache-2.0
// Collectives (docs/ops/control.md 1.13, 4, 6.11).
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "core/ops/replica_groups.h"
#include "tests/support/module_diagnostics.h"

namespace hloscope {
namespace {

constexpr absl::string_view kCollectiveComputations = R"(
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
isum { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }
one { ROOT a = f32[] parameter(0) }
)";

// Diagnostics about `instructions`, which may use x: f32[4,6] and i: s32[2].
std::string CollectiveDiagnostics(absl::string_view instructions, absl::string_view header = "replica_count=2") {
  return DiagnosticsOf(absl::StrCat("HloModule m, ", header, kCollectiveComputations,
                                    "ENTRY e { x = f32[4,6] parameter(0) i = s32[2] parameter(1) ", instructions, "}"));
}
// The first code only.
std::string CollectiveCode(absl::string_view instructions, absl::string_view header = "replica_count=2") {
  const std::string found = CollectiveDiagnostics(instructions, header);
  return found.substr(0, found.find(" at "));
}

TEST(ReplicaGroupRules, IdsFormGroups) {
  const auto groups = [](absl::string_view value, absl::string_view header = "replica_count=4") {
    return CollectiveDiagnostics(absl::StrCat("ROOT r = f32[4,6] all-reduce(x), to_apply=sum, replica_groups=", value),
                                 header);
  };
  EXPECT_EQ(groups("{}"), "ok");
  EXPECT_EQ(groups("{{0,1},{2,3}}"), "ok");
  EXPECT_EQ(groups("{{0},{3,1,2}}"), "ok");  // uneven groups are fine here
  EXPECT_EQ(groups("[2,2]<=[4]"), "ok");
  EXPECT_EQ(groups("{{0,1},{1,2}}"), "replica-groups at {1,2}");
  EXPECT_EQ(groups("{{0,1},{2,5}}"), "replica-groups at {2,5}");
  EXPECT_EQ(groups("{{0,1,2,3},{}}"), "replica-groups at {}");
  EXPECT_EQ(groups("{{0,1}}"), "replica-groups at replica_groups={{0,1}}");
  EXPECT_EQ(groups("[4,2]<=[8]"), "replica-groups at replica_groups=[4,2]<=[8]");
  EXPECT_EQ(groups("{{0,1,2,3,4,5,6,7}}", "is_scheduled=false"), "ok");  // unknown number of replicas
}

TEST(ReplicaGroupRules, Modes) {
  const auto reduce = [](absl::string_view attributes, absl::string_view header) {
    return CollectiveCode(absl::StrCat("ROOT r = f32[4,6] all-reduce(x), to_apply=sum, ", attributes), header);
  };
  EXPECT_EQ(reduce("channel_id=1, use_global_device_ids=true, replica_groups={{0,1,2,3}}",
                   "replica_count=2, num_partitions=2"),
            "ok");
  EXPECT_EQ(
      reduce("channel_id=1, use_global_device_ids=true, replica_groups={{0,1}}", "replica_count=2, num_partitions=2"),
      "replica-groups");
  EXPECT_EQ(reduce("channel_id=1, use_global_device_ids=true", "replica_count=2"), "replica-groups");
  EXPECT_EQ(reduce("channel_id=1, replica_groups={{0,1}}", "replica_count=2, num_partitions=2"), "ok");
  EXPECT_EQ(reduce("use_global_device_ids=true, replica_groups={{0,1}}", "replica_count=2"), "global-device-ids");
  EXPECT_EQ(reduce("channel_id=0, replica_groups={{0,1}}", "replica_count=2"), "channel-id");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] all-to-all(x), dimensions={0}, channel_id=1, replica_groups={{0,1,2,3}}",
                           "replica_count=2, num_partitions=4"),
            "ok");
}

TEST(AllGatherRules, TheDimensionGrowsByTheGroupSize) {
  EXPECT_EQ(CollectiveCode("ROOT g = f32[8,6] all-gather(x), dimensions={0}, replica_groups={{0,1}}"), "ok");
  EXPECT_EQ(CollectiveCode("ROOT g = f32[4,12] all-gather(x), dimensions={1}"), "ok");
  EXPECT_EQ(CollectiveDiagnostics("ROOT g = f32[12,6] all-gather(x), dimensions={0}"), "declared-shape at 12");
  EXPECT_EQ(CollectiveCode("ROOT g = f32[12,6] all-gather(x), dimensions={0}", "is_scheduled=false"), "ok");
  EXPECT_EQ(CollectiveCode("ROOT g = f32[13,6] all-gather(x), dimensions={0}", "is_scheduled=false"), "declared-shape");
  EXPECT_EQ(CollectiveCode("ROOT g = f32[8,6] all-gather(x), dimensions={2}"), "dimension-out-of-range");
  EXPECT_EQ(CollectiveCode("ROOT g = f32[8,6] all-gather(x), dimensions={0,1}"), "entry-count");
  EXPECT_EQ(CollectiveCode("ROOT g = (f32[8,6], s32[4]) all-gather(x, i), dimensions={0}"), "ok");
  EXPECT_EQ(CollectiveCode("ROOT g = f32[8,6] all-gather(x, i), dimensions={0}"), "declared-shape");
  EXPECT_EQ(CollectiveCode("t = (f32[4,6]) tuple(x) ROOT g = f32[8,6] all-gather(t), dimensions={0}"),
            "operand-not-array");
  EXPECT_EQ(CollectiveCode("ROOT g = f32[8,6] all-gather(), dimensions={0}"), "operand-count");
  EXPECT_EQ(
      CollectiveCode("ROOT g = f32[4,6] all-gather(x), dimensions={0}, replica_groups={{0},{1,2}}", "replica_count=3"),
      "replica-groups");
}

TEST(AllGatherRules, SizesThatOverflowAreReported) {
  EXPECT_EQ(DiagnosticsOf(R"(HloModule m, replica_count=4
ENTRY e { x = f32[4611686018427387904] parameter(0)
  ROOT g = f32[8] all-gather(x), dimensions={0} })"),
            "size-overflow at x");
}

TEST(AllGatherRules, StartAndDone) {
  EXPECT_EQ(CollectiveDiagnostics(
                "s = (f32[4,6], f32[8,6]) all-gather-start(x), dimensions={0} ROOT d = f32[8,6] all-gather-done(s)"),
            "ok");
  EXPECT_EQ(CollectiveDiagnostics(R"(s = ((f32[4,6], s32[2]), (f32[8,6], s32[4])) all-gather-start(x, i), dimensions={0}
  ROOT d = (f32[8,6], s32[4]) all-gather-done(s))"),
            "ok");
  EXPECT_EQ(
      CollectiveDiagnostics("s = f32[8,6] all-gather-start(x), dimensions={0} ROOT d = f32[8,6] all-gather-done(s)"),
      "declared-shape at f32[8,6]");
  EXPECT_EQ(CollectiveDiagnostics(
                "s = (f32[4,6], f32[8,6]) all-gather-start(x), dimensions={0} ROOT d = f32[4,6] all-gather-done(s)"),
            "declared-shape at 4");
}

TEST(AllReduceRules, ShapeAndCombiner) {
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] all-reduce(x), to_apply=sum"), "ok");
  EXPECT_EQ(CollectiveCode("ROOT r = (f32[4,6], s32[2]) all-reduce(x, i), to_apply=sum"), "ok");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,5] all-reduce(x), to_apply=sum"), "declared-shape");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] all-reduce(x), to_apply=isum"), "collective-combiner");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] all-reduce(x), to_apply=one"), "collective-combiner");
  EXPECT_EQ(CollectiveCode("s = f32[4,6] all-reduce-start(x), to_apply=sum ROOT d = f32[4,6] all-reduce-done(s)"),
            "ok");
  EXPECT_EQ(CollectiveCode("s = f32[4,6] all-reduce-start(x), to_apply=sum ROOT d = f32[4] all-reduce-done(s)"),
            "declared-shape");
}

TEST(ReduceScatterRules, TheDimensionIsDivided) {
  EXPECT_EQ(CollectiveCode("ROOT r = f32[2,6] reduce-scatter(x), to_apply=sum, dimensions={0}"), "ok");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] reduce-scatter(x), to_apply=sum, dimensions={0}"), "declared-shape");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[1,6] reduce-scatter(x), to_apply=sum, dimensions={0}", "replica_count=3"),
            "collective-size");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[0,6] reduce-scatter(x), to_apply=sum, dimensions={0}", "is_scheduled=false"),
            "collective-size");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[1,6] reduce-scatter(x), to_apply=sum, dimensions={0}", "is_scheduled=false"),
            "ok");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[2,6] reduce-scatter(x), to_apply=sum, dimensions={2}"),
            "dimension-out-of-range");
  EXPECT_EQ(
      CollectiveCode(
          "b = bf16[4] parameter(2) ROOT r = (f32[2,6], bf16[2]) reduce-scatter(x, b), to_apply=sum, dimensions={0}"),
      "mixed-precision");
}

TEST(AllToAllRules, ArrayForm) {
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] all-to-all(x), dimensions={0}"), "ok");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] all-to-all(x), dimensions={0}", "replica_count=3"), "collective-size");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] all-to-all(x, x), dimensions={0}"), "operand-count");
  EXPECT_EQ(CollectiveCode("d = f32[<=4] parameter(2) ROOT r = f32[<=4] all-to-all(d), dimensions={0}"),
            "collective-size");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,5] all-to-all(x), dimensions={0}"), "declared-shape");
}

TEST(AllToAllRules, TupleForm) {
  EXPECT_EQ(CollectiveCode("ROOT r = (f32[4,6], f32[4,6]) all-to-all(x, x)"), "ok");
  EXPECT_EQ(CollectiveCode("ROOT r = (f32[4,6], f32[4,6]) all-to-all(x, x)", "replica_count=3"), "operand-count");
  EXPECT_EQ(CollectiveCode("y = f32[6,4] reshape(x) ROOT r = (f32[4,6], f32[6,4]) all-to-all(x, y)"),
            "operand-shapes-differ");
  EXPECT_EQ(CollectiveCode("y = f32[4,6]{0,1} copy(x) ROOT r = (f32[4,6], f32[4,6]) all-to-all(x, y)"),
            "operand-shapes-differ");
}

TEST(RaggedAllToAllRules, OffsetsAndSizes) {
  const auto ragged = [](absl::string_view offsets, absl::string_view sizes, absl::string_view output = "f32[5,6]") {
    return CollectiveCode(absl::StrCat("o = ", output, " parameter(2) a = ", offsets, " parameter(3) s = ", sizes,
                                       " parameter(4) ROOT r = ", output, " ragged-all-to-all(x, o, a, s, a, s)"));
  };
  EXPECT_EQ(ragged("s32[2]", "s32[2]"), "ok");
  EXPECT_EQ(ragged("s64[2,3]", "s64[2,3]"), "ok");
  EXPECT_EQ(ragged("s32[2]", "s32[2,1]"), "ragged-operands");
  EXPECT_EQ(ragged("s32[2,1,1]", "s32[2,1,1]"), "ragged-operands");
  EXPECT_EQ(ragged("s32[3]", "s32[3]"), "ragged-operands");
  EXPECT_EQ(ragged("f32[2]", "f32[2]"), "ragged-operands");
  EXPECT_EQ(ragged("s32[2]", "s32[2]", "f32[5,7]"), "ragged-operands");
}

TEST(CollectivePermuteRules, PlainForm) {
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] collective-permute(x), source_target_pairs={{0,1},{1,0}}"), "ok");
  EXPECT_EQ(CollectiveCode("ROOT r = (f32[4,6], s32[2]) collective-permute(x, i), source_target_pairs={{0,1}}"), "ok");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,5] collective-permute(x), source_target_pairs={{0,1}}"), "declared-shape");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] collective-permute(x), source_target_pairs={{0,1},{0,0}}"),
            "source-target-pairs");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] collective-permute(x), source_target_pairs={{0,1},{1,1}}"),
            "source-target-pairs");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] collective-permute(x), source_target_pairs={{0,2}}"),
            "source-target-pairs");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] collective-permute(x), source_target_pairs={{-1,0}}"),
            "source-target-pairs");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] collective-permute(x), source_target_pairs={{0,1,2}}"),
            "source-target-pairs");
  EXPECT_EQ(
      CollectiveCode("ROOT r = f32[4,6] collective-permute(x), source_target_pairs={{0,7}}", "is_scheduled=false"),
      "ok");
}

TEST(CollectivePermuteRules, StartAndDone) {
  EXPECT_EQ(
      CollectiveCode(R"(s = (f32[4,6], f32[4,6], u32[], u32[]) collective-permute-start(x), source_target_pairs={{0,1}}
  ROOT d = f32[4,6] collective-permute-done(s))"),
      "ok");
  EXPECT_EQ(
      CollectiveCode(
          R"(s = ((f32[4,6], s32[2]), (f32[4,6], s32[2])) collective-permute-start(x, i), source_target_pairs={{0,1}}
  ROOT d = (f32[4,6], s32[2]) collective-permute-done(s))"),
      "ok");
  EXPECT_EQ(CollectiveCode(R"(s = (f32[4,6], f32[4,5]) collective-permute-start(x), source_target_pairs={{0,1}}
  ROOT d = f32[4,5] collective-permute-done(s))"),
            "declared-shape");
}

TEST(CollectivePermuteRules, InPlaceForm) {
  const auto in_place = [](absl::string_view index, absl::string_view rest, absl::string_view pairs = "{{0,1}}") {
    return CollectiveCode(absl::StrCat(
        "o = f32[8,6] parameter(2) c = s32[] constant(0) j = (s32[], s32[]) tuple(c, c) k = (s32[]) tuple(c) ",
        "jj = ((s32[], s32[]), (s32[], s32[])) tuple(j, j) ", "ROOT r = f32[8,6] collective-permute(x, o, ", index,
        "), source_target_pairs=", pairs, ", slice_sizes=", rest));
  };
  EXPECT_EQ(in_place("j, j", "{{2,2}}"), "ok");
  EXPECT_EQ(in_place("jj, jj", "{{2,2},{2,2}}", "{{0,1},{0,0}}"), "ok");
  EXPECT_EQ(in_place("jj, jj", "{{2,2},{2,2}}", "{{0,1},{0,0},{0,1}}"), "source-target-pairs");
  // The second pair reads slice 1 of device 0 and writes slice 0 of its own.
  EXPECT_EQ(in_place("jj, jj", "{{2,2},{1,1}}", "{{0,1},{0,0}}"), "in-place-permute");
  EXPECT_EQ(in_place("j, jj", "{{2,2}}"), "in-place-permute");
  EXPECT_EQ(in_place("k, j", "{{2,2}}"), "in-place-permute");
  EXPECT_EQ(in_place("c, j", "{{2,2}}"), "in-place-permute");
  EXPECT_EQ(in_place("j, j", "{{2}}"), "in-place-permute");
  EXPECT_EQ(in_place("j, j", "{{2,2},{2,2}}"), "in-place-permute");
  EXPECT_EQ(in_place("j", "{{2,2}}"), "operand-count");
  EXPECT_EQ(CollectiveCode(
                "o = (f32[4,6]) tuple(x) c = s32[] constant(0) j = (s32[], s32[]) tuple(c, c) "
                "ROOT r = (f32[4,6]) collective-permute(x, o, j, j), source_target_pairs={{0,1}}, slice_sizes={{1,1}}"),
            "in-place-permute");
}

TEST(CollectiveBroadcastRules, GroupsAndRoots) {
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] collective-broadcast(x), replica_groups={{1}}"), "ok");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] collective-broadcast(x), replica_groups={{0,0}}"), "replica-groups");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,6] collective-broadcast(x), replica_groups={{0,2}}"), "replica-groups");
  EXPECT_EQ(CollectiveCode("ROOT r = f32[4,5] collective-broadcast(x), replica_groups={{0,1}}"), "declared-shape");
  EXPECT_EQ(
      CollectiveCode("w = s32[1] constant({0}) ROOT r = f32[4,6] collective-broadcast(x, w), replica_groups={{0,1}}, "
                     "has_dynamic_root=true"),
      "ok");
  EXPECT_EQ(
      CollectiveCode("ROOT r = f32[4,6] collective-broadcast(x, i), replica_groups={{0,1}}, has_dynamic_root=true"),
      "operand-element-type");
  EXPECT_EQ(CollectiveCode("ROOT r = s32[2] collective-broadcast(i), replica_groups={{0,1}}, has_dynamic_root=true"),
            "operand-count");
}

TEST(DeviceIdRules, AreU32Scalars) {
  EXPECT_EQ(CollectiveCode("p = u32[] partition-id() r = u32[] replica-id() ROOT t = (u32[], u32[]) tuple(p, r)"),
            "ok");
  EXPECT_EQ(CollectiveDiagnostics("ROOT p = s32[] partition-id()"), "declared-shape at s32");
  EXPECT_EQ(CollectiveDiagnostics("ROOT p = u32[1] replica-id()"), "declared-shape at [1]");
}

TEST(ReplicaGroupRules, GroupSizeOfEveryForm) {
  const auto document =
      Document::Parse(SourceText::FromString("m", absl::StrCat("HloModule m", kCollectiveComputations, R"(
ENTRY e {
  x = f32[8] parameter(0)
  a = f32[8] all-reduce(x), to_apply=sum, replica_groups={{0,1},{2,3}}
  b = f32[8] all-reduce(x), to_apply=sum, replica_groups=[2,4]<=[8]
  c = f32[8] all-reduce(x), to_apply=sum, replica_groups=mesh['a'=2,'b'=4] {'b':(1)2,'a'}
  d = f32[8] all-reduce(x), to_apply=sum
  e = f32[8] all-reduce(x), to_apply=sum, channel_id=1, replica_groups={{0,1}}
  ROOT r = (f32[8], f32[8], f32[8], f32[8], f32[8]) tuple(a, b, c, d, e)
})")));
  const Module& m = document->module();
  const auto size = [&](absl::string_view name, DeviceCounts counts) {
    return GroupSize(m, m.FindInstruction(m.entry(), name), counts);
  };
  EXPECT_EQ(size("a", {}), 2);
  EXPECT_EQ(size("b", {}), 4);
  EXPECT_EQ(size("c", {}), 4);
  EXPECT_EQ(size("d", {}), std::nullopt);
  EXPECT_EQ(size("d", {6, 2}), 6);
  EXPECT_EQ(size("e", {2, 3}), 6);
}

}  // namespace
}  // namespace hloscope
