// SPDX-License-Identifier: Apache-2.0
// Where a convolution's inputs lie, as the left operand of a matrix product whose rows are output positions.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_INPUT_LINES_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_INPUT_LINES_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "numerics/convolution/convolution_geometry.h"

namespace hloscope::numerics {

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
                 input_ + batch * g_.input_count * g_.input_pitch + first_feature);
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
  // The inputs that the last element of the kernel meets that is used: those that no tile before met.
  const T* const* LastOf(int64_t tile) const { return Of(tile, std::max<int64_t>(UsedOf(tile).end - 1, 0)); }

 private:
  // 1 without spatial dimensions.
  static int64_t LastOf(const DimensionVector& sizes) { return sizes.empty() ? 1 : sizes.back(); }

  // The rows of an image that the rows of the kernel meet at row `y` of the output.
  void FindRows(int64_t y, const T* image) {
    const int64_t row_size = LastOf(g_.input_sizes);
    for (size_t k = 0; k < rows_.size(); ++k) {
      const int64_t row = g_.spatial_rank == 0 ? 0 : g_.InputRowOf(y, static_cast<int64_t>(k));
      rows_[k] = row < 0 ? nullptr : image + row * row_size * g_.input_pitch;
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
        *to = row == nullptr || columns[c] < 0 ? zeros_ : row + columns[c] * g_.input_pitch;
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

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_INPUT_LINES_H_
