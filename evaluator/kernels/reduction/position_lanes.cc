// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/reduction/position_lanes.h"

#include <bit>
#include <concepts>

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

template <bool kGreatest, typename T, typename Position, typename At>
[[gnu::always_inline]] inline void TakeRow(const T* numbers, At at, const ExtremeLanes<T, Position>& extremes,
                                           int64_t lanes) {
  using Number = numerics::WidenedType<T>;
  Number* const best = extremes.numbers;
  Position* const where = extremes.positions;
  ExtremeMarks<Number>* const marks = extremes.marks;
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t l = 0; l < lanes; ++l) {
    const Number number = numerics::Widened(numbers[l]);
    const Position position = at(l);
    const bool better = kGreatest ? number > best[l] : number < best[l];
    const bool takes = better | ((number == best[l]) & (position < where[l]));
    best[l] = takes ? number : best[l];
    where[l] = takes ? position : where[l];
    if constexpr (std::floating_point<Number>) marks[l] |= MarksOf(number);
  }
}

template <bool kGreatest, typename T, typename Position>
[[gnu::always_inline]] inline void TakeRows(const PositionRows<T, Position>& rows,
                                            const ExtremeLanes<T, Position>& extremes) {
  const T* numbers = rows.numbers;
  const Position* positions = rows.positions;
  for (int64_t r = 0; r < rows.rows; ++r, numbers += rows.number_stride, positions += rows.position_stride) {
    if (rows.position_step == 0) {
      const Position position = *positions;
      TakeRow<kGreatest, T, Position>(
          numbers, [position](int64_t) { return position; }, extremes, rows.lanes);
    } else {
      TakeRow<kGreatest, T, Position>(
          numbers, [positions](int64_t l) { return positions[l]; }, extremes, rows.lanes);
    }
  }
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
