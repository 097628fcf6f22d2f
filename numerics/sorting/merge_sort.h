// SPDX-License-Identifier: Apache-2.0
// The sorting algorithm of docs/ops/tensor.md 7.1, whose result is defined for every comparator.
#ifndef HLOSCOPE_NUMERICS_SORTING_MERGE_SORT_H_
#define HLOSCOPE_NUMERICS_SORTING_MERGE_SORT_H_

#include <algorithm>
#include <cstdint>

#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {

// Lines shorter than this are sorted by binary insertion, others are halved.
inline constexpr int64_t kInsertionSortLimit = 9;

// Elements that are merged between two looks at the cancellation flag.
inline constexpr int64_t kMergePollInterval = int64_t{1} << 18;
inline constexpr double kMergeNanoseconds = 5;  // of one element

// Sorts `values[0, count)`; `scratch` has room for as many. `before(a, b)` says that a goes before b. False if the run
// was cancelled: then `values` are in no order, and some of them may be lost.
template <typename T, typename Before>
bool MergeSort(T* values, T* scratch, int64_t count, const Before& before, CancellationPoll& poll) {
  if (count < kInsertionSortLimit) {
    for (int64_t q = 1; q < count; ++q) {
      const T element = values[q];
      int64_t low = 0, length = q;
      while (length > 0) {
        const int64_t half = length / 2;
        if (before(element, values[low + half])) {
          length = half;
        } else {
          low += half + 1;
          length -= half + 1;
        }
      }
      std::move_backward(values + low, values + q, values + q + 1);
      values[low] = element;
    }
    return true;
  }
  const int64_t middle = count / 2;
  if (!MergeSort(values, scratch, middle, before, poll) ||
      !MergeSort(values + middle, scratch + middle, count - middle, before, poll)) {
    return false;
  }
  // The left half moves away; the merge never overtakes the right half.
  std::copy(values, values + middle, scratch);
  const T *left = scratch, *const left_end = scratch + middle;
  const T *right = values + middle, *const right_end = values + count;
  T* out = values;
  while (left != left_end && right != right_end) {
    const T* const pause = out + std::min<int64_t>(kMergePollInterval, values + count - out);
    const T* const begin = out;
    while (left != left_end && right != right_end && out != pause) {
      if (before(*right, *left)) {
        *out++ = *right++;
      } else {
        *out++ = *left++;
      }
    }
    if (poll.Cancelled(kMergeNanoseconds * static_cast<double>(out - begin))) return false;
  }
  std::copy(left, left_end, out);
  return true;
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_SORTING_MERGE_SORT_H_
