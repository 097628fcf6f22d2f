// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "numerics/contraction/complex_parts.h"
#include "numerics/convolution/all_finite.h"
#include "numerics/convolution/convolution_depthwise.h"
#include "numerics/convolution/convolution_geometry.h"
#include "numerics/convolution/convolution_grouped.h"
#include "numerics/convolution/convolution_packed.h"
#include "numerics/convolution/convolution_wide.h"
#include "numerics/convolution/joined_columns.h"
#include "numerics/elements/complex_functions.h"
#include "numerics/parallel/parallel_loop.h"
#include "numerics/windows/window_walk.h"

namespace hloscope::numerics {
namespace {

template <typename T>
Outcome ConvolveByFormula(const ConvolutionProblem& problem, T* result, Executor& executor) {
  const ConvolutionGeometry g(problem);
  const T* const lhs = problem.lhs.elements<T>();
  const T* const kernel = problem.kernel.elements<T>();
  const int64_t feature_group_size = g.output_features / problem.feature_group_count;
  const int64_t batch_group_size = g.output_features / problem.batch_group_count;
  const double nanoseconds =
      10 + static_cast<double>(g.kernel_count) * (10 + 2 * static_cast<double>(g.input_features));
  const int64_t count = g.output_batch * g.output_count * g.output_features;
  constexpr int64_t kPolledElements = 1024;
  const double polled = nanoseconds / static_cast<double>(std::max<int64_t>(g.kernel_count, 1)) * kPolledElements;
  const Outcome outcome = ParallelLoop(executor, count, nanoseconds, [&](int64_t begin, int64_t end) {
    CancellationPoll poll(executor);
    for (int64_t n = begin; n < end; ++n) {
      const int64_t c = n % g.output_features;
      const int64_t y = n / g.output_features % g.output_count;
      const int64_t b = n / g.output_features / g.output_count + c / batch_group_size * g.output_batch;
      const int64_t first_feature = c / feature_group_size * g.input_features;
      T sum = T();
      for (int64_t w = 0; w < g.kernel_count; ++w) {
        if (w % kPolledElements == kPolledElements - 1 && poll.Cancelled(polled)) return;
        const int64_t k = g.ElementAt(w);
        const int64_t input = g.InputOf(y, k);
        if (input < 0) continue;
        const T* const l = lhs + (b * g.input_count + input) * g.features + first_feature;
        const T* const v = kernel + k * g.input_features * g.output_features + c;
        for (int64_t z = 0; z < g.input_features; ++z)
          sum += complex_functions::Product(l[z], v[z * g.output_features]);
      }
      result[n] = sum;
    }
  });
  return outcome.ok() ? executor.CheckCancelled() : outcome;
}

// c64 and c128: a convolution of the parts, with twice as many input and output features, has the same result.
template <typename T>
Outcome ConvolveParts(const ConvolutionProblem& problem, uint8_t* result, Executor& executor) {
  const int64_t columns = problem.output_features(),
                rows = problem.kernel.element_count() / std::max<int64_t>(columns, 1);
  const std::unique_ptr<T[]> kernel(new (std::nothrow) T[static_cast<size_t>(4 * rows * columns)]);
  if (kernel == nullptr) return Outcome::kNoMemory;
  ExpandRightRows(problem.kernel.elements<std::complex<T>>(), rows, columns, kernel.get());
  ConvolutionProblem parts = problem;
  parts.type = sizeof(T) == 4 ? ElementType::kF32 : ElementType::kF64;
  DimensionVector lhs_sizes = problem.lhs.sizes, kernel_sizes = problem.kernel.sizes;
  lhs_sizes.back() *= 2;
  kernel_sizes.back() *= 2;
  kernel_sizes[kernel_sizes.size() - 2] *= 2;
  parts.lhs = DenseArray(parts.type, problem.lhs.data, lhs_sizes);
  parts.kernel = DenseArray(parts.type, kernel.get(), kernel_sizes);
  return ConvolvePacked(parts, reinterpret_cast<T*>(result), executor);
}

}  // namespace

StridedArray DenseArray(ElementType type, const void* data, DimensionVector sizes) {
  DimensionVector strides = DenseStrides(sizes);
  return {type, static_cast<const uint8_t*>(data), std::move(sizes), std::move(strides)};
}

Outcome ConvolveReference(const ConvolutionProblem& problem, uint8_t* result, Executor& executor) {
  return VisitAccumulator(problem.type, [&](auto zero) {
    return ConvolveByFormula(problem, reinterpret_cast<decltype(zero)*>(result), executor);
  });
}

Outcome ConvolveByPatches(const ConvolutionProblem& problem, uint8_t* result, Executor& executor) {
  const ConvolutionGeometry g(problem);
  const int64_t bytes = StorageBytes(problem.type);
  const int64_t group_count = problem.feature_group_count * problem.batch_group_count;  // one of the two is 1
  const int64_t group_columns = g.output_features / group_count;
  const int64_t rows = g.output_batch * g.output_count;

  const bool is_pointwise = g.kernel_count == 1 && group_count == 1 && !g.has_holes && g.output_count == g.input_count;
  if (is_pointwise) {
    // The input is its own matrix of patches: the only way to place a window of one element on every input is in order.
    return MultiplyMatrixBatch(problem.type, 1, {rows, g.output_features, g.input_features},
                               {problem.lhs.data, g.features, 1}, 0, {problem.kernel.data, g.output_features, 1}, 0,
                               result, executor);
  }

  // A patch holds the inputs of some kernel elements for one output position; a block of patches should stay in the
  // cache, yet be high enough that packing the kernel for each block does not count.
  constexpr int64_t kPatchElements = 4096, kBlockElements = int64_t{1} << 18, kMinRows = 64, kMaxRows = 1024;
  constexpr int64_t kMaxBlockElements = int64_t{1} << 22;
  const int64_t features = std::max<int64_t>(g.input_features, 1);
  const int64_t patch_elements = std::clamp<int64_t>(kPatchElements / features, 1, g.kernel_count);  // of the kernel
  const int64_t least_rows = std::clamp<int64_t>(kMaxBlockElements / (patch_elements * features), 1, kMinRows);
  const int64_t block_rows =
      std::min(rows, std::clamp<int64_t>(kBlockElements / (patch_elements * features), least_rows, kMaxRows));
  const int64_t row_blocks = (rows - 1) / block_rows + 1;
  const double products =
      static_cast<double>(block_rows * group_columns) * static_cast<double>(g.kernel_count * features);
  const double nanoseconds =
      1000 + products * MultiplyAddNanoseconds(problem.type) +
      static_cast<double>(block_rows * g.kernel_count) * (10 + 0.1 * static_cast<double>(features));
  const Outcome outcome =
      ParallelLoop(executor, group_count * row_blocks, nanoseconds, [&](int64_t begin, int64_t end) {
        CancellationPoll poll(executor);
        const int64_t row_bytes = patch_elements * g.input_features * bytes;
        const std::unique_ptr<uint8_t[]> patches(
            new uint8_t[static_cast<size_t>(std::max<int64_t>(block_rows * row_bytes, 1))]);
        for (int64_t task = begin; task < end; ++task) {
          const int64_t group = task / row_blocks, first_row = task % row_blocks * block_rows;
          const int64_t count = std::min(block_rows, rows - first_row);
          const int64_t first_feature = problem.feature_group_count > 1 ? group * g.input_features : 0;
          const int64_t first_batch = problem.batch_group_count > 1 ? group * g.output_batch : 0;
          for (int64_t first = 0; first < g.kernel_count; first += patch_elements) {
            const int64_t elements = std::min(patch_elements, g.kernel_count - first);
            if (poll.Cancelled(nanoseconds * static_cast<double>(elements) / static_cast<double>(g.kernel_count)))
              return;
            const int64_t feature_bytes = g.input_features * bytes;
            uint8_t* to = patches.get();
            for (int64_t row = first_row; row < first_row + count; ++row) {
              const int64_t batch = first_batch + row / g.output_count;
              for (int64_t k = first; k < first + elements; ++k, to += feature_bytes) {
                const int64_t input = g.InputOf(row % g.output_count, k);
                if (input < 0) {
                  std::memset(to, 0, static_cast<size_t>(feature_bytes));
                } else {
                  const int64_t from = (batch * g.input_count + input) * g.features + first_feature;
                  std::memcpy(to, problem.lhs.data + from * bytes, static_cast<size_t>(feature_bytes));
                }
              }
            }
            const GemmSizes sizes = {count, group_columns, elements * g.input_features};
            const int64_t kernel_start = first * g.input_features * g.output_features + group * group_columns;
            const MatrixView kernel = {problem.kernel.data + kernel_start * bytes, g.output_features, 1};
            uint8_t* const out = result + (first_row * g.output_features + group * group_columns) * bytes;
            MultiplyByRows(problem.type, sizes, {patches.get(), elements * g.input_features, 1}, kernel, out,
                           g.output_features,
                           /*accumulate=*/first > 0);
          }
        }
      });
  return outcome.ok() ? executor.CheckCancelled() : outcome;
}

bool ConvolutionProblem::IsEmpty() const {
  const auto has_none = [](const StridedArray& array) {
    return std::find(array.sizes.begin(), array.sizes.end(), 0) != array.sizes.end();
  };
  return has_none(lhs) || has_none(kernel);
}

int64_t ScratchBytes(const ConvolutionProblem& problem) {
  if (problem.IsEmpty()) return 0;
  if (SuitsWideWindows(problem)) return WideScratchBytes(problem);
  const int64_t patch_bytes = problem.input_features() * StorageBytes(problem.type);
  // Of a complex kernel every number is there twice, as its parts in two orders.
  const int64_t parts_bytes =
      IsComplex(problem.type) ? 2 * problem.kernel.element_count() * StorageBytes(problem.type) : 0;
  return patch_bytes + parts_bytes + JoinedColumnsBytes(problem);
}

Outcome Convolve(const ConvolutionProblem& problem, uint8_t* result, Executor& executor) {
  if (problem.IsEmpty()) {
    int64_t count = problem.output_batch() * problem.output_features();
    for (int64_t size : problem.output_spatial) count *= size;
    std::memset(result, 0, static_cast<size_t>(count * StorageBytes(problem.type)));
    return Outcome::kDone;
  }
  if (SuitsWideWindows(problem)) return ConvolveWideWindows(problem, result, executor);
  if (IsDepthwise(problem)) return ConvolveDepthwise(problem, result, executor);
  const ConvolutionGeometry geometry(problem);
  // Zero times infinity: with such a kernel padding must be left out, not multiplied.
  if (geometry.has_holes && !AllFinite(problem.type, problem.kernel.data, problem.kernel.element_count(), executor)) {
    return ConvolveReference(problem, result, executor);
  }
  // What is packed, and pointers to the inputs of all elements of the kernel, should be small beside the arrays.
  constexpr int64_t kMaxPackedWindow = 1 << 13, kMaxPackedProducts = 1 << 18;
  if (!geometry.has_tables || geometry.kernel_count > kMaxPackedWindow ||
      geometry.kernel_count * geometry.input_features > kMaxPackedProducts) {
    return ConvolveByPatches(problem, result, executor);
  }
  const bool is_real = problem.type == ElementType::kF32 || problem.type == ElementType::kF64;
  if (is_real && SuitsJoinedColumns(problem)) {
    JoinedColumns joined;
    if (Outcome outcome = JoinColumns(problem, 1, joined, executor); !outcome.ok()) return outcome;
    if (problem.type == ElementType::kF32) {
      return ConvolvePacked(joined.problem, reinterpret_cast<float*>(result), executor);
    }
    return ConvolvePacked(joined.problem, reinterpret_cast<double*>(result), executor);
  }
  if (SuitsGroups(problem)) {
    if (problem.type == ElementType::kF32) return ConvolveGroups(problem, reinterpret_cast<float*>(result), executor);
    return ConvolveGroups(problem, reinterpret_cast<double*>(result), executor);
  }
  switch (problem.type) {
    case ElementType::kF32:
      return ConvolvePacked(problem, reinterpret_cast<float*>(result), executor);
    case ElementType::kF64:
      return ConvolvePacked(problem, reinterpret_cast<double*>(result), executor);
    case ElementType::kC64:
      return ConvolveParts<float>(problem, result, executor);
    case ElementType::kC128:
      return ConvolveParts<double>(problem, result, executor);
    default:
      return ConvolveByPatches(problem, result, executor);
  }
}

}  // namespace hloscope::numerics
