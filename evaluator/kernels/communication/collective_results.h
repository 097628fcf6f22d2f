// SPDX-License-Identifier: Apache-2.0
// What each collective makes of the contributions of its group, in rank order (docs/ops/control.md 4).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_COMMUNICATION_COLLECTIVE_RESULTS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_COMMUNICATION_COLLECTIVE_RESULTS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

// What the members of a group contributed to one execution, as one of them sees it.
struct Meeting {
  Contributions contributions;  // by rank
  size_t rank = 0;              // of this device
  bool takes_part = true;       // false for a device in no group

  size_t group_size() const { return contributions.size(); }
  const Tensor& Get(size_t member, size_t operand) const { return contributions[member][operand].tensor(); }
};

// The results of one execution, one for each operand. Errors as those of a kernel.
absl::StatusOr<std::vector<Value>> CollectiveResults(const KernelContext& context, const Meeting& meeting);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_COMMUNICATION_COLLECTIVE_RESULTS_H_
