// SPDX-License-Identifier: Apache-2.0
// The mistakes of docs/mistakes.md: what is said about each, and whether a quick fix repairs it.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/editing/repairs.h"
#include "gtest/gtest.h"
#include "tests/support/golden_file.h"
#include "tests/support/mistake_list.h"
#include "tests/support/read_document.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

bool IsRepaired(const Document& document, SourceRange lines) {
  const auto is_good = [&](const std::vector<TextEdit>& edits) { return !document.WithEdit(edits)->has_errors(); };
  for (const Diagnostic& diagnostic : document.diagnostics()) {
    if (diagnostic.range.begin < lines.begin || diagnostic.range.begin > lines.end) continue;
    for (const FixIt& fix : diagnostic.fixes) {
      std::vector<TextEdit> edits;
      for (const FixIt::Edit& edit : fix.edits) edits.push_back({edit.range, edit.replacement});
      std::sort(edits.begin(), edits.end(),
                [](const TextEdit& a, const TextEdit& b) { return a.range.begin < b.range.begin; });
      if (is_good(edits)) return true;
    }
  }
  for (uint32_t at = lines.begin; at <= lines.end; ++at) {
    if (at > lines.begin && document.source().text()[at - 1] != '\n') continue;
    for (const Repair& repair : FindRepairs(document, at, [] { return false; })) {
      if (is_good(repair.edits)) return true;
    }
  }
  return false;
}

// What the server does with a mistake.
struct Answer {
  bool is_precise = false, is_repaired = false;
  std::string message;  // of the first error
};

Answer AnswerTo(const std::string& module, const Mistake& mistake) {
  const auto [text, lines] = WithMistake(module, mistake);
  const auto document = ReadDocument(text);
  const auto first = std::find_if(document->diagnostics().begin(), document->diagnostics().end(),
                                  [](const Diagnostic& d) { return d.severity == Severity::kError; });
  Answer answer;
  answer.is_repaired = IsRepaired(*document, lines);
  if (first == document->diagnostics().end()) return answer;
  answer.message = first->Message();
  answer.is_precise = first->range.begin >= lines.begin && first->range.begin <= lines.end &&
                      absl::StrContains(answer.message, mistake.message);
  return answer;
}

TEST(MistakesTest, PreciseMessagesAndFixes) {
  const std::vector<Lesson> lessons = LessonsOf(ReadFileOrDie(HLOSCOPE_SOURCE_DIR "/docs/mistakes.md"));
  ASSERT_EQ(lessons.size(), 2u);
  size_t count = 0, messages = 0, fixes = 0;
  for (const Lesson& lesson : lessons) {
    ASSERT_FALSE(ReadDocument(lesson.module)->has_errors());
    for (const Mistake& mistake : lesson.mistakes) {
      const Answer answer = AnswerTo(lesson.module, mistake);
      ++count;
      messages += answer.is_precise ? 1 : 0;
      fixes += answer.is_repaired ? 1 : 0;
      if (answer.is_precise && answer.is_repaired) continue;
      std::cout << mistake.number << " `" << mistake.wrong << "`: " << (answer.is_precise ? "" : "no precise message, ")
                << (answer.is_repaired ? "" : "no fix, ") << answer.message << "\n";
    }
  }
  std::cout << count << " mistakes, " << messages << " precise messages, " << fixes << " fixes\n";
  EXPECT_GE(count, 400u);
  EXPECT_GE(messages * 100, count * 95);
  EXPECT_GE(fixes * 100, count * 80);
}

TEST(MistakesTest, LinesOfPythonAreRepaired) {
  for (const char* line :
       {"y = p + p", "y = f32[4,4] p - p", "y = p @ p", "y: f32[4,4] = add(p, p)", "y = jnp.exp(p)"}) {
    const std::string text = absl::StrCat("HloModule m\n\nENTRY e {\n  p = f32[4,4] parameter(0)\n  ", line,
                                          "\n  ROOT z = f32[4,4] negate(y)\n}\n");
    const auto document = ReadDocument(text);
    ASSERT_TRUE(document->has_errors()) << line;
    const uint32_t at = static_cast<uint32_t>(text.find(line));
    EXPECT_TRUE(IsRepaired(*document, {at, at + static_cast<uint32_t>(std::strlen(line))})) << line;
  }
}

// Lines that are broken in ways that nobody wrote down: whatever is tried ends, and what is offered helps.
TEST(MistakesTest, RepairsOfMangledLines) {
  constexpr absl::string_view kPieces[] = {
      "(", ")",          "{", "}",     "[",         "]",      ",",        "=",       "<", ">", "\"", "%",
      "-", "9999999999", "0", "ROOT ", "constant(", "slice=", "padding=", "f32[-1]", "?", ":", "#"};
  std::mt19937 random(20261126);
  const auto below = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  size_t offered = 0;
  for (const Lesson& lesson : LessonsOf(ReadFileOrDie(HLOSCOPE_SOURCE_DIR "/docs/mistakes.md"))) {
    for (size_t i = 0; i < lesson.mistakes.size(); i += 2) {
      const Mistake& mistake = lesson.mistakes[i];
      const size_t at = lesson.module.find(mistake.right);
      ASSERT_NE(at, std::string::npos) << mistake.number;
      std::string wrong = mistake.wrong;
      for (int change = 0; change < 2 && !wrong.empty(); ++change) {
        const size_t begin = below(wrong.size());
        wrong.replace(begin, below(4), std::string(kPieces[below(std::size(kPieces))]));
      }
      std::string text = lesson.module;
      text.replace(at, mistake.right.size(), wrong);
      const auto document = ReadDocument(text);
      for (const Repair& repair : FindRepairs(*document, static_cast<uint32_t>(at), [] { return false; })) {
        ++offered;
        EXPECT_LT(document->WithEdit(repair.edits)->error_count(), document->error_count()) << wrong;
      }
    }
  }
  EXPECT_GT(offered, 0u);
}

// The golden texts of diagnostics are wrong in every way that is known.
TEST(MistakesTest, RepairsLeaveFewerErrorsInAnyText) {
  size_t count = 0, found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HLOSCOPE_SOURCE_DIR "/tests/corpus")) {
    if (entry.path().extension() != ".hlo") continue;
    const auto sections = ParseGoldenFile(ReadFileOrDie(entry.path().string()));
    if (!sections.ok()) continue;
    for (const GoldenSection& section : *sections) {
      if (++count % 8 != 0) continue;  // an eighth of them, for the sake of time
      const auto document = Document::Parse(SourceText::FromString("test", section.text), section.options);
      if (!document->has_errors()) continue;
      const uint32_t at = document->diagnostics().front().range.begin;
      for (const Repair& repair : FindRepairs(*document, at, [] { return false; })) {
        ++found;
        EXPECT_LT(document->WithEdit(repair.edits)->error_count(), document->error_count()) << section.text;
      }
    }
  }
  EXPECT_GT(found, 0u);
}

}  // namespace
}  // namespace hloscope
