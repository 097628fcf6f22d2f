// SPDX-License-Identifier: Apache-2.0
// The processes that mpirun started together: `mpirun -n N hloscope run ...`, or `debug`.
#ifndef HLOSCOPE_CLI_LAUNCHED_PROCESSES_H_
#define HLOSCOPE_CLI_LAUNCHED_PROCESSES_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/arguments.h"
#include "evaluator/devices/device_groups.h"
#include "evaluator/devices/rank_group.h"

namespace hloscope::cli {

class LaunchedProcesses {
 public:
  // Null if the process was not started with others by an MPI launcher. Loads MPI otherwise; rank 0 alone speaks from
  // then on. Errors: those of LoadTransport.
  static absl::StatusOr<std::unique_ptr<LaunchedProcesses>> Find();

  evaluator::RankGroup& group() { return group_; }
  bool IsFirst() const { return group_.rank() == 0; }

  // Ends what this process does with the others and returns the exit status of them all. What one of them said before
  // it failed is said by rank 0.
  int Finish(int status);

 private:
  explicit LaunchedProcesses(const HloscopeTransport& transport) : group_(transport) {}

  evaluator::RankGroup group_;
};

// Which rank has each device: --device-ranks, --devices-per-rank, or equal shares in the order of the devices. Errors
// InvalidArgument: the options do not fit the numbers of devices and processes.
absl::StatusOr<std::vector<int>> RanksOfDevices(const Arguments& arguments, const evaluator::DeviceGrid& grid,
                                                int rank_count);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_LAUNCHED_PROCESSES_H_
