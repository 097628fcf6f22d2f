// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/plane_products.h"

#include <algorithm>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/contraction/tile_product.h"
#include "numerics/convolution/patch_runs.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Tiles of columns that meet a panel of the kernel while it is in the innermost cache.
constexpr int64_t kTilesTogether = 4;

// The outputs of a tile of columns: pieces of rows.
template <typename T>
class TileOutputs {
 public:
  TileOutputs(const OutputRows& outputs, int64_t column, int64_t columns) : outputs_(outputs), columns_(columns) {
    const auto after = std::upper_bound(outputs.starts.begin(), outputs.starts.end(), column);
    row_ = std::max<int64_t>(after - outputs.starts.begin() - 1, 0);
    MoveTo(column);
  }

  // To a later column.
  void MoveTo(int64_t column) {
    column_ = column;
    while (row_ + 1 < row_count() && End(row_) <= column) ++row_;
  }

  // All are outputs, neighbours in the result: of the first one.
  bool IsWhole() const { return column_ >= Start(row_) && column_ + columns_ <= End(row_); }
  int64_t FirstPosition() const { return row_ * outputs_.row_size + column_ - Start(row_); }

  // Copies the first `height` rows of a tile.
  void Store(const T* tile, int64_t height, T* to, int64_t row_stride) const {
    static constexpr int64_t kFirst = 0, kSize = sizeof(T);
    for (int64_t row = row_; row < row_count() && Start(row) < column_ + columns_; ++row) {
      const int64_t begin = std::max(Start(row), column_), end = std::min(End(row), column_ + columns_);
      if (begin >= end) continue;
      CopyPatchRun({reinterpret_cast<const uint8_t*>(tile + begin - column_), columns_ * kSize, &kFirst, 1, 0, height,
                    (end - begin) * kSize},
                   row_stride * kSize, reinterpret_cast<uint8_t*>(to + row * outputs_.row_size + begin - Start(row)));
    }
  }

 private:
  int64_t row_count() const { return static_cast<int64_t>(outputs_.starts.size()); }
  int64_t Start(int64_t row) const { return outputs_.starts[static_cast<size_t>(row)]; }
  int64_t End(int64_t row) const { return Start(row) + outputs_.row_size; }

  const OutputRows& outputs_;
  const int64_t columns_;
  int64_t column_ = 0, row_ = 0;  // the first row that does not end before the column
};

}  // namespace

template <typename T>
Outcome MultiplyPlanes(const T* kernel, int64_t rows, const PlaneColumns<T>& inputs, const OutputRows& outputs,
                       int64_t images, int64_t image_stride, const PlaneResults<T>& results, Executor& executor) {
  const MicroKernel<T>& micro = BestMicroKernel<T>();
  const int64_t inner = inputs.features * inputs.element_count, columns = PlaneColumnsOf(outputs);
  const int64_t part = kTilesTogether * micro.columns, parts = (columns - 1) / part + 1;
  const double nanoseconds = static_cast<double>(part * inner * rows) *
                             MultiplyAddNanoseconds(sizeof(T) == sizeof(float) ? ElementType::kF32 : ElementType::kF64);
  return ParallelLoop(executor, images * parts, nanoseconds, [&](int64_t begin, int64_t end) {
    CancellationPoll poll(executor);
    alignas(64) T tile[kMaxTile];
    for (int64_t n = begin; n < end; ++n) {
      const int64_t image = n / parts, first = n % parts * part, last = std::min(columns, first + part);
      T* const to = results.data + image * results.image_stride;
      const TileOutputs<T> first_places(outputs, first, micro.columns);
      for (int64_t row = 0; row < rows; row += micro.rows) {
        const int64_t height = std::min(micro.rows, rows - row);
        TileOutputs<T> places = first_places;
        for (int64_t column = first; column < last; column += micro.columns) {
          places.MoveTo(column);
          PlaneColumns<T> met = inputs;
          met.columns += image * image_stride + column;
          T* const row_results = to + row * results.row_stride;
          if (places.IsWhole() && height == ComputedRows(micro.rows, height)) {
            micro.multiply_planes(height, kernel + row * inner, met, row_results + places.FirstPosition(),
                                  results.row_stride);
            continue;
          }
          micro.multiply_planes(height, kernel + row * inner, met, tile, micro.columns);
          places.Store(tile, height, row_results, results.row_stride);
        }
      }
      if (poll.Cancelled(nanoseconds)) return;
    }
  });
}

template Outcome MultiplyPlanes<float>(const float*, int64_t, const PlaneColumns<float>&, const OutputRows&, int64_t,
                                       int64_t, const PlaneResults<float>&, Executor&);
template Outcome MultiplyPlanes<double>(const double*, int64_t, const PlaneColumns<double>&, const OutputRows&, int64_t,
                                        int64_t, const PlaneResults<double>&, Executor&);

}  // namespace hloscope::numerics
