// SPDX-License-Identifier: Apache-2.0
// A module that is partitioned over several devices made into one that computes the same on one
// (docs/communication.md).
#ifndef HLOSCOPE_CORE_SHARDING_UNSHARD_H_
#define HLOSCOPE_CORE_SHARDING_UNSHARD_H_

#include "absl/status/statusor.h"
#include "core/ir/module.h"

namespace hloscope {

// Parameters with a tiled sharding are tiles of one array; values of equal tiles are followed through the operations
// that ShardModule keeps cut, all-gather, all-reduce and reduce-scatter, and slices that take a device's own tile.
// Arrays that every device has, used beside tiles, become as many copies in a row. Results that are tiles become the
// whole array.
//
// The module must be without errors. Errors InvalidArgument: where values are no tiles of one array, or operations mix
// them, by the name of the instruction.
absl::StatusOr<Module> UnshardModule(const Module& module);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SHARDING_UNSHARD_H_
