// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_planar.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "numerics/convolution/bf16_planes.h"
#include "numerics/convolution/convolution_geometry.h"
#include "numerics/convolution/convolution_pointwise.h"
#include "numerics/convolution/depthwise_lanes.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Shorter rows do not fill a vector.
constexpr int64_t kMinRowSize = 8;
// Rows are not widened by more than this, however much padding there is.
constexpr int64_t kMaxPitch = 4;

template <typename T>
class PlanarConvolution {
 public:
  PlanarConvolution(const ConvolutionProblem& problem, const PlaneConversions& conversions, uint8_t* result)
      : problem_(problem),
        g_(problem),
        conversions_(conversions),
        result_(result),
        row_size_(g_.input_sizes.back()),
        row_count_(g_.input_count / row_size_),
        output_row_size_(g_.output_sizes.back()),
        output_row_count_(g_.output_count / output_row_size_),
        kernel_row_size_(g_.kernel_sizes.back()) {
    const WindowDimension& w = problem.window.back();
    const auto above = [](int64_t n, int64_t d) { return n <= 0 ? 0 : (n - 1) / d + 1; };  // ceil(n / d), at least 0
    for (int64_t k = 0; k < kernel_row_size_; ++k) {
      const int64_t shift = k * w.window_dilation - w.padding_low;
      const int64_t begin = std::min(above(-shift, w.stride), output_row_size_);
      const int64_t end = std::clamp(above(row_size_ - shift, w.stride), begin, output_row_size_);
      columns_.push_back({begin, end, shift});
      left_ = std::max(left_, -shift);
      pitch_ = std::max(pitch_, shift + output_row_size_);
    }
    pitch_ = left_ + std::max(pitch_, row_size_);
    outer_kernel_count_ = g_.kernel_count / kernel_row_size_;
    is_band_ = CanPad() && IsBand();
    for (int64_t y = 0; y < output_row_count_; ++y) {
      for (int64_t k = 0; k < outer_kernel_count_; ++k) {
        rows_.push_back(g_.InputRowOf(y, g_.ElementAt(k * kernel_row_size_) / kernel_row_size_));
      }
    }
  }

  Outcome Run(WithMemory with_memory, Executor& executor) const {
    const double nanoseconds =
        static_cast<double>(g_.input_count) +
        static_cast<double>(output_row_count_ * g_.kernel_count) * (5 + 0.1 * static_cast<double>(output_row_size_));
    std::atomic<bool> has_memory{true};
    const Outcome outcome =
        ParallelLoop(executor, g_.output_batch * g_.features, nanoseconds, [&](int64_t begin, int64_t end) {
          const auto run = [&] {
            Scratch scratch;
            for (int64_t plane = begin; plane < end && has_memory; ++plane) {
              if (!ConvolvePlane(plane, scratch)) has_memory = false;
            }
          };
          if (!with_memory(ScratchBytes(), run)) has_memory = false;
        });
    return has_memory ? outcome : Outcome::kNoMemory;
  }

 private:
  struct Columns {
    int64_t begin, end;  // of the output's row: where the window's element meets an input
    int64_t shift;       // column of the input that column 0 meets
  };
  struct Scratch {
    std::vector<T> stored;  // bytes, aligned
    std::unique_ptr<T[]> input, steps, sums, padded;
    std::vector<ScaledRow<T>> taps;
    std::vector<const T*> starts;
    std::vector<T> scales, weights;
  };

  // Makes the arrays, unless they are there. False if there is no memory left.
  bool Prepare(Scratch& scratch) const {
    if (scratch.sums != nullptr) return true;
    const auto make = [](std::unique_ptr<T[]>& array, int64_t count) {
      array.reset(new (std::nothrow) T[static_cast<size_t>(count)]());
      return array != nullptr;
    };
    scratch.starts.resize(scratch.weights.size());
    scratch.scales.resize(scratch.weights.size());
    // Of sums whole bands, and what hangs over the end of the last row.
    return make(scratch.input, g_.input_count) && make(scratch.steps, std::max(g_.input_count, g_.output_count)) &&
           make(scratch.padded, CanPad() ? (row_count_ + 1) * pitch_ + kTapSlack : 0) &&
           make(scratch.sums, g_.output_count + kBandRows * output_row_size_ + kTapSlack);
  }

  // Of the copies of a plane that a thread has, about.
  int64_t ScratchBytes() const {
    const int64_t padded = CanPad() ? (row_count_ + 1) * pitch_ : 0;
    return (2 * g_.input_count + std::max(g_.input_count, g_.output_count) + g_.output_count + padded) *
           static_cast<int64_t>(sizeof(T));
  }

  bool CanPad() const { return pitch_ <= kMaxPitch * (row_size_ + output_row_size_); }

  // Whether neighbouring rows of sums meet neighbouring rows of inputs, so that SumBand computes them.
  bool IsBand() const {
    const std::vector<WindowDimension>& window = problem_.window;
    return window.size() == 2 && HasBand(window[0].size) && window[0].size == window[1].size &&
           std::all_of(window.begin(), window.end(), [](const WindowDimension& w) {
             return w.stride == 1 && w.window_dilation == 1 && w.base_dilation == 1;
           });
  }

  // The elements of an input plane as they are stored, dense.
  const uint8_t* StoredPlane(int64_t batch, int64_t feature, Scratch& scratch) const {
    const StridedArray& lhs = problem_.lhs;
    const int64_t bytes = StorageBytes(lhs.type);
    const DimensionVector& strides = lhs.strides;
    const uint8_t* const origin = lhs.data + (batch * strides.front() + feature * strides.back()) * bytes;
    bool dense = true;
    int64_t expected = 1;
    for (size_t j = g_.spatial_rank; j-- > 0;) {
      dense = dense && (g_.input_sizes[j] == 1 || strides[j + 1] == expected);
      expected *= g_.input_sizes[j];
    }
    if (dense) return origin;
    scratch.stored.resize(static_cast<size_t>((g_.input_count * bytes - 1) / static_cast<int64_t>(sizeof(T)) + 1));
    uint8_t* const to = reinterpret_cast<uint8_t*>(scratch.stored.data());
    for (int64_t row = 0; row < row_count_; ++row) {
      int64_t offset = 0, rest = row;
      for (size_t j = g_.spatial_rank - 1; j-- > 0;) {
        offset += rest % g_.input_sizes[j] * strides[j + 1];
        rest /= g_.input_sizes[j];
      }
      std::copy_n(origin + offset * bytes, row_size_ * bytes, to + row * row_size_ * bytes);
    }
    return to;
  }

  // The same in the accumulator type.
  const T* Plane(const uint8_t* stored, Scratch& scratch) const {
    if (conversions_.decode == nullptr) return reinterpret_cast<const T*>(stored);
    (*conversions_.decode)(stored, reinterpret_cast<uint8_t*>(scratch.steps.get()),
                           reinterpret_cast<uint8_t*>(scratch.input.get()), g_.input_count);
    return scratch.input.get();
  }

  // False if there is no memory left.
  bool ConvolvePlane(int64_t plane, Scratch& scratch) const {
    const int64_t feature = plane % g_.features;
    const uint8_t* const input = StoredPlane(plane / g_.features, feature, scratch);
    const T* const kernel = problem_.kernel.elements<T>() + feature;
    scratch.weights.resize(static_cast<size_t>(g_.kernel_count));
    for (int64_t k = 0; k < g_.kernel_count; ++k) {
      scratch.weights[static_cast<size_t>(k)] = kernel[g_.ElementAt(k) * g_.features];
    }
    const int64_t step = problem_.window.back().stride;
    uint8_t* const out = result_ + plane * g_.output_count * conversions_.result_bytes;
    // Zero times infinity: padding may be multiplied only by finite elements.
    bool is_finite = true;
    for (T weight : scratch.weights) is_finite = is_finite && std::isfinite(weight);
    const bool by_bands = is_band_ && is_finite;
    if (by_bands && ConvolveBf16(input, scratch, out)) return true;
    if (!Prepare(scratch)) return false;
    T* const sums = conversions_.encode == nullptr && !by_bands ? reinterpret_cast<T*>(out) : scratch.sums.get();
    if (by_bands) {
      SumBands(input, sums, scratch);
    } else if (step == 1 && is_finite && CanPad()) {
      SumPadded(input, sums, scratch);
    } else {
      SumRows(Plane(input, scratch), step, sums, scratch);
    }
    if (conversions_.encode == nullptr && by_bands) {
      std::copy_n(sums, g_.output_count, reinterpret_cast<T*>(out));
    } else if (conversions_.encode != nullptr) {
      (*conversions_.encode)(reinterpret_cast<const uint8_t*>(sums), reinterpret_cast<uint8_t*>(scratch.steps.get()),
                             out, g_.output_count);
    }
    return true;
  }

  // From bf16 to bf16 without a copy of the plane, where the processor can.
  bool ConvolveBf16(const uint8_t* input, const Scratch& scratch, uint8_t* out) const {
    if constexpr (std::is_same_v<T, float>) {
      if (!conversions_.widens_bf16 || !conversions_.narrows_to_bf16) return false;
      const WindowDimension &rows = problem_.window[0], &columns = problem_.window[1];
      return ConvolveBf16Plane(
          {reinterpret_cast<const uint16_t*>(input), row_count_, row_size_, rows.padding_low, columns.padding_low,
           scratch.weights.data(), rows.size, output_row_count_, output_row_size_},
          reinterpret_cast<uint16_t*>(out));
    }
    return false;
  }

  // Puts zeros around the rows. After them lies a row of zeros.
  void Pad(const uint8_t* input, Scratch& scratch) const {
    T* const to = scratch.padded.get() + left_;
    if constexpr (std::is_same_v<T, float>) {
      if (conversions_.widens_bf16) {
        return CopyRows(reinterpret_cast<const uint16_t*>(input), row_count_, row_size_, to, pitch_);
      }
    }
    CopyRows(Plane(input, scratch), row_count_, row_size_, to, pitch_);
  }

  void SumBands(const uint8_t* input, T* sums, Scratch& scratch) const {
    Pad(input, scratch);
    const WindowDimension &rows = problem_.window[0], &columns = problem_.window[1];
    const int64_t side = rows.size, input_count = kBandRows + side - 1;
    scratch.starts.resize(static_cast<size_t>(input_count));
    for (int64_t y = 0; y < output_row_count_; y += kBandRows) {
      for (int64_t i = 0; i < input_count; ++i) {
        const int64_t row = y + i - rows.padding_low;
        const int64_t place = row >= 0 && row < row_count_ ? row : row_count_;
        scratch.starts[static_cast<size_t>(i)] = scratch.padded.get() + place * pitch_ + left_ - columns.padding_low;
      }
      SumBand(scratch.starts.data(), scratch.weights.data(), side, sums + y * output_row_size_, output_row_size_,
              output_row_size_);
    }
  }

  // With zeros around the rows all sums of a row have the same taps.
  void SumPadded(const uint8_t* input, T* sums, Scratch& scratch) const {
    Pad(input, scratch);
    const T** const starts = scratch.starts.data();
    T* const scales = scratch.scales.data();
    for (int64_t y = 0; y < output_row_count_; ++y) {
      size_t taps = 0;
      for (int64_t k = 0; k < outer_kernel_count_; ++k) {
        const int64_t row = rows_[static_cast<size_t>(y * outer_kernel_count_ + k)];
        if (row < 0) continue;
        const T* const padded = scratch.padded.get() + row * pitch_ + left_;
        for (int64_t x = 0; x < kernel_row_size_; ++x, ++taps) {
          starts[taps] = padded + columns_[static_cast<size_t>(x)].shift;
          scales[taps] = scratch.weights[static_cast<size_t>(k * kernel_row_size_ + x)];
        }
      }
      SumTaps(starts, scales, taps, sums + y * output_row_size_, output_row_size_);
    }
  }

  void SumRows(const T* input, int64_t step, T* sums, Scratch& scratch) const {
    for (int64_t y = 0; y < output_row_count_; ++y) {
      scratch.taps.clear();
      for (int64_t k = 0; k < outer_kernel_count_; ++k) {
        const int64_t row = rows_[static_cast<size_t>(y * outer_kernel_count_ + k)];
        if (row < 0) continue;
        for (int64_t x = 0; x < kernel_row_size_; ++x) {
          const Columns& c = columns_[static_cast<size_t>(x)];
          if (c.begin == c.end) continue;
          scratch.taps.push_back({input + row * row_size_ + c.begin * step + c.shift, c.begin, c.end,
                                  scratch.weights[static_cast<size_t>(k * kernel_row_size_ + x)]});
        }
      }
      SumScaledRows(scratch.taps.data(), scratch.taps.size(), step, sums + y * output_row_size_, output_row_size_);
    }
  }

  const ConvolutionProblem& problem_;
  const ConvolutionGeometry g_;
  const PlaneConversions conversions_;
  uint8_t* const result_;
  const int64_t row_size_, row_count_, output_row_size_, output_row_count_, kernel_row_size_;
  int64_t outer_kernel_count_ = 1;  // rows of the window
  int64_t left_ = 0, pitch_ = 0;    // of rows with zeros around them: zeros in front, elements in all
  bool is_band_ = false;
  std::vector<Columns> columns_;  // by column of the window
  std::vector<int64_t> rows_;     // by (output row, row of the window)
};

}  // namespace

bool SuitsPlanes(const ConvolutionProblem& problem, ElementType result_type) {
  if (SuitsPointwise(problem, result_type)) return true;
  if (problem.window.empty() || problem.batch_group_count != 1 || problem.input_features() != 1 ||
      problem.feature_group_count < 2 || problem.output_features() != problem.feature_group_count ||
      (problem.type != ElementType::kF32 && problem.type != ElementType::kF64) || problem.IsEmpty()) {
    return false;
  }
  // Each thread has some copies of a plane, and there is a table of rows.
  constexpr int64_t kMaxPlane = int64_t{1} << 24, kMaxWindow = int64_t{1} << 14, kMaxRows = int64_t{1} << 20;
  int64_t inputs = 1, outputs = 1, elements = 1;
  for (size_t j = 0; j < problem.window.size(); ++j) {
    if (__builtin_mul_overflow(inputs, problem.lhs.sizes[j + 1], &inputs) ||
        __builtin_mul_overflow(outputs, problem.output_spatial[j], &outputs) ||
        __builtin_mul_overflow(elements, problem.window[j].size, &elements)) {
      return false;
    }
  }
  const int64_t rows = outputs / std::max<int64_t>(problem.output_spatial.back(), 1);
  const int64_t window_rows = elements / problem.window.back().size;
  if (std::max(inputs, outputs) > kMaxPlane || elements > kMaxWindow || rows * window_rows > kMaxRows) return false;
  const size_t row = problem.lhs.rank() - 2;  // dimension of the input's rows
  return problem.window.back().base_dilation == 1 && problem.lhs.strides[row] == 1 &&
         problem.lhs.sizes[row] >= kMinRowSize &&
         std::all_of(problem.output_spatial.begin(), problem.output_spatial.end(), [](int64_t n) { return n > 0; });
}

bool PlanesTakeKernel(const ConvolutionProblem& problem, ElementType result_type) {
  return SuitsPointwise(problem, result_type) && TakesPointwiseKernel(problem);
}

Outcome ConvolvePlanes(const ConvolutionProblem& problem, const PlaneConversions& conversions, uint8_t* result,
                       WithMemory with_memory, Executor& executor) {
  if (conversions.decode == nullptr && conversions.encode == nullptr && SuitsPointwise(problem, problem.type)) {
    return ConvolvePointwise(problem, result, executor);
  }
  if (problem.type == ElementType::kF32) {
    return PlanarConvolution<float>(problem, conversions, result).Run(with_memory, executor);
  }
  return PlanarConvolution<double>(problem, conversions, result).Run(with_memory, executor);
}

}  // namespace hloscope::numerics
