// SPDX-License-Identifier: Apache-2.0
// What custom-call handlers have in common.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_CUSTOM_CALLS_CUSTOM_CALL_SUPPORT_H_
#define HLOSCOPE_EVALUATOR_KERNELS_CUSTOM_CALLS_CUSTOM_CALL_SUPPORT_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

absl::string_view CustomCallTarget(const KernelContext& context);

// Error InvalidArgument, naming the target, unless there are at least `count` operands and these are arrays.
absl::Status CheckArrayOperands(const KernelContext& context, size_t count);
// Error InvalidArgument as above unless operand `k` is a batch of FLOAT or COMPLEX matrices.
absl::Status CheckMatrixOperand(const KernelContext& context, size_t k);
// An InvalidArgument error about the call.
absl::Status CustomCallError(const KernelContext& context, absl::string_view what);

// The computation in to_apply or called_computations; none if there is none.
ComputationId CalledComputation(const KernelContext& context);

// The value of `key` in backend_config, whether that is a dictionary {key = value : type} or JSON {"key": value}.
std::optional<absl::string_view> BackendConfigValue(const KernelContext& context, absl::string_view key);
std::optional<int64_t> BackendConfigInt(const KernelContext& context, absl::string_view key);

// `results` as the declared shape wants them: an array or a tuple. Elements of the declared tuple beyond the results
// are work space of the real target: zeros. Error InvalidArgument if there are too many results, or if one has not its
// shape.
absl::StatusOr<Value> CustomCallResult(const KernelContext& context, std::vector<Value> results);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_CUSTOM_CALLS_CUSTOM_CALL_SUPPORT_H_
