// SPDX-License-Identifier: Apache-2.0
// select-and-scatter by comparisons and known reducers (docs/ops/tensor.md 2.3): all windows of a row side by side.
#ifndef HLOSCOPE_NUMERICS_POOLING_WINDOW_SELECTION_H_
#define HLOSCOPE_NUMERICS_POOLING_WINDOW_SELECTION_H_

#include <concepts>
#include <cstdint>
#include <span>

#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/numeric.h"
#include "numerics/elements/rounding_step.h"
#include "numerics/parallel/executor.h"
#include "numerics/windows/window_dimension.h"

namespace hloscope::numerics {

// A select-and-scatter of elements of one type. Sizes have an entry for each dimension, steps are in elements.
struct WindowSelection {
  std::span<const WindowDimension> window;
  std::span<const int64_t> sizes;          // of the operand and the result, which are dense
  std::span<const int64_t> window_counts;  // of the source, which is dense; all positive
  const uint8_t *operand, *source, *init;  // init: one element
  uint8_t* result;
};

// What lanes choose from at one window offset: element x[l] in lane l of [first, end).
template <typename T>
struct SelectionRow {
  const T* x;  // has elements for all lanes, up to a multiple of kSelectionLanes of them; the others are not used
  int64_t first, end;
};
constexpr int64_t kSelectionLanes = 16;

// The loops that depend on the comparison, the reducer and the type.
struct SelectionLoops {
  int64_t stored_bytes;
  // chosen[l]: the number of the last row, of those that lane l is in, whose element was chosen: the first one, and
  // each for which the comparison of the element that was chosen before with it is false. -1 in lanes of no row. There
  // is memory up to a multiple of kSelectionLanes.
  void (*select)(const SelectionRow<uint8_t>* rows, int64_t row_count, int64_t lanes, int32_t* chosen);
  // result[origins[chosen[l]] + l * step] = op(itself, source[l * source_step]), lane by lane, in lanes with a choice
  // among `row_count` rows. `are_apart`: no two lanes meet in an element.
  void (*scatter)(const int32_t* chosen, const SelectionRow<uint8_t>* rows, const int64_t* origins, int64_t row_count,
                  bool are_apart, int64_t step, int64_t lanes, const uint8_t* source, int64_t source_step,
                  uint8_t* result);
};

// True if SelectAndScatter does it in the order of the definition; it does not do windows over a dilated operand, or
// very large ones.
bool SuitsRows(const WindowSelection& selection);
// Requires SuitsRows. Errors: kCancelled.
Outcome SelectAndScatter(const WindowSelection& selection, const SelectionLoops& loops, Executor& executor);

// SelectionLoops::select of the most frequent types, compiled for several instruction sets.
void SelectLanes(elementwise::GreaterOrEqual, const SelectionRow<float>* rows, int64_t row_count, int64_t lanes,
                 int32_t* chosen);
void SelectLanes(elementwise::LessOrEqual, const SelectionRow<float>* rows, int64_t row_count, int64_t lanes,
                 int32_t* chosen);
void SelectLanes(elementwise::GreaterOrEqual, const SelectionRow<Bf16>* rows, int64_t row_count, int64_t lanes,
                 int32_t* chosen);
void SelectLanes(elementwise::LessOrEqual, const SelectionRow<Bf16>* rows, int64_t row_count, int64_t lanes,
                 int32_t* chosen);

// SelectionLoops::scatter of sums of f32, for lanes that are apart and steps of 1; false, and nothing done, where lane
// by lane takes less time.
bool ScatterLanes(elementwise::Add, const int32_t* chosen, const SelectionRow<float>* rows, const int64_t* origins,
                  int64_t row_count, int64_t lanes, const float* source, float* result);

// The incumbent stays if Compare(incumbent, candidate) is true.
template <typename T, typename Compare>
void SetComparison(SelectionLoops& loops) {
  loops.stored_bytes = sizeof(T);
  loops.select = [](const SelectionRow<uint8_t>* from, int64_t row_count, int64_t lanes, int32_t* chosen) {
    const auto* const rows = reinterpret_cast<const SelectionRow<T>*>(from);
    if constexpr (requires { SelectLanes(Compare(), rows, row_count, lanes, chosen); }) {
      SelectLanes(Compare(), rows, row_count, lanes, chosen);
    } else {
      for (int64_t l = 0; l < lanes; ++l) {
        WidenedType<T> best = {};
        chosen[l] = -1;
        for (int64_t r = 0; r < row_count; ++r) {
          if (l < rows[r].first || l >= rows[r].end) continue;
          const WidenedType<T> candidate = Widened(rows[r].x[l]);
          if (chosen[l] >= 0 && Compare()(best, candidate)) continue;
          best = candidate;
          chosen[l] = static_cast<int32_t>(r);
        }
      }
    }
  };
}
template <typename T, typename Op>
void SetReducer(SelectionLoops& loops) {
  loops.scatter = [](const int32_t* chosen, [[maybe_unused]] const SelectionRow<uint8_t>* rows, const int64_t* origins,
                     [[maybe_unused]] int64_t row_count, [[maybe_unused]] bool are_apart, int64_t step, int64_t lanes,
                     const uint8_t* source, int64_t source_step, uint8_t* result) {
    const T* const from = reinterpret_cast<const T*>(source);
    T* const to = reinterpret_cast<T*>(result);
    [[maybe_unused]] const auto* const own_rows = reinterpret_cast<const SelectionRow<T>*>(rows);
    if constexpr (requires { ScatterLanes(Op(), chosen, own_rows, origins, row_count, lanes, from, to); }) {
      if (are_apart && step == 1 && source_step == 1 &&
          ScatterLanes(Op(), chosen, own_rows, origins, row_count, lanes, from, to)) {
        return;
      }
    }
    const RoundingStep<T, Op> op;
    for (int64_t l = 0; l < lanes; ++l) {
      if (chosen[l] < 0) continue;
      T& element = to[origins[chosen[l]] + l * step];
      element = Narrowed<T>(op(Widened(element), Widened(from[l * source_step])));
    }
  };
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_POOLING_WINDOW_SELECTION_H_
