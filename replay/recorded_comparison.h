// SPDX-License-Identifier: Apache-2.0
// Results of a run beside those that were recorded with the module.
#ifndef HLOSCOPE_REPLAY_RECORDED_COMPARISON_H_
#define HLOSCOPE_REPLAY_RECORDED_COMPARISON_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::replay {

// A sentence for each array that differs by more than the usual tolerance of its type; empty if none does. Both are the
// leaves of the result. Errors (InvalidArgument): their numbers or shapes differ.
absl::StatusOr<std::vector<std::string>> DifferencesFromRecorded(absl::Span<const evaluator::Tensor> computed,
                                                                 absl::Span<const evaluator::Tensor> recorded);

}  // namespace hloscope::replay

#endif  // HLOSCOPE_REPLAY_RECORDED_COMPARISON_H_
