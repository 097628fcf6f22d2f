// SPDX-License-Identifier: Apache-2.0
#include "core/sharding/sharding_alternatives.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/analysis/cost.h"
#include "core/analysis/module_index.h"
#include "core/communication/communication_cost.h"

namespace hloscope {
namespace {

ShardedCost CostOf(const Module& sharded, const Topology& topology) {
  const ModuleIndex index(sharded);
  const CostAnalysis analysis(sharded, *index.calls);
  const CommunicationCost cost =
      MeasureCommunication(sharded, *index.users, analysis, {1, sharded.header().num_partitions}, topology);
  ShardedCost result{cost.seconds, cost.sent_bytes, 0};
  for (InstructionId parameter : sharded.computation(sharded.entry()).parameters) {
    result.parameter_bytes += sharded.shape(parameter).ByteSize();
  }
  return result;
}

// Whole on every device, then over all devices along each dimension that has so many elements.
std::vector<Sharding> Candidates(const Shape& shape, int64_t devices) {
  std::vector<Sharding> candidates(1);
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (shape.dimension(d) < devices || shape.IsDynamicDimension(d)) continue;
    Sharding sharding;
    sharding.kind = Sharding::Kind::kTiled;
    sharding.tile_dimensions.assign(static_cast<size_t>(shape.rank()), 1);
    sharding.tile_dimensions[static_cast<size_t>(d)] = devices;
    sharding.devices.resize(static_cast<size_t>(devices));
    std::iota(sharding.devices.begin(), sharding.devices.end(), 0);
    candidates.push_back(std::move(sharding));
  }
  return candidates;
}

}  // namespace

absl::StatusOr<ShardingAlternatives> FindShardingAlternatives(const Module& module, const ShardOptions& options,
                                                              const Topology& topology, int64_t most) {
  const absl::StatusOr<Module> now = ShardModule(module, options);
  if (!now.ok()) return now.status();
  ShardingAlternatives result;
  result.now = CostOf(*now, topology);
  result.devices = now->header().num_partitions;
  if (result.now.seconds <= 0) return result;  // nothing takes less
  ShardOptions other = options;
  other.partitions = result.devices;
  const std::vector<InstructionId>& parameters = module.computation(module.entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const Shape& shape = module.shape(parameters[k]);
    if (!shape.IsArray() || shape.rank() == 0) continue;
    const auto number = static_cast<int64_t>(k);
    for (Sharding& candidate : Candidates(shape, result.devices)) {
      if (result.tried == most) {
        result.all_tried = false;
        break;
      }
      ++result.tried;
      other.parameters[number] = candidate;
      const absl::StatusOr<Module> sharded = ShardModule(module, other);
      if (!sharded.ok()) continue;
      const ShardedCost cost = CostOf(*sharded, topology);
      if (cost.seconds < result.now.seconds) result.better.push_back({number, std::move(candidate), cost});
    }
    other.parameters = options.parameters;
  }
  std::stable_sort(result.better.begin(), result.better.end(), [](const auto& a, const auto& b) {
    return std::pair(a.cost.seconds, a.cost.parameter_bytes) < std::pair(b.cost.seconds, b.cost.parameter_bytes);
  });
  return result;
}

}  // namespace hloscope
