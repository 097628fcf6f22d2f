// Printing loses nothing: what is printed reads back as an equal module, and printing that again changes nothing.
#include <gtest/gtest.h>

#include <string>

#include "core/analysis/module_difference.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

std::shared_ptr<const Document> Parse(std::string text) {
  DocumentOptions options;
  options.parse_only = true;
  return Document::Parse(SourceText::FromString("printed", std::move(text)), options);
}

std::string FirstError(const Document& document) {
  for (const Diagnostic& d : document.diagnostics()) {
    if (d.severity != Severity::kError) continue;
    const LineColumn at = document.source().LineColumnAt(d.range.begin);
    return std::to_string(at.line + 1) + ": " + d.Message();
  }
  return "";
}

void ExpectRoundTrip(const Document& original, PrintOptions options, const std::string& what) {
  if (options.compact_tuple_access) {
    // `t#1` hides the element's own name and metadata, and elements that nobody uses vanish (spec 7.11): such a text
    // reads without an error; the rest is shown without this choice.
    const auto compact = Parse(PrintModule(original.module(), options));
    EXPECT_FALSE(compact->has_errors()) << what << ": " << FirstError(*compact);
    options.compact_tuple_access = false;
  }
  const std::string printed = PrintModule(original.module(), options);
  const auto again = Parse(printed);
  ASSERT_FALSE(again->has_errors()) << what << ": " << FirstError(*again);
  // Instructions are printed users last, so computations may move once (spec 7.11); then nothing changes any more.
  const std::string second = PrintModule(again->module(), options);
  EXPECT_TRUE(PrintModule(Parse(second)->module(), options) == second)
      << what << ": printing what was printed changes it";
  // What the style leaves out cannot come back.
  if (!options.metadata || !options.backend_config || !options.control_predecessors) return;
  options.large_constants = true;
  const auto complete = Parse(PrintModule(original.module(), options));
  ASSERT_FALSE(complete->has_errors()) << what << ": " << FirstError(*complete);
  const auto difference = FirstDifference(original.module(), complete->module());
  EXPECT_FALSE(difference.has_value()) << what << ": " << *difference;
}

TEST(PrintRoundTrip, EveryCorpusFileInEveryStyle) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const std::string& file : CorpusFiles()) {
    const auto document = Document::Open(file, {{}, /*parse_only=*/true});
    ASSERT_TRUE(document.ok());
    ExpectRoundTrip(**document, PrintOptions::Dump(), file + " (dump)");
    ExpectRoundTrip(**document, PrintOptions::Long(), file + " (long)");
    ExpectRoundTrip(**document, PrintOptions::Short(), file + " (short)");
    ExpectRoundTrip(**document, PrintOptions::Canonical(), file + " (canonical)");
  }
}

TEST(ModuleDifference, NamesTheFirstDifference) {
  const auto module = [](const std::string& body) { return Parse("ENTRY e {\n" + body + "\n}"); };
  const auto a = module("x = f32[2] parameter(0)\n ROOT r = f32[2] negate(x)");
  const auto renamed = module("y = f32[2] parameter(0)\n ROOT q = f32[2] negate(y)");
  EXPECT_EQ(FirstDifference(a->module(), renamed->module()), std::nullopt);
  EXPECT_EQ(FirstDifference(a->module(), module("x = f32[2] parameter(0)\n ROOT r = f32[2] abs(x)")->module()),
            "instruction r of e: opcode negate, the other is abs");
  EXPECT_NE(FirstDifference(a->module(), module("x = f32[3] parameter(0)\n ROOT r = f32[3] negate(x)")->module()),
            std::nullopt);
  const auto c1 = module("ROOT c = f32[2] constant({1, 2})"), c2 = module("ROOT c = f32[2] constant({1, 3})");
  EXPECT_EQ(FirstDifference(c1->module(), c2->module()), "instruction c of e: the constants differ");
  const auto d1 = module("x = f32[2,3] parameter(0)\n ROOT r = f32[3,2] transpose(x), dimensions={1,0}");
  const auto d2 = module("x = f32[2,3] parameter(0)\n ROOT r = f32[3,2] transpose(x), dimensions={0,1}");
  EXPECT_EQ(FirstDifference(d1->module(), d2->module()), "instruction r of e: attribute dimensions differs");
}

}  // namespace
}  // namespace hloscope
