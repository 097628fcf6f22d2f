// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/reduction/position_lanes.h"

#include <bit>
#include <concepts>

#include "numerics/data_movement/run_ahead.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::evaluator {
namespace {

template <typename Number>
[[gnu::always_inline]] inline ExtremeMarks<Number> MarksOf(Number number) {
  if constexpr (std::floating_point<Number>) {
    using Marks = ExtremeMarks<Number>;
    const Marks nan = number != number ? Marks{kSawNan} : Marks{0};
    const Marks zero =
        std::bit_cast<Marks>(number) == Marks{1} << (8 * sizeof(Marks) - 1) ? Marks{kSawNegativeZero} : Marks{0};
    return nan | zero;
  } else {
    return 0;
  }
}

// `kTogether` rows, while what the lanes have stays in registers. at(r, l): the position of lane l in row r.
template <bool kGreatest, int kTogether, typename T, typename Position, typename At>
[[gnu::always_inline]] inline void TakeRow(const T* numbers, int64_t stride, At at,
                                           const ExtremeLanes<T, Position>& extremes, int64_t lanes) {
  using Number = numerics::WidenedType<T>;
  Number* const best_of_lanes = extremes.numbers;
  Position* const where_of_lanes = extremes.positions;
  ExtremeMarks<Number>* const marks_of_lanes = extremes.marks;
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t l = 0; l < lanes; ++l) {
    Number best = best_of_lanes[l];
    Position where = where_of_lanes[l];
    ExtremeMarks<Number> marks = marks_of_lanes[l];
#pragma GCC unroll 4
    for (int r = 0; r < kTogether; ++r) {
      const Number number = numerics::Widened(numbers[r * stride + l]);
      const Position position = at(r, l);
      const bool better = kGreatest ? number > best : number < best;
      const bool takes = better | ((number == best) & (position < where));
      best = takes ? number : best;
      where = takes ? position : where;
      marks |= MarksOf(number);
    }
    best_of_lanes[l] = best;
    where_of_lanes[l] = where;
    if constexpr (std::floating_point<Number>) marks_of_lanes[l] = marks;
  }
}

template <bool kGreatest, int kTogether, typename T, typename Position>
[[gnu::always_inline]] inline void TakeTogether(const PositionRows<T, Position>& rows, int64_t first,
                                                const ExtremeLanes<T, Position>& extremes) {
  const T* const numbers = rows.numbers + first * rows.number_stride;
  const Position* const positions = rows.positions + first * rows.position_stride;
  const int64_t stride = rows.position_stride;
  if (rows.position_step == 0) {
    Position of_rows[kTogether];
    for (int r = 0; r < kTogether; ++r) of_rows[r] = positions[r * stride];
    const auto at = [&of_rows](int r, int64_t) { return of_rows[r]; };
    TakeRow<kGreatest, kTogether, T, Position>(numbers, rows.number_stride, at, extremes, rows.lanes);
  } else {
    const auto at = [positions, stride](int r, int64_t l) { return positions[r * stride + l]; };
    TakeRow<kGreatest, kTogether, T, Position>(numbers, rows.number_stride, at, extremes, rows.lanes);
  }
}

template <bool kGreatest, typename T, typename Position>
[[gnu::always_inline]] inline void TakeRows(const PositionRows<T, Position>& rows,
                                            const ExtremeLanes<T, Position>& extremes) {
  constexpr int kTogether = 4;
  // Rows that are one run are asked for farther ahead than those that the innermost cache has to hold beside the lanes.
  const int64_t ahead = (rows.number_stride == rows.lanes ? 16 : kTogether) * rows.number_stride;
  constexpr int64_t kLine = 64 / sizeof(T);
  int64_t r = 0;
  for (; r + kTogether <= rows.rows; r += kTogether) {
    for (int k = 0; k < kTogether; ++k) {
      const T* const row = rows.numbers + (r + k) * rows.number_stride + ahead;
      for (int64_t l = 0; l < rows.lanes; l += kLine) numerics::FetchLine(row + l);
    }
    TakeTogether<kGreatest, kTogether>(rows, r, extremes);
  }
  for (; r < rows.rows; ++r) TakeTogether<kGreatest, 1>(rows, r, extremes);
}

}  // namespace

#define HLOSCOPE_EXTREME_LANES(T, Position)                                          \
  HLOSCOPE_VECTOR_CLONES void TakeGreatest(const PositionRows<T, Position>& rows,    \
                                           const ExtremeLanes<T, Position>& lanes) { \
    TakeRows<true>(rows, lanes);                                                     \
  }                                                                                  \
  HLOSCOPE_VECTOR_CLONES void TakeLeast(const PositionRows<T, Position>& rows,       \
                                        const ExtremeLanes<T, Position>& lanes) {    \
    TakeRows<false>(rows, lanes);                                                    \
  }
HLOSCOPE_EXTREME_TYPES(HLOSCOPE_EXTREME_LANES)
#undef HLOSCOPE_EXTREME_LANES

}  // namespace hloscope::evaluator
