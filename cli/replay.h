// Values that were recorded with a module: arguments of a run, and what its results are compared with.
#ifndef HLOSCOPE_CLI_REPLAY_H_
#define HLOSCOPE_CLI_REPLAY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/arguments.h"
#include "core/document/document.h"
#include "evaluator/inputs/run_inputs.h"
#include "interop/files/open_file.h"

namespace hloscope::cli {

// As OpenDocument, for commands that execute the module: what was recorded with it becomes `options->recorded`. Null,
// after a message on standard error, also if the module must not be executed.
std::shared_ptr<const Document> OpenToRun(const Arguments& arguments, const std::string& path,
                                          evaluator::RunOptions* options,
                                          std::shared_ptr<const interop::OpenedFile>* file = nullptr);

// The values of the entry parameters. Arrays fit the leaves of the parameters in order, however they are grouped into
// tuples; parts of arrays are put together by the shardings of the parameters. Empty if nothing was recorded. Errors:
// InvalidArgument, naming the argument.
absl::StatusOr<std::vector<evaluator::Value>> RecordedArguments(const interop::Snapshot& snapshot,
                                                                const Module& module);

// The leaves of the result; empty if none was recorded.
absl::StatusOr<std::vector<evaluator::Tensor>> RecordedResult(const interop::Snapshot& snapshot);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_REPLAY_H_
