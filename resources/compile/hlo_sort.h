// Sorting along one dimension.
#ifndef HLO_SORT_H_
#define HLO_SORT_H_

#include <cstdint>

#include "hlo_runtime.h"

namespace hlo {

// Whether position `a` of a line goes before position `b`; `lines` has one pointer for each operand.
using Before = bool (*)(const void* const* lines, int64_t a, int64_t b);

// Sorts `outer` * `inner` lines of `length` elements, `inner` apart, of dense operands by the same order. Stable, and
// defined for every comparator.
void SortLines(int64_t outer, int64_t length, int64_t inner, int count, const int* element_bytes, Before before,
               const Array* operands, Array* results);

// The first `k` positions of each line of `length` neighbours in that order, and what stands there: `indices` as s32.
void TopK(int64_t lines, int64_t length, int64_t k, int element_bytes, Before before, const Array& operand,
          Array& values, Array& indices);

}  // namespace hlo

#endif  // HLO_SORT_H_
