// SPDX-License-Identifier: Apache-2.0
// Every citation in the repository resolves, and one that does not is found.
#include "tests/docs/citations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_join.h"
#include "tests/support/test_folder.h"

namespace hloscope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Citations, AllOfTheRepositoryResolve) {
  const std::vector<std::string> problems = UnresolvedCitations(HLOSCOPE_SOURCE_DIR);
  EXPECT_TRUE(problems.empty()) << absl::StrJoin(problems, "\n");
}

// A small tree with one document, one diagnostic and one golden file.
class CitationsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Write("docs/ops/dot.md",
          "# Dot\n## 6 Rules\n### 6.4 Pairs\n\n| Rule | What holds | Diagnostic | Test |\n|---|---|---|---|\n"
          "| DOT-1 | one | `dot-pair` | `tests/dot.hlo` |\n| DOT-2 | two | none | none |\n| V014 | three | none | none "
          "|\n"
          "\n| Decision | What is computed | Test |\n|---|---|---|\n| D3 | sums | none |\n"
          "\n## Appendix B: words\n");
    Write("core/diagnostics/kinds.def", "HLO_DIAGNOSTIC(DotPair, \"dot-pair\", Error, \"pairs\")\n");
    Write("tests/dot.hlo", "// DOT-1 to DOT-2.\n");
  }

  void Write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  std::vector<std::string> Problems() const { return UnresolvedCitations(root_); }
  // Of a header with this comment alone.
  std::vector<std::string> ProblemsOf(const std::string& comment) {
    Write("core/a.h", comment + "\n");
    return Problems();
  }

  const TestFolder folder_;
  const std::filesystem::path root_ = folder_.path();
};

TEST_F(CitationsTest, WhatExistsIsAccepted) {
  EXPECT_THAT(
      ProblemsOf(
          "// Pairs (docs/ops/dot.md 6 and 6.4), appendix: docs/ops/dot.md appendix B, docs/ops/dot.md#64-pairs.\n"
          "// DOT-1, DOT-1..2 and DOT-1, 2. V014; decision D3 (6.4). docs/ops/dot.md\n// 6.4."),
      IsEmpty());
}

TEST_F(CitationsTest, LookAlikesAreNoCitations) {
  EXPECT_THAT(
      ProblemsOf("// UTF-8, AVX-512, SHA-1, BF16, F32, M64, ES2022, FNV-1a, 4 GiB (0.15 %), |V1, XDOT-9, DOT-9x.\n"
                 "int D9 = A1;  \n"
                 "std::string path = Shared() + \"/spec/x.md\";"),
      IsEmpty());
}

TEST_F(CitationsTest, MadeUpRules) {
  EXPECT_THAT(ProblemsOf("int a;\n// DOT-99.\n// V999 and D4."),
              ElementsAre("core/a.h:2: no document has a rule DOT-99", "core/a.h:3: no document has a rule V999",
                          "core/a.h:3: no document has a rule D4"));
  EXPECT_THAT(ProblemsOf("// DOT-1..3."), ElementsAre("core/a.h:1: no document has a rule DOT-3"));
  EXPECT_THAT(ProblemsOf("// DOT-1, 7."), ElementsAre("core/a.h:1: no document has a rule DOT-7"));
  EXPECT_THAT(ProblemsOf("f(\"V015\");"), ElementsAre("core/a.h:1: no document has a rule V015"));
}

TEST_F(CitationsTest, MadeUpSections) {
  EXPECT_THAT(ProblemsOf("// (docs/ops/dot.md 6.5)"), ElementsAre("core/a.h:1: docs/ops/dot.md has no section 6.5"));
  EXPECT_THAT(ProblemsOf("// docs/ops/dot.md 6.4, 6.6"), ElementsAre("core/a.h:1: docs/ops/dot.md has no section 6.6"));
  EXPECT_THAT(ProblemsOf("// docs/ops/dot.md\n// 7"), ElementsAre("core/a.h:1: docs/ops/dot.md has no section 7"));
  EXPECT_THAT(ProblemsOf("// docs/ops/dots.md 6.4"), ElementsAre("core/a.h:1: there is no docs/ops/dots.md"));
  EXPECT_THAT(ProblemsOf("// docs/ops/dot.md#65"), ElementsAre("core/a.h:1: docs/ops/dot.md has no heading #65"));
  EXPECT_THAT(ProblemsOf("// docs/ops/dot.md\n// Pairs (6.8)."),
              ElementsAre("core/a.h:2: no document that this file cites has a section 6.8"));
  Write("core/a.cc", "// 6.9: pairs.\n");
  EXPECT_THAT(ProblemsOf("// docs/ops/dot.md"),
              ElementsAre("core/a.cc:1: no document that this file cites has a section 6.9"));
}

TEST_F(CitationsTest, FoldersThatAreNotThere) {
  EXPECT_THAT(ProblemsOf("// See spec/dot.md 6.4."), ElementsAre("core/a.h:1: the repository has no folder spec/"));
  EXPECT_THAT(ProblemsOf("// (design/cli.md)"), ElementsAre("core/a.h:1: the repository has no folder design/"));
  EXPECT_THAT(ProblemsOf("// spec 6.4"), ElementsAre("core/a.h:1: a section of a document that is not named"));
}

TEST_F(CitationsTest, Links) {
  Write("README.md",
        "[dot](docs/ops/dot.md#64-pairs) [web](https://example.org/x.md) [no](docs/no.md) [a](#nothing)\n");
  EXPECT_THAT(Problems(), ElementsAre("README.md:1: there is no docs/no.md", "README.md:1: there is no docs/no.md",
                                      "README.md:1: README.md has no heading #nothing"));
}

TEST_F(CitationsTest, TablesOfRules) {
  Write("docs/more.md",
        "| Rule | What holds | Diagnostic | Test |\n|---|---|---|---|\n| DOT-1 | again | `no-code` | `tests/no.hlo` |\n"
        "| DOT-5 | five | none | `tests/dot.hlo` |\n| DOT-6 | six | none | |\n");
  EXPECT_THAT(Problems(),
              ElementsAre("docs/more.md:3: DOT-1 names a diagnostic no-code that does not exist",
                          "docs/more.md:3: DOT-1 names a test tests/no.hlo that does not exist",
                          "docs/more.md:4: DOT-5 is not named in tests/dot.hlo", "docs/more.md:5: DOT-6 names no test",
                          "docs/ops/dot.md:7: DOT-1 has a second row"));
}

TEST_F(CitationsTest, BuildFoldersAreLeftAlone) {
  Write("build-debug/a.h", "// DOT-99\n");
  Write("out/CMakeCache.txt", "");
  Write("out/a.h", "// DOT-99\n");
  EXPECT_THAT(Problems(), IsEmpty());
}

}  // namespace
}  // namespace hloscope
