// `hloscope compare A --values=DIR`: a run beside values that were dumped elsewhere.
#ifndef HLOSCOPE_CLI_COMPARE_VALUES_H_
#define HLOSCOPE_CLI_COMPARE_VALUES_H_

#include <optional>
#include <string>

#include "cli/arguments.h"
#include "evaluator/compare/tensor_difference.h"
#include "evaluator/inputs/run_inputs.h"

namespace hloscope::cli {

// Returns the exit status.
int CompareWithValues(const Arguments& arguments, const std::string& directory, evaluator::RunOptions options,
                      const std::optional<evaluator::Tolerance>& tolerance);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMPARE_VALUES_H_
