// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/padded_planes.h"

#include <algorithm>
#include <utility>

#include "numerics/convolution/depthwise_lanes.h"

namespace hloscope::numerics {

PaddedPlanes::PaddedPlanes(std::span<const ConvolutionProblem> problems, int64_t features, int64_t outputs)
    : outputs_(outputs), features_(features) {
  const StridedArray& lhs = problems.front().lhs;
  const size_t rank = problems.front().window.size(), last = rank - 1;
  for (size_t j = 0; j < rank; ++j) {
    const int64_t step = problems.front().window[j].stride;
    int64_t low = problems.front().window[j].padding_low, extent = 0, size = 0, most = 0;
    for (const ConvolutionProblem& problem : problems) low = std::max(low, problem.window[j].padding_low);
    for (const ConvolutionProblem& problem : problems) {
      const WindowDimension& w = problem.window[j];
      const int64_t met = low - w.padding_low + (w.size - 1) * w.window_dilation + 1;
      extent = std::max(extent, met);
      size = std::max(size, met + (problem.output_spatial[j] - 1) * step);
      most = std::max(most, problem.output_spatial[j]);
    }
    inputs_.push_back(lhs.sizes[j + 1]);
    input_strides_.push_back(lhs.strides[j + 1]);
    low_.push_back(low);
    steps_.push_back(step);
    extents_.push_back(extent);
    kept_.push_back(std::min(extent, step));
    segments_.push_back(SegmentOf(j, j == 0 && rank > 1 ? outputs : most));
    is_copied_ = is_copied_ || low > 0 || size - low > lhs.sizes[j + 1];
  }
  is_copied_ = is_copied_ || steps_[last] > 1;
  strides_ = DimensionVector(rank, 1);
  int64_t stride = segments_[last] * features_;
  for (size_t j = last; j-- > 0;) {
    strides_[j] = is_copied_ ? stride : input_strides_[j];
    stride *= kept_[j] * segments_[j];
  }
  remainder_stride_ = stride;
  feature_stride_ = lhs.strides.back();
}

int64_t PaddedPlanes::PlaneSize(int64_t outputs) const {
  const int64_t remainder =
      strides_.size() == 1 ? segments_[0] : kept_[0] * SegmentOf(0, outputs) * (strides_[0] / features_);
  return kept_.back() * remainder;
}

int64_t PaddedPlanes::OffsetOf(const ConvolutionProblem& problem, size_t j, int64_t offset) const {
  const WindowDimension& w = problem.window[j];
  const int64_t place = low_[j] - w.padding_low + offset * w.window_dilation;
  if (!is_copied_) return place * strides_[j];
  const int64_t remainder_stride = j + 1 == strides_.size() ? remainder_stride_ : segments_[j] * strides_[j];
  return place % kept_[j] * remainder_stride + place / kept_[j] * strides_[j];
}

int64_t PaddedPlanes::Start(int64_t first) const {
  int64_t start = 0;
  for (size_t j = 0; j < strides_.size(); ++j) {
    start += ((j == 0 ? first * steps_[0] : 0) - low_[j]) * input_strides_[j];
  }
  return start;
}

template <typename T>
void PaddedPlanes::Copy(const T* plane, int64_t first, T* to) const {
  const size_t last = strides_.size() - 1;
  const int64_t segment = segments_.back(), rows = PlaneSize() / (kept_.back() * segment);
  for (int64_t row = 0; row < rows; ++row, to += segment * features_) {
    const T* from = plane;
    bool is_inside = true;
    int64_t rest = row;
    for (size_t j = last; j-- > 0;) {
      const int64_t output = rest % segments_[j] + (j == 0 ? first : 0);
      rest /= segments_[j];
      const int64_t place = output * steps_[j] + rest % kept_[j] - low_[j];
      rest /= kept_[j];
      is_inside = is_inside && place >= 0 && place < inputs_[j];
      from += place * input_strides_[j];
    }
    if (is_inside) {
      CopyRow(from, to);
    } else {
      for (int64_t remainder = 0; remainder < kept_.back(); ++remainder) {
        std::fill_n(to + remainder * remainder_stride_, segment, T());
      }
    }
  }
}

template <typename T>
void PaddedPlanes::CopyRow(const T* from, T* to) const {
  const int64_t step = steps_.back(), low = low_.back(), segment = segments_.back();
  struct Remainder {
    const T* inputs;
    int64_t count;
    T* to;
  };
  // Its inputs, of places remainder + i * step - low, with zeros around them.
  const auto prepare = [&](int64_t remainder) -> Remainder {
    const auto first_from = [&](int64_t place) {
      const int64_t distance = place + low - remainder;
      return std::clamp<int64_t>(distance <= 0 ? 0 : (distance - 1) / step + 1, 0, segment);
    };
    const int64_t begin = first_from(0), end = std::max(begin, first_from(inputs_.back()));
    T* const row = to + remainder * remainder_stride_;
    std::fill(row, row + begin, T());
    std::fill(row + end, row + segment, T());
    return {from + (begin * step + remainder - low), end - begin, row + begin};
  };
  if (kept_.back() == 2 && step == 2) {
    Remainder even = prepare(0), odd = prepare(1);
    if (odd.inputs < even.inputs) std::swap(even, odd);
    const int64_t pairs = odd.inputs == even.inputs + 1 ? std::min(even.count, odd.count) : 0;
    SplitPairs(even.inputs, pairs, even.to, odd.to);
    for (const Remainder& r : {even, odd}) CopyEach(r.inputs + pairs * 2, 2, r.count - pairs, r.to + pairs);
    return;
  }
  for (int64_t remainder = 0; remainder < kept_.back(); ++remainder) {
    const Remainder r = prepare(remainder);
    if (step == 1) {
      std::copy_n(r.inputs, r.count, r.to);
    } else {
      CopyEach(r.inputs, step, r.count, r.to);
    }
  }
}

template void PaddedPlanes::Copy<float>(const float*, int64_t, float*) const;
template void PaddedPlanes::Copy<double>(const double*, int64_t, double*) const;

}  // namespace hloscope::numerics
