// SPDX-License-Identifier: Apache-2.0
// Loading the plug-in that reaches the other processes of a run.
#ifndef HLOSCOPE_EVALUATOR_PLUGINS_PROCESS_PLUGIN_H_
#define HLOSCOPE_EVALUATOR_PLUGINS_PROCESS_PLUGIN_H_

#include <string>

#include "absl/status/statusor.h"
#include "evaluator/devices/process_transport.h"

namespace hloscope::evaluator {

// The transport of the shared object `path`, which stays loaded. Errors: NotFound if it cannot be loaded,
// InvalidArgument if it is none or has another version, Unavailable if it cannot reach the processes.
absl::StatusOr<const HloscopeTransport*> LoadTransport(const std::string& path);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_PLUGINS_PROCESS_PLUGIN_H_
