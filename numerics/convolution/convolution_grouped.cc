// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_grouped.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <vector>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/convolution/convolution_geometry.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Input features, and output features, of the groups that are computed together: about a line of the cache.
constexpr int64_t kChunkFeatures = 16;
// Elements of the planes of a chunk that should stay in a core's cache, and those that it has at most.
constexpr int64_t kPlaneElements = int64_t{1} << 17, kMostPlaneElements = int64_t{1} << 20;
// Products of a sum.
constexpr int64_t kMostTaps = int64_t{1} << 12;

// Neighbours in a row of the input that become neighbours in a plane. input < 0: zeros.
struct PlaneRun {
  int64_t input, at, count;
};

// The planes that the features of a chunk are copied to, with zeros around the inputs. A plane has a part for each
// remainder of its positions by the window's strides, so that the inputs which an element of the kernel meets at
// neighbouring outputs are neighbours too, and all sums of a plane are one run; what it has between rows is left out.
struct GroupPlanes {
  int64_t band = 1;          // outputs along the first dimension at a time
  int64_t chunk_groups = 1;  // groups at a time
  int64_t plane = 1;         // elements
  double run = 1;            // of sums
  DimensionVector extents;   // by dimension: positions of the input and of padding
  DimensionVector pitches, remainder_pitches;

  explicit GroupPlanes(const ConvolutionProblem& problem) {
    const int64_t input_features = problem.input_features();
    const int64_t output_features = problem.output_features() / problem.feature_group_count;
    chunk_groups =
        std::clamp<int64_t>(kChunkFeatures / std::max(input_features, output_features), 1, problem.feature_group_count);
    const int64_t outputs = problem.output_spatial.front();
    for (band = outputs;; band = (band + 1) / 2) {
      Measure(problem, band);
      if (band == 1 || static_cast<double>(chunk_groups * input_features) * Elements() <= kPlaneElements) break;
    }
    const int64_t bands = (outputs - 1) / band + 1;
    band = (outputs - 1) / bands + 1;
    Measure(problem, band);
  }

  double Elements() const { return elements_; }
  // Where the inputs of an element of the kernel begin.
  int64_t StartOf(const ConvolutionProblem& problem, int64_t element) const {
    int64_t start = 0;
    for (size_t j = problem.window.size(); j-- > 0;) {
      const WindowDimension& w = problem.window[j];
      const int64_t k = element % w.size;
      element /= w.size;
      start += PlaceOf(w, j, (w.reversal ? w.size - 1 - k : k) * w.window_dilation);
    }
    return start;
  }
  // Of a position along dimension `j`, counted from the first one that is met.
  int64_t PlaceOf(const WindowDimension& w, size_t j, int64_t position) const {
    return position % w.stride * remainder_pitches[j] + position / w.stride * pitches[j];
  }
  // How many positions a dimension has for so many outputs.
  static int64_t ExtentOf(const WindowDimension& w, int64_t outputs) {
    return (outputs - 1) * w.stride + (w.size - 1) * w.window_dilation + 1;
  }

 private:
  void Measure(const ConvolutionProblem& problem, int64_t first_outputs) {
    const size_t rank = problem.window.size();
    extents = pitches = remainder_pitches = DimensionVector(rank, 0);
    elements_ = run = 1;
    plane = 1;
    for (size_t j = rank; j-- > 0;) {
      const WindowDimension& w = problem.window[j];
      const int64_t outputs = j == 0 ? first_outputs : problem.output_spatial[j];
      const double extent = static_cast<double>(outputs - 1) * static_cast<double>(w.stride) +
                            static_cast<double>(w.size - 1) * static_cast<double>(w.window_dilation) + 1;
      elements_ *= extent + static_cast<double>(w.stride);
      if (elements_ > static_cast<double>(kMostPlaneElements)) return;
      extents[j] = ExtentOf(w, outputs);
      pitches[j] = plane;
      plane *= (extents[j] - 1) / w.stride + 1;
      run += static_cast<double>((outputs - 1) * pitches[j]);
    }
    for (size_t j = rank; j-- > 0;) {
      remainder_pitches[j] = plane;
      plane *= problem.window[j].stride;
    }
  }

  double elements_ = 1;  // at least those of a plane
};

// to[i * to_stride + j] = from[j * from_stride + i], 0 <= i < columns, 0 <= j < rows.
template <typename T>
void TransposeFew(const T* from, int64_t from_stride, int64_t rows, int64_t columns, T* to, int64_t to_stride) {
  typedef T Four __attribute__((vector_size(4 * sizeof(T))));
  const int64_t whole_rows = rows / 4 * 4, whole_columns = columns / 4 * 4;
  for (int64_t j = 0; j < whole_rows; j += 4) {
    for (int64_t i = 0; i < whole_columns; i += 4) {
      const T* const source = from + j * from_stride + i;
      T* const target = to + i * to_stride + j;
      Four a, b, c, d;
      std::memcpy(&a, source, sizeof a);
      std::memcpy(&b, source + from_stride, sizeof b);
      std::memcpy(&c, source + 2 * from_stride, sizeof c);
      std::memcpy(&d, source + 3 * from_stride, sizeof d);
      const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
      const Four cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5),
                 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
      a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
      b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
      c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
      d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
      std::memcpy(target, &a, sizeof a);
      std::memcpy(target + to_stride, &b, sizeof b);
      std::memcpy(target + 2 * to_stride, &c, sizeof c);
      std::memcpy(target + 3 * to_stride, &d, sizeof d);
    }
  }
  const auto transpose_rest = [&](int64_t first_row, int64_t end_row, int64_t first_column) {
    for (int64_t j = first_row; j < end_row; ++j) {
      for (int64_t i = first_column; i < columns; ++i) to[i * to_stride + j] = from[j * from_stride + i];
    }
  };
  transpose_rest(0, whole_rows, whole_columns);
  transpose_rest(whole_rows, rows, 0);
}

template <typename T>
class GroupedConvolution {
 public:
  GroupedConvolution(const ConvolutionProblem& problem, T* result)
      : problem_(problem),
        planes_(problem),
        micro_(BestMicroKernel<T>()),
        lhs_(problem.lhs.elements<T>()),
        result_(result),
        rank_(problem.window.size()),
        features_(problem.lhs.sizes.back()),
        group_inputs_(problem.input_features()),
        group_outputs_(problem.output_features() / problem.feature_group_count),
        output_blocks_((group_outputs_ - 1) / kTapRows + 1) {
    for (size_t j = 0; j < rank_; ++j) {
      kernel_count_ *= problem.window[j].size;
      input_count_ *= problem.lhs.sizes[j + 1];
      output_count_ *= problem.output_spatial[j];
    }
    for (int64_t k = 0; k < kernel_count_; ++k) starts_.push_back(planes_.StartOf(problem, k));
    for (size_t j = 0; j < rank_; ++j) runs_.push_back(RunsOf(j, 0, planes_.extents[j]));
    sums_pitch_ = RoundUp(static_cast<int64_t>(planes_.run), micro_.tap_columns);
  }

  Outcome Run(Executor& executor) const {
    const int64_t chunks = (problem_.feature_group_count - 1) / planes_.chunk_groups + 1;
    const int64_t bands = (problem_.output_spatial.front() - 1) / planes_.band + 1;
    const double nanoseconds =
        static_cast<double>(planes_.chunk_groups * group_inputs_) * static_cast<double>(planes_.plane) +
        planes_.run * static_cast<double>(planes_.chunk_groups * output_blocks_ * kTapRows * TapCount()) *
            MultiplyAddNanoseconds(problem_.type);
    std::atomic<bool> has_memory{true};
    const Outcome outcome = ParallelLoop(
        executor, problem_.lhs.sizes.front() * bands * chunks, nanoseconds, [&](int64_t begin, int64_t end) {
          static thread_local Workspace<T> workspace;
          const int64_t plane_elements = planes_.chunk_groups * group_inputs_ * planes_.plane + micro_.tap_columns;
          const int64_t weight_elements = output_blocks_ * kTapRows * TapCount();
          const int64_t sum_elements = output_blocks_ * kTapRows * sums_pitch_;
          T* const planes = workspace.Get(plane_elements + weight_elements + sum_elements);
          if (planes == nullptr) {
            has_memory = false;
            return;
          }
          std::fill_n(planes, plane_elements, T());
          std::vector<const T*> taps(static_cast<size_t>(TapCount()));
          CancellationPoll poll(executor);
          for (int64_t task = begin; task < end; ++task) {
            const int64_t chunk = task % chunks, band = task / chunks % bands, batch = task / chunks / bands;
            const int64_t group = chunk * planes_.chunk_groups, first = band * planes_.band;
            const int64_t groups = std::min(planes_.chunk_groups, problem_.feature_group_count - group);
            const int64_t outputs = std::min(planes_.band, problem_.output_spatial.front() - first);
            FillPlanes(batch, first, outputs, group * group_inputs_, groups * group_inputs_, planes);
            for (int64_t g = 0; g < groups; ++g) {
              T* const weights = planes + plane_elements;
              T* const sums = weights + weight_elements;
              FindTaps(planes + g * group_inputs_ * planes_.plane, taps);
              FindWeights(group + g, weights);
              SumRun(outputs, taps, weights, sums);
              StoreSums(batch, first, outputs, group + g, sums);
              if (poll.Cancelled(nanoseconds / static_cast<double>(groups))) return;
            }
          }
        });
    if (!has_memory) return Outcome::kNoMemory;
    return outcome.ok() ? executor.CheckCancelled() : outcome;
  }

 private:
  int64_t TapCount() const { return kernel_count_ * group_inputs_; }

  // Of dimension `j`: where the positions lie that begin at that of output `first`. Along the first dimension also
  // those without an input, which are not the same ones in each band.
  std::vector<PlaneRun> RunsOf(size_t j, int64_t first, int64_t extent) const {
    const WindowDimension& w = problem_.window[j];
    std::vector<PlaneRun> runs;
    for (int64_t remainder = 0; remainder < std::min(w.stride, extent); ++remainder) {
      bool is_open = false;
      for (int64_t position = remainder; position < extent; position += w.stride) {
        const int64_t input = first * w.stride + position - w.padding_low;
        const bool is_there = input >= 0 && input < problem_.lhs.sizes[j + 1];
        if (!is_there && j > 0) continue;
        if (is_open && is_there == (runs.back().input >= 0)) {
          ++runs.back().count;
          continue;
        }
        runs.push_back({is_there ? input : -1, planes_.PlaceOf(w, j, position), 1});
        is_open = true;
      }
    }
    return runs;
  }

  void FillPlanes(int64_t batch, int64_t first, int64_t outputs, int64_t first_feature, int64_t count,
                  T* planes) const {
    const T* const image = lhs_ + batch * input_count_ * features_ + first_feature;
    const std::vector<PlaneRun> runs = RunsOf(0, first, GroupPlanes::ExtentOf(problem_.window.front(), outputs));
    FillDimension(0, runs, image, count, planes);
  }

  // image == nullptr: zeros.
  void FillDimension(size_t j, const std::vector<PlaneRun>& runs, const T* image, int64_t count, T* planes) const {
    int64_t step = features_;
    for (size_t i = j + 1; i < rank_; ++i) step *= problem_.lhs.sizes[i + 1];
    const int64_t stride = problem_.window[j].stride;
    for (const PlaneRun& run : runs) {
      const T* const from = image == nullptr || run.input < 0 ? nullptr : image + run.input * step;
      if (j + 1 < rank_) {
        for (int64_t n = 0; n < run.count; ++n) {
          FillDimension(j + 1, runs_[j + 1], from == nullptr ? nullptr : from + n * stride * step, count,
                        planes + run.at + n * planes_.pitches[j]);
        }
      } else if (from != nullptr) {
        TransposeFew(from, stride * step, run.count, count, planes + run.at, planes_.plane);
      } else {
        for (int64_t f = 0; f < count; ++f) std::fill_n(planes + run.at + f * planes_.plane, run.count, T());
      }
    }
  }

  // In the order in which ConvolvePacked takes them.
  void FindTaps(const T* planes, std::vector<const T*>& taps) const {
    size_t t = 0;
    for (int64_t start : starts_) {
      for (int64_t z = 0; z < group_inputs_; ++z) taps[t++] = planes + z * planes_.plane + start;
    }
  }

  // kTapRows weights of each tap, for one block of outputs after the other.
  void FindWeights(int64_t group, T* weights) const {
    const int64_t columns = problem_.output_features();
    for (int64_t o = 0; o < group_outputs_; o += kTapRows) {
      const int64_t count = std::min(kTapRows, group_outputs_ - o);
      const T* from = problem_.kernel.elements<T>() + group * group_outputs_ + o;
      for (int64_t t = 0; t < TapCount(); ++t, from += columns, weights += kTapRows) {
        for (int64_t r = 0; r < kTapRows; ++r) weights[r] = r < count ? from[r] : T();
      }
    }
  }

  void SumRun(int64_t outputs, const std::vector<const T*>& taps, const T* weights, T* sums) const {
    const int64_t run = static_cast<int64_t>(planes_.run) - (planes_.band - outputs) * planes_.pitches.front();
    for (int64_t x = 0; x < run; x += micro_.tap_columns) {
      for (int64_t block = 0; block < output_blocks_; ++block) {
        micro_.multiply_taps(TapCount(), taps.data(), x, weights + block * kTapRows * TapCount(),
                             sums + block * kTapRows * sums_pitch_ + x, sums_pitch_);
      }
    }
  }

  void StoreSums(int64_t batch, int64_t first, int64_t outputs, int64_t group, const T* sums) const {
    const int64_t columns = problem_.output_features(),
                  row_size = rank_ == 1 ? outputs : problem_.output_spatial.back();
    const int64_t rows = outputs * (output_count_ / problem_.output_spatial.front()) / row_size;
    T* to = result_ + (batch * output_count_ + first * (output_count_ / problem_.output_spatial.front())) * columns +
            group * group_outputs_;
    for (int64_t row = 0; row < rows; ++row, to += row_size * columns) {
      int64_t at = 0, rest = row;
      for (size_t j = rank_ - 1; j-- > 0;) {
        const int64_t size = j == 0 ? outputs : problem_.output_spatial[j];
        at += rest % size * planes_.pitches[j];
        rest /= size;
      }
      TransposeFew(sums + at, sums_pitch_, group_outputs_, row_size, to, columns);
    }
  }

  const ConvolutionProblem& problem_;
  const GroupPlanes planes_;
  const MicroKernel<T>& micro_;
  const T* const lhs_;
  T* const result_;
  const size_t rank_;
  const int64_t features_, group_inputs_, group_outputs_, output_blocks_;
  int64_t kernel_count_ = 1, input_count_ = 1, output_count_ = 1, sums_pitch_ = 1;
  std::vector<int64_t> starts_;              // by element of the kernel
  std::vector<std::vector<PlaneRun>> runs_;  // by dimension
};

}  // namespace

bool SuitsGroups(const ConvolutionProblem& problem) {
  if (problem.window.empty() || problem.feature_group_count < 2 ||
      (problem.type != ElementType::kF32 && problem.type != ElementType::kF64)) {
    return false;
  }
  double taps = static_cast<double>(problem.input_features()), positions = 1;
  for (size_t j = 0; j < problem.window.size(); ++j) {
    if (problem.window[j].base_dilation != 1 || problem.output_spatial[j] < 1) return false;
    taps *= static_cast<double>(problem.window[j].size);
    positions *= static_cast<double>(problem.output_spatial[j]);
  }
  if (taps > static_cast<double>(kMostTaps)) return false;
  const GroupPlanes planes(problem);
  if (planes.Elements() * static_cast<double>(planes.chunk_groups * problem.input_features()) >
      static_cast<double>(kMostPlaneElements)) {
    return false;
  }
  const double bands =
      std::ceil(static_cast<double>(problem.output_spatial.front()) / static_cast<double>(planes.band));
  const int64_t outputs = problem.output_features() / problem.feature_group_count;
  const auto is_faster = [&](const auto& micro) {
    // Lanes that either computes. Copying planes takes some time, too.
    constexpr double kWithCopies = 1.5;
    const double packed = positions * static_cast<double>(RoundUp(outputs, micro.columns));
    const double lanes = bands * static_cast<double>(RoundUp(static_cast<int64_t>(planes.run), micro.tap_columns) *
                                                     RoundUp(outputs, kTapRows));
    return kWithCopies * lanes <= packed;
  };
  return problem.type == ElementType::kF32 ? is_faster(BestMicroKernel<float>()) : is_faster(BestMicroKernel<double>());
}

template <typename T>
Outcome ConvolveGroups(const ConvolutionProblem& problem, T* result, Executor& executor) {
  return GroupedConvolution<T>(problem, result).Run(executor);
}

template Outcome ConvolveGroups<float>(const ConvolutionProblem&, float*, Executor&);
template Outcome ConvolveGroups<double>(const ConvolutionProblem&, double*, Executor&);

}  // namespace hloscope::numerics
