// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/window_planes.h"

#include <algorithm>
#include <new>
#include <span>
#include <utility>

#include "numerics/contraction/pack_lines.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

constexpr int64_t kMostLines = 64;  // of a panel that are packed together

// How the same inputs are met if windows and outputs change places: neighbouring elements of the window are then
// neighbouring outputs, which PaddedPlanes puts side by side.
ConvolutionProblem Exchanged(const ConvolutionProblem& problem) {
  ConvolutionProblem exchanged = problem;
  for (size_t j = 0; j < problem.window.size(); ++j) {
    WindowDimension& w = exchanged.window[j];
    std::swap(w.stride, w.window_dilation);
    std::swap(w.size, exchanged.output_spatial[j]);
  }
  return exchanged;
}

PaddedPlanes PlanesOf(const ConvolutionProblem& problem) {
  const ConvolutionProblem exchanged = Exchanged(problem);
  return PaddedPlanes(std::span(&exchanged, 1), 1, exchanged.output_spatial.front());
}

}  // namespace

bool WindowInputsSuit(const ConvolutionProblem& problem) {
  const size_t rank = problem.window.size();
  double copied = 1, all = 1;
  for (size_t j = 0; j < rank; ++j) {
    const WindowDimension& w = problem.window[j];
    if (w.base_dilation != 1 || w.reversal) return false;
    const double size = static_cast<double>(problem.lhs.sizes[j + 1]);
    const double outputs = static_cast<double>(problem.output_spatial[j] - 1) * static_cast<double>(w.stride);
    const double window = static_cast<double>(w.size - 1) * static_cast<double>(w.window_dilation);
    all *= size;
    copied *= outputs + window + static_cast<double>(w.window_dilation);
  }
  return problem.lhs.type == problem.type && problem.lhs.strides[rank] == 1 && copied <= 2 * all + 64;
}

template <typename T>
WindowInputs<T>::WindowInputs(const ConvolutionProblem& problem)
    : problem_(problem),
      planes_(PlanesOf(problem)),
      batch_(problem.output_batch()),
      feature_count_(problem.input_features()),
      plane_size_(planes_.is_copied() ? planes_.PlaneSize() : 0) {
  batch_stride_ = planes_.is_copied() ? plane_size_ : problem.lhs.strides.front();
  feature_stride_ = planes_.is_copied() ? plane_size_ * batch_ : problem.lhs.strides.back();
  if (!planes_.is_copied()) inputs_ = problem.lhs.elements<T>() + planes_.Start(0);
  const ConvolutionProblem exchanged = Exchanged(problem);
  const size_t rank = problem.window.size();
  int64_t outputs = 1;
  for (size_t j = 0; j < rank; ++j) {
    outputs *= problem.output_spatial[j];
    element_count_ *= problem.window[j].size;
  }
  for (int64_t position = 0; position < outputs; ++position) {
    int64_t offset = 0, rest = position;
    for (size_t j = rank; j-- > 0;) {
      offset += planes_.OffsetOf(exchanged, j, rest % problem.output_spatial[j]);
      rest /= problem.output_spatial[j];
    }
    positions_.push_back(offset);
  }
  size_t outer = rank;
  while (outer > 0 && planes_.OutputStride(outer - 1) == run_) run_ *= problem.window[--outer].size;
  for (int64_t run = 0; run < element_count_ / run_; ++run) {
    int64_t offset = 0, rest = run;
    for (size_t j = outer; j-- > 0;) {
      offset += rest % problem.window[j].size * planes_.OutputStride(j);
      rest /= problem.window[j].size;
    }
    runs_.push_back(offset);
  }
}

template <typename T>
int64_t WindowInputs<T>::CopiedBytes() const {
  return planes_.is_copied() ? batch_ * feature_count_ * plane_size_ * int64_t{sizeof(T)} : 0;
}

template <typename T>
Outcome WindowInputs<T>::Copy(Executor& executor) {
  if (!planes_.is_copied()) return {};
  const int64_t planes = batch_ * feature_count_;
  copy_.reset(new (std::nothrow) T[static_cast<size_t>(planes * plane_size_)]);
  if (copy_ == nullptr) return Outcome::kNoMemory;
  inputs_ = copy_.get();
  const StridedArray& lhs = problem_.lhs;
  return ParallelLoop(executor, planes, static_cast<double>(plane_size_) * 0.5, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      const int64_t from = n / batch_ * lhs.strides.back() + n % batch_ * lhs.strides.front();
      planes_.Copy(lhs.elements<T>() + from, 0, copy_.get() + n * plane_size_);
    }
  });
}

template <typename T>
void WindowInputs<T>::Pack(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, T* to) const {
  if (count < panel) std::fill_n(to, panel * (end - begin), T());
  for (int64_t line = 0; line < count; line += kMostLines) {
    const int64_t some_lines = std::min(kMostLines, count - line);
    const T* lines[kMostLines];
    for (int64_t l = 0; l < some_lines; ++l) {
      const int64_t position = (first + line + l) / batch_, b = (first + line + l) % batch_;
      lines[l] = inputs_ + b * batch_stride_ + positions_[static_cast<size_t>(position)];
    }
    for (int64_t k = begin; k < end;) {
      const int64_t feature = k / element_count_, element = k % element_count_, x = element % run_;
      const int64_t some = std::min(run_ - x, end - k);
      const int64_t offset = feature * feature_stride_ + runs_[static_cast<size_t>(element / run_)] + x;
      PackLines(lines, offset, some_lines, some, panel, to + (k - begin) * panel + line);
      k += some;
    }
  }
}

bool WindowKernelSuits(const ConvolutionProblem& problem) {
  const StridedArray& kernel = problem.kernel;
  const size_t rank = problem.window.size();
  int64_t count = 1;
  for (size_t j = rank; j-- > 0;) {
    if (kernel.sizes[j] != 1 && kernel.strides[j] != count) return false;
    count *= kernel.sizes[j];
  }
  // In one piece, so that all of it is looked at for numbers that are not finite.
  const int64_t features = kernel.sizes[rank], columns = kernel.sizes[rank + 1];
  const bool by_features = kernel.strides[rank + 1] == count && kernel.strides[rank] == count * columns;
  const bool by_columns = kernel.strides[rank] == count && kernel.strides[rank + 1] == count * features;
  return kernel.type == problem.type && count > 1 && (by_features || by_columns);
}

template <typename T>
WindowKernel<T>::WindowKernel(const ConvolutionProblem& problem)
    : kernel_(problem.kernel.elements<T>()),
      feature_stride_(problem.kernel.strides[problem.window.size()]),
      column_stride_(problem.kernel.strides.back()) {
  for (const WindowDimension& w : problem.window) element_count_ *= w.size;
}

template <typename T>
void WindowKernel<T>::Pack(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, T* to) const {
  for (int64_t k = begin; k < end;) {
    const int64_t element = k % element_count_, some = std::min(element_count_ - element, end - k);
    const T* const feature = kernel_ + k / element_count_ * feature_stride_;
    PackStrided(feature, column_stride_, 1, first, count, element, element + some, panel, to + (k - begin) * panel);
    k += some;
  }
}

template class WindowInputs<float>;
template class WindowInputs<double>;
template class WindowKernel<float>;
template class WindowKernel<double>;

}  // namespace hloscope::numerics
