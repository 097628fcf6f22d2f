// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/reduction/element_folds.h"

#include "numerics/parallel/vector_loops.h"

namespace hloscope::evaluator {
namespace {

template <typename T, typename Op>
[[gnu::always_inline]] inline T FoldTogether(Op op, const T* x, int64_t count) {
  constexpr int64_t kWays = kElementsTogether<T>;
  T ways[kWays];
  for (int64_t w = 0; w < kWays; ++w) ways[w] = x[w];
  int64_t i = kWays;
  for (; i + kWays <= count; i += kWays) {
    for (int64_t w = 0; w < kWays; ++w) ways[w] = op(ways[w], x[i + w]);
  }
  for (int64_t half = kWays / 2; half > 0; half /= 2) {
    for (int64_t w = 0; w < half; ++w) ways[w] = op(ways[w], ways[w + half]);
  }
  for (; i < count; ++i) ways[0] = op(ways[0], x[i]);
  return ways[0];
}

}  // namespace

#define HLOSCOPE_DEFINE_FOLD(T, Op) \
  HLOSCOPE_VECTOR_CLONES T FoldElements(Op op, const T* x, int64_t count) { return FoldTogether(op, x, count); }
HLOSCOPE_FOLDED_ELEMENTS(HLOSCOPE_DEFINE_FOLD)
#undef HLOSCOPE_DEFINE_FOLD

}  // namespace hloscope::evaluator
