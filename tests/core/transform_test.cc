// The rewrites of core/transform on small modules: what matches, what must not, and what has to be kept.
#include "core/transform/transform.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

struct Outcome {
  std::string text;
  TransformResult result;
  std::vector<std::string> patterns;
};

// Rewrites a text that must be good, and checks what holds for every rewrite: the result has no errors and the passes
// change nothing on it.
Outcome Rewrite(absl::string_view text, std::vector<std::string> passes = DefaultPasses(),
                TransformOptions options = {}) {
  Outcome outcome;
  const auto document = Document::Parse(SourceText::FromString("test", std::string(text)));
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity == Severity::kError) ADD_FAILURE() << "the test's own module is bad:\n" << text;
  }
  if (document->has_errors()) return outcome;
  auto result = TransformModule(document->module(), passes, options);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return outcome;
  outcome.result = *std::move(result);
  PrintOptions print = PrintOptions::Short();
  print.metadata = true;
  print.control_predecessors = true;
  outcome.text = PrintModule(outcome.result.module, print);
  for (const Application& a : outcome.result.applications) outcome.patterns.push_back(a.pattern);
  const auto again = Document::Parse(SourceText::FromString("rewritten", outcome.text));
  EXPECT_FALSE(again->has_errors()) << outcome.text;
  const auto twice = TransformModule(again->module(), passes, options);
  EXPECT_TRUE(twice.ok() && !twice->changed) << outcome.text << "\nbecomes\n" << PrintModule(twice->module, print);
  const ModuleCost before = MeasureCost(document->module(), options.target);
  const ModuleCost after = MeasureCost(outcome.result.module, options.target);
  EXPECT_FALSE(before.total.IsLessThan(after.total)) << outcome.text;
  return outcome;
}

constexpr absl::string_view kAdd = R"(
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
)";

std::string WithAdd(absl::string_view entry, absl::string_view header = "") {
  return absl::StrCat("HloModule m", header, "\n", kAdd, entry);
}

// --- Reduce of a reshape ---

TEST(ReshapeReduce, TheWorkedExample) {
  const Outcome outcome = Rewrite(WithAdd(R"(
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
  const Outcome outcome = Rewrite(WithAdd(R"(
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
  const Outcome outcome = Rewrite(WithAdd(R"(
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

// A module with one reduce by an operation on a type.
std::string OneReduce(absl::string_view type, absl::string_view operation, absl::string_view extra = "") {
  return absl::StrReplaceAll(R"(HloModule m
op {
  a = T[] parameter(0)
  b = T[] parameter(1)
  ROOT s = T[] OP
}
ENTRY e {
  p = T[8,16,256] parameter(0)
  init = T[] parameter(1)
  r = T[8,16,8,32] reshape(p)
  ROOT sum = T[8,32] reduce(r, init), dimensions={1,2}, to_apply=opEXTRA
}
)",
                             {{"T[", absl::StrCat(type, "[")}, {"OP", operation}, {"EXTRA", extra}});
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
    const Outcome outcome = Rewrite(OneReduce(c.type, c.operation));
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
    const Outcome outcome = Rewrite(OneReduce(type, operation), DefaultPasses(), exact);
    ASSERT_EQ(outcome.result.applications.size(), 1u) << type << operation;
    EXPECT_FALSE(outcome.result.applications[0].reassociates);
  }
}

TEST(ReshapeReduce, NothingUnmodifiedIsReduced) {
  // Only a part of the split dimension is reduced; one of size 1.
  for (absl::string_view body : {"r = f32[8,16,8,32] reshape(p)\n  ROOT s = f32[8,16,32] reduce(r, z), dimensions={2}",
                                 "r = f32[8,16,1,256] reshape(p)\n  ROOT s = f32[8,16,256] reduce(r, z), "
                                 "dimensions={2}"}) {
    const Outcome outcome = Rewrite(WithAdd(absl::StrCat(
        "ENTRY e {\n  p = f32[8,16,256] parameter(0)\n  z = f32[] constant(0)\n  ", body, ", to_apply=add\n}\n")));
    EXPECT_FALSE(outcome.result.changed) << outcome.text;
  }
}

TEST(ReshapeReduce, GroupsThatAreReducedEntirelyNeedNoReshape) {
  const Outcome outcome = Rewrite(WithAdd(R"(
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
  const Outcome outcome = Rewrite(WithAdd(R"(
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
  const Outcome outcome = Rewrite(R"(HloModule m
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
  const Outcome outcome = Rewrite(WithAdd(R"(
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
  const Outcome full = Rewrite(WithAdd(R"(
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

// --- Reshape of an elementwise tree ---

TEST(ReshapeElementwise, TheBroadcastOfTheSpecification) {
  const Outcome outcome = Rewrite(R"(HloModule m
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
  const Outcome outcome = Rewrite(R"(HloModule m
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
  const Outcome outcome = Rewrite(R"(HloModule m
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
    const Outcome outcome =
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
  const Outcome outcome =
      Rewrite(Tree("", ", sharding={devices=[2,1]<=[2]}, control-predecessors={x}, metadata={op_name=\"m\"}",
                   ", control-predecessors={f}"));
  ASSERT_TRUE(outcome.result.changed);
  EXPECT_THAT(outcome.text, HasSubstr("s = f32[64,1024]{1,0} sine(n), sharding={devices=[2,1]<=[2]}, "
                                      "control-predecessors={x}, metadata={op_name=\"m\"}"));
  EXPECT_THAT(outcome.text, HasSubstr("tuple(s), control-predecessors={s}"));
}

TEST(ReshapeElementwise, ShardingsInsideMustFitEveryShape) {
  EXPECT_FALSE(Rewrite(Tree(", sharding={devices=[2,1,1,1]<=[2]}", "")).result.changed);
  const Outcome outcome = Rewrite(Tree(", sharding={replicated}", ""));
  EXPECT_TRUE(outcome.result.changed);
  EXPECT_THAT(outcome.text, HasSubstr("n = f32[64,1024]{1,0} negate(x), sharding={replicated}"));
}

TEST(ReshapeElementwise, InstructionsWithControlSuccessorsAreNeverCloned) {
  EXPECT_FALSE(Rewrite(Tree("", "", ", control-predecessors={n}")).result.changed);
}

TEST(ReshapeElementwise, InnerNodesWithOtherUsersAreClonedIfThatPays) {
  const Outcome outcome = Rewrite(R"(HloModule m
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
  const Outcome outcome = Rewrite(R"(HloModule m
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

TEST(ReshapeRewrites, AScheduleStaysOne) {
  const Outcome outcome = Rewrite(WithAdd(R"(
ENTRY e {
  img = f32[8,56,56,256] parameter(0)
  r = f32[8,56,56,8,32] reshape(img)
  zero = f32[] constant(0)
  other = f32[8,56,56,256] negate(img)
  sum = f32[8,32] reduce(r, zero), dimensions={1,2,3}, to_apply=add
  ROOT t = (f32[8,32], f32[8,56,56,256]) tuple(sum, other)
}
)",
                                          ", is_scheduled=true"));
  ASSERT_TRUE(outcome.result.changed);
  // The new instructions run where the old one did.
  EXPECT_LT(outcome.text.find("other ="), outcome.text.find("reduce(img"));
  EXPECT_TRUE(outcome.result.module.header().is_scheduled);
}

TEST(ReshapeRewrites, OnEveryComputationButThoseWhoseFormMatters) {
  const std::string module = WithAdd(R"(
fused {
  p = f32[8,56,56,256] parameter(0)
  z = f32[] constant(0)
  r = f32[8,56,56,8,32] reshape(p)
  ROOT s = f32[8,32] reduce(r, z), dimensions={1,2,3}, to_apply=add
}
ENTRY e {
  img = f32[8,56,56,256] parameter(0)
  ROOT f = f32[8,32] fusion(img), kind=KIND, calls=fused
}
)");
  EXPECT_EQ(Rewrite(absl::StrReplaceAll(module, {{"KIND", "kInput"}})).patterns.size(), 1u);
  EXPECT_EQ(Rewrite(absl::StrReplaceAll(module, {{"KIND", "kCustom"}})).patterns.size(), 0u);
  EXPECT_EQ(Rewrite(absl::StrReplaceAll(module, {{"fusion(img), kind=KIND, calls=fused", "call(img), to_apply=fused"}}))
                .patterns.size(),
            1u);
  EXPECT_EQ(
      Rewrite(absl::StrReplaceAll(module, {{"ROOT f = f32[8,32] fusion(img), kind=KIND, calls=fused",
                                            "a = ((f32[8,56,56,256]), f32[8,32], s32[]) async-start(img), calls=fused, "
                                            "async_execution_thread=\"parallel\"\n"
                                            "  ROOT f = f32[8,32] async-done(a)"},
                                           {"}\nENTRY", "}, execution_thread=\"parallel\"\nENTRY"}}))
          .patterns.size(),
      0u);
}

// Two reduces and the way back share one reshape: without padding none of them pays by itself.
constexpr absl::string_view kShared = R"(
ENTRY e {
  img = f32[8,56,56,1024] parameter(0)
  zero = f32[] constant(0)
  r = f32[8,56,56,8,128] reshape(img)
  sum = f32[8,128] reduce(r, zero), dimensions={1,2,3}, to_apply=add
  sums = f32[8,56,56,8,128] broadcast(sum), dimensions={0,4}
  c = f32[8,56,56,8,128] subtract(r, sums)
  ROOT f = f32[8,56,56,1024] reshape(c)
}
)";

TEST(ReshapeRewrites, TogetherWhereOneByOneDoesNotPay) {
  const Outcome outcome = Rewrite(WithAdd(kShared));
  ASSERT_TRUE(outcome.result.changed);
  EXPECT_THAT(outcome.text, HasSubstr("reduce(img, zero), dimensions={1,2}"));
  EXPECT_THAT(outcome.text, Not(HasSubstr("f32[8,56,56,8,128]")));
}

TEST(ReshapeRewrites, LongChainsAreSearchedOnce) {
  std::string body = "ENTRY e {\n  y_0 = f32[8,16,256] parameter(0)\n  zero = f32[] constant(0)\n";
  constexpr int kLayers = 1000;
  for (int i = 0; i < kLayers; ++i) {
    absl::StrAppend(&body, "  r_", i, " = f32[8,16,8,32] reshape(y_", i, ")\n  s_", i, " = f32[8,32] reduce(r_", i,
                    ", zero), dimensions={1,2}, to_apply=add\n  b_", i, " = f32[8,16,8,32] broadcast(s_", i,
                    "), dimensions={0,3}\n  d_", i, " = f32[8,16,8,32] subtract(r_", i, ", b_", i, ")\n  f_", i,
                    " = f32[8,16,256] reshape(d_", i, ")\n  y_", i + 1, " = f32[8,16,256] add(f_", i, ", y_", i, ")\n");
  }
  const Outcome outcome = Rewrite(WithAdd(absl::StrCat(body, "  ROOT r = f32[8,16,256] negate(y_", kLayers, ")\n}\n")));
  EXPECT_EQ(outcome.result.applications.size(), 2u * kLayers);
  EXPECT_FALSE(outcome.result.gave_up);
}

TEST(ReshapeRewrites, SingleOnes) {
  const auto document = Document::Parse(SourceText::FromString("test", OneReduce("f32", "add(a, b)")));
  const auto found = FindApplications(document->module(), DefaultPasses(), {});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ((*found)[0].instruction, "sum");
  TransformOptions options;
  options.only_instruction = "other";
  EXPECT_FALSE(TransformModule(document->module(), DefaultPasses(), options)->changed);
  options.only_instruction = "sum";
  EXPECT_TRUE(TransformModule(document->module(), DefaultPasses(), options)->changed);
  options.only_instruction.clear();
  options.only_computation = "other";
  EXPECT_FALSE(TransformModule(document->module(), DefaultPasses(), options)->changed);
  options.only_computation = (*found)[0].computation;
  EXPECT_TRUE(TransformModule(document->module(), DefaultPasses(), options)->changed);
}

TEST(ReshapeRewrites, ExplanationsNameGroupsAndInstructions) {
  TransformOptions options;
  options.explain = true;
  const Outcome outcome = Rewrite(WithAdd(kShared), DefaultPasses(), options);
  ASSERT_FALSE(outcome.result.applications.empty());
  std::string all;
  for (const Application& a : outcome.result.applications) {
    for (const auto* lines : {&a.notes, &a.removed, &a.added}) {
      for (const std::string& line : *lines) absl::StrAppend(&all, line, "\n");
    }
  }
  EXPECT_THAT(all, HasSubstr("8|8 56|56 56|56 1024|8,128"));
  EXPECT_THAT(all, HasSubstr("reduce(img, zero), dimensions={1,2}"));
}

// --- Clean-ups ---

TEST(CleanUps, CommonSubexpressionsAndDeadCode) {
  const Outcome outcome = Rewrite(R"(HloModule m
unused {
  ROOT p = f32[4] parameter(0)
}
ENTRY e {
  x = f32[4] parameter(0)
  dead_parameter = f32[4] parameter(1)
  a = f32[4] negate(x), metadata={op_name="a"}
  b = f32[4] negate(x), metadata={op_name="b"}
  c = f32[4] add(a, b)
  d = f32[4] add(b, a)
  one = f32[] constant(1)
  uno = f32[] constant(1)
  gone = f32[4] sine(c)
  k1 = f32[4] copy(x)
  k2 = f32[4] copy(x)
  ROOT t = (f32[4], f32[4], f32[], f32[], f32[4], f32[4]) tuple(c, d, one, uno, k1, k2)
}
)",
                                  {"cse", "dce"});
  EXPECT_THAT(outcome.text, AllOf(HasSubstr("c = f32[4]{0} add(a, a)"), HasSubstr("dead_parameter"),
                                  Not(HasSubstr("gone")), Not(HasSubstr("unused"))));
  // Copies exist for their buffers.
  EXPECT_THAT(outcome.text, HasSubstr("tuple(c, c, one, one, k1, k2)"));
}

TEST(Passes, UnknownOnesAreRefused) {
  const auto result = TransformModule(Module(), {"reshape-reducee"}, {});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(result.status().message()), HasSubstr("did you mean `reshape-reduce`?"));
  EXPECT_THAT(std::string(TransformModule(Module(), {"zzzzzz"}, {}).status().message()), HasSubstr("passes are "));
}

TEST(CostTargets, Texts) {
  EXPECT_EQ(CostTarget::Parse("tpu")->name(), "tpu");
  EXPECT_EQ(CostTarget::Parse("T(8,128)(2,1)")->name(), "T(8,128)(2,1)");
  for (const char* bad : {"", "gpu", "T", "T(", "T()x", "T(8,128)S(1)", "T(0,1)", "T(8,128)}{", "T(8,128)\n"}) {
    EXPECT_FALSE(CostTarget::Parse(bad).ok()) << bad;
  }
  const Shape f32 = Shape::Array(ElementType::kF32, {3, 5});
  EXPECT_EQ(CostTarget::Tpu().Place(f32).ToString(), "f32[3,5]{1,0:T(8,128)}");
  EXPECT_EQ(CostTarget::Tpu().Place(Shape::Array(ElementType::kBF16, {3, 5})).ToString(),
            "bf16[3,5]{1,0:T(8,128)(2,1)}");
  EXPECT_EQ(CostTarget::Tpu().Place(Shape::Array(ElementType::kS8, {3, 5})).ToString(), "s8[3,5]{1,0:T(8,128)(4,1)}");
  EXPECT_EQ(CostTarget::Tpu().Place(Shape::Scalar(ElementType::kF32)).ToString(), "f32[]");
  EXPECT_EQ(CostTarget::Linear().Place(CostTarget::Tpu().Place(f32)).ToString(), "f32[3,5]{1,0}");
}

}  // namespace
}  // namespace hloscope
