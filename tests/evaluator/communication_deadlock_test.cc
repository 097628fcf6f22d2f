// SPDX-License-Identifier: Apache-2.0
// What is said about deadlocks without a run is what runs do: on random modules whose ways the text shows, the one ends
// in a deadlock where the other finds it.
#include "core/communication/communication_deadlock.h"

#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/analysis/module_index.h"
#include "evaluator/engine/device_run.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/random_search.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

constexpr int64_t kPartitions = 3;

// A module in which three partitions go different ways through collectives, transfers and loops.
class Writer {
 public:
  explicit Writer(uint64_t seed) : random_(seed) {}

  std::string Module() {
    computations_ = absl::StrCat("HloModule m, num_partitions=", kPartitions, "\n\n",
                                 "add { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }\n");
    for (int i = 0; i < 3; ++i) leaves_.push_back(Leaf());
    std::string entry = "  v0 = s32[] parameter(0)\n  t0 = token[] after-all()\n  p = u32[] partition-id()\n";
    value_ = "v0";
    const int steps = 2 + Below(4);
    for (int i = 0; i < steps; ++i) entry += Step();
    return absl::StrCat(computations_, "ENTRY e {\n", entry, "  ROOT r = s32[] copy(", value_, ")\n}\n");
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  std::string New(absl::string_view stem) { return absl::StrCat(stem, ++count_); }

  std::string Groups() {
    static constexpr absl::string_view kGroups[] = {"{{0,1,2}}", "{{0,1},{2}}", "{{1,2},{0}}", "{{0},{1},{2}}"};
    return std::string(kGroups[Below(4)]);
  }
  std::string Pairs() {
    static constexpr absl::string_view kPairs[] = {"{{0,1}}", "{{0,1},{1,0}}", "{{0,1},{1,2}}", "{{2,0},{0,1},{1,2}}"};
    return std::string(kPairs[Below(4)]);
  }
  std::string Collective(const std::string& name, const std::string& operand) {
    if (Below(3) == 0) {
      return absl::StrCat("  ", name, " = s32[] collective-permute(", operand, "), channel_id=", 100 + count_,
                          ", source_target_pairs=", Pairs(), "\n");
    }
    return absl::StrCat("  ", name, " = s32[] all-reduce(", operand, "), channel_id=", 100 + count_,
                        ", use_global_device_ids=true, replica_groups=", Groups(), ", to_apply=add\n");
  }

  // A computation s32[] -> s32[] with none or some collectives.
  std::string Leaf() {
    const std::string name = New("leaf");
    std::string text = absl::StrCat(name, " {\n  x", name, " = s32[] parameter(0)\n");
    std::string last = "x" + name;
    const int collectives = Below(3);
    for (int i = 0; i < collectives; ++i) {
      const std::string next = New("k");
      text += Collective(next, last);
      last = next;
    }
    computations_ += absl::StrCat(text, "  ROOT r", name, " = s32[] negate(", last, ")\n}\n");
    return name;
  }

  std::string Step() {
    const std::string next = New("v"), before = value_;
    value_ = next;
    switch (Below(6)) {
      case 0:
        return Collective(next, before);
      case 1:
        return absl::StrCat("  ", next, " = s32[] call(", before, "), to_apply=", leaves_[Below(3)], "\n");
      case 2:
        return Loop(next, before);
      case 3:
        return Transfer(next, before);
      default:
        return Branch(next, before);
    }
  }

  std::string Branch(const std::string& next, const std::string& before) {
    const std::string c = New("c"), q = New("q");
    return absl::StrCat("  ", c, " = u32[] constant(", Below(3), ")\n  ", q, " = pred[] compare(p, ", c,
                        "), direction=", Below(2) == 0 ? "EQ" : "LT", "\n  ", next, " = s32[] conditional(", q, ", ",
                        before, ", ", before, "), true_computation=", leaves_[Below(3)],
                        ", false_computation=", leaves_[Below(3)], "\n");
  }

  // Runs as often as a number and the partition say.
  std::string Loop(const std::string& next, const std::string& before) {
    const std::string n = New("loop"), state = "(u32[], u32[], s32[])";
    computations_ += absl::StrCat(
        "b", n, " {\n  s = ", state, " parameter(0)\n  i = u32[] get-tuple-element(s), index=0\n",
        "  n = u32[] get-tuple-element(s), index=1\n  x = s32[] get-tuple-element(s), index=2\n",
        "  one = u32[] constant(1)\n  j = u32[] add(i, one)\n  y = s32[] call(x), to_apply=", leaves_[Below(3)],
        "\n  ROOT u = ", state, " tuple(j, n, y)\n}\nc", n, " {\n  s = ", state,
        " parameter(0)\n  i = u32[] get-tuple-element(s), index=0\n  n = u32[] get-tuple-element(s), index=1\n",
        "  ROOT l = pred[] compare(i, n), direction=LT\n}\n");
    const bool by_partition = Below(2) == 0;
    return absl::StrCat("  z", n, " = u32[] constant(0)\n  m", n, " = u32[] constant(", Below(3), ")\n  k", n,
                        " = u32[] ", by_partition ? "add(p, " : "add(", by_partition ? "" : absl::StrCat("z", n, ", "),
                        "m", n, ")\n  i", n, " = ", state, " tuple(z", n, ", k", n, ", ", before, ")\n  w", n, " = ",
                        state, " while(i", n, "), condition=c", n, ", body=b", n, "\n  ", next,
                        " = s32[] get-tuple-element(w", n, "), index=2\n");
  }

  std::string Transfer(const std::string& next, const std::string& before) {
    const std::string n = New("x"), pairs = Pairs();
    const std::string attributes = absl::StrCat(
        ", channel_id=", 100 + count_, ", frontend_attributes={_xla_send_recv_source_target_pairs=\"", pairs, "\"}\n");
    const std::string done = absl::StrCat(", channel_id=", 100 + count_, "\n");
    const std::string send = absl::StrCat("  s", n, " = (s32[], u32[], token[]) send(", before, ", t0)", attributes,
                                          "  f", n, " = token[] send-done(s", n, ")", done);
    const std::string receive = absl::StrCat("  r", n, " = (s32[], u32[], token[]) recv(t0)", attributes, "  d", n,
                                             " = (s32[], token[]) recv-done(r", n, ")", done);
    const bool send_first = Below(2) == 0;
    return absl::StrCat(send_first ? send : receive, send_first ? receive : send, "  ", next,
                        " = s32[] get-tuple-element(d", n, "), index=0\n");
  }

  std::mt19937_64 random_;
  int count_ = 0;
  std::string computations_, value_;
  std::vector<std::string> leaves_;
};

// "deadlock", "ok" or the message of another failure.
std::string OutcomeOfRun(const std::shared_ptr<const Module>& module) {
  auto run = DeviceRun::Create(module, {1, kPartitions}, SessionOptions());
  EXPECT_TRUE(run.ok()) << run.status();
  for (int64_t f = 0; f < kPartitions; ++f) {
    EXPECT_TRUE((*run)->device(f).SetArgument(0, ScalarValue<int32_t>(ElementType::kS32, 1)).ok());
  }
  if ((*run)->Run() == StopReason::kFinished) return "ok";
  return absl::IsAborted((*run)->status()) ? "deadlock" : std::string((*run)->status().message());
}

TEST(CommunicationDeadlock, SaysWhatRunsDo) {
  const int count = SecondsOfSearch(0) > 0 ? 100'000 : 400;
  int deadlocks = 0, waiting_sends = 0;
  for (int i = 0; i < count; ++i) {
    const std::string text = Writer(FirstSeed() + static_cast<uint64_t>(i)).Module();
    const std::shared_ptr<const Module> module = ModuleFromText(text);
    ASSERT_NE(module, nullptr) << text;
    const ModuleIndex index(*module);
    const auto deadlock = FindCommunicationDeadlock(*module, *index.users, *index.calls, {1, kPartitions});
    // Runs buffer messages.
    const bool found = deadlock.has_value() && !deadlock->needs_rendezvous;
    ASSERT_EQ(found ? "deadlock" : "ok", OutcomeOfRun(module)) << "seed " << FirstSeed() + i << "\n" << text;
    deadlocks += found;
    waiting_sends += deadlock.has_value() && deadlock->needs_rendezvous;
  }
  // Both happen, and neither always.
  EXPECT_GT(deadlocks, count / 10);
  EXPECT_LT(deadlocks, count * 9 / 10);
  EXPECT_GT(waiting_sends, 0);
}

}  // namespace
}  // namespace hloscope::evaluator
