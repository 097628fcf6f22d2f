// SPDX-License-Identifier: Apache-2.0
// Every diagnostic has a golden test. That every rule has one is what tests/docs checks.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/diagnostics/diagnostic.h"
#include "tests/support/golden_file.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

std::set<std::string> ExpectedCodes() {
  std::set<std::string> codes;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/tests/corpus"))) {
    if (entry.path().extension() != ".hlo") continue;
    const auto sections = ParseGoldenFile(ReadFileOrDie(entry.path().string()));
    if (!sections.ok()) continue;  // a failure of golden_test
    for (const GoldenSection& section : *sections) {
      for (const GoldenExpectation& expectation : section.expectations) codes.insert(expectation.code);
    }
  }
  return codes;
}

// Sections without the diagnostic are there in plenty: all of them expect nothing but what they say.
TEST(GoldenCodes, EveryCodeIsExpectedByAGoldenFile) {
  const std::set<std::string> expected = ExpectedCodes();
  for (const absl::string_view code : AllDiagnosticCodes()) {
    if (CodesWithoutExample().contains(code)) continue;
    EXPECT_TRUE(expected.contains(std::string(code))) << "no golden file expects " << code;
  }
}

}  // namespace
}  // namespace hloscope
