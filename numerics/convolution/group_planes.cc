// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/group_planes.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/convolution/depthwise_lanes.h"
#include "numerics/parallel/parallel_loop.h"
#include "numerics/windows/window_dimension.h"

namespace hloscope::numerics {
namespace {

// Sums are added in f64 after so many products.
constexpr int64_t kFlushedProducts = 8192;
constexpr int64_t kMostOutputs = 256;

// How one dimension of windows and inputs meet. The inputs of each remainder of the dilation are copied side by side,
// so that neighbouring elements of the window meet neighbours.
class Axis {
 public:
  Axis(const WindowDimension& window, int64_t inputs, int64_t outputs) : window_(window), inputs_(inputs) {
    for (int64_t output = 0; output < outputs; ++output) {
      const int64_t start = output * window.stride - window.padding_low, step = window.window_dilation;
      const int64_t remainder = (start % step + step) % step, place = (start - remainder) / step;
      const auto found = std::find(remainders_.begin(), remainders_.end(), remainder);
      parts_.push_back(found - remainders_.begin());
      if (found == remainders_.end()) remainders_.push_back(remainder);
      places_.push_back(place);
    }
    first_ = *std::min_element(places_.begin(), places_.end());
    extent_ = window.size + *std::max_element(places_.begin(), places_.end()) - first_;
    for (int64_t part = 0; part < parts(); ++part) {
      int64_t begin = 0, end = extent_;
      while (begin < end && InputAt(part, begin) < 0) ++begin;
      while (end > begin && InputAt(part, end - 1) >= inputs) --end;
      inside_.emplace_back(begin, end);
    }
  }

  int64_t size() const { return window_.size; }
  int64_t outputs() const { return static_cast<int64_t>(places_.size()); }
  int64_t inputs() const { return inputs_; }
  // Of what is copied: parts, elements of each, and where those that an output meets start.
  int64_t parts() const { return static_cast<int64_t>(remainders_.size()); }
  int64_t extent() const { return extent_; }
  int64_t PartOf(int64_t output) const { return parts_[static_cast<size_t>(output)]; }
  int64_t StartOf(int64_t output) const { return places_[static_cast<size_t>(output)] - first_; }
  // The input that lies at `place` of a part, and how far neighbours are apart. It may be beside the inputs.
  int64_t InputAt(int64_t part, int64_t place) const {
    return (first_ + place) * window_.window_dilation + remainders_[static_cast<size_t>(part)];
  }
  // The places of a part that have inputs.
  std::pair<int64_t, int64_t> Inside(int64_t part) const { return inside_[static_cast<size_t>(part)]; }
  int64_t step() const { return window_.window_dilation; }
  // -1: beside the inputs.
  int64_t InputOf(int64_t output, int64_t element) const { return BasePosition(window_, inputs_, output, element); }

 private:
  const WindowDimension window_;
  const int64_t inputs_;
  std::vector<int64_t> remainders_, parts_, places_;
  std::vector<std::pair<int64_t, int64_t>> inside_;
  int64_t first_, extent_;
};

// Of one dimension, a plane is a row.
Axis RowsOf(const ConvolutionProblem& problem) {
  const bool is_row = problem.window.size() == 1;
  return is_row ? Axis({}, 1, 1) : Axis(problem.window[0], problem.lhs.sizes[1], problem.output_spatial[0]);
}
Axis ColumnsOf(const ConvolutionProblem& problem) {
  const size_t last = problem.window.size() - 1;
  return Axis(problem.window[last], problem.lhs.sizes[last + 1], problem.output_spatial[last]);
}

template <typename T>
class PlaneGroupSums {
 public:
  PlaneGroupSums(const ConvolutionProblem& problem, T* result)
      : lhs_(problem.lhs),
        kernel_(problem.kernel),
        rows_(RowsOf(problem)),
        columns_(ColumnsOf(problem)),
        features_(problem.output_features()),
        images_(problem.input_features()),
        row_stride_(problem.window.size() == 1 ? 0 : problem.lhs.strides[1]),
        result_(result) {
    for (int64_t y = 0; y < rows_.outputs(); ++y) {
      for (int64_t x = 0; x < columns_.outputs(); ++x) {
        const int64_t part = rows_.PartOf(y) * columns_.parts() + columns_.PartOf(x);
        starts_.push_back(part * part_size() + rows_.StartOf(y) * pitch() + columns_.StartOf(x));
      }
    }
  }

  // Of a thread.
  int64_t ScratchBytes() const {
    const int64_t sums = GroupSize() * static_cast<int64_t>(starts_.size()) * (kSumLanes<T> + 3);
    return (CopiedInputs() + CopiedFactors() + sums) * int64_t{sizeof(T)};
  }

  Outcome Sum(Executor& executor) const {
    std::atomic<bool> out_of_memory{false};
    const int64_t groups = (features_ - 1) / GroupSize() + 1;
    const double products = static_cast<double>(CopiedFactors()) * static_cast<double>(starts_.size());
    const double plane_nanoseconds = 0.3 * static_cast<double>(CopiedInputs()) + 0.1 * products;
    const double nanoseconds = plane_nanoseconds * static_cast<double>(images_ * GroupSize());
    const Outcome outcome = ParallelLoop(executor, groups, nanoseconds, [&](int64_t begin, int64_t end) {
      static thread_local Workspace<T> inputs, factors;
      Scratch scratch = {inputs.Get(CopiedInputs()), factors.Get(CopiedFactors()), {}, {}, {}};
      if (scratch.inputs == nullptr || scratch.factors == nullptr) {
        out_of_memory = true;
        return;
      }
      std::fill_n(scratch.inputs, CopiedInputs(), T());
      std::fill_n(scratch.factors, CopiedFactors(), T());
      for (const int64_t start : starts_) scratch.starts.push_back(scratch.inputs + start);
      CancellationPoll poll(executor);
      for (int64_t group = begin; group < end; ++group) {
        const int64_t first = group * GroupSize();
        if (!SumFeatures(first, std::min(GroupSize(), features_ - first), plane_nanoseconds, poll, scratch)) return;
      }
    });
    if (out_of_memory) return Outcome::kNoMemory;
    return outcome.ok() ? executor.CheckCancelled() : outcome;
  }

 private:
  struct Scratch {
    T *inputs, *factors;
    std::vector<const T*> starts;  // of inputs, by output
    std::vector<T> lanes;
    std::vector<double> sums;
  };

  int64_t pitch() const { return columns_.extent(); }
  int64_t part_size() const { return rows_.extent() * pitch(); }
  int64_t Products() const { return RoundUp((rows_.size() - 1) * pitch() + columns_.size(), kSumLanes<T>); }
  int64_t CopiedInputs() const { return rows_.parts() * columns_.parts() * part_size() + kSumLanes<T>; }
  int64_t CopiedFactors() const { return Products(); }

  const T* InputsOf(int64_t feature, int64_t image) const {
    return lhs_.elements<T>() + feature * lhs_.strides.front() + image * lhs_.strides.back();
  }
  const T* FactorsOf(int64_t feature, int64_t image) const {
    const size_t rank = kernel_.rank() - 2;
    return kernel_.elements<T>() + image * kernel_.strides[rank] + feature * kernel_.strides[rank + 1];
  }

  // Planes of neighbouring features, which lie side by side, are read together if they are small.
  int64_t GroupSize() const {
    constexpr int64_t kGroupBytes = int64_t{1} << 14, kMostFeatures = 16;
    return std::clamp<int64_t>(kGroupBytes / (CopiedInputs() * int64_t{sizeof(T)}), 1, kMostFeatures);
  }

  // False if the run is to end.
  bool SumFeatures(int64_t first, int64_t count, double plane_nanoseconds, CancellationPoll& poll,
                   Scratch& scratch) const {
    const int64_t outputs = static_cast<int64_t>(starts_.size()), lanes = outputs * kSumLanes<T>;
    scratch.lanes.assign(static_cast<size_t>(count * lanes), T());
    scratch.sums.assign(static_cast<size_t>(count * outputs), 0.0);
    int64_t products = 0;
    for (int64_t image = 0; image < images_; ++image) {
      for (int64_t f = 0; f < count; ++f) {
        CopyInputs(InputsOf(first + f, image), scratch.inputs);
        CopyFactors(FactorsOf(first + f, image), scratch.factors);
        AddShiftedProducts(scratch.factors, scratch.starts.data(), outputs, Products(),
                           scratch.lanes.data() + f * lanes);
        if (poll.Cancelled(plane_nanoseconds)) return false;
      }
      products += Products();
      if (products >= kFlushedProducts || image + 1 == images_) {
        Flush(scratch);
        products = 0;
      }
    }
    for (int64_t n = 0; n < count * outputs; ++n) {
      const int64_t feature = first + n / outputs, output = n % outputs;
      double sum = scratch.sums[static_cast<size_t>(n)];
      // Zero times infinity: what is beside the inputs is left out, not multiplied.
      if (std::isnan(sum)) {
        sum = SumByFormula(feature, output);
        if (poll.Cancelled(2.0 * static_cast<double>(images_ * CopiedFactors()))) return false;
      }
      result_[output * features_ + feature] = static_cast<T>(sum);
    }
    return true;
  }

  static void Flush(Scratch& scratch) {
    for (size_t n = 0; n < scratch.sums.size(); ++n) {
      T* const lanes = scratch.lanes.data() + n * static_cast<size_t>(kSumLanes<T>);
      for (int64_t lane = 0; lane < kSumLanes<T>; ++lane) scratch.sums[n] += static_cast<double>(lanes[lane]);
      std::fill_n(lanes, kSumLanes<T>, T());
    }
  }

  // Where there are no inputs the copy is zero from the start.
  void CopyInputs(const T* plane, T* to) const {
    for (int64_t row_part = 0; row_part < rows_.parts(); ++row_part) {
      for (int64_t part = 0; part < columns_.parts(); ++part, to += part_size()) {
        const auto [begin, end] = columns_.Inside(part);
        if (rows_.step() == 1 && columns_.step() == 1 && end - begin == row_stride_) {
          const auto [first, last] = rows_.Inside(row_part);
          CopyRows(plane + rows_.InputAt(row_part, first) * row_stride_, last - first, row_stride_,
                   to + first * pitch() + begin, pitch());
          continue;
        }
        const T* const columns = plane + columns_.InputAt(part, begin);
        for (auto [row, last] = rows_.Inside(row_part); row < last; ++row) {
          CopyRow(columns + rows_.InputAt(row_part, row) * row_stride_, end - begin, to + row * pitch() + begin);
        }
      }
    }
  }

  void CopyRow(const T* from, int64_t count, T* to) const {
    if (columns_.step() == 1) {
      std::memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
    } else {
      CopyEach(from, columns_.step(), count, to);
    }
  }

  // Between the rows the copy is zero from the start.
  void CopyFactors(const T* plane, T* to) const { CopyRows(plane, rows_.size(), columns_.size(), to, pitch()); }

  double SumByFormula(int64_t feature, int64_t output) const {
    const int64_t y = output / columns_.outputs(), x = output % columns_.outputs();
    double sum = 0;
    for (int64_t image = 0; image < images_; ++image) {
      const T *const inputs = InputsOf(feature, image), *factors = FactorsOf(feature, image);
      for (int64_t row = 0; row < rows_.size(); ++row) {
        const int64_t input_row = rows_.InputOf(y, row);
        for (int64_t column = 0; column < columns_.size(); ++column, ++factors) {
          const int64_t input = columns_.InputOf(x, column);
          if (input_row < 0 || input < 0) continue;
          sum += static_cast<double>(inputs[input_row * row_stride_ + input] * *factors);
        }
      }
    }
    return sum;
  }

  const StridedArray& lhs_;
  const StridedArray& kernel_;
  const Axis rows_, columns_;
  const int64_t features_, images_, row_stride_;
  T* const result_;
  std::vector<int64_t> starts_;  // by output, in what is copied
};

}  // namespace

bool GroupPlanesSuit(const ConvolutionProblem& problem) {
  const StridedArray &lhs = problem.lhs, &kernel = problem.kernel;
  const size_t rank = problem.window.size();
  if (rank < 1 || rank > 2 || lhs.type != problem.type || kernel.type != problem.type || lhs.strides[rank] != 1) {
    return false;
  }
  int64_t window = 1, outputs = 1;
  double inputs = 1, copied = 1;
  for (size_t j = rank; j-- > 0;) {
    const WindowDimension& w = problem.window[j];
    if (w.base_dilation != 1 || w.reversal || (w.size != 1 && kernel.strides[j] != window)) return false;
    window *= w.size;
    outputs *= problem.output_spatial[j];
    inputs *= static_cast<double>(lhs.sizes[j + 1]);
    // Each part of at most `parts` has what all outputs meet.
    const double places = static_cast<double>(problem.output_spatial[j] - 1) * static_cast<double>(w.stride) /
                              static_cast<double>(w.window_dilation) +
                          2;
    const double parts = static_cast<double>(std::min(w.window_dilation, problem.output_spatial[j]));
    copied *= parts * (static_cast<double>(w.size) + places);
    if (std::max(std::abs(w.padding_low), w.stride) > int64_t{1} << 30) return false;
  }
  constexpr double kMostCopied = 1 << 20;
  return outputs <= kMostOutputs && copied <= kMostCopied && copied <= 4 * inputs + 64;
}

int64_t GroupPlanesBytes(const ConvolutionProblem& problem) {
  return problem.type == ElementType::kF32 ? PlaneGroupSums<float>(problem, nullptr).ScratchBytes()
                                           : PlaneGroupSums<double>(problem, nullptr).ScratchBytes();
}

template <typename T>
Outcome ConvolveGroupPlanes(const ConvolutionProblem& problem, T* result, Executor& executor) {
  return PlaneGroupSums<T>(problem, result).Sum(executor);
}

template Outcome ConvolveGroupPlanes<float>(const ConvolutionProblem&, float*, Executor&);
template Outcome ConvolveGroupPlanes<double>(const ConvolutionProblem&, double*, Executor&);

}  // namespace hloscope::numerics
