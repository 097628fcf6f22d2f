// SPDX-License-Identifier: Apache-2.0
// Modules that a command executes, with the arguments that were recorded with them.
#ifndef HLOSCOPE_CLI_REPLAY_H_
#define HLOSCOPE_CLI_REPLAY_H_

#include <memory>
#include <string>

#include "cli/arguments.h"
#include "core/document/document.h"
#include "evaluator/inputs/run_inputs.h"
#include "interop/files/open_file.h"

namespace hloscope::cli {

// As OpenDocument, for commands that execute the module: what was recorded with it becomes `options->recorded`. Null,
// after a message on standard error, also if the module must not be executed. Counts toward the time limit, which ends
// the process where reading takes longer.
std::shared_ptr<const Document> OpenToRun(const Arguments& arguments, const std::string& path,
                                          evaluator::RunOptions* options,
                                          std::shared_ptr<const interop::OpenedFile>* file = nullptr);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_REPLAY_H_
