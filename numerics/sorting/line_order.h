// SPDX-License-Identifier: Apache-2.0
// The order of single lines of elements: by value, by digits or by comparing, whichever is faster.
#ifndef HLOSCOPE_NUMERICS_SORTING_LINE_ORDER_H_
#define HLOSCOPE_NUMERICS_SORTING_LINE_ORDER_H_

#include <cstdint>

#include "numerics/elements/element_type.h"
#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// `a < b`, or `a > b` if descending, of elements of a real type. Of floats by value, where a NaN is before nothing and
// nothing before it, or by the total order (docs/ops/elementwise.md 6.3).
struct StrictOrder {
  ElementType type = ElementType::kInvalid;
  bool descending = false;
  bool total_order = false;
  // Of f16, bf16, f32 and f64 in the total order: all NaNs are equal and after everything else, and so are both zeros.
  bool canonical = false;
};

// order[j] = the position in `line`, `length` elements side by side, of the element that the algorithm of
// docs/ops/tensor.md 7.1 puts at place j. Errors: kCancelled.
Outcome OrderLine(const StrictOrder& by, const uint8_t* line, int64_t length, int64_t* order, Executor& executor);

// Copies elements of one of the types of StrictOrder::canonical, with one NaN and +0 in the place of the others; sets
// *has_others where that changed any. Errors: kCancelled.
Outcome CopyCanonical(ElementType type, const uint8_t* line, int64_t length, uint8_t* to, bool* has_others,
                      Executor& executor);

// to[j] = from[order[j]], elements of 1, 2, 4, 8 or 16 bytes. Errors: kCancelled.
Outcome PermuteLine(int64_t element_bytes, const uint8_t* from, uint8_t* to, int64_t length, const int64_t* order,
                    Executor& executor);

// keys[i] orders like element i of `data`: by value for pred and integers, by the total order for floats.
void OrderKeys(ElementType type, const uint8_t* data, int64_t count, int64_t* keys);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_SORTING_LINE_ORDER_H_
