// SPDX-License-Identifier: Apache-2.0
// Where the elements of a convolution meet.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_GEOMETRY_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_GEOMETRY_H_

#include <cstdint>
#include <vector>

#include "numerics/convolution/convolution.h"
#include "numerics/parallel/small_vector.h"
#include "numerics/windows/window_dimension.h"

namespace hloscope::numerics {

// What all loops share: counts, and the spatial geometry, as tables as far as those are small.
struct ConvolutionGeometry {
  // Of windows that are as wide as the input, a table of all positions would be the square of it.
  static constexpr int64_t kMaxTable = int64_t{1} << 21;

  explicit ConvolutionGeometry(const ConvolutionProblem& problem)
      : window(problem.window),
        spatial_rank(problem.window.size()),
        features(problem.lhs.sizes.back()),
        input_pitch(problem.input_pitch > 0 ? problem.input_pitch : features),
        input_features(problem.input_features()),
        output_features(problem.output_features()),
        output_batch(problem.output_batch()) {
    for (size_t j = 0; j < spatial_rank; ++j) {
      const int64_t input_size = problem.lhs.sizes[j + 1];
      input_sizes.push_back(input_size);
      output_sizes.push_back(problem.output_spatial[j]);
      kernel_sizes.push_back(problem.window[j].size);
      reversals.push_back(problem.window[j].reversal ? 1 : 0);
      is_reversed = is_reversed || problem.window[j].reversal;
      output_count *= problem.output_spatial[j];
      kernel_count *= problem.window[j].size;
      input_count *= input_size;
      positions.emplace_back();
      int64_t pairs;
      if (__builtin_mul_overflow(problem.output_spatial[j], problem.window[j].size, &pairs) || pairs > kMaxTable) {
        has_tables = false;
        const WindowDimension& w = problem.window[j];
        has_holes = has_holes || w.padding_low > 0 || w.padding_high > 0 || w.base_dilation > 1;
        continue;
      }
      positions[j].reserve(static_cast<size_t>(pairs));
      for (int64_t y = 0; y < problem.output_spatial[j]; ++y) {
        for (int64_t k = 0; k < problem.window[j].size; ++k) positions[j].push_back(FindPosition(j, y, k));
      }
      for (int64_t position : positions.back()) has_holes = has_holes || position < 0;
    }
  }

  // The input position in spatial dimension `j` that kernel element `k` meets at output `y`, all in that dimension; -1
  // for none.
  int64_t Position(size_t j, int64_t y, int64_t k) const {
    if (positions[j].empty()) return FindPosition(j, y, k);
    return positions[j][static_cast<size_t>(y * kernel_sizes[j] + k)];
  }

  // The element of the kernel at an offset of the window (row-major numbers). Sums are taken in the order of the
  // offsets, as in the formula; reversal only changes which element is read.
  int64_t ElementAt(int64_t offset) const {
    if (!is_reversed) return offset;
    int64_t element = 0, scale = 1;
    for (size_t j = spatial_rank; j-- > 0;) {
      const int64_t place = offset % kernel_sizes[j];
      element += (reversals[j] != 0 ? kernel_sizes[j] - 1 - place : place) * scale;
      scale *= kernel_sizes[j];
      offset /= kernel_sizes[j];
    }
    return element;
  }
  // Spatial number of the input element that kernel element `k` meets at output `y` (row-major numbers); -1 for none.
  int64_t InputOf(int64_t y, int64_t k) const { return InputOf(y, k, spatial_rank); }
  // The same of rows along the last spatial dimension: input row, kernel row, output row. Requires spatial_rank >= 1.
  int64_t InputRowOf(int64_t y, int64_t k) const { return InputOf(y, k, spatial_rank - 1); }

  std::vector<WindowDimension> window;
  size_t spatial_rank;
  int64_t features;
  int64_t input_pitch;  // from one position of the input to the next; `features` where they do not overlap
  int64_t input_features, output_features, output_batch;
  int64_t output_count = 1, kernel_count = 1, input_count = 1;
  DimensionVector input_sizes, output_sizes, kernel_sizes, reversals;
  bool is_reversed = false;  // in some dimension
  // By (output position, element of the kernel), row-major; empty for a dimension with more than kMaxTable of them.
  std::vector<std::vector<int64_t>> positions;
  bool has_tables = true;  // for all dimensions
  bool has_holes = false;  // without tables also where there might be some

 private:
  int64_t FindPosition(size_t j, int64_t y, int64_t k) const {
    return BasePosition(window[j], input_sizes[j], y, window[j].reversal ? window[j].size - 1 - k : k);
  }
  int64_t InputOf(int64_t y, int64_t k, size_t rank) const {
    int64_t input = 0, scale = 1;
    for (size_t j = rank; j-- > 0;) {
      const int64_t p = Position(j, y % output_sizes[j], k % kernel_sizes[j]);
      if (p < 0) return -1;
      input += p * scale;
      scale *= input_sizes[j];
      y /= output_sizes[j];
      k /= kernel_sizes[j];
    }
    return input;
  }
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_GEOMETRY_H_
