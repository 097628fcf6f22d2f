// SPDX-License-Identifier: Apache-2.0
// The results of a run that is spread over several processes, in one of them.
#ifndef HLOSCOPE_CLI_GATHERED_RESULTS_H_
#define HLOSCOPE_CLI_GATHERED_RESULTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "cli/arguments.h"
#include "cli/launched_processes.h"
#include "cli/run_statistics.h"
#include "evaluator/devices/rank_group.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::cli {

// What a device gives the host by outfeed or send.
struct HostItem {
  std::string name;  // "outfeed0", "send3.0": of files, too
  std::vector<evaluator::Tensor> leaves;
};

struct DeviceResults {
  std::vector<evaluator::Tensor> leaves;
  std::vector<HostItem> to_host;
};

// What all processes of a run have to have in common, by name.
std::vector<std::pair<std::string, std::string>> CommonParts(const Arguments& arguments, absl::string_view module_name,
                                                             absl::string_view text, const evaluator::DeviceGrid& grid,
                                                             const std::vector<int>& ranks);

// Sends what this process has of its devices to rank 0, which then has that of all: `results` by device, the sums of
// the statistics (of memory the sum of the peaks), and in `errors` what the others have to say.
absl::Status GatherResults(evaluator::RankGroup& group, std::vector<DeviceResults>* results, RunStatistics* statistics,
                           std::string* errors);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_GATHERED_RESULTS_H_
