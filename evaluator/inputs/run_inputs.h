// SPDX-License-Identifier: Apache-2.0
// What a run is given: options, the values of parameters, what the host sends.
#ifndef HLOSCOPE_EVALUATOR_INPUTS_RUN_INPUTS_H_
#define HLOSCOPE_EVALUATOR_INPUTS_RUN_INPUTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "evaluator/devices/device_groups.h"
#include "evaluator/engine/device_run.h"
#include "evaluator/engine/session_options.h"
#include "evaluator/tensor/fill.h"
#include "evaluator/tensor/npz.h"

namespace hloscope::evaluator {

inline constexpr int64_t kMaxDevices = 4096;  // replicas, partitions

struct RunOptions {
  SessionOptions session;                        // of device 0
  std::map<std::string, std::string> arguments;  // "0" or "0.1.2" to path
  std::string arguments_directory;               // empty: none
  std::string infeed_directory;                  // empty: none
  std::vector<std::string> plugins;              // paths of shared libraries that compute custom calls
  // What unknown custom calls return: target, instruction or "*" to leaf ("", ".1.0") to "zeros" or path.
  std::map<std::string, std::map<std::string, std::string>> custom_calls;
  std::vector<Value> recorded;  // of the entry parameters that have no file, on every device; may be empty
  std::optional<FillRule> fill;
  std::map<int64_t, FillRule> fills;            // of single parameters
  std::optional<int64_t> replicas, partitions;  // as given

  // How messages call the ways to give values; `$0` is the parameter's number.
  struct Wording {
    std::string argument = "--arg $0";
    std::string give_argument = "give --arg $0=FILE.npy, --args-dir DIR or --fill=KIND";
    std::string give_infeed = "give --infeed DIR", fill = "--fill", custom_call = "--custom-call";
  };
  Wording wording;
};

// "1000000" or "512M" (K, M, G, T are powers of 1024); nothing if it is no such number.
std::optional<int64_t> BytesFromText(absl::string_view text);

// Checks the name of a parameter or of a leaf of one ("0", "0.1.2") and of its file, and adds them. Error
// InvalidArgument if the name is none, the path is empty or the parameter is given already.
absl::Status AddArgument(const std::string& name, const std::string& path, RunOptions* options);

// Part of file names that tells the devices of a run apart: "", ".r1" or ".r1.p0".
std::string DeviceSuffix(const DeviceGrid& grid, int64_t device);

// The grid that the user or the header asks for; one partition if the header speaks of several but no instruction does;
// where neither says anything, the smallest that the collectives fit (docs/ops/control.md 4.1).
DeviceGrid GridOf(const Module& module, const RunOptions& options);

// What users should know of a grid that only the collectives ask for; empty of others.
std::string AboutInferredGrid(const Module& module, const RunOptions& options);

// Reads or makes up the values that devices are given. What is the same for several devices is made once and shared.
class ArgumentLoader {
 public:
  // `options` outlives the object.
  ArgumentLoader(const Module& module, const RunOptions& options, const DeviceGrid& grid);

  // The values of the entry parameters on one device: --arg, then --args-dir, then what was recorded, then --fill. A
  // file with the whole array of which the parameter is one device's part, as its sharding says, is cut. Errors: those
  // of ReadNpy; InvalidArgument if a parameter is not given or an --arg names no parameter.
  absl::StatusOr<std::vector<Value>> Arguments(int64_t device);

  // The same in two steps: whether all of them can be had, without making any (an .npy file is read only later), and
  // one of them.
  absl::Status CheckArguments(int64_t device);
  absl::StatusOr<Value> Argument(int64_t device, int64_t number, numerics::Executor* executor);

  // Item `number` of what the host sends to a device: infeedN.npy of --infeed, infeedN.I.npy for leaf I of a tuple,
  // else
  // --fill. Error OutOfRange if there is neither.
  absl::StatusOr<Value> Infeed(int64_t device, int64_t number, const Shape& shape);
  // The same for receives on a channel: recvC.N.npy.
  absl::StatusOr<Value> Receive(int64_t device, const std::string& channel, int64_t number, const Shape& shape);

  // A value whose leaves (".1.0", "" for an array) come from files; zeros where none is named.
  absl::StatusOr<Value> FromFiles(const Shape& shape, const std::map<std::string, std::string>& paths);

 private:
  // The value of a leaf or tuple. `paths` names the file of a leaf, or nothing; `filled` is the made-up value of the
  // same shape, if any.
  using PathOf = absl::FunctionRef<absl::StatusOr<std::optional<std::string>>(const std::string& leaf)>;
  absl::StatusOr<Value> Load(const Shape& shape, const std::string& leaf, const Value* filled, PathOf path_of);
  absl::StatusOr<Value> HostItem(int64_t device, const std::string& stem, int64_t number, const Shape& shape);
  // The array `name` for a device in a folder or an .npz archive: with the device's suffix, else without. Nothing if
  // there is none.
  absl::StatusOr<std::optional<std::string>> FileOf(const std::string& place, const std::string& name, int64_t device);
  // The file that is given for a leaf of a parameter, if any.
  absl::StatusOr<std::optional<std::string>> PathOfArgument(const std::string& leaf, int64_t device);
  // What stands in for parameter `number`; nothing if it must be given.
  std::optional<FillRule> FillOf(int64_t number) const;
  // The shape of the whole array of which parameter `number` is the part of one device, with the padding of its last
  // tiles, which the array may lack; nothing if it is no such part.
  std::optional<Shape> WholeShape(int64_t number) const;
  static bool HasTiles(const Tensor& whole, const Shape& tile);
  // The part of the device, of a file with the whole array.
  absl::StatusOr<Value> PartOfWhole(const std::string& path, int64_t number, int64_t device);
  absl::Status CheckLeaves(const Shape& shape, const std::string& leaf, bool is_filled, int64_t device,
                           std::set<std::string>* used);
  absl::StatusOr<const NpzReader*> Archive(const std::string& path);
  // Whether the array can be read, from what its file says at its beginning.
  absl::Status CheckArray(const std::string& path, const Shape& shape);
  // An .npy file, or "ARCHIVE.npz:NAME".
  absl::StatusOr<Tensor> ReadArray(const std::string& path, const Shape& shape);

  const Module& module_;
  const RunOptions& options_;
  const DeviceGrid grid_;
  const absl::flat_hash_map<InstructionId, FillRule> plausible_;
  std::map<std::string, std::unique_ptr<NpzReader>> archives_;
  std::map<std::pair<std::string, std::string>, Tensor> read_;  // by path and shape
  std::map<int64_t, Value> filled_;                             // by parameter
};

// Gives a device of a run its arguments, which are made when something reads them, and what its host sends. `loader`
// must outlive the run. Errors: those of ArgumentLoader::CheckArguments.
absl::Status GiveInputs(DeviceRun& run, int64_t device, ArgumentLoader& loader);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_INPUTS_RUN_INPUTS_H_
