// SPDX-License-Identifier: Apache-2.0
// Every called computation of a run alone, on the values that it really gets.
#ifndef HLOSCOPE_INSIGHT_VALUES_ISOLATION_H_
#define HLOSCOPE_INSIGHT_VALUES_ISOLATION_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/compare/run_comparison.h"
#include "insight/runs/module_run.h"

namespace hloscope::insight {

// An instruction that calls computations: a fusion, call, loop or conditional.
struct IsolatedCall {
  InstructionId instruction;
  std::string path;                                // of its first execution
  std::string problem;                             // why it cannot run alone; empty: it did
  double seconds = 0;                              // alone
  std::vector<evaluator::LeafComparison> results;  // against the whole run
  bool has_nan = false, has_infinity = false;      // in its results, although none of its operands has
  std::vector<std::string> files;                  // that were written: module.hlo, arg0.npy, ..., result0.npy, ...

  bool Agrees() const;
};

struct IsolationOptions {
  std::vector<evaluator::ToleranceRule> tolerances;  // where none fits, what is usual for what computes a value
  std::string directory;  // for one folder for each call, named after its instruction; empty: nothing is written
  std::string only;       // the name of one instruction; empty: all
};

// Runs the module to the end, and the first execution of each of these instructions once more, alone. `run` was
// prepared. Errors: those of the whole run, and of writing.
absl::StatusOr<std::vector<IsolatedCall>> IsolateCalls(ModuleRun& run, const evaluator::RunOptions& run_options,
                                                       const IsolationOptions& options);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_VALUES_ISOLATION_H_
