// SPDX-License-Identifier: Apache-2.0
// Runs on several devices: every worked module of control flow and collectives that can be executed, and what those
// do not show.
#include "evaluator/engine/device_run.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/session_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

// The comment lines of a block: "arg0@1" to its literal and so on.
struct SpecBlock {
  std::string id, text, trap;
  bool is_static = false;
  int64_t limit = 0;
  std::optional<DeviceGrid> grid;
  std::map<std::string, std::string> literals;

  // The literal for a device: that of "NAME@F", else of "NAME"; null if there is neither.
  const std::string* Find(const std::string& name, int64_t device) const {
    for (const std::string& key : {absl::StrCat(name, "@", device), name}) {
      if (const auto found = literals.find(key); found != literals.end()) return &found->second;
    }
    return nullptr;
  }
};

SpecBlock ParseBlock(absl::string_view text) {
  SpecBlock block;
  block.text = std::string(text);
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!absl::ConsumePrefix(&line, "// ")) continue;
    if (absl::ConsumePrefix(&line, "id: ")) {
      block.id = std::string(line);
    } else if (absl::ConsumePrefix(&line, "trap: ")) {
      block.trap = std::string(line);
    } else if (absl::StartsWith(line, "reject: ") || absl::StartsWith(line, "static: ")) {
      block.is_static = true;
    } else if (absl::ConsumePrefix(&line, "limit: ")) {
      EXPECT_TRUE(absl::SimpleAtoi(line, &block.limit));
    } else if (absl::ConsumePrefix(&line, "run: R=")) {
      const std::pair<std::string, std::string> sizes = absl::StrSplit(line, " P=");
      block.grid.emplace();
      EXPECT_TRUE(absl::SimpleAtoi(sizes.first, &block.grid->replicas));
      EXPECT_TRUE(absl::SimpleAtoi(sizes.second, &block.grid->partitions));
    } else {
      const std::vector<std::string> sides = absl::StrSplit(line, absl::MaxSplits(" = ", 1));
      if (sides.size() == 2) block.literals[sides[0]] = sides[1];
    }
  }
  return block;
}

std::vector<SpecBlock> SpecBlocks() {
  std::vector<SpecBlock> blocks;
  const std::string text = ReadFileOrDie(absl::StrCat(SharedDirectory(), "/spec/ops-c-control-collectives.md"));
  for (absl::string_view part : absl::StrSplit(text, "```hlo\n")) {
    part = part.substr(0, part.find("```"));
    if (absl::StartsWith(part, "// id: ")) blocks.push_back(ParseBlock(part));
  }
  return blocks;
}

Value Parsed(const Shape& shape, absl::string_view literal) {
  absl::StatusOr<Value> value = ValueFromText(shape, literal);
  EXPECT_TRUE(value.ok()) << value.status();
  return value.ok() ? *std::move(value) : Value();
}

void RunBlock(const SpecBlock& block) {
  const std::shared_ptr<const Module> module = ModuleFromText(block.text);
  ASSERT_NE(module, nullptr);
  const DeviceGrid grid =
      block.grid.value_or(DeviceGrid{module->header().replica_count, module->header().num_partitions});
  SessionOptions options;
  options.step_limit = block.limit;
  absl::StatusOr<std::unique_ptr<DeviceRun>> created = DeviceRun::Create(module, grid, options);
  ASSERT_TRUE(created.ok()) << created.status();
  DeviceRun& run = **created;
  const Computation& entry = module->computation(module->entry());
  for (int64_t f = 0; f < run.device_count(); ++f) {
    for (size_t k = 0; k < entry.parameters.size(); ++k) {
      const std::string* const literal = block.Find(absl::StrCat("arg", k), f);
      ASSERT_NE(literal, nullptr);
      ASSERT_TRUE(run.device(f)
                      .SetArgument(static_cast<int64_t>(k), Parsed(module->shape(entry.parameters[k]), *literal))
                      .ok());
    }
    if (const std::string* const items = block.Find("infeed", f)) {
      run.host(f).set_infeed([items](int64_t item, const Shape& shape) -> absl::StatusOr<Value> {
        const std::vector<std::string> literals = absl::StrSplit(*items, "; ");
        if (item >= static_cast<int64_t>(literals.size())) return absl::OutOfRangeError("no more");
        return Parsed(shape, literals[static_cast<size_t>(item)]);
      });
    }
  }
  const StopReason reason = run.Run();
  if (block.trap == "deadlock") {
    EXPECT_EQ(reason, StopReason::kFailed);
    EXPECT_THAT(std::string(run.status().message()), HasSubstr("deadlock"));
    return;
  }
  if (block.trap == "step-limit") {
    EXPECT_TRUE(absl::IsResourceExhausted(run.status())) << run.status();
    return;
  }
  ASSERT_EQ(block.trap, "");
  ASSERT_EQ(reason, StopReason::kFinished) << run.status();
  for (int64_t f = 0; f < run.device_count(); ++f) {
    SCOPED_TRACE(f);
    if (const std::string* const out = block.Find("out", f)) {
      EXPECT_TRUE(ValuesAgree(run.device(f).result(), Parsed(module->shape(entry.root), *out)));
    }
    if (const std::string* const items = block.Find("outfeed", f)) {
      const std::vector<std::string> literals = absl::StrSplit(*items, "; ");
      const std::vector<Value>& outfeed = run.host(f).outfeed();
      ASSERT_EQ(outfeed.size(), literals.size());
      for (size_t k = 0; k < literals.size(); ++k) {
        EXPECT_TRUE(ValuesAgree(outfeed[k], Parsed(ShapeOf(outfeed[k]), literals[k])));
      }
    }
  }
}

// Blocks that cannot be run, and why.
const std::map<std::string, std::string>& Exceptions() {
  static const std::map<std::string, std::string> exceptions = {
      {"COPYSTART-2", "calls instructions s1 and s2, which are element types"},
  };
  return exceptions;
}

TEST(DeviceRunTest, EveryBlockOfTheSpecification) {
  SKIP_WITHOUT_SHARED_FILE("/spec/ops-c-control-collectives.md");
  int count = 0;
  for (const SpecBlock& block : SpecBlocks()) {
    if (block.is_static || Exceptions().count(block.id) > 0) continue;
    SCOPED_TRACE(block.id);
    RunBlock(block);
    ++count;
  }
  EXPECT_GT(count, 60);
}

constexpr char kAdd[] = "add { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }\n";

std::unique_ptr<DeviceRun> RunOf(const std::string& text, DeviceGrid grid, const SessionOptions& options = {}) {
  absl::StatusOr<std::unique_ptr<DeviceRun>> run = DeviceRun::Create(ModuleFromText(text), grid, options);
  EXPECT_TRUE(run.ok()) << run.status();
  return run.ok() ? *std::move(run) : nullptr;
}

// A transfer that is started in one iteration of a loop and finished in the next: only the values tell which is which.
TEST(DeviceRunTest, AStartIsCarriedThroughALoop) {
  const std::unique_ptr<DeviceRun> run = RunOf(absl::StrCat("HloModule m, replica_count=2\n", kAdd, R"(
body {
  s = (s32[], s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  started = s32[] get-tuple-element(s), index=1
  sum = s32[] get-tuple-element(s), index=2
  done = s32[] all-reduce-done(started)
  sum2 = s32[] add(sum, done)
  one = s32[] constant(1)
  i2 = s32[] add(i, one)
  again = s32[] all-reduce-start(i2), to_apply=add, replica_groups={{0,1}}
  ROOT t = (s32[], s32[], s32[]) tuple(i2, again, sum2)
}
cond {
  s = (s32[], s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(4)
  ROOT lt = pred[] compare(i, n), direction=LT
}
ENTRY e {
  z = s32[] constant(0)
  hundred = s32[] constant(100)
  first = s32[] all-reduce-start(hundred), to_apply=add, replica_groups={{0,1}}
  init = (s32[], s32[], s32[]) tuple(z, first, z)
  w = (s32[], s32[], s32[]) while(init), condition=cond, body=body
  last = s32[] get-tuple-element(w), index=1
  done = s32[] all-reduce-done(last)
  sum = s32[] get-tuple-element(w), index=2
  ROOT r = (s32[], s32[]) tuple(done, sum)
})"),
                                               {2, 1});
  ASSERT_NE(run, nullptr);
  ASSERT_EQ(run->Run(), StopReason::kFinished) << run->status();
  for (int64_t f = 0; f < 2; ++f) {
    // Starts of 100, 1, 2, 3, 4 on each of two devices.
    EXPECT_EQ(FirstElement<int32_t>(run->device(f).result().elements()[0]), 8);
    EXPECT_EQ(FirstElement<int32_t>(run->device(f).result().elements()[1]), 212);
  }
  run->Restart();
  ASSERT_EQ(run->Run(), StopReason::kFinished) << run->status();
  EXPECT_EQ(FirstElement<int32_t>(run->device(0).result().elements()[1]), 212);
}

TEST(DeviceRunTest, LimitsCountForAllDevices) {
  SessionOptions options;
  options.step_limit = 10;
  const std::string text =
      "ENTRY e { r = u32[] replica-id() a = u32[] add(r, r) b = u32[] add(a, a) ROOT c = u32[] add(b, b) }";
  EXPECT_EQ(RunOf(text, {2, 1}, options)->Run(), StopReason::kFinished);
  const std::unique_ptr<DeviceRun> run = RunOf(text, {3, 1}, options);
  EXPECT_EQ(run->Run(), StopReason::kFailed);
  EXPECT_TRUE(absl::IsResourceExhausted(run->status()));
  EXPECT_EQ(run->stopped_device(), 2);
}

TEST(DeviceRunTest, RunsSideBySideShareTheirTime) {
  SessionOptions options;
  options.time_limit_seconds = 0.05;
  const std::string text =
      "c { p = s32[2] parameter(0) ROOT t = pred[] constant(true) }\n"
      "b { p = s32[2] parameter(0) ROOT n = s32[2] negate(p) }\n"
      "ENTRY e { z = s32[2] constant({1,2}) ROOT w = s32[2] while(z), condition=c, body=b }";
  const std::unique_ptr<DeviceRun> first = RunOf(text, {1, 1}, options), second = RunOf(text, {1, 1}, options);
  first->ShareTime(*second);
  EXPECT_EQ(first->Run(), StopReason::kFailed);
  EXPECT_TRUE(absl::IsResourceExhausted(first->status()));
  EXPECT_EQ(second->Run(), StopReason::kFailed);
  EXPECT_TRUE(absl::IsResourceExhausted(second->status()));
  EXPECT_LE(second->device(0).position(), 1);
}

TEST(DeviceRunTest, ManyDevicesThatWaitForAllOthersTakeLittleMemory) {
  const int64_t devices = 1024;
  const std::unique_ptr<DeviceRun> run =
      RunOf(absl::StrCat("HloModule m, replica_count=1024\n", kAdd,
                         "ENTRY e { v = s32[] constant(2) ROOT y = s32[] all-reduce(v), to_apply=add }"),
            {devices, 1});
  for (int64_t f = 0; f + 1 < devices; ++f) {
    bool progress = false;
    ASSERT_EQ(run->RunDevice(f, StopWhen(), &progress), StopReason::kBlocked);
    ASSERT_TRUE(run->waiting(f).has_value());
    EXPECT_LE(run->waiting(f)->sources.size() + run->waiting(f)->missing.size(), 64U);
  }
  EXPECT_LT(run->DeadlockReport().size(), 400000U);
  ASSERT_EQ(run->Run(), StopReason::kFinished) << run->status();
  EXPECT_EQ(FirstElement<int32_t>(run->device(7).result()), 2048);
}

// The parts of a reduction are those of the valid elements.
TEST(DeviceRunTest, RunTimeSizesOfReductionsStay) {
  const auto text = [](int size) {
    return absl::StrCat("HloModule m, replica_count=2\n", kAdd, R"(
ENTRY e {
  p = s32[8] constant({1,2,3,4,5,6,7,8})
  n = s32[] constant()",
                        size, R"()
  d = s32[<=8] set-dimension-size(p, n), dimensions={0}
  s = s32[<=4] reduce-scatter(d), replica_groups={{0,1}}, dimensions={0}, to_apply=add
  t = s32[<=8] all-reduce(d), replica_groups={{0,1}}, to_apply=add
  x = s32[] get-dimension-size(s), dimensions={0}
  y = s32[] get-dimension-size(t), dimensions={0}
  z = s32[] constant(0)
  first = s32[1] dynamic-slice(s, z), dynamic_slice_sizes={1}
  v = s32[] reshape(first)
  hundred = s32[] constant(100)
  xs = s32[] multiply(x, hundred)
  sum = s32[] add(xs, v)
  ys = s32[] multiply(y, xs)
  ROOT r = s32[] add(sum, ys)
})");
  };
  const std::unique_ptr<DeviceRun> run = RunOf(text(4), {2, 1});
  ASSERT_EQ(run->Run(), StopReason::kFinished) << run->status();
  // 2 of 4 elements; the first ones are 1 + 1 and 3 + 3.
  EXPECT_EQ(FirstElement<int32_t>(run->device(0).result()), 200 + 2 + 4 * 200);
  EXPECT_EQ(FirstElement<int32_t>(run->device(1).result()), 200 + 6 + 4 * 200);
  const std::unique_ptr<DeviceRun> uneven = RunOf(text(5), {2, 1});
  EXPECT_EQ(uneven->Run(), StopReason::kFailed);
  EXPECT_THAT(std::string(uneven->status().message()),
              HasSubstr("the run-time size 5 of dimension 0 has no 2 equal parts"));
}

// An all-gather puts the valid elements together, whatever dimension is dynamic, at once or asynchronously.
TEST(DeviceRunTest, RunTimeSizesOfAllGathersStay) {
  const std::unique_ptr<DeviceRun> run = RunOf(R"(HloModule m, replica_count=2
ENTRY e {
  p = s32[4,4] constant({{1,2,3,4},{5,6,7,8},{9,10,11,12},{13,14,15,16}})
  n = s32[] constant(3)
  d = s32[<=4,4] set-dimension-size(p, n), dimensions={0}
  a = s32[<=8,4] all-gather(d), dimensions={0}, replica_groups={{0,1}}
  s = (s32[<=4,4], s32[<=4,8]) all-gather-start(d), dimensions={1}, replica_groups={{0,1}}
  b = s32[<=4,8] all-gather-done(s)
  ROOT t = (s32[<=8,4], s32[<=4,8]) tuple(a, b)
})",
                                               {2, 1});
  ASSERT_EQ(run->Run(), StopReason::kFinished) << run->status();
  const Value result = run->device(1).result();
  EXPECT_TRUE(
      Value(result.elements()[0].tensor().WithRunTimeSizes())
          .BitwiseEqual(*ValueFromTypedText(
              "s32[6,4] {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}")));
  EXPECT_TRUE(
      Value(result.elements()[1].tensor().WithRunTimeSizes())
          .BitwiseEqual(*ValueFromTypedText(
              "s32[3,8] {{1, 2, 3, 4, 1, 2, 3, 4}, {5, 6, 7, 8, 5, 6, 7, 8}, {9, 10, 11, 12, 9, 10, 11, 12}}")));
}

// The wrapped computation runs once all is bound, wherever the chain went meanwhile.
TEST(DeviceRunTest, LateBoundChainsGoThroughTuplesAndLoops) {
  constexpr absl::string_view kModule = R"(HloModule m
w { a = s32[] parameter(0) b = s32[] parameter(1) ROOT d = s32[] subtract(a, b) }
body { ROOT p = (s32[], ((s32[]), (), s32[])) parameter(0) }
cond { p = (s32[], ((s32[]), (), s32[])) parameter(0) ROOT k = pred[] constant(false) }
ENTRY e {
  p = s32[] constant(20)
  q = s32[] constant(5)
  s = ((s32[]), (), s32[]) async-start(p), calls=w
  t = (s32[], ((s32[]), (), s32[])) tuple(q, s)
  l = (s32[], ((s32[]), (), s32[])) while(t), condition=cond, body=body
  g = ((s32[]), (), s32[]) get-tuple-element(l), index=1
  u = ((s32[], s32[]), (), s32[]) async-update(g, q)
  v = (((s32[], s32[]), (), s32[])) tuple(u)
  h = ((s32[], s32[]), (), s32[]) get-tuple-element(v), index=0
  ROOT d = s32[] async-done(h)
})";
  const std::unique_ptr<DeviceRun> run = RunOf(std::string(kModule), {1, 1});
  ASSERT_EQ(run->Run(), StopReason::kFinished) << run->status();
  EXPECT_EQ(FirstElement<int32_t>(run->device(0).result()), 15);
}

// A receive that was wrapped still waits in its own done.
TEST(DeviceRunTest, TransfersMayBeWrapped) {
  const std::unique_ptr<DeviceRun> run = RunOf(R"(HloModule m, replica_count=2
w { x = s32[] parameter(0) t = token[] parameter(1) ROOT s = (s32[], u32[], token[]) send(x, t), channel_id=0, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"} }
v { t = token[] parameter(0) ROOT r = (s32[], u32[], token[]) recv(t), channel_id=0, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"} }
ENTRY e {
  t = token[] after-all()
  x = s32[] constant(7)
  a = ((s32[], token[]), (s32[], u32[], token[]), u32[]) async-start(x, t), calls=w
  b = ((token[]), (s32[], u32[], token[]), u32[]) async-start(t), calls=v
  ad = (s32[], u32[], token[]) async-done(a)
  bd = (s32[], u32[], token[]) async-done(b)
  c = ((s32[], u32[], token[]), (s32[], u32[], token[])) tuple(ad, bd)
  ga = (s32[], u32[], token[]) get-tuple-element(c), index=0
  gb = (s32[], u32[], token[]) get-tuple-element(c), index=1
  sd = token[] send-done(ga), channel_id=0
  rd = (s32[], token[]) recv-done(gb), channel_id=0
  ROOT g = s32[] get-tuple-element(rd), index=0
})",
                                               {2, 1});
  ASSERT_EQ(run->Run(), StopReason::kFinished) << run->status();
  EXPECT_EQ(FirstElement<int32_t>(run->device(0).result()), 0);
  EXPECT_EQ(FirstElement<int32_t>(run->device(1).result()), 7);
}

// Data without arrays is waited for, too: here device 1 would end before device 0 has sent.
TEST(DeviceRunTest, AReceiveOfNothingWaits) {
  const auto text = [](absl::string_view send) {
    return absl::StrCat(R"(HloModule m, num_partitions=2
ENTRY e {
  t = token[] after-all()
  x = () tuple()
  r = ((), u32[], token[]) recv(t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  )",
                        send, R"(
  rd = ((), token[]) recv-done(r), channel_id=1
  ROOT c = u32[] constant(3)
})");
  };
  const std::unique_ptr<DeviceRun> run = RunOf(
      text(
          R"(s = ((), u32[], token[]) send(x, t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  sd = token[] send-done(s), channel_id=1)"),
      {1, 2});
  ASSERT_EQ(run->Run(), StopReason::kFinished) << run->status();
  EXPECT_EQ(FirstElement<uint32_t>(run->device(1).result()), 3u);
  const std::unique_ptr<DeviceRun> alone = RunOf(text(""), {1, 2});
  ASSERT_EQ(alone->Run(), StopReason::kFailed);
  EXPECT_THAT(std::string(alone->status().message()),
              HasSubstr("(r0,p1): waits at e::r (recv, execution 1) for data of {0}"));
}

TEST(DeviceRunTest, ACustomCallMayOrderTwoOthers) {
  const std::unique_ptr<DeviceRun> run = RunOf(R"(HloModule m
ENTRY e {
  t = token[] after-all()
  a = s32[] constant(1)
  b = s32[] constant(2)
  x = token[] outfeed(a, t)
  y = token[] outfeed(b, t)
  c = () custom-call(y, x), custom_call_target="control_dep", custom_call_has_side_effect=true
  ROOT r = s32[] add(a, b)
})",
                                               {1, 1});
  ASSERT_EQ(run->Run(), StopReason::kFinished) << run->status();
  ASSERT_EQ(run->host(0).outfeed().size(), 2);
  EXPECT_EQ(FirstElement<int32_t>(run->host(0).outfeed()[0]), 2);
}

TEST(DeviceRunTest, SlicesOfBuffersAreUpdated) {
  const std::unique_ptr<DeviceRun> run = RunOf(R"(HloModule m
ENTRY e {
  p = s32[4] constant({1,2,3,4})
  v = s32[2] constant({8,9})
  k = s32[] constant(1)
  b = b(s32[4]) custom-call(p), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
  d = b(s32[4]) dynamic-update-slice(b, v, k)
  ROOT u = s32[4] custom-call(d), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})}
})",
                                               {1, 1});
  ASSERT_EQ(run->Run(), StopReason::kFinished) << run->status();
  EXPECT_TRUE(run->device(0).result().BitwiseEqual(*ValueFromTypedText("s32[4] {1, 8, 9, 4}")));
}

// A global array that is not cut is what its device has, or what all have.
TEST(DeviceRunTest, GlobalArraysThatAreNotCut) {
  const auto text = [](absl::string_view sharding) {
    return absl::StrCat(
        "HloModule m, num_partitions=2\nENTRY e { p = u32[] partition-id() ROOT f = u32[] custom-call(p), ",
        "custom_call_target=\"SPMDShardToFullShape\", sharding=", sharding, " }");
  };
  const std::unique_ptr<DeviceRun> maximal = RunOf(text("{maximal device=1}"), {1, 2});
  ASSERT_EQ(maximal->Run(), StopReason::kFinished) << maximal->status();
  EXPECT_EQ(FirstElement<uint32_t>(maximal->device(0).result()), 1);
  const std::unique_ptr<DeviceRun> replicated = RunOf(text("{replicated}"), {1, 2});
  EXPECT_EQ(replicated->Run(), StopReason::kFailed);
  EXPECT_THAT(std::string(replicated->status().message()),
              HasSubstr("its sharding is replicated, but devices 0 and 1 have different values"));
}

// Other devices may wait for what nothing on this one reads.
TEST(DeviceRunTest, CollectivesWhoseResultNothingReadsAreExecuted) {
  const auto text = [](absl::string_view called) {
    return absl::StrCat("HloModule m, replica_count=2\n", kAdd, R"(
talk {
  x = s32[] parameter(0)
  y = s32[] all-reduce(x), to_apply=add
  ROOT n = s32[] negate(x)
}
silent {
  x = s32[] parameter(0)
  ROOT n = s32[] negate(x)
}
ENTRY e {
  i = u32[] replica-id()
  z = u32[] constant(0)
  first = pred[] compare(i, z), direction=EQ
  x = s32[] constant(4)
  unread = s32[] conditional(first, x, x), true_computation=talk, false_computation=)",
                        called, "\n  ROOT r = s32[] negate(x)\n}");
  };
  const std::unique_ptr<DeviceRun> run = RunOf(text("silent"), {2, 1});
  EXPECT_EQ(run->Run(), StopReason::kFailed);
  EXPECT_THAT(std::string(run->status().message()), HasSubstr("deadlock"));
  EXPECT_EQ(RunOf(text("talk"), {2, 1})->Run(), StopReason::kFinished);
}

// What the verifier lets through although nobody can compute it: an error that says what is wrong.
TEST(DeviceRunTest, CollectivesWithoutAMeaningFail) {
  const std::pair<absl::string_view, absl::string_view> kCases[] = {
      {"ROOT a = s32[4] collective-broadcast(x), replica_groups={{1,0},{0}}",
       "device 0 is in the replica_groups 2 times"},
      {"ROOT a = s32[4] collective-broadcast(x, i), replica_groups={{0,1}}, has_dynamic_root=true",
       "the roots are no array"},
      {"ROOT a = s32[4] collective-broadcast(x), replica_groups={{0,1}}, has_dynamic_root=true",
       "the roots are missing"},
      {"ROOT a = s32[4] ragged-all-to-all(i, x, w, w, w, w), replica_groups={{0,1}}", "the input is no array"},
      {"ROOT a = f32[4] collective-permute(x, f, i, i), source_target_pairs={{0,1}}, slice_sizes={{2}}",
       "slices of s32[4] cannot be written to f32[4]"},
      {"j = (s32[2]) tuple(w)\n  ROOT a = s32[4] collective-permute(x, x, j, i), source_target_pairs={{0,1}}, "
       "slice_sizes={{2}}",
       "(s32[2]) is no place in an array of rank 1"},
  };
  for (const auto& [instruction, message] : kCases) {
    SCOPED_TRACE(instruction);
    const std::unique_ptr<DeviceRun> run = RunOf(absl::StrCat(R"(HloModule m, replica_count=2
ENTRY e {
  x = s32[4] constant({1,2,3,4})
  f = f32[4] constant({1,2,3,4})
  w = s32[2] constant({1,1})
  k = s32[] constant(1)
  i = (s32[]) tuple(k)
  )",
                                                              instruction, "\n}"),
                                                 {2, 1});
    EXPECT_EQ(run->Run(), StopReason::kFailed);
    EXPECT_THAT(std::string(run->status().message()), HasSubstr(message));
  }
}

TEST(DeviceRunTest, APermutedSliceHasTheSizeOfWhatIsRead) {
  const std::unique_ptr<DeviceRun> run = RunOf(R"(HloModule m, replica_count=3
ENTRY e {
  x = s32[4] constant({1,2,3,4})
  z = s32[4] constant({0,0,0,0})
  k = s32[] constant(1)
  i = (s32[]) tuple(k)
  n = ((s32[]), (s32[])) tuple(i, i)
  ROOT r = s32[4] collective-permute(x, z, n, n), source_target_pairs={{0,1},{0,2}}, slice_sizes={{1},{2}}
})",
                                               {3, 1});
  ASSERT_EQ(run->Run(), StopReason::kFinished) << run->status();
  EXPECT_TRUE(Value(run->device(1).result().tensor()).BitwiseEqual(*ValueFromTypedText("s32[4] {0, 2, 0, 0}")));
  EXPECT_TRUE(Value(run->device(2).result().tensor()).BitwiseEqual(*ValueFromTypedText("s32[4] {0, 2, 3, 0}")));
}

TEST(DeviceRunTest, AFailureNamesItsDevice) {
  const std::unique_ptr<DeviceRun> run = RunOf(
      "ENTRY e { t = token[] after-all() i = (s32[], token[]) infeed(t) ROOT d = s32[] get-tuple-element(i), index=0 }",
      {2, 1});
  run->host(0).set_infeed([](int64_t, const Shape&) { return ScalarValue<int32_t>(ElementType::kS32, 1); });
  EXPECT_EQ(run->Run(), StopReason::kFailed);
  EXPECT_EQ(run->stopped_device(), 1);
  EXPECT_EQ(run->status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_TRUE(run->device(0).finished());
}

TEST(DeviceRunTest, MismatchedCollectivesAreNamed) {
  const std::unique_ptr<DeviceRun> run = RunOf(absl::StrCat("HloModule m, replica_count=2\n", kAdd, R"(
a { x = s32[] parameter(0) ROOT y = s32[] all-reduce(x), to_apply=add, replica_groups={{0,1}} }
b { x = s32[] parameter(0) ROOT y = s32[] all-reduce(x), to_apply=add, replica_groups={{0,1}} }
ENTRY e {
  r = u32[] replica-id()
  z = u32[] constant(0)
  first = pred[] compare(r, z), direction=EQ
  v = s32[] constant(4)
  ROOT c = s32[] conditional(first, v, v), true_computation=a, false_computation=b
})"),
                                               {2, 1});
  EXPECT_EQ(run->Run(), StopReason::kFailed);
  EXPECT_THAT(std::string(run->status().message()),
              HasSubstr("mismatched collectives: device 0 waits at a::y, device 1 at b::y"));
}

// docs/ops/control.md 3.3: into a manual region and back, along both dimensions and with copies.
TEST(DeviceRunTest, GlobalArraysAreCutAndPutTogether) {
  const auto text = [](absl::string_view back, absl::string_view per_device) {
    return absl::StrCat(R"(HloModule m, num_partitions=4
ENTRY e {
  x = s32[3,4] iota(), iota_dimension=1
  s = s32[3,4] custom-call(x), custom_call_target="Sharding", sharding={devices=[2,2]<=[4]}
  l = s32[2,2] custom-call(s), custom_call_target="SPMDFullToShardShape", sharding={manual}
  p = u32[] partition-id()
  q = s32[] convert(p)
  d = s32[] )",
                        per_device, R"(
  b = s32[2,2] broadcast(d), dimensions={}
  y = s32[2,2] add(l, b)
  ROOT f = )",
                        back, "\n}");
  };
  const std::unique_ptr<DeviceRun> tiled =
      RunOf(text("s32[3,4] custom-call(y), custom_call_target=\"SPMDShardToFullShape\", sharding={devices=[2,2]<=[4]}",
                 "multiply(q, q)"),
            {1, 4});
  ASSERT_EQ(tiled->Run(), StopReason::kFinished) << tiled->status();
  for (int64_t f = 0; f < 4; ++f) {
    EXPECT_TRUE(ValuesAgree(tiled->device(f).result(), Parsed(Shape::Array(ElementType::kS32, {3, 4}),
                                                              "{{0, 1, 3, 4}, {0, 1, 3, 4}, {4, 5, 11, 12}}")));
  }
  constexpr absl::string_view kReplicated =
      "s32[2,4] custom-call(y), custom_call_target=\"SPMDShardToFullShape\", "
      "sharding={devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}";
  const std::unique_ptr<DeviceRun> differ = RunOf(text(kReplicated, "multiply(q, q)"), {1, 4});
  ASSERT_EQ(differ->Run(), StopReason::kFailed);
  EXPECT_THAT(std::string(differ->status().message()), HasSubstr("devices 0 and 2 hold the same part"));
  const std::unique_ptr<DeviceRun> missing =
      RunOf(text("s32[3,4] custom-call(y), custom_call_target=\"SPMDShardToFullShape\"", "add(q, q)"), {1, 4});
  ASSERT_EQ(missing->Run(), StopReason::kFailed);
  EXPECT_THAT(std::string(missing->status().message()), HasSubstr("needs a tiled sharding on f"));
  // By the axes of a mesh: 'r' cuts the rows, 'c' the columns.
  constexpr absl::string_view kNamed =
      "s32[3,4] custom-call(y), custom_call_target=\"SPMDShardToFullShape\", sharding={mesh['r'=2,'c'=2], [{'r'}, "
      "{'c'}]}";
  const std::unique_ptr<DeviceRun> named = RunOf(text(kNamed, "multiply(q, q)"), {1, 4});
  ASSERT_EQ(named->Run(), StopReason::kFinished) << named->status();
  EXPECT_TRUE(ValuesAgree(named->device(3).result(), tiled->device(0).result()));
  // Devices 0 and 1 (and 2 and 3) are one manual subgroup each, with the left half of the columns on the first one.
  for (absl::string_view sharding :
       {"{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dims={manual}}", "{mesh['r'=2,'c'=2], [{}, {'c'}], manual={'r'}}"}) {
    const std::unique_ptr<DeviceRun> subgroups = RunOf(
        text(absl::StrCat("s32[2,4] custom-call(y), custom_call_target=\"SPMDShardToFullShape\", sharding=", sharding),
             "multiply(q, q)"),
        {1, 4});
    ASSERT_EQ(subgroups->Run(), StopReason::kFinished) << sharding << ": " << subgroups->status();
    const Shape shape = Shape::Array(ElementType::kS32, {2, 4});
    EXPECT_TRUE(ValuesAgree(subgroups->device(1).result(), Parsed(shape, "{{0, 1, 3, 4}, {0, 1, 3, 4}}")));
    EXPECT_TRUE(ValuesAgree(subgroups->device(2).result(), Parsed(shape, "{{4, 5, 11, 12}, {4, 4, 9, 9}}")));
  }
  constexpr absl::string_view kSummands =
      "s32[2,4] custom-call(y), custom_call_target=\"SPMDShardToFullShape\", "
      "sharding={devices=[1,2,2]<=[2,2]T(1,0) last_tile_dims={unreduced}}";
  const std::unique_ptr<DeviceRun> summands = RunOf(text(kSummands, "multiply(q, q)"), {1, 4});
  ASSERT_EQ(summands->Run(), StopReason::kFailed);
  EXPECT_THAT(std::string(summands->status().message()), HasSubstr("takes summands by the sharding of f"));
  const std::unique_ptr<DeviceRun> many = RunOf(R"(HloModule m
ENTRY e {
  y = s32[2,2] iota(), iota_dimension=1
  ROOT f = s32[2,4194304] custom-call(y), custom_call_target="SPMDShardToFullShape", sharding={devices=[1,2097152]<=[2097152]}
})",
                                                {1, 1});
  ASSERT_EQ(many->Run(), StopReason::kFailed);
  EXPECT_THAT(std::string(many->status().message()), HasSubstr("takes more devices than the run has"));
  const std::unique_ptr<DeviceRun> few = RunOf(text("s32[2,2] copy(y)", "add(q, q)"), {1, 2});
  ASSERT_EQ(few->Run(), StopReason::kFailed);
  EXPECT_THAT(std::string(few->status().message()), HasSubstr("takes device 2, but the run has 2"));
}

// The same by Shardy's attributes: two arrays at once, one of which is repeated along an axis.
std::string ShardyRegion(absl::string_view in, absl::string_view out, absl::string_view result = "s32[3,4]") {
  constexpr absl::string_view kAxes = R"(xla.sdy.manual_axes="#sdy<manual_axes{\"rows\", \"columns\"}>")";
  return absl::StrCat(R"(HloModule m, num_partitions=4, frontend_attributes={xla.sdy.meshes="{mesh = )",
                      R"(#sdy.mesh<[\"rows\"=2, \"columns\"=2]>}"}
ENTRY e {
  x = s32[3,4] iota(), iota_dimension=1
  v = s32[3] iota(), iota_dimension=0
  l = (s32[2,2], s32[2]) custom-call(x, v), custom_call_target="xla.sdy.GlobalToLocalShape", )",
                      "frontend_attributes={xla.sdy.in_shardings=\"#sdy.sharding_per_value<[", in, "]>\",", kAxes, R"(}
  a = s32[2,2] get-tuple-element(l), index=0
  b = s32[2] get-tuple-element(l), index=1
  p = u32[] partition-id()
  q = s32[] convert(p)
  w = s32[2,2] broadcast(q), dimensions={}
  y = s32[2,2] multiply(a, w)
  d = s32[2] add(b, b)
  ROOT f = ()",
                      result, R"(, s32[3]) custom-call(y, d), custom_call_target="xla.sdy.LocalToGlobalShape", )",
                      "frontend_attributes={xla.sdy.out_shardings=\"#sdy.sharding_per_value<[", out, "]>\",", kAxes,
                      "}\n}\n");
}

TEST(DeviceRunTest, ShardyRegionsAreCutAndPutTogether) {
  constexpr absl::string_view kIn =
      R"(<@mesh, [{\"rows\"}, {\"columns\", ?}p1]>, <@mesh, [{\"rows\"}], replicated={\"columns\"}>)";
  constexpr absl::string_view kOut = R"(<@mesh, [{\"rows\"}, {\"columns\"}]>, <@mesh, [{\"rows\":(1)2}]>)";
  const std::unique_ptr<DeviceRun> run = RunOf(ShardyRegion(kIn, kOut), {1, 4});
  ASSERT_EQ(run->Run(), StopReason::kFinished) << run->status();
  for (int64_t f = 0; f < 4; ++f) {
    const Value& result = run->device(f).result();
    EXPECT_TRUE(
        ValuesAgree(result, Parsed(ShapeOf(result), "({{0, 0, 2, 3}, {0, 0, 2, 3}, {0, 2, 6, 9}}, {0, 2, 4})")));
  }
  const auto error = [](absl::string_view in, absl::string_view out) {
    const std::unique_ptr<DeviceRun> failing = RunOf(ShardyRegion(in, out), {1, 4});
    EXPECT_EQ(failing->Run(), StopReason::kFailed);
    return std::string(failing->status().message());
  };
  EXPECT_THAT(error("<@mesh, [{}, {}]>", kOut), HasSubstr("there are 1 shardings of 2 arrays"));
  EXPECT_THAT(error(R"(<@grid, [{}, {}]>, <@mesh, [{}]>)", kOut), HasSubstr("the module has no mesh @grid"));
  EXPECT_THAT(error(kIn, "<@mesh, {}>"), HasSubstr("cannot be read"));
  EXPECT_THAT(error(kIn, R"(<@mesh, [{\"rows\"}]>, <@mesh, [{}]>)"), HasSubstr("a sharding of rank 1"));
  EXPECT_THAT(error(kIn, R"(<@mesh, [{\"rows\":(3)2}, {}]>, <@mesh, [{}]>)"), HasSubstr("has no part (3)2"));
}

}  // namespace
}  // namespace hloscope::evaluator
