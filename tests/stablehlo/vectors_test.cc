// SPDX-License-Identifier: Apache-2.0
// Every program of the shared vectors gives the results of its case.
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "gtest/gtest.h"
#include "stablehlo/import.h"
#include "tests/support/shared_files.h"
#include "tests/support/vector_run.h"

namespace hloscope::stablehlo {
namespace {

// Empty if the program gives what its case expects, else why not.
std::string RunProgram(const VectorCase& c, const std::string& path, bool has_arguments) {
  const stablehlo::ImportedProgram program =
      stablehlo::ImportProgram(SourceText::FromString(path, ReadFileOrDie(path)));
  for (const Diagnostic& diagnostic : program.diagnostics) {
    const uint32_t line = program.hlo->origin()->source->LineColumnAt(diagnostic.range.begin).line + 1;
    return absl::StrCat("line ", line, ": ", diagnostic.Message());
  }
  return RunVectorCase(c, *Document::Parse(program.hlo), has_arguments);
}

void RunAll(const std::string& file, bool has_arguments, int least) {
  int run = 0;
  for (const std::string& directory : VectorCases()) {
    const std::string path = absl::StrCat(directory, "/", file);
    if (!std::filesystem::exists(path)) continue;
    const absl::StatusOr<VectorCase> c = VectorCase::Load(directory);
    ASSERT_TRUE(c.ok()) << c.status().message();
    EXPECT_EQ(RunProgram(*c, path, has_arguments), "") << path;
    ++run;
  }
  EXPECT_GE(run, least);
}

TEST(StablehloVectorsTest, EveryProgramGivesTheExpectedResults) {
  SKIP_WITHOUT_SHARED_FILES();
  RunAll("program.mlir", true, 900);
}

TEST(StablehloVectorsTest, EveryOriginalFileGivesTheExpectedResultsWithoutArguments) {
  SKIP_WITHOUT_SHARED_FILES();
  RunAll("original.mlir", false, 700);
}

}  // namespace
}  // namespace hloscope::stablehlo
