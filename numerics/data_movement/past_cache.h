// SPDX-License-Identifier: Apache-2.0
// Writing results that are larger than caches: memory that is only written need not be read first.
#ifndef HLOSCOPE_NUMERICS_DATA_MOVEMENT_PAST_CACHE_H_
#define HLOSCOPE_NUMERICS_DATA_MOVEMENT_PAST_CACHE_H_

#include <cstdint>

namespace hloscope::numerics {

// An array of at least this size is written past the caches: who reads it next finds little of it there either way.
constexpr int64_t kPastCacheBytes = int64_t{32} << 20;

// Copies `bytes` bytes. Only after FinishPastCache by the same thread may other threads read them.
void CopyPastCache(const uint8_t* from, uint8_t* to, int64_t bytes);
void FinishPastCache();

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_DATA_MOVEMENT_PAST_CACHE_H_
