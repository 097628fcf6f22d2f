// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_bf16.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>

#include "numerics/contraction/bf16_arrays.h"
#include "numerics/convolution/all_finite.h"
#include "numerics/convolution/convolution_depthwise.h"
#include "numerics/convolution/convolution_geometry.h"
#include "numerics/convolution/convolution_grouped.h"
#include "numerics/convolution/convolution_packed.h"
#include "numerics/convolution/convolution_wide.h"
#include "numerics/convolution/depthwise_wide.h"
#include "numerics/convolution/joined_columns.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Nanoseconds to look at, widen or round an element.
constexpr double kElementNanoseconds = 0.2;

template <typename T>
std::unique_ptr<T[]> Allocate(int64_t count) {
  return std::unique_ptr<T[]>(new (std::nothrow) T[static_cast<size_t>(count)]);
}

int64_t ResultCount(const ConvolutionProblem& problem) {
  int64_t count = problem.output_batch() * problem.output_features();
  for (int64_t size : problem.output_spatial) count *= size;
  return count;
}

// The sums of f32 that `convolve` writes to its argument, as elements of the result.
template <typename Convolution>
Outcome Round(const ConvolutionProblem& problem, ElementType result_type, uint8_t* result, Executor& executor,
              Convolution&& convolve) {
  if (result_type != ElementType::kBF16) return convolve(result);
  const int64_t count = ResultCount(problem);
  const auto sums = Allocate<float>(count);
  if (sums == nullptr) return Outcome::kNoMemory;
  if (Outcome outcome = convolve(reinterpret_cast<uint8_t*>(sums.get())); !outcome.ok()) return outcome;
  return ParallelLoop(executor, count, kElementNanoseconds, [&](int64_t begin, int64_t end) {
    RoundToBf16(sums.get() + begin, end - begin, reinterpret_cast<uint16_t*>(result) + begin);
  });
}

int64_t PairsOf(int64_t features) { return (features + 1) / 2; }

// Of an array without gaps.
bool AreSafe(const StridedArray& array, Executor& executor) {
  std::atomic<bool> safe = true;
  const Outcome outcome =
      ParallelLoop(executor, array.element_count(), kElementNanoseconds, [&](int64_t begin, int64_t end) {
        if (safe && !IsSafeForPairs(array.elements<uint16_t>() + begin, end - begin)) safe = false;
      });
  return outcome.ok() && safe;
}

// The kernel with its input features in pairs, the halves that are left over zero: [spatial..., pair, output feature].
Outcome PairKernel(const StridedArray& kernel, uint32_t* pairs, Executor& executor) {
  const int64_t columns = kernel.sizes.back(), features = kernel.sizes[kernel.rank() - 2], half = PairsOf(features);
  const int64_t rows = kernel.element_count() / (features * columns) * half;
  return ParallelLoop(executor, rows, 0.3 * static_cast<double>(columns), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t feature = row % half * 2;
      const uint16_t* const low = kernel.elements<uint16_t>() + (row / half * features + feature) * columns;
      uint32_t* const to = pairs + row * columns;
      if (feature + 1 == features) {
        std::copy_n(low, columns, to);
      } else {
        for (int64_t c = 0; c < columns; ++c) to[c] = low[c] | static_cast<uint32_t>(low[columns + c]) << 16;
      }
    }
  });
}

// The input with a feature of zeros at the end of an odd number of them.
Outcome PadFeatures(const StridedArray& lhs, uint32_t* padded, Executor& executor) {
  const int64_t features = lhs.sizes.back(), half = PairsOf(features), count = lhs.element_count() / features;
  return ParallelLoop(executor, count, 3 + 0.3 * static_cast<double>(features), [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      padded[n * half + half - 1] = 0;
      std::memcpy(padded + n * half, lhs.elements<uint16_t>() + n * features, static_cast<size_t>(features) * 2);
    }
  });
}

Outcome ConvolvePairs(const ConvolutionProblem& whole, ElementType result_type, uint8_t* result, Executor& executor) {
  JoinedColumns joined;
  const bool joins = SuitsJoinedColumns(whole);
  if (joins) {
    if (Outcome outcome = JoinColumns(whole, 2, joined, executor); !outcome.ok()) return outcome;
  }
  const ConvolutionProblem& problem = joins ? joined.problem : whole;
  const int64_t features = problem.input_features(), half = PairsOf(features);
  ConvolutionProblem pairs = problem;
  DimensionVector lhs_sizes = problem.lhs.sizes, kernel_sizes = problem.kernel.sizes;
  lhs_sizes.back() = problem.feature_group_count * half;
  kernel_sizes[kernel_sizes.size() - 2] = half;
  const auto kernel = Allocate<uint32_t>(problem.kernel.element_count() / features * half);
  if (kernel == nullptr) return Outcome::kNoMemory;
  if (Outcome outcome = PairKernel(problem.kernel, kernel.get(), executor); !outcome.ok()) return outcome;
  pairs.kernel = DenseArray(ElementType::kU32, kernel.get(), kernel_sizes);
  std::unique_ptr<uint32_t[]> padded;
  if (features % 2 != 0) {
    padded = Allocate<uint32_t>(problem.lhs.element_count() / features * half);
    if (padded == nullptr) return Outcome::kNoMemory;
    if (Outcome outcome = PadFeatures(problem.lhs, padded.get(), executor); !outcome.ok()) return outcome;
  }
  const void* const input = padded != nullptr ? static_cast<const void*>(padded.get()) : problem.lhs.data;
  pairs.lhs = DenseArray(ElementType::kU32, input, lhs_sizes);
  pairs.input_pitch = problem.input_pitch / 2;
  return result_type == ElementType::kBF16 ? ConvolvePackedPairs(pairs, reinterpret_cast<uint16_t*>(result), executor)
                                           : ConvolvePackedPairs(pairs, reinterpret_cast<float*>(result), executor);
}

// Through copies of f32.
Outcome ConvolveWidened(const ConvolutionProblem& problem, ElementType result_type, uint8_t* result,
                        Executor& executor) {
  ConvolutionProblem wide = problem;
  std::unique_ptr<float[]> copies[2];
  StridedArray* const arrays[] = {&wide.lhs, &wide.kernel};
  for (size_t i = 0; i < 2; ++i) {
    const int64_t count = arrays[i]->element_count();
    copies[i] = Allocate<float>(count);
    if (copies[i] == nullptr) return Outcome::kNoMemory;
    const Outcome outcome = ParallelLoop(executor, count, kElementNanoseconds, [&](int64_t begin, int64_t end) {
      WidenBf16(arrays[i]->elements<uint16_t>() + begin, end - begin, copies[i].get() + begin);
    });
    if (!outcome.ok()) return outcome;
    arrays[i]->type = ElementType::kF32;
    arrays[i]->data = reinterpret_cast<const uint8_t*>(copies[i].get());
  }
  return Round(problem, result_type, result, executor, [&](uint8_t* sums) { return Convolve(wide, sums, executor); });
}

}  // namespace

bool SuitsBf16(const ConvolutionProblem& problem) {
  if (problem.IsEmpty() || problem.type != ElementType::kF32 || problem.lhs.type != ElementType::kBF16 ||
      problem.kernel.type != ElementType::kBF16) {
    return false;
  }
  if (SuitsWideWindows(problem)) return problem.batch_group_count == 1;
  if (IsDepthwise(problem)) return true;
  const int64_t features = problem.input_features();
  if (features < 2 || (features % 2 != 0 && problem.feature_group_count > 1) || SuitsGroups(problem)) return false;
  // What Convolve packs, too.
  constexpr int64_t kMaxPackedWindow = 1 << 13, kMaxPackedProducts = 1 << 18;
  int64_t elements = 1;
  double products = static_cast<double>(problem.output_batch()) * static_cast<double>(problem.output_features()) *
                    static_cast<double>(features);
  for (size_t j = 0; j < problem.window.size(); ++j) {
    if (problem.output_spatial[j] < 1 || __builtin_mul_overflow(elements, problem.window[j].size, &elements)) {
      return false;
    }
    products *= static_cast<double>(problem.output_spatial[j]) * static_cast<double>(problem.window[j].size);
  }
  constexpr double kLeastProducts = 1 << 16;
  return products >= kLeastProducts && elements <= kMaxPackedWindow && features <= kMaxPackedProducts / elements;
}

Outcome ConvolveBf16(const ConvolutionProblem& problem, ElementType result_type, uint8_t* result, Executor& executor) {
  if (IsDepthwise(problem) && !SuitsWideWindows(problem)) {
    if (HasPlaceLoops()) return ConvolveDepthwiseBf16(problem, result_type, result, executor);
  } else if (MultipliesPairs()) {
    const ConvolutionGeometry geometry(problem);
    // Zero times infinity: with such a kernel padding must be left out, not multiplied.
    const StridedArray& kernel = problem.kernel;
    const bool may_pad =
        !geometry.has_holes || AllFinite(ElementType::kBF16, kernel.data, kernel.element_count(), executor);
    if (geometry.has_tables && may_pad && AreSafe(problem.lhs, executor) && AreSafe(kernel, executor)) {
      if (!SuitsWideWindows(problem)) return ConvolvePairs(problem, result_type, result, executor);
      return Round(problem, result_type, result, executor,
                   [&](uint8_t* sums) { return ConvolveWideWindows(problem, sums, executor); });
    }
    if (Outcome outcome = executor.CheckCancelled(); !outcome.ok()) return outcome;
  }
  return ConvolveWidened(problem, result_type, result, executor);
}

int64_t Bf16ScratchBytes(const ConvolutionProblem& problem, ElementType result_type) {
  const int64_t copies = problem.lhs.element_count() + problem.kernel.element_count() +
                         (result_type == ElementType::kBF16 ? ResultCount(problem) : 0);
  return copies * int64_t{sizeof(float)} + ScratchBytes(problem);
}

}  // namespace hloscope::numerics
