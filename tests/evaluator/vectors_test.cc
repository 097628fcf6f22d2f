// SPDX-License-Identifier: Apache-2.0
// Runs every case of the shared vectors through a session and compares as the case asks.
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/document/document.h"
#include "gtest/gtest.h"
#include "tests/support/shared_files.h"
#include "tests/support/vector_case.h"
#include "tests/support/vector_run.h"

namespace hloscope::evaluator {
namespace {

// Empty if the case passes, else why not.
std::string RunCase(const VectorCase& c) {
  const absl::StatusOr<std::shared_ptr<const Document>> document = Document::Open(c.module_path);
  if (!document.ok()) return std::string(document.status().message());
  return RunVectorCase(c, **document);
}

TEST(VectorsTest, EveryCase) {
  SKIP_WITHOUT_SHARED_FILES();
  std::map<std::string, std::pair<int, int>> passed_of_opcode;  // passed, run
  int run = 0, passed = 0, several_devices = 0;
  for (const std::string& directory : VectorCases()) {
    const absl::StatusOr<VectorCase> c = VectorCase::Load(directory);
    ASSERT_TRUE(c.ok()) << c.status().message();
    several_devices += c->replica_count * c->num_partitions != 1;
    const std::string failure = RunCase(*c);
    EXPECT_EQ(failure, "") << c->name;
    ++run;
    passed += failure.empty();
    for (const std::string& opcode : c->opcodes) {
      passed_of_opcode[opcode].first += failure.empty();
      ++passed_of_opcode[opcode].second;
    }
  }
  std::vector<std::string> lines;
  for (const auto& [opcode, counts] : passed_of_opcode) {
    lines.push_back(absl::StrCat(opcode, " ", counts.first, "/", counts.second));
  }
  std::printf("%d of %d cases pass, %d of them on several devices\n%s\n", passed, run, several_devices,
              absl::StrJoin(lines, ", ").c_str());
  EXPECT_GT(run, 0);
}

}  // namespace
}  // namespace hloscope::evaluator
