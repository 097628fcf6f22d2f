// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/hover.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "core/resources/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/features/markdown.h"
#include "tests/lsp/feature_fixture.h"

namespace hloscope::lsp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string HoverAt(const FeatureDocument& document, absl::string_view word, int occurrence = 0,
                    const std::string& resources = "") {
  const auto hover = ComputeHover(document.view(), document.At(word, occurrence), resources);
  return hover.has_value() ? hover->markdown : "(nothing)";
}

TEST(HoverTest, Instruction) {
  const FeatureDocument document(kSampleModule);
  const std::string expected_parts[] = {"```hlo\ntwice = f32[8,16]{1,0} add(x, x)\n```",
                                        "**Size:** 128 elements, 512 bytes",
                                        "**Operands:** `x` `f32[8,16]{1,0}`, `x` `f32[8,16]{1,0}`",
                                        "**Users (1):** `total`",
                                        "**Framework operation:** `jit(step)/add`",
                                        "**Source:** `model.py:31:4` in `step`",
                                        "called from `model.py:10:2` in `main`"};
  for (const std::string& text :
       {HoverAt(document, "twice ="), HoverAt(document, "twice, zero"), HoverAt(document, "twice}")}) {
    for (const std::string& part : expected_parts) EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(HoverTest, RangeIsTheWord) {
  const FeatureDocument document(kSampleModule);
  const auto hover = ComputeHover(document.view(), document.At("wice, zero"), "");
  ASSERT_TRUE(hover.has_value());
  EXPECT_EQ(document.Slice(hover->range), "twice");
}

TEST(HoverTest, RootParameterAndConstant) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(HoverAt(document, "s = f32[]"),
              AllOf(HasSubstr("ROOT s = f32[] add(a, b)"), HasSubstr("a scalar, 4 bytes"),
                    HasSubstr("**Users:** none; the result of its computation")));
  EXPECT_THAT(HoverAt(document, "b = f32[]"), HasSubstr("b = f32[] parameter(1)"));
  EXPECT_THAT(HoverAt(document, "zero ="), AllOf(HasSubstr("zero = f32[] constant(0)"), HasSubstr("**Users (2):**")));
}

TEST(HoverTest, Shape) {
  const FeatureDocument document(
      "HloModule m\nENTRY e {\n"
      "  a = f32[8,16]{0,1:T(8,128)} parameter(0)\n"
      "  b = (f32[2], (s32[], pred[3])) parameter(1)\n"
      "  c = f32[<=8] parameter(2)\n"
      "  d = token[] after-all()\n"
      "  ROOT r = f32[8,16]{0,1:T(8,128)} copy(a)\n}\n");
  EXPECT_THAT(HoverAt(document, "f32[8,16]"),
              AllOf(HasSubstr("128 elements, 512 bytes"), HasSubstr("fastest to slowest varying: 0, 1; tiled"),
                    HasSubstr("Result of `a`")));
  EXPECT_THAT(HoverAt(document, "(f32[2]"), HasSubstr("a tuple of 2 (3 leaves), 15 bytes"));
  EXPECT_THAT(HoverAt(document, "f32[<=8]"), HasSubstr("at most 8 elements, 32 bytes"));
  EXPECT_THAT(HoverAt(document, "token[]"), HasSubstr("a token"));
}

TEST(HoverTest, OpcodeFromTheTable) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(HoverAt(document, "reduce(twice"),
              AllOf(HasSubstr("### reduce"), HasSubstr("- `to_apply` (required): The computation that is applied.")));
  EXPECT_THAT(HoverAt(document, "add(x, x)"), AllOf(HasSubstr("### add"), HasSubstr("Takes 2 operands.")));
}

TEST(HoverTest, OpcodeFromItsPage) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "hover_test_resources";
  std::filesystem::create_directories(folder / "ops");
  std::ofstream(folder / "ops" / "reduce.md") << "# reduce\nthe page\n";
  const FeatureDocument document(kSampleModule);
  EXPECT_EQ(HoverAt(document, "reduce(twice", 0, folder.string()), "# reduce\nthe page\n");
  EXPECT_THAT(HoverAt(document, "add(x, x)", 0, folder.string()), HasSubstr("### add"));
  std::filesystem::remove_all(folder);
}

TEST(HoverTest, Attributes) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(HoverAt(document, "dimensions={1}"),
              AllOf(HasSubstr("**`dimensions`** of `reduce` (required)"), HasSubstr("a list of integers")));
  EXPECT_THAT(HoverAt(document, "metadata="), AllOf(HasSubstr("**`metadata`** of `add`"), HasSubstr("model.py:31:4")));
  const FeatureDocument compare(
      "HloModule m\nENTRY e {\n  a = f32[] parameter(0)\n  ROOT r = pred[] compare(a, a), direction=LT\n}\n");
  EXPECT_THAT(HoverAt(compare, "direction"), HasSubstr("one word out of `EQ`, `NE`, `GE`, `GT`, `LE`, `LT`"));
}

TEST(HoverTest, Computations) {
  const FeatureDocument document(kSampleModule);
  for (const std::string& text : {HoverAt(document, "sum {"), HoverAt(document, "sum\n")}) {
    EXPECT_THAT(text, AllOf(HasSubstr("sum (a: f32[], b: f32[]) -> f32[]"), HasSubstr("**Instructions:** 3, root `s`"),
                            HasSubstr("**Callers (1):** `total` (reduce)")));
  }
  EXPECT_THAT(HoverAt(document, "main {"), AllOf(HasSubstr("ENTRY main"), Not(HasSubstr("Callers"))));
}

TEST(HoverTest, ModuleName) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(HoverAt(document, "sample"), AllOf(HasSubstr("HloModule sample"), HasSubstr("**Computations:** 3"),
                                                 HasSubstr("**Entry:** `main`"), HasSubstr("1 replica, 1 partition")));
}

TEST(HoverTest, DefaultsOfAttributes) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(HoverAt(document, "dimensions={1}"), AllOf(HasSubstr("**`dimensions`** of `reduce` (required)"),
                                                         HasSubstr("a list of integers"), Not(HasSubstr("Default"))));
  EXPECT_THAT(HoverAt(document, "metadata="), HasSubstr("**Default:** none"));
  EXPECT_THAT(HoverAt(document, "dimensions={1}", 0, HLOSCOPE_SOURCE_DIR "/resources"),
              HasSubstr("The dimensions that vanish"));
  const FeatureDocument more(
      "HloModule m, replica_count=4\nf { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = f32[] add(a, b) }\n"
      "ENTRY e {\n  x = f32[8] parameter(0)\n  y = pred[8] compare(x, x), direction=LT, type=TOTALORDER\n"
      "  z = f32[8] all-reduce(x), replica_groups=[2,2]<=[4], to_apply=f, constrain_layout=false\n"
      "  ROOT k = f32[8] exponential(z), result_accuracy={mode=highest}\n}\n");
  EXPECT_THAT(HoverAt(more, "type="), HasSubstr("**Default:** by element type"));
  EXPECT_THAT(HoverAt(more, "constrain_layout"), HasSubstr("**Default:** `false`"));
  EXPECT_THAT(HoverAt(more, "result_accuracy"), HasSubstr("**Default:** `{mode=default}`"));
  EXPECT_THAT(HoverAt(more, "replica_groups"),
              AllOf(HasSubstr("Ids are replicas"), HasSubstr("**Groups (2):** `{0,1}`, `{2,3}`"),
                    HasSubstr("**Default:** `{}`: one group of all")));
}

TEST(HoverTest, Literals) {
  const FeatureDocument document(
      "HloModule m\nENTRY e {\n  k = f32[2,3] constant({ { 1, 2.5, -7 }, { nan, inf, 0 } })\n"
      "  ROOT s = f32[] constant(42)\n}\n");
  EXPECT_THAT(HoverAt(document, "-7"),
              AllOf(HasSubstr("**Literal:** `f32[2,3]"), HasSubstr("-7 to inf"), HasSubstr("1 of 6 zero"),
                    HasSubstr("1 NaN, 1 infinite"), HasSubstr("Element `[0,2]`: `-7`")));
  EXPECT_THAT(HoverAt(document, "inf"), HasSubstr("Element `[1,1]`: `inf`"));
  EXPECT_THAT(HoverAt(document, "{ nan"), AllOf(HasSubstr("**Literal:**"), Not(HasSubstr("Element"))));
  EXPECT_THAT(HoverAt(document, "42"), AllOf(HasSubstr("**Literal:** `f32[]`"), Not(HasSubstr("Element"))));
}

TEST(HoverTest, HeaderTablesSignaturesAndKeywords) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(HoverAt(document, "HloModule"), HasSubstr("**Computations:** 3"));
  EXPECT_THAT(HoverAt(document, "FileNames"), HasSubstr("numbered from 1"));
  EXPECT_THAT(HoverAt(document, "\"model.py\""),
              AllOf(HasSubstr("**Source file:** `model.py`"), HasSubstr("2 rows of `FileLocations`")));
  EXPECT_THAT(HoverAt(document, "line=31"), HasSubstr("**Source:** `model.py:31:4` in `step`"));
  EXPECT_THAT(HoverAt(document, "parent_frame_id=2"),
              AllOf(HasSubstr("`model.py:31:4` in `step`"), HasSubstr("called from `model.py:10:2` in `main`")));
  EXPECT_THAT(HoverAt(document, "ENTRY"), AllOf(HasSubstr("**`ENTRY`**"), HasSubstr("ENTRY main")));
  EXPECT_THAT(HoverAt(document, "ROOT s"), HasSubstr("**`ROOT`**"));
  EXPECT_THAT(HoverAt(document, "1)\n  ROOT s"), HasSubstr("Argument number 1 of the 2 of `sum`"));
  const FeatureDocument signature(
      "HloModule m, replica_count=2, is_scheduled=true\nf (a: f32[2,3], gone: s32[]) -> f32[7] {\n"
      "  a = f32[2,3] parameter(0)\n  ROOT r = f32[7] parameter(1)\n}, execution_thread=\"main\"\n");
  EXPECT_THAT(HoverAt(signature, "is_scheduled"), AllOf(HasSubstr("order in which they execute"), HasSubstr("false")));
  EXPECT_THAT(HoverAt(signature, "2, is_"), HasSubstr("**`replica_count`**"));
  EXPECT_THAT(HoverAt(signature, "f32[2,3], gone"), AllOf(HasSubstr("a = f32[2,3]"), HasSubstr("6 elements")));
  EXPECT_THAT(HoverAt(signature, "gone"), HasSubstr("no parameter `gone`"));
  EXPECT_THAT(HoverAt(signature, "f32[7] {"), AllOf(HasSubstr("7 elements"), HasSubstr("made by `r`")));
  EXPECT_THAT(HoverAt(signature, "execution_thread"), HasSubstr("**Default:** `\"main\"`"));
}

// After an edit everything is found without the tokens of the whole text.
TEST(HoverTest, AfterAnEditTheSame) {
  const FeatureDocument document(kSampleModule);
  const std::string uri = "file:///test.hlo";
  const uint32_t at = document.view().ToOffset(document.At("twice, zero"));
  const auto edited = document.view().document.WithEdit({{{{at, at + 5}, "x"}}});
  ASSERT_TRUE(edited->is_update());
  const DocumentView view(*edited, uri, ColumnUnit::kUtf16);
  const FeatureDocument fresh(std::string(edited->source().text()));
  for (uint32_t offset = 0; offset <= edited->source().size(); ++offset) {
    const protocol::Position position = view.positions.ToPosition(offset);
    const auto a = ComputeHover(view, position, ""), b = ComputeHover(fresh.view(), position, "");
    ASSERT_EQ(a.has_value(), b.has_value()) << offset;
    ASSERT_EQ(a.has_value() ? a->markdown : "", b.has_value() ? b->markdown : "") << offset;
  }
}

TEST(HoverTest, NothingBetweenThings) {
  const FeatureDocument document(kSampleModule);
  EXPECT_EQ(HoverAt(document, "\nFileNames"), "(nothing)");
}

TEST(HoverTest, BrokenInstructions) {
  const FeatureDocument document(
      "HloModule m\nENTRY e {\n  a = f32[4] parameter(0)\n  b = f32[4] nonsense(a)\n  ROOT c = f32[4] add(a, "
      "missing)\n}\n");
  for (const char* word : {"a = ", "b = ", "nonsense", "c = ", "missing", "add("}) HoverAt(document, word);
  EXPECT_THAT(HoverAt(document, "c = "), HasSubstr("c = f32[4] add("));
}

TEST(MarkdownTest, CodeShowsAnyText) {
  EXPECT_EQ(MarkdownCode("a"), "`a`");
  EXPECT_EQ(MarkdownCode("a`b"), "``a`b``");
  EXPECT_EQ(MarkdownCode("`"), "`` ` ``");
  EXPECT_EQ(MarkdownCode("a\nb"), "`a b`");
  EXPECT_EQ(MarkdownCode("aéb", 2), "`a...`");
  EXPECT_EQ(MarkdownHloBlock("```"), "````hlo\n```\n````");
}

TEST(MarkdownTest, Numbers) {
  EXPECT_EQ(FormatBytes(1), "1 byte");
  EXPECT_EQ(FormatBytes(1023), "1023 bytes");
  EXPECT_EQ(FormatBytes(1536), "1.5 KiB (1,536 bytes)");
  EXPECT_EQ(FormatBytes(INT64_MAX), "8 EiB (9,223,372,036,854,775,807 bytes)");
  EXPECT_EQ(FormatCount(0), "0");
  EXPECT_EQ(FormatCount(-1234567), "-1,234,567");
}

}  // namespace
}  // namespace hloscope::lsp
