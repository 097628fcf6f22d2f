// SPDX-License-Identifier: Apache-2.0
// Following one instruction through the stages.
#include "insight/passes/instruction_trace.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/insight/stages_fixture.h"

namespace hloscope::insight {
namespace {

using ::testing::HasSubstr;

constexpr char kFirst[] = R"(HloModule m

ENTRY e {
  p = f32[4] parameter(0)
  n = f32[4] negate(p), metadata={op_name="jit(f)/neg" source_file="model.py" source_line=12}
  x = f32[4] exponential(n)
  one = f32[] constant(1)
  b = f32[4] broadcast(one), dimensions={}
  m = f32[4] multiply(x, b)
  ROOT r = f32[4] add(m, p)
}
)";
constexpr char kRenamed[] = R"(HloModule m

ENTRY e {
  p = f32[4] parameter(0)
  negate.7 = f32[4] negate(p), metadata={op_name="jit(f)/neg" source_file="model.py" source_line=12}
  x = f32[4] exponential(negate.7)
  one = f32[] constant(1)
  b = f32[4] broadcast(one), dimensions={}
  m = f32[4] multiply(x, b)
  ROOT r = f32[4] add(m, p)
}
)";
constexpr char kSimplified[] = R"(HloModule m

ENTRY e {
  p = f32[4] parameter(0)
  negate.7 = f32[4] negate(p), metadata={op_name="jit(f)/neg" source_file="model.py" source_line=12}
  x = f32[4] exponential(negate.7)
  ROOT r = f32[4] add(x, p)
}
)";
constexpr char kFused[] = R"(HloModule m

fused {
  q = f32[4] parameter(0)
  negate.9 = f32[4] negate(q)
  x.1 = f32[4] exponential(negate.9)
  ROOT r.1 = f32[4] add(x.1, q)
}

ENTRY e {
  p = f32[4] parameter(0)
  ROOT fusion = f32[4] fusion(p), kind=kLoop, calls=fused
}
)";

const std::vector<DumpedStage>& Stages() {
  static const auto* const kStages = new std::vector<DumpedStage>{{"before_optimizations", "", kFirst},
                                                                  {"0000.p.after_renaming.before_x", "", kRenamed},
                                                                  {"0001.p.after_broken.before_x", "", "HloModule"},
                                                                  {"0002.p.after_algebraic.before_x", "", kSimplified},
                                                                  {"0003.p.after_fusion.before_x", "", kFused}};
  return *kStages;
}

InstructionTrace Follow(const std::string& name, std::optional<size_t> from = std::nullopt) {
  const auto trace = FollowInstruction(StagesOfTexts(Stages()), ReaderOfTexts(Stages()), name, from);
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return trace.ok() ? *trace : InstructionTrace();
}

TEST(InstructionTraceTest, ForwardThroughNewNamesAndFusions) {
  const InstructionTrace trace = Follow("n");
  ASSERT_EQ(trace.steps.size(), 4);  // one stage cannot be read
  EXPECT_EQ(trace.start, 0);
  EXPECT_EQ(trace.op_name, "jit(f)/neg");
  EXPECT_EQ(trace.source, "model.py:12");
  EXPECT_EQ(trace.steps[1].instruction, "negate.7");
  EXPECT_EQ(trace.steps[1].what, "renamed from n");
  EXPECT_EQ(trace.steps[2].what, "");
  EXPECT_EQ(trace.steps[3].instruction, "negate.9");
  EXPECT_EQ(trace.steps[3].fusion, "fusion");
  EXPECT_THAT(trace.steps[3].what, HasSubstr("fused into fusion"));
  // A new name and a lost op_name cost certainty.
  EXPECT_GT(trace.steps[2].sureness, trace.steps[3].sureness);
  EXPECT_GT(trace.sureness, 0.3);
  EXPECT_LT(trace.sureness, 1);
}

TEST(InstructionTraceTest, BackToTheSource) {
  const InstructionTrace trace = Follow("negate.9");
  ASSERT_EQ(trace.steps.size(), 4);
  EXPECT_EQ(trace.start, 3);
  EXPECT_EQ(trace.steps[0].instruction, "n");
  EXPECT_EQ(trace.source, "model.py:12");
  EXPECT_EQ(trace.steps[1].what, "renamed from n");
  EXPECT_THAT(trace.steps[3].what, HasSubstr("fused into fusion"));
}

TEST(InstructionTraceTest, WhatWasRemoved) {
  const InstructionTrace gone = Follow("one");
  EXPECT_THAT(gone.steps.back().what, HasSubstr("removed"));
  EXPECT_EQ(gone.steps.back().stage, 3);
  EXPECT_EQ(gone.steps.back().instruction, "");
  // Of a multiplication by one, its operand takes the place.
  const InstructionTrace replaced = Follow("m");
  EXPECT_EQ(replaced.steps[2].instruction, "x");
  EXPECT_EQ(replaced.steps[2].what, "x takes the place of m");
  EXPECT_LE(replaced.steps[2].sureness, 0.6);
}

TEST(InstructionTraceTest, InOneStageOnly) {
  EXPECT_EQ(Follow("x", 3).start, 2);
  const auto none = FollowInstruction(StagesOfTexts(Stages()), ReaderOfTexts(Stages()), "n", 4);
  EXPECT_TRUE(absl::IsNotFound(none.status()));
}

TEST(InstructionTraceTest, RecordedOriginsCount) {
  const std::vector<DumpedStage> stages = {
      {"a", "",
       "HloModule m\n\nENTRY e {\n  p = f32[4] parameter(0)\n  t = f32[4] tanh(p)\n  u = f32[4] tanh(t)\n"
       "  ROOT r = f32[4] add(t, u)\n}\n"},
      {"b", "",
       "HloModule m\n\nENTRY e {\n  p = f32[4] parameter(0)\n  c = f32[4] custom-call(p), "
       "custom_call_target=\"fast_tanh\", origin={{\"t\"}}\n  u = f32[4] tanh(c)\n"
       "  ROOT r = f32[4] add(c, u)\n}\n"}};
  const auto trace = FollowInstruction(StagesOfTexts(stages), ReaderOfTexts(stages), "t", std::nullopt);
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->steps[1].instruction, "c");
  EXPECT_THAT(trace->steps[1].why, HasSubstr("origin"));
}

}  // namespace
}  // namespace hloscope::insight
