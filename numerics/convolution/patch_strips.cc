// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/patch_strips.h"

#include <algorithm>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/convolution/padded_planes.h"
#include "numerics/convolution/plane_products.h"

namespace hloscope::numerics {
namespace {

// What strips of the phases take.
template <typename T>
class StripCosts {
 public:
  StripCosts(const Phases& phases, bool reads_planes)
      : phases_(phases),
        problem_(phases.problems.front()),
        reads_planes_(reads_planes),
        is_line_(problem_.window.size() == 1),
        outputs_(MostOutputs(phases.problems)),
        planes_(phases.problems, 1, outputs_) {
    for (const ConvolutionProblem& phase : phases.problems) matrices_.emplace_back(phase, planes_, First());
  }

  // The fewest outputs, and those that are affordable and keep many threads busy.
  int64_t First() const { return is_line_ ? outputs_ : 1; }
  int64_t Last() const {
    constexpr int64_t kLeastStrips = 8;
    return std::max(First(), std::min(outputs_, (outputs_ * problem_.output_batch() - 1) / kLeastStrips + 1));
  }

  // Of a thread.
  int64_t BytesOf(int64_t strip) const {
    int64_t elements = planes_.PlaneSize(strip) * problem_.input_features();
    for (const auto& phase : matrices_) {
      elements += phases_.is_whole ? 0 : phase.ColumnsOf(0, strip) * problem_.output_features();
    }
    return elements * int64_t{sizeof(T)};
  }

  // Of all strips.
  double NanosecondsOf(int64_t strip) const {
    const int64_t whole = outputs_ / strip, rest = outputs_ % strip;
    return static_cast<double>(whole) * NanosecondsOfOne(strip) + (rest > 0 ? NanosecondsOfOne(rest) : 0);
  }

  // Columns that are wanted / computed.
  double ShareOf(int64_t strip) const {
    int64_t wanted = 0, computed = 0;
    for (const auto& phase : matrices_) {
      const int64_t rest = outputs_ % strip;
      wanted += phase.positions();
      computed += outputs_ / strip * ColumnsOf(phase, strip) + (rest > 0 ? ColumnsOf(phase, rest) : 0);
    }
    return static_cast<double>(wanted) / static_cast<double>(computed);
  }

 private:
  int64_t ColumnsOf(const PatchMatrices<T>& phase, int64_t strip) const {
    const int64_t columns = reads_planes_
                                ? PlaneColumnsOf(phase.outputs()) + (strip - First()) * planes_.OutputStride(0)
                                : phase.ColumnsOf(0, strip);
    return RoundUp(columns, BestMicroKernel<T>().columns);
  }

  double NanosecondsOfOne(int64_t strip) const {
    constexpr double kCopyNanoseconds = 0.5;
    double nanoseconds = static_cast<double>(BytesOf(strip)) / sizeof(T) * kCopyNanoseconds;
    for (const auto& phase : matrices_) {
      nanoseconds += static_cast<double>(ColumnsOf(phase, strip) * phase.inner() * problem_.output_features()) *
                     MultiplyAddNanoseconds(problem_.type);
    }
    return nanoseconds;
  }

  const Phases& phases_;
  const ConvolutionProblem& problem_;
  const bool reads_planes_, is_line_;
  const int64_t outputs_;
  const PaddedPlanes planes_;
  std::vector<PatchMatrices<T>> matrices_;  // of the fewest outputs
};

// The outputs that take least time in all; 0 if what is computed beside them is too much.
template <typename T>
int64_t BestStrip(const StripCosts<T>& costs, double least_share) {
  constexpr int64_t kBytes = 512 << 10, kMostBytes = 2 << 20;
  int64_t best = 0;
  double least = 0;
  for (int64_t strip = costs.First(); strip <= costs.Last(); strip += 1 + strip / 16) {
    if (costs.BytesOf(strip) > (strip == costs.First() ? kMostBytes : kBytes)) break;
    const double nanoseconds = costs.NanosecondsOf(strip);
    if (best != 0 && nanoseconds >= least) continue;
    best = strip;
    least = nanoseconds;
  }
  return best > 0 && costs.ShareOf(best) >= least_share ? best : 0;
}

}  // namespace

int64_t OutputsOfStrip(const std::vector<ConvolutionProblem>& phases) {
  const ConvolutionProblem& problem = phases.front();
  const int64_t all = MostOutputs(phases);
  const PaddedPlanes planes(phases, 1, all);
  const int64_t feature_bytes = StorageBytes(problem.type) * problem.input_features();
  if (!planes.is_copied() || planes.PlaneSize(all) <= kCopiedBytes / feature_bytes) return all;
  const bool can_be_cut = problem.window.size() > 1 && phases.size() == 1;
  const int64_t least = can_be_cut ? 1 : all;
  if (planes.PlaneSize(least) > kMostCopiedBytes / feature_bytes) return 0;
  int64_t most = least;
  while (most < all && planes.PlaneSize(most + 1) <= kCopiedBytes / feature_bytes) ++most;
  return (all - 1) / ((all - 1) / most + 1) + 1;
}

template <typename T>
PatchStrips PatchStripsOf(const Phases& phases, int64_t least_columns, int64_t most_kernel) {
  const ConvolutionProblem& problem = phases.problems.front();
  if (!PaddedPlanes(phases.problems, 1, MostOutputs(phases.problems)).is_copied()) return {};
  int64_t columns = 0, kernel = 0;
  for (const ConvolutionProblem& phase : phases.problems) {
    int64_t positions = problem.output_batch(), inner = problem.input_features();
    for (size_t j = 0; j < phase.window.size(); ++j) {
      positions *= phase.output_spatial[j];
      inner *= phase.window[j].size;
    }
    columns = std::max(columns, positions);
    kernel += inner * problem.output_features();
  }
  if (columns < least_columns || kernel > most_kernel) return {};
  // Measured (Zen 5): with AVX-512, planes are read 2 to 20 % faster where they are, with AVX2 only where they would be
  // packed for few output features. Narrower tiles use too seldom what they load.
  constexpr int64_t kWideBytes = 128, kLeastBytes = 64, kFewRows = 32;
  constexpr double kShareOfPlanes = 0.9, kShareOfPacked = 0.95;
  const int64_t tile_bytes = BestMicroKernel<T>().columns * int64_t{sizeof(T)};
  if (tile_bytes >= (problem.output_features() <= kFewRows ? kLeastBytes : kWideBytes)) {
    const int64_t strip = BestStrip<T>(StripCosts<T>(phases, true), kShareOfPlanes);
    if (strip > 0) return {strip, true};
  }
  return {BestStrip<T>(StripCosts<T>(phases, false), kShareOfPacked), false};
}

template PatchStrips PatchStripsOf<float>(const Phases&, int64_t, int64_t);
template PatchStrips PatchStripsOf<double>(const Phases&, int64_t, int64_t);

}  // namespace hloscope::numerics
