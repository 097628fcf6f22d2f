// SPDX-License-Identifier: Apache-2.0
// How often a loop runs, from its counter.
#include "core/analysis/trip_count.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/analysis/cost.h"
#include "core/document/document.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

std::optional<int64_t> TripsOf(const std::string& text) {
  const auto document = Document::Parse(SourceText::FromString("m.hlo", text));
  EXPECT_FALSE(document->has_errors()) << text;
  const Module& module = document->module();
  return InferredTripCount(module, module.computation(module.entry()).root);
}

// A loop over (counter, data).
std::string Loop(const std::string& start, const std::string& next, const std::string& condition) {
  return absl::StrReplaceAll(R"(HloModule m
next { i = s32[] parameter(0) k = s32[] constant(3) ROOT n = s32[] add(k, i) }
less { i = s32[] parameter(0) k = s32[] constant(10) ROOT n = pred[] compare(i, k), direction=LT }
body {
  s = (s32[], f32[8], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[8] get-tuple-element(s), index=1
  end = s32[] get-tuple-element(s), index=2
  y = f32[8] sine(x)
  one = s32[] constant(1)
  $next
  ROOT t = (s32[], f32[8], s32[]) tuple(n, y, end)
}
cond {
  s = (s32[], f32[8], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  end = s32[] get-tuple-element(s), index=2
  ten = s32[] constant(10)
  $condition
}
ENTRY e {
  p = f32[8] parameter(0)
  q = s32[] parameter(1)
  start = s32[] $start
  end = s32[] constant(7)
  init = (s32[], f32[8], s32[]) tuple(start, p, end)
  ROOT w = (s32[], f32[8], s32[]) while(init), condition=cond, body=body
})",
                             {{"$start", start}, {"$next", next}, {"$condition", condition}});
}

TEST(TripCountTest, CountersThatReachABound) {
  const std::string up = "n = s32[] add(i, one)", less = "ROOT c = pred[] compare(i, ten), direction=LT";
  EXPECT_EQ(TripsOf(Loop("constant(0)", up, less)), 10);
  EXPECT_EQ(TripsOf(Loop("constant(3)", up, less)), 7);
  EXPECT_EQ(TripsOf(Loop("constant(12)", up, less)), 0);
  EXPECT_EQ(TripsOf(Loop("constant(-5)", up, "ROOT c = pred[] compare(i, ten), direction=LE")), 16);
  EXPECT_EQ(TripsOf(Loop("constant(0)", up, "ROOT c = pred[] compare(ten, i), direction=GT")), 10);
  EXPECT_EQ(TripsOf(Loop("constant(0)", up, "ROOT c = pred[] compare(i, end), direction=LT")), 7);
  EXPECT_EQ(TripsOf(Loop("constant(0)", up, "ROOT c = pred[] compare(i, ten), direction=NE")), 10);
  EXPECT_EQ(
      TripsOf(Loop("constant(20)", "n = s32[] subtract(i, one)", "ROOT c = pred[] compare(i, ten), direction=GE")), 11);
  EXPECT_EQ(TripsOf(Loop("constant(0)", "n = s32[] fusion(i), kind=kLoop, calls=next",
                         "ROOT c = pred[] fusion(i), kind=kLoop, calls=less")),
            4);
}

TEST(TripCountTest, OtherLoopsHaveNone) {
  const std::string up = "n = s32[] add(i, one)", less = "ROOT c = pred[] compare(i, ten), direction=LT";
  EXPECT_EQ(TripsOf(Loop("copy(q)", up, less)), std::nullopt);
  EXPECT_EQ(TripsOf(Loop("constant(0)", "n = s32[] multiply(i, one)", less)), std::nullopt);
  EXPECT_EQ(TripsOf(Loop("constant(0)", "n = s32[] subtract(i, one)", less)), std::nullopt);
  EXPECT_EQ(TripsOf(Loop("constant(0)", "n = s32[] copy(end)", less)), std::nullopt);
  EXPECT_EQ(TripsOf(Loop("constant(0)", up, "ROOT c = pred[] compare(i, ten), direction=EQ")), 0);
}

// A loop over one integer.
std::optional<int64_t> TripsOfInteger(const std::string& type, const std::string& start, const std::string& step,
                                      const std::string& direction, const std::string& bound,
                                      const std::string& opcode = "add") {
  return TripsOf(absl::StrReplaceAll(R"(HloModule m
body { i = $type[] parameter(0) k = $type[] constant($step) ROOT n = $type[] $opcode(i, k) }
cond { i = $type[] parameter(0) k = $type[] constant($bound) ROOT c = pred[] compare(i, k), direction=$direction }
ENTRY e { s = $type[] constant($start) ROOT w = $type[] while(s), condition=cond, body=body }
)",
                                     {{"$type", type},
                                      {"$start", start},
                                      {"$step", step},
                                      {"$bound", bound},
                                      {"$direction", direction},
                                      {"$opcode", opcode}}));
}

TEST(TripCountTest, CountersOfAllTypesThatReachABound) {
  EXPECT_EQ(TripsOfInteger("s64", "0", "1", "NE", "7"), 7);
  EXPECT_EQ(TripsOfInteger("s32", "10", "-1", "GT", "0"), 10);
  EXPECT_EQ(TripsOfInteger("s32", "10", "1", "GE", "0", "subtract"), 11);
  EXPECT_EQ(TripsOfInteger("u32", "5", "1", "GT", "0", "subtract"), 5);
  EXPECT_EQ(TripsOfInteger("s32", "0", "2", "LT", "11"), 6);
  EXPECT_EQ(TripsOfInteger("u8", "0", "5", "LT", "255"), 51);
  EXPECT_EQ(TripsOfInteger("s8", "-128", "1", "LT", "127"), 255);
  EXPECT_EQ(TripsOfInteger("s32", "5", "1", "EQ", "5"), 1);
  EXPECT_EQ(TripsOfInteger("s32", "4", "1", "EQ", "5"), 0);
}

// They go on from the other end, for longer or for ever.
TEST(TripCountTest, CountersThatWrapAroundHaveNone) {
  EXPECT_EQ(TripsOfInteger("u8", "0", "2", "LT", "255"), std::nullopt);
  EXPECT_EQ(TripsOfInteger("s8", "0", "1", "LE", "127"), std::nullopt);
  EXPECT_EQ(TripsOfInteger("u32", "5", "1", "GE", "0", "subtract"), std::nullopt);
  EXPECT_EQ(TripsOfInteger("s64", "-9223372036854775808", "1", "LT", "9223372036854775807"), std::nullopt);
  EXPECT_EQ(TripsOfInteger("s32", "0", "0", "EQ", "0"), std::nullopt);
  // 100 + 100 is -56 in eight bits, and 300 is 44.
  const std::string narrow = R"(HloModule m
body { i = $s[] parameter(0) k = $s[] constant(1) ROOT n = $s[] add(i, k) }
cond { i = $s[] parameter(0) v = s8[] convert(i) b = s8[] constant(100) ROOT c = pred[] compare(v, b), direction=LT }
ENTRY e { a = $s[] constant($first) b = $s[] constant(100) s = $s[] add(a, b) ROOT w = $s[] while(s), condition=cond, body=body }
)";
  EXPECT_EQ(TripsOf(absl::StrReplaceAll(narrow, {{"$s", "s8"}, {"$first", "100"}})), std::nullopt);
  EXPECT_EQ(TripsOf(absl::StrReplaceAll(narrow, {{"$s", "s32"}, {"$first", "200"}})), std::nullopt);
  EXPECT_EQ(TripsOf(absl::StrReplaceAll(narrow, {{"$s", "s32"}, {"$first", "-10"}})), 10);
}

TEST(TripCountTest, CostsCountTheBodyAsOftenAsItRuns) {
  const auto flops = [](const std::string& start) {
    const auto document = Document::Parse(SourceText::FromString(
        "m.hlo", Loop(start, "n = s32[] add(i, one)", "ROOT c = pred[] compare(i, ten), direction=LT")));
    const CallGraph calls(document->module());
    const CostAnalysis cost(document->module(), calls);
    EXPECT_EQ(cost.unknown_trip_counts(), 0);
    return cost.Of(document->module().entry()).flops;
  };
  // The condition runs once more, also where the body never does.
  const int64_t none = flops("constant(10)");
  EXPECT_GT(none, 0);
  EXPECT_EQ(flops("constant(0)") - none, 2 * (flops("constant(5)") - none));
}

}  // namespace
}  // namespace hloscope
