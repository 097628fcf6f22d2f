// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_planar.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "numerics/convolution/bf16_planes.h"
#include "numerics/convolution/convolution_geometry.h"
#include "numerics/convolution/convolution_patches.h"
#include "numerics/convolution/convolution_pointwise.h"
#include "numerics/convolution/depthwise_lanes.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Shorter rows do not fill a vector.
constexpr int64_t kMinRowSize = 8;

bool IsDilated(const WindowDimension& w) { return w.base_dilation != 1; }

// Whether sums of a plane can be taken over all of it at once, with zeros around it and between its inputs: of windows
// without strides neighbouring sums meet neighbours also from one row to the next. For rows that do not fill a vector,
// and dilated inputs.
bool IsWhole(const ConvolutionProblem& problem) {
  const std::vector<WindowDimension>& window = problem.window;
  const bool has_steps =
      std::any_of(window.begin(), window.end(), [](const WindowDimension& w) { return w.stride != 1; });
  const bool is_dilated = std::any_of(window.begin(), window.end(), IsDilated);
  if (window.size() > 2 || has_steps || (!is_dilated && problem.output_spatial.back() >= kMinRowSize)) return false;
  // What is added is affordable.
  double inputs = 1, outputs = 1, padded = 1;
  for (size_t j = 0; j < window.size(); ++j) {
    inputs *= static_cast<double>(problem.lhs.sizes[j + 1]);
    outputs *= static_cast<double>(problem.output_spatial[j]);
    padded *= static_cast<double>(problem.output_spatial[j]) +
              static_cast<double>(window[j].size - 1) * static_cast<double>(window[j].window_dilation);
  }
  return padded <= 4 * (inputs + outputs) + 64;
}
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
    step_ = w.stride;
    const auto above = [](int64_t n, int64_t d) { return n <= 0 ? 0 : (n - 1) / d + 1; };  // ceil(n / d), at least 0
    for (int64_t k = 0; k < kernel_row_size_; ++k) {
      const int64_t shift = k * w.window_dilation - w.padding_low;
      const int64_t begin = std::min(above(-shift, w.stride), output_row_size_);
      const int64_t end = std::clamp(above(row_size_ - shift, w.stride), begin, output_row_size_);
      columns_.push_back({begin, end, shift});
      left_ = std::max(left_, -shift);
      pitch_ = std::max(pitch_, shift + (output_row_size_ - 1) * step_ + 1);
    }
    segment_ = (left_ + std::max(pitch_, row_size_) - 1) / step_ + 1;
    pitch_ = segment_ * step_;
    for (Columns& c : columns_) c.place = PlaceOf(left_ + c.shift);
    if (IsWhole(problem)) LayOutWhole();
    outer_kernel_count_ = g_.kernel_count / kernel_row_size_;
    is_band_ = CanPad() && !is_whole_ && IsBand();
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
    int64_t place = 0;   // where it lies in a row with zeros around it
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
           make(scratch.padded, PaddedCount() + kTapSlack) &&
           make(scratch.sums,
                (is_whole_ ? output_row_count_ * pitch_ : g_.output_count + kBandRows * output_row_size_) + kTapSlack);
  }

  int64_t PaddedCount() const {
    return is_whole_ ? whole_row_count_ * pitch_ : CanPad() ? (row_count_ + 1) * pitch_ : 0;
  }

  // Of the copies of a plane that a thread has, about.
  int64_t ScratchBytes() const {
    const int64_t sums = is_whole_ ? output_row_count_ * pitch_ : g_.output_count;
    return (2 * g_.input_count + std::max(g_.input_count, g_.output_count) + sums + PaddedCount()) *
           static_cast<int64_t>(sizeof(T));
  }

  bool CanPad() const { return is_whole_ || pitch_ <= kMaxPitch * (row_size_ + output_row_size_ * step_); }

  // Rows and columns of a whole plane with its padding: what all sums meet.
  void LayOutWhole() {
    is_whole_ = true;
    const WindowDimension &rows = WindowOfRows(), &columns = problem_.window.back();
    whole_row_count_ = output_row_count_ + (rows.size - 1) * rows.window_dilation;
    pitch_ = output_row_size_ + (columns.size - 1) * columns.window_dilation;
  }

  // Of one dimension, a plane is a row.
  const WindowDimension& WindowOfRows() const {
    static constexpr WindowDimension kOne;
    return problem_.window.size() == 1 ? kOne : problem_.window.front();
  }

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
    uint8_t* const out = result_ + plane * g_.output_count * conversions_.result_bytes;
    // Zero times infinity: padding may be multiplied only by finite elements.
    bool is_finite = true;
    for (T weight : scratch.weights) is_finite = is_finite && std::isfinite(weight);
    const bool by_bands = is_band_ && is_finite, is_whole = is_whole_ && is_finite;
    if (by_bands && ConvolveBf16(input, scratch, out)) return true;
    if (!Prepare(scratch)) return false;
    // Some sums need room for more than a plane.
    T* const sums =
        conversions_.encode == nullptr && !by_bands && !is_whole ? reinterpret_cast<T*>(out) : scratch.sums.get();
    if (is_whole) {
      SumWhole(Plane(input, scratch), sums, out, scratch);
    } else if (by_bands) {
      SumBands(input, sums, scratch);
    } else if (IsDilated(problem_.window.back())) {
      SumByFormula(Plane(input, scratch), sums, scratch);
    } else if (is_finite && CanPad() && !is_whole_) {
      SumPadded(input, sums, scratch);
    } else {
      SumRows(Plane(input, scratch), sums, scratch);
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

  // Puts zeros around the rows, and what lies the same number of strides from their start side by side. After them lies
  // a row of zeros.
  void Pad(const uint8_t* input, Scratch& scratch) const {
    T* const to = scratch.padded.get() + left_;
    if constexpr (std::is_same_v<T, float>) {
      if (conversions_.widens_bf16 && step_ == 1) {
        return CopyRows(reinterpret_cast<const uint16_t*>(input), row_count_, row_size_, to, pitch_);
      }
    }
    if (step_ == 1) return CopyRows(Plane(input, scratch), row_count_, row_size_, to, pitch_);
    const T* const plane = Plane(input, scratch);
    for (int64_t first = 0; first < std::min(step_, row_size_); ++first) {
      const int64_t count = (row_size_ - 1 - first) / step_ + 1;
      T* const places = scratch.padded.get() + PlaceOf(first + left_);
      for (int64_t row = 0; row < row_count_; ++row) {
        CopyEach(plane + row * row_size_ + first, step_, count, places + row * pitch_);
      }
    }
  }

  // Of an element of a row with the zeros before it.
  int64_t PlaceOf(int64_t column) const { return column % step_ * segment_ + column / step_; }

  // What lies in front of or between inputs is zero from the start. Sums that are not encoded go to `out`.
  void SumWhole(const T* input, T* sums, uint8_t* out, Scratch& scratch) const {
    const WindowDimension &rows = WindowOfRows(), &columns = problem_.window.back();
    const auto places = [](const WindowDimension& w, int64_t inputs, int64_t size) {
      int64_t begin = 0, end = inputs;
      while (begin < end && begin * w.base_dilation + w.padding_low < 0) ++begin;
      while (end > begin && (end - 1) * w.base_dilation + w.padding_low >= size) --end;
      return std::pair(begin, end);
    };
    const auto [first, last] = places(columns, row_size_, pitch_);
    auto [row, row_end] = places(rows, row_count_, whole_row_count_);
    for (; row < row_end; ++row) {
      T* const to = scratch.padded.get() + (row * rows.base_dilation + rows.padding_low) * pitch_ +
                    first * columns.base_dilation + columns.padding_low;
      SpreadElements(input + row * row_size_ + first, last - first, columns.base_dilation, to);
    }
    for (int64_t k = 0; k < g_.kernel_count; ++k) {
      const int64_t y = k / kernel_row_size_ * rows.window_dilation;
      const int64_t x = k % kernel_row_size_ * columns.window_dilation;
      scratch.starts[static_cast<size_t>(k)] = scratch.padded.get() + y * pitch_ + x;
    }
    SumTaps(scratch.starts.data(), scratch.weights.data(), scratch.weights.size(), sums,
            (output_row_count_ - 1) * pitch_ + output_row_size_);
    if (conversions_.encode == nullptr) {
      DropPadding(sums, reinterpret_cast<T*>(out));
    } else {
      DropPadding(sums, sums);
    }
  }

  // Sums of whole rows become those of outputs; perhaps where they are.
  void DropPadding(const T* sums, T* to) const {
    for (int64_t y = 0; y < output_row_count_; ++y) {
      std::memmove(to + y * output_row_size_, sums + y * pitch_, static_cast<size_t>(output_row_size_) * sizeof(T));
    }
  }

  void SumByFormula(const T* input, T* sums, const Scratch& scratch) const {
    for (int64_t y = 0; y < g_.output_count; ++y) {
      T sum = T();
      for (int64_t k = 0; k < g_.kernel_count; ++k) {
        const int64_t place = g_.InputOf(y, g_.ElementAt(k));
        if (place >= 0) sum += input[place] * scratch.weights[static_cast<size_t>(k)];
      }
      sums[y] = sum;
    }
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
        const T* const padded = scratch.padded.get() + row * pitch_;
        for (int64_t x = 0; x < kernel_row_size_; ++x, ++taps) {
          starts[taps] = padded + columns_[static_cast<size_t>(x)].place;
          scales[taps] = scratch.weights[static_cast<size_t>(k * kernel_row_size_ + x)];
        }
      }
      SumTaps(starts, scales, taps, sums + y * output_row_size_, output_row_size_);
    }
  }

  void SumRows(const T* input, T* sums, Scratch& scratch) const {
    for (int64_t y = 0; y < output_row_count_; ++y) {
      scratch.taps.clear();
      for (int64_t k = 0; k < outer_kernel_count_; ++k) {
        const int64_t row = rows_[static_cast<size_t>(y * outer_kernel_count_ + k)];
        if (row < 0) continue;
        for (int64_t x = 0; x < kernel_row_size_; ++x) {
          const Columns& c = columns_[static_cast<size_t>(x)];
          if (c.begin == c.end) continue;
          scratch.taps.push_back({input + row * row_size_ + c.begin * step_ + c.shift, c.begin, c.end,
                                  scratch.weights[static_cast<size_t>(k * kernel_row_size_ + x)]});
        }
      }
      SumScaledRows(scratch.taps.data(), scratch.taps.size(), step_, sums + y * output_row_size_, output_row_size_);
    }
  }

  const ConvolutionProblem& problem_;
  const ConvolutionGeometry g_;
  const PlaneConversions conversions_;
  uint8_t* const result_;
  const int64_t row_size_, row_count_, output_row_size_, output_row_count_, kernel_row_size_;
  int64_t outer_kernel_count_ = 1;  // rows of the window
  int64_t step_ = 1;                // of the window along a row
  // Of rows with zeros around them: zeros in front, elements in all, and those with the same remainder of the step.
  int64_t left_ = 0, pitch_ = 0, segment_ = 0;
  int64_t whole_row_count_ = 0;
  bool is_band_ = false, is_whole_ = false;
  std::vector<Columns> columns_;  // by column of the window
  std::vector<int64_t> rows_;     // by (output row, row of the window)
};

}  // namespace

bool SuitsPlanes(const ConvolutionProblem& problem, ElementType result_type) {
  if (SuitsPointwise(problem, result_type) || SuitsPatches(problem, result_type)) return true;
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
  const bool suits_rows = !IsDilated(problem.window.back()) && problem.lhs.sizes[row] >= kMinRowSize;
  return problem.lhs.strides[row] == 1 && (suits_rows || IsWhole(problem)) &&
         std::all_of(problem.output_spatial.begin(), problem.output_spatial.end(), [](int64_t n) { return n > 0; });
}

bool PlanesTakeKernel(const ConvolutionProblem& problem, ElementType result_type) {
  if (SuitsPatches(problem, result_type)) return problem.kernel.type == problem.type;
  return SuitsPointwise(problem, result_type) && TakesPointwiseKernel(problem);
}

Outcome ConvolvePlanes(const ConvolutionProblem& problem, const PlaneConversions& conversions, uint8_t* result,
                       WithMemory with_memory, Executor& executor) {
  if (conversions.decode == nullptr && conversions.encode == nullptr) {
    if (SuitsPatches(problem, problem.type)) {
      Outcome outcome;
      const auto convolve = [&] { outcome = ConvolvePatches(problem, result, executor); };
      return with_memory(PatchBytes(problem), convolve) ? outcome : Outcome(Outcome::kNoMemory);
    }
    if (SuitsPointwise(problem, problem.type)) return ConvolvePointwise(problem, result, executor);
  }
  if (problem.type == ElementType::kF32) {
    return PlanarConvolution<float>(problem, conversions, result).Run(with_memory, executor);
  }
  return PlanarConvolution<double>(problem, conversions, result).Run(with_memory, executor);
}

}  // namespace hloscope::numerics
