// SPDX-License-Identifier: Apache-2.0
// The innermost loop of argmax and argmin, compiled for several instruction sets.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_POSITION_LANES_H_
#define HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_POSITION_LANES_H_

#include <cstdint>
#include <type_traits>

#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {

// What came by in a lane: its result may not be the extreme number alone.
enum ExtremeMark : uint32_t { kSawNan = 1, kSawNegativeZero = 2 };

// As wide as the numbers, so that a loop over both is one of whole vectors.
template <typename Number>
using ExtremeMarks = std::conditional_t<sizeof(Number) == 8, uint64_t, uint32_t>;

// The greatest or the least number so far of each lane, its position, and the marks of all numbers.
template <typename T, typename Position>
struct ExtremeLanes {
  numerics::WidenedType<T>* numbers;
  Position* positions;
  ExtremeMarks<numerics::WidenedType<T>>* marks;
};

// Rows of numbers and of their positions; strides are in elements. `position_step` is 0 where a row has one position.
template <typename T, typename Position>
struct PositionRows {
  const T* numbers;
  int64_t number_stride;
  const Position* positions;
  int64_t position_stride, position_step;
  int64_t rows, lanes;
};

// Every lane takes in its number of each row. Of equal numbers it keeps the lower position.
#define HLOSCOPE_EXTREME_LANES(T, Position)                                                         \
  void TakeGreatest(const PositionRows<T, Position>& rows, const ExtremeLanes<T, Position>& lanes); \
  void TakeLeast(const PositionRows<T, Position>& rows, const ExtremeLanes<T, Position>& lanes);
#define HLOSCOPE_EXTREME_TYPES(Apply)                                                             \
  Apply(float, int32_t) Apply(float, int64_t) Apply(double, int32_t) Apply(double, int64_t)       \
      Apply(numerics::Bf16, int32_t) Apply(numerics::Bf16, int64_t) Apply(numerics::F16, int32_t) \
          Apply(numerics::F16, int64_t) Apply(int32_t, int32_t) Apply(int32_t, int64_t)
HLOSCOPE_EXTREME_TYPES(HLOSCOPE_EXTREME_LANES)
#undef HLOSCOPE_EXTREME_LANES

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_POSITION_LANES_H_
