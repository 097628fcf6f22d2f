// SPDX-License-Identifier: Apache-2.0
// select-and-scatter (docs/ops/tensor.md 2.3).
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/known_reducers.h"
#include "core/analysis/scalar_patterns.h"
#include "evaluator/kernels/data_movement/scatter.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/strided_iteration.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/lanes/scalar_program.h"
#include "numerics/pooling/window_selection.h"
#include "numerics/windows/window_walk.h"

namespace hloscope::evaluator {
namespace {

constexpr int64_t kNothingSelected = -1;
// So many lanes are packed at a time: rows of windows can be as long as the source.
constexpr int64_t kPackedLanes = 1 << 14;

// The operand in the types of the two parameters of `select`, which differ under mixed precision only.
struct Selectable {
  Tensor incumbents, candidates;
};

void Pack(const Tensor& from, absl::Span<const int64_t> offsets, std::vector<uint64_t>& to) {
  numerics::VisitElementBytes(from.element_bytes(), [&](auto bits) {
    using T = decltype(bits);
    const T* const x = reinterpret_cast<const T*>(from.data());
    for (size_t i = 0; i < offsets.size(); ++i) reinterpret_cast<T*>(to.data())[i] = x[offsets[i]];
  });
}

// Offset in the operand of the element that each window of rows [begin, end) selects; untouched where a window has
// none. `selected` is indexed by window, row-major.
absl::Status SelectRows(const ScalarProgram& select, const numerics::WindowWalk& walk, const Selectable& operand,
                        absl::Span<const int64_t> selected_strides, int64_t* selected, int64_t begin, int64_t end,
                        KernelRuntime& runtime) {
  const size_t lane_count = static_cast<size_t>(std::min(walk.lane_count(), kPackedLanes));
  const int64_t step = selected_strides.empty() ? 0 : selected_strides[walk.lane_dimension()];
  std::vector<uint64_t> incumbents(2 * lane_count),
      candidates(2 * lane_count);              // packed values; words keep them aligned
  std::vector<int64_t> contested(lane_count);  // lanes that have an incumbent
  std::vector<int64_t> incumbent_offsets(lane_count), candidate_offsets(lane_count);
  std::vector<uint8_t> keeps(lane_count);
  const LaneOperand operands[] = {{reinterpret_cast<const uint8_t*>(incumbents.data()), false},
                                  {reinterpret_cast<const uint8_t*>(candidates.data()), false}};
  uint8_t* const outputs[] = {keeps.data()};
  absl::Status status;
  CancellationPoll poll(runtime);
  const double nanoseconds_per_lane = 6 + select.nanoseconds_per_lane();
  for (int64_t row = begin; row < end && status.ok(); ++row) {
    int64_t* const best = selected + walk.RowOffset(row, selected_strides);
    walk.ForEachOffset(row, [&](int64_t base, const numerics::WindowLanes& lanes) {
      // Offsets without lanes come after many that were passed over.
      const double work = lanes.count == 0 ? 100e3 : 100 + static_cast<double>(lanes.count) * nanoseconds_per_lane;
      if (poll.Cancelled(work)) return false;
      for (int64_t block = 0; block < lanes.count && status.ok(); block += kPackedLanes) {
        size_t count = 0;
        for (int64_t i = block; i < std::min(lanes.count, block + kPackedLanes); ++i) {
          int64_t& incumbent = best[(lanes.first_window + i * lanes.window_step) * step];
          const int64_t candidate = base + lanes.first_offset + i * lanes.offset_step;
          if (incumbent == kNothingSelected) {
            incumbent = candidate;
            continue;
          }
          incumbent_offsets[count] = incumbent;
          candidate_offsets[count] = candidate;
          contested[count++] = i;
        }
        if (count == 0) continue;
        Pack(operand.incumbents, absl::MakeConstSpan(incumbent_offsets).first(count), incumbents);
        Pack(operand.candidates, absl::MakeConstSpan(candidate_offsets).first(count), candidates);
        status = select.Run(operands, outputs, static_cast<int64_t>(count), runtime);
        for (size_t c = 0; c < count; ++c) {
          if (keeps[c] != 0) continue;
          const int64_t i = contested[c];
          best[(lanes.first_window + i * lanes.window_step) * step] = base + lanes.first_offset + i * lanes.offset_step;
        }
      }
      return status.ok();
    });
  }
  return status;
}

// The loops for computations that are known ones on elements of `type`; nothing if there are none.
std::optional<numerics::SelectionLoops> SelectionLoopsFor(const Module& module, ComputationId select,
                                                          ComputationId scatter, ElementType type) {
  const auto is_of_type = [&](ComputationId computation) {
    return module.shape(module.computation(computation).parameters[0]).element_type() == type;
  };
  const std::optional<RecognizedComparator> comparator = RecognizeComparator(module, select);
  if (!comparator || comparator->total_order || !is_of_type(select) || !is_of_type(scatter)) return std::nullopt;
  numerics::SelectionLoops loops = {};
  bool is_known = false;
  VisitStoredReducer(RecognizeReducer(module, scatter), type, [&](auto element, auto op) {
    using T = decltype(element);
    numerics::SetReducer<T, decltype(op)>(loops);
    is_known =
        VisitOrder(comparator->direction, [&](auto compare) { numerics::SetComparison<T, decltype(compare)>(loops); });
  });
  return is_known ? std::optional(loops) : std::nullopt;
}

}  // namespace

absl::StatusOr<Tensor> SelectAndScatter(const KernelContext& context) {
  KernelRuntime& runtime = context.runtime;
  const Module& module = context.module;
  absl::StatusOr<std::unique_ptr<ScalarProgram>> select =
      ScalarProgram::Compile(module, module.ComputationAttribute(context.id, AttributeKind::kSelect));
  if (!select.ok()) return select.status();
  const ComputationId scatter_computation = module.ComputationAttribute(context.id, AttributeKind::kScatter);
  absl::StatusOr<std::unique_ptr<ScalarProgram>> scatter = ScalarProgram::Compile(module, scatter_computation);
  if (!scatter.ok()) return scatter.status();

  const ElementType type = context.shape().element_type();
  absl::StatusOr<Tensor> operand = ConvertElements(ValidRegion(context.tensor(0)), (*select)->input_type(0), runtime);
  if (operand.ok()) operand = DenseElements(*operand, runtime);  // offsets in it are offsets in the result
  if (!operand.ok()) return operand;
  absl::StatusOr<Tensor> candidates =
      ConvertElements(ValidRegion(context.tensor(0)), (*select)->input_type(1), runtime);
  if (candidates.ok()) candidates = DenseElements(*candidates, runtime);
  if (!candidates.ok()) return candidates;
  const Selectable selectable = {*operand, *std::move(candidates)};
  absl::StatusOr<Tensor> source = ConvertElements(ValidRegion(context.tensor(1)), (*scatter)->input_type(1), runtime);
  if (source.ok()) source = DenseElements(*source, runtime);
  if (!source.ok()) return source;
  absl::StatusOr<Tensor> init = ConvertElements(context.tensor(2), (*scatter)->output_type(0), runtime);
  if (!init.ok()) return init;
  std::vector<WindowDimension> window;
  if (const Window* w = module.WindowAttribute(context.id)) window = w->dimensions;
  const bool is_empty = source->element_count() == 0 || operand->element_count() == 0;
  if (!is_empty && operand->element_type() == type && source->element_type() == type && init->element_type() == type) {
    absl::StatusOr<Tensor> result = Tensor::Allocate(type, operand->dimensions());
    if (!result.ok()) return result;
    const numerics::WindowSelection selection = {
        window,         operand->dimensions(), source->dimensions(),  operand->data(),
        source->data(), init->data(),          result->mutable_data()};
    const std::optional<numerics::SelectionLoops> loops = SelectionLoopsFor(
        module, module.ComputationAttribute(context.id, AttributeKind::kSelect), scatter_computation, type);
    if (loops && numerics::SuitsRows(selection)) {
      const numerics::Outcome outcome = numerics::SelectAndScatter(selection, *loops, runtime);
      if (absl::Status status = StatusOf(outcome, runtime); !status.ok()) return status;
      return result;
    }
  }
  absl::StatusOr<Tensor> result = FilledTensor(*init, operand->dimensions(), runtime);
  if (!result.ok()) return result;
  if (is_empty) return ConvertElements(*result, type, runtime);
  const numerics::WindowWalk walk(window, operand->dimensions(), operand->strides(), source->dimensions());
  absl::StatusOr<Tensor> nothing = Tensor::Allocate(ElementType::kS64, {});
  if (!nothing.ok()) return nothing;
  *nothing->mutable_data_as<int64_t>() = kNothingSelected;
  absl::StatusOr<Tensor> positions = FilledTensor(*nothing, source->dimensions(), runtime);
  if (!positions.ok()) return positions;
  int64_t* const selected = positions->mutable_data_as<int64_t>();
  const int64_t selected_count = source->element_count();
  absl::Status status;
  if ((*select)->is_compiled()) {
    const double nanoseconds = static_cast<double>(walk.window_size()) *
                               (100 + static_cast<double>(walk.lane_count()) * (6 + (*select)->nanoseconds_per_lane()));
    status = ParallelLoop(runtime, walk.row_count(), nanoseconds, [&](int64_t begin, int64_t end) {
      SelectRows(**select, walk, selectable, source->strides(), selected, begin, end, runtime)
          .IgnoreError();  // a compiled program does not fail
    });
    if (status.ok()) status = runtime.CheckCancelled();
  } else {
    status = SelectRows(**select, walk, selectable, source->strides(), selected, 0, walk.row_count(), runtime);
  }
  if (!status.ok()) return status;

  // D6: the current value first, then the source; one after the other in row-major order of the source.
  const bool done = VisitKnownReducer(RecognizeReducer(module, scatter_computation), result->element_type(),
                                      [&](auto element, auto op) {
                                        using T = decltype(element);
                                        T* const out = result->mutable_data_as<T>();
                                        const T* const from = source->data_as<T>();
                                        const auto add = [&](int64_t begin, int64_t end) {
                                          for (int64_t i = begin; i < end; ++i) {
                                            if (selected[i] == kNothingSelected) continue;
                                            out[selected[i]] = op(out[selected[i]], from[i]);
                                          }
                                        };
                                        status = SerialLoop(runtime, selected_count, 5, add);
                                      });
  if (!status.ok()) return status;
  if (!done) {
    const int64_t bytes = result->element_bytes(), source_bytes = source->element_bytes();
    for (int64_t i = 0; i < selected_count; ++i) {
      if (i % 4096 == 4095) {
        if (absl::Status s = runtime.CheckCancelled(); !s.ok()) return s;
      }
      if (selected[i] == kNothingSelected) continue;
      uint8_t* const current = result->mutable_data() + selected[i] * bytes;
      const LaneOperand operands[] = {{current, false}, {source->data() + i * source_bytes, false}};
      uint8_t* const outputs[] = {current};
      if (absl::Status s = (*scatter)->Run(operands, outputs, 1, runtime); !s.ok()) return s;
    }
  }
  return ConvertElements(*result, type, runtime);
}

}  // namespace hloscope::evaluator
