// SPDX-License-Identifier: Apache-2.0
#include "cli/launched_processes.h"

#include <unistd.h>

#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "core/resources/own_program.h"
#include "evaluator/plugins/process_plugin.h"

namespace hloscope::cli {
namespace {

// What the launcher says in one of the variables; `otherwise` if there is no launcher.
int64_t LaunchVariable(absl::Span<const char* const> variables, int64_t otherwise) {
  for (const char* variable : variables) {
    const char* const text = std::getenv(variable);
    int64_t number;
    if (text != nullptr && absl::SimpleAtoi(text, &number)) return number;
  }
  return otherwise;
}

int64_t LaunchedCount() { return LaunchVariable({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1); }

// The folder of the running program, with a slash.
std::string ProgramFolder() {
  const std::string program = OwnProgram();
  return program.substr(0, program.rfind('/') + 1);
}

// Where the plug-in may be: as told; in a build; installed.
std::vector<std::string> PluginPaths() {
  if (const char* told = std::getenv("HLOSCOPE_MPI"); told != nullptr && *told != '\0') return {told};
  const std::string folder = ProgramFolder();
  return {folder + "../lib/libhloscope_mpi.so", folder + "../lib/hloscope/libhloscope_mpi.so"};
}

// Numbers from 0 to `most`, separated by commas.
absl::StatusOr<std::vector<int64_t>> Numbers(absl::string_view option, const std::string& text, int64_t most) {
  std::vector<int64_t> numbers;
  for (absl::string_view part : absl::StrSplit(text, ',')) {
    int64_t number;
    if (!absl::SimpleAtoi(part, &number) || number < 0 || number > most) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", option, " needs numbers from 0 to ", most, " separated by commas, got `", text, "`"));
    }
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

absl::StatusOr<std::unique_ptr<LaunchedProcesses>> LaunchedProcesses::Find() {
  if (LaunchedCount() <= 1) return std::unique_ptr<LaunchedProcesses>();
  absl::Status status;
  for (const std::string& path : PluginPaths()) {
    const absl::StatusOr<const HloscopeTransport*> transport = evaluator::LoadTransport(path);
    if (!transport.ok()) {
      status = transport.status();
      continue;
    }
    std::unique_ptr<LaunchedProcesses> processes(new LaunchedProcesses(**transport));
    if (!processes->IsFirst()) KeepOutput();
    return processes;
  }
  return absl::Status(status.code(), absl::StrCat("started with other processes, but without MPI: ", status.message(),
                                                  "; build with libopenmpi-dev installed, or set HLOSCOPE_MPI"));
}

int LaunchedProcesses::Finish(int status) {
  const bool is_own = status != kExitGood && !group_.failed_rank().has_value();
  if (is_own) {
    const std::string kept = TakeKeptErrors();
    absl::string_view said = absl::StripTrailingAsciiWhitespace(kept);
    absl::ConsumePrefix(&said, "hloscope: ");
    group_.Fail(absl::Status(
        status == kExitLimit ? absl::StatusCode::kResourceExhausted : absl::StatusCode::kInvalidArgument, said));
  }
  const absl::Status others = group_.Close();
  if (others.ok() || status != kExitGood) return status;
  return IsFirst() ? ReportStatus(others) : ExitStatusOf(others);
}

absl::StatusOr<std::vector<int>> RanksOfDevices(const Arguments& arguments, const evaluator::DeviceGrid& grid,
                                                int rank_count) {
  const int64_t devices = grid.device_count();
  std::vector<int> ranks;
  if (const std::optional<std::string> text = arguments.Value("device-ranks")) {
    const absl::StatusOr<std::vector<int64_t>> given = Numbers("device-ranks", *text, rank_count - 1);
    if (!given.ok()) return given.status();
    ranks.assign(given->begin(), given->end());
  } else if (const std::optional<std::string> text = arguments.Value("devices-per-rank")) {
    absl::StatusOr<std::vector<int64_t>> counts = Numbers("devices-per-rank", *text, devices);
    if (!counts.ok()) return counts.status();
    if (counts->size() == 1) counts->assign(static_cast<size_t>(rank_count), (*counts)[0]);
    if (counts->size() != static_cast<size_t>(rank_count)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--devices-per-rank has ", counts->size(), " numbers for ", rank_count, " processes"));
    }
    for (size_t rank = 0; rank < counts->size(); ++rank) {
      ranks.insert(ranks.end(), static_cast<size_t>((*counts)[rank]), static_cast<int>(rank));
    }
  } else {
    for (int64_t device = 0; device < devices; ++device) {
      ranks.push_back(static_cast<int>(device * rank_count / devices));
    }
  }
  if (static_cast<int64_t>(ranks.size()) == devices) return ranks;
  return absl::InvalidArgumentError(absl::StrCat("the ranks are given for ", ranks.size(), " devices, but the run has ",
                                                 devices, " (", grid.replicas, " replicas, ", grid.partitions,
                                                 " partitions)"));
}

}  // namespace hloscope::cli
