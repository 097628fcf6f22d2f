// SPDX-License-Identifier: Apache-2.0
// What goes wrong in one step without making the run fail: NaNs, infinities, overflow, indices out of bounds.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_NUMERIC_EVENTS_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_NUMERIC_EVENTS_H_

#include <optional>
#include <string>

#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/debugger/dependences.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

enum class NumericEvent : uint8_t {
  kNan,               // the result holds a NaN although no operand does
  kInfinity,          // the same for infinities
  kConvertOverflow,   // a convert met a number that its result's type cannot hold
  kIndexOutOfBounds,  // a start index of a dynamic slice, gather or scatter was clamped, or its update left out
};

// What happened in words, with the first element that it happened to; nothing if it did not. `operands` and `value`
// are those of one execution of the instruction. Nothing is found when the limit is over before.
std::optional<std::string> FindNumericEvent(NumericEvent event, const Module& module, InstructionId id,
                                            absl::Span<const Value> operands, const Value& value, QuestionLimit& limit);

// The first element, depth first through tuples and in row-major order, that is NaN (`nan`) or infinite (`infinity`).
// Nothing is found when the limit is over before.
std::optional<Element> FirstNonFiniteElement(const Value& value, bool nan, bool infinity, QuestionLimit& limit);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_NUMERIC_EVENTS_H_
