// SPDX-License-Identifier: Apache-2.0
// Sorting along one dimension.
#ifndef HLO_SORT_H_
#define HLO_SORT_H_

#include <cstdint>

#include "hlo_runtime.h"
#include "numerics/sorting/line_order.h"

namespace hlo {

using numerics::StrictOrder;

// Whether position `a` of a line goes before position `b`; `lines` has one pointer for each operand.
using Before = bool (*)(const void* const* lines, int64_t a, int64_t b);

// `outer` * `inner` lines of `length` elements, `inner` apart, of dense operands that are sorted together.
struct SortedArrays {
  int64_t outer, length, inner;
  int count;  // of operands
  const int* element_bytes;
  const Array* operands;
  Array* results;
};
// Sorts by any comparator: stable, and defined for every one.
void SortLines(const SortedArrays& arrays, Before before);
// Sorts by the elements of operand number `key`, as the comparator `a < b` or `a > b` does.
void SortLinesByKey(const SortedArrays& arrays, int key, const StrictOrder& order);

// The first `k` positions of each line of `length` neighbours in a total order, and what is there: `indices` as s32.
void TopK(int64_t lines, int64_t length, int64_t k, const StrictOrder& order, const Array& operand, Array& values,
          Array& indices);

}  // namespace hlo

#endif  // HLO_SORT_H_
