// SPDX-License-Identifier: Apache-2.0
// The elements of an array that one window of reduce-window or select-and-scatter covers.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_WINDOW_ELEMENTS_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_WINDOW_ELEMENTS_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/debugger/question_limit.h"

namespace hloscope::evaluator {

// Calls `visit` with the index of each element of window `number` (its position in each dimension) that is not padding,
// in row-major order, until it returns false or the limit is over; whether neither happened. `sizes`: of the array.
bool ForEachInWindow(const Window& window, absl::Span<const int64_t> sizes, absl::Span<const int64_t> number,
                     absl::FunctionRef<bool(const std::vector<int64_t>& index)> visit, QuestionLimit& limit);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_WINDOW_ELEMENTS_H_
