// SPDX-License-Identifier: Apache-2.0
// Collectives in two halves, for asynchronous chains (docs/ops/control.md 2.1, 4.14).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_COMMUNICATION_COLLECTIVE_H_
#define HLOSCOPE_EVALUATOR_KERNELS_COMMUNICATION_COLLECTIVE_H_

#include "absl/status/statusor.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

// Posts the operands and returns what stands for the result until FinishCollective; the result itself if the device
// needs no other one. Never waits. Errors as those of a kernel.
absl::StatusOr<Value> StartCollective(const KernelContext& context);

// The result of a value that StartCollective returned. Error Unavailable while a device is missing.
absl::StatusOr<Value> FinishCollective(const Module& module, KernelRuntime& runtime, const Value& slot);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_COMMUNICATION_COLLECTIVE_H_
