// SPDX-License-Identifier: Apache-2.0
// NaNs and infinities in all values of a run so far, also those of computations that have returned.
#ifndef HLOSCOPE_GUI_MODELS_RUN_HEALTH_H_
#define HLOSCOPE_GUI_MODELS_RUN_HEALTH_H_

#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/debugger/debugger.h"
#include "evaluator/engine/non_finite.h"

namespace hloscope::gui {

// By instruction: of all its values, on all devices and in all iterations. Repeats the run up to now. Errors: those of
// Timeline::Repeat.
absl::StatusOr<std::vector<evaluator::NonFinite>> HealthOfRun(evaluator::Debugger& debugger);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_RUN_HEALTH_H_
