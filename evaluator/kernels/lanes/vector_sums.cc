// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/vector_sums.h"

#include "numerics/parallel/vector_loops.h"

namespace hloscope::evaluator {
namespace {

template <typename X>
double Wide(X x) {
  return static_cast<double>(numerics::Widened(x));
}

// Eight numbers, as wide as the widest vectors; narrower instruction sets take several of their own.
typedef double Doubles __attribute__((vector_size(64)));
constexpr int64_t kLanes = 8;

[[gnu::always_inline]] inline void Load(const float* x, Doubles& wide) {
  typedef float Floats __attribute__((vector_size(32)));
  Floats numbers;
  __builtin_memcpy(&numbers, x, sizeof numbers);
  wide = __builtin_convertvector(numbers, Doubles);
}

[[gnu::always_inline]] inline void Load(const numerics::Bf16* x, Doubles& wide) {
  float numbers[kLanes];
  for (int64_t l = 0; l < kLanes; ++l) numbers[l] = numerics::Widened(x[l]);
  Load(numbers, wide);
}

// Bytes that are asked for ahead of what is summed: the processor itself does not look across pages.
constexpr int64_t kAhead = 4096;

template <typename X>
[[gnu::always_inline]] inline double Sum(const X* x, int64_t count) {
  // Enough sums side by side that an addition need not wait for the one before.
  constexpr int64_t kVectors = 4, kWays = kVectors * kLanes;
  Doubles vectors[kVectors] = {};
  int64_t i = 0;
  for (; i + kWays <= count; i += kWays) {
    constexpr int64_t kLine = 64, kBytes = kWays * static_cast<int64_t>(sizeof(X));
    for (int64_t at = 0; at < kBytes; at += kLine) {
      __builtin_prefetch(reinterpret_cast<const char*>(x + i) + kAhead + at);
    }
#pragma GCC unroll 4
    for (int64_t v = 0; v < kVectors; ++v) {
      Doubles wide;
      Load(x + i + v * kLanes, wide);
      vectors[v] += wide;
    }
  }
  if (i < count) {
    double ways[kWays];
    __builtin_memcpy(ways, vectors, sizeof ways);
    for (int64_t w = 0; i < count; ++i, ++w) ways[w] += Wide(x[i]);
    __builtin_memcpy(vectors, ways, sizeof ways);
  }
  // Halves are added to each other, down to one number.
  vectors[0] += vectors[2];
  vectors[1] += vectors[3];
  vectors[0] += vectors[1];
  double lanes[kLanes];
  __builtin_memcpy(lanes, &vectors[0], sizeof lanes);
  for (int64_t l = 0; l < 4; ++l) lanes[l] += lanes[l + 4];
  return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
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
    constexpr int64_t kLine = 64 / sizeof(X);
    int64_t l = 0;
    for (; l + kLine <= lanes; l += kLine) {
      // The rows that come next: the processor itself does not look across pages.
      for (int64_t ahead = 4; ahead < 8; ++ahead) __builtin_prefetch(a + ahead * stride + l);
      HLOSCOPE_INDEPENDENT_LANES
      for (int64_t i = l; i < l + kLine; ++i) sums[i] += (Wide(a[i]) + Wide(b[i])) + (Wide(c[i]) + Wide(d[i]));
    }
    for (; l < lanes; ++l) sums[l] += (Wide(a[l]) + Wide(b[l])) + (Wide(c[l]) + Wide(d[l]));
  }
  for (; r < rows; ++r) {
    const X* const a = x + r * stride;
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t l = 0; l < lanes; ++l) sums[l] += Wide(a[l]);
  }
}

}  // namespace

HLOSCOPE_VECTOR_CLONES double SumFloats(const float* x, int64_t count) { return Sum(x, count); }
HLOSCOPE_VECTOR_CLONES double SumFloats(const numerics::Bf16* x, int64_t count) { return Sum(x, count); }

HLOSCOPE_VECTOR_CLONES void AddRowsOfFloats(const float* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  AddRows(x, stride, rows, lanes, sums);
}
HLOSCOPE_VECTOR_CLONES void AddRowsOfFloats(const numerics::Bf16* x, int64_t stride, int64_t rows, int64_t lanes,
                                            double* sums) {
  AddRows(x, stride, rows, lanes, sums);
}

}  // namespace hloscope::evaluator
