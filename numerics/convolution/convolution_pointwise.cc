// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_pointwise.h"

#include <algorithm>
#include <cstring>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Images of fewer positions are brought side by side: the kernel is then packed once for many columns.
constexpr int64_t kManyPositions = 512, kColumns = 1024;
// Of the copies, which are kept for the next time.
constexpr int64_t kMostBytes = int64_t{8} << 20;

// Every output meets an input. (High padding may be negative.)
bool IsPointwise(const WindowDimension& w, int64_t inputs, int64_t outputs) {
  return w.size == 1 && w.padding_low == 0 && w.base_dilation == 1 && (outputs - 1) * w.stride < inputs;
}

// Strides or padding leave inputs out.
bool LeavesInputsOut(const ConvolutionProblem& problem) {
  return !std::equal(problem.output_spatial.begin(), problem.output_spatial.end(), problem.lhs.sizes.begin() + 1);
}

// Elements `step` apart, side by side.
template <typename T>
void CopyApart(const uint8_t* from, int64_t count, int64_t step, uint8_t* to) {
  const T* const elements = reinterpret_cast<const T*>(from);
  T* const dense = reinterpret_cast<T*>(to);
  for (int64_t i = 0; i < count; ++i) dense[i] = elements[i * step];
}

class PointwiseProduct {
 public:
  PointwiseProduct(const ConvolutionProblem& problem, uint8_t* result)
      : problem_(problem), result_(result), bytes_(StorageBytes(problem.type)), leaves_out_(LeavesInputsOut(problem)) {
    sizes_ = {problem.output_features(), 1, problem.input_features()};
    for (const int64_t size : problem.output_spatial) sizes_.columns *= size;
    const size_t feature = problem.kernel.rank() - 1;
    kernel_ = {problem.kernel.data, problem.kernel.strides[feature], problem.kernel.strides[feature - 1]};
    if (sizes_.columns < kManyPositions) {
      const int64_t most =
          std::min(kColumns / sizes_.columns, kMostBytes / (row_bytes() * (sizes_.inner + sizes_.rows)));
      images_ = std::clamp<int64_t>(most, 1, problem.output_batch());
    }
  }

  Outcome Run(Executor& executor) const {
    if (images_ == 1 && !leaves_out_) {
      const MatrixView image = {problem_.lhs.data, problem_.lhs.strides.back(), 1};
      return MultiplyMatrixBatch(problem_.type, problem_.output_batch(), sizes_, kernel_, 0, image,
                                 problem_.lhs.strides.front(), result_, executor);
    }
    static thread_local Workspace<uint8_t> inputs, products;
    uint8_t* const input = inputs.Get(images_ * sizes_.inner * row_bytes());
    uint8_t* const product = products.Get(images_ * sizes_.rows * row_bytes());
    if (input == nullptr || product == nullptr) return Outcome::kNoMemory;
    for (int64_t first = 0; first < problem_.output_batch(); first += images_) {
      const Outcome outcome = MultiplySideBySide(first, input, product, executor);
      if (!outcome.ok()) return outcome;
    }
    return {};
  }

 private:
  int64_t row_bytes() const { return sizes_.columns * bytes_; }  // of a plane

  // The images from `first` on.
  Outcome MultiplySideBySide(int64_t first, uint8_t* input, uint8_t* product, Executor& executor) const {
    const int64_t count = std::min(images_, problem_.output_batch() - first), row = row_bytes();
    const double nanoseconds = static_cast<double>(count * row) / 8;
    const auto plane = [&](int64_t image, int64_t feature) {
      return problem_.lhs.data +
             ((first + image) * problem_.lhs.strides.front() + feature * problem_.lhs.strides.back()) * bytes_;
    };
    Outcome outcome = ParallelLoop(executor, sizes_.inner, nanoseconds, [&](int64_t begin, int64_t end) {
      for (int64_t f = begin; f < end; ++f) {
        for (int64_t i = 0; i < count; ++i) {
          CopyPlane(plane(i, f), input + (f * count + i) * row);
        }
      }
    });
    if (!outcome.ok()) return outcome;
    const GemmSizes all = {sizes_.rows, count * sizes_.columns, sizes_.inner};
    outcome = MultiplyMatrixBatch(problem_.type, 1, all, kernel_, 0, {input, all.columns, 1}, 0, product, executor);
    if (!outcome.ok()) return outcome;
    return ParallelLoop(executor, sizes_.rows, nanoseconds, [&](int64_t begin, int64_t end) {
      for (int64_t f = begin; f < end; ++f) {
        for (int64_t i = 0; i < count; ++i) {
          std::memcpy(result_ + ((first + i) * sizes_.rows + f) * row, product + (f * count + i) * row,
                      static_cast<size_t>(row));
        }
      }
    });
  }

  // The elements that the window meets.
  void CopyPlane(const uint8_t* from, uint8_t* to) const {
    if (!leaves_out_) {
      std::memcpy(to, from, static_cast<size_t>(row_bytes()));
      return;
    }
    const size_t last = problem_.window.size() - 1;
    const int64_t count = problem_.output_spatial[last], step = problem_.window[last].stride;
    for (int64_t line = 0; line < sizes_.columns / count; ++line, to += count * bytes_) {
      int64_t offset = 0, rest = line;
      for (size_t j = last; j-- > 0;) {
        offset += rest % problem_.output_spatial[j] * problem_.window[j].stride * problem_.lhs.strides[j + 1];
        rest /= problem_.output_spatial[j];
      }
      const auto copy = bytes_ == 4 ? CopyApart<uint32_t> : CopyApart<uint64_t>;
      copy(from + offset * bytes_, count, step, to);
    }
  }

  const ConvolutionProblem& problem_;
  uint8_t* const result_;
  const int64_t bytes_;
  const bool leaves_out_;
  GemmSizes sizes_;     // of one image
  MatrixView kernel_;   // [output feature, input feature]
  int64_t images_ = 1;  // side by side
};

}  // namespace

bool SuitsPointwise(const ConvolutionProblem& problem, ElementType result_type) {
  const bool is_float = problem.type == ElementType::kF32 || problem.type == ElementType::kF64;
  if (!is_float || problem.lhs.type != problem.type || result_type != problem.type || problem.window.empty() ||
      problem.feature_group_count != 1 || problem.batch_group_count != 1 || problem.IsEmpty()) {
    return false;
  }
  int64_t positions = 1, dense = 1;
  for (size_t j = problem.window.size(); j-- > 0;) {
    const int64_t size = problem.lhs.sizes[j + 1];
    if (!IsPointwise(problem.window[j], size, problem.output_spatial[j])) return false;
    if (size != 1 && problem.lhs.strides[j + 1] != dense) return false;
    dense *= size;
    positions *= problem.output_spatial[j];
  }
  // A copy of the inputs that are left has to be affordable.
  const int64_t features = problem.input_features() + problem.output_features();
  return positions > 1 &&
         (!LeavesInputsOut(problem) || positions <= kMostBytes / StorageBytes(problem.type) / features);
}

bool TakesPointwiseKernel(const ConvolutionProblem& problem) {
  const StridedArray& kernel = problem.kernel;
  const size_t feature = kernel.rank() - 1;
  return kernel.type == problem.type && (kernel.strides[feature] == 1 || kernel.strides[feature - 1] == 1);
}

Outcome ConvolvePointwise(const ConvolutionProblem& problem, uint8_t* result, Executor& executor) {
  return PointwiseProduct(problem, result).Run(executor);
}

}  // namespace hloscope::numerics
