// SPDX-License-Identifier: Apache-2.0
// reduce, reduce-window, map and scan (docs/ops/tensor.md 3).
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ops/window_rules.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/reduction/map_scan.h"
#include "evaluator/kernels/reduction/reduce.h"
#include "evaluator/kernels/reduction/reduce_window.h"

namespace hloscope::evaluator {
namespace {

std::vector<Tensor> Inits(const KernelContext& context) {
  const size_t n = context.operands.size() / 2;
  return ValidOperands(context, n, n);
}

absl::StatusOr<std::vector<Tensor>> EvaluateReduce(const KernelContext& context) {
  Reduction reduction;
  reduction.inputs = ValidOperands(context, 0, context.operands.size() / 2);
  if (absl::Status s = CheckSameSizes("reduce", reduction.inputs); !s.ok()) return s;
  reduction.inits = Inits(context);
  reduction.dimensions = context.module.IntsAttribute(context.id, AttributeKind::kDimensions);
  reduction.computation = context.module.ComputationAttribute(context.id, AttributeKind::kToApply);
  return Reduce(context.module, reduction, context.runtime);
}

absl::StatusOr<std::vector<Tensor>> EvaluateReduceWindow(const KernelContext& context) {
  WindowReduction reduction;
  reduction.inputs = ValidOperands(context, 0, context.operands.size() / 2);
  if (absl::Status s = CheckSameSizes("reduce-window", reduction.inputs); !s.ok()) return s;
  reduction.inits = Inits(context);
  if (const Window* window = context.module.WindowAttribute(context.id)) reduction.window = window->dimensions;
  for (size_t d = 0; d < reduction.window.size(); ++d) {
    const std::optional<int64_t> count = WindowCount(reduction.inputs[0].dimensions()[d], reduction.window[d]);
    if (!count) {
      return absl::InvalidArgumentError(absl::StrCat("reduce-window: window dimension ", d,
                                                     " does not fit the run-time size ",
                                                     reduction.inputs[0].dimensions()[d]));
    }
    reduction.window_counts.push_back(*count);
  }
  reduction.computation = context.module.ComputationAttribute(context.id, AttributeKind::kToApply);
  return ReduceWindow(context.module, reduction, context.runtime);
}

}  // namespace

absl::StatusOr<Value> EvaluateReduction(const KernelContext& context) {
  absl::StatusOr<std::vector<Tensor>> results;
  switch (context.opcode()) {
    case Opcode::kReduce:
      results = EvaluateReduce(context);
      break;
    case Opcode::kReduceWindow:
      results = EvaluateReduceWindow(context);
      break;
    case Opcode::kMap:
      results = EvaluateMap(context);
      break;
    case Opcode::kScan:
      results = EvaluateScan(context);
      break;
    default:
      return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), " is not a reduction"));
  }
  if (!results.ok()) return results.status();
  return BoundedValue(*std::move(results), context.shape());
}

}  // namespace hloscope::evaluator
