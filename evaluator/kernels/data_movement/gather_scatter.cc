// SPDX-License-Identifier: Apache-2.0
// gather, scatter, select-and-scatter (docs/ops/tensor.md 2).
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/data_movement/gather.h"
#include "evaluator/kernels/data_movement/scatter.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

absl::StatusOr<Value> EvaluateGatherScatter(const KernelContext& context) {
  std::vector<Tensor> results;
  if (context.opcode() == Opcode::kScatter) {
    absl::StatusOr<std::vector<Tensor>> scattered = Scatter(context);
    if (!scattered.ok()) return scattered.status();
    results = *std::move(scattered);
  } else if (context.opcode() == Opcode::kGather || context.opcode() == Opcode::kSelectAndScatter) {
    absl::StatusOr<Tensor> result = context.opcode() == Opcode::kGather ? Gather(context) : SelectAndScatter(context);
    if (!result.ok()) return result.status();
    results.push_back(*std::move(result));
  } else {
    return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), " is neither gather nor scatter"));
  }
  return BoundedValue(std::move(results), context.shape());
}

}  // namespace hloscope::evaluator
