// SPDX-License-Identifier: Apache-2.0
// The matrices whose products are a convolution of planes: the kernel, and the patches of the image that its windows
// meet.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_PATCH_MATRICES_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_PATCH_MATRICES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "numerics/contraction/pack_lines.h"
#include "numerics/convolution/convolution.h"
#include "numerics/convolution/convolution_phases.h"
#include "numerics/convolution/padded_planes.h"
#include "numerics/convolution/patch_runs.h"
#include "numerics/convolution/plane_products.h"
#include "numerics/windows/window_dimension.h"

namespace hloscope::numerics {

// The phases of `problem` that have elements of the kernel, and those that have none.
struct Phases {
  static constexpr int64_t kMostPhases = 64;

  explicit Phases(const ConvolutionProblem& problem) {
    const int64_t count = std::min(PhaseCount(problem), kMostPhases + 1);
    is_whole = count == 1;
    for (int64_t n = 0; n < std::min(count, kMostPhases); ++n) {
      ConvolutionPhase phase = PhaseOf(problem, count, n);
      rows.push_back(phase.rows);
      is_empty.push_back(phase.problem.IsEmpty());
      if (!is_empty.back()) problems.push_back(std::move(phase.problem));
    }
    are_few = count <= kMostPhases;
  }
  std::vector<ConvolutionProblem> problems;
  std::vector<PhaseRows> rows;  // of all
  std::vector<bool> is_empty;
  bool is_whole, are_few;
};

// Outputs of all phases along the first dimension; at least 1.
inline int64_t MostOutputs(const std::vector<ConvolutionProblem>& phases) {
  int64_t most = 1;
  for (const ConvolutionProblem& phase : phases) most = std::max(most, phase.output_spatial.front());
  return most;
}

// The columns of a product: `columns` outputs of one image after the other.
template <typename T>
struct PatchColumns {
  const T* inputs;
  int64_t columns, image_stride, feature_stride;
};

// The matrices of one phase: rows are output features, columns outputs, and what is summed over are the elements of the
// window for one input feature after the other.
template <typename T>
class PatchMatrices {
 public:
  PatchMatrices(const ConvolutionProblem& problem, const PaddedPlanes& planes, int64_t strip) : problem_(problem) {
    const size_t rank = problem.window.size();
    for (const WindowDimension& w : problem.window) element_count_ *= w.size;
    for (int64_t element = 0; element < element_count_; ++element) AddElement(planes, element);
    kernel_feature_stride_ = problem.kernel.strides[rank];
    kernel_row_stride_ = problem.kernel.strides[rank + 1];
    is_dense_ = kernel_feature_stride_ == element_count_ && kernel_row_stride_ == inner();
    for (size_t k = 0; k < weights_.size(); ++k) is_dense_ = is_dense_ && weights_[k] == static_cast<int64_t>(k);
    size_t outer = rank;
    while (outer > 0 && planes.OutputStride(outer - 1) == row_size_) row_size_ *= problem.output_spatial[--outer];
    int64_t rows = 1;
    for (size_t j = 0; j < outer; ++j) {
      rows *= j == 0 ? std::min(strip, problem.output_spatial[0]) : problem.output_spatial[j];
    }
    for (int64_t row = 0; row < rows; ++row) row_starts_.push_back(StartOf(planes, outer, row));
  }

  const ConvolutionProblem& problem() const { return problem_; }
  int64_t inner() const { return problem_.input_features() * element_count_; }
  // Of an image or a strip.
  OutputRows outputs() const { return {row_size_, row_starts_}; }
  // Where the elements of the window are in planes.
  const std::vector<int64_t>& elements() const { return elements_; }
  int64_t positions() const { return ColumnsOf(0, problem_.output_spatial.front()); }
  // Positions of outputs [first, first + outputs) along the first dimension, as far as there are any.
  int64_t ColumnsOf(int64_t first, int64_t outputs) const {
    int64_t columns = std::clamp<int64_t>(problem_.output_spatial.front() - first, 0, outputs);
    for (size_t j = 1; j < problem_.output_spatial.size(); ++j) columns *= problem_.output_spatial[j];
    return columns;
  }

  // As PackPanel says.
  void PackRows(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, T* to) const {
    const T* const kernel = problem_.kernel.elements<T>();
    if (is_dense_) return PackStrided(kernel, inner(), 1, first, count, begin, end, panel, to);
    if (count < panel) std::fill_n(to, panel * (end - begin), T());
    int64_t element = begin % element_count_;
    const T* feature = kernel + first * kernel_row_stride_ + begin / element_count_ * kernel_feature_stride_;
    for (int64_t k = begin; k < end; ++k, to += panel) {
      const T* const weights = feature + weights_[static_cast<size_t>(element)];
      for (int64_t row = 0; row < count; ++row) to[row] = weights[row * kernel_row_stride_];
      if (++element == element_count_) {
        element = 0;
        feature += kernel_feature_stride_;
      }
    }
  }

  void PackColumns(const PatchColumns<T>& patches, int64_t first, int64_t count, int64_t begin, int64_t end,
                   int64_t panel, T* to) const {
    if (count < panel) std::fill_n(to, panel * (end - begin), T());
    for (int64_t column = 0; column < count;) {
      const int64_t image = (first + column) / patches.columns, position = (first + column) % patches.columns;
      const int64_t row = position / row_size_, x = position % row_size_;
      const int64_t run = std::min(row_size_ - x, count - column);
      const T* const from = patches.inputs + image * patches.image_stride + row_starts_[static_cast<size_t>(row)] + x;
      CopyPatchRun({reinterpret_cast<const uint8_t*>(from), patches.feature_stride * kSize, inputs_.data(),
                    element_count_, begin, end, run * kSize},
                   panel * kSize, reinterpret_cast<uint8_t*>(to + column));
      column += run;
    }
  }

  // Outputs whose window reaches beyond the input.
  std::vector<int64_t> PositionsBesideInput() const {
    const size_t last = problem_.window.size() - 1;
    const int64_t columns = problem_.output_spatial[last];
    std::vector<int64_t> all(static_cast<size_t>(columns)), beside_columns, beside;
    std::iota(all.begin(), all.end(), int64_t{0});
    std::copy_if(all.begin(), all.end(), std::back_inserter(beside_columns),
                 [&](int64_t column) { return IsBesideInput(last, column); });
    for (int64_t row = 0; row < positions() / columns; ++row) {
      bool is_beside = false;
      int64_t rest = row;
      for (size_t j = last; j-- > 0;) {
        is_beside = is_beside || IsBesideInput(j, rest % problem_.output_spatial[j]);
        rest /= problem_.output_spatial[j];
      }
      for (const int64_t column : is_beside ? all : beside_columns) beside.push_back(row * columns + column);
    }
    return beside;
  }

  bool HasFiniteWeights(int64_t row) const {
    for (int64_t z = 0; z < problem_.input_features(); ++z) {
      const T* const weights = problem_.kernel.elements<T>() + row * kernel_row_stride_ + z * kernel_feature_stride_;
      for (const int64_t weight : weights_) {
        if (!std::isfinite(weights[weight])) return false;
      }
    }
    return true;
  }

  T SumByFormula(int64_t image, int64_t row, int64_t position) const {
    const StridedArray& lhs = problem_.lhs;
    const T* const weights = problem_.kernel.elements<T>() + row * kernel_row_stride_;
    T sum = T();
    for (int64_t element = 0; element < element_count_; ++element) {
      int64_t offset = image * lhs.strides.front(), place = element, output = position;
      bool is_inside = true;
      for (size_t j = problem_.window.size(); j-- > 0;) {
        const WindowDimension& w = problem_.window[j];
        const int64_t k = place % w.size, y = output % problem_.output_spatial[j];
        const int64_t input = BasePosition(w, lhs.sizes[j + 1], y, w.reversal ? w.size - 1 - k : k);
        is_inside = is_inside && input >= 0;
        offset += input * lhs.strides[j + 1];
        place /= w.size;
        output /= problem_.output_spatial[j];
      }
      if (!is_inside) continue;
      for (int64_t z = 0; z < problem_.input_features(); ++z) {
        sum += lhs.elements<T>()[offset + z * lhs.strides.back()] *
               weights[weights_[static_cast<size_t>(element)] + z * kernel_feature_stride_];
      }
    }
    return sum;
  }

 private:
  static constexpr int64_t kSize = sizeof(T);

  void AddElement(const PaddedPlanes& planes, int64_t element) {
    int64_t input = 0, weight = 0;
    for (size_t j = problem_.window.size(); j-- > 0;) {
      const WindowDimension& w = problem_.window[j];
      const int64_t place = element % w.size;
      element /= w.size;
      weight += place * problem_.kernel.strides[j];
      input += planes.OffsetOf(problem_, j, w.reversal ? w.size - 1 - place : place);
    }
    elements_.push_back(input);
    inputs_.push_back(input * kSize);
    weights_.push_back(weight);
  }

  // Whether what an output meets in dimension `j` reaches beyond the input.
  bool IsBesideInput(size_t j, int64_t output) const {
    const WindowDimension& w = problem_.window[j];
    const int64_t first = output * w.stride - w.padding_low;
    return first < 0 || first + (w.size - 1) * w.window_dilation >= problem_.lhs.sizes[j + 1];
  }

  // Where what a row of outputs meets starts; the rows are counted along the dimensions before `outer`.
  int64_t StartOf(const PaddedPlanes& planes, size_t outer, int64_t row) const {
    int64_t start = 0;
    for (size_t j = outer; j-- > 0;) {
      const int64_t size = j == 0 ? row + 1 : problem_.output_spatial[j];
      start += row % size * planes.OutputStride(j);
      row /= size;
    }
    return start;
  }

  const ConvolutionProblem& problem_;
  int64_t element_count_ = 1;      // of the window
  std::vector<int64_t> elements_;  // where its elements are in planes
  std::vector<int64_t> inputs_;    // the same in bytes
  std::vector<int64_t> weights_;   // and in the kernel
  int64_t kernel_feature_stride_, kernel_row_stride_;
  bool is_dense_;                    // the kernel: [output feature, input feature, element]
  int64_t row_size_ = 1;             // outputs that meet neighbours
  std::vector<int64_t> row_starts_;  // of what each row of outputs meets
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_PATCH_MATRICES_H_
