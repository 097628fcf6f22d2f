// SPDX-License-Identifier: Apache-2.0
// A text that is read in parts gives the document that it gives when it is read whole, whatever is in it.
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "core/document/text_division.h"
#include "core/source/source_text.h"
#include "gtest/gtest.h"
#include "tests/support/document_equality.h"
#include "tests/support/generated_module.h"
#include "tests/support/module_generator.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

std::shared_ptr<const Document> Read(const std::string& text, size_t part_bytes) {
  DocumentOptions options;
  options.part_bytes = part_bytes;
  return Document::Parse(SourceText::FromString("t", text), options);
}

// Reads the text whole and in parts; returns whether it could be read in parts.
bool ExpectSame(const std::string& text, size_t part_bytes, int positions = 8) {
  const auto whole = Read(text, 0), parts = Read(text, part_bytes);
  EXPECT_TRUE(whole->has_whole_syntax());
  EXPECT_FALSE(parts->is_update());
  const std::string difference = DocumentDifference(*parts, *whole, positions, 7);
  if (!difference.empty()) {
    const std::string path = testing::TempDir() + "hloscope_in_parts.hlo";
    std::ofstream(path, std::ios::binary) << text;
    ADD_FAILURE() << difference << "\nof " << path << " in parts of " << part_bytes;
  }
  return !parts->has_whole_syntax();
}

// Two small computations and one of 40 statements.
std::string Sample() {
  std::string text =
      "HloModule m, is_scheduled=true\n\nFileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n"
      "1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=1 end_column=2}\n\nStackFrames\n"
      "1 {file_location_id=1 parent_frame_id=1}\n\n\n"
      "%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
      "  ROOT %add = f32[] add(%a, %b)\n}\n\n"
      "%other (a: f32[8]) -> f32[8] {\n  %a = f32[8]{0} parameter(0)\n  ROOT %n = f32[8]{0} negate(%a)\n}, "
      "execution_thread=\"host\"\n\n"
      "ENTRY %main (x: f32[8]) -> f32[8] {\n  %x = f32[8]{0} parameter(0)\n";
  std::string last = "x";
  for (int i = 0; i < 40; ++i) {
    absl::StrAppend(&text, "  %v", i, " = f32[8]{0} add(%", last, ", %x), metadata={op_name=\"v", i,
                    "\" stack_frame_id=1}\n");
    last = absl::StrCat("v", i);
  }
  absl::StrAppend(&text, "  ROOT %r = f32[8]{0} negate(%", last, ")\n}\n\n");
  return text;
}

TEST(ReadInParts, ASmallTextIsDividedAtItsLines) {
  const std::string text = Sample();
  TextDivision division(text, 300);
  std::vector<TextPart> parts;
  while (const auto part = division.Next()) parts.push_back(*part);
  EXPECT_FALSE(division.is_cut());
  ASSERT_GT(parts.size(), 6u);
  EXPECT_EQ(parts[0].kind, TextPart::Kind::kComputations);
  std::string joined;
  int frames = 0, statements = 0;
  SourceRange tail;
  for (const TextPart& part : parts) {
    if (part.kind == TextPart::Kind::kFrame) {
      ++frames;
      tail = part.tail;
    }
    statements += part.kind == TextPart::Kind::kStatements ? static_cast<int>(part.lines) : 0;
    joined += text.substr(part.range.begin, part.range.size());
    if (part.is_last_of_frame) joined += text.substr(tail.begin, tail.size());
  }
  EXPECT_EQ(joined, text);
  EXPECT_EQ(frames, 1);
  EXPECT_EQ(statements, 42);
}

TEST(ReadInParts, TextsOfAllKinds) {
  const std::string text = Sample();
  const auto with = [&](const std::string& from, const std::string& to) {
    return absl::StrReplaceAll(text, {{from, to}});
  };
  const std::string middle = "  %v20 = f32[8]{0} add(%v19, %x)";
  const struct {
    const char* what;
    std::string text;
    bool in_parts;
  } kTexts[] = {
      {"as printed", text, true},
      {"other line ends", with("\n", "\r\n"), true},
      {"without percent signs", with("%", ""), true},
      {"no name", with("  %v39 = ", "  "), false},
      {"not marked as entry", with("ENTRY ", ""), true},
      {"not marked as root", with("ROOT ", ""), true},
      {"a comment", with(middle, "  /* one */" + middle), true},
      {"a comment of statements", with(middle, "/*\n" + middle + "\n" + middle + "\n  */" + middle), true},
      {"a comment that is open", with(middle, "/*\n" + middle), false},
      {"a string that is open", with("op_name=\"v20\"", "op_name=\"v20"), false},
      {"a brace that is open", with("op_name=\"v20\" stack_frame_id=1}", "op_name=\"v20\""), false},
      {"a raw block of statements",
       with("metadata={op_name=\"v20\" stack_frame_id=1}", "backend_config={\n" + middle + "\n  }\n" + middle + "\n}"),
       false},
      {"a raw block",
       with("metadata={op_name=\"v20\" stack_frame_id=1}", "backend_config={\n  \"a\": {\n  \"b\": 1}\n  }"), true},
      {"attributes that are open", with("metadata={op_name=\"v20\"", "frontend_attributes={a=\"b\""), false},
      {"an operand that is not defined", with("add(%v19", "add(%v29"), false},
      {"one of another computation", with("add(%v19", "add(%b"), false},
      {"an operand with its shape", with("add(%v19", "add(f32[8]{0} %v19"), true},
      {"an operand that is an instruction", with("add(%v19, %x)", "add(f32[8]{0} negate(%v19), %x)"), true},
      {"a computation twice", with("%other", "%sum"), false},
      {"an instruction twice", with("%v20 =", "%v19 ="), false},
      {"a constant that was left out", with(middle, "  %c = f32[8]{0} constant({...})\n" + middle), true},
      {"two roots", with("  %v20", "  ROOT %v20"), false},
      {"another result", with("-> f32[8] {", "-> f32[9] {"), false},
      {"another shape", with("%v20 = f32[8]{0}", "%v20 = f32[9]{0}"), true},
      {"no use", with("add(%v20, ", "add(%v19, "), true},
      {"an inline computation",
       with("%v20 = f32[8]{0} add(%v19, %x)",
            "%v20 = f32[8]{0} map(%v19), dimensions={0}, to_apply={\n  %p = f32[] "
            "parameter(0)\n  ROOT %q = f32[] negate(%p)\n  }"),
       false},
      {"asynchronous",
       with("%v20 = f32[8]{0} add(%v19, %x)",
            "%s = ((f32[8]{0}, f32[8]{0}), f32[8]{0}, s32[]) add-start(%v19, %x)\n  %v20 = f32[8]{0} "
            "add-done(%s)"),
       true},
      {"a tuple and its element",
       with(middle,
            "  %t = (f32[8]{0}, f32[8]{0}) tuple(%v19, %x)\n" + absl::StrReplaceAll(middle, {{"%v19", "%t#1"}})),
       true},
      {"the end is missing", text.substr(0, text.size() - 40), false},
      {"cut between statements", text.substr(0, text.find("  %v30")), false},
      {"two modules", text + text, false},
      {"no header", text.substr(text.find("%sum")), false},
      {"garbage between computations", with("%other (", "garbage\n%other ("), false},
      {"garbage at the end", text + "garbage\n", false},
      {"attributes after the brace", with("negate(%v39)\n}", "negate(%v39)\n}, execution_thread=\"main\""), true},
      {"statements in the first column", with("\n  %v", "\n%v"), true},
      {"braces in the first column",
       with("metadata={op_name=\"v20\" stack_frame_id=1}", "metadata={op_name=\"v20\" stack_frame_id=1\n}"), false},
      {"no line end at the end", text.substr(0, text.size() - 2), true},
  };
  for (const auto& [what, changed, in_parts] : kTexts) {
    SCOPED_TRACE(what);
    for (const size_t part_bytes : {100, 300, 700}) {
      const bool was = ExpectSame(changed, part_bytes, 30);
      if (part_bytes == 300) {
        EXPECT_EQ(was, in_parts);
      }
    }
  }
}

TEST(ReadInParts, GeneratedModules) {
  int in_parts = 0;
  constexpr int kModules = 150;
  for (int seed = 0; seed < kModules; ++seed) {
    GeneratorOptions options;
    options.instruction_count = 20 + seed;
    in_parts +=
        ExpectSame(RandomModule(static_cast<uint64_t>(seed), options), 150 + 20 * static_cast<size_t>(seed)) ? 1 : 0;
  }
  EXPECT_GT(in_parts, kModules / 2);
  EXPECT_TRUE(ExpectSame(GenerateModule(1000000), DocumentOptions().part_bytes));
}

// More than are kept: each check has a list of its own, and together they keep what one list would.
TEST(ReadInParts, ManyDiagnostics) {
  std::string text = "HloModule m\n\nENTRY %main (x: f32[8]) -> f32[8] {\n  %x = f32[8]{0} parameter(0)\n";
  constexpr int kDead = 6000, kWrong = 6000;
  for (int i = 0; i < kDead; ++i) absl::StrAppend(&text, "  %d", i, " = f32[8]{0} negate(%x)\n");
  for (int i = 0; i < kWrong; ++i) absl::StrAppend(&text, "  %w", i, " = f32[9]{0} negate(%x)\n");
  text += "  ROOT %r = f32[8]{0} negate(%x)\n}\n";
  EXPECT_TRUE(ExpectSame(text, 20000));
  const auto document = Read(text, 20000);
  EXPECT_GT(document->diagnostics().size(), DiagnosticSink::kMaxKept);
  EXPECT_EQ(document->error_count(), kWrong);
}

// Whatever is wrong with a text, and wherever.
TEST(ReadInParts, DamagedTexts) {
  const std::string sample = Sample();
  std::mt19937_64 random(5);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  for (int i = 0; i < 1500; ++i) {
    std::string text = sample;
    for (size_t edits = 1 + below(3); edits > 0; --edits) {
      const size_t at = below(text.size()), length = below(4) == 0 ? below(200) : below(4);
      static constexpr const char* kTexts[] = {"",  "{", "}",      "\"",    "/*",  "*/",    "\n",  "(",  ")",  ",",
                                               "=", "%", "ENTRY ", "ROOT ", " = ", "\n}\n", "{\n", "//", "\\", "'"};
      text.replace(at, length, kTexts[below(std::size(kTexts))]);
    }
    ExpectSame(text, 100 + below(400), 2);
    if (HasFailure()) return;
  }
}

TEST(ReadInParts, AnEditAfterwards) {
  const std::string text = Sample();
  const auto document = Read(text, 300);
  ASSERT_FALSE(document->has_whole_syntax());
  const uint32_t at = static_cast<uint32_t>(text.find("add(%v19"));
  const auto edited = document->WithEdit({{{at, at + 3}, "subtract"}});
  EXPECT_TRUE(edited->is_update());
  EXPECT_EQ(DocumentDifference(*edited, *Read(std::string(edited->source().text()), 0), 50, 3), "");
}

TEST(ReadInParts, TheCorpus) {
  SKIP_WITHOUT_SHARED_FILES();
  int large = 0, in_parts = 0;
  for (const std::string& file : CorpusFiles()) {
    SCOPED_TRACE(file);
    const std::string text = ReadFileOrDie(file);
    const bool usual = ExpectSame(text, DocumentOptions().part_bytes);
    if (text.size() > 5 * DocumentOptions().part_bytes) {
      ++large;
      in_parts += usual ? 1 : 0;
    }
    if (text.size() < 400000) ExpectSame(text, 3000, 2);
  }
  EXPECT_GT(in_parts, 10);
  EXPECT_EQ(in_parts, large);
}

}  // namespace
}  // namespace hloscope
