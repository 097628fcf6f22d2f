// SPDX-License-Identifier: Apache-2.0
// The line on a terminal that tells how far a run has come.
#ifndef HLOSCOPE_CLI_PROGRESS_LINE_H_
#define HLOSCOPE_CLI_PROGRESS_LINE_H_

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "evaluator/engine/run_progress.h"

namespace hloscope::cli {

// "12,345 instructions, 45 % of 1.2 TFLOP, about 12 s left". `total_flops`: of the whole run; what is left is shown
// only once enough is done to tell.
std::string ProgressText(int64_t steps, int64_t flops, int64_t total_flops, double seconds);

// While one of these lives and standard error is a terminal, a line there shows the progress, from the second second
// on. It is gone when the object is.
class ProgressLine {
 public:
  // `progress` outlives the object.
  ProgressLine(const evaluator::RunProgress& progress, int64_t total_flops);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void Show();

  const evaluator::RunProgress& progress_;
  const int64_t total_flops_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_PROGRESS_LINE_H_
