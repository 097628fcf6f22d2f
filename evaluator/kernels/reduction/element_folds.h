// SPDX-License-Identifier: Apache-2.0
// Folding neighbouring integers and f64, compiled for several instruction sets.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_ELEMENT_FOLDS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_ELEMENT_FOLDS_H_

#include <cstdint>

#include "numerics/elements/elementwise_functions.h"

namespace hloscope::evaluator {

// Elements that are folded side by side, and the least number of them.
template <typename T>
inline constexpr int64_t kElementsTogether = 256 / static_cast<int64_t>(sizeof(T));

// Applies to each type and reducer that there is a loop for: those whose order does not show.
#define HLOSCOPE_FOLDED_INTEGERS(Apply, T)                                             \
  Apply(T, numerics::elementwise::Add) Apply(T, numerics::elementwise::Maximum) Apply( \
      T, numerics::elementwise::Minimum) Apply(T, numerics::elementwise::And) Apply(T, numerics::elementwise::Or)
#define HLOSCOPE_FOLDED_ELEMENTS(Apply)    \
  HLOSCOPE_FOLDED_INTEGERS(Apply, int8_t)  \
  HLOSCOPE_FOLDED_INTEGERS(Apply, uint8_t) \
  HLOSCOPE_FOLDED_INTEGERS(Apply, int32_t) \
  HLOSCOPE_FOLDED_INTEGERS(Apply, int64_t) \
  Apply(double, numerics::elementwise::Maximum) Apply(double, numerics::elementwise::Minimum)

// op(... op(x[0], x[1]) ..., x[count - 1]), in an order of its own. Requires count >= kElementsTogether<T>.
#define HLOSCOPE_DECLARE_FOLD(T, Op) T FoldElements(Op op, const T* x, int64_t count);
HLOSCOPE_FOLDED_ELEMENTS(HLOSCOPE_DECLARE_FOLD)
#undef HLOSCOPE_DECLARE_FOLD

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_ELEMENT_FOLDS_H_
