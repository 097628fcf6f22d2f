// SPDX-License-Identifier: Apache-2.0
// What sorting keys in place is made of, on vectors of sixteen keys.
#ifndef HLOSCOPE_NUMERICS_SORTING_VECTOR_SORT_H_
#define HLOSCOPE_NUMERICS_SORTING_VECTOR_SORT_H_

#include <cstdint>

#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {

// False if this processor, or the build, has no such vectors. Nothing else here may be called then.
bool HasVectorSort();

inline constexpr int64_t kFewKeys = 256;

// Sorts up to kFewKeys keys.
void SortFewKeys(int32_t* keys, int64_t count);

// Moves the keys that are at most `pivot` before the others and returns how many they are; -1 if the run was cancelled,
// and then keys may be lost.
int64_t PartitionKeys(int32_t* keys, int64_t count, int32_t pivot, CancellationPoll& poll);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_SORTING_VECTOR_SORT_H_
