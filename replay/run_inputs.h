// SPDX-License-Identifier: Apache-2.0
// The arguments of a run, from one place that has all of them.
#ifndef HLOSCOPE_REPLAY_RUN_INPUTS_H_
#define HLOSCOPE_REPLAY_RUN_INPUTS_H_

#include <string>

#include "absl/status/status.h"
#include "core/ir/module.h"
#include "evaluator/inputs/run_inputs.h"

namespace hloscope::replay {

// Takes the arguments of a snapshot, of arg0.npy, arg1.npy, ... in a folder, or of an .npz archive with such names.
// `module`: whose parameters they are for. Errors: those of reading; InvalidArgument if the file is no snapshot, or if
// its arguments do not fit.
absl::Status TakeInputs(const std::string& place, const Module& module, evaluator::RunOptions* options);

}  // namespace hloscope::replay

#endif  // HLOSCOPE_REPLAY_RUN_INPUTS_H_
