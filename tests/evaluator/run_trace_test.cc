// SPDX-License-Identifier: Apache-2.0
// Traces of runs: those that are longer than what is kept are whole, with short steps joined.
#include "evaluator/engine/run_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace hloscope::evaluator {
namespace {

class TraceRecorder {
 public:
  TraceRecorder(size_t max_steps, RunTrace::Beyond beyond) : trace_(max_steps, beyond) {}

  void Step(int64_t device, const std::vector<InstructionId>& callers, uint32_t instruction, int64_t nanoseconds) {
    std::vector<Frame> frames(callers.size() + 1);
    for (size_t i = 0; i < callers.size(); ++i) frames[i + 1].caller = callers[i];
    const RunTrace::Clock::time_point end = now_ + std::chrono::nanoseconds(nanoseconds);
    trace_.Record(device, frames, InstructionId(instruction), now_, end);
    now_ = end;
  }
  RunTrace& trace() { return trace_; }
  int64_t Counted() const {
    int64_t count = 0;
    for (const RunTrace::Step& step : trace_.steps()) count += step.count;
    return count;
  }
  int64_t Nanoseconds(uint32_t device) const {
    int64_t sum = 0;
    for (const RunTrace::Step& step : trace_.steps()) sum += step.device == device ? step.duration_ns : 0;
    return sum;
  }
  InstructionId InstructionOf(const RunTrace::Step& step) const { return trace_.nodes()[step.node].instruction; }

 private:
  RunTrace trace_;
  RunTrace::Clock::time_point now_ = RunTrace::Clock::now();
};

constexpr InstructionId kTracedLoop = InstructionId(7);

TEST(RunTraceTest, NodesOfCallersThatComeAndGo) {
  TraceRecorder recorder(100, RunTrace::Beyond::kLeaveOut);
  const InstructionId f(2), g(3);
  for (const std::vector<InstructionId>& callers :
       {std::vector{f}, {f, g}, {f, g}, {g}, {g, f}, {f}, {}, {f, g}, {g, f}}) {
    recorder.Step(0, callers, 5, 10);
  }
  std::vector<uint32_t> nodes;
  for (const RunTrace::Step& step : recorder.trace().steps()) {
    nodes.push_back(step.node);
  }
  EXPECT_EQ(nodes[1], nodes[2]);
  EXPECT_EQ(nodes[0], nodes[5]);
  EXPECT_EQ(nodes[1], nodes[7]);
  EXPECT_EQ(nodes[4], nodes[8]);
  std::sort(nodes.begin(), nodes.end());
  EXPECT_EQ(std::unique(nodes.begin(), nodes.end()) - nodes.begin(), 5);
  recorder.trace().Clear();
  recorder.Step(0, {f, g}, 5, 10);
  EXPECT_EQ(recorder.trace().nodes().size(), 4u);
}

TEST(RunTraceTest, StepsBeyondTheMostAreLeftOutAndCounted) {
  TraceRecorder recorder(100, RunTrace::Beyond::kLeaveOut);
  for (int i = 0; i < 250; ++i) recorder.Step(0, {}, 1, 1000);
  EXPECT_EQ(recorder.trace().steps().size(), 100u);
  EXPECT_EQ(recorder.trace().left_out(), 150);
  EXPECT_EQ(recorder.trace().joined_ns(), 0);
}

TEST(RunTraceTest, NothingIsJoinedAsLongAsThereIsRoom) {
  TraceRecorder recorder(100, RunTrace::Beyond::kJoin);
  for (int i = 0; i < 100; ++i) recorder.Step(0, {}, 1, 10);
  EXPECT_EQ(recorder.trace().steps().size(), 100u);
  EXPECT_EQ(recorder.trace().joined_ns(), 0);
}

TEST(RunTraceTest, ALongRunIsThereFromItsFirstStepToItsLast) {
  TraceRecorder recorder(1000, RunTrace::Beyond::kJoin);
  int64_t all = 0;
  for (int i = 0; i < 300'000; ++i) {
    const int64_t nanoseconds = 100 + i % 13;
    recorder.Step(0, {kTracedLoop}, 1 + static_cast<uint32_t>(i % 3), nanoseconds);
    all += nanoseconds;
  }
  recorder.Step(0, {}, 9, 5'000'000);
  all += 5'000'000;
  const RunTrace& trace = recorder.trace();
  EXPECT_LE(trace.steps().size(), 1000u);
  EXPECT_GT(trace.steps().size(), 100u);
  EXPECT_EQ(recorder.Counted(), 300'001);
  EXPECT_EQ(recorder.Nanoseconds(0), all);
  EXPECT_EQ(trace.left_out(), 0);
  EXPECT_GT(trace.joined_ns(), 0);
  // The long step at the end is a step of its own.
  EXPECT_EQ(recorder.InstructionOf(trace.steps().back()).value, 9u);
  EXPECT_EQ(trace.steps().back().count, 1);
  int64_t before = -1;
  for (const RunTrace::Step& step : trace.steps()) {
    EXPECT_GT(step.begin_ns, before);
    before = step.begin_ns;
    EXPECT_TRUE(step.count == 1 || step.duration_ns <= trace.joined_ns());
  }
}

TEST(RunTraceTest, JoinedStepsSayWhatTheyStandFor) {
  TraceRecorder recorder(2, RunTrace::Beyond::kJoin);
  // Those of one instruction stay that instruction.
  for (int i = 0; i < 2; ++i) recorder.Step(0, {kTracedLoop}, 1, 100);
  recorder.Step(0, {kTracedLoop}, 1, 100);
  ASSERT_EQ(recorder.trace().steps().size(), 1u);
  EXPECT_EQ(recorder.trace().steps()[0].count, 3);
  EXPECT_FALSE(recorder.trace().steps()[0].is_mixed);
  EXPECT_EQ(recorder.InstructionOf(recorder.trace().steps()[0]).value, 1u);
  // Several have the name of the longest one.
  recorder.Step(0, {kTracedLoop}, 2, 500);
  ASSERT_EQ(recorder.trace().steps().size(), 1u);
  EXPECT_TRUE(recorder.trace().steps()[0].is_mixed);
  EXPECT_EQ(recorder.InstructionOf(recorder.trace().steps()[0]).value, 2u);
}

TEST(RunTraceTest, StepsOfDifferentCallsAreJoinedAtTheirCaller) {
  TraceRecorder recorder(2, RunTrace::Beyond::kJoin);
  const InstructionId inner = InstructionId(8);
  recorder.Step(0, {kTracedLoop, inner}, 1, 100);
  recorder.Step(0, {kTracedLoop, inner}, 2, 100);
  recorder.Step(0, {kTracedLoop}, 3, 50);
  ASSERT_EQ(recorder.trace().steps().size(), 1u);
  const RunTrace::Step& joined = recorder.trace().steps()[0];
  EXPECT_TRUE(joined.is_mixed);
  EXPECT_EQ(recorder.InstructionOf(joined), inner);
  EXPECT_EQ(recorder.trace().nodes()[recorder.trace().nodes()[joined.node].parent].instruction, kTracedLoop);
}

TEST(RunTraceTest, DevicesThatTakeTurnsAreJoinedEachByItself) {
  TraceRecorder recorder(64, RunTrace::Beyond::kJoin);
  for (int i = 0; i < 10'000; ++i) recorder.Step(i % 2, {}, 1 + static_cast<uint32_t>(i % 2), 200);
  EXPECT_LE(recorder.trace().steps().size(), 64u);
  EXPECT_EQ(recorder.Nanoseconds(0), 5'000 * 200);
  EXPECT_EQ(recorder.Nanoseconds(1), 5'000 * 200);
  for (const RunTrace::Step& step : recorder.trace().steps()) {
    EXPECT_EQ(recorder.InstructionOf(step).value, 1 + step.device);
  }
}

TEST(RunTraceTest, ClearedTracesAreAsNew) {
  TraceRecorder recorder(4, RunTrace::Beyond::kJoin);
  for (int i = 0; i < 100; ++i) recorder.Step(0, {kTracedLoop}, 1, 100);
  recorder.trace().Clear();
  EXPECT_TRUE(recorder.trace().steps().empty());
  EXPECT_EQ(recorder.trace().joined_ns(), 0);
  EXPECT_EQ(recorder.trace().nodes().size(), 1u);
  recorder.Step(0, {kTracedLoop}, 1, 100);
  EXPECT_EQ(recorder.Counted(), 1);
}

}  // namespace
}  // namespace hloscope::evaluator
