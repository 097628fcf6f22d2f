// Runs every case of the shared vectors through a session and compares as the case asks.
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/document/document.h"
#include "evaluator/engine/device_run.h"
#include "evaluator/tensor/npy.h"
#include "gtest/gtest.h"
#include "tests/support/shared_files.h"
#include "tests/support/vector_case.h"

namespace hloscope {
namespace {

// Empty if the case passes, else why not.
std::string RunCase(const VectorCase& c) {
  const absl::StatusOr<std::shared_ptr<const Document>> document = Document::Open(c.module_path);
  if (!document.ok()) return std::string(document.status().message());
  if ((*document)->has_errors()) return (*document)->diagnostics()[0].Message();
  const DeviceGrid grid{c.replica_count, c.num_partitions};
  absl::StatusOr<std::unique_ptr<DeviceRun>> run =
      DeviceRun::Create((*document)->shared_module(), grid, SessionOptions());
  if (!run.ok()) return std::string(run.status().message());
  for (int64_t f = 0; f < grid.device_count(); ++f) {
    for (size_t k = 0; k < c.parameters.size(); ++k) {
      absl::StatusOr<Tensor> argument = ReadNpy(c.PathOf(c.parameters[k].path, f), c.parameters[k].shape);
      if (!argument.ok()) return std::string(argument.status().message());
      const absl::Status set = (*run)->device(f).SetArgument(static_cast<int64_t>(k), *std::move(argument));
      if (!set.ok()) return std::string(set.message());
    }
    (*run)->device(f).set_keep_values(false);
  }
  if ((*run)->Run() != StopReason::kFinished) return std::string((*run)->status().message());

  for (int64_t f = 0; f < grid.device_count(); ++f) {
    std::vector<Tensor> results;
    (*run)->device(f).result().ForEachTensor([&](const Tensor& tensor) { results.push_back(tensor); });
    if (results.size() != c.results.size()) {
      return absl::StrCat(results.size(), " results, expected ", c.results.size());
    }
    for (size_t k = 0; k < results.size(); ++k) {
      const absl::StatusOr<Tensor> expected = ReadNpy(c.PathOf(c.results[k].path, f), c.results[k].shape);
      if (!expected.ok()) return std::string(expected.status().message());
      const std::string difference = CompareTensors(*expected, results[k], c.results[k].rule);
      if (!difference.empty()) return absl::StrCat("result ", k, " of device ", f, ": ", difference);
    }
  }
  return "";
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
}  // namespace hloscope
