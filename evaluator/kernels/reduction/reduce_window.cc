// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/reduction/reduce_window.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "core/analysis/known_reducers.h"
#include "core/analysis/scalar_patterns.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/strided_iteration.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/lanes/scalar_program.h"
#include "numerics/pooling/window_folds.h"
#include "numerics/pooling/window_lanes.h"
#include "numerics/windows/window_walk.h"

namespace hloscope::evaluator {
namespace {

// True if every window along `d` holds everything that the one before it holds, at the same places, and one element
// more: the window of a cumulative sum.
bool IsGrowing(const WindowDimension& window, int64_t base_size, int64_t window_count) {
  return window.stride == 1 && window.base_dilation == 1 && window.window_dilation == 1 && window.size >= base_size &&
         window.padding_low == window.size - 1 && window_count == base_size;
}

// The only dimension with windows of more than one element, if its windows grow and all other ones are trivial; else
// -1.
int64_t CumulativeDimension(const WindowReduction& reduction) {
  int64_t cumulative = -1;
  for (size_t d = 0; d < reduction.window.size(); ++d) {
    const WindowDimension& w = reduction.window[d];
    const int64_t size = reduction.inputs[0].dimensions()[d];
    const bool is_trivial = w.size == 1 && w.stride == 1 && w.padding_low == 0 && reduction.window_counts[d] == size;
    if (is_trivial) continue;
    if (cumulative >= 0 || !IsGrowing(w, size, reduction.window_counts[d])) return -1;
    cumulative = static_cast<int64_t>(d);
  }
  return cumulative;
}

// Growing windows: each result is the one before it and one more element. The order of the steps in a window is kept,
// so the result is that of the formula for any reducer.
absl::Status FoldCumulative(const Tensor& input, size_t dimension, const uint8_t* init, Tensor& result,
                            KernelRuntime& runtime, const numerics::WindowLoops& loops) {
  constexpr int64_t kMostNumbers = 4096;  // accumulators that are not stored as they are
  DimensionVector line_sizes(input.dimensions().begin(), input.dimensions().end());
  const int64_t length = line_sizes[dimension];
  line_sizes[dimension] = 1;
  const StridedPlan<2> lines = CollapseDimensions<2>(line_sizes, {input.strides(), result.strides()});
  const int64_t bytes = loops.stored_bytes;
  const bool is_in_place = bytes == loops.number_bytes;
  const uint8_t* const x = input.data();
  uint8_t* const out = result.mutable_data();
  const int64_t from_step = input.strides()[dimension], to_step = result.strides()[dimension];
  // Lines that are neighbours.
  const auto fold_neighbours = [&](const uint8_t* from, uint8_t* to, int64_t count, uint8_t* numbers) {
    uint8_t* next = is_in_place ? to : numbers;
    loops.widen(init, next, count);
    const uint8_t* previous = next;
    for (int64_t step = 0; step < length; ++step) {
      loops.fold_rows(&from, 1, count, previous, next, 0, {});
      if (!is_in_place) loops.narrow(next, to, 1, count);
      from += from_step * bytes;
      to += to_step * bytes;
      previous = next;
      if (is_in_place) next = to;
    }
  };
  return ParallelLoop(runtime, lines.element_count(), 1.0 * static_cast<double>(length),
                      [&](int64_t begin, int64_t end) {
                        std::vector<uint64_t> numbers;  // words keep them aligned
                        ForEachRow(lines, begin, end, [&](const std::array<int64_t, 2>& offsets, int64_t count) {
                          const int64_t from_stride = lines.row_stride(0), to_stride = lines.row_stride(1);
                          const uint8_t* const from = x + offsets[0] * bytes;
                          uint8_t* const to = out + offsets[1] * bytes;
                          if (from_stride != 1 || to_stride != 1) {
                            loops.fold_lines(from, from_stride, from_step, to, to_stride, to_step, count, length, init);
                            return;
                          }
                          const int64_t block = is_in_place ? count : std::min(count, kMostNumbers);
                          if (!is_in_place) numbers.resize(static_cast<size_t>(block));
                          for (int64_t first = 0; first < count; first += block) {
                            fold_neighbours(from + first * bytes, to + first * bytes, std::min(block, count - first),
                                            reinterpret_cast<uint8_t*>(numbers.data()));
                          }
                        });
                      });
}

// So many lanes are packed at a time: rows of windows can be as long as the result.
constexpr int64_t kPackedLanes = 1 << 14;

// Rows [begin, end) of windows through the program.
absl::Status RunProgram(const ScalarProgram& program, const numerics::WindowWalk& walk,
                        const std::vector<Tensor>& inputs, const std::vector<Tensor>& results,
                        const std::vector<uint8_t*>& result_data, int64_t begin, int64_t end, KernelRuntime& runtime) {
  const size_t n = inputs.size();
  // Some of the lanes that take part in a step, packed: accumulators and elements. Words keep them aligned.
  std::vector<std::vector<uint64_t>> packed(2 * n);
  std::vector<LaneOperand> operands(2 * n);
  std::vector<uint8_t*> outputs(n);
  for (size_t k = 0; k < 2 * n; ++k) {
    packed[k].resize(static_cast<size_t>(std::min(walk.lane_count(), kPackedLanes) * 2));
    operands[k] = {reinterpret_cast<const uint8_t*>(packed[k].data()), false};
    if (k < n) outputs[k] = reinterpret_cast<uint8_t*>(packed[k].data());
  }
  const int64_t out_step = results[0].rank() == 0 ? 0 : results[0].strides()[walk.lane_dimension()];
  absl::Status status;
  CancellationPoll poll(runtime);
  const double nanoseconds_per_lane = 4 + program.nanoseconds_per_lane();
  for (int64_t row = begin; row < end && status.ok(); ++row) {
    const int64_t row_offset = walk.RowOffset(row, results[0].strides());
    walk.ForEachOffset(row, [&](int64_t base, const numerics::WindowLanes& lanes) {
      const double work = lanes.count == 0 ? 100e3 : 100 + static_cast<double>(lanes.count) * nanoseconds_per_lane;
      if (poll.Cancelled(work)) return false;
      if (lanes.count == 0) return true;
      const auto for_each_array = [&](bool after, int64_t first, int64_t end_lane) {
        for (size_t k = 0; k < n; ++k) {
          numerics::VisitElementBytes(inputs[k].element_bytes(), [&](auto bits) {
            using T = decltype(bits);
            T* const acc = reinterpret_cast<T*>(result_data[k]) + row_offset + lanes.first_window * out_step;
            const int64_t acc_step = lanes.window_step * out_step;
            T* const packed_acc = reinterpret_cast<T*>(packed[k].data());
            T* const packed_x = reinterpret_cast<T*>(packed[n + k].data());
            const T* const x = reinterpret_cast<const T*>(inputs[k].data()) + base + lanes.first_offset;
            for (int64_t i = first; i < end_lane; ++i) {
              if (after) {
                acc[i * acc_step] = packed_acc[i - first];
              } else {
                packed_acc[i - first] = acc[i * acc_step];
                packed_x[i - first] = x[i * lanes.offset_step];
              }
            }
          });
        }
      };
      for (int64_t first = 0; first < lanes.count && status.ok(); first += kPackedLanes) {
        const int64_t end_lane = std::min(lanes.count, first + kPackedLanes);
        for_each_array(false, first, end_lane);
        status = program.Run(operands, outputs, end_lane - first, runtime);
        for_each_array(true, first, end_lane);
      }
      return status.ok();
    });
  }
  return status;
}

bool HasWindows(const DimensionVector& window_counts) { return !absl::c_linear_search(window_counts, 0); }

}  // namespace

absl::StatusOr<std::vector<Tensor>> ReduceWindowByProgram(const Module& module, const WindowReduction& reduction,
                                                          KernelRuntime& runtime) {
  absl::StatusOr<std::unique_ptr<ScalarProgram>> program = ScalarProgram::Compile(module, reduction.computation);
  if (!program.ok()) return program.status();
  const size_t n = reduction.inputs.size();
  std::vector<Tensor> inputs, results;
  std::vector<uint8_t*> result_data;
  for (size_t k = 0; k < n; ++k) {
    // Accumulator and element of an input have one type, up to mixed precision; then that of the accumulator serves
    // both.
    const ElementType type = (*program)->output_type(k);
    absl::StatusOr<Tensor> input = ConvertElements(reduction.inputs[k], (*program)->input_type(n + k), runtime);
    if (input.ok() && n > 1) input = DenseElements(*input, runtime);  // all are walked with one set of strides
    if (!input.ok()) return input.status();
    absl::StatusOr<Tensor> init = ConvertElements(reduction.inits[k], type, runtime);
    if (!init.ok()) return init.status();
    absl::StatusOr<Tensor> result = FilledTensor(*init, reduction.window_counts, runtime);
    if (!result.ok()) return result.status();
    if (input->element_bytes() != result->element_bytes()) {
      return absl::UnimplementedError(
          "reduce-window: a computation with accumulators and elements of different widths");
    }
    inputs.push_back(*std::move(input));
    results.push_back(*std::move(result));
  }
  for (Tensor& result : results) result_data.push_back(result.mutable_data());
  if (HasWindows(reduction.window_counts) && inputs[0].element_count() > 0) {
    const numerics::WindowWalk walk(reduction.window, inputs[0].dimensions(), inputs[0].strides(),
                                    reduction.window_counts);
    absl::Status status;
    if ((*program)->is_compiled()) {
      const double nanoseconds =
          static_cast<double>(walk.window_size()) *
          (100 + static_cast<double>(walk.lane_count()) * (4 + (*program)->nanoseconds_per_lane()));
      status = ParallelLoop(runtime, walk.row_count(), nanoseconds, [&](int64_t begin, int64_t end) {
        // A compiled program does not fail.
        RunProgram(**program, walk, inputs, results, result_data, begin, end, runtime).IgnoreError();
      });
      if (status.ok()) status = runtime.CheckCancelled();
    } else {
      status = RunProgram(**program, walk, inputs, results, result_data, 0, walk.row_count(), runtime);
    }
    if (!status.ok()) return status;
  }
  for (size_t k = 0; k < n; ++k) {
    absl::StatusOr<Tensor> result = ConvertElements(results[k], reduction.inits[k].element_type(), runtime);
    if (!result.ok()) return result.status();
    results[k] = *std::move(result);
  }
  return results;
}

absl::StatusOr<std::vector<Tensor>> ReduceWindow(const Module& module, const WindowReduction& reduction,
                                                 KernelRuntime& runtime) {
  if (reduction.inputs.size() != 1) return ReduceWindowByProgram(module, reduction, runtime);
  const Tensor& input = reduction.inputs[0];
  const ElementType type = module.shape(module.computation(reduction.computation).root).element_type();
  if (type != input.element_type() || type != reduction.inits[0].element_type()) {
    return ReduceWindowByProgram(module, reduction, runtime);
  }
  if (!HasWindows(reduction.window_counts) || input.element_count() == 0) {
    absl::StatusOr<Tensor> filled = FilledTensor(reduction.inits[0], reduction.window_counts, runtime);
    if (!filled.ok()) return filled.status();
    return std::vector<Tensor>{*std::move(filled)};
  }
  numerics::WindowLoops loops{};
  const bool is_known = VisitStoredReducer(
      RecognizeReducer(module, reduction.computation), type,
      [&](auto element, auto op) { loops = numerics::WindowLoopsOf<decltype(element), decltype(op)>(); });
  if (!is_known) return ReduceWindowByProgram(module, reduction, runtime);
  absl::StatusOr<Tensor> result = Tensor::Allocate(type, reduction.window_counts);
  if (!result.ok()) return result.status();
  const uint8_t* const init = reduction.inits[0].data();
  const int64_t cumulative = CumulativeDimension(reduction);
  absl::Status status;
  if (cumulative >= 0) {
    status = FoldCumulative(input, static_cast<size_t>(cumulative), init, *result, runtime, loops);
  } else {
    const numerics::WindowWalk walk(reduction.window, input.dimensions(), input.strides(), reduction.window_counts,
                                    numerics::kFewLanes);
    const numerics::WindowArrays arrays = {input.data(), init, result->mutable_data(), result->strides()};
    status = StatusOf(numerics::FoldWindows(walk, arrays, loops, runtime), runtime);
  }
  if (!status.ok()) return status;
  return std::vector<Tensor>{*std::move(result)};
}

}  // namespace hloscope::evaluator
