// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/padded_planes.h"

#include <algorithm>

namespace hloscope::numerics {

PaddedPlanes::PaddedPlanes(std::span<const ConvolutionProblem> problems, int64_t features) : features_(features) {
  const StridedArray& lhs = problems.front().lhs;
  const size_t rank = problems.front().window.size(), last = rank - 1;
  for (size_t j = 0; j < rank; ++j) {
    const int64_t step = problems.front().window[j].stride;
    int64_t low = problems.front().window[j].padding_low, extent = 0, size = 0, outputs = 0;
    for (const ConvolutionProblem& problem : problems) low = std::max(low, problem.window[j].padding_low);
    for (const ConvolutionProblem& problem : problems) {
      const WindowDimension& w = problem.window[j];
      const int64_t met = low - w.padding_low + (w.size - 1) * w.window_dilation + 1;
      extent = std::max(extent, met);
      size = std::max(size, met + (problem.output_spatial[j] - 1) * step);
      outputs = std::max(outputs, problem.output_spatial[j]);
    }
    inputs_.push_back(lhs.sizes[j + 1]);
    input_strides_.push_back(lhs.strides[j + 1]);
    low_.push_back(low);
    steps_.push_back(step);
    extents_.push_back(extent);
    kept_.push_back(std::min(extent, step));
    sizes_.push_back(extent < step ? outputs * extent : size);
    is_copied_ = is_copied_ || low > 0 || size - low > lhs.sizes[j + 1];
  }
  is_copied_ = is_copied_ || steps_[last] > 1;
  segment_ = (sizes_[last] - 1) / kept_[last] + 1;
  pitch_ = kept_[last] * segment_;
  strides_ = DimensionVector(rank, 1);
  int64_t stride = pitch_ * features_;
  for (size_t j = last; j-- > 0;) {
    strides_[j] = is_copied_ ? stride : input_strides_[j];
    stride *= sizes_[j];
  }
  feature_stride_ = lhs.strides.back();
}

int64_t PaddedPlanes::PlaneSize(int64_t outputs) const {
  return sizes_.size() == 1 ? pitch_ : RowsAlongFirst(outputs) * (strides_[0] / features_);
}

int64_t PaddedPlanes::OffsetOf(const ConvolutionProblem& problem, size_t j, int64_t offset) const {
  const WindowDimension& w = problem.window[j];
  const int64_t place = low_[j] - w.padding_low + offset * w.window_dilation;
  return j + 1 < sizes_.size() ? place * strides_[j] : place % kept_[j] * segment_ + place / kept_[j];
}

int64_t PaddedPlanes::Start(int64_t first) const {
  int64_t start = 0;
  for (size_t j = 0; j < sizes_.size(); ++j) {
    start += ((j == 0 ? first * steps_[0] : 0) - low_[j]) * input_strides_[j];
  }
  return start;
}

template <typename T>
void PaddedPlanes::Copy(const T* plane, int64_t first, int64_t outputs, T* to) const {
  const size_t last = sizes_.size() - 1;
  const int64_t rows = PlaneSize(outputs) / pitch_;
  for (int64_t row = 0; row < rows; ++row, to += pitch_ * features_) {
    const T* from = plane;
    bool is_inside = true;
    int64_t rest = row;
    for (size_t j = last; j-- > 0;) {
      const int64_t kept = j == 0 ? rest : rest % sizes_[j], output = kept / kept_[j] + (j == 0 ? first : 0);
      const int64_t place = output * steps_[j] + kept % kept_[j] - low_[j];
      rest /= sizes_[j];
      is_inside = is_inside && place >= 0 && place < inputs_[j];
      from += place * input_strides_[j];
    }
    if (is_inside) {
      CopyRow(from, to);
    } else {
      std::fill_n(to, pitch_, T());
    }
  }
}

template <typename T>
void PaddedPlanes::CopyRow(const T* from, T* to) const {
  const int64_t step = steps_.back(), low = low_.back();
  for (int64_t remainder = 0; remainder < kept_.back(); ++remainder, to += segment_) {
    // Of places remainder + i * step - low.
    const auto first_from = [&](int64_t place) {
      const int64_t distance = place + low - remainder;
      return std::clamp<int64_t>(distance <= 0 ? 0 : (distance - 1) / step + 1, 0, segment_);
    };
    const int64_t begin = first_from(0), end = std::max(begin, first_from(inputs_.back()));
    std::fill(to, to + begin, T());
    const T* const inputs = from + (remainder - low);
    if (step == 1) {
      std::copy(inputs + begin, inputs + end, to + begin);
    } else {
      for (int64_t i = begin; i < end; ++i) to[i] = inputs[i * step];
    }
    std::fill(to + end, to + segment_, T());
  }
}

template void PaddedPlanes::Copy<float>(const float*, int64_t, int64_t, float*) const;
template void PaddedPlanes::Copy<double>(const double*, int64_t, int64_t, double*) const;

}  // namespace hloscope::numerics
