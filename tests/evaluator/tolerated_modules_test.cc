// SPDX-License-Identifier: Apache-2.0
// What verification lets through because compilers do: it has a value, or stops the run where it is executed, and never
// reads or writes outside of its arrays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "core/document/document.h"
#include "evaluator/engine/device_run.h"
#include "evaluator/engine/session.h"
#include "tests/support/module_evaluation.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const Module> MixedModule(absl::string_view text) {
  DocumentOptions options;
  options.verify.allow_mixed_precision = true;
  const auto document = Document::Parse(SourceText::FromString("test", std::string(text)), options);
  for (const Diagnostic& d : document->diagnostics()) {
    EXPECT_NE(d.severity, Severity::kError) << d.Message() << "\n" << text;
  }
  return document->shared_module();
}

void ExpectValue(absl::string_view text, absl::string_view expected) {
  const absl::StatusOr<Value> value = EvaluateModule(MixedModule(text), {});
  ASSERT_TRUE(value.ok()) << value.status() << "\n" << text;
  const absl::StatusOr<Value> right = ValueFromTypedText(expected);
  ASSERT_TRUE(right.ok()) << right.status();
  EXPECT_TRUE(ValuesAgree(*value, *right)) << text;
}

void ExpectStop(absl::string_view text, absl::string_view message) {
  const absl::StatusOr<Value> value = EvaluateModule(MixedModule(text), {});
  ASSERT_FALSE(value.ok()) << text;
  EXPECT_THAT(std::string(value.status().message()), HasSubstr(std::string(message))) << text;
}

// The values of the devices of a run on `replicas` replicas, all without arguments.
std::vector<absl::StatusOr<Value>> RunReplicas(absl::string_view text, int64_t replicas) {
  std::vector<absl::StatusOr<Value>> values;
  absl::StatusOr<std::unique_ptr<DeviceRun>> run =
      DeviceRun::Create(MixedModule(text), DeviceGrid{replicas, 1}, SessionOptions());
  if (!run.ok()) return {run.status()};
  (*run)->Run();
  if (!(*run)->status().ok()) return {(*run)->status()};
  for (int64_t f = 0; f < (*run)->device_count(); ++f) values.push_back((*run)->device(f).result());
  return values;
}

TEST(MixedPrecision, CopyPadAndReduceConvert) {
  ExpectValue(
      "HloModule m\nENTRY e { v = bf16[3] constant({4, 5, 6}) w = f64[] constant(-0.5) "
      "ROOT r = f32[5] pad(v, w), padding=0_2 }",
      "f32[5] {4, 5, 6, -0.5, -0.5}");
  ExpectValue("HloModule m\nENTRY e { v = f32[2] constant({1.00390625, -3}) ROOT r = bf16[2] copy(v) }",
              "bf16[2] {1, -3}");
  // Summed in f32, rounded once: 256 + 1 + 1 is 258 there, and 256 where each sum is rounded to bf16.
  ExpectValue(R"(HloModule m
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e { v = bf16[3] constant({256, 1, 1}) z = f32[] constant(0) ROOT r = bf16[] reduce(v, z), dimensions={0}, to_apply=sum })",
              "bf16[] 258");
}

TEST(MixedPrecision, OperationsThatKeepTheType) {
  ExpectValue(
      "HloModule m\nENTRY e { v = f64[2] constant({1, 2}) b = f32[2,2] broadcast(v), dimensions={1} "
      "ROOT r = bf16[4] reshape(b) }",
      "bf16[4] {1, 2, 1, 2}");
  ExpectValue(
      "HloModule m\nENTRY e { v = f32[2] constant({1, 2}) w = bf16[2] constant({3, 4}) "
      "a = f32[2] add(v, w) c = f32[4] concatenate(a, w), dimensions={0} s = pred[2] compare(v, w), direction=LT "
      "ROOT t = f32[2] select(s, w, v) }",
      "f32[2] {3, 4}");
}

TEST(MixedPrecision, ElementwiseOperandsAreConvertedToTheDeclaredType) {
  // 1.01171875 is no bf16: rounded before the product, and 256 + 1 is 256 there.
  ExpectValue(
      "HloModule m\nENTRY e { a = f32[2] constant({1.01171875, 256.5}) b = bf16[2] constant({3, 1}) "
      "p = bf16[2] multiply(a, b) s = bf16[2] subtract(b, a) ROOT t = (bf16[2], bf16[2]) tuple(p, s) }",
      "(bf16[2] {3.046875, 256}, bf16[2] {1.984375, -255})");
  // f64 operands of an f32 result lose what f32 cannot hold before they cancel.
  ExpectValue(
      "HloModule m\nENTRY e { a = f64[1] constant({16777217}) b = f64[1] constant({16777216}) "
      "ROOT d = f32[1] subtract(a, b) }",
      "f32[1] 0");
  // Computed in f64 where that is declared.
  ExpectValue(
      "HloModule m\nENTRY e { a = f32[1] constant({16777216}) b = f32[1] constant({1}) ROOT d = f64[1] add(a, b) }",
      "f64[1] 16777217");
  ExpectValue(
      "HloModule m\nENTRY e { k = pred[2] constant({1, 0}) a = f64[2] constant({1.01171875, 2}) b = f16[2] "
      "constant({3, 4}) s = bf16[2] select(k, a, b) l = f64[] constant(0) h = f16[] constant(1) "
      "c = f32[2] clamp(l, a, h) ROOT t = (bf16[2], f32[2]) tuple(s, c) }",
      "(bf16[2] {1.015625, 4}, f32[2] {1, 1})");
}

TEST(Fft, OtherLengthsCutAndExtend) {
  ExpectValue(
      "HloModule m\nENTRY e { x = c64[3] constant({(1,0), (2,0), (3,0)}) "
      "ROOT r = c64[3] fft(x), fft_type=FFT, fft_length={2} }",
      "c64[3] {(3,0), (-1,0), (0,0)}");
  // Four points of the extended {1, 2, 3, 0}; the result has room for three.
  ExpectValue(
      "HloModule m\nENTRY e { x = c128[3] constant({(1,0), (2,0), (3,0)}) "
      "ROOT r = c128[3] fft(x), fft_type=FFT, fft_length={4} }",
      "c128[3] {(6,0), (-2,-2), (2,0)}");
  ExpectValue(
      "HloModule m\nENTRY e { x = c64[2,2] constant({{(1,0), (2,0)}, {(3,0), (4,0)}}) "
      "ROOT r = c64[2,2] fft(x), fft_type=FFT, fft_length={1,2} }",
      "c64[2,2] {{(3,0), (-1,0)}, {(0,0), (0,0)}}");
  ExpectValue(
      "HloModule m\nENTRY e { x = c64[2] constant({(1,0), (2,0)}) "
      "ROOT r = c64[2] fft(x), fft_type=IFFT, fft_length={0} }",
      "c64[2] {(0,0), (0,0)}");
  ExpectStop(
      "HloModule m\nENTRY e { x = c64[2] constant({(1,0), (2,0)}) "
      "ROOT r = c64[2] fft(x), fft_type=FFT, fft_length={-1} }",
      "is negative");
}

TEST(Tolerated, ValuesOfWhatHasOne) {
  ExpectValue(
      "HloModule m\nENTRY e { p = s32[2,2] constant({{1, 2}, {3, 4}}) "
      "ROOT r = s32[2,3] broadcast(p), dimensions={0,0} }",
      "s32[2,3] {{1, 1, 1}, {4, 4, 4}}");
  ExpectValue(
      "HloModule m\nENTRY e { x = f32[3] constant({1, 2, 3}) t = token[] after-all(x) "
      "ROOT r = f32[3] add-dependency(x, t) }",
      "f32[3] {1, 2, 3}");
  // The batch position takes the place of the index, and is clamped like one.
  ExpectValue(
      "HloModule m\nENTRY e { o = f32[3,2] constant({{1, 2}, {3, 4}, {5, 6}}) "
      "i = s32[4,1] constant({{2}, {2}, {0}, {0}}) ROOT g = f32[4,2] gather(o, i), offset_dims={1}, "
      "collapsed_slice_dims={}, start_index_map={0}, operand_batching_dims={0}, "
      "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,2} }",
      "f32[4,2] {{1, 2}, {3, 4}, {5, 6}, {5, 6}}");
  const absl::StatusOr<Value> bits =
      EvaluateModule(MixedModule("HloModule m\nENTRY e { s = u64[2] constant({1, 2}) "
                                 "ROOT r = u32[8] rng-bit-generator(s), algorithm=rng_default }"),
                     {});
  ASSERT_TRUE(bits.ok()) << bits.status();
  EXPECT_EQ(ShapeOf(*bits), Shape::Array(ElementType::kU32, {8}));
}

TEST(Tolerated, WhatHasNoValueStopsTheRun) {
  ExpectStop("HloModule m\nENTRY e { c = c64[1] constant({(1,2)}) ROOT r = pred[1] compare(c, c), direction=GE }",
             "compare is not defined for c64");
  ExpectStop("HloModule m\nENTRY e { f = f32[1] constant({1}) ROOT r = f32[1] shift-left(f, f) }",
             "shift-left is not defined for f32");
  ExpectStop(
      "HloModule m\nENTRY e { s = u64[5] constant({1, 2, 3, 4, 5}) "
      "ROOT r = (u64[5], u32[8]) rng-bit-generator(s), algorithm=rng_three_fry }",
      "is not defined for this algorithm");
  ExpectStop(
      "HloModule m\nENTRY e { s = u64[2] constant({1, 2}) "
      "ROOT r = (u64[2], f32[8]) rng-bit-generator(s), algorithm=rng_default }",
      "is not defined for this algorithm");
}

// What stops a run where it is executed, as instructions on `c`, a c64[2], with a result `r` of f32[2].
constexpr absl::string_view kWithoutValue[] = {
    "k = pred[2] compare(c, c), direction=LT r = f32[2] convert(k)",
    "a = f32[2] real(c) r = f32[2] shift-left(a, a)",
    "m = c64[2] clamp(c, c, c) r = f32[2] real(m)",
    "m = c64[2] remainder(c, c) r = f32[2] real(m)",
    "a = f32[2] real(c) r = f32[2] mulhi(a, a)",
    "f = c64[2] fft(c), fft_type=FFT, fft_length={-1} r = f32[2] real(f)",
    "s = u64[2] convert(c) g = (u64[2], f32[2]) rng-bit-generator(s), algorithm=rng_default "
    "r = f32[2] get-tuple-element(g), index=1",
    "a = f32[2] real(c) r = f32[2] collective-permute(a), source_target_pairs={{0,7}}",
    "a = f32[2] real(c) r = f32[2] collective-broadcast(a), replica_groups={{0,5}}",
    "a = f32[2] real(c) z = s32[] constant(0) i = (s32[]) tuple(z) r = f32[2] collective-permute(a, a, i, i), "
    "source_target_pairs={{0,0}}, slice_sizes={{9}}",
    "a = f32[2] real(c) n = s32[1] constant({9}) r = f32[2] ragged-all-to-all(a, a, n, n, n, n), replica_groups={{0}}",
    "a = f32[2] real(c) r = f32[2] custom-call(a), custom_call_target=\"nobody knows\"",
};

TEST(Tolerated, WhatHasNoValueStopsOnlyWhereItIsExecuted) {
  for (absl::string_view body : kWithoutValue) {
    const std::string named = absl::StrReplaceAll(body, {{" r = ", " ROOT r = "}});
    const auto module = [&](absl::string_view chosen) {
      return absl::StrCat(R"(HloModule m
bad { c = c64[2] parameter(0) )",
                          named, R"( }
good { c = c64[2] parameter(0) ROOT g = f32[2] imag(c) }
body { c = c64[2] parameter(0) b = f32[2] call(c), to_apply=bad ROOT n = c64[2] complex(b, b) }
never { c = c64[2] parameter(0) ROOT n = pred[] constant(false) }
ENTRY e { k = pred[] constant()",
                          chosen,
                          R"() c = c64[2] constant({(1,2), (3,4)}) w = c64[2] while(c), condition=never, body=body
ROOT r = f32[2] conditional(k, w, w), true_computation=bad, false_computation=good })");
    };
    ExpectValue(module("false"), "f32[2] {2, 4}");
    ExpectStop(module("true"), "");
  }
}

TEST(Tolerated, ScatterIntoOperandsOfDifferentSizes) {
  // A position counts where the windows fit into both operands; index 5 and 3 of the larger one do not.
  ExpectValue(R"(HloModule m
both { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] parameter(2) d = f32[] parameter(3) x = f32[] add(a, c) y = f32[] multiply(b, d) ROOT t = (f32[], f32[]) tuple(x, y) }
ENTRY e { x = f32[4,2] constant({{1, 2}, {3, 4}, {5, 6}, {7, 8}}) y = f32[6,3] constant({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}})
i = s32[3,1] constant({{0}, {5}, {3}}) u = f32[3,2] constant({{10, 20}, {30, 40}, {50, 60}})
ROOT s = (f32[4,2], f32[6,3]) scatter(x, y, i, u, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=both })",
              "(f32[4,2] {{11, 22}, {3, 4}, {5, 6}, {57, 68}}, "
              "f32[6,3] {{10, 40, 3}, {4, 5, 6}, {7, 8, 9}, {50, 60, 1}, {1, 1, 1}, {1, 1, 1}})");
}

TEST(Tolerated, BitcastBetweenPaddingsOfDifferentSizes) {
  ExpectValue(
      "HloModule m\nENTRY e { a = s32[2,3]{1,0:T(2,128)} constant({{1, 2, 3}, {4, 5, 6}}) "
      "ROOT b = s32[3,2]{1,0:T(8,128)} bitcast(a) }",
      "s32[3,2] {{1, 2}, {3, 4}, {5, 6}}");
  // Also the other way, where the result would fit into the memory of the operand, among its padding.
  ExpectValue(
      "HloModule m\nENTRY e { a = s32[3,2]{1,0:T(8,128)} constant({{1, 2}, {3, 4}, {5, 6}}) "
      "ROOT b = s32[2,3]{1,0:T(2,128)} bitcast(a) }",
      "s32[2,3] {{1, 2, 3}, {4, 5, 6}}");
}

// Chains that bind late, on threads, in pieces: the wrapped computation runs once.
constexpr absl::string_view kChains[] = {
    // All at the start, on a thread that the start assigns to the computation.
    "s = ((s32[], s32[]), s32[], u32[]) async-start(p, q), calls=w, async_execution_thread=\"dma\" "
    "ROOT d = s32[] async-done(s)",
    // Nothing at the start, everything at one update.
    "s = ((), (), u32[]) async-start(), calls=w u = ((s32[], s32[]), s32[], u32[]) async-update(s, p, q) "
    "ROOT d = s32[] async-done(u)",
    // One at a time; the context is dropped on the way.
    "s = ((s32[]), (), u32[]) async-start(p), calls=w u = ((s32[], s32[]), ()) async-update(s, q) "
    "v = ((s32[], s32[]), s32[]) async-update(u) ROOT d = s32[] async-done(v)",
    // The result only at the done.
    "s = ((s32[]), (), u32[]) async-start(p), calls=w u = ((s32[], s32[]), (), u32[]) async-update(s, q) "
    "ROOT d = s32[] async-done(u)",
    // Updates that bind nothing.
    "s = ((s32[], s32[]), s32[], u32[]) async-start(p, q), calls=w u = ((s32[], s32[]), s32[], u32[]) async-update(s) "
    "v = ((s32[], s32[]), s32[], u32[]) async-update(u) ROOT d = s32[] async-done(v)",
    // Sugar.
    "s = ((s32[]), (), u32[]) call-start(p), to_apply=w u = ((s32[], s32[]), s32[], u32[]) call-update(s, q) "
    "ROOT d = s32[] call-done(u)",
    "s = ((), (), u32[]) subtract-start() u = ((s32[], s32[]), s32[], u32[]) subtract-update(s, p, q) "
    "ROOT d = s32[] subtract-done(u)",
    "s = ((s32[], s32[]), s32[], u32[]) subtract-start(p, q), async_execution_thread=\"x\" "
    "ROOT d = s32[] subtract-done(s), async_execution_thread=\"x\"",
};

TEST(AsynchronousChains, BindLateOnAnyThread) {
  for (absl::string_view chain : kChains) {
    ExpectValue(absl::StrCat("HloModule m\nw { a = s32[] parameter(0) b = s32[] parameter(1) ROOT d = s32[] "
                             "subtract(a, b) }\nENTRY e { p = s32[] constant(7) q = s32[] constant(4) ",
                             chain, " }"),
                "s32[] 3");
  }
}

TEST(AsynchronousChains, TheWrappedComputationRunsOnce) {
  const auto module = MixedModule(
      "HloModule m\nw { a = s32[] parameter(0) b = s32[] parameter(1) ROOT d = s32[] subtract(a, b) }\n"
      "ENTRY e { p = s32[] constant(7) q = s32[] constant(4) s = ((s32[]), (), u32[]) async-start(p), calls=w "
      "u = ((s32[], s32[]), s32[], u32[]) async-update(s, q) v = ((s32[], s32[]), s32[], u32[]) async-update(u) "
      "ROOT d = s32[] async-done(v) }");
  const auto session = Session::Create(module, SessionOptions());
  ASSERT_TRUE(session.ok()) << session.status();
  int runs = 0;
  while (!(*session)->finished()) {
    const absl::Span<const Frame> frames = (*session)->inspection().frames();
    const bool at_the_operation = !frames.empty() && module->opcode(frames.back().current) == Opcode::kSubtract;
    ASSERT_NE((*session)->StepInto(), StopReason::kFailed) << (*session)->status();
    runs += at_the_operation ? 1 : 0;
  }
  EXPECT_EQ(runs, 1);
}

TEST(Tolerated, BatchingDimensionThatHoldsTheIndexVectors) {
  ExpectStop(
      "HloModule m\nENTRY e { o = f32[1,2] constant({{1, 2}}) i = s32[1,4] constant({{2, 2, 0, 0}}) "
      "ROOT g = f32[4,2] gather(o, i), offset_dims={1}, collapsed_slice_dims={}, start_index_map={0}, "
      "operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=0, slice_sizes={1,2} }",
      "which holds the index vectors, is a batching dimension");
}

constexpr absl::string_view kGrowingLoop = R"(HloModule m
b { p = (s32[], s32[]) parameter(0) x = s32[] get-tuple-element(p), index=0 ROOT t = (s32[], s32[], s32[]) tuple(x, x, x) }
c { p = (s32[], s32[]) parameter(0) ROOT k = pred[] constant($0) }
ENTRY e { o = s32[] constant(1) i = (s32[], s32[]) tuple(o, o) w = (s32[], s32[], s32[]) while(i), condition=c, body=b
$1 })";

TEST(Tolerated, LoopWhoseBodyReturnsAnotherShape) {
  const auto loop = [](absl::string_view condition, absl::string_view rest) {
    return absl::Substitute(kGrowingLoop, condition, rest);
  };
  const std::string reads = "g = s32[] get-tuple-element(w), index=2 ROOT r = s32[] add(g, o)";
  ExpectStop(loop("true", reads), "a second iteration cannot start");
  ExpectStop(loop("false", reads), "and g reads what is not there");
  ExpectStop(loop("false", "u = (s32[], s32[], s32[]) opt-barrier(w) ROOT r = s32[] get-tuple-element(u), index=0"),
             "and u reads what is not there");
  // What the state has may be read.
  ExpectValue(loop("false", "g = s32[] get-tuple-element(w), index=1 ROOT r = s32[] add(g, o)"), "s32[] 2");
  ExpectValue(loop("false", "ROOT r = s32[] add(o, o)"), "s32[] 2");
  std::string alone = loop("false", "");
  alone.replace(alone.find("w = "), 4, "ROOT w = ");
  ExpectValue(alone, "(s32[] 1, s32[] 1)");
}

TEST(PermuteSlices, SizesThatDoNotFitStopTheRun) {
  const auto module = [](absl::string_view input, absl::string_view output, absl::string_view sizes) {
    return absl::StrCat(
        "HloModule m\nENTRY e { z = f32[] constant(0) a = ", input, " broadcast(z), dimensions={} b = ", output,
        " broadcast(z), dimensions={} k = s32[] constant(0) i = (s32[], s32[]) tuple(k, k) ROOT r = ", output,
        " collective-permute(a, b, i, i), source_target_pairs={{0,0}}, slice_sizes=", sizes, " }");
  };
  ExpectStop(module("f32[4,8]", "f32[4,8]", "{{1000,1000}}"), "does not fit into f32[4,8]");
  ExpectStop(module("f32[4,8]", "f32[4,4]", "{{4,6}}"), "does not fit into f32[4,4]");
  ExpectStop(module("f32[4,8]", "f32[4,8]", "{{-1,2}}"), "does not fit into f32[4,8]");
  ExpectStop(module("f32[4,8]", "f32[4,8]", "{{2}}"), "does not fit into f32[4,8]");
  ExpectStop(module("f32[4,8]", "f32[4,8]", "{{2,2},{2,2}}"), "slice_sizes has 2 lists for 1 slices");
  ExpectStop(module("f32[4,8]", "f32[4,8]", "{}"), "slice_sizes has 0 lists for 1 slices");
  ExpectValue(module("f32[1,2]", "f32[2,2]", "{{1,2}}"), "f32[2,2] {{0, 0}, {0, 0}}");
}

TEST(AllReduce, CombinersOfOtherPrecisionAndOtherForms) {
  // 256 + 1 + 1 in f32, rounded to bf16 at the end.
  const auto reduce = [](absl::string_view combiner) {
    return absl::StrCat("HloModule m, replica_count=3\n", combiner, R"(
ENTRY e { r = u32[] replica-id() z = u32[] constant(0) first = pred[] compare(r, z), direction=EQ
  a = bf16[] constant(256) b = bf16[] constant(1) v = bf16[] select(first, a, b)
  ROOT s = bf16[] all-reduce(v), replica_groups={}, to_apply=f })");
  };
  const auto sums =
      RunReplicas(reduce("f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }"), 3);
  ASSERT_EQ(sums.size(), 3u);
  for (const absl::StatusOr<Value>& sum : sums) {
    ASSERT_TRUE(sum.ok()) << sum.status();
    EXPECT_TRUE(ValuesAgree(*sum, *ValueFromTypedText("bf16[] 258")));
  }
  for (absl::string_view combiner :
       {"f { ROOT a = bf16[] parameter(0) }",
        "f { a = bf16[] parameter(0) b = bf16[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }",
        "f { a = bf16[] parameter(0) b = bf16[] parameter(1) c = bf16[] parameter(2) ROOT d = bf16[] add(a, c) }",
        "f { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }"}) {
    const auto stopped = RunReplicas(reduce(combiner), 3);
    ASSERT_EQ(stopped.size(), 1u) << combiner;
    EXPECT_THAT(std::string(stopped[0].status().message()), HasSubstr("the combiner does not make one value of two"));
  }
}

TEST(RaggedAllToAll, ListsThatDoNotFitStopTheRun) {
  const auto exchange = [](absl::string_view data, absl::string_view list) {
    return absl::StrCat("HloModule m, replica_count=2\nENTRY e { z = f32[] constant(0) x = ", data,
                        " broadcast(z), dimensions={} o = f32[4] broadcast(z), dimensions={} i = ", list,
                        " ROOT r = f32[4] ragged-all-to-all(x, o, i, i, i, i), replica_groups={{0,1}} }");
  };
  const auto message = [&](absl::string_view data, absl::string_view list) {
    const auto values = RunReplicas(exchange(data, list), 2);
    return values.size() == 1 ? std::string(values[0].status().message()) : "";
  };
  EXPECT_THAT(message("f32[4]", "s32[3] constant({0, 0, 0})"), HasSubstr("cannot be shared by 2 devices"));
  EXPECT_THAT(message("f32[4]", "f32[2] constant({0, 0})"), HasSubstr("does not hold integers"));
  EXPECT_THAT(message("f32[4,2]", "s32[2] constant({0, 0})"), HasSubstr("are not rows of"));
  EXPECT_THAT(message("f32[4]", "s32[2] constant({9, 9})"), HasSubstr("are out of range"));
  EXPECT_EQ(message("f32[4]", "s32[6] constant({0, 0, 0, 0, 0, 0})"), "");
}

TEST(CollectiveBroadcast, RootsThatAreNoRootsStopTheRun) {
  const auto broadcast = [](absl::string_view roots) {
    return absl::StrCat("HloModule m, replica_count=2\nENTRY e { a = f32[1] constant({1}) r = ", roots,
                        " ROOT b = f32[1] collective-broadcast(a, r), replica_groups={{0,1}}, has_dynamic_root=true }");
  };
  for (absl::string_view roots : {"f32[1] constant({0})", "s32[0] constant({})"}) {
    const auto values = RunReplicas(broadcast(roots), 2);
    ASSERT_EQ(values.size(), 1u);
    EXPECT_THAT(std::string(values[0].status().message()), HasSubstr("does not hold the roots of 1 values"));
  }
}

TEST(CollectivePermute, TuplesAreZeroWhereNothingComes) {
  ExpectValue(R"(HloModule m
ENTRY e { x = s8[2] constant({1, 2}) a = (s8[2], s8[2]) tuple(x, x)
  s = (((s8[2], s8[2]), (s8[2], s8[2])), ((s8[2], s8[2]), (s8[2], s8[2]))) collective-permute-start(a, a), source_target_pairs={}
  d = ((s8[2], s8[2]), (s8[2], s8[2])) collective-permute-done(s)
  g = (s8[2], s8[2]) get-tuple-element(d), index=1 ROOT r = s8[2] get-tuple-element(g), index=0 })",
              "s8[2] {0, 0}");
}

}  // namespace
}  // namespace hloscope::evaluator
