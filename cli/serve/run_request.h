// SPDX-License-Identifier: Apache-2.0
// What requests to `hloscope serve` say about a run: limits, devices, fills, and its arguments (docs/serve.md).
#ifndef HLOSCOPE_CLI_SERVE_RUN_REQUEST_H_
#define HLOSCOPE_CLI_SERVE_RUN_REQUEST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "evaluator/inputs/run_inputs.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {

// The options that the parameters of a request give; those that are left out are the usual ones. Errors:
// InvalidArgument, naming the parameter.
absl::StatusOr<evaluator::RunOptions> RunOptionsOfRequest(const nlohmann::ordered_json& params);

// Values of the entry's parameters, one for each. `arguments` is an array of numbers of frames (.npy), one for each
// leaf in order, or null where `options` fills a parameter. Errors: InvalidArgument for the wrong number of arrays, for
// frames that are not there, and for arrays of another shape or element type.
absl::StatusOr<std::vector<evaluator::Value>> ArgumentsOfRequest(const nlohmann::ordered_json& arguments,
                                                                 const std::vector<std::string>& frames,
                                                                 const Module& module,
                                                                 const evaluator::RunOptions& options);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_SERVE_RUN_REQUEST_H_
