// SPDX-License-Identifier: Apache-2.0
// Programs that say what they give: forms and spellings of operations, run.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/document/document.h"
#include "evaluator/engine/device_run.h"
#include "gtest/gtest.h"
#include "stablehlo/import.h"
#include "tests/support/compare_values.h"
#include "tests/support/shared_files.h"

namespace hloscope::stablehlo {
namespace {

constexpr absl::string_view kNextProgram = "// ---- ";

// Empty if the first half of the program's results is the second half, else what is wrong.
std::string WhatDiffers(absl::string_view text) {
  const ImportedProgram program = ImportProgram(SourceText::FromString("program", std::string(text)));
  if (!program.diagnostics.empty()) return program.diagnostics[0].Message();
  const auto document = Document::Parse(program.hlo);
  if (document->has_errors()) return document->diagnostics()[0].Message();
  absl::StatusOr<std::unique_ptr<evaluator::DeviceRun>> run =
      evaluator::DeviceRun::Create(document->shared_module(), evaluator::DeviceGrid{1, 1}, evaluator::SessionOptions());
  if (!run.ok()) return std::string(run.status().message());
  if ((*run)->Run() != evaluator::StopReason::kFinished) return std::string((*run)->status().message());
  std::vector<evaluator::Tensor> results;
  (*run)->device(0).result().ForEachTensor([&](const evaluator::Tensor& tensor) { results.push_back(tensor); });
  if (results.empty() || results.size() % 2 != 0) return absl::StrCat(results.size(), " results");
  const ComparisonRule rule{.check = ComparisonRule::Check::kAlmostEqual, .tolerance = 2e-5};
  for (size_t k = 0; k < results.size() / 2; ++k) {
    const std::string difference = CompareTensors(results[results.size() / 2 + k], results[k], rule);
    if (!difference.empty()) return absl::StrCat("result ", k, ": ", difference);
  }
  return "";
}

TEST(StablehloProgramsTest, GiveWhatNumPyGives) {
  const std::string all = ReadFileOrDie(HLOSCOPE_SOURCE_DIR "/tests/stablehlo/data/programs.mlir");
  int count = 0;
  for (const absl::string_view part : absl::StrSplit(all, kNextProgram)) {
    if (count++ == 0) continue;  // what the file says of itself
    const std::pair<absl::string_view, absl::string_view> program = absl::StrSplit(part, absl::MaxSplits('\n', 1));
    EXPECT_EQ(WhatDiffers(program.second), "") << program.first;
  }
  EXPECT_GT(count, 140);
}

}  // namespace
}  // namespace hloscope::stablehlo
