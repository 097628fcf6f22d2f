// SPDX-License-Identifier: Apache-2.0
#include "replay/recorded_comparison.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "evaluator/compare/tensor_difference.h"

namespace hloscope::replay {

absl::StatusOr<std::vector<std::string>> DifferencesFromRecorded(absl::Span<const evaluator::Tensor> computed,
                                                                 absl::Span<const evaluator::Tensor> recorded) {
  if (recorded.size() != computed.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the snapshot has ", recorded.size(), " results, the run ", computed.size()));
  }
  std::vector<std::string> differences;
  for (size_t k = 0; k < computed.size(); ++k) {
    const absl::StatusOr<evaluator::TensorDifference> difference = evaluator::DifferenceOf(
        recorded[k], computed[k], evaluator::UsualTolerance(computed[k].shape().element_type()));
    if (!difference.ok()) return difference.status();
    if (difference->beyond == 0) continue;
    differences.push_back(
        absl::StrFormat("result%d differs from the snapshot's: %d of %d elements, first {%s}, up to %g absolute, %g "
                        "relative",
                        k, difference->beyond, difference->count, absl::StrJoin(difference->first_beyond, ","),
                        difference->max_absolute, difference->max_relative));
  }
  return differences;
}

}  // namespace hloscope::replay
