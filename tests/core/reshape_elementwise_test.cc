// SPDX-License-Identifier: Apache-2.0
// Elementwise trees are computed outside of a reshape: what matches, what must not, and what has to be kept.
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

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReshapeElementwise, TheBroadcastOfTheSpecification) {
  const RewrittenText outcome = Rewrite(R"(HloModule m
ENTRY e {
  x = f32[8,56,56,256] parameter(0)
  a = f32[8,32] parameter(1)
  r = f32[8,56,56,8,32] reshape(x)
  b = f32[8,56,56,8,32] broadcast(a), dimensions={0,4}
  s = f32[8,56,56,8,32] subtract(r, b)
  ROOT f = f32[8,56,56,256] reshape(s), metadata={op_name="flat"}
}
)");
  EXPECT_THAT(outcome.text, HasSubstr("b.1 = f32[8,8,32]{2,1,0} broadcast(a), dimensions={0,2}"));
  EXPECT_THAT(outcome.text, HasSubstr("reshape = f32[8,256]{1,0} reshape(b.1)"));
  EXPECT_THAT(outcome.text, HasSubstr("b.2 = f32[8,56,56,256]{3,2,1,0} broadcast(reshape), dimensions={0,3}"));
  EXPECT_THAT(outcome.text,
              HasSubstr("ROOT s = f32[8,56,56,256]{3,2,1,0} subtract(x, b.2), metadata={op_name=\"flat\"}"));
}

TEST(ReshapeElementwise, LeavesOfEveryKind) {
  const RewrittenText outcome = Rewrite(R"(HloModule m
ENTRY e {
  x = f32[64,1024] parameter(0)
  low = f32[] parameter(1)
  row = f32[64] parameter(2)
  r = f32[64,8,128] reshape(x)
  c = f32[64,8,128] clamp(low, r, low)
  i = s32[64,8,128] iota(), iota_dimension=1
  fi = f32[64,8,128] convert(i)
  two = f32[] constant(2)
  twos = f32[64,8,128] broadcast(two), dimensions={}
  rows = f32[64,8,128] broadcast(row), dimensions={0}
  p = f32[64,8,128] power(c, twos)
  g = pred[64,8,128] compare(p, fi), direction=GT
  s = f32[64,8,128] select(g, p, rows)
  ROOT f = f32[64,1024] reshape(s)
}
)");
  EXPECT_THAT(outcome.text, HasSubstr("clamp(low, x, low)"));
  EXPECT_THAT(outcome.text, HasSubstr("s32[8]{0} iota(), iota_dimension=0"));
  EXPECT_THAT(outcome.text, HasSubstr("broadcast(two), dimensions={}"));
  EXPECT_THAT(outcome.text, HasSubstr("broadcast(row), dimensions={0}"));
  EXPECT_THAT(outcome.text, Not(HasSubstr("f32[64,8,128]")));
}

TEST(ReshapeElementwise, NothingIsGainedWithoutAReshapeLeaf) {
  const RewrittenText outcome = Rewrite(R"(HloModule m
ENTRY e {
  x = f32[64] parameter(0)
  b = f32[64,8,128] broadcast(x), dimensions={0}
  n = f32[64,8,128] negate(b)
  ROOT f = f32[64,1024] reshape(n)
}
)");
  EXPECT_FALSE(outcome.result.changed) << outcome.text;
}

TEST(ReshapeElementwise, LeavesOfAnotherShapeAndParametersStopIt) {
  for (absl::string_view leaf : {"f32[64,8,128] parameter(1)", "f32[64,8,128] reshape(y)"}) {
    const RewrittenText outcome =
        Rewrite(absl::StrCat("HloModule m\nENTRY e {\n  x = f32[64,1024] parameter(0)\n  ",
                             leaf[14] == 'p' ? "" : "y = f32[65536] parameter(1)\n  ", "o = ", leaf, R"(
  r = f32[64,8,128] reshape(x)
  s = f32[64,8,128] add(r, o)
  ROOT f = f32[64,1024] reshape(s)
}
)"));
    EXPECT_FALSE(outcome.result.changed) << outcome.text;
  }
}

constexpr absl::string_view kTree = R"(HloModule m
ENTRY e {
  x = f32[64,1024] parameter(0)
  r = f32[64,8,16,8] reshape(x)
  n = f32[64,8,16,8] negate(r)ON_INNER
  s = f32[64,8,16,8] sine(n)ON_INNER
  f = f32[64,1024] reshape(s)ON_ROOT
  ROOT t = (f32[64,1024]) tuple(f)ON_USER
}
)";
std::string Tree(absl::string_view on_inner, absl::string_view on_root, absl::string_view on_user = "") {
  return absl::StrReplaceAll(kTree, {{"ON_INNER", on_inner}, {"ON_ROOT", on_root}, {"ON_USER", on_user}});
}

TEST(ReshapeElementwise, WhatFollowsTheOldRoot) {
  const RewrittenText outcome =
      Rewrite(Tree("", ", sharding={devices=[2,1]<=[2]}, control-predecessors={x}, metadata={op_name=\"m\"}",
                   ", control-predecessors={f}"));
  ASSERT_TRUE(outcome.result.changed);
  EXPECT_THAT(outcome.text, HasSubstr("s = f32[64,1024]{1,0} sine(n), sharding={devices=[2,1]<=[2]}, "
                                      "control-predecessors={x}, metadata={op_name=\"m\"}"));
  EXPECT_THAT(outcome.text, HasSubstr("tuple(s), control-predecessors={s}"));
}

TEST(ReshapeElementwise, ShardingsInsideMustFitEveryShape) {
  EXPECT_FALSE(Rewrite(Tree(", sharding={devices=[2,1,1,1]<=[2]}", "")).result.changed);
  const RewrittenText outcome = Rewrite(Tree(", sharding={replicated}", ""));
  EXPECT_TRUE(outcome.result.changed);
  EXPECT_THAT(outcome.text, HasSubstr("n = f32[64,1024]{1,0} negate(x), sharding={replicated}"));
}

TEST(ReshapeElementwise, InstructionsWithControlSuccessorsAreNeverCloned) {
  EXPECT_FALSE(Rewrite(Tree("", "", ", control-predecessors={n}")).result.changed);
}

TEST(ReshapeElementwise, InnerNodesWithOtherUsersAreClonedIfThatPays) {
  const RewrittenText outcome = Rewrite(R"(HloModule m
ENTRY e {
  x = f32[64,1024] parameter(0)
  r = f32[64,8,16,8] reshape(x)
  n = f32[64,8,16,8] negate(r)
  s = f32[64,8,16,8] sine(n)
  f = f32[64,1024] reshape(s)
  ROOT t = (f32[64,1024], f32[64,8,16,8]) tuple(f, n)
}
)");
  ASSERT_TRUE(outcome.result.changed);
  EXPECT_THAT(outcome.text, HasSubstr("n = f32[64,8,16,8]{3,2,1,0} negate(r)"));
  EXPECT_THAT(outcome.text, HasSubstr("n.1 = f32[64,1024]{1,0} negate(x)"));
  EXPECT_THAT(outcome.text, HasSubstr("s = f32[64,1024]{1,0} sine(n.1)"));
}

TEST(ReshapeElementwise, LayoutsOfTheLeavesMustAgreeWithTheResult) {
  EXPECT_FALSE(Rewrite(R"(HloModule m
ENTRY e {
  x = f32[64,1024]{0,1} parameter(0)
  r = f32[64,8,16,8]{3,2,1,0} reshape(x)
  s = f32[64,8,16,8]{3,2,1,0} sine(r)
  ROOT f = f32[64,1024]{1,0} reshape(s)
}
)")
                   .result.changed);
  const RewrittenText outcome = Rewrite(R"(HloModule m
ENTRY e {
  x = f32[64,1024]{0,1} parameter(0)
  r = f32[64,8,16,8]{3,2,1,0} reshape(x)
  n = f32[64,8,16,8]{3,2,1,0} negate(r)
  s = f32[64,8,16,8]{3,2,1,0} sine(n)
  ROOT f = f32[64,1024]{0,1} reshape(s)
}
)");
  EXPECT_THAT(outcome.text, HasSubstr("n = f32[64,1024]{0,1} negate(x)"));
  EXPECT_THAT(outcome.text, HasSubstr("ROOT s = f32[64,1024]{0,1} sine(n)"));
}

}  // namespace
}  // namespace hloscope
