// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_depthwise.h"

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "numerics/contraction/bf16_arrays.h"
#include "numerics/convolution/convolution_geometry.h"
#include "numerics/convolution/depthwise_lanes.h"
#include "numerics/convolution/depthwise_wide.h"
#include "numerics/data_movement/past_cache.h"
#include "numerics/data_movement/run_ahead.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// T: of sums and of the kernel; In: of inputs; Out: of results, to which sums are rounded.
template <typename T, typename In = T, typename Out = T>
class DepthwiseSums {
 public:
  DepthwiseSums(const ConvolutionProblem& problem, const T* kernel)
      : g_(problem),
        lhs_(problem.lhs.elements<In>()),
        kernel_(kernel),
        kernel_row_size_(LastOf(g_.kernel_sizes)),
        output_row_size_(LastOf(g_.output_sizes)) {
    if (!g_.has_tables || output_row_size_ > kMostColumns) return;
    columns_.resize(static_cast<size_t>(output_row_size_));
    for (int64_t x = 0; x < output_row_size_; ++x) FindColumns(x, columns_[static_cast<size_t>(x)]);
    runs_.assign(columns_.size(), 1);
    for (size_t x = columns_.size(); x-- > 1;) {
      if (IsOneStepBefore(columns_[x - 1], columns_[x])) runs_[x - 1] = std::min(runs_[x] + 1, kRun);
    }
    for (const std::vector<Column>& columns : columns_) is_whole_.push_back(IsWhole(columns));
  }

  Outcome Run(Out* result, Executor& executor) const {
    const double nanoseconds = static_cast<double>(g_.kernel_count) * (5 + 0.05 * static_cast<double>(g_.features));
    const int64_t count = g_.output_batch * g_.output_count;
    const bool past_cache =
        g_.features <= kPieceSums && count * g_.features * static_cast<int64_t>(sizeof(Out)) >= kPastCacheBytes;
    return ParallelLoop(executor, count, nanoseconds, [&](int64_t begin, int64_t end) {
      Taps taps;
      std::vector<Out> piece(static_cast<size_t>(past_cache ? kPieceSums : 0));
      const int64_t step = past_cache ? kPieceSums / g_.features : end - begin;
      for (int64_t first = begin; first < end; first += step) {
        const int64_t last = std::min(first + step, end);
        Out* const to = result + first * g_.features;
        SumPlaces(first, last, past_cache ? piece.data() : to, taps);
        if (past_cache) {
          CopyPastCache(reinterpret_cast<const uint8_t*>(piece.data()), reinterpret_cast<uint8_t*>(to),
                        (last - first) * g_.features * static_cast<int64_t>(sizeof(Out)));
        }
      }
      if (past_cache) FinishPastCache();
    });
  }

 private:
  struct Row {
    const In* inputs;
    const T* weights;
  };
  // Offsets in a row of the input and in one of the kernel.
  struct Column {
    int64_t input, weight;
  };
  // What one sum is made of.
  struct Taps {
    std::vector<Row> rows;  // of the window, that meet a row of the input
    std::vector<Column> columns;
    std::vector<const In*> inputs;
    std::vector<const T*> weights;
    int64_t found_row = -1;
  };
  // Sums that are computed before they go past the caches.
  static constexpr int64_t kPieceSums = 4096;
  // Places of a row that there is a table for.
  static constexpr int64_t kMostColumns = int64_t{1} << 16;

  // Neighbouring places with the same elements of the window are computed together, up to kRun of them.
  static constexpr int64_t kRun = 64;

  void SumPlaces(int64_t begin, int64_t end, Out* sums, Taps& taps) const {
    for (int64_t place = begin; place < end;) {
      const int64_t row = place / output_row_size_, x = place % output_row_size_;
      if (row != taps.found_row) FindRows(row, taps.rows);
      taps.found_row = row;
      const int64_t run = std::min(end - place, runs_.empty() ? 1 : runs_[static_cast<size_t>(x)]);
      const bool by_windows = !is_whole_.empty() && is_whole_[static_cast<size_t>(x)];
      FindTaps(x, by_windows, taps);
      // The last row of the window is met first by these places of the output.
      if (!taps.inputs.empty()) FetchAhead(taps.inputs.back(), run * step_);
      SumRun(taps, by_windows, run, sums);
      place += run;
      sums += run * g_.features;
    }
  }

  void SumRun(const Taps& taps, bool by_windows, int64_t run, Out* sums) const {
    if constexpr (std::is_same_v<T, float>) {
      const PlaceTaps<In> places = {taps.inputs.data(), taps.weights.data(), taps.inputs.size(), step_};
      if (by_windows) return SumPlaceWindows<In, Out>({places, kernel_row_size_}, run, g_.features, sums);
      if (!std::is_same_v<In, float>) return SumPlaceTaps(places, run, g_.features, sums);
    }
    if constexpr (std::is_same_v<In, T> && std::is_same_v<Out, T>) {
      SumLaneTaps(taps.inputs.data(), taps.weights.data(), taps.inputs.size(), step_, run, sums, g_.features);
    }
  }

  // 1 without spatial dimensions.
  static int64_t LastOf(const DimensionVector& sizes) { return sizes.empty() ? 1 : sizes.back(); }

  // Of row number `row` of all outputs of the batch.
  void FindRows(int64_t row, std::vector<Row>& rows) const {
    const int64_t output_rows = g_.output_count / output_row_size_, kernel_rows = g_.kernel_count / kernel_row_size_;
    const In* const image = lhs_ + row / output_rows * g_.input_count * g_.features;
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

  // All columns of the window, in the input as in the kernel, where SumPlaceWindows can be used.
  bool IsWhole(const std::vector<Column>& columns) const {
    if (!std::is_same_v<T, float> || !HasPlaceLoops() || !HasPlaceWindows(kernel_row_size_, step_, g_.features) ||
        static_cast<int64_t>(columns.size()) != kernel_row_size_) {
      return false;
    }
    for (size_t c = 1; c < columns.size(); ++c) {
      const Column &before = columns[c - 1], &column = columns[c];
      if (column.input != before.input + g_.features || column.weight != before.weight + g_.features) return false;
    }
    return true;
  }

  // Of place `x` of the row; `by_windows`: the first one of each row of the window.
  void FindTaps(int64_t x, bool by_windows, Taps& taps) const {
    if (columns_.empty()) FindColumns(x, taps.columns);
    const std::vector<Column>& columns = columns_.empty() ? taps.columns : columns_[static_cast<size_t>(x)];
    const size_t count = by_windows ? 1 : columns.size();
    taps.inputs.resize(taps.rows.size() * count);
    taps.weights.resize(taps.inputs.size());
    size_t t = 0;
    for (const Row& row : taps.rows) {
      for (size_t c = 0; c < count; ++c) {
        const Column& column = columns[c];
        taps.inputs[t] = row.inputs + column.input;
        taps.weights[t++] = row.weights + column.weight;
      }
    }
  }

  const ConvolutionGeometry g_;
  const In* const lhs_;
  const T* const kernel_;
  const int64_t kernel_row_size_, output_row_size_;
  // Between the inputs of neighbouring places.
  const int64_t step_ = (g_.window.empty() ? 1 : g_.window.back().stride) * g_.features;
  std::vector<std::vector<Column>> columns_;  // by place of a row of the output; empty where there are too many
  std::vector<int64_t> runs_;                 // how many places from this one on meet the same columns
  std::vector<bool> is_whole_;                // those are a whole window
};

}  // namespace

bool IsDepthwise(const ConvolutionProblem& problem) {
  return problem.feature_group_count > 1 && problem.input_features() == 1 &&
         problem.output_features() == problem.feature_group_count;
}

Outcome ConvolveDepthwise(const ConvolutionProblem& problem, uint8_t* result, Executor& executor) {
  return VisitAccumulator(problem.type, [&](auto zero) {
    using T = decltype(zero);
    return DepthwiseSums<T>(problem, problem.kernel.elements<T>()).Run(reinterpret_cast<T*>(result), executor);
  });
}

Outcome ConvolveDepthwiseBf16(const ConvolutionProblem& problem, ElementType result_type, uint8_t* result,
                              Executor& executor) {
  const int64_t count = problem.kernel.element_count();
  const std::unique_ptr<float[]> kernel(new (std::nothrow) float[static_cast<size_t>(count)]);
  if (kernel == nullptr) return Outcome::kNoMemory;
  WidenBf16(problem.kernel.elements<uint16_t>(), count, kernel.get());
  if (result_type == ElementType::kBF16) {
    return DepthwiseSums<float, Bf16, Bf16>(problem, kernel.get()).Run(reinterpret_cast<Bf16*>(result), executor);
  }
  return DepthwiseSums<float, Bf16, float>(problem, kernel.get()).Run(reinterpret_cast<float*>(result), executor);
}

}  // namespace hloscope::numerics
