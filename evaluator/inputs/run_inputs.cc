#include "evaluator/inputs/run_inputs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/substitute.h"
#include "core/ops/host_transfer.h"
#include "evaluator/tensor/npy.h"

namespace hloscope {
namespace {

// Between an archive and the array in it: "inputs.npz:arg0".
constexpr absl::string_view kInArchive = ".npz:";

// True for what depends on which device executes it, or on others.
bool SpeaksOfDevices(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kSend:
    case Opcode::kRecv:
      return !IsHostTransfer(module, id);
    case Opcode::kInvalid:
      return false;
    case Opcode::kCustomCall:
      return absl::StartsWith(module.StringAttribute(id, AttributeKind::kCustomCallTarget), "SPMD");
    default:
      return InfoOf(module.opcode(id)).family == OpFamily::kCollective;
  }
}

}  // namespace

std::optional<int64_t> BytesFromText(absl::string_view text) {
  int64_t unit = 1;
  constexpr absl::string_view kSuffixes = "KMGT";
  if (!text.empty()) {
    const size_t suffix = kSuffixes.find(text.back());
    if (suffix != absl::string_view::npos) {
      unit = int64_t{1} << (10 * (suffix + 1));
      text.remove_suffix(1);
    }
  }
  int64_t value, bytes;
  if (!absl::SimpleAtoi(text, &value) || value < 0 || __builtin_mul_overflow(value, unit, &bytes)) return std::nullopt;
  return bytes;
}

absl::Status AddArgument(const std::string& name, const std::string& path, RunOptions* options) {
  bool good = !path.empty();
  for (const absl::string_view number : absl::StrSplit(name, '.')) {
    int64_t value;
    good = good && absl::SimpleAtoi(number, &value) && value >= 0 && absl::StrCat(value) == number;
  }
  if (!good) return absl::InvalidArgumentError("the name of a parameter is N, or N.I.J of a leaf; its value is a file");
  if (!options->arguments.emplace(name, path).second) return absl::AlreadyExistsError("it is given twice");
  return absl::OkStatus();
}

std::string DeviceSuffix(const DeviceGrid& grid, int64_t device) {
  if (grid.device_count() == 1) return "";
  if (grid.partitions == 1) return absl::StrCat(".r", device);
  return absl::StrCat(".r", device / grid.partitions, ".p", device % grid.partitions);
}

DeviceGrid GridOf(const Module& module, const RunOptions& options) {
  bool speaks_of_devices = false;
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    speaks_of_devices |= SpeaksOfDevices(module, InstructionId(i));
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

absl::StatusOr<Value> ArgumentLoader::Load(const Shape& shape, const std::string& leaf, const Value* filled,
                                           PathOf path_of) {
  if (shape.IsToken()) return Value::Token();
  if (shape.IsTuple()) {
    std::vector<Value> elements;
    for (int64_t i = 0; i < shape.tuple_size(); ++i) {
      absl::StatusOr<Value> element =
          Load(shape.element(i), absl::StrCat(leaf, ".", i),
               filled == nullptr ? nullptr : &filled->elements()[static_cast<size_t>(i)], path_of);
      if (!element.ok()) return element;
      elements.push_back(*std::move(element));
    }
    return Value::Tuple(std::move(elements));
  }
  const absl::StatusOr<std::optional<std::string>> path = path_of(leaf);
  if (!path.ok()) return path.status();
  if (path->has_value()) {
    std::pair<std::string, std::string> key(**path, shape.ToString(false));
    if (const auto found = read_.find(key); found != read_.end()) return Value(found->second);
    absl::StatusOr<Tensor> tensor = ReadArray(**path, shape);
    if (!tensor.ok()) return tensor.status();
    // Several devices may share a file.
    if (grid_.device_count() > 1) read_.emplace(std::move(key), *tensor);
    return Value(*std::move(tensor));
  }
  if (filled != nullptr) return *filled;
  return absl::FailedPreconditionError("no value");  // told apart from NotFound: a file that is missing
}

absl::StatusOr<const NpzReader*> ArgumentLoader::Archive(const std::string& path) {
  std::unique_ptr<NpzReader>& reader = archives_[path];
  if (reader == nullptr) {
    absl::StatusOr<std::unique_ptr<NpzReader>> opened = NpzReader::Open(path);
    if (!opened.ok()) return opened.status();
    reader = *std::move(opened);
  }
  return reader.get();
}

absl::StatusOr<Tensor> ArgumentLoader::ReadArray(const std::string& path, const Shape& shape) {
  const size_t split = absl::string_view(path).rfind(kInArchive);
  if (split == absl::string_view::npos) return ReadNpy(path, shape);
  absl::StatusOr<const NpzReader*> archive = Archive(path.substr(0, split + kInArchive.size() - 1));
  if (!archive.ok()) return archive.status();
  return (*archive)->Read(path.substr(split + kInArchive.size()), shape);
}

absl::StatusOr<std::optional<std::string>> ArgumentLoader::FileOf(const std::string& place, const std::string& name,
                                                                  int64_t device) {
  const NpzReader* archive = nullptr;
  if (absl::EndsWith(place, ".npz")) {
    absl::StatusOr<const NpzReader*> opened = Archive(place);
    if (!opened.ok()) return opened.status();
    archive = *opened;
  }
  for (const std::string& stem : {absl::StrCat(name, DeviceSuffix(grid_, device)), name}) {
    if (archive != nullptr) {
      if (archive->Has(stem)) return absl::StrCat(place, ":", stem);
    } else if (std::string path = absl::StrCat(place, "/", stem, ".npy"); access(path.c_str(), F_OK) == 0) {
      return path;
    }
  }
  return std::optional<std::string>();
}

absl::StatusOr<std::vector<Value>> ArgumentLoader::Arguments(int64_t device) {
  for (const std::string& place : {options_.arguments_directory, options_.infeed_directory}) {
    struct stat found;
    if (place.empty() || absl::EndsWith(place, ".npz")) continue;
    if (stat(place.c_str(), &found) != 0)
      return absl::NotFoundError(absl::StrCat(place, ": there is no such directory"));
    if (!S_ISDIR(found.st_mode)) {
      return absl::InvalidArgumentError(absl::StrCat(place, " is neither a directory nor an .npz archive"));
    }
  }
  std::set<std::string> used;  // names of --arg that were asked for
  const auto path_of = [&](const std::string& leaf) -> absl::StatusOr<std::optional<std::string>> {
    const auto given = options_.arguments.find(leaf);
    if (given != options_.arguments.end()) {
      used.insert(leaf);
      return std::optional<std::string>(given->second);
    }
    if (options_.arguments_directory.empty()) return std::optional<std::string>();
    return FileOf(options_.arguments_directory, absl::StrCat("arg", leaf), device);
  };
  std::vector<Value> values;
  const std::vector<InstructionId>& parameters = module_.computation(module_.entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    if (!parameters[k].has_value()) return absl::InvalidArgumentError(absl::StrCat("parameter ", k, " is missing"));
    const Shape& shape = module_.shape(parameters[k]);
    const int64_t number = static_cast<int64_t>(k);
    const bool is_recorded = k < options_.recorded.size();
    if (options_.fill.has_value() && !is_recorded && filled_.count(number) == 0) {
      absl::StatusOr<Value> made = FillValue(shape, *options_.fill, options_.session.random_seed, number);
      if (!made.ok()) return made.status();
      filled_[number] = *std::move(made);
    }
    std::string leaf = absl::StrCat(k);
    const Value* const otherwise = is_recorded                 ? &options_.recorded[k]
                                   : options_.fill.has_value() ? &filled_[number]
                                                               : nullptr;
    absl::StatusOr<Value> value = Load(shape, absl::StrCat(k), otherwise, [&](const std::string& name) {
      leaf = name;  // the one that a failure is about
      return path_of(name);
    });
    if (absl::IsFailedPrecondition(value.status())) {
      return absl::InvalidArgumentError(absl::StrCat("parameter ", leaf, " of shape ", shape.ToString(false),
                                                     " has no value; ",
                                                     absl::Substitute(options_.wording.give_argument, leaf)));
    }
    if (!value.ok()) {
      return absl::Status(value.status().code(), absl::StrCat("parameter ", leaf, ": ", value.status().message()));
    }
    values.push_back(*std::move(value));
  }
  for (const auto& [leaf, path] : options_.arguments) {
    if (used.count(leaf) == 0) {
      return absl::InvalidArgumentError(absl::StrCat(absl::Substitute(options_.wording.argument, leaf),
                                                     ": the entry computation has no such parameter or leaf"));
    }
  }
  return values;
}

absl::StatusOr<Value> ArgumentLoader::HostItem(int64_t device, const std::string& stem, int64_t number,
                                               const Shape& shape) {
  Value filled;
  if (options_.fill.has_value()) {
    // Numbered apart from the parameters, so that random items differ from them.
    absl::StatusOr<Value> made = FillValue(shape, *options_.fill, options_.session.random_seed, (1 << 20) + number);
    if (!made.ok()) return made;
    filled = *std::move(made);
  }
  absl::StatusOr<Value> value = Load(shape, absl::StrCat(stem, number), filled.has_value() ? &filled : nullptr,
                                     [&](const std::string& leaf) -> absl::StatusOr<std::optional<std::string>> {
                                       if (options_.infeed_directory.empty()) return std::optional<std::string>();
                                       return FileOf(options_.infeed_directory, leaf, device);
                                     });
  if (absl::IsFailedPrecondition(value.status())) {
    const std::string place = options_.infeed_directory.empty()
                                  ? options_.wording.give_infeed
                                  : absl::StrCat("it is not in ", options_.infeed_directory);
    return absl::OutOfRangeError(absl::StrCat("the host has no item ", number, " of shape ", shape.ToString(false),
                                              " for this device: ", place, " (", stem, number, ".npy) or ",
                                              options_.wording.fill));
  }
  return value;
}

absl::StatusOr<Value> ArgumentLoader::Infeed(int64_t device, int64_t number, const Shape& shape) {
  return HostItem(device, "infeed", number, shape);
}

absl::StatusOr<Value> ArgumentLoader::Receive(int64_t device, const std::string& channel, int64_t number,
                                              const Shape& shape) {
  return HostItem(device, absl::StrCat("recv", channel, "."), number, shape);
}

absl::StatusOr<Value> ArgumentLoader::FromFiles(const Shape& shape, const std::map<std::string, std::string>& paths) {
  const absl::StatusOr<Value> zeros = ZeroValue(shape);
  if (!zeros.ok()) return zeros;
  return Load(shape, "", &*zeros, [&](const std::string& leaf) -> absl::StatusOr<std::optional<std::string>> {
    const auto given = paths.find(leaf);
    return given == paths.end() ? std::optional<std::string>() : std::optional<std::string>(given->second);
  });
}

absl::Status GiveInputs(DeviceRun& run, int64_t device, ArgumentLoader& loader) {
  absl::StatusOr<std::vector<Value>> values = loader.Arguments(device);
  if (!values.ok()) return values.status();
  for (size_t k = 0; k < values->size(); ++k) {
    const absl::Status status = run.device(device).SetArgument(static_cast<int64_t>(k), std::move((*values)[k]));
    if (!status.ok()) return status;
  }
  run.host(device).set_infeed(
      [&loader, device](int64_t item, const Shape& shape) { return loader.Infeed(device, item, shape); });
  run.host(device).set_receive([&loader, device](const std::string& channel, int64_t item, const Shape& shape) {
    return loader.Receive(device, channel, item, shape);
  });
  return absl::OkStatus();
}

}  // namespace hloscope
