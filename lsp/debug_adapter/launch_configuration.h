// SPDX-License-Identifier: Apache-2.0
// What the arguments of `launch` say about the run.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_LAUNCH_CONFIGURATION_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_LAUNCH_CONFIGURATION_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "evaluator/inputs/run_inputs.h"
#include "nlohmann/json_fwd.hpp"
#include "stablehlo/import_options.h"

namespace hloscope::dap {

struct LaunchConfiguration {
  std::string program;                // a path
  std::optional<std::string> module;  // the name or number of one of several
  std::string text_uri;               // under which the client shows the text of a proto; empty: it does not
  stablehlo::ImportOptions program_options;
  evaluator::RunOptions run;
  int64_t history_bytes = 0;
};

// How messages call the ways to give values to a run: by the members of a launch configuration.
evaluator::RunOptions::Wording LaunchWording();
// What a process says to the user of a command line (RunOptions::Wording as it is by default), in these words.
std::string InLaunchWording(std::string text);

// `uris`: `program` may be one. Errors InvalidArgument, for the user, by the names of members.
absl::StatusOr<LaunchConfiguration> ReadLaunch(const nlohmann::json& arguments, bool uris);

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_LAUNCH_CONFIGURATION_H_
