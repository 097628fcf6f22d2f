// SPDX-License-Identifier: Apache-2.0
// Values of a run beside those that were dumped elsewhere, one file for each instruction.
#ifndef HLOSCOPE_INSIGHT_VALUES_VALUE_FILES_H_
#define HLOSCOPE_INSIGHT_VALUES_VALUE_FILES_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/compare/run_comparison.h"
#include "evaluator/inputs/run_inputs.h"
#include "insight/runs/module_run.h"

namespace hloscope::insight {

// A value that was compared with its file.
struct FileComparison {
  InstructionId instruction;
  std::string file;  // below the folder
  std::string path;  // of the execution
  evaluator::LeafComparison comparison;
  std::string problem;       // why they cannot be compared; empty: they were
  bool is_frontier = false;  // it differs, and everything that it is computed from and was compared agrees

  bool Agrees() const { return problem.empty() && comparison.Agrees(); }
};

struct FilesComparison {
  std::vector<FileComparison> values;  // in the order of execution
  std::vector<std::string> unused;     // files of the folder that no executed instruction has the name of

  bool Agrees() const;
};

// Takes the values of entry parameters from DIR/NAME.npy, where there is one and the options give no other.
void TakeArguments(const Module& module, const std::string& directory, evaluator::RunOptions* options);

// Runs to the end and compares the first execution of every instruction that has a file: NAME.npy, NAME.0.npy for an
// element of a tuple; NAME with other characters than letters and digits as `_`; or the name of the instruction that
// its origin gives. `run` was prepared. Errors: those of the run; NotFound if the folder cannot be read.
absl::StatusOr<FilesComparison> CompareWithFiles(ModuleRun& run, const std::string& directory,
                                                 const std::vector<evaluator::ToleranceRule>& tolerances);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_VALUES_VALUE_FILES_H_
