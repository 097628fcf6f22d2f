// SPDX-License-Identifier: Apache-2.0
// The results of a run, put out as files and as text.
#ifndef HLOSCOPE_CLI_RESULT_OUTPUT_H_
#define HLOSCOPE_CLI_RESULT_OUTPUT_H_

#include <chrono>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "cli/gathered_results.h"
#include "evaluator/devices/device_groups.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::cli {

// What a run and the output of its results may take together.
class TimeLimit {
 public:
  // From now on; 0: without limit. `seconds_before` of it are used up.
  explicit TimeLimit(double seconds, double seconds_before = 0) : seconds_(seconds), seconds_before_(seconds_before) {}

  bool exists() const { return seconds_ > 0; }
  double SecondsUsed() const;  // but for those before
  double SecondsLeft() const { return seconds_ - seconds_before_ - SecondsUsed(); }
  // Errors: DeadlineExceeded.
  absl::Status Check() const;

 private:
  double seconds_, seconds_before_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// All within the time limit. Errors: those of the files, of the limit and of memory.
class ResultOutput {
 public:
  // `results` by device; both outlive the object.
  ResultOutput(const evaluator::DeviceGrid& grid, const std::vector<DeviceResults>& results, TimeLimit limit)
      : grid_(grid), results_(results), limit_(limit) {}

  // result0.npy and so on in a directory, or all in one archive NAME.npz. All files or none.
  absl::Status WriteFiles(const std::string& directory) const;
  // A line for each array.
  absl::Status PrintSummaries() const;
  // HLO literals.
  absl::Status PrintLiterals() const;
  // `statistics`, a JSON object, with the literals of the results under "results".
  absl::Status PrintJson(const std::string& statistics) const;

 private:
  absl::Status WriteArchive(const std::string& path) const;
  absl::Status PrintLiteral(const evaluator::Tensor& tensor) const;
  // Calls `visit` with "result1.r0" and the like, then with "outfeed0.1.r0": leaf 1 of the first item that
  // the replica gives the host.
  void ForEachResult(absl::FunctionRef<void(const std::string& name, const evaluator::Tensor& tensor)> visit) const;

  const evaluator::DeviceGrid& grid_;
  const std::vector<DeviceResults>& results_;
  const TimeLimit limit_;
};

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_RESULT_OUTPUT_H_
