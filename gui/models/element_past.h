// SPDX-License-Identifier: Apache-2.0
// What an element went through: where it comes from, where its NaN was made, and what it was worth whenever it was
// computed. Asked of the debugger; each question may repeat parts of the run, so not on the UI thread.
#ifndef HLOSCOPE_GUI_MODELS_ELEMENT_PAST_H_
#define HLOSCOPE_GUI_MODELS_ELEMENT_PAST_H_

#include <optional>

#include "evaluator/debugger/debugger.h"
#include "evaluator/debugger/provenance.h"
#include "gui/models/element_history.h"

namespace hloscope::gui {

enum class PastQuestion : uint8_t {
  kWhy,      // the elements it was computed from, in whatever frame they are
  kOrigin,   // of a NaN or an infinity: the way to where it was made
  kHistory,  // its values so far, one row for each time it was computed
};

// The element in the innermost open frame of its computation; nothing if there is none.
std::optional<evaluator::ValuePlace> PlaceInRun(evaluator::Debugger& debugger, int64_t device,
                                                InstructionId instruction, const evaluator::Element& element);

// Errors are answers, too: their message is the summary.
ElementAnswer AskPast(evaluator::Debugger& debugger, PastQuestion question, int64_t device, InstructionId instruction,
                      const evaluator::Element& element);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_ELEMENT_PAST_H_
