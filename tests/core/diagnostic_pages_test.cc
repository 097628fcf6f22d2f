// SPDX-License-Identifier: Apache-2.0
// The page of every diagnostic code exists; its wrong example gives that diagnostic and its right one no error.
//
// Form of resources/diagnostics/CODE.md:
//   # CODE                 then a paragraph: what the diagnostic means and why it matters
//   ## Wrong               with one ```hlo block
//   ## Right               with one ```hlo block
//   ## What to do          optional
// Options of tests/support/golden_file.h may follow the tag: ```hlo --layout-sensitive
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/document/document.h"
#include "tests/support/golden_file.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

std::string PagePath(absl::string_view code) {
  return absl::StrCat(HLOSCOPE_SOURCE_DIR, "/resources/diagnostics/", code, ".md");
}

struct Example {
  DocumentOptions options;
  std::string text;
};

struct Page {
  std::string title, introduction;
  std::optional<Example> wrong, right;
};

// Reports what departs from the form.
Page ReadPage(const std::string& path) {
  Page page;
  std::string section;
  Example* block = nullptr;
  for (const absl::string_view line : absl::StrSplit(ReadFileOrDie(path), '\n')) {
    if (block != nullptr) {
      if (line == "```") {
        block = nullptr;
      } else {
        absl::StrAppend(&block->text, line, "\n");
      }
    } else if (absl::StartsWith(line, "```")) {
      absl::string_view options = line;
      EXPECT_TRUE(absl::ConsumePrefix(&options, "```hlo")) << path << ": only hlo blocks are checked: " << line;
      EXPECT_TRUE(section == "Wrong" || section == "Right") << path << ": a block in section `" << section << "`";
      std::optional<Example>& example = section == "Wrong" ? page.wrong : page.right;
      EXPECT_FALSE(example.has_value()) << path << ": a second block in section `" << section << "`";
      block = &example.emplace();
      const absl::Status status = ReadGoldenOptions(options, &block->options);
      EXPECT_TRUE(status.ok()) << path << ": " << status;
    } else if (absl::StartsWith(line, "# ")) {
      page.title = std::string(line.substr(2));
    } else if (absl::StartsWith(line, "## ")) {
      section = std::string(line.substr(3));
      EXPECT_TRUE(section == "Wrong" || section == "Right" || section == "What to do") << path << ": " << line;
    } else if (section.empty()) {
      absl::StrAppend(&page.introduction, absl::StripAsciiWhitespace(line));
    }
  }
  EXPECT_EQ(block, nullptr) << path << ": a block is not closed";
  return page;
}

std::string DiagnosticsText(const Document& document) {
  std::string text;
  for (const Diagnostic& d : document.diagnostics()) {
    absl::StrAppend(&text, "\n  ", SeverityName(d.severity), ": ", d.Message(), " [", d.code(), "] at `",
                    document.source().Slice(d.range), "`");
  }
  return text.empty() ? "\n  nothing" : text;
}

std::shared_ptr<const Document> ReadExample(const Example& example) {
  return Document::Parse(SourceText::FromString("example", example.text), example.options);
}

void CheckPage(absl::string_view code) {
  const std::string path = PagePath(code);
  const Page page = ReadPage(path);
  EXPECT_EQ(page.title, code) << path;
  EXPECT_FALSE(page.introduction.empty()) << path << ": says nothing before the examples";
  const bool needs_example = !CodesWithoutExample().contains(code);
  EXPECT_TRUE(page.wrong || !needs_example) << path << ": no block in section Wrong";
  EXPECT_TRUE(page.right || !needs_example) << path << ": no block in section Right";
  if (page.wrong && needs_example) {
    const auto document = ReadExample(*page.wrong);
    bool found = false;
    for (const Diagnostic& d : document->diagnostics()) found = found || d.code() == code;
    EXPECT_TRUE(found) << path << ": the wrong example gives" << DiagnosticsText(*document);
  }
  if (page.right) {
    const auto document = ReadExample(*page.right);
    bool found = document->has_errors();
    for (const Diagnostic& d : document->diagnostics()) found = found || d.code() == code;
    EXPECT_FALSE(found) << path << ": the right example gives" << DiagnosticsText(*document);
  }
}

TEST(DiagnosticPages, EveryCodeHasAPageWithAWrongAndARightExample) {
  for (const absl::string_view code : AllDiagnosticCodes()) {
    if (std::filesystem::exists(PagePath(code))) {
      CheckPage(code);
    } else {
      ADD_FAILURE() << "no page " << PagePath(code);
    }
  }
}

TEST(DiagnosticPages, NothingIsListedThatDoesNotExist) {
  for (const auto& [code, reason] : CodesWithoutExample()) {
    EXPECT_TRUE(DiagnosticKindFromCode(code).has_value()) << "no code " << code;
  }
  for (const auto& entry : std::filesystem::directory_iterator(PagePath("").substr(0, PagePath("").size() - 3))) {
    EXPECT_TRUE(DiagnosticKindFromCode(entry.path().stem().string()).has_value()) << "no code for " << entry.path();
  }
}

}  // namespace
}  // namespace hloscope
