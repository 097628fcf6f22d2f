// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/reduction/reduce_positions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "core/analysis/position_reducer.h"
#include "evaluator/kernels/indexing/strided_iteration.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/reduction/position_lanes.h"
#include "evaluator/tensor/tensor.h"
#include "numerics/data_movement/strided_copy.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

// Results that grow side by side, and parts of one run that do.
constexpr int64_t kResultsTogether = 512, kPartsOfRun = 64;
// Runs that are not worth dividing.
constexpr int64_t kShortRun = 24;
// Runs of at most so many elements are brought side by side, so many elements of them at a time: a few such arrays stay
// in the second cache level. At least so many runs.
constexpr int64_t kTransposedRun = 512, kTransposedElements = int64_t{1} << 14, kLeastTransposed = 16;
// Of few long runs, what a thread takes at a time.
constexpr int64_t kSegment = int64_t{1} << 16;
constexpr double kNanosecondsOfElement = 0.3, kNanosecondsOfResult = 50;

template <typename Number>
PairOrder OrderOf(Number x, Number y) {
  if (x != x) return y != y ? PairOrder::kBothAreNan : PairOrder::kFirstIsNan;
  if (y != y) return PairOrder::kSecondIsNan;
  return x < y ? PairOrder::kLess : x == y ? PairOrder::kEqual : PairOrder::kGreater;
}

template <typename T, typename Position>
class PositionReduction {
  using Number = numerics::WidenedType<T>;

 public:
  PositionReduction(const PositionReducer& reducer, const Reduction& reduction, KernelRuntime& runtime)
      : reducer_(reducer),
        types_{reduction.inputs[0].element_type(), reduction.inputs[1].element_type()},
        runtime_(runtime),
        numbers_(reduction.inputs[0].data_as<T>()),
        positions_(reduction.inputs[1].data_as<Position>()),
        init_(*reduction.inits[0].data_as<T>()),
        init_position_(*reduction.inits[1].data_as<Position>()) {
    DimensionVector reduced_sizes;
    std::array<DimensionVector, 2> kept_strides, reduced_strides;
    for (int64_t d = 0; d < reduction.inputs[0].rank(); ++d) {
      const bool is_reduced = absl::c_linear_search(reduction.dimensions, d);
      (is_reduced ? reduced_sizes : sizes_).push_back(reduction.inputs[0].dimension(d));
      for (size_t k = 0; k < 2; ++k) {
        (is_reduced ? reduced_strides : kept_strides)[k].push_back(
            reduction.inputs[k].strides()[static_cast<size_t>(d)]);
      }
    }
    kept_ = CollapseDimensions<2>(sizes_, {kept_strides[0], kept_strides[1]});
    reduced_ = CollapseDimensions<2>(reduced_sizes, {reduced_strides[0], reduced_strides[1]});
    count_ = kept_.element_count();
    reduced_count_ = reduced_.element_count();
  }

  absl::StatusOr<std::optional<std::vector<Tensor>>> Run() {
    const bool side_by_side = IsRow(kept_) && kept_.row_size() >= 8 && !IsRow(reduced_);
    if (count_ == 0 || reduced_count_ == 0 || (!side_by_side && !IsRow(reduced_))) return std::nullopt;
    std::vector<Tensor> results;
    for (ElementType type : types_) {
      absl::StatusOr<Tensor> result = Tensor::Allocate(type, sizes_);
      if (!result.ok()) return result.status();
      results.push_back(*std::move(result));
    }
    result_numbers_ = results[0].template mutable_data_as<T>();
    result_positions_ = results[1].template mutable_data_as<Position>();
    const bool transposes = reduced_.dimensions.size() == 1 && reduced_count_ > 1 && reduced_count_ <= kTransposedRun &&
                            count_ >= kLeastTransposed;
    absl::Status status = side_by_side ? TakeRowsOfResults() : transposes ? TakeTransposedRuns() : TakeRuns();
    if (!status.ok()) return status;
    return std::optional(std::move(results));
  }

 private:
  struct Extreme {
    Number number;
    Position position;
    ExtremeMarks<Number> marks;
  };
  // Extremes of lanes, before any number has come by.
  struct Lanes {
    void Start(int64_t lanes, Number number, Position position) {
      std::fill_n(numbers.begin(), lanes, number);
      std::fill_n(positions.begin(), lanes, position);
      std::fill_n(marks.begin(), lanes, 0);
    }
    ExtremeLanes<T, Position> all() { return {numbers.data(), positions.data(), marks.data()}; }

    std::array<Number, kResultsTogether> numbers;
    std::array<Position, kResultsTogether> positions;
    std::array<ExtremeMarks<Number>, kResultsTogether> marks;
    std::vector<T> side_by_side;  // elements of short runs
    std::vector<Position> positions_side_by_side;
  };

  // Whether neighbours are neighbours in memory, or have one position.
  static bool IsRow(const StridedPlan<2>& plan) {
    return plan.row_stride(0) == 1 && (plan.row_stride(1) == 0 || plan.row_stride(1) == 1);
  }

  void Take(const PositionRows<T, Position>& rows, const ExtremeLanes<T, Position>& lanes) const {
    if (reducer_.takes_greatest) {
      TakeGreatest(rows, lanes);
    } else {
      TakeLeast(rows, lanes);
    }
  }

  // The formula: one element after the other.
  void TakeInOrder(const std::array<int64_t, 2>& start, int64_t result) const {
    T number = init_;
    Position position = init_position_;
    ForEachRow(reduced_, 0, reduced_count_, [&](const std::array<int64_t, 2>& offsets, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        const T next = numbers_[start[0] + offsets[0] + i * reduced_.row_stride(0)];
        const Position next_position = positions_[start[1] + offsets[1] + i * reduced_.row_stride(1)];
        const PairOrder numbers = OrderOf(numerics::Widened(number), numerics::Widened(next));
        const PairOrder positions = OrderOf(position, next_position);
        if (!reducer_.TakesFirstNumber(numbers, positions)) number = next;
        if (!reducer_.TakesFirstPosition(numbers, positions)) position = next_position;
      }
    });
    result_numbers_[result] = number;
    result_positions_[result] = position;
  }

  // Which of two zeros it is, and what NaN leaves, depends on the order of the elements.
  void Store(const Extreme& extreme, const std::array<int64_t, 2>& start, int64_t result) const {
    const Number init = numerics::Widened(init_);
    const bool may_be_either_zero = extreme.number == 0 && ((extreme.marks & kSawNegativeZero) != 0 || init == 0);
    if (std::floating_point<Number> && ((extreme.marks & kSawNan) != 0 || init != init || may_be_either_zero)) {
      TakeInOrder(start, result);
      return;
    }
    result_numbers_[result] = numerics::Narrowed<T>(extreme.number);
    result_positions_[result] = extreme.position;
  }

  // Calls `take(start, lanes, result, extremes, poll)` for at most `lanes` neighbouring results at a time.
  template <typename Take>
  absl::Status ForEachLanes(int64_t lanes, const Take& take) const {
    const int64_t blocks = (count_ - 1) / lanes + 1;
    const double nanoseconds = kNanosecondsOfElement * static_cast<double>(reduced_count_ * lanes);
    return ParallelLoop(runtime_, blocks, nanoseconds, [&](int64_t begin, int64_t end) {
      Lanes extremes;
      CancellationPoll poll(runtime_);
      int64_t result = begin * lanes;
      ForEachRow(kept_, result, std::min(end * lanes, count_), [&](const std::array<int64_t, 2>& row, int64_t size) {
        for (int64_t first = 0; first < size && !poll.Cancelled(0); first += lanes) {
          const int64_t part = std::min(lanes, size - first);
          take({row[0] + first * kept_.row_stride(0), row[1] + first * kept_.row_stride(1)}, part, result, extremes,
               poll);
          result += part;
        }
      });
    });
  }

  absl::Status TakeRowsOfResults() const {
    // So wide that memory is read in long runs, but not wider than leaves work for all threads.
    return ForEachLanes(std::clamp<int64_t>(count_ / 8, 16, kResultsTogether),
                        [&](const std::array<int64_t, 2>& start, int64_t lanes, int64_t result, Lanes& extremes,
                            CancellationPoll& poll) { TakeResults(start, lanes, result, extremes, poll); });
  }

  // Element t of lane l, t + l * lane_stride elements after `from`, becomes element t * lanes + l.
  template <typename Element>
  static void Transpose(const Element* from, int64_t run_stride, int64_t lane_stride, int64_t count, int64_t lanes,
                        Element* to) {
    const std::array<int64_t, 2> sizes = {count, lanes}, strides = {run_stride, lane_stride}, target = {lanes, 1};
    numerics::CopyStrided(sizeof(Element), sizes, reinterpret_cast<const uint8_t*>(from), strides,
                          reinterpret_cast<uint8_t*>(to), target);
  }

  // Short runs, side by side.
  absl::Status TakeTransposedRuns() const {
    const int64_t most = std::min(kTransposedElements / reduced_count_, kResultsTogether);
    const int64_t lanes = std::clamp<int64_t>(count_ / 8, kLeastTransposed, std::max(most, kLeastTransposed));
    const bool shares_positions = kept_.row_stride(1) == 0;
    return ForEachLanes(lanes, [&](const std::array<int64_t, 2>& start, int64_t part, int64_t result, Lanes& extremes,
                                   CancellationPoll& poll) {
      std::vector<T>& numbers = extremes.side_by_side;
      numbers.resize(static_cast<size_t>(reduced_count_ * lanes));
      Transpose(numbers_ + start[0], reduced_.row_stride(0), kept_.row_stride(0), reduced_count_, part, numbers.data());
      PositionRows<T, Position> rows = {numbers.data(), part, positions_ + start[1], reduced_.row_stride(1), 0,
                                        reduced_count_, part};
      if (!shares_positions) {
        std::vector<Position>& positions = extremes.positions_side_by_side;
        positions.resize(numbers.size());
        Transpose(positions_ + start[1], reduced_.row_stride(1), kept_.row_stride(1), reduced_count_, part,
                  positions.data());
        rows.positions = positions.data();
        rows.position_stride = part;
        rows.position_step = 1;
      }
      extremes.Start(part, numerics::Widened(init_), init_position_);
      Take(rows, extremes.all());
      StoreLanes(start, part, result, extremes);
      static_cast<void>(poll.Cancelled(kNanosecondsOfElement * static_cast<double>(reduced_count_ * part)));
    });
  }

  void StoreLanes(const std::array<int64_t, 2>& start, int64_t lanes, int64_t result, const Lanes& extremes) const {
    for (size_t l = 0; l < static_cast<size_t>(lanes); ++l) {
      const int64_t lane = static_cast<int64_t>(l);
      Store({extremes.numbers[l], extremes.positions[l], extremes.marks[l]},
            {start[0] + lane * kept_.row_stride(0), start[1] + lane * kept_.row_stride(1)}, result + lane);
    }
  }

  // `lanes` neighbouring results.
  void TakeResults(const std::array<int64_t, 2>& start, int64_t lanes, int64_t result, Lanes& extremes,
                   CancellationPoll& poll) const {
    extremes.Start(lanes, numerics::Widened(init_), init_position_);
    constexpr int64_t kRowsAtOnce = 1024;
    ForEachRow(reduced_, 0, reduced_count_, [&](const std::array<int64_t, 2>& offsets, int64_t count) {
      for (int64_t i = 0; i < count; i += kRowsAtOnce) {
        const int64_t rows = std::min(kRowsAtOnce, count - i);
        if (poll.Cancelled(kNanosecondsOfElement * static_cast<double>(rows * lanes))) return;
        Take({numbers_ + start[0] + offsets[0] + i * reduced_.row_stride(0), reduced_.row_stride(0),
              positions_ + start[1] + offsets[1] + i * reduced_.row_stride(1), reduced_.row_stride(1),
              kept_.row_stride(1), rows, lanes},
             extremes.all());
      }
    });
    StoreLanes(start, lanes, result, extremes);
  }

  // The extreme of the reduced elements [first, last) of one result.
  Extreme TakeRun(const std::array<int64_t, 2>& start, int64_t first, int64_t last, Lanes& extremes) const {
    const int64_t parts = std::min(kPartsOfRun, std::min(last - first, reduced_.row_size()));
    extremes.Start(parts, numerics::Widened(init_), init_position_);
    const int64_t step = reduced_.row_stride(1);
    ForEachRow(reduced_, first, last, [&](const std::array<int64_t, 2>& offsets, int64_t count) {
      const T* const numbers = numbers_ + start[0] + offsets[0];
      const Position* const positions = positions_ + start[1] + offsets[1];
      const int64_t rows = count / parts, rest = count % parts, done = rows * parts;
      Take({numbers, parts, positions, parts * step, step, rows, parts}, extremes.all());
      if (rest > 0) Take({numbers + done, 0, positions + done * step, 0, step, 1, rest}, extremes.all());
    });
    Extreme extreme = {extremes.numbers[0], extremes.positions[0], extremes.marks[0]};
    for (size_t p = 1; p < static_cast<size_t>(parts); ++p) {
      Join({extremes.numbers[p], extremes.positions[p], extremes.marks[p]}, extreme);
    }
    return extreme;
  }

  void Join(const Extreme& next, Extreme& extreme) const {
    const bool better = reducer_.takes_greatest ? next.number > extreme.number : next.number < extreme.number;
    if (better || (next.number == extreme.number && next.position < extreme.position)) {
      extreme.number = next.number;
      extreme.position = next.position;
    }
    extreme.marks |= next.marks;
  }

  absl::Status TakeRuns() const {
    const int64_t length = count_ < 64 ? std::min(reduced_count_, kSegment) : reduced_count_;
    const int64_t segments = (reduced_count_ - 1) / length + 1;
    std::vector<Extreme> parts(static_cast<size_t>(segments > 1 ? count_ * segments : 0));
    const double nanoseconds = kNanosecondsOfResult + kNanosecondsOfElement * static_cast<double>(length);
    absl::Status status = ParallelLoop(runtime_, count_ * segments, nanoseconds, [&](int64_t begin, int64_t end) {
      Lanes extremes;
      for (int64_t n = begin; n < end; ++n) {
        const int64_t result = n / segments, first = n % segments * length;
        const std::array<int64_t, 2> start = StartOf(result);
        if (reduced_count_ < kShortRun) {
          TakeInOrder(start, result);
          continue;
        }
        const Extreme extreme = TakeRun(start, first, std::min(first + length, reduced_count_), extremes);
        if (segments == 1) {
          Store(extreme, start, result);
        } else {
          parts[static_cast<size_t>(n)] = extreme;
        }
      }
    });
    if (!status.ok() || segments == 1) return status;
    return ParallelLoop(runtime_, count_, nanoseconds, [&](int64_t begin, int64_t end) {
      for (int64_t result = begin; result < end; ++result) {
        Extreme extreme = parts[static_cast<size_t>(result * segments)];
        for (int64_t n = 1; n < segments; ++n) Join(parts[static_cast<size_t>(result * segments + n)], extreme);
        Store(extreme, StartOf(result), result);
      }
    });
  }

  std::array<int64_t, 2> StartOf(int64_t result) const {
    std::array<int64_t, 2> start{};
    ForEachRow(kept_, result, result + 1, [&](const std::array<int64_t, 2>& offsets, int64_t) { start = offsets; });
    return start;
  }

  const PositionReducer& reducer_;
  const std::array<ElementType, 2> types_;
  KernelRuntime& runtime_;
  const T* const numbers_;
  const Position* const positions_;
  const T init_;
  const Position init_position_;
  DimensionVector sizes_;          // of the results
  StridedPlan<2> kept_, reduced_;  // of numbers and positions
  int64_t count_, reduced_count_;
  T* result_numbers_ = nullptr;
  Position* result_positions_ = nullptr;
};

// Calls `body(T(), Position())` for the types that HLOSCOPE_EXTREME_TYPES has; false for others.
template <typename Body>
bool VisitTypes(ElementType number, ElementType position, Body&& body) {
  const bool is_long = position == ElementType::kS64;
  if (!is_long && position != ElementType::kS32) return false;
  const auto with_position = [&](auto element) { is_long ? body(element, int64_t{}) : body(element, int32_t{}); };
  switch (number) {
    case ElementType::kF32:
      return with_position(float{}), true;
    case ElementType::kF64:
      return with_position(double{}), true;
    case ElementType::kBF16:
      return with_position(numerics::Bf16{}), true;
    case ElementType::kF16:
      return with_position(numerics::F16{}), true;
    case ElementType::kS32:
      return with_position(int32_t{}), true;
    default:
      return false;
  }
}

}  // namespace

absl::StatusOr<std::optional<std::vector<Tensor>>> ReducePositions(const Module& module, const Reduction& reduction,
                                                                   KernelRuntime& runtime) {
  if (reduction.inputs.size() != 2) return std::nullopt;
  const std::optional<PositionReducer> reducer = RecognizePositionReducer(module, reduction.computation);
  if (!reducer) return std::nullopt;
  const Computation& computation = module.computation(reduction.computation);
  std::array<ElementType, 2> types;
  for (size_t k = 0; k < 2; ++k) {
    types[k] = module.shape(computation.parameters[k]).element_type();
    if (reduction.inputs[k].element_type() != types[k] || reduction.inits[k].element_type() != types[k]) {
      return std::nullopt;
    }
  }
  absl::StatusOr<std::optional<std::vector<Tensor>>> results = std::nullopt;
  VisitTypes(types[0], types[1], [&](auto number, auto position) {
    PositionReduction<decltype(number), decltype(position)> positions(*reducer, reduction, runtime);
    results = positions.Run();
  });
  return results;
}

}  // namespace hloscope::evaluator
