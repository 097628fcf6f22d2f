// SPDX-License-Identifier: Apache-2.0
#include "cli/joined_processes.h"

#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/gathered_results.h"
#include "evaluator/remote/device_server.h"

namespace hloscope::cli {

int JoinProcesses(const Arguments& arguments, const Document& document, const evaluator::DeviceGrid& grid,
                  LaunchedProcesses& processes) {
  absl::StatusOr<std::vector<int>> ranks = RanksOfDevices(arguments, grid, processes.group().size());
  if (!ranks.ok()) return UsageError(arguments.command(), ranks.status().message());
  const auto parts = CommonParts(arguments, document.module().name(), document.source().text(), grid, *ranks);
  const absl::Status status = processes.group().Join(parts, *std::move(ranks));
  return status.ok() ? kExitGood : ReportStatus(status);
}

int ServeDevices(LaunchedProcesses& processes, PreparedRun& prepared) {
  evaluator::DeviceServer server(processes.group(), prepared.run());
  const absl::Status status = server.Serve();
  return status.ok() ? kExitGood : ReportStatus(status);
}

}  // namespace hloscope::cli
