#include "evaluator/kernels/vector_sums.h"

#include "evaluator/kernels/lane_loops.h"

namespace hloscope {
namespace {

template <typename X>
double Wide(X x) {
  return static_cast<double>(Widened(x));
}

template <typename X>
[[gnu::always_inline]] inline double Sum(const X* x, int64_t count) {
  // Enough sums side by side that an addition need not wait for the one before, in the widest vectors.
  constexpr int64_t kWays = 32;
  double ways[kWays] = {};
  int64_t i = 0;
  for (; i + kWays <= count; i += kWays) {
    for (int64_t w = 0; w < kWays; ++w) ways[w] += Wide(x[i + w]);
  }
  for (int64_t w = 0; i < count; ++i, ++w) ways[w] += Wide(x[i]);
  for (int64_t half = kWays / 2; half > 0; half /= 2) {
    for (int64_t w = 0; w < half; ++w) ways[w] += ways[w + half];
  }
  return ways[0];
}

template <typename X>
[[gnu::always_inline]] inline void AddRows(const X* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  int64_t r = 0;
  // Four rows for each time that the sums go through memory.
  for (; r + 4 <= rows; r += 4) {
    const X* const a = x + r * stride;
    const X* const b = a + stride;
    const X* const c = b + stride;
    const X* const d = c + stride;
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t l = 0; l < lanes; ++l) {
      sums[l] += (Wide(a[l]) + Wide(b[l])) + (Wide(c[l]) + Wide(d[l]));
    }
  }
  for (; r < rows; ++r) {
    const X* const a = x + r * stride;
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t l = 0; l < lanes; ++l) sums[l] += Wide(a[l]);
  }
}

}  // namespace

HLOSCOPE_VECTOR_CLONES double SumFloats(const float* x, int64_t count) { return Sum(x, count); }
HLOSCOPE_VECTOR_CLONES double SumFloats(const Bf16* x, int64_t count) { return Sum(x, count); }

HLOSCOPE_VECTOR_CLONES void AddRowsOfFloats(const float* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  AddRows(x, stride, rows, lanes, sums);
}
HLOSCOPE_VECTOR_CLONES void AddRowsOfFloats(const Bf16* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  AddRows(x, stride, rows, lanes, sums);
}

}  // namespace hloscope
