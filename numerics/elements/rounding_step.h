// SPDX-License-Identifier: Apache-2.0
// Steps of reducers whose results are stored in the type of the elements.
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_ROUNDING_STEP_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_ROUNDING_STEP_H_

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/numeric.h"

namespace hloscope::numerics {

// True if `Op` gives one of its two operands: there is nothing to round.
template <typename Op>
inline constexpr bool kIsChoice = std::same_as<Op, elementwise::Minimum> || std::same_as<Op, elementwise::Maximum>;

// What steps of Op on elements of type T are kept in.
template <typename T, typename Op>
using AccumulatorType = std::conditional_t<kIsChoice<Op>, T, WidenedType<T>>;

// Op of two numbers, rounded to T.
template <typename T, typename Op>
struct RoundingStep {
  WidenedType<T> operator()(WidenedType<T> a, WidenedType<T> b) const {
    if constexpr (std::same_as<T, WidenedType<T>> || kIsChoice<Op>) {
      return Op()(a, b);
    } else {
      return Widened(Narrowed<T>(Op()(a, b)));
    }
  }
};

// The element x with Op(a, x) = a for every a but signalling NaN.
template <typename T, typename Op>
T NeutralElement() {
  using Number = WidenedType<T>;
  using Limits = std::numeric_limits<Number>;
  constexpr bool kIsFloat = std::floating_point<Number>;
  Number neutral = 0;
  if constexpr (std::same_as<Op, elementwise::Add> && kIsFloat) neutral = -Number(0);
  if constexpr (std::same_as<Op, elementwise::Multiply>) neutral = 1;
  if constexpr (std::same_as<Op, elementwise::Maximum>) neutral = kIsFloat ? -Limits::infinity() : Limits::lowest();
  if constexpr (std::same_as<Op, elementwise::Minimum>) neutral = kIsFloat ? Limits::infinity() : Limits::max();
  if constexpr (std::same_as<Op, elementwise::And>) neutral = static_cast<Number>(~Number(0));
  return Narrowed<T>(neutral);
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_ROUNDING_STEP_H_
