// Custom calls that change between the global view of an array and what each device holds of it
// (spec/ops-c-control-collectives.md 3.3, 5.3).
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/sharding_places.h"
#include "evaluator/devices/device_link.h"
#include "evaluator/kernels/custom_call_registry.h"
#include "evaluator/kernels/custom_call_support.h"
#include "evaluator/kernels/data_movement.h"
#include "evaluator/kernels/element_copy.h"

namespace hloscope {
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

// Where both shapes are the same there is nothing to do; what else these targets do stands in attributes of other
// dialects.
absl::StatusOr<Value> PassIfShapeStays(const KernelContext& context) {
  if (context.operands.empty()) return CustomCallError(context, "needs an operand");
  if (ShapeStays(context)) return context.operands[0];
  return NotCut(context, "takes the devices of a Shardy sharding, which the evaluator does not read");
}

// The device numbers of shardings are those of partitions; a module without partitions shards over its replicas.
int64_t ShardingDevice(const KernelContext& context) {
  return context.runtime.grid().partitions > 1 ? context.runtime.partition_id() : context.runtime.replica_id();
}

// The parts of the global array, by the sharding that instruction `id` carries.
absl::StatusOr<std::vector<ShardPlace>> PlacesBy(const KernelContext& context, InstructionId id, const Shape& array) {
  const Sharding* const sharding = context.module.ShardingAttribute(id);
  if (sharding == nullptr || sharding->kind != Sharding::Kind::kTiled || !sharding->last_tile_dims.empty()) {
    return NotCut(context, absl::StrCat("needs a tiled sharding on ", context.module.InstructionName(id)));
  }
  std::vector<ShardPlace> places = PlacesOfShards(*sharding, array, std::numeric_limits<size_t>::max());
  const DeviceGrid grid = context.runtime.grid();
  const int64_t devices = grid.partitions > 1 ? grid.partitions : grid.replicas;
  for (const ShardPlace& place : places) {
    if (place.device >= devices) {
      return NotCut(context, absl::StrCat("takes device ", place.device, ", but the run has ", devices));
    }
  }
  return places;
}

Tensor PartAt(Tensor tensor, const ShardPlace& place) {
  for (size_t d = 0; d < place.ranges.size(); ++d) {
    const SliceRange& range = place.ranges[d];
    tensor = RangeOf(tensor, static_cast<int64_t>(d), range.start, range.limit - range.start);
  }
  return tensor;
}

absl::StatusOr<Value> FullToShard(const KernelContext& context) {
  if (absl::Status s = CheckArrayOperands(context, 1); !s.ok()) return s;
  if (ShapeStays(context)) return context.operands[0];
  const InstructionId operand = context.module.operand(context.id, 0);
  const absl::StatusOr<std::vector<ShardPlace>> places = PlacesBy(context, operand, context.module.shape(operand));
  if (!places.ok()) return places.status();
  const int64_t device = ShardingDevice(context);
  const auto own = absl::c_find_if(*places, [&](const ShardPlace& place) { return place.device == device; });
  if (own == places->end()) return NotCut(context, absl::StrCat("leaves nothing for device ", device));
  const Tensor part = PartAt(context.tensor(0), *own);
  absl::StatusOr<Tensor> shard = Tensor::Zeros(part.element_type(), context.shape().dimensions());
  if (!shard.ok()) return shard.status();
  for (int64_t d = 0; d < part.rank(); ++d) {
    if (part.dimension(d) > shard->dimension(d)) return NotCut(context, "does not fit the tiles of the sharding");
  }
  if (part.element_count() > 0) {
    absl::Status status = CopyElements(part, shard->mutable_data(), shard->strides(), context.runtime);
    if (!status.ok()) return status;
  }
  return Value(*std::move(shard));
}

bool SameBytes(const Tensor& a, const Tensor& b) {
  const absl::StatusOr<Tensor> x = a.Contiguous(), y = b.Contiguous();
  return x.ok() && y.ok() && x->byte_size() == y->byte_size() &&
         std::memcmp(x->data(), y->data(), static_cast<size_t>(x->byte_size())) == 0;
}

absl::StatusOr<Value> ShardToFull(const KernelContext& context) {
  if (absl::Status s = CheckArrayOperands(context, 1); !s.ok()) return s;
  if (ShapeStays(context)) return context.operands[0];
  const absl::StatusOr<std::vector<ShardPlace>> places = PlacesBy(context, context.id, context.shape());
  if (!places.ok()) return places.status();
  const DeviceGrid grid = context.runtime.grid();
  const bool by_partition = grid.partitions > 1;
  ExchangePlan plan;
  plan.instruction = context.id;
  for (int64_t device = 0; device < (by_partition ? grid.partitions : grid.replicas); ++device) {
    plan.sources.push_back(by_partition ? grid.DeviceOf(context.runtime.replica_id(), device)
                                        : grid.DeviceOf(device, context.runtime.partition_id()));
  }
  plan.readers = static_cast<int64_t>(plan.sources.size());
  Contributions shards = {{context.operands[0]}};
  if (plan.readers > 1) {
    DeviceLink* const link = context.runtime.link();
    if (link == nullptr) return NotCut(context, "takes devices that cannot meet in a run on one device");
    absl::StatusOr<Contributions> posted = link->Exchange(plan, {context.operands[0]});
    if (!posted.ok()) return posted.status();
    shards = *std::move(posted);
  }
  absl::StatusOr<Tensor> full = Tensor::Zeros(context.tensor(0).element_type(), context.shape().dimensions());
  if (!full.ok()) return full.status();
  std::vector<const ShardPlace*> written;
  for (const ShardPlace& place : *places) {
    Tensor shard = shards[static_cast<size_t>(place.device)][0].tensor();
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
  return Value(*std::move(full));
}

}  // namespace

void RegisterShardingCalls(CustomCallRegistry& registry) {
  registry.Register("SPMDFullToShardShape", FullToShard);
  registry.Register("SPMDShardToFullShape", ShardToFull);
  for (absl::string_view target :
       {"xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape", "GlobalToLocalShape", "LocalToGlobalShape"}) {
    registry.Register(target, PassIfShapeStays);
  }
}

}  // namespace hloscope
