// The sorting algorithm of spec/ops-b-tensor.md 7.1, whose result is defined for every comparator.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_MERGE_SORT_H_
#define HLOSCOPE_EVALUATOR_KERNELS_MERGE_SORT_H_

#include <algorithm>
#include <cstdint>

namespace hloscope {

// Lines shorter than this are sorted by binary insertion, others are halved.
inline constexpr int64_t kInsertionSortLimit = 9;

// Sorts `values[0, count)`; `scratch` has room for as many. `before(a, b)` says that a goes before b.
template <typename T, typename Before>
void MergeSort(T* values, T* scratch, int64_t count, const Before& before) {
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
    return;
  }
  const int64_t middle = count / 2;
  MergeSort(values, scratch, middle, before);
  MergeSort(values + middle, scratch + middle, count - middle, before);
  // The left half moves away; the merge never overtakes the right half.
  std::copy(values, values + middle, scratch);
  const T *left = scratch, *const left_end = scratch + middle;
  const T *right = values + middle, *const right_end = values + count;
  T* out = values;
  while (left != left_end && right != right_end) {
    if (before(*right, *left)) {
      *out++ = *right++;
    } else {
      *out++ = *left++;
    }
  }
  std::copy(left, left_end, out);
}

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_MERGE_SORT_H_
