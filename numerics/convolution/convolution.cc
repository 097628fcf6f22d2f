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
#include "numerics/convolution/convolution_geometry.h"
#include "numerics/convolution/convolution_grouped.h"
#include "numerics/convolution/convolution_packed.h"
#include "numerics/convolution/convolution_wide.h"
#include "numerics/convolution/depthwise_lanes.h"
#include "numerics/data_movement/past_cache.h"
#include "numerics/data_movement/run_ahead.h"
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

// One input and one output feature per group: sums run over all features side by side.
template <typename T>
class DepthwiseSums {
 public:
  explicit DepthwiseSums(const ConvolutionProblem& problem)
      : g_(problem),
        lhs_(problem.lhs.elements<T>()),
        kernel_(problem.kernel.elements<T>()),
        kernel_row_size_(LastOf(g_.kernel_sizes)),
        output_row_size_(LastOf(g_.output_sizes)) {
    if (!g_.has_tables || output_row_size_ > kMostColumns) return;
    columns_.resize(static_cast<size_t>(output_row_size_));
    for (int64_t x = 0; x < output_row_size_; ++x) FindColumns(x, columns_[static_cast<size_t>(x)]);
    runs_.assign(columns_.size(), 1);
    for (size_t x = columns_.size(); x-- > 1;) {
      if (IsOneStepBefore(columns_[x - 1], columns_[x])) runs_[x - 1] = std::min(runs_[x] + 1, kRun);
    }
  }

  Outcome Run(T* result, Executor& executor) const {
    const double nanoseconds = static_cast<double>(g_.kernel_count) * (5 + 0.05 * static_cast<double>(g_.features));
    const int64_t count = g_.output_batch * g_.output_count;
    const bool past_cache =
        g_.features <= kPieceSums && count * g_.features * static_cast<int64_t>(sizeof(T)) >= kPastCacheBytes;
    return ParallelLoop(executor, count, nanoseconds, [&](int64_t begin, int64_t end) {
      Taps taps;
      std::vector<T> piece(static_cast<size_t>(past_cache ? kPieceSums : 0));
      const int64_t step = past_cache ? kPieceSums / g_.features : end - begin;
      for (int64_t first = begin; first < end; first += step) {
        const int64_t last = std::min(first + step, end);
        T* const to = result + first * g_.features;
        SumPlaces(first, last, past_cache ? piece.data() : to, taps);
        if (past_cache) {
          CopyPastCache(reinterpret_cast<const uint8_t*>(piece.data()), reinterpret_cast<uint8_t*>(to),
                        (last - first) * g_.features * static_cast<int64_t>(sizeof(T)));
        }
      }
      if (past_cache) FinishPastCache();
    });
  }

 private:
  struct Row {
    const T *inputs, *weights;
  };
  // Offsets in a row of the input and in one of the kernel.
  struct Column {
    int64_t input, weight;
  };
  // What one sum is made of.
  struct Taps {
    std::vector<Row> rows;  // of the window, that meet a row of the input
    std::vector<Column> columns;
    std::vector<const T*> inputs, weights;
    int64_t found_row = -1;
  };
  // Sums that are computed before they go past the caches.
  static constexpr int64_t kPieceSums = 4096;
  // Places of a row that there is a table for.
  static constexpr int64_t kMostColumns = int64_t{1} << 16;

  // Neighbouring places with the same elements of the window are computed together, up to kRun of them.
  static constexpr int64_t kRun = 8;

  void SumPlaces(int64_t begin, int64_t end, T* sums, Taps& taps) const {
    for (int64_t place = begin; place < end;) {
      const int64_t row = place / output_row_size_, x = place % output_row_size_;
      if (row != taps.found_row) FindRows(row, taps.rows);
      taps.found_row = row;
      FindTaps(x, taps);
      const int64_t run = std::min(end - place, runs_.empty() ? 1 : runs_[static_cast<size_t>(x)]);
      // The last row of the window is met first by these places of the output.
      if (!taps.inputs.empty()) FetchAhead(taps.inputs.back(), run * step_);
      SumLaneTaps(taps.inputs.data(), taps.weights.data(), taps.inputs.size(), step_, run, sums, g_.features);
      place += run;
      sums += run * g_.features;
    }
  }

  // 1 without spatial dimensions.
  static int64_t LastOf(const DimensionVector& sizes) { return sizes.empty() ? 1 : sizes.back(); }

  // Of row number `row` of all outputs of the batch.
  void FindRows(int64_t row, std::vector<Row>& rows) const {
    const int64_t output_rows = g_.output_count / output_row_size_, kernel_rows = g_.kernel_count / kernel_row_size_;
    const T* const image = lhs_ + row / output_rows * g_.input_count * g_.features;
    rows.clear();
    for (int64_t r = 0; r < kernel_rows; ++r) {
      const int64_t kernel_row = g_.ElementAt(r * kernel_row_size_) / kernel_row_size_;
      const int64_t input_row = g_.spatial_rank > 0 ? g_.InputRowOf(row % output_rows, kernel_row) : 0;
      if (input_row < 0) continue;
      rows.push_back({image + input_row * LastOf(g_.input_sizes) * g_.features,
                      kernel_ + kernel_row * kernel_row_size_ * g_.features});
    }
  }

  // The columns of the window that meet one of the input at place `x` of a row.
  void FindColumns(int64_t x, std::vector<Column>& columns) const {
    columns.clear();
    for (int64_t k = 0; k < kernel_row_size_; ++k) {
      const int64_t column = g_.ElementAt(k) % kernel_row_size_;
      const int64_t input = g_.spatial_rank > 0 ? g_.Position(g_.spatial_rank - 1, x, column) : 0;
      if (input >= 0) columns.push_back({input * g_.features, column * g_.features});
    }
  }

  bool IsOneStepBefore(const std::vector<Column>& columns, const std::vector<Column>& next) const {
    return std::equal(columns.begin(), columns.end(), next.begin(), next.end(), [&](const Column& a, const Column& b) {
      return a.input + step_ == b.input && a.weight == b.weight;
    });
  }

  // Of place `x` of the row.
  void FindTaps(int64_t x, Taps& taps) const {
    if (columns_.empty()) FindColumns(x, taps.columns);
    const std::vector<Column>& columns = columns_.empty() ? taps.columns : columns_[static_cast<size_t>(x)];
    taps.inputs.resize(taps.rows.size() * columns.size());
    taps.weights.resize(taps.inputs.size());
    size_t t = 0;
    for (const Row& row : taps.rows) {
      for (const Column& column : columns) {
        taps.inputs[t] = row.inputs + column.input;
        taps.weights[t++] = row.weights + column.weight;
      }
    }
  }

  const ConvolutionGeometry g_;
  const T* const lhs_;
  const T* const kernel_;
  const int64_t kernel_row_size_, output_row_size_;
  // Between the inputs of neighbouring places.
  const int64_t step_ = (g_.window.empty() ? 1 : g_.window.back().stride) * g_.features;
  std::vector<std::vector<Column>> columns_;  // by place of a row of the output; empty where there are too many
  std::vector<int64_t> runs_;                 // how many places from this one on meet the same columns
};

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
  return patch_bytes + parts_bytes;
}

Outcome Convolve(const ConvolutionProblem& problem, uint8_t* result, Executor& executor) {
  if (problem.IsEmpty()) {
    int64_t count = problem.output_batch() * problem.output_features();
    for (int64_t size : problem.output_spatial) count *= size;
    std::memset(result, 0, static_cast<size_t>(count * StorageBytes(problem.type)));
    return Outcome::kDone;
  }
  if (SuitsWideWindows(problem)) return ConvolveWideWindows(problem, result, executor);
  const bool is_depthwise = problem.feature_group_count > 1 && problem.input_features() == 1 &&
                            problem.output_features() == problem.feature_group_count;
  if (is_depthwise) {
    return VisitAccumulator(problem.type, [&](auto zero) {
      return DepthwiseSums<decltype(zero)>(problem).Run(reinterpret_cast<decltype(zero)*>(result), executor);
    });
  }
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
