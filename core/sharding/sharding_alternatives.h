// SPDX-License-Identifier: Apache-2.0
// What another sharding of a parameter would change in what a module sends (docs/communication.md).
#ifndef HLOSCOPE_CORE_SHARDING_SHARDING_ALTERNATIVES_H_
#define HLOSCOPE_CORE_SHARDING_SHARDING_ALTERNATIVES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "core/communication/topology.h"
#include "core/ir/module.h"
#include "core/sharding/shard.h"

namespace hloscope {

struct ShardedCost {
  double seconds = 0, sent_bytes = 0;  // as CommunicationCost
  int64_t parameter_bytes = 0;         // that each device holds
};

struct ShardingAlternative {
  int64_t parameter = 0;
  Sharding sharding;
  ShardedCost cost;
};

struct ShardingAlternatives {
  ShardedCost now;
  int64_t devices = 0, tried = 0;
  bool all_tried = true;                    // false: there were more than are tried
  std::vector<ShardingAlternative> better;  // that take less time, the shortest first; then by bytes
};

// More modules are not cut for one answer.
inline constexpr int64_t kMostAlternatives = 256;

// Cuts the module as it is, then with one array parameter at a time whole on every device, and cut over all devices
// along each of its dimensions. Tries nothing where nothing is sent. Errors: those of ShardModule for the module as it
// is.
absl::StatusOr<ShardingAlternatives> FindShardingAlternatives(const Module& module, const ShardOptions& options,
                                                              const Topology& topology,
                                                              int64_t most = kMostAlternatives);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SHARDING_SHARDING_ALTERNATIVES_H_
