// SPDX-License-Identifier: Apache-2.0
// Modules that are right must pass every check: worked and shared reference vectors,
// and the corpus of real modules.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/document/document.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

void ExpectNoErrors(const Document& document, const std::string& where) {
  int shown = 0;
  for (const Diagnostic& d : document.diagnostics()) {
    if (d.severity != Severity::kError || ++shown > 3) continue;
    ADD_FAILURE() << where << ": " << d.Message() << " [" << d.code() << "] at `" << document.source().Slice(d.range)
                  << "`";
  }
}

TEST(AcceptedModules, VectorsOfTheSpecification) {
  const std::string folder = absl::StrCat(HLOSCOPE_SOURCE_DIR, "/tests/evaluator/data/");
  const std::string helpers = ReadFileOrDie(folder + "helper_computations.hlo");
  int checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".vectors") continue;
    std::string name, body;
    const std::string text = ReadFileOrDie(entry.path().string());
    for (absl::string_view line : absl::StrSplit(text, '\n')) {
      if (absl::StartsWith(line, "// V ")) {
        name = absl::StrCat(entry.path().filename().string(), " ", line.substr(5));
        body.clear();
      } else if (!absl::StartsWith(line, "// =>")) {
        absl::StrAppend(&body, line, "\n");
      } else if (!body.empty()) {
        const std::string module = absl::StrCat("HloModule vector\n", helpers, "\nENTRY entry {\n", body, "}\n");
        ExpectNoErrors(*Document::Parse(SourceText::FromString("vector", module)), name);
        body.clear();
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 80);
}

TEST(AcceptedModules, ReferenceVectors) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const std::string& folder : VectorCases()) {
    const auto document = Document::Open(folder + "/module.hlo");
    ASSERT_TRUE(document.ok()) << folder;
    ExpectNoErrors(**document, folder);
  }
}

TEST(AcceptedModules, Corpus) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const std::string& file : CorpusFiles()) {
    const auto document = Document::Open(file);
    ASSERT_TRUE(document.ok()) << file;
    ExpectNoErrors(**document, file);
  }
}

}  // namespace
}  // namespace hloscope
