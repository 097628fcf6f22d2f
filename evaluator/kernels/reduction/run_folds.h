// SPDX-License-Identifier: Apache-2.0
// Reductions of elements that follow one another at a stride: whole arrays and rows of them are folded by the same
// loops, which gives the same bits.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_RUN_FOLDS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_RUN_FOLDS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "core/analysis/known_reducers.h"
#include "evaluator/kernels/reduction/element_folds.h"
#include "evaluator/kernels/reduction/ordered_sum.h"
#include "numerics/reduction/vector_folds.h"
#include "numerics/reduction/vector_sums.h"

namespace hloscope::evaluator {

// acc = op(acc, x) over `count` elements. X: T, or Bf16 for f32.
template <typename T, typename X, typename Op>
T FoldRun(T acc, const X* x, int64_t stride, int64_t count, Op op) {
  if constexpr (kIsExactlyAssociative<T, Op>) {
    // Several accumulators, so that a step need not wait for the one before.
    constexpr int64_t kWays = 16;
    if constexpr (std::is_same_v<T, float>) {
      if (stride == 1 && count >= numerics::kMinFoldedRun) return op(acc, numerics::FoldFloatRun(op, x, count));
    }
    if constexpr (requires { FoldElements(op, x, count); }) {
      if (stride == 1 && count >= kElementsTogether<X>) return op(acc, FoldElements(op, x, count));
    }
    if (count >= 4 * kWays) {
      std::array<T, kWays> ways;
      for (int64_t w = 0; w < kWays; ++w) ways[static_cast<size_t>(w)] = numerics::Widened(x[w * stride]);
      int64_t i = kWays;
      if (stride == 1) {
        for (; i + kWays <= count; i += kWays) {
          for (int64_t w = 0; w < kWays; ++w)
            ways[static_cast<size_t>(w)] = op(ways[static_cast<size_t>(w)], numerics::Widened(x[i + w]));
        }
      } else {
        for (; i + kWays <= count; i += kWays) {
          for (int64_t w = 0; w < kWays; ++w) {
            ways[static_cast<size_t>(w)] = op(ways[static_cast<size_t>(w)], numerics::Widened(x[(i + w) * stride]));
          }
        }
      }
      for (; i < count; ++i) ways[0] = op(ways[0], numerics::Widened(x[i * stride]));
      for (T way : ways) acc = op(acc, way);
      return acc;
    }
  }
  for (int64_t i = 0; i < count; ++i) acc = op(acc, numerics::Widened(x[i * stride]));
  return acc;
}

// accumulators[r] = op(accumulators[r], x) over the `count` elements of run r, which begins at x[r * run_stride]. Where
// the order of the elements shows, several runs at a time: no step waits for the one before.
template <typename T, typename X, typename Op>
void FoldRuns(const X* x, int64_t run_stride, int64_t runs, int64_t stride, int64_t count, T* accumulators, Op op) {
  int64_t r = 0;
  if constexpr (!kIsExactlyAssociative<T, Op>) {
    constexpr int64_t kTogether = 8;
    for (; r + kTogether <= runs; r += kTogether) {
      std::array<T, kTogether> some;
      std::copy_n(accumulators + r, kTogether, some.begin());
      const X* from = x + r * run_stride;
      for (int64_t i = 0; i < count; ++i, from += stride) {
        for (int64_t w = 0; w < kTogether; ++w) {
          some[static_cast<size_t>(w)] = op(some[static_cast<size_t>(w)], numerics::Widened(from[w * run_stride]));
        }
      }
      std::copy_n(some.begin(), kTogether, accumulators + r);
    }
  }
  for (; r < runs; ++r) accumulators[r] = FoldRun(accumulators[r], x + r * run_stride, stride, count, op);
}

// D3 for one result, of f32 or bf16.
template <typename X>
class DoubleSum {
 public:
  void Add(const X* x, int64_t stride, int64_t count) {
    while (count > 0) {
      const int64_t part = std::min(count, kPartialSum - filled_);
      partial_ += Run(x, stride, part);
      x += part * stride;
      count -= part;
      filled_ += part;
      if (filled_ == kPartialSum) Flush();
    }
  }
  double Total() {
    Flush();
    return total_;
  }

 private:
  static double Run(const X* x, int64_t stride, int64_t count) {
    if (stride == 1) return numerics::SumFloats(x, count);
    constexpr int64_t kWays = 8;
    std::array<double, kWays> ways{};
    int64_t i = 0;
    for (; i + kWays <= count; i += kWays) {
      for (int64_t w = 0; w < kWays; ++w)
        ways[static_cast<size_t>(w)] += static_cast<double>(numerics::Widened(x[(i + w) * stride]));
    }
    for (; i < count; ++i) ways[0] += static_cast<double>(numerics::Widened(x[i * stride]));
    return ((ways[0] + ways[4]) + (ways[1] + ways[5])) + ((ways[2] + ways[6]) + (ways[3] + ways[7]));
  }
  void Flush() {
    total_ += partial_;
    partial_ = 0;
    filled_ = 0;
  }

  double total_ = 0, partial_ = 0;
  int64_t filled_ = 0;
};

// Sums of runs of f64, f32 or bf16, in f64.
template <typename X>
using RunSum = std::conditional_t<std::is_same_v<X, double>, OrderedSum, DoubleSum<X>>;

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_RUN_FOLDS_H_
