#include "cli/run_options.h"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "evaluator/tensor/npy.h"

namespace hloscope {
namespace {

constexpr int64_t kMaxDevices = 4096;
constexpr int64_t kMaxThreads = 1024;

// "N=PATH" or "N.I.J=PATH".
absl::Status ReadArgumentOption(const std::string& text, RunOptions* options) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
  bool good = !parts.second.empty();
  for (const absl::string_view number : absl::StrSplit(parts.first, '.')) {
    int64_t value;
    good = good && absl::SimpleAtoi(number, &value) && value >= 0 && absl::StrCat(value) == number;
  }
  if (!good) return absl::InvalidArgumentError(absl::StrCat("--arg needs N=PATH.npy, got `", text, "`"));
  if (!options->arguments.emplace(parts.first, parts.second).second) {
    return absl::InvalidArgumentError(absl::StrCat("--arg ", parts.first, " is given twice"));
  }
  return absl::OkStatus();
}

class ArgumentLoader {
 public:
  ArgumentLoader(const RunOptions& options, std::string suffix) : options_(options), suffix_(std::move(suffix)) {}

  // The value of a leaf or tuple; `leaf` is its name, "0" or "0.1.2". `filled` is the made-up value of the same shape.
  absl::StatusOr<Value> Load(const Shape& shape, const std::string& leaf, const Value* filled) {
    if (shape.IsToken()) return Value::Token();
    if (shape.IsTuple()) {
      std::vector<Value> elements;
      for (int64_t i = 0; i < shape.tuple_size(); ++i) {
        absl::StatusOr<Value> element = Load(shape.element(i), absl::StrCat(leaf, ".", i),
                                             filled == nullptr ? nullptr : &filled->elements()[static_cast<size_t>(i)]);
        if (!element.ok()) return element;
        elements.push_back(*std::move(element));
      }
      return Value::Tuple(std::move(elements));
    }
    const std::string path = PathOf(leaf);
    if (!path.empty()) {
      absl::StatusOr<Tensor> tensor = ReadNpy(path, shape);
      if (!tensor.ok()) {
        return absl::Status(tensor.status().code(), absl::StrCat("parameter ", leaf, ": ", tensor.status().message()));
      }
      return Value(*std::move(tensor));
    }
    if (filled != nullptr) return *filled;
    return absl::InvalidArgumentError(absl::StrCat("parameter ", leaf, " of shape ", shape.ToString(false),
                                                   " has no value; give --arg ", leaf,
                                                   "=FILE.npy, --args-dir DIR or --fill=KIND"));
  }

  // Names of --arg that were asked for.
  const std::set<std::string>& used() const { return used_; }

 private:
  std::string PathOf(const std::string& leaf) {
    const auto given = options_.arguments.find(leaf);
    if (given != options_.arguments.end()) {
      used_.insert(leaf);
      return given->second;
    }
    if (options_.arguments_directory.empty()) return "";
    const std::string stem = absl::StrCat(options_.arguments_directory, "/arg", leaf);
    for (const std::string& path : {absl::StrCat(stem, suffix_, ".npy"), absl::StrCat(stem, ".npy")}) {
      if (access(path.c_str(), F_OK) == 0) return path;
    }
    return "";
  }

  const RunOptions& options_;
  const std::string suffix_;
  std::set<std::string> used_;
};

bool IsExchange(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kPartitionId:
    case Opcode::kReplicaId:
      return false;
    case Opcode::kSend:
    case Opcode::kRecv:
      return !module.BoolAttribute(id, AttributeKind::kIsHostTransfer);
    case Opcode::kInvalid:
      return false;
    default:
      return InfoOf(module.opcode(id)).family == OpFamily::kCollective;
  }
}

}  // namespace

absl::StatusOr<RunOptions> ReadRunOptions(const Arguments& arguments) {
  RunOptions options;
  for (const std::string& text : arguments.Values("arg")) {
    if (absl::Status status = ReadArgumentOption(text, &options); !status.ok()) return status;
  }
  options.arguments_directory = arguments.Value("args-dir").value_or("");
  if (const std::optional<std::string> fill = arguments.Value("fill")) {
    options.fill = FillKindFromName(*fill);
    if (!options.fill) {
      return absl::InvalidArgumentError(absl::StrCat("--fill is zeros, ones, iota or random, not `", *fill, "`"));
    }
  }
  if (const std::optional<std::string> seed = arguments.Value("seed")) {
    if (!absl::SimpleAtoi(*seed, &options.session.random_seed)) {
      return absl::InvalidArgumentError(absl::StrCat("--seed needs a number from 0 to 2^64-1, got `", *seed, "`"));
    }
  }
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const absl::StatusOr<int64_t> replicas = arguments.Int("replicas", 1, 1, kMaxDevices);
  const absl::StatusOr<int64_t> partitions = arguments.Int("partitions", 1, 1, kMaxDevices);
  const absl::StatusOr<int64_t> threads = arguments.Int("threads", 0, 0, kMaxThreads);
  const absl::StatusOr<int64_t> steps = arguments.Int("step-limit", 0, 0, kMax);
  const absl::StatusOr<int64_t> bytes = arguments.Bytes("memory-limit", 0);
  const absl::StatusOr<double> seconds = arguments.NonNegative("time-limit", 0);
  for (const absl::StatusOr<int64_t>* number : {&replicas, &partitions, &threads, &steps, &bytes}) {
    if (!number->ok()) return number->status();
  }
  if (!seconds.ok()) return seconds.status();
  if (arguments.Has("replicas")) options.replicas = *replicas;
  if (arguments.Has("partitions")) options.partitions = *partitions;
  options.session.threads = static_cast<int>(*threads);
  options.session.step_limit = *steps;
  options.session.memory_limit_bytes = *bytes;
  options.session.time_limit_seconds = *seconds;
  return options;
}

std::string DeviceGrid::Suffix(int64_t device) const {
  if (count() == 1) return "";
  if (partitions == 1) return absl::StrCat(".r", device);
  return absl::StrCat(".r", device / partitions, ".p", device % partitions);
}

InstructionId FirstExchange(const Module& module) {
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    if (IsExchange(module, InstructionId(i))) return InstructionId(i);
  }
  return InstructionId();
}

DeviceGrid GridOf(const Module& module, const RunOptions& options) {
  bool speaks_of_devices = FirstExchange(module).has_value();
  for (const Instruction& instruction : module.instructions()) {
    speaks_of_devices |= instruction.opcode == Opcode::kPartitionId || instruction.opcode == Opcode::kReplicaId;
  }
  DeviceGrid grid;
  if (speaks_of_devices) {
    grid.replicas = std::max<int64_t>(module.header().replica_count, 1);
    grid.partitions = std::max<int64_t>(module.header().num_partitions, 1);
  }
  grid.replicas = options.replicas.value_or(grid.replicas);
  grid.partitions = options.partitions.value_or(grid.partitions);
  return grid;
}

absl::StatusOr<std::vector<Value>> LoadArguments(const Module& module, const RunOptions& options,
                                                 const DeviceGrid& grid, int64_t device) {
  ArgumentLoader loader(options, grid.Suffix(device));
  std::vector<Value> arguments;
  const std::vector<InstructionId>& parameters = module.computation(module.entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    if (!parameters[k].has_value()) return absl::InvalidArgumentError(absl::StrCat("parameter ", k, " is missing"));
    const Shape& shape = module.shape(parameters[k]);
    Value filled;
    if (options.fill.has_value()) {
      absl::StatusOr<Value> made =
          FillValue(shape, *options.fill, options.session.random_seed, static_cast<int64_t>(k));
      if (!made.ok()) return made.status();
      filled = *std::move(made);
    }
    absl::StatusOr<Value> value = loader.Load(shape, absl::StrCat(k), filled.has_value() ? &filled : nullptr);
    if (!value.ok()) return value.status();
    arguments.push_back(*std::move(value));
  }
  for (const auto& [leaf, path] : options.arguments) {
    if (loader.used().count(leaf) == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("--arg ", leaf, ": the entry computation has no such parameter or leaf"));
    }
  }
  return arguments;
}

}  // namespace hloscope
