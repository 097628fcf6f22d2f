// SPDX-License-Identifier: Apache-2.0
// reduce-window by known reducers (docs/ops/tensor.md 3.2): all windows of a row side by side.
#ifndef HLOSCOPE_NUMERICS_POOLING_WINDOW_FOLDS_H_
#define HLOSCOPE_NUMERICS_POOLING_WINDOW_FOLDS_H_

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "numerics/elements/numeric.h"
#include "numerics/elements/rounding_step.h"
#include "numerics/parallel/executor.h"
#include "numerics/parallel/vector_loops.h"
#include "numerics/pooling/extremes_across.h"
#include "numerics/reduction/vector_folds.h"
#include "numerics/windows/window_walk.h"

namespace hloscope::numerics {

// The loops that depend on the reducer and its type; all around them is compiled once. Elements are stored in one type
// and folded in another one (AccumulatorType); steps are in elements.
struct WindowLoops {
  int64_t stored_bytes, number_bytes;
  std::array<uint8_t, 8> neutral;  // a stored element that changes nothing
  // numbers: results[l] = op(... op(starts[l], rows[0][l]) ..., rows[row_count - 1][l]); FoldRowsOf says more.
  void (*fold_rows)(const uint8_t* const* rows, int64_t row_count, int64_t lanes, const uint8_t* starts,
                    uint8_t* results, int64_t ahead, const RowRepeats& repeats);
  // `count` lines of `length` steps: to[step] = op(to[step - 1], from[step]), starting with `init`.
  void (*fold_lines)(const uint8_t* from, int64_t from_stride, int64_t from_step, uint8_t* to, int64_t to_stride,
                     int64_t to_step, int64_t count, int64_t length, const uint8_t* init);
  void (*widen)(const uint8_t* element, uint8_t* numbers, int64_t count);  // the same number `count` times
  void (*narrow)(const uint8_t* numbers, uint8_t* to, int64_t to_step, int64_t count);
  ExtremesAcross::Fold fold_across;  // null if there is none
};

struct WindowArrays {
  const uint8_t* base;
  const uint8_t* init;  // one element
  uint8_t* result;      // of the window counts
  std::span<const int64_t> result_strides;
};

// Each window folded onto `init`, in the order of its elements; padding and holes are left out. Errors: kCancelled.
Outcome FoldWindows(const WindowWalk& walk, const WindowArrays& arrays, const WindowLoops& loops, Executor& executor);

// Lines whose neighbours are not neighbours in memory: each is walked on its own, some of them in turns, so that a step
// need not wait for the one before.
template <typename T, typename Op>
void FoldLines(const T* from, int64_t from_stride, int64_t from_step, T* to, int64_t to_stride, int64_t to_step,
               int64_t count, int64_t length, T init) {
  constexpr int64_t kWays = 4;
  using Number = WidenedType<T>;
  const RoundingStep<T, Op> op;
  int64_t line = 0;
  for (; line + kWays <= count; line += kWays) {
    std::array<Number, kWays> sums;
    sums.fill(Widened(init));
    const T* const x = from + line * from_stride;
    T* const out = to + line * to_stride;
    for (int64_t step = 0; step < length; ++step) {
      for (int64_t w = 0; w < kWays; ++w) {
        Number& sum = sums[static_cast<size_t>(w)];
        sum = op(sum, Widened(x[w * from_stride + step * from_step]));
        out[w * to_stride + step * to_step] = Narrowed<T>(sum);
      }
    }
  }
  for (; line < count; ++line) {
    Number sum = Widened(init);
    for (int64_t step = 0; step < length; ++step) {
      sum = op(sum, Widened(from[line * from_stride + step * from_step]));
      to[line * to_stride + step * to_step] = Narrowed<T>(sum);
    }
  }
}

template <typename T, typename Op>
WindowLoops WindowLoopsOf() {
  using Number = AccumulatorType<T, Op>;
  WindowLoops loops = {};
  loops.stored_bytes = sizeof(T);
  loops.number_bytes = sizeof(Number);
  const T neutral = NeutralElement<T, Op>();
  std::memcpy(loops.neutral.data(), &neutral, sizeof(T));
  loops.fold_rows = [](const uint8_t* const* rows, int64_t row_count, int64_t lanes, const uint8_t* starts,
                       uint8_t* results, int64_t ahead, const RowRepeats& repeats) {
    const Number* const first = reinterpret_cast<const Number*>(starts);
    Number* numbers = reinterpret_cast<Number*>(results);
    const T* const* const from = reinterpret_cast<const T* const*>(rows);
    if constexpr (requires { RowFold(Op(), *from); }) {
      RowFold(Op(), *from)(from, row_count, lanes, first, numbers, ahead, repeats);
    } else {
      const RoundingStep<T, Op> op;
      for (int64_t n = 0; n < repeats.count; ++n, numbers += repeats.to_step) {
        for (int64_t r = 0; r < row_count; ++r) {
          const T* const row = from[r] + n * repeats.from_step;
          const Number* const before = r == 0 ? first : numbers;
          HLOSCOPE_INDEPENDENT_LANES
          for (int64_t l = 0; l < lanes; ++l) numbers[l] = Narrowed<Number>(op(Widened(before[l]), Widened(row[l])));
        }
      }
    }
  };
  loops.fold_lines = [](const uint8_t* from, int64_t from_stride, int64_t from_step, uint8_t* to, int64_t to_stride,
                        int64_t to_step, int64_t count, int64_t length, const uint8_t* init) {
    FoldLines<T, Op>(reinterpret_cast<const T*>(from), from_stride, from_step, reinterpret_cast<T*>(to), to_stride,
                     to_step, count, length, *reinterpret_cast<const T*>(init));
  };
  loops.widen = [](const uint8_t* element, uint8_t* numbers, int64_t count) {
    std::fill_n(reinterpret_cast<Number*>(numbers), count,
                Narrowed<Number>(Widened(*reinterpret_cast<const T*>(element))));
  };
  loops.narrow = [](const uint8_t* numbers, uint8_t* to, int64_t to_step, int64_t count) {
    const Number* const from = reinterpret_cast<const Number*>(numbers);
    T* const out = reinterpret_cast<T*>(to);
    if constexpr (std::is_same_v<T, Bf16> && std::is_same_v<Number, float>) {
      if (to_step == 1) return NarrowRow(from, out, count);
    }
    if (to_step == 1) {
      for (int64_t l = 0; l < count; ++l) out[l] = Narrowed<T>(Widened(from[l]));
    } else {
      for (int64_t l = 0; l < count; ++l) out[l * to_step] = Narrowed<T>(Widened(from[l]));
    }
  };
  if constexpr (requires(const T* x) { FoldAcross(Op(), x); }) {
    loops.fold_across = [](const uint8_t* const* rows, int64_t row_count, int64_t count, uint8_t* to) {
      return FoldAcross(Op(), static_cast<const T*>(nullptr))(reinterpret_cast<const T* const*>(rows), row_count, count,
                                                              reinterpret_cast<T*>(to));
    };
  }
  return loops;
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_POOLING_WINDOW_FOLDS_H_
