// SPDX-License-Identifier: Apache-2.0
// What a loop's body makes of the elements of its state.
#ifndef HLOSCOPE_EVALUATOR_COMPARE_LOOP_STATE_H_
#define HLOSCOPE_EVALUATOR_COMPARE_LOOP_STATE_H_

#include "absl/types/span.h"
#include "core/analysis/value_flow.h"

namespace hloscope::evaluator {

// Of an element of a loop's state, in the body or after the loop: the carrier of what an iteration returns for it.
// Empty for everything else, and where the body returns a state that was not put together.
absl::Span<const InstructionId> StateAfter(const ValueFlow& flow, InstructionId id);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_COMPARE_LOOP_STATE_H_
