// SPDX-License-Identifier: Apache-2.0
// Modules around single instructions: they must parse and verify, whatever is cut out.
#include "core/analysis/extract.h"

#include <memory>
#include <string>

#include "core/document/document.h"
#include "core/ir/default_layout.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/read_document.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kExtractModule[] =
    R"(HloModule m, is_scheduled=true, replica_count=2, entry_computation_layout={(f32[2]{0})->f32[2]{0}}

plus {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] add(x, y)
}
body { s = f32[2] parameter(0) ROOT n = f32[2] negate(s) }
cond { s = f32[2] parameter(0) ROOT t = pred[] constant(true) }
unrelated { s = f32[2] parameter(0) ROOT n = f32[2] negate(s) }
ENTRY e {
  p = f32[2] parameter(0)
  a = f32[2] negate(p)
  u = f32[2] call(a), to_apply=unrelated
  b = f32[2] add(a, u)
  k = f32[2] constant({1, 2})
  c = f32[2] multiply(b, k), control-predecessors={u}
  s = f32[2] all-reduce-start(c), replica_groups={}, to_apply=plus
  d = f32[2] all-reduce-done(s)
  ROOT w = f32[2] while(d), condition=cond, body=body
}
)";

std::string Extract(const Document& document, absl::string_view name, int depth) {
  const Module& module = document.module();
  ExtractOptions options;
  options.depth = depth;
  return ExtractModule(module, document.users(), module.FindInstruction(module.entry(), name), options);
}

TEST(ExtractTest, OperandsBecomeParameters) {
  const auto document = ReadCorrectDocument(kExtractModule);
  EXPECT_EQ(Extract(*document, "c", 0),
            "HloModule extract, replica_count=2\n\n"
            "ENTRY %extract_entry {\n"
            "  %b = f32[2] parameter(0)\n"
            "  %k = f32[2] constant({1, 2})\n"
            "  ROOT %c = f32[2] multiply(%b, %k)\n"
            "}\n");
  const auto one = ReadCorrectDocument(Extract(*document, "c", 1));
  EXPECT_EQ(one->module().computation(one->module().entry()).parameters.size(), 2u);  // a, u
  EXPECT_EQ(one->module().computation(one->module().entry()).instructions.size(), 5u);
  const auto all = ReadCorrectDocument(Extract(*document, "c", 100));
  EXPECT_EQ(all->module().computation(all->module().entry()).parameters.size(), 1u);
  EXPECT_TRUE(all->module().FindComputation("unrelated").has_value());
  EXPECT_FALSE(all->module().FindComputation("body").has_value());
}

TEST(ExtractTest, StartsAndDonesStayTogether) {
  const auto document = ReadCorrectDocument(kExtractModule);
  for (const char* name : {"s", "d"}) {
    const std::string text = Extract(*document, name, 0);
    EXPECT_THAT(text, HasSubstr("all-reduce-start"));
    EXPECT_THAT(text, HasSubstr("all-reduce-done"));
    ReadCorrectDocument(text);
  }
  EXPECT_THAT(Extract(*document, "w", 0), Not(HasSubstr("all-reduce")));
  ReadCorrectDocument(Extract(*document, "w", 0));
}

TEST(ExtractTest, AParameterAlone) {
  const auto document = ReadCorrectDocument(kExtractModule);
  EXPECT_THAT(Extract(*document, "p", 3), HasSubstr("ROOT %p = f32[2] parameter(0)"));
  ReadCorrectDocument(Extract(*document, "p", 3));
}

// Instructions all over the corpus, near and far.
TEST(ExtractTest, ExtractsOfTheCorpusVerify) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const std::string& file : CorpusFiles()) {
    const auto document = Document::Parse(*SourceText::FromFile(file));
    if (document->has_errors()) continue;
    const Module& module = document->module();
    const size_t count = module.instruction_count();
    // Printing the whole module dominates: fewer samples of the large ones.
    const size_t samples = count > 5000 ? 6 : 25;
    for (size_t k = 0; k < samples; ++k) {
      const InstructionId id(count * k / samples + k % 7 * (count / (8 * samples)));
      ExtractOptions options;
      options.depth = static_cast<int>(k % 3 * 2);
      const std::string text = ExtractModule(module, document->users(), id, options);
      const auto extracted = Document::Parse(SourceText::FromString("extract", text));
      ASSERT_FALSE(extracted->has_errors()) << file << " " << module.InstructionName(id) << " depth " << options.depth
                                            << ": " << extracted->diagnostics()[0].Message();
      const InstructionId root = extracted->module().computation(extracted->module().entry()).root;
      EXPECT_EQ(WithDefaultLayouts(extracted->module().shape(root)), WithDefaultLayouts(module.shape(id)));
      EXPECT_EQ(extracted->module().opcode(root), module.opcode(id));
    }
  }
}

TEST(ExtractTest, StackFramesThatNothingLeadsToStayBehind) {
  const auto document = Document::Parse(SourceText::FromString("m.hlo", R"(HloModule m

FileNames
1 "a.py"
2 "b.py"
3 "c.py"

FunctionNames
1 "f"
2 "g"

FileLocations
1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=1 end_column=1}
2 {file_name_id=2 function_name_id=2 line=2 end_line=2 column=1 end_column=1}
3 {file_name_id=3 function_name_id=2 line=3 end_line=3 column=1 end_column=1}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=1}
3 {file_location_id=3 parent_frame_id=3}

ENTRY e {
  p = f32[2] parameter(0)
  a = f32[2] negate(p), metadata={op_name="a" stack_frame_id=1}
  ROOT b = f32[2] add(a, p), metadata={op_name="b" stack_frame_id=3}
}
)"));
  ASSERT_FALSE(document->has_errors());
  const Module& module = document->module();
  const InstructionId root = module.computation(module.entry()).root;
  const std::string text = ExtractModule(module, document->users(), root);
  const auto again = Document::Parse(SourceText::FromString("x.hlo", text));
  ASSERT_FALSE(again->has_errors()) << text;
  EXPECT_THAT(text, Not(HasSubstr("a.py")));
  // The frame and its caller are there, renumbered.
  const StackFrameTables& tables = again->module().header().stack_frames;
  ASSERT_EQ(tables.frames.size(), 2u) << text;
  EXPECT_EQ(tables.frames[1].parent_frame_id, 2);
  EXPECT_THAT(text, HasSubstr("stack_frame_id=2"));
  // One without any has no tables.
  const InstructionId parameter = module.operand(root, 1);
  EXPECT_THAT(ExtractModule(module, document->users(), parameter), Not(HasSubstr("FileNames")));
}

// The module prints once; what is cut out later is not changed by what was before.
TEST(ExtractTest, AnExtractorMakesWhatSingleCallsMake) {
  const auto document = Document::Parse(SourceText::FromString("m.hlo", R"(HloModule m

FileNames
1 "a.py"
2 "b.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=1 end_column=1}
2 {file_name_id=2 function_name_id=1 line=2 end_line=2 column=1 end_column=1}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=1}

first { x = f32[2] parameter(0)
  ROOT r = f32[2] negate(x), metadata={op_name="stack_frame_id=2" stack_frame_id=1} }
second { x = f32[2] parameter(0)
  ROOT r = f32[2] sine(x), metadata={op_name="s" stack_frame_id=2 metadata_payload="stack_frame_id=1}"} }
ENTRY e {
  p = f32[2] parameter(0)
  a = f32[2] call(p), to_apply=first
  b = f32[2] call(a), to_apply=second, metadata={stack_frame_id=2}
  ROOT c = f32[2] add(b, a), metadata={stack_frame_id=1}
}
)"));
  ASSERT_FALSE(document->has_errors());
  const Module& module = document->module();
  const ModuleExtractor extractor(module, document->users());
  for (const int depth : {0, 2}) {
    for (uint32_t i = 0; i < module.instruction_count(); ++i) {
      std::vector<InstructionId> at_once, alone;
      const std::string text = extractor.Extract(InstructionId(i), {depth}, &at_once);
      EXPECT_EQ(text, ExtractModule(module, document->users(), InstructionId(i), {depth}, &alone));
      EXPECT_EQ(at_once, alone);
    }
  }
  const std::string text = extractor.Extract(module.FindInstruction(module.entry(), "b"), {}, nullptr);
  EXPECT_THAT(text, Not(HasSubstr("a.py")));
  EXPECT_THAT(text, HasSubstr("stack_frame_id=1 metadata_payload=\"stack_frame_id=1}\"}"));
  EXPECT_THAT(text, HasSubstr("metadata={stack_frame_id=1}"));
  const std::string other = extractor.Extract(module.FindInstruction(module.entry(), "a"), {}, nullptr);
  EXPECT_THAT(other, HasSubstr("op_name=\"stack_frame_id=2\" stack_frame_id=1"));
  EXPECT_EQ(extractor.NameOf(module.FindInstruction(module.entry(), "b")), "b");
}

}  // namespace
}  // namespace hloscope
