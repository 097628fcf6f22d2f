// SPDX-License-Identifier: Apache-2.0
// A place in one block of memory for each of many arrays, so that arrays that are alive at once do not overlap.
#ifndef HLOSCOPE_INSIGHT_MEMORY_PACKING_H_
#define HLOSCOPE_INSIGHT_MEMORY_PACKING_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace hloscope::insight {

struct PackedItem {
  int64_t bytes = 0;
  uint32_t begin = 0, end = 0;  // steps, both included
  int64_t offset = 0;           // out
};

inline constexpr int64_t kPackingAlignment = 64;

// Large items first, each at the lowest offset that is free during its life. Where very many live at once, the rest of
// them are above these, each in the smallest place that is free when its life begins. Returns the size of the block,
// saturating.
int64_t PackItems(absl::Span<PackedItem> items);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_MEMORY_PACKING_H_
