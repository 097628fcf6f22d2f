// SPDX-License-Identifier: Apache-2.0
// Windows over arrays: the evaluator's loops (numerics/pooling).
#ifndef HLO_POOLING_H_
#define HLO_POOLING_H_

#include <cstdint>

#include "hlo_runtime.h"
#include "numerics/pooling/window_folds.h"
#include "numerics/pooling/window_selection.h"

namespace hlo {

// Entries for each dimension of a dense array, and of the array of its windows.
struct Windows {
  int64_t rank;
  const numerics::WindowDimension* window;
  const int64_t *sizes, *counts;
};

void FoldWindows(const Windows& windows, const numerics::WindowLoops& loops, const void* base, const void* init,
                 void* result);
void SelectAndScatter(const Windows& windows, const numerics::SelectionLoops& loops, const void* operand,
                      const void* source, const void* init, void* result);

// The result is dense.
template <typename T, typename Op>
void FoldWindows(const Windows& windows, const void* base, const void* init, void* result) {
  FoldWindows(windows, numerics::WindowLoopsOf<T, Op>(), base, init, result);
}

// The source is dense, and so is the result.
template <typename T, typename Op, typename Compare>
void SelectAndScatter(const Windows& windows, const void* operand, const void* source, const void* init, void* result) {
  numerics::SelectionLoops loops = {};
  numerics::SetReducer<T, Op>(loops);
  numerics::SetComparison<T, Compare>(loops);
  SelectAndScatter(windows, loops, operand, source, init, result);
}

}  // namespace hlo

#endif  // HLO_POOLING_H_
