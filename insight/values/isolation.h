// SPDX-License-Identifier: Apache-2.0
// Every called computation of a run alone, on the values that it really gets.
#ifndef HLOSCOPE_INSIGHT_VALUES_ISOLATION_H_
#define HLOSCOPE_INSIGHT_VALUES_ISOLATION_H_

#include <functional>
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
  std::string problem;                             // why it cannot run alone; empty: it did, or was passed over
  bool is_passed_over = false;                     // what it calls was run alone, and is too much to be run again
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
  // The run of one alone that is under way, to be cancelled as the whole run is; null between them. May be empty.
  std::function<void(evaluator::DeviceRun* alone)> on_run;
};

// Runs the module to the end, and the first execution of each of these instructions once more, alone: inner ones first,
// outer ones while all of them together are not very many times as large as the module. `run` was prepared. Errors:
// those of the whole run, and of writing.
absl::StatusOr<std::vector<IsolatedCall>> IsolateCalls(ModuleRun& run, const evaluator::RunOptions& run_options,
                                                       const IsolationOptions& options);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_VALUES_ISOLATION_H_
