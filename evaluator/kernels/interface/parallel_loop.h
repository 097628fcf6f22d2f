// SPDX-License-Identifier: Apache-2.0
// Running a kernel's loop on the session's threads while the user can still cancel it.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_INTERFACE_PARALLEL_LOOP_H_
#define HLOSCOPE_EVALUATOR_KERNELS_INTERFACE_PARALLEL_LOOP_H_

#include <cstdint>

#include "absl/status/status.h"
#include "evaluator/kernels/interface/kernel.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::evaluator {

using numerics::CancellationPoll;

// What `outcome` of a loop on `runtime` is as an error: that of CheckCancelled, or ResourceExhausted.
absl::Status StatusOf(numerics::Outcome outcome, KernelRuntime& runtime);

// Those of numerics (numerics/parallel/parallel_loop.h). Errors: Cancelled.
absl::Status ParallelLoop(KernelRuntime& runtime, int64_t count, double nanoseconds_per_item,
                          numerics::FunctionRef<void(int64_t begin, int64_t end)> body);
absl::Status SerialLoop(KernelRuntime& runtime, int64_t count, double nanoseconds_per_item,
                        numerics::FunctionRef<void(int64_t begin, int64_t end)> body);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_INTERFACE_PARALLEL_LOOP_H_
