// SPDX-License-Identifier: Apache-2.0
// The profile format of pprof.
#ifndef HLOSCOPE_INSIGHT_TRACE_PPROF_H_
#define HLOSCOPE_INSIGHT_TRACE_PPROF_H_

#include <string>

#include "core/ir/module.h"
#include "evaluator/engine/run_trace.h"

namespace hloscope::insight {

// A perftools.profiles.Profile, not compressed: steps and nanoseconds for every way of calls. A function is an
// instruction, in the file and at the line of the program that its metadata names.
std::string PprofOf(const Module& module, const evaluator::RunTrace& trace);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_TRACE_PPROF_H_
