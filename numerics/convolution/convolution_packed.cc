// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_packed.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/convolution/convolution_geometry.h"
#include "numerics/convolution/convolution_phases.h"
#include "numerics/convolution/few_rows.h"
#include "numerics/convolution/input_lines.h"
#include "numerics/convolution/kernel_matrix.h"
#include "numerics/convolution/store_sums.h"
#include "numerics/data_movement/run_ahead.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Elements of the kernel that are packed at a time, shared by the threads: they fit in the last-level cache.
constexpr int64_t kPackedElements = int64_t{1} << 20;
// Output positions that a packed panel of columns meets before the next panel is read.
constexpr int64_t kBlockTiles = 8;

// Where each element of the kernel begins.
std::vector<int64_t> ElementStarts(const StridedArray& kernel) {
  std::vector<int64_t> starts = {0};
  for (size_t j = 0; j + 2 < kernel.rank(); ++j) {
    std::vector<int64_t> next;
    next.reserve(starts.size() * static_cast<size_t>(kernel.sizes[j]));
    for (int64_t start : starts) {
      for (int64_t k = 0; k < kernel.sizes[j]; ++k) next.push_back(start + k * kernel.strides[j]);
    }
    starts = std::move(next);
  }
  return starts;
}

// Rows of the result for the output positions of a block.
class BlockPlaces {
 public:
  BlockPlaces(const PhaseRows& rows, int64_t tile_rows) : rows_(rows), tile_rows_(tile_rows) {}

  void Find(int64_t first, int64_t count) {
    places_.resize(static_cast<size_t>(count));
    for (int64_t n = 0; n < count; ++n) places_[static_cast<size_t>(n)] = rows_.PlaceOf(first + n);
  }
  int64_t operator[](int64_t n) const { return places_[static_cast<size_t>(n)]; }
  // Of the whole tile that begins at `n`: how far apart all its rows are, or 0.
  int64_t StepOf(int64_t n) const {
    const int64_t* const tile = places_.data() + n;
    const int64_t step = tile_rows_ > 1 ? tile[1] - tile[0] : 1;
    for (int64_t r = 2; r < tile_rows_; ++r) {
      if (tile[r] - tile[r - 1] != step) return 0;
    }
    return step;
  }

 private:
  const PhaseRows& rows_;
  const int64_t tile_rows_;
  std::vector<int64_t> places_;
};

// Outputs that meet no element of the kernel.
template <typename T>
Outcome ClearRows(const PhaseRows& rows, int64_t count, int64_t features, T* result, Executor& executor) {
  return ParallelLoop(executor, count, 10 + 0.1 * static_cast<double>(features), [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) std::fill_n(result + rows.PlaceOf(n) * features, features, T());
  });
}

// T: of sums; Packed: of the elements of the arrays.
template <typename T, typename Packed, typename Result>
Outcome ConvolvePhase(const ConvolutionPhase& phase, Result* result, Executor& executor, CancellationPoll& poll) {
  constexpr bool kStoresSums = std::is_same_v<T, Result>;
  const ConvolutionProblem& problem = phase.problem;
  static thread_local Workspace<Packed> shared;
  const ConvolutionGeometry g(problem);
  const MicroKernel<T, Packed>& micro = BestMicroKernel<T, Packed>();
  const int64_t group_count = problem.feature_group_count * problem.batch_group_count;  // one of the two is 1
  const int64_t group_columns = g.output_features / group_count;
  const int64_t rows = g.output_batch * g.output_count;
  if (problem.IsEmpty()) return ClearRows(phase.rows, rows, g.output_features, result, executor);
  const int64_t inner = g.kernel_count * g.input_features;
  const std::vector<int64_t> starts = ElementStarts(problem.kernel);
  const std::vector<Packed> zeros(static_cast<size_t>(g.input_features));

  const int64_t affordable = std::max<int64_t>(kPackedElements / std::max<int64_t>(inner, 1), 1);
  const int64_t chunk = std::min(RoundUp(group_columns, micro.columns), RoundUp(affordable, micro.columns));
  const int64_t block_rows = kBlockTiles * micro.rows;
  const int64_t row_blocks = (rows - 1) / block_rows + 1;
  const double multiply_add = MultiplyAddNanoseconds(problem.type);
  // Of a group, besides what its loops guess.
  constexpr double kGroupNanoseconds = 5000;
  for (int64_t group = 0; group < group_count; ++group) {
    if (poll.Cancelled(kGroupNanoseconds)) return executor.CheckCancelled();
    const int64_t first_feature = problem.feature_group_count > 1 ? group * g.input_features : 0;
    const int64_t first_batch = problem.batch_group_count > 1 ? group * g.output_batch : 0;
    const KernelMatrix<Packed> matrix = {problem.kernel.elements<Packed>() + group * group_columns,
                                         inner,
                                         group_columns,
                                         g.output_features,
                                         g.input_features,
                                         starts.data()};
    if (HasFewRows(rows, g.kernel_count, (group_columns - 1) / micro.columns + 1)) {
      InputLines<Packed> lines(g, problem.lhs.elements<Packed>(), zeros.data(), micro.rows);
      lines.Find(0, rows, first_batch, first_feature);
      std::vector<int64_t> places(static_cast<size_t>(rows));
      for (int64_t n = 0; n < rows; ++n) places[static_cast<size_t>(n)] = phase.rows.PlaceOf(n);
      const Outcome outcome =
          ConvolveFewRows(g, micro, lines, matrix, places, result + group * group_columns, g.output_features, executor);
      if (!outcome.ok()) return outcome;
      continue;
    }
    for (int64_t column = 0; column < group_columns; column += chunk) {
      const int64_t columns = std::min(chunk, group_columns - column);
      const int64_t panels = (columns - 1) / micro.columns + 1;
      Packed* const packed = shared.Get(panels * micro.columns * inner);
      if (packed == nullptr) return Outcome(Outcome::kNoMemory);
      Outcome outcome = ParallelLoop(
          executor, inner, 0.3 * static_cast<double>(columns),
          [&](int64_t begin, int64_t end) { matrix.Pack(begin, end, column, columns, micro.columns, packed); });
      if (!outcome.ok()) return outcome;
      // Where there are few blocks of rows, threads share the columns too.
      const int64_t parts = row_blocks >= 8 ? 1 : std::min(panels, 8 / row_blocks);
      const double nanoseconds = static_cast<double>(block_rows * inner) / static_cast<double>(parts) * multiply_add *
                                     static_cast<double>(columns) +
                                 2.0 * static_cast<double>(block_rows * g.kernel_count);
      outcome = ParallelLoop(executor, row_blocks * parts, nanoseconds, [&](int64_t begin, int64_t end) {
        constexpr int64_t kMaxTile = 16 * 64;
        alignas(64) T edge[kMaxTile];
        InputLines<Packed> lines(g, problem.lhs.elements<Packed>(), zeros.data(), micro.rows);
        BlockPlaces places(phase.rows, micro.rows);
        int64_t found = -1;
        for (int64_t task = begin; task < end; ++task) {
          const int64_t block = task / parts, part = task % parts;
          const int64_t first = block * block_rows, count = std::min(block_rows, rows - first);
          if (block != found) {
            lines.Find(first, count, first_batch, first_feature);
            places.Find(first, count);
            found = block;
          }
          for (int64_t p = panels * part / parts; p < panels * (part + 1) / parts; ++p) {
            const int64_t width = std::min(micro.columns, columns - p * micro.columns);
            const Packed* const panel = packed + p * micro.columns * inner;
            Result* const to = result + group * group_columns + column + p * micro.columns;
            for (int64_t row = 0; row < count; row += micro.rows) {
              const int64_t height = std::min(micro.rows, count - row);
              const auto& used = lines.UsedOf(row / micro.rows);
              const Packed* const* const tile = lines.Of(row / micro.rows, used.begin);
              const Packed* const used_panel = panel + used.begin * g.input_features * micro.columns;
              if (p == panels * part / parts) {
                for (int64_t r = 0; r < height; ++r) FetchAhead(lines.LastOf(row / micro.rows)[r], g.input_features);
              }
              if constexpr (kStoresSums) {
                const int64_t step = height == micro.rows && width == micro.columns ? places.StepOf(row) : 0;
                if (step != 0) {
                  micro.multiply_lines(used.count(), 0, g.input_features, tile, used_panel,
                                       to + places[row] * g.output_features, step * g.output_features, false);
                  continue;
                }
              }
              // A tile that hangs over the edge of the result, whose rows are unevenly apart, or whose sums are to be
              // rounded, is computed beside it.
              micro.multiply_lines(used.count(), 0, g.input_features, tile, used_panel, edge, micro.columns, false);
              for (int64_t r = 0; r < height; ++r) {
                StoreSums(edge + r * micro.columns, width, to + places[row + r] * g.output_features);
              }
            }
          }
        }
      });
      if (!outcome.ok()) return outcome;
    }
  }
  return Outcome::kDone;
}

template <typename T, typename Packed, typename Result>
Outcome ConvolvePhases(const ConvolutionProblem& problem, Result* result, Executor& executor) {
  const int64_t phases = PhaseCount(problem);
  constexpr double kPhaseNanoseconds = 1000;
  CancellationPoll poll(executor);
  for (int64_t n = 0; n < phases; ++n) {
    if (poll.Cancelled(kPhaseNanoseconds)) return executor.CheckCancelled();
    const Outcome outcome = ConvolvePhase<T, Packed>(PhaseOf(problem, phases, n), result, executor, poll);
    if (!outcome.ok()) return outcome;
  }
  return Outcome::kDone;
}

}  // namespace

template <typename T>
Outcome ConvolvePacked(const ConvolutionProblem& problem, T* result, Executor& executor) {
  return ConvolvePhases<T, T>(problem, result, executor);
}

template <typename Result>
Outcome ConvolvePackedPairs(const ConvolutionProblem& problem, Result* result, Executor& executor) {
  return ConvolvePhases<float, uint32_t>(problem, result, executor);
}

template Outcome ConvolvePacked<float>(const ConvolutionProblem&, float*, Executor&);
template Outcome ConvolvePacked<double>(const ConvolutionProblem&, double*, Executor&);
template Outcome ConvolvePackedPairs<float>(const ConvolutionProblem&, float*, Executor&);
template Outcome ConvolvePackedPairs<uint16_t>(const ConvolutionProblem&, uint16_t*, Executor&);

}  // namespace hloscope::numerics
