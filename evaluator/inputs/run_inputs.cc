// SPDX-License-Identifier: Apache-2.0
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
#include "core/analysis/sharding_places.h"
#include "core/communication/communication_plan.h"
#include "core/diagnostics/count_text.h"
#include "core/ir/checked_math.h"
#include "core/ops/host_transfer.h"
#include "evaluator/engine/plausible_fills.h"
#include "evaluator/tensor/npy.h"

namespace hloscope::evaluator {
namespace {

// Between an archive and the array in it: "inputs.npz:arg0".
constexpr absl::string_view kInArchive = ".npz:";

absl::Status InParameter(const absl::Status& status, const std::string& leaf) {
  return absl::Status(status.code(), absl::StrCat("parameter ", leaf, ": ", status.message()));
}

// True for what depends on which device executes it, or on others.
bool SpeaksOfDevices(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kSend:
    case Opcode::kRecv:
      return !IsHostTransfer(module, id);
    case Opcode::kInvalid:
      return false;
    case Opcode::kCustomCall: {
      const absl::string_view target = module.StringAttribute(id, AttributeKind::kCustomCallTarget);
      return absl::StartsWith(target, "SPMD") || absl::EndsWith(target, "GlobalToLocalShape") ||
             absl::EndsWith(target, "LocalToGlobalShape");
    }
    default:
      return InfoOf(module.opcode(id)).family == OpFamily::kCollective;
  }
}

// More devices than this are simulated only where somebody asks for them.
constexpr int64_t kMostInferredDevices = 1024;

// Nothing where the user or the header says how many devices there are, or one is enough.
std::optional<DeviceGrid> GridOfCollectives(const Module& module, const RunOptions& options) {
  const ModuleHeader& header = module.header();
  if (options.replicas.has_value() || options.partitions.has_value()) return std::nullopt;
  if (header.replica_count > 1 || header.num_partitions > 1) return std::nullopt;
  const DeviceGrid grid = InferredGrid(module, {1, 1});
  const int64_t devices = SaturatingProduct(grid.replicas, grid.partitions);
  if (devices <= 1 || devices > kMostInferredDevices) return std::nullopt;
  return grid;
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
  if (const std::optional<DeviceGrid> grid = GridOfCollectives(module, options)) return *grid;
  DeviceGrid grid;
  grid.replicas = std::max<int64_t>(module.header().replica_count, 1);
  if (speaks_of_devices) grid.partitions = std::max<int64_t>(module.header().num_partitions, 1);
  grid.replicas = options.replicas.value_or(grid.replicas);
  grid.partitions = options.partitions.value_or(grid.partitions);
  return grid;
}

std::string AboutInferredGrid(const Module& module, const RunOptions& options) {
  const std::optional<DeviceGrid> grid = GridOfCollectives(module, options);
  if (!grid.has_value()) return "";
  return absl::StrCat("the module does not say how many devices it is for; its collectives need ",
                      CountOf(static_cast<size_t>(grid->replicas), "replica", "replicas"), " and ",
                      CountOf(static_cast<size_t>(grid->partitions), "partition", "partitions"));
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
  return absl::FailedPreconditionError("no value");  // not NotFound, which is a file that is missing
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

absl::Status ArgumentLoader::CheckArray(const std::string& path, const Shape& shape) {
  const size_t split = absl::string_view(path).rfind(kInArchive);
  if (split == absl::string_view::npos) return CheckNpy(path, shape);
  const absl::StatusOr<const NpzReader*> archive = Archive(path.substr(0, split + kInArchive.size() - 1));
  if (!archive.ok()) return archive.status();
  return (*archive)->Check(path.substr(split + kInArchive.size()));
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

ArgumentLoader::ArgumentLoader(const Module& module, const RunOptions& options, const DeviceGrid& grid)
    : module_(module), options_(options), grid_(grid), plausible_(PlausibleFills(module)) {}

absl::StatusOr<std::optional<std::string>> ArgumentLoader::PathOfArgument(const std::string& leaf, int64_t device) {
  const auto given = options_.arguments.find(leaf);
  if (given != options_.arguments.end()) return std::optional<std::string>(given->second);
  if (options_.arguments_directory.empty()) return std::optional<std::string>();
  return FileOf(options_.arguments_directory, absl::StrCat("arg", leaf), device);
}

std::optional<FillRule> ArgumentLoader::FillOf(int64_t number) const {
  if (const auto own = options_.fills.find(number); own != options_.fills.end()) return own->second;
  if (options_.fill != FillRule(FillKind::kRandom)) return options_.fill;
  const InstructionId parameter = module_.computation(module_.entry()).parameters[static_cast<size_t>(number)];
  const auto plausible = plausible_.find(parameter);
  return plausible != plausible_.end() ? plausible->second : options_.fill;
}

absl::Status ArgumentLoader::CheckLeaves(const Shape& shape, const std::string& leaf, bool is_filled, int64_t device,
                                         std::set<std::string>* used) {
  if (shape.IsToken()) return absl::OkStatus();
  if (shape.IsTuple()) {
    for (int64_t i = 0; i < shape.tuple_size(); ++i) {
      absl::Status status = CheckLeaves(shape.element(i), absl::StrCat(leaf, ".", i), is_filled, device, used);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }
  if (options_.arguments.count(leaf) > 0) used->insert(leaf);
  const absl::StatusOr<std::optional<std::string>> path = PathOfArgument(leaf, device);
  if (!path.ok()) return InParameter(path.status(), leaf);
  if (path->has_value()) {
    absl::Status status = CheckArray(**path, shape);
    if (int64_t number; !status.ok() && absl::SimpleAtoi(leaf, &number)) {
      const std::optional<Shape> whole = WholeShape(number);
      if (whole.has_value() && CheckArray(**path, *whole).ok()) status = absl::OkStatus();
    }
    return status.ok() ? status : InParameter(status, leaf);
  }
  if (is_filled) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("parameter ", leaf, " of shape ", shape.ToString(false),
                                                 " has no value; ",
                                                 absl::Substitute(options_.wording.give_argument, leaf)));
}

absl::Status ArgumentLoader::CheckArguments(int64_t device) {
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
  const std::vector<InstructionId>& parameters = module_.computation(module_.entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    if (!parameters[k].has_value()) return absl::InvalidArgumentError(absl::StrCat("parameter ", k, " is missing"));
    const bool is_filled = k < options_.recorded.size() || FillOf(static_cast<int64_t>(k)).has_value();
    absl::Status status = CheckLeaves(module_.shape(parameters[k]), absl::StrCat(k), is_filled, device, &used);
    if (!status.ok()) return status;
  }
  for (const auto& [leaf, path] : options_.arguments) {
    if (used.count(leaf) == 0) {
      return absl::InvalidArgumentError(absl::StrCat(absl::Substitute(options_.wording.argument, leaf),
                                                     ": the entry computation has no such parameter or leaf"));
    }
  }
  for (const auto& [number, rule] : options_.fills) {
    if (number >= static_cast<int64_t>(parameters.size())) {
      return absl::InvalidArgumentError(absl::StrCat(options_.wording.fill, " of parameter ", number,
                                                     ": the entry computation has ", parameters.size(), " parameters"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Value> ArgumentLoader::Argument(int64_t device, int64_t number, numerics::Executor* executor) {
  const Shape& shape = module_.shape(module_.computation(module_.entry()).parameters[static_cast<size_t>(number)]);
  const Value* filled = nullptr;
  // An array that is given needs no other value.
  bool is_given = false;
  if (shape.IsArray()) {
    const absl::StatusOr<std::optional<std::string>> path = PathOfArgument(absl::StrCat(number), device);
    if (!path.ok()) return InParameter(path.status(), absl::StrCat(number));
    is_given = path->has_value();
  }
  const bool is_recorded = number < static_cast<int64_t>(options_.recorded.size());
  const std::optional<FillRule> rule = is_given || is_recorded ? std::nullopt : FillOf(number);
  if (rule.has_value() && filled_.count(number) == 0) {
    absl::StatusOr<Value> made = FillValue(shape, *rule, options_.session.random_seed, number, executor);
    if (!made.ok()) return InParameter(made.status(), absl::StrCat(number));
    filled_[number] = *std::move(made);
  }
  if (const auto found = filled_.find(number); found != filled_.end()) filled = &found->second;
  if (is_recorded) filled = &options_.recorded[static_cast<size_t>(number)];
  std::string leaf = absl::StrCat(number);
  absl::StatusOr<Value> value = Load(shape, absl::StrCat(number), filled,
                                     [&](const std::string& name) -> absl::StatusOr<std::optional<std::string>> {
                                       leaf = name;  // the one that a failure is about
                                       return PathOfArgument(name, device);
                                     });
  if (is_given && absl::IsInvalidArgument(value.status()) && WholeShape(number).has_value()) {
    absl::StatusOr<Value> part = PartOfWhole(**PathOfArgument(leaf, device), number, device);
    if (part.ok()) return part;
  }
  if (!value.ok()) return InParameter(value.status(), leaf);
  return value;
}

std::optional<Shape> ArgumentLoader::WholeShape(int64_t number) const {
  const InstructionId parameter = module_.computation(module_.entry()).parameters[static_cast<size_t>(number)];
  const Sharding* sharding = module_.ShardingAttribute(parameter);
  const Shape& part = module_.shape(parameter);
  if (sharding == nullptr || !part.IsArray() || grid_.device_count() == 1) return std::nullopt;
  const std::vector<int64_t> tiles = TileCounts(*sharding, part);
  if (tiles.empty()) return std::nullopt;
  Shape whole = part;
  for (int64_t d = 0; d < part.rank(); ++d) {
    const CheckedInt64 size = CheckedInt64(part.dimension(d)) * tiles[static_cast<size_t>(d)];
    if (!size.ok()) return std::nullopt;
    whole.set_dimension(d, size.value());
    // The last tiles may have padding.
    if (tiles[static_cast<size_t>(d)] > 1) whole.set_dynamic_dimension(d, true);
  }
  return whole;
}

// The sizes of a whole array that tiles of this shape belong to.
bool ArgumentLoader::HasTiles(const Tensor& whole, const Shape& tile) {
  for (int64_t d = 0; d < tile.rank(); ++d) {
    const int64_t size = whole.dynamic_sizes().empty() ? whole.dimensions()[static_cast<size_t>(d)]
                                                       : whole.dynamic_sizes()[static_cast<size_t>(d)];
    const int64_t tiles = tile.dimension(d) == 0 ? 1 : whole.dimensions()[static_cast<size_t>(d)] / tile.dimension(d);
    if ((size + tiles - 1) / tiles != tile.dimension(d)) return false;
  }
  return true;
}

absl::StatusOr<Value> ArgumentLoader::PartOfWhole(const std::string& path, int64_t number, int64_t device) {
  const Shape whole = *WholeShape(number);
  std::pair<std::string, std::string> key(path, whole.ToString(false));
  auto found = read_.find(key);
  if (found == read_.end()) {
    absl::StatusOr<Tensor> tensor = ReadArray(path, whole);
    if (!tensor.ok()) return tensor.status();
    found = read_.emplace(std::move(key), *std::move(tensor)).first;
  }
  const InstructionId parameter = module_.computation(module_.entry()).parameters[static_cast<size_t>(number)];
  if (!HasTiles(found->second, module_.shape(parameter))) {
    return absl::InvalidArgumentError("the sharding cuts the array into other tiles");
  }
  const int64_t own = grid_.partitions > 1 ? grid_.PartitionOf(device) : device;
  for (const ShardPlace& place : PlacesOfShards(*module_.ShardingAttribute(parameter), whole, kMaxDevices)) {
    if (place.device != own) continue;
    const Tensor& tensor = found->second;
    int64_t offset = 0;
    std::vector<int64_t> sizes;
    for (size_t d = 0; d < place.ranges.size(); ++d) {
      offset += place.ranges[d].start * tensor.strides()[d];
      sizes.push_back(place.ranges[d].limit - place.ranges[d].start);
    }
    absl::StatusOr<Tensor> part = tensor.View(sizes, tensor.strides(), offset).Copy();
    if (!part.ok()) return part.status();
    return Value(*std::move(part));
  }
  return absl::InvalidArgumentError(absl::StrCat("the sharding has no part for device ", device));
}

absl::StatusOr<std::vector<Value>> ArgumentLoader::Arguments(int64_t device) {
  if (absl::Status status = CheckArguments(device); !status.ok()) return status;
  std::vector<Value> values;
  const size_t count = module_.computation(module_.entry()).parameters.size();
  for (size_t k = 0; k < count; ++k) {
    absl::StatusOr<Value> value = Argument(device, static_cast<int64_t>(k), nullptr);
    if (!value.ok()) return value.status();
    values.push_back(*std::move(value));
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
  absl::StatusOr<Value> zeros = ZeroValue(shape);
  if (!zeros.ok()) return zeros;
  return Load(shape, "", &*zeros, [&](const std::string& leaf) -> absl::StatusOr<std::optional<std::string>> {
    const auto given = paths.find(leaf);
    return given == paths.end() ? std::optional<std::string>() : std::optional<std::string>(given->second);
  });
}

absl::Status GiveInputs(DeviceRun& run, int64_t device, ArgumentLoader& loader) {
  if (absl::Status status = loader.CheckArguments(device); !status.ok()) return status;
  const Module& module = run.device(device).module();
  const int64_t count = static_cast<int64_t>(module.computation(module.entry()).parameters.size());
  for (int64_t k = 0; k < count; ++k) {
    absl::Status status = run.device(device).SetArgumentMaker(
        k, [&loader, device, k](numerics::Executor* executor) { return loader.Argument(device, k, executor); });
    if (!status.ok()) return status;
  }
  run.host(device).set_infeed(
      [&loader, device](int64_t item, const Shape& shape) { return loader.Infeed(device, item, shape); });
  run.host(device).set_receive([&loader, device](const std::string& channel, int64_t item, const Shape& shape) {
    return loader.Receive(device, channel, item, shape);
  });
  return absl::OkStatus();
}

}  // namespace hloscope::evaluator
