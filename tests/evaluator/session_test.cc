// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/session.h"

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/processor_time.h"
#include "tests/support/session_test_support.h"
#include "tests/support/time_limit.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

// A loop of 5 iterations, whose steps docs/ops/control.md 7.3 counts.
constexpr absl::string_view kLoop = R"(
HloModule while_sum
body {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  acc = s32[] get-tuple-element(s), index=1
  one = s32[] constant(1)
  i2 = s32[] add(i, one)
  acc2 = s32[] add(acc, i)
  ROOT t = (s32[], s32[]) tuple(i2, acc2)
}
cond {
  s = (s32[], s32[]) parameter(0)
  i.c = s32[] get-tuple-element(s), index=0
  five = s32[] constant(5)
  ROOT lt = pred[] compare(i.c, five), direction=LT
}
ENTRY e {
  z = s32[] constant(0)
  init = (s32[], s32[]) tuple(z, z)
  ROOT w = (s32[], s32[]) while(init), condition=cond, body=body
}
)";

constexpr absl::string_view kMixed = R"(
HloModule mixed
double { x = f32[] parameter(0) ROOT y = f32[] add(x, x) }
zero { x = f32[] parameter(0) ROOT z = f32[] constant(0) }
fused { a = f32[] parameter(0) b = f32[] parameter(1) m = f32[] multiply(a, b) ROOT n = f32[] negate(m) }
wrapped { p = f32[] parameter(0) ROOT q = f32[] sine(p) }
ENTRY e {
  p0 = f32[] parameter(0)
  c = f32[] call(p0), to_apply=double
  k = s32[] parameter(1)
  b = f32[] conditional(k, c, c), branch_computations={double, zero}
  f = f32[] fusion(b, c), kind=kLoop, calls=fused
  s = ((f32[]), f32[], u32[]) async-start(f), calls=wrapped
  unneeded = f32[] negate(c)
  d = f32[] async-done(s)
  ROOT r = (f32[], f32[]) tuple(d, f)
}
)";

std::unique_ptr<Session> MixedSession(const SessionOptions& options = {}) {
  std::unique_ptr<Session> session = SessionFromText(kMixed, options);
  EXPECT_TRUE(session->SetArgument(0, ScalarValue(ElementType::kF32, 1.5f)).ok());
  EXPECT_TRUE(session->SetArgument(1, ScalarValue<int32_t>(ElementType::kS32, 0)).ok());
  return session;
}

std::string PathOf(const Session& session) { return ExecutionPath(session.module(), session.inspection().frames()); }

TEST(SessionTest, CountsStepsAsTheSpecDoes) {
  const std::unique_ptr<Session> session = SessionFromText(kLoop);
  ASSERT_EQ(session->Run(), StopReason::kFinished);
  EXPECT_EQ(session->inspection().executed_count(), 39);
  EXPECT_EQ(FirstElement<int32_t>(session->result().elements()[0]), 5);
  EXPECT_EQ(FirstElement<int32_t>(session->result().elements()[1]), 10);
}

TEST(SessionTest, KnowsWhatWasExecutedLast) {
  const std::unique_ptr<Session> session = SessionFromText(kLoop);
  const auto last = [&] {
    const InstructionId id = session->inspection().last_executed();
    return id.has_value() ? std::string(session->module().InstructionName(id)) : "";
  };
  EXPECT_EQ(last(), "");
  std::vector<std::string> seen;
  ASSERT_EQ(session->Begin(), StopReason::kStep);
  for (int step = 0; step < 9; ++step) {
    seen.push_back(last());
    ASSERT_EQ(session->StepInto(), StopReason::kStep);
  }
  // Where the loop is entered, what came before it; where an iteration begins, nothing.
  EXPECT_EQ(seen, (std::vector<std::string>{"", "init", "init", "i.c", "", "i", "acc", "i2", "acc2"}));
  // The loop is all that the entry still has to do.
  ASSERT_EQ(session->StepOut(), StopReason::kFinished);
  EXPECT_EQ(last(), "w");
}

TEST(SessionTest, StepIntoEntersConditionAndBody) {
  const std::unique_ptr<Session> session = SessionFromText(kLoop);
  std::vector<std::string> paths;
  for (int i = 0; i < 12; ++i) {
    ASSERT_EQ(session->StepInto(), StopReason::kStep);
    paths.push_back(PathOf(*session));
  }
  EXPECT_THAT(paths, testing::ElementsAre("e::w", "e::w[cond 0]/cond::i.c", "e::w[cond 0]/cond::lt",
                                          "e::w[body 0]/body::i", "e::w[body 0]/body::acc", "e::w[body 0]/body::i2",
                                          "e::w[body 0]/body::acc2", "e::w[body 0]/body::t", "e::w[cond 1]/cond::i.c",
                                          "e::w[cond 1]/cond::lt", "e::w[body 1]/body::i", "e::w[body 1]/body::acc"));
  const Value* i = session->inspection().ValueOf(1, InstructionNamed(session->module(), "i"));
  ASSERT_NE(i, nullptr);
  EXPECT_EQ(FirstElement<int32_t>(*i), 1);
  EXPECT_EQ(session->inspection().ValueOf(1, InstructionNamed(session->module(), "i2")), nullptr);
  EXPECT_EQ(session->inspection().frames().back().iteration, 1);
}

TEST(SessionTest, StepOverAndStepOut) {
  const std::unique_ptr<Session> session = SessionFromText(kLoop);
  EXPECT_EQ(session->StepOver(), StopReason::kStep);
  EXPECT_EQ(PathOf(*session), "e::w");
  EXPECT_EQ(session->StepInto(), StopReason::kStep);
  EXPECT_EQ(session->StepOver(), StopReason::kStep);
  EXPECT_EQ(session->StepOver(), StopReason::kStep);
  EXPECT_EQ(PathOf(*session), "e::w[body 0]/body::i");
  EXPECT_EQ(session->StepOut(), StopReason::kFinished);
  session->Restart();
  EXPECT_EQ(session->StepOver(), StopReason::kStep);
  EXPECT_EQ(session->StepOver(), StopReason::kFinished);
  EXPECT_EQ(session->inspection().executed_count(), 39);
  // Further commands change nothing.
  EXPECT_EQ(session->StepOver(), StopReason::kFinished);
}

TEST(SessionTest, EveryKindOfFrame) {
  const std::unique_ptr<Session> session = MixedSession();
  std::vector<std::string> paths;
  while (session->StepInto() == StopReason::kStep) paths.push_back(PathOf(*session));
  EXPECT_THAT(paths, testing::ElementsAre("e::c[call]/double::y", "e::b", "e::b[branch 0]/double::y", "e::f",
                                          "e::f[fusion]/fused::m", "e::f[fusion]/fused::n", "e::s",
                                          "e::s[async]/wrapped::q", "e::d", "e::r"));
  EXPECT_EQ(session->stop_reason(), StopReason::kFinished);
  EXPECT_FLOAT_EQ(FirstElement<float>(session->result().elements()[1]), -18.0f);
  EXPECT_FLOAT_EQ(FirstElement<float>(session->result().elements()[0]), std::sin(-18.0f));
}

TEST(SessionTest, BranchIndexOutOfRangeTakesTheLast) {
  for (const int32_t index : {-1, 1, 7}) {
    const std::unique_ptr<Session> session = MixedSession();
    ASSERT_TRUE(session->SetArgument(1, ScalarValue(ElementType::kS32, index)).ok());
    ASSERT_EQ(session->Run(), StopReason::kFinished);
    EXPECT_EQ(FirstElement<float>(session->result().elements()[1]), 0.0f) << index;
  }
}

TEST(SessionTest, DeadInstructionsRunOnRequest) {
  SessionOptions options;
  const std::unique_ptr<Session> without = MixedSession(options);
  options.run_dead_instructions = true;
  const std::unique_ptr<Session> with = MixedSession(options);
  without->Run();
  with->Run();
  EXPECT_EQ(with->inspection().executed_count(), without->inspection().executed_count() + 1);
  const InstructionId unneeded = InstructionNamed(with->module(), "unneeded");
  EXPECT_NE(with->inspection().ValueOf(0, unneeded), nullptr);
  EXPECT_EQ(without->inspection().ValueOf(0, InstructionNamed(without->module(), "unneeded")), nullptr);
}

// Any mixture of commands ends with the values and the step count of an uninterrupted run.
TEST(SessionTest, SteppingEqualsRunning) {
  for (const absl::string_view text : {kLoop, kMixed}) {
    const auto make = [&] { return text == kLoop ? SessionFromText(kLoop) : MixedSession(); };
    const std::unique_ptr<Session> run = make();
    run->set_keep_values(false);
    ASSERT_EQ(run->Run(), StopReason::kFinished);
    for (uint32_t seed = 1; seed <= 40; ++seed) {
      const std::unique_ptr<Session> stepped = make();
      stepped->set_keep_values(seed % 2 == 0);
      uint32_t state = seed;
      for (int commands = 0; !stepped->finished() && commands < 1000; ++commands) {
        state = state * 1664525 + 1013904223;
        switch ((state >> 24) % 4) {
          case 0:
            stepped->StepOver();
            break;
          case 1:
            if ((state >> 16) % 8 == 0) stepped->StepOut();
            break;
          case 2: {
            const size_t target = (state >> 8) % stepped->module().instruction_count();
            if ((state >> 16) % 8 == 0) stepped->RunTo(InstructionId(target));
            break;
          }
          default:
            stepped->StepInto();
        }
      }
      ASSERT_EQ(stepped->stop_reason(), StopReason::kFinished);
      EXPECT_TRUE(stepped->result().BitwiseEqual(run->result()));
      EXPECT_EQ(stepped->inspection().executed_count(), run->inspection().executed_count());
    }
  }
}

TEST(SessionTest, Breakpoints) {
  const std::unique_ptr<Session> session = SessionFromText(kLoop);
  const InstructionId acc2 = InstructionNamed(session->module(), "acc2");
  session->breakpoints().Add(acc2);
  session->breakpoints().Add(acc2);
  EXPECT_TRUE(session->breakpoints().Contains(acc2));
  for (int iteration = 0; iteration < 5; ++iteration) {
    ASSERT_EQ(session->Run(), StopReason::kBreakpoint);
    EXPECT_EQ(PathOf(*session), absl::StrCat("e::w[body ", iteration, "]/body::acc2"));
  }
  EXPECT_EQ(session->Run(), StopReason::kFinished);
  // Inside what a step executes whole, breakpoints still stop.
  session->Restart();
  session->StepOver();
  EXPECT_EQ(session->StepOver(), StopReason::kBreakpoint);
  session->breakpoints().Remove(acc2);
  EXPECT_TRUE(session->breakpoints().all().empty());
  EXPECT_EQ(session->Run(), StopReason::kFinished);
  // On the first step, and on a constant, which is no step: the next one stops.
  session->Restart();
  session->breakpoints().Add(InstructionNamed(session->module(), "z"));
  EXPECT_EQ(session->Run(), StopReason::kBreakpoint);
  EXPECT_EQ(PathOf(*session), "e::init");
  EXPECT_EQ(session->inspection().executed_count(), 0);
  EXPECT_EQ(session->Run(), StopReason::kFinished);
}

TEST(SessionTest, RunTo) {
  const std::unique_ptr<Session> session = SessionFromText(kLoop);
  const InstructionId init = InstructionNamed(session->module(), "init");
  EXPECT_EQ(session->RunTo(init), StopReason::kStep);
  EXPECT_EQ(session->inspection().executed_count(), 0);
  EXPECT_EQ(session->RunTo(InstructionNamed(session->module(), "t")), StopReason::kStep);
  EXPECT_EQ(PathOf(*session), "e::w[body 0]/body::t");
  EXPECT_EQ(session->RunTo(init), StopReason::kFinished);
}

TEST(SessionTest, DroppedValuesAreGone) {
  const std::unique_ptr<Session> session = SessionFromText(R"(
    ENTRY e {
      p = f32[1000] parameter(0)
      a = f32[1000] negate(p)
      b = f32[1000] add(a, a)
      ROOT c = f32[1000] multiply(b, p)
    })");
  ASSERT_TRUE(session->SetArgument(0, *Tensor::Zeros(ElementType::kF32, {1000})).ok());
  session->set_keep_values(false);
  const int64_t before = Buffer::LiveBytes();
  ASSERT_EQ(session->StepOver(), StopReason::kStep);
  EXPECT_EQ(Buffer::LiveBytes(), before + 4000);
  ASSERT_EQ(session->StepOver(), StopReason::kStep);
  EXPECT_EQ(Buffer::LiveBytes(), before + 4000);
  EXPECT_EQ(session->inspection().ValueOf(0, InstructionNamed(session->module(), "a")), nullptr);
  ASSERT_EQ(session->StepOver(), StopReason::kFinished);
  EXPECT_EQ(Buffer::LiveBytes(), before + 4000);
}

TEST(SessionTest, ArgumentsMustFit) {
  const std::unique_ptr<Session> session = MixedSession();
  const absl::Status status = session->SetArgument(0, *Tensor::Zeros(ElementType::kF32, {2}));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("f32[2]"));
  EXPECT_FALSE(session->SetArgument(2, Value::Token()).ok());
  EXPECT_FALSE(session->SetArgument(-1, Value::Token()).ok());
  const std::unique_ptr<Session> empty = SessionFromText(kMixed);
  EXPECT_EQ(empty->Run(), StopReason::kFailed);
  EXPECT_THAT(empty->status().message(), HasSubstr("parameter 0"));
}

TEST(SessionTest, ElidedConstantsStopTheRun) {
  const std::unique_ptr<Session> session = SessionFromText(R"(
    ENTRY e { weights = f32[2] constant({...}) ROOT n = f32[2] negate(weights) })");
  EXPECT_EQ(session->Run(), StopReason::kFailed);
  EXPECT_EQ(session->status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(session->status().message(), HasSubstr("weights"));
}

constexpr absl::string_view kForever = R"(
body { x = s32[] parameter(0) one = s32[] constant(1) ROOT y = s32[] add(x, one) }
cond { x = s32[] parameter(0) ROOT t = pred[] constant(true) }
ENTRY e { p = s32[] constant(0) ROOT w = s32[] while(p), condition=cond, body=body }
)";

TEST(SessionTest, StepLimit) {
  SessionOptions options;
  options.step_limit = 100;
  const std::unique_ptr<Session> session = SessionFromText(kForever, options);
  EXPECT_EQ(session->Run(), StopReason::kFailed);
  EXPECT_EQ(session->status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(session->status().message(), HasSubstr("100 steps"));
  EXPECT_EQ(session->inspection().executed_count(), 100);
  // A run of exactly as many steps is within the limit.
  options.step_limit = 39;
  EXPECT_EQ(SessionFromText(kLoop, options)->Run(), StopReason::kFinished);
}

TEST(SessionTest, LoopsWithoutStepsEnd) {
  SessionOptions options;
  options.step_limit = 100;
  const std::unique_ptr<Session> session = SessionFromText(R"(
    body { ROOT x = s32[] parameter(0) }
    cond { x = s32[] parameter(0) ROOT t = pred[] constant(true) }
    ENTRY e { p = s32[] constant(1) ROOT w = s32[] while(p), condition=cond, body=body })",
                                                           options);
  EXPECT_EQ(session->Run(), StopReason::kFailed);
  EXPECT_EQ(session->status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(session->status().message(), HasSubstr("unchanged"));
}

TEST(SessionTest, TimeLimit) {
  SessionOptions options;
  options.time_limit_seconds = 0.05;
  const std::unique_ptr<Session> session = SessionFromText(kForever, options);
  EXPECT_EQ(session->Run(), StopReason::kFailed);
  EXPECT_EQ(session->status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(SessionTest, MemoryLimit) {
  SessionOptions options;
  const int64_t limit_before = Buffer::Limit();
  options.memory_limit_bytes = Buffer::LiveBytes() + 1000000;
  const std::unique_ptr<Session> session = SessionFromText(R"(
    ENTRY e { i = f32[1000000] iota(), iota_dimension=0 ROOT n = f32[1000000] negate(i) })",
                                                           options);
  EXPECT_EQ(session->Run(), StopReason::kFailed);
  EXPECT_EQ(session->status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Buffer::Limit(), limit_before);
}

// Frames count, and those that snapshots keep.
TEST(SessionTest, MemoryLimitCountsNestedCalls) {
  std::string text = "HloModule m\nd0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n";
  constexpr int kDepth = 20000;
  for (int i = 1; i < kDepth; ++i) {
    absl::StrAppend(&text, "d", i, " { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=d", i - 1, " }\n");
  }
  absl::StrAppend(&text, "ENTRY e { c = f32[] constant(1) ROOT r = f32[] call(c), to_apply=d", kDepth - 1, " }\n");
  const int64_t before = Buffer::LiveBytes();
  for (const int64_t limit : {int64_t{2} << 20, int64_t{0}}) {
    SessionOptions options;
    options.memory_limit_bytes = limit == 0 ? 0 : before + limit;
    const std::unique_ptr<Session> session = SessionFromText(text, options);
    if (limit > 0) {
      EXPECT_EQ(session->Run(), StopReason::kFailed);
      EXPECT_EQ(session->status().code(), absl::StatusCode::kResourceExhausted) << session->status().message();
      EXPECT_LE(Buffer::LiveBytes(), before + limit);
      continue;
    }
    StopWhen deep;
    deep.position = kDepth;
    ASSERT_EQ(session->RunUntil(deep), StopReason::kStep) << session->status().message();
    const int64_t frames = Buffer::LiveBytes() - before;
    EXPECT_GT(frames, kDepth * 200);
    {
      const auto snapshot = session->time_travel().Save();
      EXPECT_GT(Buffer::LiveBytes() - before, frames + kDepth * 100);
      session->time_travel().Restore(*snapshot);
    }
    EXPECT_NEAR(static_cast<double>(Buffer::LiveBytes() - before), static_cast<double>(frames), 2e6);
    EXPECT_EQ(session->Run(), StopReason::kFinished);
  }
  EXPECT_EQ(Buffer::LiveBytes(), before);
}

TEST(SessionTest, CancelFromAnotherThread) {
  const std::unique_ptr<Session> session = SessionFromText(kForever);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    session->Cancel();
  });
  EXPECT_EQ(session->Run(), StopReason::kFailed);
  EXPECT_EQ(session->status().code(), absl::StatusCode::kCancelled);
  other.join();
}

TEST(SessionTest, PauseAndContinue) {
  SessionOptions options;
  options.step_limit = 300000;
  const std::unique_ptr<Session> session = SessionFromText(kForever, options);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    session->RequestPause();
  });
  EXPECT_EQ(session->Run(), StopReason::kPaused);
  other.join();
  const int64_t count = session->inspection().executed_count();
  EXPECT_EQ(session->StepInto(), StopReason::kStep);
  EXPECT_EQ(session->inspection().executed_count(), count + 1);
  EXPECT_EQ(session->Run(), StopReason::kFailed);  // the step limit
}

// Frames are data: 20000 nested calls do not overflow the C++ stack.
TEST(SessionTest, DeepNestingOfCalls) {
  constexpr int kDepth = 20000;
  std::string text = "call_0 { x = s32[] parameter(0) one = s32[] constant(1) ROOT y = s32[] add(x, one) }\n";
  for (int i = 1; i <= kDepth; ++i) {
    absl::StrAppend(&text, "call_", i, " { x = s32[] parameter(0) ROOT y = s32[] call(x), to_apply=call_", i - 1,
                    " }\n");
  }
  absl::StrAppend(&text, "ENTRY e { p = s32[] constant(1) ROOT y = s32[] call(p), to_apply=call_", kDepth, " }\n");
  const std::unique_ptr<Session> session = SessionFromText(text);
  ASSERT_NE(session, nullptr);
  EXPECT_EQ(session->Run(), StopReason::kFinished) << session->status().message();
  EXPECT_EQ(FirstElement<int32_t>(session->result()), 2);
}

TEST(SessionTest, ReportsWhereNonFiniteValuesAreMade) {
  constexpr absl::string_view kText = R"(
    ENTRY e {
      low = f32[2] constant({-inf, 1})
      kept = f32[2] negate(low)
      difference = f32[2] subtract(low, low)
      ROOT sum = f32[2] add(difference, kept)
    })";
  SessionOptions options;
  options.find_non_finite = true;
  std::unique_ptr<Session> session = SessionFromText(kText, options);
  EXPECT_EQ(session->Run(), StopReason::kFinished);
  ASSERT_TRUE(session->inspection().non_finite().has_value());
  EXPECT_EQ(session->module().InstructionName(session->inspection().non_finite()->instruction), "difference");
  EXPECT_TRUE(session->inspection().non_finite()->is_nan);
  EXPECT_EQ(session->inspection().non_finite()->path, "e::difference");
  options.stop_at_non_finite = true;
  session = SessionFromText(kText, options);
  EXPECT_EQ(session->Run(), StopReason::kFailed);
  EXPECT_EQ(session->module().InstructionName(session->inspection().frames().back().current), "difference");
}

TEST(SessionTest, Statistics) {
  SessionOptions options;
  options.collect_statistics = true;
  const std::unique_ptr<Session> session = SessionFromText(kLoop, options);
  session->Run();
  const InstructionStatistics& adds =
      session->inspection().statistics()[InstructionNamed(session->module(), "acc2").index()];
  EXPECT_EQ(adds.runs, 5);
  EXPECT_EQ(adds.output_bytes, 20);
  EXPECT_EQ(session->inspection().statistics()[InstructionNamed(session->module(), "w").index()].runs, 1);
}

TEST(SessionTest, RandomStateIsSharedAndRestarts) {
  const std::unique_ptr<Session> session = SessionFromText(R"(
    ENTRY e {
      a = u64[2] rng-get-and-update-state(), delta=6
      b = u64[2] rng-get-and-update-state(), delta=4, control-predecessors={a}
      ROOT t = (u64[2], u64[2]) tuple(a, b)
    })");
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(session->Run(), StopReason::kFinished);
    EXPECT_EQ(FirstElement<uint64_t>(session->result().elements()[0]), 117515157u);
    EXPECT_EQ(FirstElement<uint64_t>(session->result().elements()[1]), 117515163u);
    session->Restart();
  }
}

TEST(SessionTest, LateBoundAsyncChains) {
  const std::unique_ptr<Session> session = SessionFromText(R"(
    w { a = s32[] parameter(0) b = s32[] parameter(1) ROOT d = s32[] subtract(a, b) }
    ENTRY e {
      p = s32[] parameter(0)
      q = s32[] parameter(1)
      s = ((s32[]), (), s32[]) async-start(p), calls=w
      u = ((s32[], s32[]), s32[], s32[]) async-update(s, q)
      ROOT d = s32[] async-done(u)
    })");
  ASSERT_NE(session, nullptr);
  ASSERT_TRUE(session->SetArgument(0, ScalarValue<int32_t>(ElementType::kS32, 30)).ok());
  ASSERT_TRUE(session->SetArgument(1, ScalarValue<int32_t>(ElementType::kS32, 12)).ok());
  EXPECT_EQ(session->Run(), StopReason::kFinished) << session->status().message();
  EXPECT_EQ(FirstElement<int32_t>(session->result()), 18);
}

// A step costs its kernel and at most 20 microseconds (without a sanitizer).
TEST(SessionTest, CostOfAStep) {
  SessionOptions options;
  options.step_limit = 200000;
  const std::unique_ptr<Session> session = SessionFromText(kForever, options);
  session->set_keep_values(false);
  const double start = ProcessorSeconds();
  session->Run();
  const double seconds = ProcessorSeconds() - start;
  const double microseconds = seconds / static_cast<double>(session->inspection().executed_count()) * 1e6;
  std::printf("a step of a scalar loop: %.2f microseconds\n", microseconds);
  EXPECT_LT(microseconds, TimeLimit(20));
}

}  // namespace
}  // namespace hloscope::evaluator
