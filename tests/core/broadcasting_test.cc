// SPDX-License-Identifier: Apache-2.0
// How two operands are fitted together (docs/ops/tensor.md 11.2).
#include "core/builder/broadcasting.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/module_diagnostics.h"
#include "tests/support/shape_text.h"

namespace hloscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Dims = std::optional<std::vector<int64_t>>;

Dims At(std::vector<int64_t> dims) { return dims; }

std::variant<BroadcastPlan, BroadcastProblem> Plan(absl::string_view lhs, absl::string_view rhs, const Dims& dims) {
  return PlanBroadcast({"lhs", ShapeFromText(lhs)}, {"rhs", ShapeFromText(rhs)}, dims);
}

// The shapes that an operand goes through, "f32[4] f32[4,2]"; then the result's, which must come out of a module
// without diagnostics.
std::string Path(absl::string_view lhs, absl::string_view rhs, const Dims& dims) {
  const auto plan = Plan(lhs, rhs, dims);
  if (const BroadcastProblem* problem = std::get_if<BroadcastProblem>(&plan)) return problem->message;
  const BroadcastPlan& good = *std::get_if<BroadcastPlan>(&plan);
  std::string path;
  for (int o : {0, 1}) {
    absl::StrAppend(&path, (o == 0 ? good.lhs : good.rhs).shape.ToString());
    for (const BroadcastStep& step : good.steps) {
      if (step.operand == o) absl::StrAppend(&path, " > ", step.after.ToString());
    }
    absl::StrAppend(&path, o == 0 ? " | " : " = ");
  }
  EXPECT_EQ(DiagnosticsOf(good.snippet.ModuleText({good.lhs, good.rhs})), "ok");
  EXPECT_EQ(good.snippet.result.shape, good.result);
  return absl::StrCat(path, good.result.ToString());
}

TEST(BroadcastingTest, Scalars) {
  EXPECT_EQ(Path("f32[]", "f32[2,3]", {}), "f32[] > f32[2,3] | f32[2,3] = f32[2,3]");
  EXPECT_EQ(Path("f32[4]", "f32[]", {}), "f32[4] | f32[] > f32[4] = f32[4]");
  EXPECT_EQ(Path("f32[]", "f32[]", {}), "f32[] | f32[] = f32[]");
  EXPECT_EQ(Path("f32[0,3]", "f32[]", {}), "f32[0,3] | f32[] > f32[0,3] = f32[0,3]");
  EXPECT_EQ(Path("f32[2]", "f32[]", At({})), "f32[2] | f32[] > f32[2] = f32[2]");
  EXPECT_THAT(Path("f32[2]", "f32[]", At({0})), HasSubstr("rhs is a scalar"));
}

TEST(BroadcastingTest, BroadcastDimensions) {
  EXPECT_EQ(Path("f32[2,3]", "f32[3]", At({1})), "f32[2,3] | f32[3] > f32[2,3] = f32[2,3]");
  EXPECT_EQ(Path("f32[3,3]", "f32[3]", At({0})), "f32[3,3] | f32[3] > f32[3,3] = f32[3,3]");
  EXPECT_EQ(Path("f32[3,3]", "f32[3]", At({1})), "f32[3,3] | f32[3] > f32[3,3] = f32[3,3]");
  EXPECT_EQ(Path("f32[2,3,4]", "f32[3,4]", At({1, 2})), "f32[2,3,4] | f32[3,4] > f32[2,3,4] = f32[2,3,4]");
  // (M,N,P,Q) = (2,3,4,5).
  const std::string whole = "f32[2,3,4,5]";
  const std::pair<const char*, int64_t> vectors[] = {{"f32[2]", 0}, {"f32[3]", 1}, {"f32[4]", 2}, {"f32[5]", 3}};
  for (const auto& [vector, d] : vectors) {
    EXPECT_EQ(Path(whole, vector, At({d})), absl::StrCat(whole, " | ", vector, " > ", whole, " = ", whole));
    EXPECT_EQ(Path(vector, whole, At({d})), absl::StrCat(vector, " > ", whole, " | ", whole, " = ", whole));
  }
  EXPECT_EQ(Path(whole, "f32[4,5]", At({2, 3})), whole + " | f32[4,5] > " + whole + " = " + whole);
  EXPECT_EQ(Path(whole, "f32[3,4]", At({1, 2})), whole + " | f32[3,4] > " + whole + " = " + whole);
  EXPECT_EQ(Path(whole, "f32[2,5]", At({0, 3})), whole + " | f32[2,5] > " + whole + " = " + whole);
}

TEST(BroadcastingTest, DegenerateDimensions) {
  EXPECT_EQ(Path("f32[2,1]", "f32[2,3]", {}), "f32[2,1] > f32[2,3] | f32[2,3] = f32[2,3]");
  EXPECT_EQ(Path("f32[1,2,5]", "f32[7,2,5]", {}), "f32[1,2,5] > f32[7,2,5] | f32[7,2,5] = f32[7,2,5]");
  EXPECT_EQ(Path("f32[7,2,5]", "f32[7,1,5]", {}), "f32[7,2,5] | f32[7,1,5] > f32[7,2,5] = f32[7,2,5]");
  EXPECT_EQ(Path("f32[2,1]", "f32[1,3]", {}), "f32[2,1] > f32[2,3] | f32[1,3] > f32[2,3] = f32[2,3]");
  EXPECT_EQ(Path("f32[1]", "f32[0]", {}), "f32[1] > f32[0] | f32[0] = f32[0]");
  EXPECT_EQ(Path("f32[7,2,5]", "f32[7,2,6]", {}),
            "dimension 2 has size 5 in lhs and 6 in rhs; the sizes must be equal or one of them 1");
}

TEST(BroadcastingTest, BothCombined) {
  EXPECT_EQ(Path("f32[4]", "f32[1,2]", At({0})), "f32[4] > f32[4,2] | f32[1,2] > f32[4,2] = f32[4,2]");
  EXPECT_EQ(Path("f32[4,3,1]", "f32[1,2]", At({1, 2})),
            "f32[4,3,1] > f32[4,3,2] | f32[1,2] > f32[4,1,2] > f32[4,3,2] = f32[4,3,2]");
  const auto planned = Plan("f32[4,3,1]", "f32[1,2]", At({1, 2}));
  const BroadcastPlan& plan = *std::get_if<BroadcastPlan>(&planned);
  ASSERT_EQ(plan.steps.size(), 3u);
  EXPECT_EQ(plan.steps[0].kind, BroadcastStepKind::kMap);
  EXPECT_EQ(plan.steps[0].operand, 1);
  EXPECT_THAT(plan.steps[0].repeated, ElementsAre(0));
  EXPECT_EQ(plan.steps[0].explanation,
            "its dimension 0 becomes dimension 1; its dimension 1 becomes dimension 2; dimension 0 is new, of size 4");
  EXPECT_THAT(plan.steps[2].repeated, ElementsAre(1));
  EXPECT_EQ(plan.steps[2].explanation, "dimension 1 has size 1 and is stretched to 3");
  EXPECT_THAT(
      plan.snippet.instructions,
      ElementsAre("reshape = f32[4,3] reshape(lhs)", "broadcast = f32[4,3,2] broadcast(reshape), dimensions={0,1}",
                  "reshape.1 = f32[2] reshape(rhs)", "broadcast.1 = f32[4,3,2] broadcast(reshape.1), dimensions={2}",
                  "add = f32[4,3,2] add(broadcast, broadcast.1)"));
}

TEST(BroadcastingTest, ProblemsNameTheirPlace) {
  struct Case {
    const char *lhs, *rhs;
    Dims dims;
    BroadcastProblem::Place place;
    int64_t position;
    const char* message;
  };
  using Place = BroadcastProblem::Place;
  const Case cases[] = {
      {"f32[2,3,4,5]", "f32[5,4]", At({3, 2}), Place::kDimensions, 1, "dimension 2 comes after 3"},
      {"f32[2,3,4]", "f32[3,3]", At({1, 1}), Place::kDimensions, 1, "dimension 1 comes after 1"},
      {"f32[2,3]", "f32[3]", At({2}), Place::kDimensions, 0, "dimension 2 is out of range [0,2)"},
      {"f32[2,3]", "f32[3]", At({-1}), Place::kDimensions, 0, "dimension -1 is out of range [0,2)"},
      {"f32[2,3]", "f32[3]", At({0, 1}), Place::kDimensions, -1, "there are 2 broadcast_dimensions for the 1"},
      {"f32[2,3]", "f32[3]", {}, Place::kRhs, -1, "the ranks 2 and 1 differ"},
      {"f32[3]", "f32[2,3]", At({0}), Place::kLhs, 0,
       "dimension 0 of lhs has size 3, but dimension 0 of rhs has size 2"},
      {"f32[2,3]", "f32[2,3]", At({1, 0}), Place::kDimensions, -1, "must be absent or {0,1}, not {1,0}"},
      {"f32[2]", "s32[2]", {}, Place::kRhs, -1, "the element types f32 and s32 differ"},
      {"(f32[2])", "f32[2]", {}, Place::kLhs, -1, "(f32[2]) is not an array"},
      {"f32[2]", "token[]", {}, Place::kRhs, -1, "token[] is not an array"},
      {"f32[2,?]", "f32[2,3]", {}, Place::kLhs, 1, "dimension 1 of lhs has no bound"},
      {"f32[<=2]", "f32[2]", {}, Place::kLhs, 0, "dimension 0 of lhs is dynamic, and that of rhs is static"},
      {"f32[<=2]", "f32[1]", {}, Place::kLhs, 0, "dimension 0 of lhs is dynamic, and that of rhs has size 1"},
      {"f32[<=1]", "f32[2]", {}, Place::kLhs, 0, "a dynamic size is not stretched"},
      {"f32[]", "f32[<=2]", {}, Place::kRhs, 0, "the scalar has no size to match it"},
      {"f32[<=2,3]", "f32[3]", At({1}), Place::kLhs, 0, "rhs has no such dimension"},
  };
  for (const Case& c : cases) {
    const auto plan = Plan(c.lhs, c.rhs, c.dims);
    const BroadcastProblem* problem = std::get_if<BroadcastProblem>(&plan);
    ASSERT_NE(problem, nullptr) << c.message;
    EXPECT_THAT(problem->message, HasSubstr(c.message));
    EXPECT_EQ(problem->place, c.place) << c.message;
    EXPECT_EQ(problem->position, c.position) << c.message;
  }
}

TEST(BroadcastingTest, DynamicSizesMayMatch) {
  EXPECT_EQ(Path("f32[<=2,3]", "f32[<=2,1]", {}), "f32[<=2,3] | f32[<=2,1] > f32[<=2,3] = f32[<=2,3]");
  EXPECT_EQ(Path("f32[<=2,3]", "f32[<=2]", At({0})), "f32[<=2,3] | f32[<=2] > f32[<=2,3] = f32[<=2,3]");
}

TEST(BroadcastingTest, OnlyPlainBinaryOperations) {
  EXPECT_TRUE(IsPlainBinary(Opcode::kAdd));
  EXPECT_TRUE(IsPlainBinary(Opcode::kPower));
  EXPECT_FALSE(IsPlainBinary(Opcode::kCompare));
  EXPECT_FALSE(IsPlainBinary(Opcode::kNegate));
  EXPECT_FALSE(IsPlainBinary(Opcode::kDot));
}

}  // namespace
}  // namespace hloscope
