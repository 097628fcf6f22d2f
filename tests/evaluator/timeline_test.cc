// SPDX-License-Identifier: Apache-2.0
// Going back and forth in runs: whatever the way to a position, everything there is the same.
#include "evaluator/debugger/timeline.h"

#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/engine/run_progress.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

constexpr absl::string_view kNested = R"(
inner.body { s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[4] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[4] sine(x)
  ROOT t = (s32[], f32[4]) tuple(j, y) }
inner.cond { s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT c = pred[] compare(i, n), direction=LT }
outer.body { s = (s32[], f32[4]) parameter(0)
  i.o = s32[] get-tuple-element(s), index=0
  x.o = f32[4] get-tuple-element(s), index=1
  zero = s32[] constant(0)
  init = (s32[], f32[4]) tuple(zero, x.o)
  w = (s32[], f32[4]) while(init), condition=inner.cond, body=inner.body
  z = f32[4] get-tuple-element(w), index=1
  u = f32[4] add(z, x.o)
  one.o = s32[] constant(1)
  j.o = s32[] add(i.o, one.o)
  ROOT t.o = (s32[], f32[4]) tuple(j.o, u) }
outer.cond { s = (s32[], f32[4]) parameter(0)
  i.c = s32[] get-tuple-element(s), index=0
  n.c = s32[] constant(4)
  ROOT c.c = pred[] compare(i.c, n.c), direction=LT }
ENTRY e { p = f32[4] parameter(0)
  k = s32[] constant(0)
  init.e = (s32[], f32[4]) tuple(k, p)
  loop = (s32[], f32[4]) while(init.e), condition=outer.cond, body=outer.body
  r = f32[4] get-tuple-element(loop), index=1
  ROOT q = f32[4] negate(r) }
)";

// Random numbers, infeed and outfeed: what pure instructions are not.
constexpr absl::string_view kEffects = R"(
ENTRY e {
  p = f32[4] parameter(0)
  t = token[] after-all()
  a = f32[] constant(0)
  b = f32[] constant(1)
  r1 = f32[4] rng(a, b), distribution=rng_uniform
  i1 = (f32[4], token[]) infeed(t)
  d1 = f32[4] get-tuple-element(i1), index=0
  k1 = token[] get-tuple-element(i1), index=1
  g1 = u64[2] rng-get-and-update-state(), delta=3
  i2 = (f32[4], token[]) infeed(k1)
  d2 = f32[4] get-tuple-element(i2), index=0
  k2 = token[] get-tuple-element(i2), index=1
  o1 = token[] outfeed(d2, k2), outfeed_shape=f32[4]
  r2 = f32[4] rng(a, b), distribution=rng_uniform
  g2 = u64[2] rng-get-and-update-state(), delta=5
  x = f32[4] add(r1, d1)
  y = f32[4] add(r2, d2)
  ROOT z = (f32[4], f32[4], u64[2], u64[2], f32[4]) tuple(x, y, g1, g2, p)
}
)";

constexpr absl::string_view kDevices = R"(HloModule m, replica_count=3
sum { a = f32[4] parameter(0) b = f32[4] parameter(1) ROOT c = f32[4] add(a, b) }
scalar { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e {
  p = f32[4] parameter(0)
  r = u32[] replica-id()
  f = f32[] convert(r)
  bf = f32[4] broadcast(f), dimensions={}
  x = f32[4] add(p, bf)
  a1 = f32[4] all-reduce(x), replica_groups={{0,1,2}}, to_apply=scalar
  y = f32[4] multiply(a1, bf)
  c1 = f32[4] call(y, a1), to_apply=sum
  perm = f32[4] collective-permute(c1), source_target_pairs={{0,1},{1,2},{2,0}}
  a2 = f32[4] all-reduce(perm), replica_groups={{0,1,2}}, to_apply=scalar
  ROOT z = f32[4] subtract(a2, c1)
}
)";

Value Vector(float first) {
  return *Tensor::FromValues<float>(ElementType::kF32, {4}, {first, first + 1, first + 2, first + 3});
}

std::unique_ptr<Timeline> TimelineFromText(absl::string_view text, DeviceGrid grid = {},
                                           const TimelineOptions& options = {}) {
  absl::StatusOr<std::unique_ptr<Timeline>> timeline =
      Timeline::Create(ModuleFromText(text), grid, SessionOptions(), options);
  EXPECT_TRUE(timeline.ok()) << timeline.status().message();
  for (int64_t f = 0; f < grid.device_count(); ++f) {
    EXPECT_TRUE((*timeline)->run().device(f).SetArgument(0, Vector(0.5f + static_cast<float>(f))).ok());
    (*timeline)->run().host(f).set_infeed(
        [](int64_t item, const Shape&) -> absl::StatusOr<Value> { return Vector(static_cast<float>(10 * item)); });
  }
  return *std::move(timeline);
}

// Everything that can be seen of a value.
std::string Text(const Value& value) {
  std::string text;
  value.ForEachTensor([&](const Tensor& tensor) {
    const Tensor dense = *tensor.Contiguous();
    absl::StrAppend(&text, tensor.shape().ToString(), ":");
    for (int64_t i = 0; i < dense.byte_size(); ++i) absl::StrAppend(&text, absl::Hex(dense.data()[i]), " ");
  });
  return text;
}

// Where every device is and all values that its frames can show.
std::string Picture(Timeline& timeline) {
  std::string text;
  for (int64_t f = 0; f < timeline.device_count(); ++f) {
    const Inspection& inspection = timeline.inspection(f);
    absl::StrAppend(&text, ExecutionPath(timeline.module(), inspection.frames()), "\n");
    for (size_t i = 0; i < inspection.frames().size(); ++i) {
      for (InstructionId id : timeline.module().computation(inspection.frames()[i].computation).instructions) {
        const absl::StatusOr<Value> value = timeline.ValueOf(f, i, id);
        absl::StrAppend(&text, timeline.module().InstructionName(id), " = ",
                        value.ok() ? Text(*value) : std::string(value.status().message()), "\n");
      }
    }
    if (timeline.execution(f).finished()) absl::StrAppend(&text, "result ", Text(timeline.execution(f).result()), "\n");
    absl::StrAppend(&text, "outfeeds ", timeline.run().host(f).outfeed().size(), "\n");
  }
  return text;
}

struct TimelineCase {
  const char* name;
  absl::string_view text;
  DeviceGrid grid;
};

class TimelineTest : public ::testing::TestWithParam<TimelineCase> {};

TEST_P(TimelineTest, SteppingEqualsRunning) {
  const std::unique_ptr<Timeline> whole = TimelineFromText(GetParam().text, GetParam().grid);
  whole->Start();
  ASSERT_EQ(whole->RunAll(), StopReason::kFinished) << whole->status().message();
  const std::unique_ptr<Timeline> stepped = TimelineFromText(GetParam().text, GetParam().grid);
  stepped->Start();
  for (int64_t f = 0; f < stepped->device_count(); ++f) {
    for (StopReason reason = StopReason::kStep; reason != StopReason::kFinished;) {
      reason = stepped->StepInto(f);
      ASSERT_TRUE(reason == StopReason::kStep || reason == StopReason::kFinished) << stepped->status().message();
    }
  }
  EXPECT_EQ(stepped->position(), whole->position());
  for (int64_t f = 0; f < whole->device_count(); ++f) {
    EXPECT_EQ(Text(stepped->execution(f).result()), Text(whole->execution(f).result()));
  }
}

// Forward step by step with a picture of each position; then to random positions, which must look the same again.
TEST_P(TimelineTest, EveryPositionLooksAsTheFirstTime) {
  for (const double snapshot_seconds : {1e9, 0.0}) {
    TimelineOptions options;
    options.snapshot_seconds = snapshot_seconds;
    const std::unique_ptr<Timeline> timeline = TimelineFromText(GetParam().text, GetParam().grid, options);
    timeline->Start();
    std::mt19937 random(7);
    std::vector<std::string> pictures = {Picture(*timeline)};
    const auto step = [&]() {
      for (int attempt = 0; attempt < 100; ++attempt) {
        const int64_t f = static_cast<int64_t>(random()) % timeline->device_count();
        if (timeline->execution(f).finished()) continue;
        timeline->set_together(false);
        const int64_t before = timeline->position();
        const StopReason reason = timeline->StepInto(f);
        EXPECT_NE(reason, StopReason::kFailed) << timeline->status().message();
        if (timeline->position() > before) return true;
      }
      return false;
    };
    while (step()) pictures.push_back(Picture(*timeline));
    ASSERT_EQ(static_cast<int64_t>(pictures.size()), timeline->position() + 1);
    for (int round = 0; round < 40; ++round) {
      const int64_t target = static_cast<int64_t>(random()) % (timeline->position() + 1);
      // What happens on several devices after going back may differ; it must be the same where only one goes on.
      ASSERT_TRUE(timeline->GoTo(target).ok());
      ASSERT_EQ(timeline->position(), target);
      if (timeline->device_count() > 1) {
        EXPECT_EQ(Picture(*timeline), pictures[static_cast<size_t>(target)]);
        pictures.resize(static_cast<size_t>(target) + 1);
        while (step()) pictures.push_back(Picture(*timeline));
        continue;
      }
      EXPECT_EQ(Picture(*timeline), pictures[static_cast<size_t>(target)]) << "position " << target;
      for (uint32_t steps = random() % 20; steps > 0 && !timeline->execution(0).finished(); --steps) {
        timeline->StepInto(0);
        EXPECT_EQ(Picture(*timeline), pictures[static_cast<size_t>(timeline->position())]);
      }
      if (round % 8 == 0) {
        ASSERT_EQ(timeline->RunAll(), StopReason::kFinished);
        EXPECT_EQ(Picture(*timeline), pictures.back());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, TimelineTest,
                         ::testing::Values(TimelineCase{"Nested", kNested, {}}, TimelineCase{"Effects", kEffects, {}},
                                           TimelineCase{"Devices", kDevices, {3, 1}}),
                         [](const auto& info) { return std::string(info.param.name); });

std::string PathOf(Timeline& timeline) { return ExecutionPath(timeline.module(), timeline.inspection(0).frames()); }

TEST(TimelineStepTest, StepBackEntersFinishedIterations) {
  const std::unique_ptr<Timeline> timeline = TimelineFromText(kNested);
  timeline->Start();
  ASSERT_EQ(timeline->RunAll(), StopReason::kFinished);
  EXPECT_TRUE(*timeline->StepBack(0, true));
  EXPECT_EQ(PathOf(*timeline), "e::q");
  EXPECT_TRUE(*timeline->StepBack(0, true));
  EXPECT_EQ(PathOf(*timeline), "e::r");
  EXPECT_TRUE(*timeline->StepBack(0, false));
  EXPECT_EQ(PathOf(*timeline), "e::loop[cond 4]/outer.cond::c.c");
  EXPECT_TRUE(*timeline->StepBackOut(0));
  EXPECT_EQ(PathOf(*timeline), "e::loop");
  EXPECT_TRUE(*timeline->StepBack(0, true));
  EXPECT_EQ(PathOf(*timeline), "e::init.e");
  EXPECT_EQ(timeline->position(), 0);
  EXPECT_FALSE(*timeline->StepBack(0, true));
  EXPECT_FALSE(*timeline->StepBack(0, false));
}

// However many steps are undone at once, and however much of the history was given up: the same place as one by one.
TEST(TimelineStepTest, ManyStepsBackLeadWhereSingleOnesDo) {
  for (const double snapshot_seconds : {1e9, 0.0}) {
    for (const int64_t history_bytes : {int64_t{1}, int64_t{1} << 30}) {
      TimelineOptions options;
      options.snapshot_seconds = snapshot_seconds;
      options.history_bytes = history_bytes;
      for (const bool over : {true, false}) {
        const std::unique_ptr<Timeline> one_by_one = TimelineFromText(kNested, {}, options);
        one_by_one->Start();
        ASSERT_EQ(one_by_one->RunAll(), StopReason::kFinished);
        // From inside the inner loop.
        ASSERT_TRUE(one_by_one->GoTo(one_by_one->position() - 20).ok());
        const int64_t here = one_by_one->position();
        for (int64_t count = 1; *one_by_one->StepBack(0, over); ++count) {
          const std::unique_ptr<Timeline> at_once = TimelineFromText(kNested, {}, options);
          at_once->Start();
          ASSERT_EQ(at_once->RunAll(), StopReason::kFinished);
          ASSERT_TRUE(at_once->GoTo(here).ok());
          ASSERT_TRUE(*at_once->StepBack(0, over, count));
          ASSERT_EQ(at_once->position(), one_by_one->position()) << count;
          ASSERT_EQ(Picture(*at_once), Picture(*one_by_one)) << count;
        }
        EXPECT_EQ(one_by_one->position(), 0);
      }
    }
  }
}

// Snapshots that were given up are taken again on the way to a place.
TEST(TimelineStepTest, APlaceThatWasGoneBackToHasASnapshotNearby) {
  TimelineOptions options;
  options.snapshot_seconds = 0;
  options.history_bytes = 1;
  const std::unique_ptr<Timeline> timeline = TimelineFromText(kNested, {}, options);
  timeline->Start();
  ASSERT_EQ(timeline->RunAll(), StopReason::kFinished);
  const int64_t end = timeline->position();
  std::vector<std::string> pictures;
  for (int64_t position = end / 2; position > end / 2 - 10; --position) {
    ASSERT_TRUE(timeline->GoTo(position).ok());
    EXPECT_EQ(timeline->position(), position);
    EXPECT_EQ(timeline->snapshot_count(), 3U);  // the beginning, and the two steps before this one
    pictures.push_back(Picture(*timeline));
  }
  for (int64_t position = end / 2 - 9; position <= end / 2; ++position) {
    ASSERT_TRUE(timeline->GoTo(position).ok());
    EXPECT_EQ(Picture(*timeline), pictures[static_cast<size_t>(end / 2 - position)]);
  }
}

// As in training: arrays that are made one after the other and needed again in the reverse order.
std::string ForwardsAndBack(int layers) {
  std::string text = "ENTRY e {\n  p = f32[4] parameter(0)\n  x0 = f32[16384] iota(), iota_dimension=0\n";
  for (int i = 1; i <= layers; ++i) absl::StrAppend(&text, "  x", i, " = f32[16384] sine(x", i - 1, ")\n");
  absl::StrAppend(&text, "  y", layers, " = f32[16384] cosine(x", layers, ")\n");
  for (int i = layers - 1; i >= 0; --i) {
    absl::StrAppend(&text, "  y", i, " = f32[16384] subtract(y", i + 1, ", x", i, ")\n");
  }
  absl::StrAppend(&text, "  ROOT r = (f32[4], f32[16384]) tuple(p, y0)\n}\n");
  return text;
}

// Whatever may be kept: a way back repeats the run at most once, and the next one a few steps.
TEST(TimelineStepTest, AWayBackRepeatsTheRunOnceAndTheNextOneAFewSteps) {
  const std::string text = ForwardsAndBack(200);
  for (const int64_t arrays : {1, 4, 40, 10000}) {
    int64_t looks = 0;
    TimelineOptions options;
    options.history_bytes = arrays * 65536;
    options.snapshot_seconds = 0.02;
    options.clock = [&looks] { return 0.001 * static_cast<double>(++looks); };
    const std::unique_ptr<Timeline> timeline = TimelineFromText(text, {}, options);
    timeline->Start();
    ASSERT_EQ(timeline->RunAll(), StopReason::kFinished);
    const int64_t end = timeline->position();
    for (const int64_t position : {end - 1, end - 57, end / 2 + 90, end / 2, end / 2 - 3, end / 2 - 90, int64_t{30}}) {
      int64_t before = timeline->repeated_steps();
      ASSERT_TRUE(timeline->GoTo(position).ok());
      EXPECT_LE(timeline->repeated_steps() - before, position) << arrays;
      before = timeline->repeated_steps();
      for (int i = 1; i <= 10; ++i) ASSERT_TRUE(*timeline->StepBack(0, false));
      EXPECT_EQ(timeline->position(), position - 10);
      // Snapshots lie 20 looks at the clock apart.
      EXPECT_LE(timeline->repeated_steps() - before, 10 * 20) << arrays << " arrays, at " << position;
    }
    if (arrays == 10000) {
      EXPECT_GE(timeline->snapshot_count(), 20U);
    }
  }
}

// What keeps much is given up before what shares with others what it keeps.
TEST(TimelineStepTest, SnapshotsThatKeepMuchAreGivenUpFirst) {
  int64_t looks = 0;
  TimelineOptions options;
  options.history_bytes = 8 * 65536;
  options.snapshot_seconds = 0.002;
  options.clock = [&looks] { return 0.001 * static_cast<double>(++looks); };
  const std::unique_ptr<Timeline> timeline = TimelineFromText(ForwardsAndBack(30), {}, options);
  timeline->Start();
  ASSERT_EQ(timeline->RunAll(), StopReason::kFinished);
  // The first arrays are all that the end of the run can keep beside its own.
  const int64_t before = timeline->repeated_steps();
  ASSERT_TRUE(timeline->GoTo(7).ok());
  EXPECT_LE(timeline->repeated_steps() - before, 3);
}

TEST(TimelineStepTest, ReverseContinueFindsTheLatestBreakpoint) {
  for (const double snapshot_seconds : {1e9, 0.0}) {
    TimelineOptions options;
    options.snapshot_seconds = snapshot_seconds;
    const std::unique_ptr<Timeline> timeline = TimelineFromText(kNested, {}, options);
    timeline->Start();
    ASSERT_EQ(timeline->RunAll(), StopReason::kFinished);
    timeline->breakpoints(0).Set({InstructionNamed(timeline->module(), "y")});
    const auto breakpoint = [](int64_t, StopReason reason) { return reason == StopReason::kBreakpoint; };
    for (int outer = 3; outer >= 0; --outer) {
      for (int inner = 2; inner >= 0; --inner) {
        ASSERT_TRUE(*timeline->GoBack(false, breakpoint));
        EXPECT_EQ(PathOf(*timeline),
                  absl::StrCat("e::loop[body ", outer, "]/outer.body::w[body ", inner, "]/inner.body::y"));
      }
    }
    EXPECT_FALSE(*timeline->GoBack(false, breakpoint));
  }
}

TEST(TimelineStepTest, ReplacedValuesStayWhenThePastIsRepeated) {
  const std::unique_ptr<Timeline> timeline = TimelineFromText(kNested);
  timeline->Start();
  timeline->StepInto(0);
  timeline->StepInto(0);
  ASSERT_TRUE(timeline->GoTo(1).ok());
  ASSERT_EQ(PathOf(*timeline), "e::loop");
  EXPECT_THAT(timeline->SetValue(0, 0, InstructionNamed(timeline->module(), "r"), Vector(0)).message(),
              HasSubstr("not been executed yet"));
  EXPECT_THAT(timeline->SetValue(0, 0, InstructionNamed(timeline->module(), "init.e"), Vector(0)).message(),
              HasSubstr("has shape (s32[], f32[4])"));
  const Value changed = Value::Tuple({ScalarValue<int32_t>(ElementType::kS32, 3), Vector(9)});
  ASSERT_TRUE(timeline->SetValue(0, 0, InstructionNamed(timeline->module(), "init.e"), changed).ok());
  ASSERT_EQ(timeline->RunAll(), StopReason::kFinished);
  const std::string result = Text(timeline->execution(0).result());
  ASSERT_TRUE(*timeline->StepBack(0, true));
  ASSERT_EQ(timeline->RunAll(), StopReason::kFinished);
  EXPECT_EQ(Text(timeline->execution(0).result()), result);
  // One iteration only: the loop began at 3.
  timeline->GoTo(1).IgnoreError();
  ASSERT_TRUE(timeline->Skip(0, changed).ok());
  EXPECT_EQ(PathOf(*timeline), "e::r");
  ASSERT_EQ(timeline->RunAll(), StopReason::kFinished);
  EXPECT_EQ(FirstElement<float>(timeline->execution(0).result()), -9.0f);
  ASSERT_TRUE(*timeline->StepBack(0, true));
  EXPECT_EQ(FirstElement<float>(*timeline->ValueOf(0, 0, InstructionNamed(timeline->module(), "r"))), 9.0f);
}

// A device that waits is stepped alone, or drags the others along.
TEST(TimelineStepTest, OneDeviceWaitsOrAllGoOn) {
  const std::unique_ptr<Timeline> timeline = TimelineFromText(kDevices, {3, 1});
  timeline->Start();
  timeline->set_together(false);
  StopReason reason;
  while ((reason = timeline->StepOver(0)) == StopReason::kStep) {
  }
  EXPECT_EQ(reason, StopReason::kBlocked);
  EXPECT_EQ(PathOf(*timeline), "e::a1");
  ASSERT_TRUE(timeline->run().waiting(0).has_value());
  EXPECT_THAT(timeline->run().waiting(0)->missing, testing::ElementsAre(1, 2));
  EXPECT_EQ(timeline->execution(1).position(), 0);
  timeline->set_together(true);
  EXPECT_EQ(timeline->StepOver(0), StopReason::kStep);
  EXPECT_EQ(PathOf(*timeline), "e::y");
  EXPECT_GT(timeline->execution(1).position(), 0);
  // Back to before the others came along, and once more.
  EXPECT_TRUE(*timeline->StepBack(0, true));
  EXPECT_EQ(PathOf(*timeline), "e::a1");
  EXPECT_EQ(timeline->StepOver(0), StopReason::kStep);
  EXPECT_EQ(PathOf(*timeline), "e::y");
  EXPECT_EQ(timeline->RunAll(), StopReason::kFinished);
}

// Chained arrays of 4 MB: the history must give way, the run must not fail, and the past can still be seen.
TEST(TimelineStepTest, HistoryGivesWayToTheRun) {
  std::string text = "ENTRY e {\n  p = f32[4] parameter(0)\n  x0 = f32[1048576] iota(), iota_dimension=0\n";
  for (int i = 1; i <= 40; ++i) {
    absl::StrAppend(&text, "  x", i, " = f32[1048576] sine(x", i - 1, ")\n");
  }
  absl::StrAppend(&text, "  ROOT r = (f32[4], f32[1048576]) tuple(p, x40)\n}\n");
  for (const int64_t history_bytes : {int64_t{0}, int64_t{20} << 20}) {
    TimelineOptions options;
    options.history_bytes = history_bytes;
    options.snapshot_seconds = 0;
    SessionOptions session_options;
    session_options.memory_limit_bytes = int64_t{40} << 20;
    absl::StatusOr<std::unique_ptr<Timeline>> created =
        Timeline::Create(ModuleFromText(text), {}, session_options, options);
    Timeline& timeline = **created;
    ASSERT_TRUE(timeline.run().device(0).SetArgument(0, Vector(0)).ok());
    timeline.Start();
    ASSERT_EQ(timeline.RunAll(), StopReason::kFinished) << timeline.status().message();
    EXPECT_LE(timeline.history_bytes(), int64_t{40} << 20);
    const absl::StatusOr<Value> early = timeline.ValueOf(0, 0, InstructionNamed(timeline.module(), "x1"));
    ASSERT_TRUE(early.ok()) << early.status().message();
    EXPECT_NEAR(early->tensor().data_as<float>()[2], 0.909297f, 1e-5);
    ASSERT_TRUE(timeline.GoTo(3).ok());
    EXPECT_EQ(PathOf(timeline), "e::x3");
  }
}

// Arrays of 4 MB and sums of them: what later steps need is small, what a run that keeps all values keeps is not.
class KeptValuesTest : public ::testing::Test {
 protected:
  static constexpr int kArrays = 20;
  static constexpr int64_t kLimit = int64_t{30} << 20;

  // With snapshots after each fourth step, where no array is needed any more; or without.
  static std::unique_ptr<Timeline> Started(int64_t limit, bool with_snapshots = true) {
    std::string text = "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\nENTRY e {\n";
    absl::StrAppend(&text, "  p = f32[4] parameter(0)\n  zero = f32[] constant(0)\n  r0 = f32[] constant(0.25)\n");
    absl::StrAppend(&text, "  base = f32[1048576] iota(), iota_dimension=0\n");
    for (int i = 1; i <= kArrays; ++i) {
      absl::StrAppend(&text, "  b", i, " = f32[1048576] broadcast(r", i - 1, "), dimensions={}\n  x", i,
                      " = f32[1048576] multiply(base, b", i, ")\n  y", i, " = f32[] reduce(x", i,
                      ", zero), dimensions={0}, to_apply=sum\n  r", i, " = f32[] sine(y", i, ")\n");
    }
    absl::StrAppend(&text, "  ROOT r = (f32[4], f32[]) tuple(p, r", kArrays, ")\n}\n");
    SessionOptions session_options;
    // What others hold counts, too.
    session_options.memory_limit_bytes = limit > 0 ? Buffer::LiveBytes() + limit : 0;
    TimelineOptions options;
    options.snapshot_seconds = with_snapshots ? 1 : 1e9;
    const auto timed = std::make_shared<const Timeline*>(nullptr);
    options.clock = [timed] { return *timed == nullptr ? 0 : static_cast<double>(((*timed)->position() - 1) / 4); };
    absl::StatusOr<std::unique_ptr<Timeline>> created =
        Timeline::Create(ModuleFromText(text), {}, session_options, options);
    EXPECT_TRUE(created.ok()) << created.status().message();
    EXPECT_TRUE((*created)->run().device(0).SetArgument(0, Vector(0)).ok());
    *timed = created->get();
    (*created)->set_keep_values(true);
    EXPECT_NE((*created)->Start(), StopReason::kFailed) << (*created)->status().message();
    return *std::move(created);
  }
  static InstructionId Named(const Timeline& timeline, const std::string& name) {
    return InstructionNamed(timeline.module(), name);
  }
  static int64_t HeldArrays(const Timeline& timeline) {
    int64_t held = 0;
    for (int i = 1; i <= kArrays; ++i) {
      const Value* value = timeline.inspection(0).ValueOf(0, Named(timeline, absl::StrCat("x", i)));
      held += value != nullptr ? 1 : 0;
    }
    return held;
  }
};

TEST_F(KeptValuesTest, AreDroppedBeforeTheHistoryWhereMemoryIsShort) {
  const std::unique_ptr<Timeline> plenty = Started(0);
  ASSERT_EQ(plenty->RunAll(), StopReason::kFinished);
  EXPECT_TRUE(plenty->keeps_values());
  EXPECT_EQ(HeldArrays(*plenty), kArrays);
  const std::unique_ptr<Timeline> tight = Started(kLimit);
  while (tight->keeps_values()) ASSERT_EQ(tight->StepInto(0), StopReason::kStep) << tight->status().message();
  EXPECT_GT(tight->position(), 4 * 5);
  EXPECT_LE(HeldArrays(*tight), 1);
  // What was kept for going back did not have to give way.
  EXPECT_GE(static_cast<int64_t>(tight->snapshot_count()), (tight->position() - 1) / 4 + 1);
  const int64_t repeated = tight->repeated_steps();
  EXPECT_TRUE(tight->ValueOf(0, 0, Named(*tight, "x5")).ok());
  EXPECT_LE(tight->repeated_steps() - repeated, 4);
  ASSERT_EQ(tight->RunAll(), StopReason::kFinished) << tight->status().message();
  EXPECT_EQ(HeldArrays(*tight), 0);
  EXPECT_EQ(Text(tight->execution(0).result()), Text(plenty->execution(0).result()));
  for (int i = 1; i <= kArrays; ++i) {
    const InstructionId id = Named(*tight, absl::StrCat("x", i));
    EXPECT_TRUE(tight->WasExecuted(0, 0, id));
    const absl::StatusOr<Value> value = tight->ValueOf(0, 0, id);
    ASSERT_TRUE(value.ok()) << value.status().message();
    const Tensor& expected = plenty->inspection(0).ValueOf(0, id)->tensor();
    ASSERT_EQ(value->tensor().shape(), expected.shape());
    EXPECT_EQ(std::memcmp(value->tensor().data(), expected.data(), static_cast<size_t>(expected.byte_size())), 0);
  }
}

TEST_F(KeptValuesTest, StayDroppedOnTheWayBackUntilTheRunBeginsAgain) {
  const std::unique_ptr<Timeline> plenty = Started(0);
  plenty->RunAll();
  const std::unique_ptr<Timeline> tight = Started(kLimit);
  ASSERT_EQ(tight->RunAll(), StopReason::kFinished);
  for (const char* path : {"e::r", "e::r20", "e::y20", "e::x20"}) {
    ASSERT_TRUE(*tight->StepBack(0, /*over=*/true));
    EXPECT_EQ(PathOf(*tight), path);
  }
  ASSERT_TRUE(tight->GoTo(5).ok());
  EXPECT_FALSE(tight->keeps_values());
  EXPECT_FALSE(tight->WasExecuted(0, 0, Named(*tight, "x20")));
  ASSERT_EQ(tight->RunAll(), StopReason::kFinished) << tight->status().message();
  EXPECT_EQ(Text(tight->execution(0).result()), Text(plenty->execution(0).result()));
  tight->Restart();
  EXPECT_TRUE(tight->keeps_values());
  for (int i = 0; i < 13; ++i) ASSERT_EQ(tight->StepInto(0), StopReason::kStep);
  EXPECT_EQ(HeldArrays(*tight), 3);
}

// Memory that is just enough for what the run holds is too short for repeating it beside that.
TEST_F(KeptValuesTest, GiveWayToRepeatingTheRun) {
  const auto nearly_full = [] {
    std::unique_ptr<Timeline> timeline = Started(kLimit, /*with_snapshots=*/false);
    StopWhen when;
    when.position = timeline->position() + 4 * 6;
    EXPECT_EQ(timeline->RunDevice(0, when), StopReason::kStep) << timeline->status().message();
    EXPECT_TRUE(timeline->keeps_values());
    return timeline;
  };
  std::unique_ptr<Timeline> timeline = nearly_full();
  ASSERT_TRUE(timeline->GoTo(15).ok());
  EXPECT_FALSE(timeline->keeps_values());
  timeline.reset();
  timeline = nearly_full();
  const std::string path = PathOf(*timeline);
  const absl::StatusOr<bool> back = timeline->StepBack(0, /*over=*/true);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(PathOf(*timeline), "e::y6");
  EXPECT_FALSE(timeline->keeps_values());
  timeline.reset();
  timeline = nearly_full();
  struct Counter final : ExecutionObserver {
    void OnOpen(absl::Span<const Frame>, absl::Span<const Value>) override {}
    bool OnComplete(absl::Span<const Frame>, InstructionId, const Value&) override {
      ++steps;
      return false;
    }
    int64_t steps = 0;
  };
  Counter counter;
  int asked = 0;
  const absl::Status repeated = timeline->Repeat([&](int64_t) -> ExecutionObserver* {
    ++asked;
    counter.steps = 0;
    return &counter;
  });
  ASSERT_TRUE(repeated.ok()) << repeated.message();
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(counter.steps, timeline->position());
  EXPECT_EQ(PathOf(*timeline), path);
}

// Without what is kept for inspection, as in the terminal: of the history, no more goes than has to.
TEST(TimelineStepTest, HalfOfTheHistoryGivesWayBeforeTheRest) {
  std::string text = "ENTRY e {\n  p = f32[4] parameter(0)\n  x0 = f32[262144] iota(), iota_dimension=0\n";
  for (int i = 1; i <= 40; ++i) absl::StrAppend(&text, "  x", i, " = f32[262144] sine(x", i - 1, ")\n");
  absl::StrAppend(&text, "  ROOT r = (f32[4], f32[262144]) tuple(p, x40)\n}\n");
  SessionOptions session_options;
  session_options.memory_limit_bytes = int64_t{24} << 20;
  TimelineOptions options;
  options.history_bytes = int64_t{100} << 20;
  options.snapshot_seconds = 0;
  absl::StatusOr<std::unique_ptr<Timeline>> created =
      Timeline::Create(ModuleFromText(text), {}, session_options, options);
  Timeline& timeline = **created;
  ASSERT_TRUE(timeline.run().device(0).SetArgument(0, Vector(0)).ok());
  timeline.Start();
  for (int i = 0; i < 41; ++i) {
    ASSERT_EQ(timeline.StepInto(0), StopReason::kStep) << timeline.status().message();
    if (i <= 24) continue;
    EXPECT_GT(timeline.snapshot_count(), 8U) << i;
  }
}

// What snapshots share with the place where the run is costs nothing, so that many of them fit beside each other.
TEST(TimelineStepTest, ValuesThatTheRunHasAnywayDoNotCountAsHistory) {
  std::string text = "ENTRY e {\n  p = f32[4] parameter(0)\n  x0 = f32[262144] iota(), iota_dimension=0\n", all = "x0";
  std::string shapes = "f32[262144]";
  for (int i = 1; i <= 40; ++i) {
    absl::StrAppend(&text, "  x", i, " = f32[262144] sine(x", i - 1, ")\n");
    absl::StrAppend(&all, ", x", i);
    absl::StrAppend(&shapes, ", f32[262144]");
  }
  absl::StrAppend(&text, "  ROOT r = (", shapes, ") tuple(", all, ")\n}\n");
  TimelineOptions options;
  options.history_bytes = int64_t{4} << 20;
  options.snapshot_seconds = 0;
  const std::unique_ptr<Timeline> timeline = TimelineFromText(text, {}, options);
  timeline->Start();
  // The tuple at the end needs all of them, so that the latest place has them all. Alone, 4 fit into the history.
  for (int i = 0; i < 36; ++i) ASSERT_EQ(timeline->StepInto(0), StopReason::kStep);
  EXPECT_GT(timeline->snapshot_count(), 30U);
}

TEST(TimelineStepTest, DeepPathsAreShortAndFramesCountAsHistory) {
  std::string text = "deep0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n";
  for (int i = 1; i < 300; ++i) {
    absl::StrAppend(&text, "deep", i, " { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=deep", i - 1, " }\n");
  }
  absl::StrAppend(&text, "ENTRY e { q = f32[4] parameter(0) p = f32[] constant(3) ROOT r = f32[] call(p), ",
                  "to_apply=deep299 }\n");
  TimelineOptions options;
  options.history_bytes = 100000;
  options.snapshot_seconds = 0;
  const std::unique_ptr<Timeline> timeline = TimelineFromText(text, {}, options);
  timeline->Start();
  while (timeline->inspection(0).frames().size() < 264) timeline->StepInto(0);
  EXPECT_THAT(PathOf(*timeline), testing::HasSubstr("/[200 more]/"));
  // A snapshot has hundreds of frames: a few of them fit, and not one for each of the steps.
  EXPECT_LT(timeline->snapshot_count(), 40U);
}

TEST(TimelineStepTest, AFailedStepCanBeLeftBehind) {
  const std::unique_ptr<Timeline> timeline = TimelineFromText(kEffects);
  timeline->run().host(0).set_infeed([](int64_t item, const Shape&) -> absl::StatusOr<Value> {
    if (item == 0) return Vector(1);
    return absl::OutOfRangeError("no more items");
  });
  timeline->Start();
  ASSERT_EQ(timeline->RunAll(), StopReason::kFailed);
  EXPECT_THAT(timeline->status().message(), HasSubstr("no more items"));
  EXPECT_EQ(PathOf(*timeline), "e::i2");
  EXPECT_TRUE(timeline->ValueOf(0, 0, InstructionNamed(timeline->module(), "r1")).ok());
  EXPECT_EQ(PathOf(*timeline), "e::i2");
  EXPECT_EQ(timeline->StepOver(0), StopReason::kFailed);
  EXPECT_TRUE(*timeline->StepBack(0, true));
  EXPECT_EQ(timeline->StepOver(0), StopReason::kStep);
  EXPECT_EQ(PathOf(*timeline), "e::i2");
}

TEST(TimelineStepTest, PastValuesOfFinishedFrames) {
  const std::unique_ptr<Timeline> timeline = TimelineFromText(kNested);
  timeline->Start();
  ASSERT_EQ(timeline->RunAll(), StopReason::kFinished);
  // Serial 0 is the entry, then cond 0, body 0 of the outer loop, inside it cond, body, cond, body ...
  const InstructionId y = InstructionNamed(timeline->module(), "y");
  const absl::StatusOr<Value> first = timeline->PastValue({0, 4}, y);
  ASSERT_TRUE(first.ok()) << first.status().message();
  EXPECT_NEAR(FirstElement<float>(*first), std::sin(0.5f), 1e-6);
  EXPECT_TRUE(absl::IsNotFound(timeline->PastValue({0, 3}, y).status()));
  EXPECT_TRUE(absl::IsNotFound(timeline->PastValue({0, 400}, y).status()));
  EXPECT_EQ(timeline->GoTo(100000).code(), absl::StatusCode::kOutOfRange);
}

// A run that was taken back goes forwards again through what it knows.
TEST(TimelineRedoTest, WhatIsKnownIsNotDoneAgain) {
  const std::shared_ptr<const Module> module = ModuleFromText(kNested);
  RunProgress progress(*module);
  SessionOptions options;
  options.progress = &progress;
  TimelineOptions timeline_options;
  timeline_options.snapshot_seconds = 0;
  const std::unique_ptr<Timeline> timeline = *Timeline::Create(module, {}, options, timeline_options);
  ASSERT_TRUE(timeline->run().device(0).SetArgument(0, Vector(0.5f)).ok());
  timeline->Start();
  std::vector<std::string> pictures = {Picture(*timeline)};
  while (timeline->StepInto(0) == StopReason::kStep) pictures.push_back(Picture(*timeline));
  pictures.push_back(Picture(*timeline));
  const int64_t end = timeline->position();
  ASSERT_EQ(static_cast<size_t>(end) + 1, pictures.size());
  std::mt19937 random(11);
  for (int i = 0; i < 60; ++i) {
    const int64_t position = static_cast<int64_t>(random() % pictures.size());
    ASSERT_TRUE(timeline->GoTo(position).ok());
    ASSERT_EQ(Picture(*timeline), pictures[static_cast<size_t>(position)]) << position;
    // Single steps in the known part, and after it.
    for (int k = 0; k < 3 && !timeline->execution(0).finished(); ++k) {
      timeline->StepInto(0);
      ASSERT_EQ(Picture(*timeline), pictures[static_cast<size_t>(timeline->position())]);
    }
  }
  const auto steps_of = [&](auto&& move) {
    const int64_t before = progress.steps.load();
    move();
    return progress.steps.load() - before;
  };
  ASSERT_TRUE(timeline->GoTo(0).ok());
  EXPECT_LE(steps_of([&] { EXPECT_EQ(timeline->RunAll(), StopReason::kFinished); }), 1);
  EXPECT_EQ(Picture(*timeline), pictures.back());
  // Over the whole loop, and out of its fourth iteration.
  ASSERT_TRUE(timeline->GoTo(1).ok());
  EXPECT_LE(steps_of([&] { EXPECT_EQ(timeline->StepOver(0), StopReason::kStep); }), 20);
  EXPECT_EQ(PathOf(*timeline), "e::r");
  ASSERT_TRUE(timeline->GoTo(10).ok());
  EXPECT_LE(steps_of([&] { EXPECT_EQ(timeline->StepOut(0), StopReason::kStep); }), 40);
  EXPECT_EQ(Picture(*timeline), pictures[static_cast<size_t>(timeline->position())]);
  // Something else happens from here on: the rest is not known any more.
  ASSERT_TRUE(timeline->GoTo(1).ok());
  ASSERT_TRUE(timeline->SetValue(0, 0, InstructionNamed(*module, "p"), Vector(9)).ok());
  EXPECT_EQ(timeline->GoTo(end).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(timeline->RunAll(), StopReason::kFinished);
  EXPECT_EQ(timeline->position(), end);
}

// A select-and-scatter: the comparisons of each window that covers the element, then the sources that came to it.
TEST(TimelineElementTest, SelectAndScatterIsEnteredAtAnElement) {
  const std::unique_ptr<Timeline> timeline = TimelineFromText(R"(
    sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
    ge { x = f32[] parameter(0) y = f32[] parameter(1) ROOT g = pred[] compare(x, y), direction=GE }
    ENTRY e { unused = f32[4] parameter(0)
      p = f32[5] constant({1, 7, 2, 3, 4})
      s = f32[3] constant({10, 20, 30})
      z = f32[] constant(100)
      ROOT r = f32[5] select-and-scatter(p, s, z), window={size=3}, select=ge, scatter=sum })");
  timeline->Start();
  const auto value = [&](const char* name) {
    const size_t frame = timeline->inspection(0).frames().size() - 1;
    return FirstElement<float>(*timeline->ValueOf(0, frame, InstructionNamed(timeline->module(), name)));
  };
  // Element 1 is covered by the windows of sources 0 and 1, and selected by both.
  ASSERT_TRUE(timeline->EnterElement(0, {1}).ok());
  struct Application {
    const char* path;
    float a, b;
  };
  const Application expected[] = {{"e::r[apply 0]/ge::g", 1, 7},     {"e::r[apply 1]/ge::g", 7, 2},
                                  {"e::r[apply 2]/sum::c", 100, 10}, {"e::r[apply 3]/ge::g", 7, 2},
                                  {"e::r[apply 4]/ge::g", 7, 3},     {"e::r[apply 5]/sum::c", 110, 20}};
  for (const Application& application : expected) {
    EXPECT_EQ(PathOf(*timeline), application.path);
    const bool sums = timeline->inspection(0).frames().back().current == InstructionNamed(timeline->module(), "c");
    EXPECT_EQ(value(sums ? "a" : "x"), application.a) << application.path;
    EXPECT_EQ(value(sums ? "b" : "y"), application.b) << application.path;
    timeline->StepInto(0);
  }
  EXPECT_TRUE(timeline->execution(0).finished());
  EXPECT_EQ(Text(timeline->execution(0).result()),
            "f32[5]:0 0 c8 42 0 0 2 43 0 0 c8 42 0 0 c8 42 0 0 2 43 ");  // 100 130 100 100 130
  // Element 0 is compared and loses; nothing comes to it.
  ASSERT_TRUE(timeline->GoTo(0).ok());
  ASSERT_TRUE(timeline->EnterElement(0, {0}).ok());
  timeline->StepInto(0);
  timeline->StepInto(0);
  EXPECT_TRUE(timeline->execution(0).finished());
}

// Entering the computation of a reduction at an element: one frame for each application, then the instruction itself.
TEST(TimelineElementTest, AppliedComputationsAreEnteredAtAnElement) {
  const std::unique_ptr<Timeline> timeline = TimelineFromText(R"(
    sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
    twice { a = f32[] parameter(0) ROOT d = f32[] add(a, a) }
    less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT l = pred[] compare(a, b), direction=LT }
    ENTRY e { p = f32[4] parameter(0)
      z = f32[] constant(0)
      m = f32[4] map(p), dimensions={0}, to_apply=twice
      w = f32[2] reduce-window(m, z), window={size=2 stride=2}, to_apply=sum
      i = s32[2] constant({1,1})
      k = f32[2] scatter(w, i, w), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum
      o = f32[2] sort(k), dimensions={0}, to_apply=less
      ROOT r = f32[] reduce(o, z), dimensions={0}, to_apply=sum })");
  timeline->Start();
  const auto value = [&](const char* name) {
    const size_t frame = timeline->inspection(0).frames().size() - 1;
    return FirstElement<float>(*timeline->ValueOf(0, frame, InstructionNamed(timeline->module(), name)));
  };
  EXPECT_EQ(timeline->EnterElement(0, {4}).code(), absl::StatusCode::kInvalidArgument);
  ASSERT_TRUE(timeline->EnterElement(0, {3}).ok());
  EXPECT_EQ(PathOf(*timeline), "e::m[apply 0]/twice::d");
  EXPECT_EQ(timeline->StepInto(0), StopReason::kStep);
  EXPECT_EQ(PathOf(*timeline), "e::w");
  ASSERT_TRUE(timeline->EnterElement(0, {1}).ok());
  EXPECT_EQ(PathOf(*timeline), "e::w[apply 0]/sum::c");
  EXPECT_EQ(value("a"), 0);
  timeline->StepInto(0);
  EXPECT_EQ(PathOf(*timeline), "e::w[apply 1]/sum::c");
  EXPECT_EQ(value("a"), 5);  // 2 * 2.5
  // Going back and on again passes through the same applications.
  ASSERT_TRUE(*timeline->StepBack(0, false));
  EXPECT_EQ(PathOf(*timeline), "e::w[apply 0]/sum::c");
  ASSERT_TRUE(*timeline->StepBack(0, false));
  EXPECT_EQ(PathOf(*timeline), "e::w");
  ASSERT_TRUE(timeline->EnterElement(0, {1}).ok());
  EXPECT_EQ(timeline->StepOut(0), StopReason::kStep);
  EXPECT_EQ(PathOf(*timeline), "e::k");
  EXPECT_TRUE(absl::IsFailedPrecondition(timeline->EnterElement(0, {0})));
  ASSERT_TRUE(timeline->EnterElement(0, {1}).ok());
  EXPECT_EQ(value("a"), 12);  // the operand's element
  EXPECT_EQ(timeline->StepOut(0), StopReason::kStep);
  ASSERT_TRUE(timeline->EnterElement(0, {0}).ok());
  EXPECT_EQ(PathOf(*timeline), "e::o[apply 0]/less::l");
  EXPECT_EQ(timeline->StepOut(0), StopReason::kStep);
  EXPECT_EQ(timeline->RunAll(), StopReason::kFinished);
  const std::string result = Text(timeline->execution(0).result());
  ASSERT_TRUE(timeline->GoTo(1).ok());
  EXPECT_EQ(timeline->RunAll(), StopReason::kFinished);
  EXPECT_EQ(Text(timeline->execution(0).result()), result);
}

}  // namespace
}  // namespace hloscope::evaluator
