// SPDX-License-Identifier: Apache-2.0
// A debugger of devices in several processes does and shows what one does that has them all.
#include "evaluator/remote/rank_steering.h"

#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "evaluator/debugger/debugger.h"
#include "evaluator/remote/device_server.h"
#include "evaluator/tensor/fill.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/module_generator.h"
#include "tests/support/rank_threads.h"
#include "tests/support/session_test_support.h"
#include "tests/support/time_limit.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

// Loops with collectives, branches by device, messages, sums that call computations.
constexpr char kTalk[] = R"(HloModule talk, replica_count=2, num_partitions=2
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
odd { x = f32[3] parameter(0) ROOT y = f32[3] negate(x) }
even { x = f32[3] parameter(0) z = f32[3] exponential(x) ROOT y = f32[3] sine(z) }
body {
  s = (s32[], f32[3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[3] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  k = f32[3] all-reduce(x), channel_id=1, use_global_device_ids=true, replica_groups={{0,3},{1,2}}, to_apply=add
  half = f32[] constant(0.375)
  halves = f32[3] broadcast(half), dimensions={}
  y = f32[3] multiply(k, halves)
  ROOT t = (s32[], f32[3]) tuple(j, y)
}
cond {
  s = (s32[], f32[3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(4)
  ROOT l = pred[] compare(i, n), direction=LT
}
ENTRY e {
  x0 = f32[3] parameter(0)
  p = u32[] partition-id()
  r = u32[] replica-id()
  pf = f32[] convert(p)
  rf = f32[] convert(r)
  both = f32[] add(pf, rf)
  sides = f32[3] broadcast(both), dimensions={}
  x = f32[3] add(x0, sides)
  pi = s32[] convert(p)
  b = f32[3] conditional(pi, x, x), branch_computations={even, odd}
  g = f32[12] all-gather(b), channel_id=2, use_global_device_ids=true, replica_groups={{0,1,2,3}}, dimensions={0}
  zero = f32[] constant(0)
  m = f32[] reduce(g, zero), dimensions={0}, to_apply=add
  c = s32[] constant(0)
  s = (s32[], f32[3]) tuple(c, b)
  w = (s32[], f32[3]) while(s), condition=cond, body=body
  wx = f32[3] get-tuple-element(w), index=1
  t = token[] after-all()
  rv = (f32[3], u32[], token[]) recv(t), channel_id=3, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,0}}"}
  sd = (f32[3], u32[], token[]) send(wx, t), channel_id=3, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,0}}"}
  rvd = (f32[3], token[]) recv-done(rv), channel_id=3
  sdd = token[] send-done(sd), channel_id=3
  rx = f32[3] get-tuple-element(rvd), index=0
  st = f32[3] all-reduce-start(rx), channel_id=4, use_global_device_ids=true, replica_groups={{0,1,2,3}}, to_apply=add
  q = f32[3] multiply(rx, wx)
  done = f32[3] all-reduce-done(st)
  ROOT out = (f32[3], f32[3], f32[]) tuple(q, done, m)
}
)";

absl::Status GiveArguments(DeviceRun& run, const Module& module) {
  const std::vector<InstructionId>& parameters = module.computation(module.entry()).parameters;
  for (int64_t f : run.local_devices()) {
    for (size_t k = 0; k < parameters.size(); ++k) {
      const auto number = static_cast<int64_t>(k);
      const absl::StatusOr<Value> value =
          FillValue(module.shape(parameters[k]), FillKind::kRandom, static_cast<uint64_t>(7 + f), number);
      if (!value.ok()) return value.status();
      if (absl::Status status = run.device(f).SetArgument(number, *value); !status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

std::string StateText(Debugger& debugger, const Stop& stop) {
  Timeline& timeline = debugger.timeline();
  std::string text = absl::StrCat("  reason ", static_cast<int>(stop.reason), " device ", stop.device, " position ",
                                  timeline.position(), "\n");
  for (const WatchHit& hit : stop.watches)
    absl::StrAppend(&text, "  watch ", hit.path, " ", BriefValue(hit.value), "\n");
  for (int64_t f = 0; f < timeline.device_count(); ++f) {
    const Inspection& inspection = timeline.inspection(f);
    absl::StrAppend(&text, "  ", f, ": ", ExecutionPath(timeline.module(), inspection.frames()), " ",
                    timeline.execution(f).position(), timeline.execution(f).finished() ? " finished" : "");
    if (timeline.run().waiting(f).has_value()) {
      absl::StrAppend(&text, " waits for ", timeline.run().waiting(f)->missing[0]);
    }
    const InstructionId last = inspection.last_executed();
    if (last.has_value() && !inspection.frames().empty()) {
      for (size_t i = inspection.frames().size(); i-- > 0;) {
        if (timeline.module().instruction(last).computation != inspection.frames()[i].computation) continue;
        const absl::StatusOr<Value> value = timeline.ValueOf(f, i, last);
        absl::StrAppend(&text, " ", timeline.module().InstructionName(last), " = ",
                        value.ok() ? BriefValue(*value) : std::string(value.status().message()));
        break;
      }
    }
    if (timeline.execution(f).finished()) absl::StrAppend(&text, " ", BriefValue(timeline.execution(f).result()));
    absl::StrAppend(&text, "\n");
  }
  return text;
}

// What a debugger shows that does this and that, as the seed says.
std::string Transcript(Debugger& debugger, uint64_t seed, int length) {
  std::mt19937_64 random(seed);
  const auto below = [&random](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  Timeline& timeline = debugger.timeline();
  std::string text = StateText(debugger, debugger.Start());
  debugger.set_log([&text](const std::string& message) { absl::StrAppend(&text, "  log ", message, "\n"); });
  const auto count = static_cast<int64_t>(debugger.module().instruction_count());
  for (int i = 0; i < length; ++i) {
    const int64_t f = below(timeline.device_count()), choice = below(14);
    absl::StrAppend(&text, "command ", choice, " on ", f, "\n");
    Stop stop;
    stop.device = f;
    absl::Status status;
    switch (choice) {
      case 0:
      case 1:
        stop = debugger.StepInto(f);
        break;
      case 2:
      case 3:
        stop = debugger.StepOver(f);
        break;
      case 4:
        stop = debugger.StepOut(f);
        break;
      case 5:
        stop = debugger.Continue();
        break;
      case 6: {
        Breakpoint breakpoint;
        breakpoint.locations = {InstructionId(static_cast<size_t>(below(count)))};
        if (below(2) == 0) breakpoint.device = f;
        if (below(4) == 0) breakpoint.log = "at {device}";
        debugger.Add(std::move(breakpoint));
        break;
      }
      case 7: {
        Watchpoint watch;
        watch.kind = below(2) == 0 ? Watchpoint::Kind::kNonFinite : Watchpoint::Kind::kComputed;
        watch.what = {InstructionId(static_cast<size_t>(below(count)))};
        debugger.Add(std::move(watch));
        break;
      }
      case 8: {
        const int64_t position = below(timeline.position() + 1);
        status = timeline.GoTo(position);
        EXPECT_EQ(timeline.position(), position);
        break;
      }
      case 9: {
        const bool over = below(2) == 0;
        const int64_t count = 1 + below(3);
        status = timeline.StepBack(f, over, count).status();
        break;
      }
      case 10: {
        const auto found = debugger.ReverseContinue();
        status = found.status();
        if (found.ok()) absl::StrAppend(&text, "  ", found->has_value() ? "found" : "nothing", "\n");
        break;
      }
      case 11:
        debugger.Delete(static_cast<int>(below(debugger.next_number())));
        break;
      case 12: {
        const absl::Span<const Frame> frames = timeline.inspection(f).frames();
        const InstructionId last = timeline.inspection(f).last_executed();
        if (frames.empty() || !last.has_value() ||
            debugger.module().instruction(last).computation != frames.back().computation) {
          break;
        }
        const size_t frame = frames.size() - 1;
        const absl::StatusOr<Value> value = FillValue(debugger.module().shape(last), FillKind::kOnes, 0, 0);
        status = value.ok() ? timeline.SetValue(f, frame, last, *value) : value.status();
        break;
      }
      default:
        if (below(3) == 0) stop = debugger.Restart();
        break;
    }
    absl::StrAppend(&text, status.ok() ? "" : absl::StrCat("  ", status.message(), "\n"),
                    stop.reason == StopReason::kFailed ? absl::StrCat("  ", timeline.status().message(), "\n") : "",
                    StateText(debugger, stop));
  }
  debugger.set_log(nullptr);
  return text;
}

TimelineOptions OftenSaved() {
  TimelineOptions options;
  options.snapshot_seconds = 0;
  return options;
}

SessionOptions OneThread() {
  SessionOptions options;
  options.threads = 1;
  return options;
}

std::string AloneTranscript(const std::shared_ptr<const Module>& module, DeviceGrid grid, uint64_t seed, int length) {
  auto timeline = Timeline::Create(module, grid, OneThread(), OftenSaved());
  if (!timeline.ok()) return std::string(timeline.status().message());
  if (absl::Status status = GiveArguments((*timeline)->run(), *module); !status.ok()) return status.ToString();
  Debugger debugger(*std::move(timeline));
  return Transcript(debugger, seed, length);
}

std::string RanksTranscript(const std::string& module_text, DeviceGrid grid, const std::vector<int>& rank_of, int ranks,
                            uint64_t seed, int length) {
  std::string text;
  RunRanks(ranks, [&](const HloscopeTransport& transport) {
    const std::shared_ptr<const Module> module = ModuleFromText(module_text);
    RankGroup group(transport);
    EXPECT_TRUE(group.Join({}, rank_of).ok());
    if (transport.rank != 0) {
      auto run = DeviceRun::Create(module, grid, OneThread(), &group);
      ASSERT_TRUE(run.ok()) << run.status();
      for (int64_t f : (*run)->local_devices()) (*run)->device(f).set_keep_values(false);
      EXPECT_TRUE(GiveArguments(**run, *module).ok());
      DeviceServer server(group, **run);
      EXPECT_TRUE(server.Serve().ok());
    } else {
      RankSteering steering(group);
      auto timeline = Timeline::Create(module, grid, OneThread(), OftenSaved(), &steering);
      ASSERT_TRUE(timeline.ok()) << timeline.status();
      EXPECT_TRUE(GiveArguments((*timeline)->run(), *module).ok());
      Debugger debugger(*std::move(timeline));
      text = Transcript(debugger, seed, length);
      group.Dismiss();
    }
    EXPECT_TRUE(group.Close().ok());
  });
  return text;
}

TEST(RankSteeringTest, SaysWhatOneProcessSays) {
  const auto module = ModuleFromText(kTalk);
  ASSERT_NE(module, nullptr);
  const DeviceGrid grid{2, 2};
  const std::vector<std::pair<int, std::vector<int>>> assignments = {
      {2, {0, 0, 1, 1}}, {2, {1, 0, 1, 0}}, {3, {0, 1, 2, 2}}, {3, {2, 2, 1, 1}}, {4, {0, 1, 2, 3}}, {4, {3, 2, 1, 0}}};
  for (uint64_t seed = 1; seed <= 15; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const std::string alone = AloneTranscript(module, grid, seed, 40);
    EXPECT_THAT(alone, HasSubstr("command"));
    const auto& [ranks, rank_of] = assignments[seed % assignments.size()];
    EXPECT_EQ(RanksTranscript(kTalk, grid, rank_of, ranks, seed, 40), alone);
  }
}

TEST(RankSteeringTest, RandomModules) {
  GeneratorOptions options;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const std::string text = RandomModule(seed, options);
    const auto module = ModuleFromText(text);
    ASSERT_NE(module, nullptr);
    const DeviceGrid grid{3, 1};
    EXPECT_EQ(RanksTranscript(text, grid, {0, 1, 1}, 2, seed, 30), AloneTranscript(module, grid, seed, 30)) << text;
  }
}

// A product that takes long, on the device of another process: the run stops in the middle of it, and goes on.
TEST(RankSteeringTest, APauseReachesAKernelElsewhere) {
  constexpr char kBusy[] = R"(HloModule busy, num_partitions=2
busy { a = s64[N,N] parameter(0)
  ROOT d = s64[N,N] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0} }
idle { b = s64[N,N] parameter(0) ROOT c = s64[N,N] negate(b) }
ENTRY e {
  i = s64[N,N] iota(), iota_dimension=0
  p = u32[] partition-id()
  zero = u32[] constant(0)
  first = pred[] compare(p, zero), direction=EQ
  ROOT r = s64[N,N] conditional(first, i, i), true_computation=idle, false_computation=busy
})";
  // With sanitizers that of 2000 takes more than a minute.
  const std::string text = absl::StrReplaceAll(kBusy, {{"N,N", kIsSanitized ? "600,600" : "2000,2000"}});
  RunRanks(2, [&](const HloscopeTransport& transport) {
    const std::shared_ptr<const Module> module = ModuleFromText(text);
    RankGroup group(transport);
    EXPECT_TRUE(group.Join({}, {0, 1}).ok());
    if (transport.rank == 1) {
      auto run = DeviceRun::Create(module, {1, 2}, OneThread(), &group);
      ASSERT_TRUE(run.ok()) << run.status();
      DeviceServer server(group, **run);
      EXPECT_TRUE(server.Serve().ok());
    } else {
      RankSteering steering(group);
      auto timeline = Timeline::Create(module, {1, 2}, OneThread(), OftenSaved(), &steering);
      ASSERT_TRUE(timeline.ok()) << timeline.status();
      Debugger debugger(*std::move(timeline));
      debugger.Start();
      StopWhen at_product;
      at_product.instruction = InstructionNamed(*module, "d");
      EXPECT_EQ(debugger.RunDevice(1, at_product).reason, StopReason::kStep);
      std::thread impatient([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        debugger.timeline().RequestPause();
      });
      EXPECT_EQ(debugger.StepInto(1).reason, StopReason::kPaused);
      impatient.join();
      EXPECT_FALSE(debugger.timeline().execution(1).finished());
      // A pause that comes when the command has ended is none of the next one.
      debugger.timeline().RequestPause();
      debugger.timeline().ClearPause();
      EXPECT_EQ(debugger.Continue().reason, StopReason::kFinished);
      group.Dismiss();
    }
    EXPECT_TRUE(group.Close().ok());
  });
}

// What one process fails with ends what the others do.
TEST(RankSteeringTest, AFailureElsewhereIsSaid) {
  RunRanks(2, [&](const HloscopeTransport& transport) {
    const std::shared_ptr<const Module> module = ModuleFromText(kTalk);
    RankGroup group(transport);
    EXPECT_TRUE(group.Join({}, {0, 0, 1, 1}).ok());
    if (transport.rank == 1) {
      group.Fail(absl::InvalidArgumentError("there is no file"));
    } else {
      RankSteering steering(group);
      auto timeline = Timeline::Create(module, {2, 2}, OneThread(), {}, &steering);
      ASSERT_TRUE(timeline.ok());
      EXPECT_TRUE(GiveArguments((*timeline)->run(), *module).ok());
      EXPECT_EQ((*timeline)->Start(), StopReason::kFailed);
      EXPECT_EQ((*timeline)->status().message(), "rank 1: there is no file");
    }
    group.Close().IgnoreError();
  });
}

}  // namespace
}  // namespace hloscope::evaluator
