// SPDX-License-Identifier: Apache-2.0
// Runs that nobody watches: elementwise instructions are executed together, loops over scalars without frames, memory
// is reused. Results, counts and positions are those of a run that is watched.
#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/session_test_support.h"
#include "tests/support/time_limit.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Session> SessionOn(const std::shared_ptr<const Module>& module, bool watched,
                                   const SessionOptions& options = {}) {
  std::unique_ptr<Session> session = *Session::Create(module, options);
  session->set_keep_values(watched);
  const auto& parameters = module->computation(module->entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const int64_t number = static_cast<int64_t>(k);
    EXPECT_TRUE(
        session->SetArgument(number, *FillValue(module->shape(parameters[k]), FillKind::kRandom, 7, number)).ok());
  }
  return session;
}

// A random graph of elementwise instructions of two types among views, broadcasts, calls and reductions.
std::string RandomGraph(uint32_t seed) {
  std::mt19937 random(seed);
  const auto pick = [&](size_t count) { return static_cast<size_t>(random() % count); };
  std::string text =
      "HloModule m\nplus { x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT s = f32[] add(x, y) }\n"
      "largest { x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT m = f32[] maximum(x, y) }\n"
      "relu { x = f32[6,40] parameter(0)\n z = f32[] constant(0)\n b = f32[6,40] broadcast(z), dimensions={}\n"
      " ROOT m = f32[6,40] maximum(x, b) }\nENTRY e {\n"
      " f.0 = f32[6,40] parameter(0)\n t = f32[40,6] parameter(1)\n f.1 = f32[6,40] transpose(t), dimensions={1,0}\n"
      " row = f32[40] parameter(2)\n f.2 = f32[6,40] broadcast(row), dimensions={1}\n column = f32[6] parameter(3)\n"
      " f.3 = f32[6,40] broadcast(column), dimensions={0}\n one = f32[] constant(1)\n"
      " f.4 = f32[6,40] broadcast(one), dimensions={}\n zero = f32[] constant(0)\n"
      " h.0 = bf16[6,40] convert(f.0)\n";
  std::vector<std::string> floats = {"f.0", "f.1", "f.2", "f.3", "f.4"}, halves = {"h.0"};
  for (int i = 10; i < 40; ++i) {
    const std::string a = floats[pick(floats.size())], b = floats[pick(floats.size())];
    const std::string f = absl::StrCat("f.", i), h = absl::StrCat("h.", i);
    switch (pick(10)) {
      case 0:
        absl::StrAppend(&text, " ", h, " = bf16[6,40] convert(", a, ")\n");
        halves.push_back(h);
        break;
      case 1:
        absl::StrAppend(&text, " ", f, " = f32[6,40] convert(", halves[pick(halves.size())], ")\n");
        floats.push_back(f);
        break;
      case 2:
        absl::StrAppend(&text, " p.", i, " = pred[6,40] compare(", a, ", ", b, "), direction=LT\n ", f,
                        " = f32[6,40] select(p.", i, ", ", b, ", ", a, ")\n");
        floats.push_back(f);
        break;
      case 3:
        absl::StrAppend(&text, " ", f, " = f32[6,40] call(", a, "), to_apply=relu\n");
        floats.push_back(f);
        break;
      case 4:
        absl::StrAppend(&text, " v.", i, " = f32[240] reshape(", a, ")\n ", f, " = f32[6,40] reshape(v.", i, ")\n");
        floats.push_back(f);
        break;
      case 5:
        absl::StrAppend(&text, " r.", i, " = f32[6] reduce(", a, ", zero), dimensions={1}, to_apply=plus\n ", f,
                        " = f32[6,40] broadcast(r.", i, "), dimensions={0}\n");
        floats.push_back(f);
        break;
      case 6: {  // widened for the reduction alone
        const bool rows = pick(2) == 0;
        absl::StrAppend(&text, " w.", i, " = f32[6,40] convert(", halves[pick(halves.size())], ")\n r.", i, " = f32[",
                        rows ? 6 : 40, "] reduce(w.", i, ", zero), dimensions={", rows ? 1 : 0,
                        "}, to_apply=", pick(2) == 0 ? "plus" : "largest", "\n ", f, " = f32[6,40] broadcast(r.", i,
                        "), dimensions={", rows ? 0 : 1, "}\n");
        floats.push_back(f);
        break;
      }
      default:
        absl::StrAppend(&text, " ", f, " = f32[6,40] ", pick(2) == 0 ? "add" : "multiply", "(", a, ", ", b, ")\n");
        floats.push_back(f);
        break;
    }
  }
  return absl::StrCat(text, " ROOT r = (f32[6,40], f32[6,40], bf16[6,40]) tuple(", floats.back(), ", ",
                      floats[pick(floats.size())], ", ", halves.back(), ")\n}\n");
}

TEST(UnwatchedRunTest, RandomGraphsGiveTheSameResultsAndCounts) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const std::shared_ptr<const Module> module = ModuleFromText(RandomGraph(seed));
    ASSERT_NE(module, nullptr) << seed;
    const std::unique_ptr<Session> watched = SessionOn(module, true), unwatched = SessionOn(module, false);
    ASSERT_EQ(watched->Run(), StopReason::kFinished) << watched->status();
    ASSERT_EQ(unwatched->Run(), StopReason::kFinished) << unwatched->status();
    EXPECT_TRUE(watched->result().BitwiseEqual(unwatched->result())) << seed;
    EXPECT_EQ(watched->inspection().executed_count(), unwatched->inspection().executed_count()) << seed;
    EXPECT_EQ(watched->position(), unwatched->position()) << seed;
    // Arguments and constants are as they were.
    unwatched->Restart();
    ASSERT_EQ(unwatched->Run(), StopReason::kFinished);
    EXPECT_TRUE(watched->result().BitwiseEqual(unwatched->result())) << seed;
  }
}

TEST(UnwatchedRunTest, CanBePausedAndSteppedAnywhere) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    const std::shared_ptr<const Module> module = ModuleFromText(RandomGraph(seed));
    ASSERT_NE(module, nullptr);
    const std::unique_ptr<Session> watched = SessionOn(module, true), paused = SessionOn(module, false);
    ASSERT_EQ(watched->Run(), StopReason::kFinished);
    for (int command = 0; !paused->finished(); ++command) {
      if (command % 3 == 2) {
        paused->StepInto();
        continue;
      }
      paused->RequestPause();  // one instruction, then the pause
      const StopReason reason = paused->Run();
      ASSERT_TRUE(reason == StopReason::kPaused || reason == StopReason::kFinished) << paused->status();
    }
    EXPECT_TRUE(watched->result().BitwiseEqual(paused->result())) << seed;
    EXPECT_EQ(watched->inspection().executed_count(), paused->inspection().executed_count());
  }
}

std::string Loop(int64_t count, absl::string_view next) {
  return absl::Substitute(R"(HloModule loop
cond { p = (s32[], f32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant($0)
  ROOT r = pred[] compare(i, n), direction=LT }
body { p = (s32[], f32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[] get-tuple-element(p), index=1
  y = f32[] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  half = f32[] constant(0.5)
  h = f32[] multiply(x, half)
  z = f32[] add(h, y)
  ROOT t = (s32[], f32[], f32[]) tuple($1, y, z) }
ENTRY e { zero = s32[] constant(0)
  one = f32[] constant(1)
  two = f32[] constant(2)
  init = (s32[], f32[], f32[]) tuple(zero, one, two)
  ROOT w = (s32[], f32[], f32[]) while(init), condition=cond, body=body }
)",
                          count, next);
}

TEST(UnwatchedRunTest, LoopsOverScalarsGiveTheSameResultsAndCounts) {
  for (int64_t count : {0, 1, 2, 1023, 1024, 1025, 3000}) {
    const std::shared_ptr<const Module> module = ModuleFromText(Loop(count, "j"));
    ASSERT_NE(module, nullptr);
    const std::unique_ptr<Session> watched = SessionOn(module, true), unwatched = SessionOn(module, false);
    ASSERT_EQ(watched->Run(), StopReason::kFinished);
    ASSERT_EQ(unwatched->Run(), StopReason::kFinished);
    EXPECT_TRUE(watched->result().BitwiseEqual(unwatched->result())) << count;
    EXPECT_EQ(watched->inspection().executed_count(), unwatched->inspection().executed_count()) << count;
    EXPECT_EQ(watched->position(), unwatched->position()) << count;
  }
}

// Whatever the unwatched session still has must be what the other has there.
void ExpectSameState(const Session& watched, const Session& unwatched) {
  const Module& module = watched.module();
  ASSERT_EQ(watched.position(), unwatched.position());
  ASSERT_EQ(watched.inspection().executed_count(), unwatched.inspection().executed_count());
  ASSERT_EQ(ExecutionPath(module, watched.inspection().frames()),
            ExecutionPath(module, unwatched.inspection().frames()));
  for (size_t f = 0; f < watched.inspection().frames().size(); ++f) {
    ASSERT_EQ(watched.inspection().frames()[f].serial, unwatched.inspection().frames()[f].serial);
    for (InstructionId id : module.computation(watched.inspection().frames()[f].computation).instructions) {
      const Value* const value = unwatched.inspection().ValueOf(f, id);
      if (value == nullptr) continue;
      const Value* const expected = watched.inspection().ValueOf(f, id);
      ASSERT_NE(expected, nullptr) << module.InstructionName(id);
      ASSERT_TRUE(value->BitwiseEqual(*expected)) << module.InstructionName(id);
    }
  }
}

// Runs both sessions to the same positions.
void ExpectSameAtPositions(Session& watched, Session& unwatched, uint32_t seed, int64_t longest) {
  std::mt19937 random(seed);
  while (!watched.finished()) {
    StopWhen when;
    when.position = unwatched.position() + 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(longest));
    const StopReason reason = watched.RunUntil(when);
    ASSERT_EQ(unwatched.RunUntil(when), reason) << unwatched.status();
    ExpectSameState(watched, unwatched);
    if (testing::Test::HasFatalFailure()) return;
    // A single step in between.
    if (random() % 4 == 0 && !watched.finished()) {
      ASSERT_EQ(watched.StepInto(), unwatched.StepInto());
    }
  }
  EXPECT_TRUE(watched.result().BitwiseEqual(unwatched.result()));
}

TEST(UnwatchedRunTest, StopsAtPositionsAsAWatchedRunDoes) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const std::shared_ptr<const Module> module = ModuleFromText(RandomGraph(seed));
    ASSERT_NE(module, nullptr) << seed;
    const std::unique_ptr<Session> watched = SessionOn(module, true), unwatched = SessionOn(module, false);
    ExpectSameAtPositions(*watched, *unwatched, seed, 12);
    if (HasFatalFailure()) FAIL() << seed;
  }
}

TEST(UnwatchedRunTest, LoopsOverScalarsStopAtPositionsAsWatchedOnesDo) {
  for (int64_t count : {0, 1, 7, 1300}) {
    const std::shared_ptr<const Module> module = ModuleFromText(Loop(count, "j"));
    ASSERT_NE(module, nullptr);
    const std::unique_ptr<Session> watched = SessionOn(module, true), unwatched = SessionOn(module, false);
    ExpectSameAtPositions(*watched, *unwatched, 1, count > 100 ? 2000 : 9);
    if (HasFatalFailure()) FAIL() << count;
  }
}

// In pieces it takes no longer than as a whole: the iterations after a stop need no frames either.
TEST(UnwatchedRunTest, LoopsOverScalarsGoOnQuicklyBehindAStop) {
  const std::shared_ptr<const Module> module = ModuleFromText(Loop(3000000, "j"));
  ASSERT_NE(module, nullptr);
  const std::unique_ptr<Session> whole = SessionOn(module, false), pieces = SessionOn(module, false);
  ASSERT_EQ(whole->Run(), StopReason::kFinished);
  const auto begin = std::chrono::steady_clock::now();
  StopWhen when;
  do {
    when.position = pieces->position() + 60000;
  } while (pieces->RunUntil(when) == StopReason::kStep);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  ASSERT_TRUE(pieces->finished());
  EXPECT_TRUE(pieces->result().BitwiseEqual(whole->result()));
  EXPECT_EQ(pieces->position(), whole->position());
  // With frames it would be tens of seconds.
  EXPECT_LT(seconds.count(), TimeLimit(4));
}

InstructionId AnyInstruction(const Module& module, std::mt19937& random) {
  return InstructionId(static_cast<uint32_t>(random() % module.instruction_count()));
}

// The same commands for both, one after the other, with some breakpoints.
void ExpectSameStops(const std::shared_ptr<const Module>& module, uint32_t seed) {
  const std::unique_ptr<Session> watched = SessionOn(module, true), unwatched = SessionOn(module, false);
  std::mt19937 random(seed);
  int commands = 0;
  while (!watched->finished() && ++commands < 3000) {
    if (random() % 4 == 0) {
      std::vector<InstructionId> breakpoints;
      for (uint32_t k = random() % 4; k > 0; --k) breakpoints.push_back(AnyInstruction(*module, random));
      watched->breakpoints().Set(breakpoints);
      unwatched->breakpoints().Set(breakpoints);
    }
    const InstructionId target = AnyInstruction(*module, random);
    const uint32_t command = random() % 8;
    const size_t frames = watched->inspection().frames().size();
    const auto go_on = [&](Session& session) {
      return command == 0   ? session.StepInto()
             : command == 1 ? session.StepOver()
             : command == 2 ? session.StepOut()
             : command == 3 ? session.RunTo(target)
             : command == 4 ? session.RunUntil({.instruction = target})
             : command == 5 ? session.RunUntil({.frames = frames})
             : command == 6 ? session.RunUntil({.frames = std::max<size_t>(frames, 1) - 1})
                            : session.Run();
    };
    const StopReason reason = go_on(*watched);
    ASSERT_EQ(go_on(*unwatched), reason) << "command " << command << unwatched->status();
    ExpectSameState(*watched, *unwatched);
    if (testing::Test::HasFatalFailure()) return;
  }
  ASSERT_EQ(watched->finished(), unwatched->finished());
  EXPECT_TRUE(!watched->finished() || watched->result().BitwiseEqual(unwatched->result()));
}

TEST(UnwatchedRunTest, StopsAtBreakpointsAndStepsAsAWatchedRunDoes) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const std::shared_ptr<const Module> module = ModuleFromText(RandomGraph(seed));
    ASSERT_NE(module, nullptr) << seed;
    ExpectSameStops(module, seed);
    if (HasFatalFailure()) FAIL() << seed;
  }
}

// Loops in a call and in another loop, beside one that nothing stops in.
constexpr char kNestedLoops[] = R"(HloModule nested
less { p = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(9)
  ROOT r = pred[] compare(i, n), direction=LT }
inner { p = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[] multiply(x, x)
  ROOT t = (s32[], f32[]) tuple(j, y) }
outer { p = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[] get-tuple-element(p), index=1
  zero = s32[] constant(0)
  s = (s32[], f32[]) tuple(zero, x)
  w = (s32[], f32[]) while(s), condition=less, body=inner
  y = f32[] get-tuple-element(w), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT t = (s32[], f32[]) tuple(j, y) }
called { x = f32[] parameter(0)
  zero = s32[] constant(0)
  s = (s32[], f32[]) tuple(zero, x)
  w = (s32[], f32[]) while(s), condition=less, body=inner
  ROOT y = f32[] get-tuple-element(w), index=1 }
never { x = f32[] parameter(0)
  ROOT y = f32[] negate(x) }
always { x = f32[] parameter(0)
  ROOT y = f32[] cosine(x) }
ENTRY e { x = f32[] parameter(0)
  c = f32[] call(x), to_apply=called
  zero = s32[] constant(0)
  s = (s32[], f32[]) tuple(zero, c)
  w = (s32[], f32[]) while(s), condition=less, body=outer
  y = f32[] get-tuple-element(w), index=1
  no = pred[] constant(false)
  ROOT z = f32[] conditional(no, y, y), true_computation=never, false_computation=always }
)";

TEST(UnwatchedRunTest, LoopsOverScalarsStopAtBreakpointsAsWatchedOnesDo) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    ExpectSameStops(ModuleFromText(kNestedLoops), seed);
    ExpectSameStops(ModuleFromText(Loop(30, "j")), seed);
    if (HasFatalFailure()) FAIL() << seed;
  }
}

// Where nothing stops, a run with breakpoints is as quick as one without, and so are steps over and out.
TEST(UnwatchedRunTest, BreakpointsInColdPlacesCostNothing) {
  const std::shared_ptr<const Module> module = ModuleFromText(Loop(3000000, "j"));
  ASSERT_NE(module, nullptr);
  const InstructionId root = module->computation(module->entry()).root;
  const std::unique_ptr<Session> session = SessionOn(module, false);
  session->breakpoints().Add(root);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(session->Run(), StopReason::kBreakpoint);
  EXPECT_EQ(session->inspection().frames().back().current, root);
  ASSERT_EQ(session->Run(), StopReason::kFinished);
  session->Restart();
  ASSERT_EQ(session->Run(), StopReason::kBreakpoint);
  ASSERT_EQ(session->StepOver(), StopReason::kFinished);
  session->Restart();
  ASSERT_EQ(session->Run(), StopReason::kBreakpoint);
  ASSERT_EQ(session->StepInto(), StopReason::kStep);
  ASSERT_EQ(session->StepOut(), StopReason::kFinished);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  // With frames each of them would be about ten seconds.
  EXPECT_LT(seconds.count(), TimeLimit(4));
}

TEST(UnwatchedRunTest, ALoopThatChangesNothingIsFound) {
  std::string text = Loop(10, "i");
  text =
      absl::StrCat(text.substr(0, text.find("tuple(i, y, z)")), "tuple(i, x, y) }\n", text.substr(text.find("ENTRY")));
  const std::shared_ptr<const Module> module = ModuleFromText(text);
  ASSERT_NE(module, nullptr);
  const std::unique_ptr<Session> session = SessionOn(module, false);
  ASSERT_EQ(session->Run(), StopReason::kFailed);
  EXPECT_TRUE(absl::IsResourceExhausted(session->status()));
  EXPECT_THAT(session->status().message(), HasSubstr("the loop never ends"));
}

double SecondsUntilStopped(Session& session, double before) {
  std::chrono::steady_clock::time_point asked;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(before));
    asked = std::chrono::steady_clock::now();
    session.Cancel();
  });
  EXPECT_EQ(session.Run(), StopReason::kFailed);
  const auto stopped = std::chrono::steady_clock::now();
  other.join();
  EXPECT_TRUE(absl::IsCancelled(session.status())) << session.status();
  return std::chrono::duration<double>(stopped - asked).count();
}

// The promise is a tenth of a second; a machine that is busy with other tests may take longer to give a thread its
// turn.
constexpr double kPatience = TimeLimit(0.5);

TEST(UnwatchedRunTest, LoopsOverScalarsCanBePausedAndCancelled) {
  const std::shared_ptr<const Module> module = ModuleFromText(Loop(2000000000, "j"));
  ASSERT_NE(module, nullptr);
  const std::unique_ptr<Session> session = SessionOn(module, false);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    session->RequestPause();
  });
  ASSERT_EQ(session->Run(), StopReason::kPaused);
  other.join();
  ASSERT_EQ(session->inspection().frames().size(), 2u);
  EXPECT_EQ(session->inspection().frames()[1].kind, FrameKind::kCondition);
  EXPECT_GT(session->inspection().frames()[1].iteration, 0);
  EXPECT_EQ(session->StepInto(), StopReason::kStep);  // on with frames
  EXPECT_LT(SecondsUntilStopped(*session, 0.02), kPatience);
}

TEST(UnwatchedRunTest, LargeKernelsCanBeCancelled) {
  for (const absl::string_view entry :
       {"a = f32[8000,8000] parameter(0)\n ROOT r = f32[8000,8000] dot(a, a), lhs_contracting_dims={1}, "
        "rhs_contracting_dims={0}\n",
        "a = f32[1,512,512,32] parameter(0)\n k = f32[15,15,32,256] parameter(1)\n ROOT r = f32[1,512,512,256] "
        "convolution(a, k), window={size=15x15 pad=7_7x7_7}, dim_labels=b01f_01io->b01f\n"}) {
    const std::shared_ptr<const Module> module =
        ModuleFromText(absl::StrCat("HloModule m\nENTRY e {\n ", entry, "}\n"));
    ASSERT_NE(module, nullptr);
    std::unique_ptr<Session> session = *Session::Create(module, SessionOptions());
    session->set_keep_values(false);
    const auto& parameters = module->computation(module->entry()).parameters;
    for (size_t k = 0; k < parameters.size(); ++k) {
      ASSERT_TRUE(session->SetArgument(static_cast<int64_t>(k), *ZeroValue(module->shape(parameters[k]))).ok());
    }
    EXPECT_LT(SecondsUntilStopped(*session, 0.15), kPatience) << entry;
  }
}

TEST(UnwatchedRunTest, MemoryOfTheLastUseIsReused) {
  constexpr int64_t kBytes = 1 << 20;
  // Each r depends on all of the array before it, so nothing can be put together.
  std::string text = "HloModule m\nENTRY e {\n a.0 = f32[262144] parameter(0)\n";
  for (int i = 0; i < 6; ++i) {
    absl::StrAppend(&text, " n.", i, " = f32[262144] negate(a.", i, ")\n v.", i, " = f32[262144] reverse(n.", i,
                    "), dimensions={0}\n", i == 5 ? " ROOT" : "", " a.", i + 1, " = f32[262144] exponential(v.", i,
                    ")\n");
  }
  const std::shared_ptr<const Module> module = ModuleFromText(absl::StrCat(text, "}\n"));
  ASSERT_NE(module, nullptr);
  const std::unique_ptr<Session> session = SessionOn(module, false);
  const int64_t before = Buffer::LiveBytes();
  Buffer::ResetPeak();
  ASSERT_EQ(session->Run(), StopReason::kFinished);
  EXPECT_LE(Buffer::PeakBytes() - before, 2 * kBytes + 4096);
}

TEST(UnwatchedRunTest, UpdatesInALoopAreMadeInPlace) {
  constexpr int64_t kBytes = 1 << 20;
  const std::shared_ptr<const Module> module = ModuleFromText(R"(HloModule loop
cond { p = (s32[], f32[1024,256]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(100)
  ROOT r = pred[] compare(i, n), direction=LT }
body { p = (s32[], f32[1024,256]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[1024,256] get-tuple-element(p), index=1
  one = s32[] constant(1)
  zero = s32[] constant(0)
  j = s32[] add(i, one)
  f = f32[] convert(i)
  u = f32[1,256] broadcast(f), dimensions={}
  y = f32[1024,256] dynamic-update-slice(x, u, i, zero)
  ROOT t = (s32[], f32[1024,256]) tuple(j, y) }
ENTRY e { zero = s32[] constant(0)
  a = f32[1024,256] parameter(0)
  init = (s32[], f32[1024,256]) tuple(zero, a)
  ROOT w = (s32[], f32[1024,256]) while(init), condition=cond, body=body }
)");
  ASSERT_NE(module, nullptr);
  const std::unique_ptr<Session> watched = SessionOn(module, true), session = SessionOn(module, false);
  const int64_t before = Buffer::LiveBytes();
  Buffer::ResetPeak();
  ASSERT_EQ(session->Run(), StopReason::kFinished) << session->status();
  EXPECT_LE(Buffer::PeakBytes() - before, kBytes + 65536);  // one copy of the argument
  ASSERT_EQ(watched->Run(), StopReason::kFinished);
  EXPECT_TRUE(watched->result().BitwiseEqual(session->result()));
}

}  // namespace
}  // namespace hloscope::evaluator
