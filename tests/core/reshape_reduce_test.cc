// SPDX-License-Identifier: Apache-2.0
// Reduces of reshapes become reduces before them: what matches, what must not, and what has to be kept.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/transform/transform.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/rewritten_text.h"

namespace hloscope {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

TEST(ReshapeReduce, TheWorkedExample) {
  const RewrittenText outcome = Rewrite(WithAdd(R"(
ENTRY e {
  img = f32[8,56,56,256] parameter(0)
  zero = f32[] constant(0)
  r = f32[8,56,56,8,32] reshape(img)
  ROOT sum = f32[8,32] reduce(r, zero), dimensions={1,2,3}, to_apply=add, metadata={op_name="norm/sum"}
}
)"));
  EXPECT_THAT(outcome.text, HasSubstr("sum.1 = f32[8,256]{1,0} reduce(img, zero), dimensions={1,2}"));
  EXPECT_THAT(outcome.text, HasSubstr("reshape = f32[8,8,32]{2,1,0} reshape(sum.1)"));
  EXPECT_THAT(outcome.text, HasSubstr("ROOT sum = f32[8,32]{1,0} reduce(reshape, zero), dimensions={1}, to_apply=add, "
                                      "metadata={op_name=\"norm/sum\"}"));
  ASSERT_EQ(outcome.result.applications.size(), 1u);
  const Application& application = outcome.result.applications[0];
  EXPECT_EQ(application.instruction, "sum");
  EXPECT_EQ(application.computation, "e");
  EXPECT_TRUE(application.reassociates);
  EXPECT_EQ(application.before.reshaped_elements, 6422528);
  EXPECT_EQ(application.after.reshaped_elements, 2048);
  EXPECT_EQ(application.before.reshaped_elements / application.after.reshaped_elements, 56 * 56);
}

TEST(ReshapeReduce, NothingIsLeftForTheOuterReduce) {
  const RewrittenText outcome = Rewrite(WithAdd(R"(
ENTRY e {
  p = f32[64,32,256] parameter(0)
  init = f32[] parameter(1)
  r = f32[64,32,8,32] reshape(p)
  ROOT sum = f32[64,8,32] reduce(r, init), dimensions={1}, to_apply=add, metadata={op_name="x"}
}
)"));
  // The one reduce keeps the old initial value.
  EXPECT_THAT(outcome.text, HasSubstr("sum = f32[64,256]{1,0} reduce(p, init), dimensions={1}"));
  EXPECT_THAT(outcome.text, HasSubstr("ROOT reshape = f32[64,8,32]{2,1,0} reshape(sum), metadata={op_name=\"x\"}"));
}

TEST(ReshapeReduce, AnInitialValueThatIsNotTheIdentityIsAppliedOnce) {
  const RewrittenText outcome = Rewrite(WithAdd(R"(
ENTRY e {
  img = f32[8,56,56,256] parameter(0)
  seven = f32[] constant(7)
  r = f32[8,56,56,8,32] reshape(img)
  ROOT sum = f32[8,32] reduce(r, seven), dimensions={1,2,3}, to_apply=add
}
)"));
  EXPECT_THAT(outcome.text, HasSubstr("constant = f32[] constant(0)"));
  EXPECT_THAT(outcome.text, HasSubstr("reduce(img, constant), dimensions={1,2}"));
  EXPECT_THAT(outcome.text, HasSubstr("reduce(reshape, seven), dimensions={1}"));
}

TEST(ReshapeReduce, IdentityOfEveryMonoid) {
  struct Case {
    absl::string_view type, operation, identity;
  };
  for (const Case& c : std::vector<Case>{{"f32", "add(a, b)", "0"},
                                         {"f32", "multiply(b, a)", "1"},
                                         {"f32", "minimum(a, b)", "inf"},
                                         {"f32", "maximum(a, b)", "-inf"},
                                         {"bf16", "maximum(a, b)", "-inf"},
                                         {"f8e4m3fn", "maximum(a, b)", "-448"},
                                         {"f8e4m3fn", "minimum(a, b)", "448"},
                                         {"f64", "minimum(a, b)", "inf"},
                                         {"s32", "add(a, b)", "0"},
                                         {"s8", "minimum(a, b)", "127"},
                                         {"s8", "maximum(a, b)", "-128"},
                                         {"u16", "minimum(a, b)", "65535"},
                                         {"u16", "maximum(a, b)", "0"},
                                         {"s64", "maximum(a, b)", "-9223372036854775808"},
                                         {"s4", "maximum(a, b)", "-8"},
                                         {"s4", "minimum(a, b)", "7"},
                                         {"u4", "and(a, b)", "15"},
                                         {"s4", "and(a, b)", "-1"},
                                         {"s32", "and(a, b)", "-1"},
                                         {"u8", "and(a, b)", "255"},
                                         {"u8", "or(a, b)", "0"},
                                         {"u8", "xor(a, b)", "0"},
                                         {"pred", "and(a, b)", "true"},
                                         {"pred", "or(a, b)", "false"},
                                         {"pred", "xor(a, b)", "false"},
                                         {"c64", "add(a, b)", "(0, 0)"},
                                         {"c64", "multiply(a, b)", "(1, 0)"}}) {
    SCOPED_TRACE(absl::StrCat(c.type, " ", c.operation));
    const RewrittenText outcome = Rewrite(OneReduce(c.type, c.operation));
    EXPECT_EQ(outcome.patterns.size(), 1u);
    EXPECT_THAT(outcome.text, HasSubstr(absl::StrCat("constant = ", c.type, "[] constant(", c.identity, ")")));
  }
}

TEST(ReshapeReduce, OtherReducersAreLeftAlone) {
  for (absl::string_view operation :
       {"subtract(a, b)", "divide(a, b)", "add(a, a)", "power(a, b)", "atan2(a, b)", "remainder(a, b)"}) {
    EXPECT_FALSE(Rewrite(OneReduce("f32", operation)).result.changed) << operation;
  }
  // Deeper ones too.
  EXPECT_FALSE(Rewrite(R"(HloModule m
op {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  n = f32[] negate(b)
  ROOT s = f32[] add(a, n)
}
ENTRY e {
  p = f32[8,16,256] parameter(0)
  init = f32[] parameter(1)
  r = f32[8,16,8,32] reshape(p)
  ROOT sum = f32[8,32] reduce(r, init), dimensions={1,2}, to_apply=op
}
)")
                   .result.changed);
}

TEST(ReshapeReduce, ExactOnly) {
  TransformOptions exact;
  exact.exact_only = true;
  EXPECT_FALSE(Rewrite(OneReduce("f32", "add(a, b)"), DefaultPasses(), exact).result.changed);
  EXPECT_FALSE(Rewrite(OneReduce("c64", "multiply(a, b)"), DefaultPasses(), exact).result.changed);
  for (const auto& [type, operation] : std::vector<std::pair<std::string, std::string>>{
           {"f32", "maximum(a, b)"}, {"s32", "add(a, b)"}, {"u8", "multiply(a, b)"}, {"pred", "or(a, b)"}}) {
    const RewrittenText outcome = Rewrite(OneReduce(type, operation), DefaultPasses(), exact);
    ASSERT_EQ(outcome.result.applications.size(), 1u) << type << operation;
    EXPECT_FALSE(outcome.result.applications[0].reassociates);
  }
}

TEST(ReshapeReduce, NothingUnmodifiedIsReduced) {
  // Only a part of the split dimension is reduced; one of size 1.
  for (absl::string_view body : {"r = f32[8,16,8,32] reshape(p)\n  ROOT s = f32[8,16,32] reduce(r, z), dimensions={2}",
                                 "r = f32[8,16,1,256] reshape(p)\n  ROOT s = f32[8,16,256] reduce(r, z), "
                                 "dimensions={2}"}) {
    const RewrittenText outcome = Rewrite(WithAdd(absl::StrCat(
        "ENTRY e {\n  p = f32[8,16,256] parameter(0)\n  z = f32[] constant(0)\n  ", body, ", to_apply=add\n}\n")));
    EXPECT_FALSE(outcome.result.changed) << outcome.text;
  }
}

TEST(ReshapeReduce, GroupsThatAreReducedEntirelyNeedNoReshape) {
  const RewrittenText outcome = Rewrite(WithAdd(R"(
ENTRY e {
  p = f32[8,16,256] parameter(0)
  z = f32[] constant(0)
  r = f32[16,8,16,16] reshape(p)
  ROOT s = f32[16] reduce(r, z), dimensions={0,1,2}, to_apply=add
}
)"));
  ASSERT_EQ(outcome.patterns.size(), 1u) << outcome.text;
  EXPECT_EQ(outcome.patterns[0], "reduce of a reshape: {0,1} before the reshape, {0} after it");
}

TEST(ReshapeReduce, DimensionsOfOneElementGlueNothingTogether) {
  const RewrittenText outcome = Rewrite(WithAdd(R"(
ENTRY e {
  p = f32[1,64,1,256,1] parameter(0)
  z = f32[] constant(0)
  r = f32[64,1,1,8,32] reshape(p)
  ROOT s = f32[32] reduce(r, z), dimensions={0,1,2,3}, to_apply=add
}
)"));
  ASSERT_EQ(outcome.patterns.size(), 1u) << outcome.text;
  EXPECT_EQ(outcome.patterns[0], "reduce of a reshape: {1,2} before the reshape, {0,1} after it");
}

TEST(ReshapeReduce, ArraysWithoutElementsAndDynamicOnesAreLeftAlone) {
  EXPECT_FALSE(Rewrite(WithAdd(R"(
ENTRY e {
  p = f32[8,0,256] parameter(0)
  z = f32[] constant(0)
  r = f32[8,0,8,32] reshape(p)
  ROOT s = f32[8,32] reduce(r, z), dimensions={1,2}, to_apply=add
}
)"))
                   .result.changed);
  EXPECT_FALSE(Rewrite(WithAdd(R"(
ENTRY e {
  p = f32[8,<=16,256] parameter(0)
  z = f32[] constant(0)
  r = f32[8,<=16,8,32] reshape(p)
  ROOT s = f32[8,32] reduce(r, z), dimensions={1,2}, to_apply=add
}
)"))
                   .result.changed);
}

TEST(ReshapeReduce, VariadicReduceOfIndependentComponents) {
  const RewrittenText outcome = Rewrite(R"(HloModule m
both {
  a = f32[] parameter(0)
  b = s32[] parameter(1)
  c = f32[] parameter(2)
  d = s32[] parameter(3)
  u = f32[] add(c, a)
  m = s32[] maximum(b, d)
  ROOT t = (f32[], s32[]) tuple(u, m)
}
ENTRY e {
  p = f32[8,16,256] parameter(0)
  q = s32[8,16,256] parameter(1)
  x = f32[] constant(1)
  y = s32[] constant(2)
  rp = f32[8,16,8,32] reshape(p)
  rq = s32[8,16,8,32] reshape(q)
  ROOT s = (f32[8,32], s32[8,32]) reduce(rp, rq, x, y), dimensions={1,2}, to_apply=both
}
)");
  EXPECT_EQ(outcome.patterns.size(), 1u);
  EXPECT_THAT(outcome.text,
              ContainsRegex("\\(f32\\[8,256\\].*, s32\\[8,256\\].*\\) reduce\\(p, q, constant.*, constant"));
  EXPECT_THAT(outcome.text, HasSubstr("constant(-2147483648)"));
  EXPECT_THAT(outcome.text, HasSubstr("ROOT s = (f32[8,32]{1,0}, s32[8,32]{1,0}) reduce(reshape, reshape.1, x, y)"));
}

TEST(ReshapeReduce, ArgMaxIsLeftAlone) {
  EXPECT_FALSE(Rewrite(R"(HloModule m
argmax {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  g = pred[] compare(a, b), direction=GE
  v = f32[] select(g, a, b)
  k = s32[] select(g, i, j)
  ROOT t = (f32[], s32[]) tuple(v, k)
}
ENTRY e {
  p = f32[8,16,256] parameter(0)
  q = s32[8,16,256] parameter(1)
  x = f32[] constant(-inf)
  y = s32[] constant(0)
  rp = f32[8,16,8,32] reshape(p)
  rq = s32[8,16,8,32] reshape(q)
  ROOT s = (f32[8,32], s32[8,32]) reduce(rp, rq, x, y), dimensions={1,2}, to_apply=argmax
}
)")
                   .result.changed);
}

TEST(ReshapeReduce, OtherUsersKeepTheReshape) {
  // The other user needs the reshaped array: it stays, and the reduce reads what has no padding.
  const RewrittenText outcome = Rewrite(WithAdd(R"(
ENTRY e {
  img = f32[8,56,56,256] parameter(0)
  zero = f32[] constant(0)
  r = f32[8,56,56,8,32] reshape(img)
  sum = f32[8,32] reduce(r, zero), dimensions={1,2,3}, to_apply=add
  ROOT t = (f32[8,32], f32[8,56,56,8,32]) tuple(sum, r)
}
)"));
  EXPECT_EQ(outcome.patterns.size(), 1u);
  EXPECT_THAT(outcome.text, HasSubstr("r = f32[8,56,56,8,32]{4,3,2,1,0} reshape(img)"));
  // Without padding nothing is gained by reading the other array.
  const RewrittenText full = Rewrite(WithAdd(R"(
ENTRY e {
  img = f32[8,56,56,1024] parameter(0)
  zero = f32[] constant(0)
  r = f32[8,56,56,8,128] reshape(img)
  sum = f32[8,128] reduce(r, zero), dimensions={1,2,3}, to_apply=add
  ROOT t = (f32[8,128], f32[8,56,56,8,128]) tuple(sum, r)
}
)"));
  EXPECT_FALSE(full.result.changed) << full.text;
}

TEST(ReshapeReduce, OnALinearTargetTheReshapeIsFree) {
  TransformOptions options;
  options.target = CostTarget::Linear();
  EXPECT_FALSE(Rewrite(OneReduce("f32", "add(a, b)"), DefaultPasses(), options).result.changed);
}

}  // namespace
}  // namespace hloscope
