// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/interface/parallel_loop.h"

namespace hloscope::evaluator {

absl::Status StatusOf(numerics::Outcome outcome, KernelRuntime& runtime) {
  switch (outcome.kind()) {
    case numerics::Outcome::kDone:
      return absl::OkStatus();
    case numerics::Outcome::kNoMemory:
      return absl::ResourceExhaustedError("no memory is left for intermediate results");
    case numerics::Outcome::kCancelled:
      break;
  }
  // A request to pause may have been withdrawn since.
  absl::Status status = runtime.CheckCancelled();
  return status.ok() ? absl::CancelledError("the run was interrupted") : status;
}

absl::Status ParallelLoop(KernelRuntime& runtime, int64_t count, double nanoseconds_per_item,
                          numerics::FunctionRef<void(int64_t begin, int64_t end)> body) {
  return StatusOf(numerics::ParallelLoop(runtime, count, nanoseconds_per_item, body), runtime);
}

absl::Status SerialLoop(KernelRuntime& runtime, int64_t count, double nanoseconds_per_item,
                        numerics::FunctionRef<void(int64_t begin, int64_t end)> body) {
  return StatusOf(numerics::SerialLoop(runtime, count, nanoseconds_per_item, body), runtime);
}

}  // namespace hloscope::evaluator
