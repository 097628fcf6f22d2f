// SPDX-License-Identifier: Apache-2.0
// What a run has executed when, as spans in lanes: those of a device below one another by the depth of calls.
#ifndef HLOSCOPE_GUI_MODELS_TRACE_SPANS_H_
#define HLOSCOPE_GUI_MODELS_TRACE_SPANS_H_

#include "evaluator/engine/run_trace.h"
#include "gui/models/time_spans.h"

namespace hloscope::gui {

// Time in which nothing was computed is left out: whoever steps through a module makes
// pauses. Devices are executed by turns, and so are their spans.
TimeSpans SpansOfTrace(DocumentAnalyses& analyses, const evaluator::RunTrace& trace);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_TRACE_SPANS_H_
