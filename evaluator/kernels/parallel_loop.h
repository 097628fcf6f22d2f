// Running a kernel's loop on the session's threads while the user can still cancel it.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_PARALLEL_LOOP_H_
#define HLOSCOPE_EVALUATOR_KERNELS_PARALLEL_LOOP_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "evaluator/kernels/kernel.h"

namespace hloscope {

// Runs `body` over [0, count) in blocks, each of some tens of microseconds of work, on the runtime's threads, and polls
// for cancellation every few milliseconds. `nanoseconds_per_item` is a rough guess of one item's cost on one thread.
// `body` may be called from several threads at once, for disjoint blocks. Small loops run in the calling thread.
// Errors: Cancelled; then some blocks were not executed.
absl::Status ParallelLoop(KernelRuntime& runtime, int64_t count, double nanoseconds_per_item,
                          absl::FunctionRef<void(int64_t begin, int64_t end)> body);

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_PARALLEL_LOOP_H_
