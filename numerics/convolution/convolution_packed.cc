// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_packed.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/convolution/convolution_geometry.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Elements of the kernel that are packed at a time, shared by the threads: they fit in the last-level cache.
constexpr int64_t kPackedElements = int64_t{1} << 20;
// Output positions that a packed panel of columns meets before the next panel is read.
constexpr int64_t kBlockTiles = 8;

// The kernel as a matrix [element and input feature, output feature].
template <typename T>
struct KernelMatrix {
  const T* data;
  int64_t inner, columns, row_stride;

  // Rows [begin, end) of columns [first, first + count) as panels of `panel` columns; panel p starts at
  // to[p * panel * inner].
  void Pack(int64_t begin, int64_t end, int64_t first, int64_t count, int64_t panel, T* to) const {
    for (int64_t k = begin; k < end; ++k) {
      const T* const from = data + k * row_stride + first;
      for (int64_t column = 0; column < count; column += panel) {
        T* const target = to + column * inner + k * panel;
        const int64_t width = std::min(panel, count - column);
        std::memcpy(target, from + column, static_cast<size_t>(width) * sizeof(T));
        if (width < panel) std::fill(target + width, target + panel, T());
      }
    }
  }
};

// Pointers to the input features of one group that each element of the kernel meets, for tiles of output positions.
template <typename T>
class InputLines {
 public:
  InputLines(const ConvolutionGeometry& geometry, const T* input, const T* zeros, int64_t tile_rows)
      : g_(geometry),
        input_(input),
        zeros_(zeros),
        tile_rows_(tile_rows),
        kernel_row_size_(LastOf(g_.kernel_sizes)),
        output_row_size_(LastOf(g_.output_sizes)),
        rows_(static_cast<size_t>(g_.kernel_count / kernel_row_size_)) {}

  // Finds them for the output positions [first, first + count), which count on through the batch; rows of a tile beyond
  // the last one repeat it.
  void Find(int64_t first, int64_t count, int64_t first_batch, int64_t first_feature) {
    const int64_t tiles = (count - 1) / tile_rows_ + 1;
    lines_.resize(static_cast<size_t>(tiles * tile_rows_ * g_.kernel_count));
    used_.assign(static_cast<size_t>(tiles), {g_.kernel_count, 0});
    int64_t found_row = -1;
    for (int64_t row = 0; row < tiles * tile_rows_; ++row) {
      const int64_t position = first + std::min(row, count - 1);
      if (position / output_row_size_ != found_row) {
        found_row = position / output_row_size_;
        const int64_t batch = first_batch + position / g_.output_count;
        FindRows(position % g_.output_count / output_row_size_,
                 input_ + batch * g_.input_count * g_.features + first_feature);
      }
      FindElements(position % output_row_size_,
                   lines_.data() + row / tile_rows_ * tile_rows_ * g_.kernel_count + row % tile_rows_,
                   used_[static_cast<size_t>(row / tile_rows_)]);
    }
  }

  // Of the kernel: those outside of them meet padding alone in a tile.
  struct Elements {
    int64_t begin, end;
    int64_t count() const { return std::max<int64_t>(end - begin, 0); }
  };
  const Elements& UsedOf(int64_t tile) const { return used_[static_cast<size_t>(tile)]; }
  // Of a tile, from element `k` of the kernel on: for each element one after the other for each row.
  const T* const* Of(int64_t tile, int64_t k) const {
    return lines_.data() + (tile * g_.kernel_count + k) * tile_rows_;
  }

 private:
  // 1 without spatial dimensions.
  static int64_t LastOf(const DimensionVector& sizes) { return sizes.empty() ? 1 : sizes.back(); }

  // The rows of an image that the rows of the kernel meet at row `y` of the output.
  void FindRows(int64_t y, const T* image) {
    const int64_t row_size = LastOf(g_.input_sizes);
    for (size_t k = 0; k < rows_.size(); ++k) {
      const int64_t row = g_.spatial_rank == 0 ? 0 : g_.InputRowOf(y, static_cast<int64_t>(k));
      rows_[k] = row < 0 ? nullptr : image + row * row_size * g_.features;
    }
  }

  // The inputs that the elements of the kernel meet at place `x` of the row, `tile_rows_` pointers apart.
  void FindElements(int64_t x, const T** to, Elements& used) const {
    static constexpr int64_t kFirst[] = {0};
    const int64_t* const columns = g_.spatial_rank == 0 ? kFirst : g_.positions.back().data() + x * kernel_row_size_;
    int64_t begin = 0, end = kernel_row_size_;
    while (begin < end && columns[begin] < 0) ++begin;
    while (begin < end && columns[end - 1] < 0) --end;
    for (size_t k = 0; k < rows_.size(); ++k) {
      const T* const row = rows_[k];
      if (row != nullptr && begin < end) {
        const int64_t first = static_cast<int64_t>(k) * kernel_row_size_;
        used = {std::min(used.begin, first + begin), std::max(used.end, first + end)};
      }
      for (int64_t c = 0; c < kernel_row_size_; ++c, to += tile_rows_) {
        *to = row == nullptr || columns[c] < 0 ? zeros_ : row + columns[c] * g_.features;
      }
    }
  }

  const ConvolutionGeometry& g_;
  const T* const input_;
  const T* const zeros_;
  const int64_t tile_rows_, kernel_row_size_, output_row_size_;
  std::vector<const T*> lines_;
  std::vector<Elements> used_;  // by tile
  std::vector<const T*> rows_;  // of an image, by row of the kernel: those that a row of the output meets, or null
};

}  // namespace

template <typename T>
Outcome ConvolvePacked(const ConvolutionProblem& problem, T* result, Executor& executor) {
  static thread_local Workspace<T> shared;
  const ConvolutionGeometry g(problem);
  const MicroKernel<T>& micro = BestMicroKernel<T>();
  const int64_t group_count = problem.feature_group_count * problem.batch_group_count;  // one of the two is 1
  const int64_t group_columns = g.output_features / group_count;
  const int64_t rows = g.output_batch * g.output_count;
  const int64_t inner = g.kernel_count * g.input_features;
  const std::vector<T> zeros(static_cast<size_t>(g.input_features));

  const int64_t affordable = std::max<int64_t>(kPackedElements / std::max<int64_t>(inner, 1), 1);
  const int64_t chunk = std::min(RoundUp(group_columns, micro.columns), RoundUp(affordable, micro.columns));
  const int64_t block_rows = kBlockTiles * micro.rows;
  const int64_t row_blocks = (rows - 1) / block_rows + 1;
  const double multiply_add = MultiplyAddNanoseconds(problem.type);
  // Of a group, besides what its loops guess.
  constexpr double kGroupNanoseconds = 5000;
  CancellationPoll poll(executor);
  for (int64_t group = 0; group < group_count; ++group) {
    if (poll.Cancelled(kGroupNanoseconds)) return executor.CheckCancelled();
    const int64_t first_feature = problem.feature_group_count > 1 ? group * g.input_features : 0;
    const int64_t first_batch = problem.batch_group_count > 1 ? group * g.output_batch : 0;
    const KernelMatrix<T> matrix = {problem.kernel.elements<T>() + group * group_columns, inner, group_columns,
                                    g.output_features};
    for (int64_t column = 0; column < group_columns; column += chunk) {
      const int64_t columns = std::min(chunk, group_columns - column);
      const int64_t panels = (columns - 1) / micro.columns + 1;
      T* const packed = shared.Get(panels * micro.columns * inner);
      if (packed == nullptr) return Outcome(Outcome::kNoMemory);
      Outcome outcome = ParallelLoop(
          executor, inner, 0.3 * static_cast<double>(columns),
          [&](int64_t begin, int64_t end) { matrix.Pack(begin, end, column, columns, micro.columns, packed); });
      if (!outcome.ok()) return outcome;
      // Where there are few blocks of rows, threads share the columns too.
      const int64_t parts = row_blocks >= 8 ? 1 : std::min(panels, 8 / row_blocks);
      const double nanoseconds = static_cast<double>(block_rows * inner) / static_cast<double>(parts) * multiply_add *
                                     static_cast<double>(columns) +
                                 2.0 * static_cast<double>(block_rows * g.kernel_count);
      outcome = ParallelLoop(executor, row_blocks * parts, nanoseconds, [&](int64_t begin, int64_t end) {
        constexpr int64_t kMaxTile = 16 * 64;
        alignas(64) T edge[kMaxTile];
        InputLines<T> lines(g, problem.lhs.elements<T>(), zeros.data(), micro.rows);
        int64_t found = -1;
        for (int64_t task = begin; task < end; ++task) {
          const int64_t block = task / parts, part = task % parts;
          const int64_t first = block * block_rows, count = std::min(block_rows, rows - first);
          if (block != found) lines.Find(first, count, first_batch, first_feature);
          found = block;
          for (int64_t p = panels * part / parts; p < panels * (part + 1) / parts; ++p) {
            const int64_t width = std::min(micro.columns, columns - p * micro.columns);
            const T* const panel = packed + p * micro.columns * inner;
            T* const to = result + first * g.output_features + group * group_columns + column + p * micro.columns;
            for (int64_t row = 0; row < count; row += micro.rows) {
              const int64_t height = std::min(micro.rows, count - row);
              const auto& used = lines.UsedOf(row / micro.rows);
              const T* const* const tile = lines.Of(row / micro.rows, used.begin);
              const T* const used_panel = panel + used.begin * g.input_features * micro.columns;
              T* const target = to + row * g.output_features;
              if (height == micro.rows && width == micro.columns) {
                micro.multiply_lines(used.count(), g.input_features, tile, used_panel, target, g.output_features);
                continue;
              }
              // A tile that hangs over the edge of the result is computed whole beside it.
              micro.multiply_lines(used.count(), g.input_features, tile, used_panel, edge, micro.columns);
              for (int64_t r = 0; r < height; ++r) {
                std::memcpy(target + r * g.output_features, edge + r * micro.columns,
                            static_cast<size_t>(width) * sizeof(T));
              }
            }
          }
        }
      });
      if (!outcome.ok()) return outcome;
    }
  }
  return Outcome::kDone;
}

template Outcome ConvolvePacked<float>(const ConvolutionProblem&, float*, Executor&);
template Outcome ConvolvePacked<double>(const ConvolutionProblem&, double*, Executor&);

}  // namespace hloscope::numerics
