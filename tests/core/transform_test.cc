// SPDX-License-Identifier: Apache-2.0
// The passes of core/transform on small modules: several rewrites together, clean-ups, names and targets.
#include "core/transform/transform.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/rewritten_text.h"

namespace hloscope {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReshapeRewrites, AScheduleStaysOne) {
  const RewrittenText outcome = Rewrite(WithAdd(R"(
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
  const RewrittenText outcome = Rewrite(WithAdd(kShared));
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
  const RewrittenText outcome =
      Rewrite(WithAdd(absl::StrCat(body, "  ROOT r = f32[8,16,256] negate(y_", kLayers, ")\n}\n")));
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
  const RewrittenText outcome = Rewrite(WithAdd(kShared), DefaultPasses(), options);
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
  const RewrittenText outcome = Rewrite(R"(HloModule m
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
