// SPDX-License-Identifier: Apache-2.0
// Flame graphs of a traced run.
#ifndef HLOSCOPE_INSIGHT_TRACE_FLAME_GRAPH_H_
#define HLOSCOPE_INSIGHT_TRACE_FLAME_GRAPH_H_

#include <string>

#include "core/ir/module.h"
#include "evaluator/engine/run_trace.h"

namespace hloscope::insight {

// One SVG with two graphs: by calls of computations, and by the scopes of op_name. The width of a box is its time with
// what is inside; its title says how much that is. What is narrower than a third of a pixel is left out.
std::string FlameGraphsOf(const Module& module, const evaluator::RunTrace& trace);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_TRACE_FLAME_GRAPH_H_
