// SPDX-License-Identifier: Apache-2.0
// Sorting lines by keys of up to 32 bits, without comparisons.
#ifndef HLOSCOPE_NUMERICS_SORTING_RADIX_ORDER_H_
#define HLOSCOPE_NUMERICS_SORTING_RADIX_ORDER_H_

#include <cstdint>
#include <memory>

#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// Lines of fewer elements are sorted faster by comparing.
inline constexpr int64_t kMinRadixLength = 256;

// Room for lines of up to `length` elements. It is touched for the first time where a sort can be cancelled.
struct RadixScratch {
  explicit RadixScratch(int64_t length)
      : keys(new uint32_t[static_cast<size_t>(length)]),
        pairs(new uint64_t[static_cast<size_t>(length)]),
        other(new uint64_t[static_cast<size_t>(length)]) {}
  std::unique_ptr<uint32_t[]> keys;
  std::unique_ptr<uint64_t[]> pairs, other;
};

// The stable ascending order of the first `count` of scratch.keys: position of the j-th smallest key in order[j].
// `bits` of the keys count (8, 16, 32). Requires count < 2^32. Errors: kCancelled.
Outcome RadixOrder(RadixScratch& scratch, int64_t count, int bits, int64_t* order, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_SORTING_RADIX_ORDER_H_
