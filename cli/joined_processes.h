// SPDX-License-Identifier: Apache-2.0
// How the processes that mpirun started agree on one run, and what those do whose devices the first one moves.
#ifndef HLOSCOPE_CLI_JOINED_PROCESSES_H_
#define HLOSCOPE_CLI_JOINED_PROCESSES_H_

#include "cli/arguments.h"
#include "cli/launched_processes.h"
#include "cli/prepared_run.h"
#include "core/document/document.h"

namespace hloscope::cli {

// Agrees with the other processes on what is run, and where. kExitGood, or the exit status after the reason was
// printed.
int JoinProcesses(const Arguments& arguments, const Document& document, const evaluator::DeviceGrid& grid,
                  LaunchedProcesses& processes);

// In all processes but the first, after JoinProcesses and PreparedRun::Prepare: keeps the devices until the first one
// has no more use for them. Returns the exit status.
int ServeDevices(LaunchedProcesses& processes, PreparedRun& prepared);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_JOINED_PROCESSES_H_
