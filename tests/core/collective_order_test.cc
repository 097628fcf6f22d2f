// SPDX-License-Identifier: Apache-2.0
// Devices that never meet are found without a run; no real module is suspected (docs/ops/control.md 4.15, 6.11).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "core/communication/communication_plan.h"
#include "core/document/document.h"
#include "tests/support/module_diagnostics.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::string_view kAdd = "add { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }\n";
constexpr absl::string_view kTalk =
    "talk { x = s32[] parameter(0) ROOT y = s32[] all-reduce(x), to_apply=add, replica_groups={{0,1}} }\n";
constexpr absl::string_view kQuiet = "quiet { ROOT z = s32[] parameter(0) }\n";

std::string InModule(absl::string_view header, absl::string_view computations, absl::string_view entry) {
  return absl::StrCat("HloModule m, ", header, "\n", kAdd, computations, "ENTRY e {\n", entry, "}\n");
}

std::string Pairs(int channel, absl::string_view pairs) {
  return absl::StrCat(", channel_id=", channel, ", frontend_attributes={_xla_send_recv_source_target_pairs=\"", pairs,
                      "\"}\n");
}

TEST(CollectiveOrder, ABranchByDevice) {
  const std::string entry =
      "r = u32[] replica-id() z = u32[] constant(0) first = pred[] compare(r, z), direction=EQ v = s32[] constant(4)\n"
      "ROOT c = s32[] conditional(first, v, v), true_computation=talk, false_computation=";
  const std::string text = InModule("replica_count=2", absl::StrCat(kTalk, kQuiet), entry + "quiet\n");
  EXPECT_EQ(DiagnosticsOf(text), "collective-deadlock at y");
  EXPECT_THAT(FirstDiagnosticOf(text), HasSubstr("device 0 waits for device 1, which ends without coming here"));
  // Both branches meet in the same instruction.
  EXPECT_EQ(DiagnosticsOf(InModule("replica_count=2", kTalk, entry + "talk\n")), "ok");
  VerifyOptions off;
  off.check_collectives = false;
  EXPECT_EQ(DiagnosticsOf(text, off), "ok");
  VerifyOptions strict;
  strict.strict = true;
  EXPECT_EQ(DiagnosticsOf(text, strict, Severity::kError), "collective-deadlock at y");
}

TEST(CollectiveOrder, AGroupOfThoseThatComeIsFine) {
  EXPECT_EQ(DiagnosticsOf(InModule(
                "num_partitions=4",
                "pair { x = s32[] parameter(0) ROOT y = s32[] all-reduce(x), channel_id=1, use_global_device_ids=true, "
                "to_apply=add, replica_groups={{0,1},{2,3}} }\n" +
                    std::string(kQuiet),
                "p = u32[] partition-id() two = u32[] constant(2) low = pred[] compare(p, two), direction=LT\n"
                "v = s32[] constant(4) ROOT c = s32[] conditional(low, v, v), true_computation=pair, "
                "false_computation=quiet\n")),
            "ok");
}

TEST(CollectiveOrder, ATableOfBranches) {
  const auto text = [](absl::string_view table) {
    return InModule("num_partitions=4",
                    "one { x = s32[] parameter(0) ROOT y = s32[] all-reduce(x), channel_id=1, "
                    "use_global_device_ids=true, to_apply=add, replica_groups={{0,1},{2,3}} }\n"
                    "two { x = s32[] parameter(0) ROOT w = s32[] all-reduce(x), channel_id=2, "
                    "use_global_device_ids=true, to_apply=add, replica_groups={{0,1},{2,3}} }\n",
                    absl::StrCat("t = s32[4] constant({", table, "}) p = u32[] partition-id()\n",
                                 "s = s32[1] dynamic-slice(t, p), dynamic_slice_sizes={1} i = s32[] reshape(s)\n",
                                 "v = s32[] constant(4) ROOT c = s32[] conditional(i, v, v), ",
                                 "branch_computations={one, two}\n"));
  };
  EXPECT_EQ(DiagnosticsOf(text("0, 0, 1, 1")), "ok");
  EXPECT_EQ(DiagnosticsOf(text("0, 1, 1, 1")), "collective-deadlock at y");
  EXPECT_THAT(FirstDiagnosticOf(text("0, 1, 1, 1")),
              HasSubstr("device 0 waits for device 1, which waits at `w`, all-reduce, for device 0"));
}

TEST(CollectiveOrder, ALoopThatSomeDevicesLeaveEarlier) {
  const auto text = [](absl::string_view count) {
    return InModule(
        "replica_count=2",
        "body { s = (u32[], u32[], s32[]) parameter(0) i = u32[] get-tuple-element(s), index=0\n"
        "n = u32[] get-tuple-element(s), index=1 a = s32[] get-tuple-element(s), index=2 one = u32[] constant(1)\n"
        "i2 = u32[] add(i, one) ar = s32[] all-reduce(a), to_apply=add, replica_groups={{0,1}}\n"
        "ROOT t = (u32[], u32[], s32[]) tuple(i2, n, ar) }\n"
        "cond { s = (u32[], u32[], s32[]) parameter(0) i = u32[] get-tuple-element(s), index=0\n"
        "n = u32[] get-tuple-element(s), index=1 ROOT lt = pred[] compare(i, n), direction=LT }\n",
        absl::StrCat("z = u32[] constant(0) r = u32[] replica-id() two = u32[] constant(2) q = s32[] constant(7)\n",
                     "n = u32[] ", count, " init = (u32[], u32[], s32[]) tuple(z, n, q)\n",
                     "ROOT w = (u32[], u32[], s32[]) while(init), condition=cond, body=body\n"));
  };
  EXPECT_EQ(DiagnosticsOf(text("add(r, two)")), "collective-deadlock at ar");
  EXPECT_THAT(FirstDiagnosticOf(text("add(r, two)")),
              HasSubstr("device 1 waits in execution 3 for device 0, which ends without coming here as often"));
  EXPECT_EQ(DiagnosticsOf(text("add(two, two)")), "ok");
  EXPECT_EQ(DiagnosticsOf(text("divide(r, two)")), "ok");  // no iteration on both
}

// The ways of all devices are the same where data decides.
TEST(CollectiveOrder, DataCountsAsTheSameOnAllDevices) {
  EXPECT_EQ(DiagnosticsOf(InModule("replica_count=2", absl::StrCat(kTalk, kQuiet),
                                   "c = pred[] parameter(0) v = s32[] constant(4)\n"
                                   "ROOT r = s32[] conditional(c, v, v), true_computation=talk, "
                                   "false_computation=quiet\n")),
            "ok");
  // Depends on the device and on data: nothing is said.
  EXPECT_EQ(DiagnosticsOf(InModule("replica_count=2", absl::StrCat(kTalk, kQuiet),
                                   "u = u32[] parameter(0) r = u32[] replica-id()\n"
                                   "c = pred[] compare(r, u), direction=LT v = s32[] constant(4)\n"
                                   "ROOT d = s32[] conditional(c, v, v), true_computation=talk, "
                                   "false_computation=quiet\n")),
            "ok");
}

// Each branch that data chooses is looked into.
TEST(CollectiveOrder, ADeadlockInABranchThatDataChooses) {
  const std::string outer =
      "inner { x = s32[] parameter(0) r = u32[] replica-id() z = u32[] constant(0)\n"
      "f = pred[] compare(r, z), direction=EQ\n"
      "ROOT c = s32[] conditional(f, x, x), true_computation=talk, false_computation=quiet }\n"
      "still { ROOT x = s32[] parameter(0) }\n";
  EXPECT_EQ(DiagnosticsOf(InModule("replica_count=2", absl::StrCat(kTalk, kQuiet, outer),
                                   "i = s32[] parameter(0) v = s32[] constant(4)\n"
                                   "ROOT d = s32[] conditional(i, v, v, v), "
                                   "branch_computations={still, still, inner}\n")),
            "collective-deadlock at y");
}

TEST(CollectiveOrder, ReceivesBeforeSendsInARing) {
  const auto text = [](absl::string_view pairs, bool receive_first) {
    const std::string send = absl::StrCat("s = (s32[], u32[], token[]) send(p, t)", Pairs(1, pairs));
    const std::string receive = absl::StrCat("r = (s32[], u32[], token[]) recv(t)", Pairs(1, pairs),
                                             "d = (s32[], token[]) recv-done(r), channel_id=1\n");
    return InModule("num_partitions=2", "",
                    absl::StrCat("p = s32[] parameter(0) t = token[] after-all()\n", receive_first ? receive : send,
                                 receive_first ? send : receive, "f = token[] send-done(s), channel_id=1\n",
                                 "ROOT x = s32[] get-tuple-element(d), index=0\n"));
  };
  EXPECT_EQ(DiagnosticsOf(text("{{0,1},{1,0}}", true)), "collective-deadlock at r");
  EXPECT_THAT(FirstDiagnosticOf(text("{{0,1},{1,0}}", true)), HasSubstr("nobody can send first"));
  EXPECT_EQ(DiagnosticsOf(text("{{0,1},{1,0}}", false)), "ok");
  EXPECT_EQ(DiagnosticsOf(text("{{0,1}}", true)), "ok");
}

TEST(CollectiveOrder, CrossedPairs) {
  // Without buffers each send-done waits for a recv that comes after it.
  const auto entry = [](absl::string_view first, absl::string_view second) {
    return absl::StrCat(
        "p = s32[] parameter(0) t = token[] after-all()\n", "s = (s32[], u32[], token[]) send(p, t)", Pairs(1, first),
        "f = token[] send-done(s), channel_id=1\n", "r = (s32[], u32[], token[]) recv(t)", Pairs(1, second),
        "d = (s32[], token[]) recv-done(r), channel_id=1\n", "ROOT x = s32[] get-tuple-element(d), index=0\n");
  };
  const std::string crossed = InModule("num_partitions=2", "", entry("{{0,1},{1,0}}", "{{0,1},{1,0}}"));
  EXPECT_EQ(DiagnosticsOf(crossed), "collective-deadlock at s");
  EXPECT_THAT(FirstDiagnosticOf(crossed), HasSubstr("only where messages are buffered"));
  EXPECT_EQ(DiagnosticsOf(InModule("num_partitions=2", "", entry("{{0,1}}", "{{0,1}}"))), "ok");
  // Pairs that are written differently are different transfers: nobody sends what is received.
  const std::string apart = InModule("num_partitions=2", "", entry("{{0,1}}", "{{0,1},{1,0}}"));
  EXPECT_THAT(DiagnosticsOf(apart), StartsWith("collective-deadlock at r"));
}

// The message of the first iteration is received in the second.
TEST(CollectiveOrder, TransfersThatALoopCarries) {
  const auto text = [](absl::string_view before) {
    return InModule(
        "num_partitions=2",
        absl::StrCat("body { s = (s32[], (s32[], u32[], token[]), token[]) parameter(0)\n",
                     "i = s32[] get-tuple-element(s), index=0 one = s32[] constant(1) i2 = s32[] add(i, one)\n",
                     "rv = (s32[], u32[], token[]) get-tuple-element(s), index=1\n",
                     "d = (s32[], token[]) recv-done(rv), channel_id=1 x = s32[] get-tuple-element(d), index=0\n",
                     "t = token[] get-tuple-element(d), index=1\n", "r2 = (s32[], u32[], token[]) recv(t)",
                     Pairs(1, "{{0,1}}"), "snd2 = (s32[], u32[], token[]) send(x, t)", Pairs(1, "{{0,1}}"),
                     "f2 = token[] send-done(snd2), channel_id=1\n",
                     "ROOT u = (s32[], (s32[], u32[], token[]), token[]) tuple(i2, r2, f2) }\n",
                     "cond { s = (s32[], (s32[], u32[], token[]), token[]) parameter(0)\n",
                     "i = s32[] get-tuple-element(s), index=0 n = s32[] constant(9)\n",
                     "ROOT lt = pred[] compare(i, n), direction=LT }\n"),
        absl::StrCat("z = s32[] constant(0) t = token[] after-all()\n", "r = (s32[], u32[], token[]) recv(t)",
                     Pairs(1, "{{0,1}}"), before, "init = (s32[], (s32[], u32[], token[]), token[]) tuple(z, r, t)\n",
                     "w = (s32[], (s32[], u32[], token[]), token[]) while(init), condition=cond, body=body\n",
                     "rw = (s32[], u32[], token[]) get-tuple-element(w), index=1\n",
                     "dw = (s32[], token[]) recv-done(rw), channel_id=1\n",
                     "ROOT x = s32[] get-tuple-element(dw), index=0\n"));
  };
  const std::string send = absl::StrCat("s = (s32[], u32[], token[]) send(z, t)", Pairs(1, "{{0,1}}"),
                                        "f = token[] send-done(s), channel_id=1\n");
  EXPECT_EQ(DiagnosticsOf(text(send)), "ok");
  EXPECT_EQ(DiagnosticsOf(text("")), "collective-deadlock at r2");  // one send is missing in the end
}

TEST(CollectiveOrder, StartsAndDones) {
  const auto text = [](absl::string_view in_branch) {
    return InModule("replica_count=2",
                    absl::StrCat("one { x = s32[] parameter(0) s = s32[] all-reduce-start(x), to_apply=add, ",
                                 "replica_groups={{0,1}} ", in_branch, " }\n", kQuiet),
                    "r = u32[] replica-id() z = u32[] constant(0) f = pred[] compare(r, z), direction=EQ\n"
                    "v = s32[] constant(4)\n"
                    "ROOT c = s32[] conditional(f, v, v), true_computation=one, false_computation=quiet\n");
  };
  EXPECT_EQ(DiagnosticsOf(text("ROOT d = s32[] all-reduce-done(s)")), "collective-deadlock at s");
}

TEST(CollectiveOrder, ChannelsInFlight) {
  const auto text = [](int second, absl::string_view header) {
    return InModule(header, "",
                    absl::StrCat("x = s32[] parameter(0)\n",
                                 "s = (s32[], s32[]) collective-permute-start(x), channel_id=1, "
                                 "source_target_pairs={{0,1}}\n",
                                 "t = (s32[], s32[]) collective-permute-start(x), channel_id=", second,
                                 ", source_target_pairs={{1,0}}\na = s32[] collective-permute-done(s)\n",
                                 "b = s32[] collective-permute-done(t)\n",
                                 "u = s32[] collective-permute(x), channel_id=1, source_target_pairs={{1,0}}\n",
                                 "ROOT r = (s32[], s32[], s32[]) tuple(a, b, u)\n"));
  };
  EXPECT_EQ(DiagnosticsOf(text(1, "num_partitions=2, is_scheduled=true")), "channel-in-flight at channel_id=1");
  EXPECT_EQ(DiagnosticsOf(text(2, "num_partitions=2, is_scheduled=true")), "ok");
  EXPECT_EQ(DiagnosticsOf(text(1, "num_partitions=2")), "ok");
}

// Hostile sizes end in time: many devices, long loops by device, deep calls.
TEST(CollectiveOrder, EndsInTime) {
  const auto loop = [](absl::string_view header, absl::string_view limit) {
    return InModule(
        header,
        "body { s = u32[] parameter(0) one = u32[] constant(1) i2 = u32[] add(s, one) v = s32[] constant(1)\n"
        "ar = s32[] all-reduce(v), to_apply=add, constrain_layout=true ROOT t = u32[] copy(i2) }\n"
        "cond { s = u32[] parameter(0) r = u32[] replica-id() n = u32[] " +
            std::string(limit) + " ROOT lt = pred[] compare(s, n), direction=LT }\n",
        "z = u32[] constant(0) ROOT w = u32[] while(z), condition=cond, body=body\n");
  };
  EXPECT_EQ(DiagnosticsOf(loop("replica_count=4096", "constant(4000000000)")), "ok");
  EXPECT_EQ(DiagnosticsOf(loop("replica_count=4096", "multiply(r, r)")), "ok");  // more than is looked at
  EXPECT_EQ(DiagnosticsOf(loop("replica_count=1000000", "copy(r)")), "ok");
  EXPECT_EQ(DiagnosticsOf(loop("replica_count=3", "copy(r)")), "collective-deadlock at ar");
}

// No real module gets a diagnostic of the order of its collectives.
TEST(CollectiveOrder, TheCorpusIsFree) {
  SKIP_WITHOUT_SHARED_FILES();
  DocumentOptions options;
  options.verify.collectives_budget = 20'000'000;
  int with_collectives = 0;
  for (const std::string& path : CorpusFiles()) {
    const std::string text = ReadFileOrDie(path);
    // Most files are of one device, and need not be read.
    if (text.find("replica_groups") == std::string::npos && text.find("source_target_pairs") == std::string::npos)
      continue;
    const auto document = Document::Parse(SourceText::FromString(path, text), options);
    ++with_collectives;
    for (const Diagnostic& diagnostic : document->diagnostics()) {
      EXPECT_NE(diagnostic.kind, DiagnosticKind::kCollectiveDeadlock) << path << ": " << diagnostic.Message();
      EXPECT_NE(diagnostic.kind, DiagnosticKind::kChannelInFlight) << path << ": " << diagnostic.Message();
    }
  }
  EXPECT_GT(with_collectives, 0);
}

}  // namespace
}  // namespace hloscope
