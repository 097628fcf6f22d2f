// SPDX-License-Identifier: Apache-2.0
// `hloscope compare A --values=DIR`: a run beside values that were dumped elsewhere.
#ifndef HLOSCOPE_CLI_COMPARE_VALUES_H_
#define HLOSCOPE_CLI_COMPARE_VALUES_H_

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "evaluator/compare/tolerances.h"
#include "evaluator/inputs/run_inputs.h"

namespace hloscope::cli {

// Returns the exit status.
int CompareWithValues(const Arguments& arguments, const std::string& directory, evaluator::RunOptions options,
                      const std::vector<evaluator::ToleranceRule>& tolerances);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMPARE_VALUES_H_
