// SPDX-License-Identifier: Apache-2.0
// Running a kernel's loop on the session's threads while the user can still cancel it.
#ifndef HLOSCOPE_NUMERICS_PARALLEL_PARALLEL_LOOP_H_
#define HLOSCOPE_NUMERICS_PARALLEL_PARALLEL_LOOP_H_

#include <cstdint>

#include "numerics/parallel/executor.h"
#include "numerics/parallel/function_ref.h"

namespace hloscope::numerics {

// Runs `body` over [0, count) in blocks, each of some tens of microseconds of work, on the executor's threads, and
// polls for cancellation every few milliseconds. `nanoseconds_per_item` is a rough guess of one item's cost on one
// thread. `body` may be called from several threads at once, for disjoint blocks. Small loops run in the calling
// thread. Errors: kCancelled; then some blocks were not executed.
Outcome ParallelLoop(Executor& executor, int64_t count, double nanoseconds_per_item,
                     FunctionRef<void(int64_t begin, int64_t end)> body);

// The same in the calling thread alone.
Outcome SerialLoop(Executor& executor, int64_t count, double nanoseconds_per_item,
                   FunctionRef<void(int64_t begin, int64_t end)> body);

// For items of a loop that take long themselves: looks at the cancellation flag every few milliseconds of work. One per
// thread.
class CancellationPoll {
 public:
  explicit CancellationPoll(Executor& executor) : executor_(executor) {}

  // Counts work that was done. True, from then on, once the run is to end: the caller leaves its loop, and whoever
  // started it asks CheckCancelled for the error.
  bool Cancelled(double nanoseconds) {
    nanoseconds_ += nanoseconds;
    if (nanoseconds_ < kPollNanoseconds || cancelled_) return cancelled_;
    nanoseconds_ = 0;
    cancelled_ = executor_.IsCancelled();
    return cancelled_;
  }

 private:
  static constexpr double kPollNanoseconds = 500e3;

  Executor& executor_;
  double nanoseconds_ = 0;
  bool cancelled_ = false;
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_PARALLEL_PARALLEL_LOOP_H_
