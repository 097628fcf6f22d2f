// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluator/tensor/fitting_scale.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

constexpr int64_t kElementsBetweenPolls = 1 << 16;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Running mean and variance (Welford), so that large means do not swallow small spreads.
class Accumulator {
 public:
  void Add(double value) {
    ++summary_.count;
    if (std::isnan(value)) {
      ++summary_.nan_count;
      return;
    }
    if (value == 0) ++summary_.zero_count;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
    if (std::isinf(value)) {
      ++summary_.infinity_count;
      return;
    }
    ++finite_;
    if (const double factor = scale_.Fit(std::abs(value)); factor != 1) {
      mean_ *= factor;
      squares_ *= factor * factor;
    }
    const double scaled = value * scale_.scale(), difference = scaled - mean_;
    mean_ += difference / static_cast<double>(finite_);
    squares_ += difference * (scaled - mean_);
  }

  // Of elements each of which is there `repetitions` times.
  TensorSummary Finish(int64_t repetitions, bool incomplete) {
    if (summary_.count > summary_.nan_count) {
      summary_.min = min_;
      summary_.max = max_;
    } else {
      summary_.min = summary_.max = kNaN;
    }
    if (finite_ == 0) summary_.mean = summary_.standard_deviation = kNaN;
    if (finite_ > 0) {
      summary_.mean = scale_.Unscaled(mean_);
      summary_.standard_deviation = scale_.Unscaled(std::sqrt(squares_ / static_cast<double>(finite_)));
    }
    for (int64_t* count : {&summary_.count, &summary_.nan_count, &summary_.infinity_count, &summary_.zero_count}) {
      *count *= repetitions;
    }
    summary_.incomplete = incomplete;
    return summary_;
  }

 private:
  TensorSummary summary_;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
  FittingScale scale_;
  double mean_ = 0, squares_ = 0;  // scaled
  int64_t finite_ = 0;
};

}  // namespace

double ElementAsDouble(ElementType type, const uint8_t* element) {
  return IsComplex(type) ? MagnitudeOf(ReadComplex(type, element)) : ReadReal(type, element);
}

namespace {

// One element where the tensor repeats it along a dimension.
Tensor WithoutRepetitions(const Tensor& tensor, int64_t* repetitions) {
  DimensionVector dimensions, strides;
  *repetitions = 1;
  for (int64_t d = 0; d < tensor.rank(); ++d) {
    const int64_t stride = tensor.strides()[static_cast<size_t>(d)];
    if (stride == 0) {
      *repetitions *= tensor.dimension(d);
      continue;
    }
    dimensions.push_back(tensor.dimension(d));
    strides.push_back(stride);
  }
  return *repetitions == 1 ? tensor : tensor.View(dimensions, strides, 0);
}

}  // namespace

TensorSummary Summarize(const Tensor& tensor, const std::atomic<bool>* cancelled, int64_t max_elements) {
  return Summarize(
      tensor, [cancelled] { return cancelled != nullptr && cancelled->load(std::memory_order_relaxed); }, max_elements);
}

TensorSummary Summarize(const Tensor& tensor, absl::FunctionRef<bool()> is_over, int64_t max_elements) {
  Accumulator accumulator;
  if (!tensor.has_buffer() || tensor.element_count() == 0) return accumulator.Finish(1, false);
  int64_t repetitions = 1;
  const Tensor base = WithoutRepetitions(tensor, &repetitions);
  const ElementType type = base.element_type();
  const int64_t total = std::min(base.element_count(), max_elements);
  const int64_t rank = base.rank();
  const int64_t inner = rank > 0 ? base.dimension(rank - 1) : 1;
  const int64_t inner_stride = rank > 0 ? base.strides()[static_cast<size_t>(rank - 1)] * base.element_bytes() : 0;
  DimensionVector index(static_cast<size_t>(rank), 0);
  int64_t until_poll = kElementsBetweenPolls;
  for (int64_t done = 0; done < total; done += inner) {
    const uint8_t* row = base.At(index);
    const int64_t count = std::min(inner, total - done);
    for (int64_t i = 0; i < count; ++i) {
      accumulator.Add(ElementAsDouble(type, row + i * inner_stride));
      if (--until_poll > 0) continue;
      until_poll = kElementsBetweenPolls;
      if (is_over()) return accumulator.Finish(repetitions, true);
    }
    for (int64_t d = rank - 2; d >= 0; --d) {
      if (++index[static_cast<size_t>(d)] < base.dimension(d)) break;
      index[static_cast<size_t>(d)] = 0;
    }
  }
  return accumulator.Finish(repetitions, total < base.element_count());
}

}  // namespace hloscope::evaluator
