// SPDX-License-Identifier: Apache-2.0
// Which applications of its computation make one element of a map, reduce, reduce-window, scatter,
// select-and-scatter or sort.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_ELEMENT_PLAN_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_ELEMENT_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/debugger/question_limit.h"
#include "evaluator/engine/intervention.h"

namespace hloscope::evaluator {

// The elements are taken in row-major order, as the formulas of docs/ops/tensor.md do; kernels may add up in another
// order. Errors: Unimplemented for other instructions; InvalidArgument for a wrong index; ResourceExhausted for more
// than a hundred thousand applications.
absl::StatusOr<AppliedPlan> ElementPlan(const Module& module, InstructionId id, const std::vector<int64_t>& index,
                                        absl::Span<const Value> operands, QuestionLimit& limit);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_ELEMENT_PLAN_H_
