// Options and arguments of the commands that evaluate modules.
#ifndef HLOSCOPE_CLI_RUN_OPTIONS_H_
#define HLOSCOPE_CLI_RUN_OPTIONS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/arguments.h"
#include "core/ir/module.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"

namespace hloscope {

// The rows of these options, for a command's array of OptionSpec.
#define HLOSCOPE_RUN_OPTIONS                                                                                    \
  {"arg", OptionKind::kValue, "N=PATH.npy", "value of parameter N, or N.I.J of a leaf of a tuple; repeatable"}, \
      {"args-dir", OptionKind::kValue, "DIR", "take arg0.npy, arg1.npy, ... from DIR"},                         \
      {"fill", OptionKind::kValue, "zeros|ones|iota|random", "make up the parameters that are not given"},      \
      {"seed", OptionKind::kValue, "S", "of --fill=random and of rng instructions (0)"},                        \
      {"replicas", OptionKind::kValue, "N", "number of replicas (from the header)"},                            \
      {"partitions", OptionKind::kValue, "M", "number of partitions (from the header)"},                        \
      {"threads", OptionKind::kValue, "N", "threads (one per core)"},                                           \
      {"memory-limit", OptionKind::kValue, "BYTES", "fail beyond this many bytes of values; K, M, G, T"},       \
      {"step-limit", OptionKind::kValue, "N", "fail beyond this many executed instructions"}, {                 \
    "time-limit", OptionKind::kValue, "SECONDS", "fail after this time"                                         \
  }

struct RunOptions {
  SessionOptions session;                        // of device 0
  std::map<std::string, std::string> arguments;  // "0" or "0.1.2" to path
  std::string arguments_directory;               // empty: none
  std::optional<FillKind> fill;
  std::optional<int64_t> replicas, partitions;  // as given
};

// Errors InvalidArgument, for the user: wrong usage.
absl::StatusOr<RunOptions> ReadRunOptions(const Arguments& arguments);

// How many devices evaluate the module.
struct DeviceGrid {
  int64_t replicas = 1;
  int64_t partitions = 1;

  int64_t count() const { return replicas * partitions; }
  // Part of file names that tells devices apart: "", ".r1" or ".r1.p0".
  std::string Suffix(int64_t device) const;
};

// The grid that the user or the header asks for; one device if the header speaks of devices but no instruction does
// (spec/ops-c-control-collectives.md 4.1).
DeviceGrid GridOf(const Module& module, const RunOptions& options);

// The first instruction by which devices exchange data; none if they are independent.
InstructionId FirstExchange(const Module& module);

// The values of the entry parameters on one device: --arg, then --args-dir, then --fill. Errors: those of ReadNpy;
// InvalidArgument if a parameter is not given or an --arg names no parameter.
absl::StatusOr<std::vector<Value>> LoadArguments(const Module& module, const RunOptions& options,
                                                 const DeviceGrid& grid, int64_t device);

}  // namespace hloscope

#endif  // HLOSCOPE_CLI_RUN_OPTIONS_H_
