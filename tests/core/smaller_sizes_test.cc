// SPDX-License-Identifier: Apache-2.0
// Other sizes for dimensions, with what follows from them.
#include "core/transform/smaller_sizes.h"

#include <optional>
#include <string>

#include "core/document/document.h"
#include "core/print/printer.h"
#include "core/transform/test_case_reduction.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::shared_ptr<const Document> Parsed(const std::string& text) {
  auto document = Document::Parse(SourceText::FromString("m.hlo", text));
  EXPECT_FALSE(document->has_errors()) << text;
  return document;
}

// The text of the module with another size, which must have no errors; empty if there is none.
std::string Resized(const std::string& entry, int64_t from, int64_t to) {
  const auto document = Parsed(
      "HloModule m\nadd { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] "
      "add(a, b) }\nENTRY e {\n" +
      entry + "\n}\n");
  const std::optional<Module> module = WithSize(document->module(), from, to);
  if (!module) return "";
  PrintOptions print = PrintOptions::Short();
  print.large_constants = true;
  const std::string text = PrintModule(*module, print);
  Parsed(text);
  return text;
}

TEST(SmallerSizesTest, FollowReshapes) {
  const std::string text = Resized(R"(p = f32[32,128] parameter(0)
    r = f32[4096] reshape(p)
    q = f32[128,32] reshape(r)
    ROOT b = f32[2,4096] broadcast(r), dimensions={1})",
                                   128, 2);
  EXPECT_THAT(text, HasSubstr("f32[32,2]"));
  EXPECT_THAT(text, HasSubstr("f32[2,32]"));
  EXPECT_THAT(text, HasSubstr("f32[64]"));
  EXPECT_THAT(text, HasSubstr("f32[2,64]"));
}

TEST(SmallerSizesTest, FollowConcatenatePadSliceAndWindows) {
  const std::string text = Resized(R"(p = f32[10] parameter(0)
    q = f32[10] parameter(1)
    c = f32[20] concatenate(p, q), dimensions={0}
    z = f32[] constant(0)
    d = f32[23] pad(c, z), padding=1_2
    s = f32[7] slice(d), slice={[0:7]}
    w = f32[19] reduce-window(d, z), window={size=5}, to_apply=add
    t = f32[23] reduce-window(d, z), window={size=23 pad=22_0}, to_apply=add
    ROOT r = (f32[7], f32[19], f32[23]) tuple(s, w, t))",
                                   10, 4);
  EXPECT_THAT(text, HasSubstr("f32[8]"));            // of the concatenate
  EXPECT_THAT(text, HasSubstr("f32[11]"));           // of the pad
  EXPECT_THAT(text, HasSubstr("size=11 pad=10_0"));  // a cumulative sum stays one
  EXPECT_THAT(text, HasSubstr("slice={[0:7]}"));
}

TEST(SmallerSizesTest, FollowConvolutions) {
  const std::string text = Resized(R"(p = f32[1,16,16,8] parameter(0)
    k = f32[3,3,8,32] parameter(1)
    ROOT c = f32[1,14,14,32] convolution(p, k), window={size=3x3}, dim_labels=b01f_01io->b01f)",
                                   16, 4);
  EXPECT_THAT(text, HasSubstr("f32[1,2,2,32]"));
}

TEST(SmallerSizesTest, CutLiteralsAndAttributes) {
  const std::string text = Resized(R"(c = s32[2,3] constant({{1,2,3},{4,5,6}})
    i = s32[] parameter(0)
    j = s32[] constant(0)
    ROOT d = s32[1,3] dynamic-slice(c, j, i), dynamic_slice_sizes={1,3})",
                                   3, 2);
  EXPECT_THAT(text, HasSubstr("{ { 1, 2 }, { 4, 5 } }"));
  EXPECT_THAT(text, HasSubstr("dynamic_slice_sizes={1,2}"));
}

TEST(SmallerSizesTest, ContradictionsGiveNothing) {
  EXPECT_EQ(Resized(R"(p = f32[6,4] parameter(0)
    ROOT r = f32[8,3] reshape(p))",
                    6, 5),
            "");
}

TEST(SmallerSizesTest, TestCasesShrinkWhileTheFaultStays) {
  const auto document = Parsed(R"(HloModule m, frontend_attributes={a="b"}, replica_count=4

FileNames
1 "a.py"
2 "b.py"

FunctionNames
1 "f"
2 "g"

FileLocations
1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=1 end_column=1}
2 {file_name_id=2 function_name_id=2 line=2 end_line=2 column=1 end_column=1}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=1}

ENTRY e {
  p = f32[64,1024] parameter(0)
  q = f32[64,1024] parameter(1), metadata={op_name="q" stack_frame_id=1}
  t = f32[64,1024] tanh(p), metadata={op_name="t" stack_frame_id=2}
  n = f32[64,1024] add(t, q)
  ROOT r = f32[65536] reshape(n)
}
)");
  ReductionOptions options;
  // A tanh of at least 100 elements that still says where it comes from.
  options.shows_fault = [](const Module& candidate) {
    const std::string text = PrintModule(candidate, PrintOptions::Long());
    if (Document::Parse(SourceText::FromString("c.hlo", text))->has_errors()) return false;
    for (uint32_t i = 0; i < candidate.instruction_count(); ++i) {
      if (candidate.opcode(InstructionId(i)) != Opcode::kTanh) continue;
      const Metadata* const metadata = candidate.MetadataOf(InstructionId(i));
      return candidate.shape(InstructionId(i)).ElementCount() >= 100 && metadata != nullptr &&
             metadata->stack_frame_id > 0;
    }
    return false;
  };
  const ReductionResult result = ReduceTestCase(document->module(), options);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.module.instruction_count(), 2u);
  EXPECT_LT(result.module.shape(InstructionId(0)).ElementCount(), 200);
  EXPECT_THAT(result.module.header().stack_frames.file_names, ElementsAre("b.py"));
  EXPECT_EQ(result.module.header().stack_frames.frames.size(), 1u);
  EXPECT_EQ(result.module.header().replica_count, 1);
  EXPECT_TRUE(result.module.header().frontend_attributes.empty());
}

TEST(TestCaseReductionTest, ACancelledSearchEndsAtOnce) {
  const std::shared_ptr<const Document> document = Document::Parse(SourceText::FromString("m.hlo", R"(ENTRY e {
  p = f32[64] parameter(0)
  a = f32[64] tanh(p)
  b = f32[64] tanh(a)
  c = f32[64] tanh(b)
  ROOT r = f32[64] negate(c)
})"));
  ReductionOptions options;
  int asked = 0;
  options.shows_fault = [&](const Module&) { return ++asked < 0; };
  options.is_cancelled = [&] { return asked == 2; };
  const ReductionResult result = ReduceTestCase(document->module(), options);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(result.candidates, 2);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.module.instruction_count(), 5u);
}

}  // namespace
}  // namespace hloscope
