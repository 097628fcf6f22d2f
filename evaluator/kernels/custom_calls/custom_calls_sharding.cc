// SPDX-License-Identifier: Apache-2.0
// Custom calls that change between the global view of an array and what each device holds of it
// (docs/ops/control.md 3.3, 5.3).
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/sharding_places.h"
#include "core/ops/frontend_attributes.h"
#include "evaluator/devices/device_link.h"
#include "evaluator/kernels/custom_calls/custom_call_registry.h"
#include "evaluator/kernels/custom_calls/custom_call_support.h"
#include "evaluator/kernels/custom_calls/shardy_places.h"
#include "evaluator/kernels/data_movement/data_movement.h"
#include "evaluator/kernels/indexing/element_copy.h"

namespace hloscope::evaluator {
namespace {

absl::Status NotCut(const KernelContext& context, absl::string_view why) {
  const Shape operand = context.module.shape(context.module.operand(context.id, 0));
  return absl::UnimplementedError(
      absl::StrCat("custom-call ", context.module.InstructionName(context.id), " (target \"", CustomCallTarget(context),
                   "\"): changing ", operand.ToString(false), " to ", context.shape().ToString(false), " ", why));
}

bool ShapeStays(const KernelContext& context) {
  return context.operands.size() == 1 &&
         ShapesCompatible(context.module.shape(context.module.operand(context.id, 0)), context.shape());
}

// The device numbers of shardings are those of partitions; a module without partitions shards over its replicas.
int64_t ShardingDevice(const KernelContext& context) {
  return context.runtime.grid().partitions > 1 ? context.runtime.partition_id() : context.runtime.replica_id();
}

// An array's parts, one per device or several.
using Places = std::vector<ShardPlace>;

absl::Status CheckDevices(const KernelContext& context, const Places& places) {
  const DeviceGrid grid = context.runtime.grid();
  const int64_t devices = grid.partitions > 1 ? grid.partitions : grid.replicas;
  for (const ShardPlace& place : places) {
    if (place.device >= devices) {
      return NotCut(context, absl::StrCat("takes device ", place.device, ", but the run has ", devices));
    }
  }
  return absl::OkStatus();
}

// The parts of the global array, by the sharding that instruction `id` carries.
absl::StatusOr<Places> PlacesBy(const KernelContext& context, InstructionId id, const Shape& array) {
  const Sharding* const sharding = context.module.ShardingAttribute(id);
  const bool is_cut = sharding != nullptr && !TileCounts(*sharding, array).empty();
  if (!is_cut) return NotCut(context, absl::StrCat("needs a tiled sharding on ", context.module.InstructionName(id)));
  if (!sharding->unreduced_axes.empty() ||
      absl::c_linear_search(sharding->last_tile_dims, Sharding::Subgroup::kUnreduced)) {
    return NotCut(context, absl::StrCat("takes summands by the sharding of ", context.module.InstructionName(id)));
  }
  Places places = PlacesOfShards(*sharding, array, std::numeric_limits<size_t>::max());
  if (places.empty()) return NotCut(context, "takes more devices than the run has");
  return places;
}

// The parts of all global arrays, by the frontend attribute `key` of the instruction.
absl::StatusOr<std::vector<Places>> ShardyPlacesBy(const KernelContext& context, absl::string_view key,
                                                   absl::Span<const Shape> arrays) {
  ShardyAttributes attributes;
  for (const auto& [name, value] : context.module.header().frontend_attributes) {
    if (name == "xla.sdy.meshes") attributes.meshes = value.text;
  }
  const std::string* const shardings = FindFrontendAttribute(context.module, context.id, key);
  if (shardings == nullptr) return NotCut(context, absl::StrCat("needs the frontend attribute ", key));
  attributes.shardings = *shardings;
  const std::string* const axes = FindFrontendAttribute(context.module, context.id, "xla.sdy.manual_axes");
  if (axes != nullptr) attributes.manual_axes = *axes;
  absl::StatusOr<std::vector<Places>> places = PlacesByShardy(attributes, arrays);
  if (!places.ok()) return NotCut(context, absl::StrCat("fails: ", places.status().message()));
  return places;
}

Tensor PartAt(Tensor tensor, const ShardPlace& place) {
  for (size_t d = 0; d < place.ranges.size(); ++d) {
    const SliceRange& range = place.ranges[d];
    tensor = RangeOf(tensor, static_cast<int64_t>(d), range.start, range.limit - range.start);
  }
  return tensor;
}

// This device's part of `full`, padded at the high ends to `shape`.
absl::StatusOr<Tensor> OwnShard(const KernelContext& context, const Tensor& full, const Places& places,
                                const Shape& shape) {
  if (absl::Status s = CheckDevices(context, places); !s.ok()) return s;
  const int64_t device = ShardingDevice(context);
  const auto own = absl::c_find_if(places, [&](const ShardPlace& place) { return place.device == device; });
  if (own == places.end()) return NotCut(context, absl::StrCat("leaves nothing for device ", device));
  if (full.rank() != shape.rank()) return NotCut(context, "changes the number of dimensions");
  const Tensor part = PartAt(full, *own);
  absl::StatusOr<Tensor> shard = ZeroTensor(part.element_type(), shape.dimensions(), context.runtime);
  if (!shard.ok()) return shard;
  for (int64_t d = 0; d < part.rank(); ++d) {
    if (part.dimension(d) > shard->dimension(d)) return NotCut(context, "does not fit the tiles of the sharding");
  }
  if (part.element_count() > 0) {
    absl::Status status = CopyElements(part, shard->mutable_data(), shard->strides(), context.runtime);
    if (!status.ok()) return status;
  }
  return shard;
}

absl::StatusOr<Value> FullToShard(const KernelContext& context) {
  if (absl::Status s = CheckArrayOperands(context, 1); !s.ok()) return s;
  if (ShapeStays(context)) return context.operands[0];
  const InstructionId operand = context.module.operand(context.id, 0);
  const absl::StatusOr<Places> places = PlacesBy(context, operand, context.module.shape(operand));
  if (!places.ok()) return places.status();
  absl::StatusOr<Tensor> shard = OwnShard(context, context.tensor(0), *places, context.shape());
  if (!shard.ok()) return shard.status();
  return Value(*std::move(shard));
}

// The parts of the array that this device's manual subgroup has by the sharding of `id`.
Places OfOwnSubgroup(const KernelContext& context, InstructionId id, const Places& places) {
  const std::vector<int64_t> subgroups = ManualSubgroups(*context.module.ShardingAttribute(id));
  const size_t own = static_cast<size_t>(ShardingDevice(context));
  if (own >= subgroups.size()) return places;
  Places parts;
  absl::c_copy_if(places, std::back_inserter(parts), [&](const ShardPlace& place) {
    return subgroups[static_cast<size_t>(place.device)] == subgroups[own];
  });
  return parts;
}

bool SameBytes(const Tensor& a, const Tensor& b) {
  const absl::StatusOr<Tensor> x = a.Contiguous(), y = b.Contiguous();
  return x.ok() && y.ok() && x->byte_size() == y->byte_size() &&
         std::memcmp(x->data(), y->data(), static_cast<size_t>(x->byte_size())) == 0;
}

// What all devices of a sharding have as operands, by device number.
absl::StatusOr<Contributions> ShardsOfAll(const KernelContext& context) {
  const DeviceGrid grid = context.runtime.grid();
  const bool by_partition = grid.partitions > 1;
  ExchangePlan plan;
  plan.instruction = context.id;
  for (int64_t device = 0; device < (by_partition ? grid.partitions : grid.replicas); ++device) {
    plan.sources.push_back(by_partition ? grid.DeviceOf(context.runtime.replica_id(), device)
                                        : grid.DeviceOf(device, context.runtime.partition_id()));
  }
  plan.readers = plan.sources;
  std::vector<Value> own(context.operands.begin(), context.operands.end());
  if (plan.readers.size() == 1) return Contributions{std::move(own)};
  DeviceLink* const link = context.runtime.link();
  if (link == nullptr) return NotCut(context, "takes devices that cannot meet in a run on one device");
  return link->Exchange(plan, std::move(own));
}

// The array of `shape` whose parts are operand `n` of the devices.
absl::StatusOr<Tensor> Assembled(const KernelContext& context, const Contributions& shards, size_t n,
                                 const Places& places, const Shape& shape) {
  absl::StatusOr<Tensor> full = ZeroTensor(context.tensor(n).element_type(), shape.dimensions(), context.runtime);
  if (!full.ok()) return full;
  if (context.tensor(n).rank() != shape.rank()) return NotCut(context, "changes the number of dimensions");
  std::vector<const ShardPlace*> written;
  for (const ShardPlace& place : places) {
    Tensor shard = shards[static_cast<size_t>(place.device)][n].tensor();
    for (size_t d = 0; d < place.ranges.size(); ++d) {
      const int64_t size = place.ranges[d].limit - place.ranges[d].start;
      if (size > shard.dimension(static_cast<int64_t>(d))) {
        return NotCut(context, "does not fit the tiles of the sharding");
      }
      shard = RangeOf(shard, static_cast<int64_t>(d), 0, size);
    }
    if (shard.element_count() == 0) continue;
    Tensor target = PartAt(*full, place);
    const auto same_part = absl::c_find_if(written, [&](const ShardPlace* w) { return w->ranges == place.ranges; });
    if (same_part != written.end()) {
      if (SameBytes(target, shard)) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("custom-call ", context.module.InstructionName(context.id), " (target \"",
                       CustomCallTarget(context), "\"): devices ", (*same_part)->device, " and ", place.device,
                       " hold the same part of the array by its sharding, but different values"));
    }
    absl::Status status = CopyElements(shard, target.mutable_data(), target.strides(), context.runtime);
    if (!status.ok()) return status;
    written.push_back(&place);
  }
  return full;
}

// An array that is not cut: what one device has, or all of them.
absl::StatusOr<Value> WholeArray(const KernelContext& context) {
  const Sharding* const sharding = context.module.ShardingAttribute(context.id);
  const bool is_maximal = sharding != nullptr && sharding->kind == Sharding::Kind::kMaximal;
  if (!is_maximal && (sharding == nullptr || sharding->kind != Sharding::Kind::kReplicated)) return context.operands[0];
  const absl::StatusOr<Contributions> shards = ShardsOfAll(context);
  if (!shards.ok()) return shards.status();
  const int64_t count = static_cast<int64_t>(shards->size()), device = is_maximal ? sharding->device : 0;
  if (device < 0 || device >= count) {
    return NotCut(context, absl::StrCat("takes device ", device, ", but the run has ", count));
  }
  const Value& value = (*shards)[static_cast<size_t>(device)][0];
  for (size_t other = 0; !is_maximal && other < shards->size(); ++other) {
    if (SameBytes(value.tensor(), (*shards)[other][0].tensor())) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "custom-call ", context.module.InstructionName(context.id), " (target \"", CustomCallTarget(context),
        "\"): its sharding is replicated, but devices 0 and ", other, " have different values"));
  }
  return value;
}

absl::StatusOr<Value> ShardToFull(const KernelContext& context) {
  if (absl::Status s = CheckArrayOperands(context, 1); !s.ok()) return s;
  if (ShapeStays(context)) return WholeArray(context);
  const absl::StatusOr<Places> places = PlacesBy(context, context.id, context.shape());
  if (!places.ok()) return places.status();
  if (absl::Status s = CheckDevices(context, *places); !s.ok()) return s;
  const absl::StatusOr<Contributions> shards = ShardsOfAll(context);
  if (!shards.ok()) return shards.status();
  absl::StatusOr<Tensor> full =
      Assembled(context, *shards, 0, OfOwnSubgroup(context, context.id, *places), context.shape());
  if (!full.ok()) return full.status();
  return Value(*std::move(full));
}

// The shapes of the results: that of the instruction, or of the elements of its tuple.
std::vector<Shape> ResultShapes(const KernelContext& context) {
  if (!context.shape().IsTuple()) return {context.shape()};
  std::vector<Shape> shapes;
  for (const Shape& element : context.shape().elements()) shapes.push_back(element);
  return shapes;
}

// The Shardy forms: n operands to n results, in one direction or the other.
absl::StatusOr<Value> ChangeByShardy(const KernelContext& context, bool to_global) {
  const size_t count = context.operands.size();
  if (count == 0) return CustomCallError(context, "needs an operand");
  if (ShapeStays(context)) return context.operands[0];
  if (absl::Status s = CheckArrayOperands(context, count); !s.ok()) return s;
  const std::vector<Shape> results = ResultShapes(context);
  if (results.size() != count) {
    return CustomCallError(context, absl::StrCat("has ", count, " operands but ", results.size(), " results"));
  }
  std::vector<Shape> operands;
  for (size_t k = 0; k < count; ++k) {
    operands.push_back(context.module.shape(context.module.operand(context.id, k)));
  }
  const absl::StatusOr<std::vector<Places>> places = ShardyPlacesBy(
      context, to_global ? "xla.sdy.out_shardings" : "xla.sdy.in_shardings", to_global ? results : operands);
  if (!places.ok()) return places.status();
  for (const Places& array : *places) {
    if (absl::Status s = CheckDevices(context, array); !s.ok()) return s;
  }
  Contributions shards;
  if (to_global) {
    absl::StatusOr<Contributions> posted = ShardsOfAll(context);
    if (!posted.ok()) return posted.status();
    shards = *std::move(posted);
  }
  std::vector<Value> values;
  for (size_t k = 0; k < count; ++k) {
    absl::StatusOr<Tensor> value = to_global ? Assembled(context, shards, k, (*places)[k], results[k])
                                             : OwnShard(context, context.tensor(k), (*places)[k], results[k]);
    if (!value.ok()) return value.status();
    values.emplace_back(*std::move(value));
  }
  return CustomCallResult(context, std::move(values));
}

}  // namespace

void RegisterShardingCalls(CustomCallRegistry& registry) {
  registry.Register("SPMDFullToShardShape", FullToShard);
  registry.Register("SPMDShardToFullShape", ShardToFull);
  for (absl::string_view target : {"xla.sdy.GlobalToLocalShape", "GlobalToLocalShape"}) {
    registry.Register(target, [](const KernelContext& context) { return ChangeByShardy(context, false); });
  }
  for (absl::string_view target : {"xla.sdy.LocalToGlobalShape", "LocalToGlobalShape"}) {
    registry.Register(target, [](const KernelContext& context) { return ChangeByShardy(context, true); });
  }
}

}  // namespace hloscope::evaluator
