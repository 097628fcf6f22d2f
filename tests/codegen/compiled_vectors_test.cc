// SPDX-License-Identifier: Apache-2.0
// The shared vectors, compiled to programs: each computes what the case expects.
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "evaluator/tensor/npy.h"
#include "gtest/gtest.h"
#include "tests/codegen/compiled_program.h"
#include "tests/support/shared_files.h"
#include "tests/support/vector_case.h"

namespace hloscope::codegen {
namespace {

struct CompiledCase {
  VectorCase vector_case;
  std::shared_ptr<const Document> document;
};

// Of the first kind: one case for each opcode that has not come up yet, but for those with long texts; with
// HLOSCOPE_LONG_TESTS all cases.
std::vector<CompiledCase> Cases() {
  const bool all = std::getenv("HLOSCOPE_LONG_TESTS") != nullptr;
  std::vector<CompiledCase> cases;
  std::map<std::string, int> uses;
  for (const std::string& directory : VectorCases()) {
    absl::StatusOr<VectorCase> c = VectorCase::Load(directory);
    if (!c.ok()) {
      ADD_FAILURE() << c.status();
      continue;
    }
    if (c->replica_count * c->num_partitions != 1) continue;  // a program runs on one device
    bool is_new = false;
    for (const std::string& opcode : c->opcodes) is_new = is_new || uses[opcode] == 0;
    if (!all && !is_new) continue;
    absl::StatusOr<std::shared_ptr<const Document>> document = Document::Open(c->module_path);
    if (!document.ok() || (*document)->has_errors()) {
      ADD_FAILURE() << c->name;
      continue;
    }
    constexpr size_t kSmall = 60;
    if (!all && (*document)->module().instruction_count() > kSmall) continue;
    for (const std::string& opcode : c->opcodes) ++uses[opcode];
    cases.push_back({*std::move(c), *std::move(document)});
  }
  return cases;
}

TEST(CompiledVectorsTest, ComputeWhatIsExpected) {
  SKIP_WITHOUT_SHARED_FILES();
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  const std::vector<CompiledCase> cases = Cases();
  ASSERT_GT(cases.size(), 40u);
  CompiledProgram program;
  std::vector<ProgramModule> modules;
  std::vector<CompiledProgram::Request> requests;
  for (const CompiledCase& c : cases) {
    const std::string& name = c.vector_case.name;
    modules.push_back({&c.document->module(), name});
    requests.push_back({name, c.vector_case.directory, absl::StrCat(program.folder(), "/results-", name)});
  }
  const absl::Status built = program.Build(modules);
  ASSERT_TRUE(built.ok()) << built;
  const absl::Status run = program.Run(requests);
  ASSERT_TRUE(run.ok()) << run;
  int passed = 0;
  for (size_t k = 0; k < cases.size(); ++k) {
    bool good = true;
    const VectorCase& c = cases[k].vector_case;
    for (size_t r = 0; r < c.results.size(); ++r) {
      const absl::StatusOr<evaluator::Tensor> expected =
          evaluator::ReadNpy(c.PathOf(c.results[r].path, 0), c.results[r].shape);
      ASSERT_TRUE(expected.ok()) << expected.status();
      const absl::StatusOr<evaluator::Tensor> actual =
          evaluator::ReadNpy(absl::StrCat(requests[k].results, "/result", r, ".npy"), c.results[r].shape);
      if (!actual.ok()) {
        ADD_FAILURE() << c.name << ": " << actual.status();
        good = false;
        continue;
      }
      const std::string difference = CompareTensors(*expected, *actual, c.results[r].rule);
      EXPECT_EQ(difference, "") << c.name << ", result " << r;
      good = good && difference.empty();
    }
    passed += good;
  }
  std::printf("%d of %zu compiled cases pass\n", passed, cases.size());
}

// What is not compiled is said so, at the instruction.
TEST(CompiledVectorsTest, SeveralDevicesAreNotCompiled) {
  SKIP_WITHOUT_SHARED_FILES();
  int found = 0;
  for (const std::string& directory : VectorCases()) {
    const absl::StatusOr<VectorCase> c = VectorCase::Load(directory);
    ASSERT_TRUE(c.ok()) << c.status();
    if (c->replica_count * c->num_partitions == 1) continue;
    const absl::StatusOr<std::shared_ptr<const Document>> document = Document::Open(c->module_path);
    ASSERT_TRUE(document.ok()) << document.status();
    const Program program = GenerateProgram({{&(*document)->module(), "several"}});
    ASSERT_FALSE(program.complete()) << c->name;
    EXPECT_TRUE(program.files.empty());
    EXPECT_EQ(InfoOf((*document)->module().opcode(program.not_compiled[0][0].instruction)).family,
              OpFamily::kCollective);
    ++found;
  }
  EXPECT_GT(found, 5);
}

}  // namespace
}  // namespace hloscope::codegen
