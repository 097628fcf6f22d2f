// SPDX-License-Identifier: Apache-2.0
// Worked modules of control flow and collectives: those with `reject: Vnnn` are rejected for that reason, all
// others are accepted.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "tests/support/module_diagnostics.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

struct Vector {
  std::string id, reject, text;
};

std::vector<Vector> ReadVectors(const std::string& path) {
  std::vector<Vector> vectors;
  Vector vector;
  bool inside = false;
  for (absl::string_view line : absl::StrSplit(ReadFileOrDie(path), '\n')) {
    if (line == "```hlo") {
      inside = true;
      vector = {};
    } else if (inside && line == "```") {
      inside = false;
      if (!vector.id.empty()) vectors.push_back(vector);
    } else if (inside) {
      vector.text.append(line.data(), line.size());
      vector.text.push_back('\n');
      if (absl::ConsumePrefix(&line, "// id: ")) vector.id = std::string(line);
      if (absl::ConsumePrefix(&line, "// reject: ")) vector.reject = std::string(line);
    }
  }
  return vectors;
}

// The code by which a check of the specification reports.
const std::map<std::string, std::string>& CodeOfCheck() {
  static const auto* codes = new std::map<std::string, std::string>{
      {"V016", "recursive-call"},         {"V037", "buffer-donor"},   {"V041", "tuple-access"},
      {"V051", "argument-shape"},         {"V056", "callee-result"},  {"V058", "branch-selector"},
      {"V072", "argument-count"},         {"V112", "async-unbound"},  {"V122", "operand-not-token"},
      {"V134", "several-dones"},          {"V143", "replica-groups"}, {"V145", "replica-groups"},
      {"V156", "source-target-pairs"},    {"V182", "sharding-rank"},  {"V183", "sharding-device"},
      {"V202", "used-before-definition"},
  };
  return *codes;
}

TEST(VerifyVectors, AreJudgedAsTheSpecificationSays) {
  SKIP_WITHOUT_SHARED_FILE("/spec/ops-c-control-collectives.md");
  const std::string path = SharedDirectory() + "/spec/ops-c-control-collectives.md";
  const std::vector<Vector> vectors = ReadVectors(path);
  EXPECT_GT(vectors.size(), 70u);
  for (const Vector& vector : vectors) {
    // Two of its names, `s1` and `s2`, are element types, which the format forbids (docs/text-format.md 6.1).
    if (vector.id == "COPYSTART-2") continue;
    const std::string found = DiagnosticsOf(vector.text, {}, Severity::kError);
    if (vector.reject.empty()) {
      EXPECT_EQ(found, "ok") << vector.id << "\n" << FirstDiagnosticOf(vector.text);
      continue;
    }
    const auto code = CodeOfCheck().find(vector.reject);
    ASSERT_NE(code, CodeOfCheck().end()) << vector.id << " " << vector.reject;
    EXPECT_EQ(found.substr(0, found.find(" at ")), code->second) << vector.id << "\n" << found;
  }
}

TEST(VerifyVectors, RealModulesHaveNoErrors) {
  SKIP_WITHOUT_SHARED_FILES();
  std::vector<std::string> paths = CorpusFiles();
  for (const std::string& directory : VectorCases()) paths.push_back(directory + "/module.hlo");
  for (const std::string& path : paths) {
    const std::string text = ReadFileOrDie(path);
    EXPECT_EQ(DiagnosticsOf(text, {}, Severity::kError), "ok") << path << "\n"
                                                               << FirstDiagnosticOf(text, {}, Severity::kError);
  }
}

}  // namespace
}  // namespace hloscope
