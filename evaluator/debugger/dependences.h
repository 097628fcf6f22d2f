// SPDX-License-Identifier: Apache-2.0
// Which elements of its operands one element of an instruction's result is computed from.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_DEPENDENCES_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_DEPENDENCES_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/debugger/element.h"
#include "evaluator/debugger/question_limit.h"
#include "evaluator/kernels/indexing/start_indices.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// How well the answer fits.
enum class DependenceKind : uint8_t {
  kExact,  // these elements and no others
  kAll,    // no rule for the operation: every element of every operand is named
  kNone,   // of no operand: a constant, a parameter, a random number, something from outside
};

// Calls `visit` with the operand's number and the element, until it returns false. `operands` are the operands' values:
// which elements gather, scatter, select and the dynamic slices take depends on them. Instructions that call
// computations as a whole, parameters and tuples are not for this function. Ends early when the limit is over: then
// limit.status() says so, and elements are missing. Requires an element of the result's shape.
DependenceKind ForEachDependence(const Module& module, InstructionId id, const Element& at,
                                 absl::Span<const Value> operands,
                                 absl::FunctionRef<bool(size_t operand, const Element& element)> visit,
                                 QuestionLimit& limit);

// How the indices of a gather or scatter address its operand. The spans belong to the module.
IndexDimensionNumbers IndexNumbersOf(const Module& module, InstructionId id);
// The size of a scatter's update window in each dimension of an operand of this rank; `update`: sizes of the update.
std::vector<int64_t> ScatterWindow(const Module& module, InstructionId id, int64_t rank,
                                   absl::Span<const int64_t> update);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_DEPENDENCES_H_
