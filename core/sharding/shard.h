// SPDX-License-Identifier: Apache-2.0
// A module for one device made into one for several, each of which computes tiles (docs/communication.md).
#ifndef HLOSCOPE_CORE_SHARDING_SHARD_H_
#define HLOSCOPE_CORE_SHARDING_SHARD_H_

#include <cstdint>
#include <map>

#include "absl/status/statusor.h"
#include "core/ir/module.h"

namespace hloscope {

struct ShardOptions {
  int64_t partitions = 0;                  // 0: as the header says, else as the shardings need
  std::map<int64_t, Sharding> parameters;  // by number, in place of what the module says; of arrays
};

// Takes the shardings of parameters, of the root and of instructions between (also custom calls to `Sharding`) as they
// are written; others follow from operands: elementwise operations, broadcast, transpose, reshape, reduce, dot, the
// batch of a convolution, and dimensions that slices, pads, concatenations, sorts and updates do not touch stay cut.
// For every other operation arrays are gathered, and each device computes all of it. Called computations stay as they
// are.
//
// The module must be without errors. Errors InvalidArgument: what cannot be partitioned, by the name of the
// instruction.
absl::StatusOr<Module> ShardModule(const Module& module, const ShardOptions& options);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SHARDING_SHARD_H_
