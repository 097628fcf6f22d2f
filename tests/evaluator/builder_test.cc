// SPDX-License-Identifier: Apache-2.0
// The expansions of builder operations compute what the builder promises: every result here is worked out by hand.
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/builder/broadcasting.h"
#include "core/builder/expansions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/session_test_support.h"
#include "tests/support/shape_text.h"

namespace hloscope::evaluator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Runs a snippet whose parameters have these values, "s32[2] {1, 2}", in order.
void ExpectResult(const Snippet& snippet, const std::vector<BuilderValue>& parameters,
                  const std::vector<std::string>& values, absl::string_view expected) {
  const std::string text = snippet.ModuleText(parameters);
  SCOPED_TRACE(text);
  std::vector<Value> arguments;
  for (const std::string& value : values) {
    absl::StatusOr<Value> argument = ValueFromTypedText(value);
    ASSERT_TRUE(argument.ok()) << argument.status();
    arguments.push_back(*std::move(argument));
  }
  const std::shared_ptr<const Module> module = ModuleFromText(text);
  ASSERT_NE(module, nullptr);
  const absl::StatusOr<Value> result = EvaluateModule(module, arguments);
  ASSERT_TRUE(result.ok()) << result.status();
  const absl::StatusOr<Value> want = ValueFromTypedText(expected);
  ASSERT_TRUE(want.ok()) << want.status();
  EXPECT_TRUE(ValuesAgree(*result, *want));
}

// The shape in front of a literal.
Shape ShapeOf(absl::string_view typed) { return ShapeFromText(typed.substr(0, typed.find(' '))); }

std::optional<std::vector<int64_t>> At(std::vector<int64_t> dims) { return dims; }

void ExpectSum(const std::string& lhs, const std::string& rhs, const std::optional<std::vector<int64_t>>& dims,
               absl::string_view expected) {
  const auto plan = PlanBroadcast({"a", ShapeOf(lhs)}, {"b", ShapeOf(rhs)}, dims);
  const BroadcastPlan* good = std::get_if<BroadcastPlan>(&plan);
  ASSERT_NE(good, nullptr) << std::get_if<BroadcastProblem>(&plan)->message;
  ExpectResult(good->snippet, {good->lhs, good->rhs}, {lhs, rhs}, expected);
}

TEST(BuilderTest, BinaryOperationsBroadcast) {
  const std::string m23 = "s32[2,3] {{1, 2, 3}, {4, 5, 6}}";
  const std::string m33 = "s32[3,3] {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}";
  const std::string v3 = "s32[3] {10, 20, 30}";
  ExpectSum(m23, v3, At({1}), "s32[2,3] {{11, 22, 33}, {14, 25, 36}}");
  ExpectSum(m33, v3, At({0}), "s32[3,3] {{11, 12, 13}, {24, 25, 26}, {37, 38, 39}}");
  ExpectSum(m33, v3, At({1}), "s32[3,3] {{11, 22, 33}, {14, 25, 36}, {17, 28, 39}}");
  ExpectSum(v3, m33, At({0}), "s32[3,3] {{11, 12, 13}, {24, 25, 26}, {37, 38, 39}}");
  ExpectSum(
      "s32[2,3,4] {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, {{13, 14, 15, 16}, {17, 18, 19, 20}, {21, 22, "
      "23, 24}}}",
      "s32[3,4] {{100, 200, 300, 400}, {500, 600, 700, 800}, {900, 1000, 1100, 1200}}", At({1, 2}),
      "s32[2,3,4] {{{101, 202, 303, 404}, {505, 606, 707, 808}, {909, 1010, 1111, 1212}}, {{113, 214, 315, 416}, "
      "{517, 618, 719, 820}, {921, 1022, 1123, 1224}}}");
  ExpectSum(m23, "s32[] 100", {}, "s32[2,3] {{101, 102, 103}, {104, 105, 106}}");
  ExpectSum("s32[2,1] {{10}, {20}}", m23, {}, "s32[2,3] {{11, 12, 13}, {24, 25, 26}}");
  ExpectSum("s32[2,1] {{10}, {20}}", "s32[1,3] {{1, 2, 3}}", {}, "s32[2,3] {{11, 12, 13}, {21, 22, 23}}");
  ExpectSum("s32[4] {1, 2, 3, 4}", "s32[1,2] {{10, 20}}", At({0}), "s32[4,2] {{11, 21}, {12, 22}, {13, 23}, {14, 24}}");
  ExpectSum("s32[2,3,1] {{{1}, {2}, {3}}, {{4}, {5}, {6}}}", "s32[1,2] {{10, 20}}", At({1, 2}),
            "s32[2,3,2] {{{11, 21}, {12, 22}, {13, 23}}, {{14, 24}, {15, 25}, {16, 26}}}");
}

// (M,N,P,Q) = (2,1,2,2) with a vector on each dimension and matrices on pairs of them: small enough to add by hand.
TEST(BuilderTest, VectorsAndMatricesOfFourDimensions) {
  const std::string whole = "s32[2,1,2,2] {{{{1, 2}, {3, 4}}}, {{{5, 6}, {7, 8}}}}";
  ExpectSum(whole, "s32[2] {10, 20}", At({0}), "s32[2,1,2,2] {{{{11, 12}, {13, 14}}}, {{{25, 26}, {27, 28}}}}");
  ExpectSum(whole, "s32[1] {10}", At({1}), "s32[2,1,2,2] {{{{11, 12}, {13, 14}}}, {{{15, 16}, {17, 18}}}}");
  ExpectSum(whole, "s32[2] {10, 20}", At({2}), "s32[2,1,2,2] {{{{11, 12}, {23, 24}}}, {{{15, 16}, {27, 28}}}}");
  ExpectSum(whole, "s32[2] {10, 20}", At({3}), "s32[2,1,2,2] {{{{11, 22}, {13, 24}}}, {{{15, 26}, {17, 28}}}}");
  const std::string matrix = "s32[2,2] {{10, 20}, {30, 40}}";
  ExpectSum(whole, matrix, At({2, 3}), "s32[2,1,2,2] {{{{11, 22}, {33, 44}}}, {{{15, 26}, {37, 48}}}}");
  ExpectSum(whole, "s32[1,2] {{10, 20}}", At({1, 2}), "s32[2,1,2,2] {{{{11, 12}, {23, 24}}}, {{{15, 16}, {27, 28}}}}");
  ExpectSum(whole, matrix, At({0, 3}), "s32[2,1,2,2] {{{{11, 22}, {13, 24}}}, {{{35, 46}, {37, 48}}}}");
}

TEST(BuilderTest, BroadcastInDim) {
  const BuilderValue x{"x", ShapeFromText("s32[2,1]")};
  const auto snippet = ExpandBroadcastInDim(x, {2, 3, 2}, {0, 2});
  ASSERT_TRUE(snippet.ok());
  EXPECT_THAT(snippet->instructions,
              ElementsAre("reshape = s32[2] reshape(x)", "broadcast = s32[2,3,2] broadcast(reshape), dimensions={0}"));
  ExpectResult(*snippet, {x}, {"s32[2,1] {{7}, {8}}"},
               "s32[2,3,2] {{{7, 7}, {7, 7}, {7, 7}}, {{8, 8}, {8, 8}, {8, 8}}}");
  const auto nothing = ExpandBroadcastInDim(x, {2, 1}, {0, 1});
  ASSERT_TRUE(nothing.ok());
  EXPECT_TRUE(nothing->instructions.empty());
  ExpectResult(*nothing, {x}, {"s32[2,1] {{7}, {8}}"}, "s32[2,1] {{7}, {8}}");
  const auto error = [&](const BuilderValue& v, std::vector<int64_t> sizes, std::vector<int64_t> dims) {
    return std::string(ExpandBroadcastInDim(v, sizes, dims).status().message());
  };
  EXPECT_EQ(error(x, {2, 3}, {0}), "broadcast-in-dim: 1 broadcast dimensions, operand rank is 2");
  EXPECT_EQ(error(x, {2}, {0, 1}), "broadcast-in-dim: operand rank 2 exceeds output rank 1");
  EXPECT_EQ(error(x, {2, 3}, {0, 2}), "broadcast-in-dim: dimension 2 out of range [0,2)");
  EXPECT_EQ(error(x, {3, 3}, {0, 1}), "broadcast-in-dim: operand dimension 0 is 2, output dimension 0 is 3");
  EXPECT_EQ(error(x, {2, 2}, {1, 0}), "broadcast-in-dim: dimension 0 comes after 1");
  EXPECT_EQ(error({"x", ShapeFromText("s32[<=2]")}, {2, 2}, {0}),
            "broadcast-in-dim: dimension 0 is dynamic on one side only");
  EXPECT_EQ(error(x, {2, -1}, {0, 1}), "broadcast-in-dim: size[1]=-1 is negative");
  EXPECT_EQ(error(x, {2, kUnboundedSize}, {0, 1}), "broadcast-in-dim: size[1]=? is unbounded");
  EXPECT_THAT(error(x, {2, int64_t{1} << 62}, {0, 1}), HasSubstr("size computation overflows"));
  EXPECT_EQ(error({"x", Shape::Token()}, {2}, {0}), "broadcast-in-dim: operand 0 must be an array, got token[]");
}

TEST(BuilderTest, Broadcast) {
  const BuilderValue x{"broadcast", ShapeFromText("s32[2]")};
  const auto snippet = ExpandBroadcast(x, {2, 1});
  ASSERT_TRUE(snippet.ok());
  EXPECT_THAT(snippet->instructions, ElementsAre("broadcast.1 = s32[2,1,2] broadcast(broadcast), dimensions={2}"));
  ExpectResult(*snippet, {x}, {"s32[2] {1, 2}"}, "s32[2,1,2] {{{1, 2}}, {{1, 2}}}");
  EXPECT_EQ(ExpandBroadcast(x, {-3}).status().message(), "broadcast: size[0]=-3 is negative");
  EXPECT_THAT(std::string(ExpandBroadcast({"x", ShapeFromText("s32[<=2]")}, {3}).status().message()),
              HasSubstr("dynamic size"));
}

// v : [3,2,4] with the values 0..23, as in 11.1.
constexpr char kCounting[] =
    "s32[3,2,4] {{{0, 1, 2, 3}, {4, 5, 6, 7}}, {{8, 9, 10, 11}, {12, 13, 14, 15}}, {{16, 17, 18, 19}, {20, 21, 22, "
    "23}}}";

TEST(BuilderTest, Collapse) {
  const BuilderValue v{"v", ShapeFromText("s32[3,2,4]")};
  ExpectResult(
      *ExpandCollapse(v, {0, 1}), {v}, {kCounting},
      "s32[6,4] {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}, {16, 17, 18, 19}, {20, 21, 22, 23}}");
  ExpectResult(*ExpandCollapse(v, {1, 2}), {v}, {kCounting},
               "s32[3,8] {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}, {16, 17, 18, 19, 20, 21, 22, 23}}");
  EXPECT_TRUE(ExpandCollapse(v, {1})->instructions.empty());
  EXPECT_TRUE(ExpandCollapse(v, {})->instructions.empty());
  EXPECT_EQ(ExpandCollapse(v, {0, 2}).status().message(), "collapse: dimensions {0,2} are not consecutive ascending");
  EXPECT_EQ(ExpandCollapse(v, {1, 0}).status().message(), "collapse: dimensions {1,0} are not consecutive ascending");
  EXPECT_EQ(ExpandCollapse(v, {2, 3}).status().message(), "collapse: dimension 3 out of range [0,3)");
}

TEST(BuilderTest, ReshapeWithAnOrder) {
  const BuilderValue v{"v", ShapeFromText("s32[3,2,4]")};
  ExpectResult(*ExpandReshape(v, {1, 2, 0}, {24}), {v}, {kCounting},
               "s32[24] {0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5, 13, 21, 6, 14, 22, 7, 15, 23}");
  ExpectResult(
      *ExpandReshape(v, {1, 2, 0}, {6, 4}), {v}, {kCounting},
      "s32[6,4] {{0, 8, 16, 1}, {9, 17, 2, 10}, {18, 3, 11, 19}, {4, 12, 20, 5}, {13, 21, 6, 14}, {22, 7, 15, 23}}");
  EXPECT_EQ(ExpandReshape(v, {0, 1, 2}, {24})->instructions.size(), 1u);
  EXPECT_EQ(ExpandReshape(v, {1, 2, 0}, {2, 4, 3})->instructions.size(), 1u);
  EXPECT_TRUE(ExpandReshape(v, {0, 1, 2}, {3, 2, 4})->instructions.empty());
  const BuilderValue one{"one", ShapeFromText("f32[1,1,1]")};
  ExpectResult(*ExpandReshape(one, {2, 0, 1}, {}), {one}, {"f32[1,1,1] {{{5}}}"}, "f32[] 5");
  EXPECT_EQ(ExpandReshape(v, {0, 1, 2}, {5, 5}).status().message(),
            "reshape: 24 elements in s32[3,2,4] but 25 in s32[5,5]");
  EXPECT_THAT(std::string(ExpandReshape(v, {0, 1, 1}, {24}).status().message()), HasSubstr("the order {0,1,1}"));
}

TEST(BuilderTest, SamePaddingOfTheSpecification) {
  const std::vector<std::vector<int64_t>> rows = {// input, window, stride, output, low, high
                                                  {5, 3, 2, 3, 1, 1}, {4, 2, 1, 4, 0, 1}, {11, 6, 3, 4, 2, 2},
                                                  {8, 6, 1, 8, 2, 3}, {5, 1, 3, 2, 0, 0}, {0, 3, 1, 0, 1, 1}};
  for (const std::vector<int64_t>& row : rows) {
    const absl::StatusOr<SamePadding> padding = ComputeSamePadding(row[0], row[1], row[2]);
    ASSERT_TRUE(padding.ok());
    EXPECT_THAT(std::vector<int64_t>({padding->output, padding->low, padding->high}),
                ElementsAre(row[3], row[4], row[5]));
  }
  EXPECT_FALSE(ComputeSamePadding(INT64_MAX, INT64_MAX, INT64_MAX).ok() &&
               ComputeSamePadding(INT64_MAX, INT64_MAX, 1).ok());
}

TEST(BuilderTest, Conv) {
  const BuilderValue l{"l", ShapeFromText("s32[1,1,5]")}, k{"k", ShapeFromText("s32[1,1,3]")};
  const std::vector<std::string> values = {"s32[1,1,5] {{{1, 2, 3, 4, 5}}}", "s32[1,1,3] {{{1, 0, -1}}}"};
  // VALID: 1-3, 2-4, 3-5.
  ExpectResult(*ExpandConv(l, k, {}), {l, k}, values, "s32[1,1,3] {{{-2, -2, -2}}}");
  // SAME, stride 2: one zero on each side; 0-2, 2-4, 4-0.
  ConvOptions same;
  same.padding = ConvPadding::kSame;
  same.strides = {2};
  const auto snippet = ExpandConv(l, k, same);
  ASSERT_TRUE(snippet.ok());
  EXPECT_THAT(snippet->instructions,
              ElementsAre("convolution = s32[1,1,3] convolution(l, k), window={size=3 stride=2 pad=1_1}, "
                          "dim_labels=bf0_oi0->bf0"));
  ExpectResult(*snippet, {l, k}, values, "s32[1,1,3] {{{-2, -2, 4}}}");
  // SAME with an even window: the one extra zero goes high. 1+2, 2+3, 3+4, 4+5, 5+0.
  const BuilderValue two{"two", ShapeFromText("s32[1,1,2]")};
  same.strides = {};
  ExpectResult(*ExpandConv(l, two, same), {l, two}, {values[0], "s32[1,1,2] {{{1, 1}}}"},
               "s32[1,1,5] {{{3, 5, 7, 9, 5}}}");
  // 2-D, SAME, all ones: how many elements each 2x2 window covers.
  const BuilderValue image{"image", ShapeFromText("s32[1,1,2,2]")}, ones{"ones", ShapeFromText("s32[1,1,2,2]")};
  ExpectResult(*ExpandConv(image, ones, same), {image, ones},
               {"s32[1,1,2,2] {{{{1, 1}, {1, 1}}}}", "s32[1,1,2,2] {{{{1, 1}, {1, 1}}}}"},
               "s32[1,1,2,2] {{{{4, 2}, {2, 1}}}}");
  // Two feature groups of one feature each.
  const BuilderValue lf{"lf", ShapeFromText("s32[1,2,2]")}, kf{"kf", ShapeFromText("s32[2,1,1]")};
  ConvOptions groups;
  groups.feature_group_count = 2;
  ExpectResult(*ExpandConv(lf, kf, groups), {lf, kf}, {"s32[1,2,2] {{{1, 2}, {3, 4}}}", "s32[2,1,1] {{{10}}, {{100}}}"},
               "s32[1,2,2] {{{10, 20}, {300, 400}}}");
  // No spatial dimensions: a matrix product with the transposed kernel.
  const BuilderValue lm{"lm", ShapeFromText("s32[1,2]")}, km{"km", ShapeFromText("s32[3,2]")};
  ExpectResult(*ExpandConv(lm, km, {}), {lm, km}, {"s32[1,2] {{1, 10}}", "s32[3,2] {{1, 2}, {3, 4}, {5, 6}}"},
               "s32[1,3] {{21, 43, 65}}");
  const auto error = [](const BuilderValue& a, const BuilderValue& b, const ConvOptions& options) {
    return std::string(ExpandConv(a, b, options).status().message());
  };
  EXPECT_THAT(error(l, lm, {}), HasSubstr("equal ranks of at least 2"));
  ConvOptions wrong;
  wrong.strides = {1, 1};
  EXPECT_EQ(error(l, k, wrong), "conv: strides has 2 entries, expected 1");
  wrong.strides = {0};
  EXPECT_THAT(error(l, k, wrong), HasSubstr("window size 3 and stride 0"));
  wrong.strides = {};
  wrong.batch_group_count = 0;
  EXPECT_THAT(error(l, k, wrong), HasSubstr("must be positive"));
  EXPECT_THAT(error({"l", ShapeFromText("s32[1,1,<=5]")}, k, same), HasSubstr("dynamic size"));
}

TEST(BuilderTest, CrossReplicaSum) {
  const BuilderValue x{"x", ShapeFromText("s32[2]")};
  const auto snippet = ExpandCrossReplicaSum(x, {});
  ASSERT_TRUE(snippet.ok());
  EXPECT_THAT(snippet->instructions,
              ElementsAre("all-reduce = s32[2] all-reduce(x), replica_groups={}, to_apply=add_s32"));
  ExpectResult(*snippet, {x}, {"s32[2] {3, 4}"}, "s32[2] {3, 4}");
  const BuilderValue p{"p", ShapeFromText("pred[1]")};
  EXPECT_THAT(ExpandCrossReplicaSum(p, {{0}})->instructions,
              ElementsAre("all-reduce = pred[1] all-reduce(p), replica_groups={{0}}, to_apply=or_pred"));
  ExpectResult(*ExpandCrossReplicaSum(p, {{0}}), {p}, {"pred[1] {true}"}, "pred[1] {true}");
  const BuilderValue pair{"pair", ShapeFromText("(f32[2], s32[])")};
  ExpectResult(*ExpandCrossReplicaSum({"pair", ShapeFromText("(f32[2], f32[])")}, {}),
               {{"pair", ShapeFromText("(f32[2], f32[])")}}, {"(f32[2] {1, 2}, f32[] 3)"}, "(f32[2] {1, 2}, f32[] 3)");
  const BuilderValue single{"single", ShapeFromText("(f32[2])")};
  ExpectResult(*ExpandCrossReplicaSum(single, {}), {single}, {"(f32[2] {1, 2})"}, "(f32[2] {1, 2})");
  EXPECT_EQ(ExpandCrossReplicaSum({"x", Shape::Tuple({})}, {}).status().message(),
            "cross-replica-sum: tuple has no elements");
  EXPECT_FALSE(ExpandCrossReplicaSum({"x", ShapeFromText("(token[])")}, {}).ok());
  EXPECT_FALSE(ExpandCrossReplicaSum({"x", Shape::Token()}, {}).ok());
}

TEST(BuilderTest, CallsOnOneDimension) {
  const BuilderValue a{"a", ShapeFromText("s32[2,2]")}, b{"b", ShapeFromText("s32[2,1]")};
  const std::string square = "s32[2,2] {{1, 2}, {3, 4}}";
  ExpectResult(*ExpandConcatInDim({a, b}, 1), {a, b}, {square, "s32[2,1] {{5}, {6}}"},
               "s32[2,3] {{1, 2, 5}, {3, 4, 6}}");
  const auto error = [](const absl::StatusOr<Snippet>& snippet) { return std::string(snippet.status().message()); };
  EXPECT_EQ(error(ExpandConcatInDim({a, b}, 0)),
            "concat-in-dim: s32[2,2] and s32[2,1] must agree in everything but dimension 0");
  EXPECT_EQ(error(ExpandConcatInDim({a, b}, 2)), "concat-in-dim: dimension 2 out of range [0,2)");
  EXPECT_FALSE(ExpandConcatInDim({}, 0).ok());
  const BuilderValue huge{"h", ShapeFromText("s8[9000000000000000000]")};
  EXPECT_THAT(error(ExpandConcatInDim({huge, huge}, 0)), HasSubstr("overflows"));

  const BuilderValue v{"v", ShapeFromText("s32[2,5]")};
  const std::string counting = "s32[2,5] {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}}";
  ExpectResult(*ExpandSliceInDim(v, 1, 5, 2, 1), {v}, {counting}, "s32[2,2] {{1, 3}, {6, 8}}");
  ExpectResult(*ExpandSliceInDim(v, 1, 2, 1, 0), {v}, {counting}, "s32[1,5] {{5, 6, 7, 8, 9}}");
  ExpectResult(*ExpandSliceInDim(v, 3, 3, 1, 1), {v}, {counting}, "s32[2,0] {{}, {}}");
  EXPECT_EQ(error(ExpandSliceInDim(v, 3, 6, 1, 1)),
            "slice-in-dim: [3:6:1] is no range of dimension 1, which has size 5");
  EXPECT_FALSE(ExpandSliceInDim(v, 3, 2, 1, 1).ok());
  EXPECT_FALSE(ExpandSliceInDim(v, -1, 2, 1, 1).ok());
  EXPECT_FALSE(ExpandSliceInDim(v, 0, 2, 0, 1).ok());
  EXPECT_FALSE(ExpandSliceInDim(v, 0, 2, 1, -1).ok());

  const BuilderValue zero{"zero", ShapeFromText("s32[]")};
  ExpectResult(*ExpandPadInDim(a, zero, 1, 1, 2), {a, zero}, {square, "s32[] 7"},
               "s32[2,5] {{7, 1, 2, 7, 7}, {7, 3, 4, 7, 7}}");
  ExpectResult(*ExpandPadInDim(a, zero, 0, -1, 1), {a, zero}, {square, "s32[] 7"}, "s32[2,2] {{3, 4}, {7, 7}}");
  EXPECT_EQ(error(ExpandPadInDim(a, zero, 0, -2, -1)),
            "pad-in-dim: dimension 0 would have size -1 (2 with padding -2_-1)");
  EXPECT_EQ(error(ExpandPadInDim(a, {"f", ShapeFromText("f32[]")}, 0, 0, 0)),
            "pad-in-dim: `f` must be s32[], got f32[]");
  EXPECT_FALSE(ExpandPadInDim(a, zero, 2, 0, 0).ok());

  ExpectResult(*ExpandReduceAll(a, zero, Opcode::kAdd), {a, zero}, {square, "s32[] 10"}, "s32[] 20");
  ExpectResult(*ExpandReduceAll(a, zero, Opcode::kMaximum), {a, zero}, {square, "s32[] 0"}, "s32[] 4");
  ExpectResult(*ExpandReduceAll(zero, {"init", ShapeFromText("s32[]")}, Opcode::kAdd),
               {zero, {"init", ShapeFromText("s32[]")}}, {"s32[] 3", "s32[] 4"}, "s32[] 7");
  EXPECT_THAT(error(ExpandReduceAll(a, zero, Opcode::kCompare)), HasSubstr("does not make one value of two"));
  EXPECT_FALSE(ExpandReduceAll(a, a, Opcode::kAdd).ok());
}

TEST(BuilderTest, DotOfVectorsAndMatrices) {
  const BuilderValue v{"v", ShapeFromText("s32[2]")}, w{"w", ShapeFromText("s32[2]")};
  const BuilderValue m{"m", ShapeFromText("s32[3,2]")}, n{"n", ShapeFromText("s32[2,2]")};
  const std::string vector = "s32[2] {1, 10}", tall = "s32[3,2] {{1, 2}, {3, 4}, {5, 6}}";
  ExpectResult(*ExpandDot(v, w), {v, w}, {vector, "s32[2] {2, 3}"}, "s32[] 32");
  ExpectResult(*ExpandDot(m, v), {m, v}, {tall, vector}, "s32[3] {21, 43, 65}");
  ExpectResult(*ExpandDot(v, n), {v, n}, {vector, "s32[2,2] {{1, 2}, {3, 4}}"}, "s32[2] {31, 42}");
  ExpectResult(*ExpandDot(m, n), {m, n}, {tall, "s32[2,2] {{0, 1}, {1, 0}}"}, "s32[3,2] {{2, 1}, {4, 3}, {6, 5}}");
  EXPECT_EQ(ExpandDot(m, m).status().message(),
            "dot: lhs contracting dimension 1 has size 2 but rhs contracting dimension 0 has size 3");
  EXPECT_FALSE(ExpandDot(v, {"s", ShapeFromText("s32[]")}).ok());
}

}  // namespace
}  // namespace hloscope::evaluator
