// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/data_movement/scatter.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "absl/algorithm/container.h"
#include "core/analysis/known_reducers.h"
#include "core/analysis/scalar_patterns.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/start_indices.h"
#include "evaluator/kernels/indexing/strided_iteration.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/lanes/scalar_program.h"
#include "numerics/data_movement/strided_copy.h"
#include "numerics/elements/numeric.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::evaluator {
namespace {

// Everything about a scatter that does not depend on the scatter position.
struct ScatterPlan {
  DimensionVector window_sizes;   // of the update windows
  DimensionVector largest_start;  // by operand dimension, in the smallest result; negative where no window fits
  std::vector<DimensionVector> result_strides, result_window_strides;          // by result; results are dense
  std::vector<DimensionVector> update_window_strides, update_scatter_strides;  // by update
  DimensionVector scatter_sizes;
  // A dimension of the results along which windows have one element, so that those at different places there meet
  // different elements: the longest, or the outermost one if that is long enough. Negative if there is none.
  int64_t divided_dimension = -1, divided_size = 0;
  // Whether a part of that dimension is one piece of a result.
  bool has_dense_parts = false;
};

// Parts of the divided dimension, if results are not small: a part stays in the cache of a thread.
constexpr int64_t kPartBytes = int64_t{1} << 18, kMostParts = 4096, kEnoughParts = 64;
constexpr int64_t kOnePartBytes = int64_t{1} << 19;

ScatterPlan MakePlan(const KernelContext& context, const std::vector<Tensor>& results,
                     const std::vector<Tensor>& updates, const IndexDimensionNumbers& numbers) {
  const absl::Span<const int64_t> window_dims =
      context.module.IntsAttribute(context.id, AttributeKind::kUpdateWindowDims);
  const absl::Span<const int64_t> inserted =
      context.module.IntsAttribute(context.id, AttributeKind::kInsertedWindowDims);
  ScatterPlan plan;
  plan.result_window_strides.resize(results.size());
  for (const Tensor& result : results) {
    plan.result_strides.emplace_back(result.strides().begin(), result.strides().end());
  }
  for (int64_t d = 0, w = 0; d < results[0].rank(); ++d) {
    int64_t size = 1, smallest = results[0].dimension(d);
    if (!absl::c_linear_search(inserted, d) && !absl::c_linear_search(numbers.operand_batching_dims, d)) {
      size = updates[0].dimension(window_dims[static_cast<size_t>(w++)]);
      plan.window_sizes.push_back(size);
      for (size_t k = 0; k < results.size(); ++k) {
        plan.result_window_strides[k].push_back(plan.result_strides[k][static_cast<size_t>(d)]);
      }
    }
    for (const Tensor& result : results) smallest = std::min(smallest, result.dimension(d));
    if (size == 1 && smallest > plan.divided_size && plan.divided_size < kEnoughParts) {
      plan.divided_dimension = d;
      plan.divided_size = smallest;
      plan.has_dense_parts =
          results[0].element_count() == results[0].dimension(d) * results[0].strides()[static_cast<size_t>(d)];
    }
    plan.largest_start.push_back(smallest - size);
  }
  for (const Tensor& update : updates) {
    DimensionVector window_strides, scatter_strides;
    for (int64_t d = 0; d < update.rank(); ++d) {
      const bool is_window = absl::c_linear_search(window_dims, d);
      (is_window ? window_strides : scatter_strides).push_back(update.strides()[static_cast<size_t>(d)]);
      if (!is_window && plan.update_scatter_strides.empty()) plan.scatter_sizes.push_back(update.dimension(d));
    }
    plan.update_window_strides.push_back(std::move(window_strides));
    plan.update_scatter_strides.push_back(std::move(scatter_strides));
  }
  return plan;
}

bool Fits(const ScatterPlan& plan, absl::Span<const int64_t> start, absl::Span<const int64_t> scatter_index) {
  bool fits = true;
  for (size_t d = 0; d < start.size() && fits; ++d) fits = start[d] >= 0 && start[d] <= plan.largest_start[d];
  // Positions beyond a run-time size of the updates are not executed.
  for (size_t d = 0; d < scatter_index.size() && fits; ++d) fits = scatter_index[d] < plan.scatter_sizes[d];
  return fits;
}

// Calls `apply(start, scatter index)` for every scatter position whose window fits into the operands, in row-major
// order.
template <typename Apply>
absl::Status ForEachFittingWindow(const ScatterPlan& plan, const StartIndices& starts, KernelRuntime& runtime,
                                  Apply&& apply) {
  // Elements of windows; finding one takes as long as some of them.
  constexpr int64_t kPollInterval = int64_t{1} << 18, kFinding = 16;
  int64_t window_elements = 1, since_poll = 0;
  for (int64_t size : plan.window_sizes) window_elements *= size;
  DimensionVector scatter_index(starts.batch_sizes().size(), 0), start(plan.largest_start.size(), 0);
  for (int64_t n = 0; n < starts.batch_count(); ++n) {
    since_poll += kFinding + window_elements;
    if (since_poll >= kPollInterval) {
      since_poll = 0;
      if (absl::Status s = runtime.CheckCancelled(); !s.ok()) return s;
    }
    starts.Get(n, absl::MakeSpan(scatter_index), absl::MakeSpan(start));
    if (!Fits(plan, start, scatter_index)) continue;
    if (absl::Status s = apply(start, scatter_index); !s.ok()) return s;
  }
  return absl::OkStatus();
}

int64_t OffsetOf(absl::Span<const int64_t> index, absl::Span<const int64_t> strides) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) offset += index[d] * strides[d];
  return offset;
}

// Scatter positions that are found at a time.
constexpr int64_t kFoundTogether = 32;

// Adds what kFoundTogether starts in a dimension are to offsets. One that is outside of [0, largest] makes the offset
// negative, and so it stays.
HLOSCOPE_VECTOR_CLONES void AddStarts(const int64_t* __restrict__ starts, int64_t largest, int64_t stride,
                                      int64_t* __restrict__ offsets) {
  constexpr int64_t kOutside = std::numeric_limits<int64_t>::min();
  for (int64_t i = 0; i < kFoundTogether; ++i) {
    const int64_t start = starts[i];
    const bool is_inside = (start >= 0) & (start <= largest) & (offsets[i] >= 0);
    offsets[i] = is_inside ? offsets[i] + start * stride : kOutside;
  }
}

// The windows of one operand, found some at a time. Threads share the results: each takes parts of the divided
// dimension and the windows of these parts, in their order.
class PlacedWindows {
 public:
  PlacedWindows(const ScatterPlan& plan, const StartIndices& starts, int64_t result_bytes, KernelRuntime& runtime)
      : plan_(plan),
        starts_(starts),
        runtime_(runtime),
        part_bits_(plan.divided_dimension < 0 ? 63 : PartBits(plan, result_bytes)),
        parts_(plan.divided_dimension < 0 ? 1 : ((plan.divided_size - 1) >> part_bits_) + 1),
        part_nanoseconds_(kByteNanoseconds * static_cast<double>(result_bytes) / static_cast<double>(parts_)) {
    for (int64_t size : plan.window_sizes) window_elements_ *= size;
  }

  // Calls `start(begin, end)` for the places [begin, end) of each part of the divided dimension (of all, [0, 0)), then
  // `apply(result offset, update offset)` for every scatter position whose window fits into the operands, of those that
  // meet the same elements in row-major order. `fetch` is called with the same some windows earlier.
  template <typename Start, typename Fetch, typename Apply>
  absl::Status ForEach(Start&& start, Fetch&& fetch, Apply&& apply) {
    if (parts_ == 1 && window_elements_ == 1) return ForEachElement(start, apply);
    const double window_nanoseconds = kApplyingNanoseconds * static_cast<double>(1 + window_elements_);
    windows_.resize(static_cast<size_t>(std::min(starts_.batch_count(), kMostPlaced)));
    for (int64_t first = 0; first < starts_.batch_count(); first += kMostPlaced) {
      const int64_t count = std::min(kMostPlaced, starts_.batch_count() - first);
      absl::Status status = ParallelLoop(runtime_, count, kFindingNanoseconds,
                                         [&](int64_t begin, int64_t end) { Find(first, begin, end); });
      if (!status.ok()) return status;
      if (parts_ > 1) SortByPart(count);
      const double nanoseconds =
          part_nanoseconds_ + window_nanoseconds * static_cast<double>(count) / static_cast<double>(parts_);
      status = ParallelLoop(runtime_, parts_, nanoseconds, [&](int64_t begin, int64_t end) {
        CancellationPoll poll(runtime_);
        for (int64_t part = begin; part < end; ++part) {
          if (first == 0) start(BeginOf(part), BeginOf(part + 1));
          // Of a single part they are in order as they were found.
          const std::vector<Window>& windows = parts_ > 1 ? sorted_ : windows_;
          const int64_t last = parts_ > 1 ? begins_[static_cast<size_t>(part + 1)] : count;
          for (int64_t n = parts_ > 1 ? begins_[static_cast<size_t>(part)] : 0; n < last; ++n) {
            const Window& ahead = windows[static_cast<size_t>(std::min(n + kAhead, last - 1))];
            fetch(ahead.result_offset, ahead.update_offset);
            const Window& window = windows[static_cast<size_t>(n)];
            if (window.part >= 0) apply(window.result_offset, window.update_offset);
            if (poll.Cancelled(window_nanoseconds)) return;
          }
        }
      });
      if (!status.ok()) return status;
    }
    return runtime_.CheckCancelled();
  }

 private:
  struct Window {
    int64_t part;  // -1: it does not fit
    int64_t result_offset, update_offset;
  };
  static constexpr int64_t kMostPlaced = int64_t{1} << 17, kAhead = 16;
  static constexpr double kFindingNanoseconds = 10, kApplyingNanoseconds = 0.5, kByteNanoseconds = 0.1;

  // The size of parts is a power of two, so that finding a part takes no division.
  static int PartBits(const ScatterPlan& plan, int64_t result_bytes) {
    const int64_t size = plan.divided_size;
    // Single elements of what stays in a core's cache are combined faster than windows are sorted.
    const bool is_one =
        result_bytes <= kOnePartBytes && absl::c_all_of(plan.window_sizes, [](int64_t n) { return n == 1; });
    const int64_t parts = is_one ? 1 : std::clamp(result_bytes / kPartBytes, kEnoughParts, kMostParts);
    int bits = 0;
    while (((size - 1) >> bits) >= parts) ++bits;
    return bits;
  }
  // The place at which a part begins; the last one has no more places than there are.
  int64_t BeginOf(int64_t part) const {
    return plan_.divided_dimension < 0 ? 0 : std::min(part << part_bits_, plan_.divided_size);
  }

  // The first `count` windows that fit, by part; those of one part stay in order.
  void SortByPart(int64_t count) {
    begins_.assign(static_cast<size_t>(parts_) + 1, 0);
    for (int64_t n = 0; n < count; ++n) ++begins_[static_cast<size_t>(windows_[static_cast<size_t>(n)].part + 1)];
    begins_[0] = 0;  // those that do not fit
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    sorted_.resize(static_cast<size_t>(begins_.back()));
    std::vector<int64_t> next = begins_;
    for (int64_t n = 0; n < count; ++n) {
      const Window& window = windows_[static_cast<size_t>(n)];
      if (window.part >= 0) sorted_[static_cast<size_t>(next[static_cast<size_t>(window.part)]++)] = window;
    }
  }

  // Those at scatter positions [first + begin, first + end).
  void Find(int64_t first, int64_t begin, int64_t end) {
    Finder finder(*this);
    for (int64_t n = begin; n < end;) {
      const int64_t count = finder.Find(first + n, end - n);
      for (int64_t i = 0; i < count; ++i) {
        Window& window = windows_[static_cast<size_t>(n + i)];
        window = {-1, 0, 0};
        if (!finder.Fits(i)) continue;
        const int64_t part = parts_ > 1 ? finder.Place(i, plan_.divided_dimension) >> part_bits_ : 0;
        window = {part, finder.Result(i), finder.Update(i)};
      }
      n += count;
    }
  }

  // Finds windows, some at a time.
  class Finder {
   public:
    static constexpr int64_t kSome = kFoundTogether;

    explicit Finder(const PlacedWindows& windows)
        : windows_(windows),
          scatter_index_(windows.starts_.batch_sizes().size(), 0),
          starts_(windows.plan_.largest_start.size() * kSome, 0) {}

    // Those at scatter positions from `first` on, up to `most` and kSome; returns how many.
    int64_t Find(int64_t first, int64_t most) {
      const ScatterPlan& plan = windows_.plan_;
      const size_t last = scatter_index_.empty() ? 0 : scatter_index_.size() - 1;
      const int64_t count =
          std::min(windows_.starts_.Get(first, kSome, absl::MakeSpan(scatter_index_), starts_.data()), most);
      // Positions beyond a run-time size of the updates are not executed.
      bool all_fit = true;
      for (size_t d = 0; d < last; ++d) all_fit = all_fit && scatter_index_[d] < plan.scatter_sizes[d];
      executed_ = !all_fit                 ? 0
                  : scatter_index_.empty() ? count
                                           : std::min(count, plan.scatter_sizes[last] - scatter_index_[last]);
      update_ = OffsetOf(scatter_index_, plan.update_scatter_strides[0]);
      update_step_ = scatter_index_.empty() ? 0 : plan.update_scatter_strides[0][last];
      results_.fill(0);
      for (size_t d = 0; d < plan.largest_start.size(); ++d) {
        AddStarts(starts_.data() + d * kSome, plan.largest_start[d], plan.result_strides[0][d], results_.data());
      }
      return count;
    }

    // Of the i-th one: whether it fits, and its offsets.
    bool Fits(int64_t i) const { return i < executed_ && results_[static_cast<size_t>(i)] >= 0; }
    int64_t Result(int64_t i) const { return results_[static_cast<size_t>(i)]; }
    int64_t Update(int64_t i) const { return update_ + i * update_step_; }
    int64_t Place(int64_t i, int64_t dimension) const { return starts_[static_cast<size_t>(dimension * kSome + i)]; }

   private:
    const PlacedWindows& windows_;
    DimensionVector scatter_index_;
    std::vector<int64_t> starts_;           // kSome of each dimension
    std::array<int64_t, kSome> results_{};  // offsets; negative if the window does not fit
    int64_t executed_ = 0, update_ = 0, update_step_ = 0;
  };

  // Of a single part whose windows are single elements in the cache, which are not worth being kept.
  template <typename Start, typename Apply>
  absl::Status ForEachElement(Start&& start, Apply&& apply) {
    start(BeginOf(0), BeginOf(1));
    CancellationPoll poll(runtime_);
    Finder finder(*this);
    for (int64_t n = 0; n < starts_.batch_count();) {
      const int64_t count = finder.Find(n, starts_.batch_count() - n);
      for (int64_t i = 0; i < count; ++i) {
        if (finder.Fits(i)) apply(finder.Result(i), finder.Update(i));
      }
      if (poll.Cancelled(kFindingNanoseconds * static_cast<double>(count))) break;
      n += count;
    }
    return runtime_.CheckCancelled();
  }

  const ScatterPlan& plan_;
  const StartIndices& starts_;
  KernelRuntime& runtime_;
  const int part_bits_;  // a part has 2^part_bits_ places of the divided dimension
  const int64_t parts_;
  const double part_nanoseconds_;
  std::vector<Window> windows_, sorted_;
  std::vector<int64_t> begins_;  // of parts, in `sorted_`
  int64_t window_elements_ = 1;
};

// result[i] = combine(result[i], update[i]).
template <typename T, typename Combine>
void CombineRow(T* result, int64_t result_stride, const T* update, int64_t update_stride, int64_t count,
                Combine combine) {
  if (result_stride == 1 && update_stride == 1) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) result[i] = combine(result[i], update[i]);
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    result[i * result_stride] = combine(result[i * result_stride], update[i * update_stride]);
  }
}

// One operand, result[p] = combine(operand[p], update[q]) on elements of type T. `result` is the operand already,
// unless that is given: then parts of it are copied right before they are read.
template <typename T, typename Combine>
absl::Status ScatterTyped(const ScatterPlan& plan, const StartIndices& starts, const Tensor* operand,
                          const Tensor& update, Tensor& result, KernelRuntime& runtime, Combine combine) {
  const StridedPlan<2> window =
      CollapseDimensions<2>(plan.window_sizes, {plan.result_window_strides[0], plan.update_window_strides[0]});
  const int64_t count = window.element_count(), row_size = window.row_size();
  const int64_t to_stride = window.row_stride(0), from_stride = window.row_stride(1);
  T* const to = result.mutable_data_as<T>();
  const T* const from = update.data_as<T>();
  // The first lines of a window; further ones the processor fetches itself.
  constexpr int64_t kLine = 64 / sizeof(T), kMostFetched = 8 * kLine;
  const int64_t fetched = std::min(row_size, kMostFetched);
  const auto fetch = [&](int64_t result_offset, int64_t update_offset) {
    for (int64_t i = 0; i < fetched; i += kLine) {
      __builtin_prefetch(to + result_offset + i * to_stride, 1);
      __builtin_prefetch(from + update_offset + i * from_stride);
    }
  };
  const auto start = [&](int64_t begin, int64_t end) {
    if (operand == nullptr) return;
    const size_t d = static_cast<size_t>(plan.divided_dimension);
    DimensionVector sizes(operand->dimensions().begin(), operand->dimensions().end());
    sizes[d] = end - begin;
    numerics::CopyStrided(sizeof(T), sizes, operand->data() + begin * operand->strides()[d] * int64_t{sizeof(T)},
                          operand->strides(), reinterpret_cast<uint8_t*>(to + begin * result.strides()[d]),
                          result.strides());
  };
  PlacedWindows windows(plan, starts, result.element_count() * result.element_bytes(), runtime);
  if (count == 1) {
    return windows.ForEach(start, fetch, [&](int64_t result_offset, int64_t update_offset) {
      to[result_offset] = combine(to[result_offset], from[update_offset]);
    });
  }
  return windows.ForEach(start, fetch, [&](int64_t result_offset, int64_t update_offset) {
    if (count == row_size) {
      return CombineRow(to + result_offset, to_stride, from + update_offset, from_stride, count, combine);
    }
    ForEachRow(window, 0, count, [&](const std::array<int64_t, 2>& offsets, int64_t row_count) {
      CombineRow(to + result_offset + offsets[0], to_stride, from + update_offset + offsets[1], from_stride, row_count,
                 combine);
    });
  });
}

// Any computation and number of operands: the elements of a window are the lanes of the program. No two of them are the
// same element, so they do not depend on each other.
absl::Status ScatterByProgram(const ScatterPlan& plan, const StartIndices& starts, const ScalarProgram& program,
                              const std::vector<Tensor>& updates, std::vector<Tensor>& results,
                              KernelRuntime& runtime) {
  int64_t count = 1;
  for (int64_t size : plan.window_sizes) count *= size;
  const DimensionVector dense_strides = RowMajorStrides(plan.window_sizes);
  const size_t n = results.size();
  std::vector<Tensor> lanes, outcomes;  // current values, updates; new values
  for (size_t k = 0; k < 2 * n; ++k) {
    const ElementType type = k < n ? results[k].element_type() : updates[k - n].element_type();
    absl::StatusOr<Tensor> lane = Tensor::Allocate(type, plan.window_sizes);
    if (!lane.ok()) return lane.status();
    lanes.push_back(*std::move(lane));
    if (k >= n) continue;
    absl::StatusOr<Tensor> outcome = Tensor::Allocate(type, plan.window_sizes);
    if (!outcome.ok()) return outcome.status();
    outcomes.push_back(*std::move(outcome));
  }
  std::vector<LaneOperand> inputs;
  std::vector<uint8_t*> outputs;
  for (Tensor& lane : lanes) inputs.push_back({lane.data(), false});
  for (Tensor& outcome : outcomes) outputs.push_back(outcome.mutable_data());

  return ForEachFittingWindow(
      plan, starts, runtime, [&](absl::Span<const int64_t> start, absl::Span<const int64_t> scatter_index) {
        for (size_t k = 0; k < n; ++k) {
          const int64_t bytes = results[k].element_bytes(), update_bytes = updates[k].element_bytes();
          numerics::CopyStrided(bytes, plan.window_sizes,
                                results[k].data() + OffsetOf(start, plan.result_strides[k]) * bytes,
                                plan.result_window_strides[k], lanes[k].mutable_data(), dense_strides);
          const int64_t update_offset = OffsetOf(scatter_index, plan.update_scatter_strides[k]);
          numerics::CopyStrided(update_bytes, plan.window_sizes, updates[k].data() + update_offset * update_bytes,
                                plan.update_window_strides[k], lanes[n + k].mutable_data(), dense_strides);
        }
        if (absl::Status s = program.Run(inputs, outputs, count, runtime); !s.ok()) return s;
        for (size_t k = 0; k < n; ++k) {
          const int64_t bytes = results[k].element_bytes();
          numerics::CopyStrided(bytes, plan.window_sizes, outcomes[k].data(), dense_strides,
                                results[k].mutable_data() + OffsetOf(start, plan.result_strides[k]) * bytes,
                                plan.result_window_strides[k]);
        }
        return absl::OkStatus();
      });
}

}  // namespace

absl::StatusOr<std::vector<Tensor>> Scatter(const KernelContext& context) {
  const size_t n = context.operands.size() / 2;
  IndexDimensionNumbers numbers;
  numbers.index_vector_dim = context.module.IntAttribute(context.id, AttributeKind::kIndexVectorDim);
  numbers.start_index_map = context.module.IntsAttribute(context.id, AttributeKind::kScatterDimsToOperandDims);
  numbers.operand_batching_dims = context.module.IntsAttribute(context.id, AttributeKind::kInputBatchingDims);
  numbers.start_indices_batching_dims =
      context.module.IntsAttribute(context.id, AttributeKind::kScatterIndicesBatchingDims);
  const absl::Span<const int64_t> inserted =
      context.module.IntsAttribute(context.id, AttributeKind::kInsertedWindowDims);
  if (absl::Status s = CheckBatchingDimensions(numbers, inserted); !s.ok()) return s;
  // Operands of different sizes (SCAT-13) have windows of one size.
  for (size_t k = 1; k < n; ++k) {
    if (context.tensor(k).rank() == context.tensor(0).rank() &&
        context.tensor(n + 1 + k).dimensions() == context.tensor(n + 1).dimensions()) {
      continue;
    }
    return absl::UnimplementedError("scatter: the updates have different shapes");
  }
  const StartIndices starts(ValidRegion(context.tensor(n)), numbers);
  const std::vector<Tensor> updates = ValidOperands(context, n + 1, n);
  if (absl::Status s = CheckSameSizes("scatter", updates); !s.ok()) return s;
  const std::vector<Tensor> operands = ValidOperands(context, 0, n);
  const auto copy_operands = [&]() -> absl::StatusOr<std::vector<Tensor>> {
    std::vector<Tensor> copies;
    for (const Tensor& operand : operands) {
      absl::StatusOr<Tensor> copy = CopyOfElements(operand, context.runtime);
      if (!copy.ok()) return copy.status();
      copies.push_back(*std::move(copy));
    }
    return copies;
  };
  const ComputationId computation = context.module.ComputationAttribute(context.id, AttributeKind::kToApply);
  const RecognizedReducer reducer = RecognizeReducer(context.module, computation);
  const auto is_empty = [](const Tensor& tensor) { return tensor.element_count() == 0; };
  if (is_empty(updates[0]) || absl::c_any_of(operands, is_empty)) return copy_operands();
  const ElementType type = operands[0].element_type();
  if (n == 1 && type == updates[0].element_type()) {
    if (reducer.kind == KnownReducer::kFirst) return copy_operands();
    absl::StatusOr<Tensor> allocated = Tensor::Allocate(type, operands[0].dimensions());
    if (!allocated.ok()) return allocated.status();
    std::vector<Tensor> results = {*std::move(allocated)};
    results[0].set_dynamic_sizes(
        DimensionVector(operands[0].dynamic_sizes().begin(), operands[0].dynamic_sizes().end()));
    const ScatterPlan plan = MakePlan(context, results, updates, numbers);
    const Tensor* const operand = plan.has_dense_parts ? &operands[0] : nullptr;
    absl::Status status;
    if (operand == nullptr) {
      status = CopyElements(operands[0], results[0].mutable_data(), results[0].strides(), context.runtime);
      if (!status.ok()) return status;
    }
    bool done = true;
    if (reducer.kind == KnownReducer::kSecond) {
      status = numerics::VisitElementBytes(results[0].element_bytes(), [&](auto bits) {
        using T = decltype(bits);
        return ScatterTyped<T>(plan, starts, operand, updates[0], results[0], context.runtime,
                               [](const T&, const T& update) { return update; });
      });
    } else {
      done = VisitStoredReducer(reducer, type, [&](auto element, auto op) {
        using T = decltype(element);
        status = ScatterTyped<T>(plan, starts, operand, updates[0], results[0], context.runtime, [](T a, T b) {
          return numerics::Narrowed<T>(decltype(op)()(numerics::Widened(a), numerics::Widened(b)));
        });
      });
    }
    if (!status.ok()) return status;
    if (done) return results;
  }

  absl::StatusOr<std::unique_ptr<ScalarProgram>> program = ScalarProgram::Compile(context.module, computation);
  if (!program.ok()) return program.status();
  absl::StatusOr<std::vector<Tensor>> copies = copy_operands();
  if (!copies.ok()) return copies.status();
  std::vector<Tensor> results = *std::move(copies);
  // Mixed precision: parameters may be wider or narrower floats than the operands.
  std::vector<Tensor> converted_updates = updates;
  std::vector<ElementType> declared;
  for (size_t k = 0; k < n; ++k) {
    declared.push_back(results[k].element_type());
    absl::StatusOr<Tensor> result = ConvertElements(results[k], (*program)->input_type(k), context.runtime);
    if (!result.ok()) return result.status();
    results[k] = *std::move(result);
    absl::StatusOr<Tensor> update = ConvertElements(updates[k], (*program)->input_type(n + k), context.runtime);
    if (!update.ok()) return update.status();
    converted_updates[k] = *std::move(update);
  }
  const ScatterPlan plan = MakePlan(context, results, converted_updates, numbers);
  absl::Status status = ScatterByProgram(plan, starts, **program, converted_updates, results, context.runtime);
  if (!status.ok()) return status;
  for (size_t k = 0; k < n; ++k) {
    absl::StatusOr<Tensor> result = ConvertElements(results[k], declared[k], context.runtime);
    if (!result.ok()) return result.status();
    results[k] = *std::move(result);
  }
  return results;
}

}  // namespace hloscope::evaluator
