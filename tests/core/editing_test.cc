// SPDX-License-Identifier: Apache-2.0
// Names: where they are, what they are, and giving others.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/analysis/module_compare.h"
#include "core/editing/occurrences.h"
#include "core/editing/rename.h"
#include "core/editing/token_classes.h"
#include "core/print/printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/read_document.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kEditingModule[] = R"(HloModule m
sum (a: f32[], b: f32[]) -> f32[] {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY %e (x: f32[4]) -> f32[] {
  %x = f32[4] parameter(0)
  %zero = f32[] constant(0) // start
  ROOT %r = f32[] reduce(%x, %zero), dimensions={0}, to_apply=sum, control-predecessors={%zero}
}
)";

uint32_t At(const Document& document, const std::string& word) {
  const size_t at = document.source().text().find(word);
  EXPECT_NE(at, absl::string_view::npos) << word;
  return static_cast<uint32_t>(at);
}

std::string Renamed(const std::string& text, const std::string& at, const std::string& name) {
  const auto document = ReadDocument(text);
  const auto edits = Rename(*document, OccurrencesAt(*document, At(*document, at)), name);
  if (!edits.ok()) return std::string(edits.status().message());
  return std::string(document->WithEdit(*edits)->source().text());
}

TEST(OccurrencesTest, ParametersStandInTheSignatureToo) {
  const auto document = ReadDocument(kEditingModule);
  const uint32_t in_signature = At(*document, "a: f32");
  const Occurrences occurrences = OccurrencesAt(*document, in_signature);
  ASSERT_EQ(occurrences.places.size(), 3u);
  EXPECT_EQ(occurrences.places[0].begin, in_signature);
  EXPECT_EQ(occurrences.definition, occurrences.places[1]);
  EXPECT_EQ(OccurrencesAt(*document, At(*document, "add(")).places.size(), 0u);
  EXPECT_EQ(OccurrencesAt(*document, At(*document, "zero = ")).places.size(), 3u);
}

TEST(RenameTest, InstructionsParametersAndComputations) {
  const std::string parameter = Renamed(kEditingModule, "a = f32[] parameter", "left");
  EXPECT_THAT(parameter, HasSubstr("sum (left: f32[], b: f32[])"));
  EXPECT_THAT(parameter, HasSubstr("left = f32[] parameter(0)"));
  EXPECT_THAT(parameter, HasSubstr("add(left, b)"));
  const std::string value = Renamed(kEditingModule, "zero = ", "%start");
  EXPECT_THAT(value, HasSubstr("%start = f32[] constant(0)"));
  EXPECT_THAT(value, HasSubstr("reduce(%x, %start)"));
  EXPECT_THAT(value, HasSubstr("control-predecessors={%start}"));
  const std::string computation = Renamed(kEditingModule, "sum (", "plus");
  EXPECT_THAT(computation, HasSubstr("plus (a: f32[]"));
  EXPECT_THAT(computation, HasSubstr("to_apply=plus,"));
  // Words with a meaning of their own keep being names through their %.
  EXPECT_THAT(Renamed(kEditingModule, "s = f32[] add", "replicated"), HasSubstr("ROOT %replicated = f32[] add(a, b)"));
}

TEST(RenameTest, RefusesWhatWouldBreakTheModule) {
  EXPECT_THAT(Renamed(kEditingModule, "a = f32[] parameter", "b"), HasSubstr("has an instruction `b` already"));
  EXPECT_THAT(Renamed(kEditingModule, "sum (", "e"), HasSubstr("there is a computation `e` already"));
  EXPECT_THAT(Renamed(kEditingModule, "sum (", "1st"), HasSubstr("does not begin with a letter"));
  EXPECT_THAT(Renamed(kEditingModule, "sum (", "my sum"), HasSubstr("names are made of"));
  EXPECT_THAT(Renamed(kEditingModule, "sum (", "f32"), HasSubstr("is an element type"));
  EXPECT_THAT(Renamed(kEditingModule, "sum (", ""), HasSubstr("at least one letter"));
  EXPECT_THAT(Renamed(kEditingModule, "constant(0)", "c"), HasSubstr("nothing that can be renamed"));
}

// Whatever is renamed in the corpus, the module stays the same but for names.
TEST(RenameTest, NeverChangesTheModule) {
  SKIP_WITHOUT_SHARED_FILES();
  size_t tried = 0;
  for (const std::string& path : CorpusFiles()) {
    const auto document = Document::Open(path);
    ASSERT_TRUE(document.ok());
    if ((*document)->source().size() > 300000 || (*document)->has_errors()) continue;
    const Module& module = (*document)->module();
    for (size_t i = 0; i < module.instruction_count(); i += 1 + module.instruction_count() / 3) {
      if (module.instructions()[i].synthesized) continue;
      const auto edits = Rename(**document, OccurrencesOf(**document, InstructionId(i)), "quite_new");
      ASSERT_TRUE(edits.ok()) << path << ": " << edits.status();
      const auto renamed = (*document)->WithEdit(*edits);
      ModuleComparison comparison;
      comparison.ignore_names = true;
      EXPECT_EQ(FirstDifference(module, renamed->module(), comparison), "") << path;
      ++tried;
    }
    for (size_t c = 0; c < module.computations().size(); c += 1 + module.computations().size() / 2) {
      if (module.computations()[c].is_anonymous) continue;
      EXPECT_TRUE(Rename(**document, OccurrencesOf(**document, ComputationId(c)), "quite_new").ok()) << path;
    }
  }
  EXPECT_GT(tried, 10u);
}

std::vector<std::string> Classes(const std::string& text, SourceRange range) {
  const auto document = ReadDocument(text);
  std::vector<std::string> result;
  static constexpr const char* kNames[] = {"comment",   "keyword",     "type",   "opcode", "attribute", "value",
                                           "parameter", "computation", "module", "word",   "number",    "string"};
  for (const ClassifiedText& part : ClassifyText(*document, range)) {
    result.push_back(absl::StrCat(kNames[static_cast<size_t>(part.token_class)], part.is_definition ? "! " : " ",
                                  document->source().Slice(part.range)));
  }
  return result;
}

TEST(TokenClassesTest, EveryKindOfWord) {
  const std::string text = kEditingModule;
  const std::vector<std::string> all = Classes(text, {0, static_cast<uint32_t>(text.size())});
  for (const char* expected : {"keyword HloModule", "module! m",        "computation! sum",
                               "parameter a",       "parameter! a",     "opcode parameter",
                               "type f32",          "number 0",         "keyword ROOT",
                               "value! s",          "opcode add",       "value b",
                               "keyword ENTRY",     "computation! %e",  "parameter! %x",
                               "parameter x",       "comment // start", "attribute dimensions",
                               "computation sum",   "value %zero"}) {
    EXPECT_THAT(all, Contains(expected));
  }
  EXPECT_THAT(Classes("ENTRY e {\n x = f32[] parameter(0)\n ROOT y = pred[] compare(x, x), direction=LT\n}", {0, 100}),
              Contains("word LT"));
}

TEST(TokenClassesTest, ARangeGivesWhatTheWholeGivesThere) {
  const std::string text = kEditingModule;
  const auto document = ReadDocument(text);
  const auto all = ClassifyText(*document, {0, static_cast<uint32_t>(text.size())});
  for (uint32_t begin = 0; begin < text.size(); begin += 7) {
    const SourceRange range = {begin, std::min<uint32_t>(begin + 40, static_cast<uint32_t>(text.size()))};
    std::vector<SourceRange> expected, found;
    for (const ClassifiedText& part : all) {
      if (part.range.end > range.begin && part.range.begin < range.end) expected.push_back(part.range);
    }
    for (const ClassifiedText& part : ClassifyText(*document, range)) found.push_back(part.range);
    EXPECT_EQ(found.size(), expected.size()) << begin;
  }
}

}  // namespace
}  // namespace hloscope
