// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/reduction/reduce.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "absl/algorithm/container.h"
#include "core/analysis/known_reducers.h"
#include "core/analysis/scalar_patterns.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/strided_iteration.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/lanes/scalar_program.h"
#include "evaluator/kernels/reduction/ordered_sum.h"
#include "evaluator/kernels/reduction/reduce_positions.h"
#include "evaluator/kernels/reduction/run_folds.h"
#include "evaluator/tensor/memory_charge.h"
#include "numerics/parallel/vector_loops.h"
#include "numerics/reduction/vector_folds.h"
#include "numerics/reduction/vector_sums.h"

namespace hloscope::evaluator {
namespace {

// The index space of the inputs, split in two. Offsets are in elements and the same for all inputs.
struct ReducePlan {
  DimensionVector result_sizes;
  StridedPlan<1> kept, reduced;
  int64_t result_count, reduced_count;
};

ReducePlan MakePlan(const Tensor& input, absl::Span<const int64_t> dimensions) {
  DimensionVector kept_strides, reduced_sizes, reduced_strides;
  ReducePlan plan;
  for (int64_t d = 0; d < input.rank(); ++d) {
    const bool is_reduced = absl::c_linear_search(dimensions, d);
    (is_reduced ? reduced_sizes : plan.result_sizes).push_back(input.dimension(d));
    (is_reduced ? reduced_strides : kept_strides).push_back(input.strides()[static_cast<size_t>(d)]);
  }
  plan.kept = CollapseDimensions<1>(plan.result_sizes, {kept_strides});
  plan.reduced = CollapseDimensions<1>(reduced_sizes, {reduced_strides});
  plan.result_count = plan.kept.element_count();
  plan.reduced_count = plan.reduced.element_count();
  return plan;
}

// Where each result takes in short runs of neighbours, `run` elements each, and those of neighbouring results follow
// one another: the plan of the same reduction but for the runs, whose elements become results of their own, side by
// side.
struct RunsAsLanes {
  ReducePlan plan;
  int64_t run;
};

std::optional<RunsAsLanes> ReduceRunsLast(const ReducePlan& plan) {
  constexpr int64_t kLongestRun = 128, kFewestRuns = 8;
  const int64_t run = plan.reduced.row_size();
  if (plan.reduced.dimensions.size() < 2 || plan.reduced.row_stride(0) != 1 || run > kLongestRun ||
      plan.kept.row_stride(0) != run || plan.kept.row_size() < 2 || plan.reduced_count / run < kFewestRuns) {
    return std::nullopt;
  }
  RunsAsLanes runs = {plan, run};
  runs.plan.kept.dimensions.back() *= run;
  runs.plan.kept.strides[0].back() = 1;
  runs.plan.reduced.dimensions.pop_back();
  runs.plan.reduced.strides[0].pop_back();
  runs.plan.result_sizes.push_back(run);
  runs.plan.result_count *= run;
  runs.plan.reduced_count /= run;
  return runs;
}

// Calls `body(result number, offset, count)` for runs of results whose first inputs are plan.kept.row_stride(0) apart,
// none longer than `max_count`.
template <typename Body>
void ForEachKeptRun(const ReducePlan& plan, int64_t begin, int64_t end, int64_t max_count, Body&& body) {
  int64_t result = begin;
  ForEachRow(plan.kept, begin, end, [&](const std::array<int64_t, 1>& offsets, int64_t count) {
    for (int64_t first = 0; first < count; first += max_count) {
      const int64_t part = std::min(max_count, count - first);
      body(result, offsets[0] + first * plan.kept.row_stride(0), part);
      result += part;
    }
  });
}

constexpr int64_t kLanes = 512;
// Sums side by side: rows so long that memory is read in order, and yet partial sums that stay in the first cache
// level.
constexpr int64_t kSumLanes = 4096;
// Results side by side up to which threads share the reduced elements instead.
constexpr int64_t kMostSharedLanes = 4 * kLanes;
// Reduced elements between two polls for cancellation, and the least part of a reduction that is worth a thread.
constexpr int64_t kSegment = int64_t{1} << 16;

// True if neighbouring results have neighbouring inputs and neighbouring reduced elements do not: then sums run side by
// side.
bool PreferLanes(const ReducePlan& plan) {
  return plan.kept.row_stride(0) == 1 && plan.kept.row_size() >= 8 && plan.reduced.row_stride(0) != 1;
}

// accumulators[l] takes in element l of each of `count` rows, in their order.
template <typename T, typename X, typename Op>
void FoldRowsOfLanes(const X* row, int64_t stride, int64_t count, int64_t lanes, T* accumulators, Op op) {
  constexpr bool is_float = std::is_same_v<T, float> && (std::is_same_v<X, float> || std::is_same_v<X, numerics::Bf16>);
  if constexpr (is_float && kIsExactlyAssociative<T, Op>) {
    return numerics::FoldRowsOfFloats(op, row, stride, count, lanes, accumulators);
  }
  // Four rows at a time: accumulators are loaded and stored once for them.
  for (; count >= 4; count -= 4, row += 4 * stride) {
    const X *const a = row, *const b = a + stride, *const c = b + stride, *const d = c + stride;
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t l = 0; l < lanes; ++l) {
      const T first = op(op(accumulators[l], numerics::Widened(a[l])), numerics::Widened(b[l]));
      accumulators[l] = op(op(first, numerics::Widened(c[l])), numerics::Widened(d[l]));
    }
  }
  for (; count > 0; --count, row += stride) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t l = 0; l < lanes; ++l) accumulators[l] = op(accumulators[l], numerics::Widened(row[l]));
  }
}

// The loops that depend on the reducer and the types; all around them is compiled once. Strides are in elements.
struct ReduceLoops {
  int64_t input_bytes, result_bytes;  // of an element
  bool is_associative;                // elements may be taken in by groups
  // accumulators[l] becomes element l of a row.
  void (*start_row)(const uint8_t* row, int64_t lanes, uint8_t* accumulators);
  // accumulators[l] takes in element l of each of `count` rows.
  void (*fold_rows)(const uint8_t* row, int64_t stride, int64_t count, int64_t lanes, uint8_t* accumulators);
  // accumulators[r] takes in the `count` elements of run r.
  void (*fold_runs)(const uint8_t* run, int64_t run_stride, int64_t runs, int64_t stride, int64_t count,
                    uint8_t* accumulators);
  // accumulators[l] takes in another accumulator.
  void (*join)(const uint8_t* others, int64_t lanes, uint8_t* accumulators);
  // accumulators[r] takes in `count` other accumulators that follow one another.
  void (*fold_lanes)(const uint8_t* lanes, int64_t count, int64_t runs, uint8_t* accumulators);
};

template <typename T, typename X, typename Op>
ReduceLoops ReduceLoopsOf() {
  ReduceLoops loops = {sizeof(X), sizeof(T), kIsExactlyAssociative<T, Op>, nullptr, nullptr, nullptr, nullptr, nullptr};
  loops.start_row = [](const uint8_t* row, int64_t lanes, uint8_t* accumulators) {
    const X* const x = reinterpret_cast<const X*>(row);
    for (int64_t l = 0; l < lanes; ++l) reinterpret_cast<T*>(accumulators)[l] = numerics::Widened(x[l]);
  };
  loops.fold_rows = [](const uint8_t* row, int64_t stride, int64_t count, int64_t lanes, uint8_t* accumulators) {
    FoldRowsOfLanes(reinterpret_cast<const X*>(row), stride, count, lanes, reinterpret_cast<T*>(accumulators), Op());
  };
  loops.fold_runs = [](const uint8_t* run, int64_t run_stride, int64_t runs, int64_t stride, int64_t count,
                       uint8_t* accumulators) {
    FoldRuns(reinterpret_cast<const X*>(run), run_stride, runs, stride, count, reinterpret_cast<T*>(accumulators),
             Op());
  };
  loops.join = [](const uint8_t* others, int64_t lanes, uint8_t* accumulators) {
    T* const acc = reinterpret_cast<T*>(accumulators);
    for (int64_t l = 0; l < lanes; ++l) acc[l] = Op()(acc[l], reinterpret_cast<const T*>(others)[l]);
  };
  loops.fold_lanes = [](const uint8_t* lanes, int64_t count, int64_t runs, uint8_t* accumulators) {
    FoldRuns(reinterpret_cast<const T*>(lanes), count, runs, int64_t{1}, count, reinterpret_cast<T*>(accumulators),
             Op());
  };
  return loops;
}

// Results `begin` to `end`, of which `accumulators` holds the values so far, take in the reduced elements of a segment.
void FoldResults(const ReduceLoops& loops, const ReducePlan& plan, const uint8_t* x, uint8_t* accumulators,
                 int64_t begin, int64_t end, int64_t segment_begin, int64_t segment_end) {
  const int64_t stride = plan.reduced.row_stride(0);
  const bool prefer_lanes = PreferLanes(plan);
  // Runs that follow one another in the reduced dimensions end before the next result's begin.
  const int64_t together = prefer_lanes ? kSumLanes : plan.reduced.dimensions.size() == 1 ? kLanes : 1;
  ForEachKeptRun(plan, begin, end, together, [&](int64_t result, int64_t offset, int64_t lanes) {
    uint8_t* const to = accumulators + result * loops.result_bytes;
    ForEachRow(plan.reduced, segment_begin, segment_end, [&](const std::array<int64_t, 1>& offsets, int64_t count) {
      const uint8_t* const from = x + (offset + offsets[0]) * loops.input_bytes;
      if (prefer_lanes) {
        loops.fold_rows(from, stride, count, lanes, to);
      } else {
        loops.fold_runs(from, plan.kept.row_stride(0), lanes, stride, count, to);
      }
    });
  });
}

// Calls `body` for parts of the results, which grow side by side: so wide that memory is read in long runs, unless
// the run could then not be cancelled in time or threads would have nothing to do.
absl::Status ForEachLaneBlock(const ReducePlan& plan, KernelRuntime& runtime,
                              numerics::FunctionRef<void(int64_t begin, int64_t end)> body) {
  constexpr double kNanoseconds = 0.3, kLongestNanoseconds = 4e6;
  constexpr int64_t kLeastLanes = 16, kParts = 8;
  const double of_result = kNanoseconds * static_cast<double>(plan.reduced_count);
  const int64_t affordable = static_cast<int64_t>(std::clamp(kLongestNanoseconds / of_result, 1.0, 1e9));
  const int64_t lanes =
      std::max(kLeastLanes, std::min(std::max(plan.result_count / kParts, int64_t{kLanes}), affordable));
  const int64_t blocks = (plan.result_count - 1) / lanes + 1;
  return ParallelLoop(runtime, blocks, of_result * static_cast<double>(lanes), [&](int64_t begin, int64_t end) {
    body(begin * lanes, std::min(end * lanes, plan.result_count));
  });
}

// Segments of the reduced elements from number `first` on, where there are too few results side by side for all
// threads.
int64_t SharedSegments(const ReducePlan& plan, int64_t first) {
  constexpr int64_t kSegmentElements = int64_t{1} << 17, kMostSegments = 64;
  if (!PreferLanes(plan) || plan.result_count > kMostSharedLanes) return 1;
  const int64_t wanted = (plan.reduced_count - first) / std::max<int64_t>(kSegmentElements / plan.result_count, 1);
  return std::clamp<int64_t>(wanted, 1, kMostSegments);
}

// Results start with element number `reduced` of theirs.
void StartResults(const ReduceLoops& loops, const ReducePlan& plan, const uint8_t* x, int64_t reduced, int64_t begin,
                  int64_t end, uint8_t* accumulators) {
  ForEachRow(plan.reduced, reduced, reduced + 1, [&](const std::array<int64_t, 1>& offsets, int64_t) {
    ForEachKeptRun(plan, begin, end, kSumLanes, [&](int64_t result, int64_t offset, int64_t count) {
      loops.start_row(x + (offset + offsets[0]) * loops.input_bytes, count, accumulators + result * loops.result_bytes);
    });
  });
}

// Few results side by side take in the reduced elements from number `first` on in segments that threads share.
absl::Status FoldSegments(const ReduceLoops& loops, const ReducePlan& plan, const Tensor& input, int64_t first,
                          int64_t segments, uint8_t* accumulators, KernelRuntime& runtime) {
  const absl::StatusOr<Tensor> parts =
      Tensor::Allocate(ElementType::kU8, {segments, plan.result_count * loops.result_bytes});
  if (!parts.ok()) return parts.status();
  uint8_t* const of_parts = Tensor(*parts).mutable_data();
  const int64_t part_bytes = plan.result_count * loops.result_bytes, count = plan.reduced_count - first;
  const int64_t elements = count / segments * plan.result_count;
  const double nanoseconds = 0.3 * static_cast<double>(elements);
  absl::Status status = ParallelLoop(runtime, segments, nanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      const int64_t from = first + count * n / segments, to = first + count * (n + 1) / segments;
      uint8_t* const part = of_parts + n * part_bytes;
      StartResults(loops, plan, input.data(), from, 0, plan.result_count, part);
      FoldResults(loops, plan, input.data(), part, 0, plan.result_count, from + 1, to);
    }
  });
  if (!status.ok()) return status;
  for (int64_t n = 0; n < segments; ++n) loops.join(of_parts + n * part_bytes, plan.result_count, accumulators);
  return absl::OkStatus();
}

// The results take in the reduced elements from number `first` on.
absl::Status Fold(const ReduceLoops& loops, const ReducePlan& plan, const Tensor& input, int64_t first,
                  uint8_t* accumulators, KernelRuntime& runtime) {
  if (const int64_t segments = SharedSegments(plan, first); loops.is_associative && segments > 1) {
    return FoldSegments(loops, plan, input, first, segments, accumulators, runtime);
  }
  for (int64_t segment = first; segment < plan.reduced_count;) {
    // Segments make sure that a single long fold can be cancelled, too.
    const int64_t length = plan.result_count < 64 ? int64_t{1} << 22 : plan.reduced_count;
    const int64_t segment_end = std::min(plan.reduced_count, segment + length);
    if (absl::Status s = runtime.CheckCancelled(); !s.ok()) return s;
    const auto fold = [&](int64_t begin, int64_t end) {
      FoldResults(loops, plan, input.data(), accumulators, begin, end, segment, segment_end);
    };
    absl::Status status = PreferLanes(plan) ? ForEachLaneBlock(plan, runtime, fold)
                                            : ParallelLoop(runtime, plan.result_count,
                                                           0.3 * static_cast<double>(segment_end - segment), fold);
    if (!status.ok()) return status;
    segment = segment_end;
  }
  return absl::OkStatus();
}

// The same with the elements of short runs taken in last.
absl::Status FoldRunsLast(const ReduceLoops& loops, const RunsAsLanes& runs, const Tensor& input, Tensor& result,
                          KernelRuntime& runtime) {
  const absl::StatusOr<Tensor> lanes = Tensor::Allocate(result.element_type(), {runs.plan.result_count});
  if (!lanes.ok()) return lanes.status();
  uint8_t* const accumulators = Tensor(*lanes).mutable_data();
  // The first of the reduced elements are where the others are taken in.
  absl::Status status = ParallelLoop(runtime, runs.plan.result_count, 0.3, [&](int64_t begin, int64_t end) {
    StartResults(loops, runs.plan, input.data(), 0, begin, end, accumulators);
  });
  if (status.ok()) status = Fold(loops, runs.plan, input, 1, accumulators, runtime);
  if (!status.ok()) return status;
  const int64_t count = runs.plan.result_count / runs.run;
  return ParallelLoop(runtime, count, 0.3 * static_cast<double>(runs.run), [&](int64_t begin, int64_t end) {
    loops.fold_lanes(accumulators + begin * runs.run * loops.result_bytes, runs.run, end - begin,
                     result.mutable_data() + begin * loops.result_bytes);
  });
}

// Reduced elements of one part of a sum: few long sums are cut into segments of whole partial sums. How many there are
// does not depend on the number of threads.
int64_t SegmentLength(const ReducePlan& plan) {
  return plan.result_count < 64 ? std::min(plan.reduced_count, kSegment) : plan.reduced_count;
}

// D3 for `lanes` <= kLanes neighbouring results of f64 at once.
void SumLanes(const ReducePlan& plan, const double* x, double* totals, int64_t lanes) {
  OrderedLanes sums(SegmentLength(plan), totals, lanes);
  ForEachRow(plan.reduced, 0, plan.reduced_count, [&](const std::array<int64_t, 1>& offsets, int64_t count) {
    sums.Add(x + offsets[0], plan.reduced.row_stride(0), count);
  });
  sums.Finish();
}

// The same for `lanes` <= kSumLanes results of f32 or bf16, of the reduced elements [begin, end).
template <typename X>
void SumLanes(const ReducePlan& plan, const X* x, int64_t begin, int64_t end, double* totals, int64_t lanes) {
  const int64_t stride = plan.reduced.row_stride(0);
  std::array<double, kSumLanes> partial;
  std::fill_n(partial.begin(), lanes, 0);
  int64_t filled = 0;
  const auto flush = [&] {
    for (int64_t l = 0; l < lanes; ++l) totals[l] += partial[static_cast<size_t>(l)];
    std::fill_n(partial.begin(), lanes, 0);
    filled = 0;
  };
  ForEachRow(plan.reduced, begin, end, [&](const std::array<int64_t, 1>& offsets, int64_t count) {
    const X* row = x + offsets[0];
    while (count > 0) {
      const int64_t rows = std::min(count, kPartialSum - filled);
      numerics::AddRowsOfFloats(row, stride, rows, lanes, partial.data());
      row += rows * stride;
      count -= rows;
      filled += rows;
      if (filled == kPartialSum) flush();
    }
  });
  flush();
}

// Sums of neighbouring results of f32 or bf16. Few of them are cut into segments, so that threads share them.
template <typename X>
absl::Status SumLanesTyped(const ReducePlan& plan, const X* x, double* totals, KernelRuntime& runtime) {
  constexpr int64_t kSegmentElements = int64_t{1} << 17, kMostSegments = 64;
  const auto add = [&](int64_t begin, int64_t end, int64_t first, int64_t last, double* sums) {
    ForEachKeptRun(plan, begin, end, kSumLanes, [&](int64_t result, int64_t offset, int64_t lanes) {
      SumLanes(plan, x + offset, first, last, sums + result, lanes);
    });
  };
  const int64_t wanted = plan.reduced_count / std::max<int64_t>(kSegmentElements / plan.result_count, kPartialSum);
  if (plan.result_count > kMostSharedLanes || wanted < 2) {
    return ForEachLaneBlock(plan, runtime,
                            [&](int64_t begin, int64_t end) { add(begin, end, 0, plan.reduced_count, totals); });
  }
  // Of whole partial sums; how many there are does not depend on the number of threads.
  const int64_t length = ((plan.reduced_count - 1) / std::min(wanted, kMostSegments) / kPartialSum + 1) * kPartialSum;
  const int64_t segments = (plan.reduced_count - 1) / length + 1;
  absl::StatusOr<Tensor> parts = ZeroTensor(ElementType::kF64, {segments, plan.result_count}, runtime);
  if (!parts.ok()) return parts.status();
  double* const sums = parts->mutable_data_as<double>();
  const double nanoseconds = 0.3 * static_cast<double>(length * plan.result_count);
  absl::Status status = ParallelLoop(runtime, segments, nanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      add(0, plan.result_count, n * length, std::min((n + 1) * length, plan.reduced_count),
          sums + n * plan.result_count);
    }
  });
  if (!status.ok()) return status;
  for (int64_t n = 0; n < segments; ++n) {
    for (int64_t l = 0; l < plan.result_count; ++l) totals[l] += sums[n * plan.result_count + l];
  }
  return absl::OkStatus();
}

// `totals` holds the initial value for every result. X: double, float or Bf16.
template <typename X>
absl::Status SumTyped(const ReducePlan& plan, const Tensor& input, double* totals, KernelRuntime& runtime) {
  const X* const x = input.data_as<X>();
  if (PreferLanes(plan)) {
    if constexpr (std::is_same_v<X, double>) {
      return ForEachLaneBlock(plan, runtime, [&](int64_t begin, int64_t end) {
        ForEachKeptRun(plan, begin, end, kLanes, [&](int64_t result, int64_t offset, int64_t lanes) {
          SumLanes(plan, x + offset, totals + result, lanes);
        });
      });
    } else {
      return SumLanesTyped(plan, x, totals, runtime);
    }
  }
  if constexpr (!std::is_same_v<X, double>) {
    if (const std::optional<RunsAsLanes> runs = ReduceRunsLast(plan)) {
      absl::StatusOr<Tensor> lanes = ZeroTensor(ElementType::kF64, {runs->plan.result_count}, runtime);
      if (!lanes.ok()) return lanes.status();
      double* const sums = lanes->mutable_data_as<double>();
      if (absl::Status s = SumLanesTyped(runs->plan, x, sums, runtime); !s.ok()) return s;
      return ParallelLoop(runtime, plan.result_count, static_cast<double>(runs->run), [&](int64_t begin, int64_t end) {
        for (int64_t n = begin; n < end; ++n) {
          double sum = 0;
          for (int64_t l = n * runs->run; l < (n + 1) * runs->run; ++l) sum += sums[l];
          totals[n] += sum;
        }
      });
    }
    if (plan.reduced.dimensions.size() == 1 && plan.reduced.row_stride(0) == 1 && plan.reduced_count <= kPartialSum &&
        SegmentLength(plan) == plan.reduced_count) {
      // One short run each.
      const double nanoseconds = 5 + 0.3 * static_cast<double>(plan.reduced_count);
      return ParallelLoop(runtime, plan.result_count, nanoseconds, [&](int64_t begin, int64_t end) {
        ForEachKeptRun(plan, begin, end, kLanes, [&](int64_t result, int64_t offset, int64_t runs) {
          numerics::AddRunsOfFloats(x + offset, plan.kept.row_stride(0), runs, plan.reduced_count, totals + result);
        });
      });
    }
  }
  const int64_t length = SegmentLength(plan), segments = (plan.reduced_count - 1) / length + 1;
  MemoryCharge charge;
  if (absl::Status s = charge.Resize(plan.result_count * segments * static_cast<int64_t>(sizeof(double))); !s.ok()) {
    return s;
  }
  std::vector<double> sums(static_cast<size_t>(plan.result_count * segments));
  absl::Status status = ParallelLoop(
      runtime, plan.result_count * segments, 0.3 * static_cast<double>(length), [&](int64_t begin, int64_t end) {
        for (int64_t n = begin; n < end; ++n) {
          const int64_t first = n % segments * length, last = std::min(plan.reduced_count, first + length);
          ForEachKeptRun(plan, n / segments, n / segments + 1, 1, [&](int64_t, int64_t offset, int64_t) {
            RunSum<X> sum;
            ForEachRow(plan.reduced, first, last, [&](const std::array<int64_t, 1>& offsets, int64_t count) {
              sum.Add(x + offset + offsets[0], plan.reduced.row_stride(0), count);
            });
            sums[static_cast<size_t>(n)] = sum.Total();
          });
        }
      });
  if (!status.ok()) return status;
  for (size_t n = 0; n < sums.size(); ++n) totals[n / static_cast<size_t>(segments)] += sums[n];
  return absl::OkStatus();
}

// D3: sums in f64, rounded once.
absl::StatusOr<Tensor> SumInDouble(const Tensor& input, const Tensor& init, absl::Span<const int64_t> dimensions,
                                   ElementType type, KernelRuntime& runtime) {
  const ElementType stored = input.element_type();
  const bool is_read_as_it_is = stored == ElementType::kF64 || stored == ElementType::kBF16;
  absl::StatusOr<Tensor> x = ConvertElements(input, is_read_as_it_is ? stored : ElementType::kF32, runtime);
  if (!x.ok()) return x;
  absl::StatusOr<Tensor> start = ConvertElements(init, ElementType::kF64, runtime);
  if (!start.ok()) return start;
  const ReducePlan plan = MakePlan(*x, dimensions);
  absl::StatusOr<Tensor> totals = FilledTensor(*start, plan.result_sizes, runtime);
  if (!totals.ok()) return totals;
  if (plan.result_count > 0 && plan.reduced_count > 0) {
    double* const out = totals->mutable_data_as<double>();
    absl::Status status = stored == ElementType::kF64    ? SumTyped<double>(plan, *x, out, runtime)
                          : stored == ElementType::kBF16 ? SumTyped<numerics::Bf16>(plan, *x, out, runtime)
                                                         : SumTyped<float>(plan, *x, out, runtime);
    if (!status.ok()) return status;
  }
  return ConvertElements(*totals, type, runtime);
}

// Steps of lanes that are gathered at a time: as many as a line of the cache has elements of four bytes.
constexpr int64_t kGatheredSteps = 16;

// to[i * lanes + l] = element number first + l * lane_stride + i * stride.
void GatherSteps(const Tensor& input, int64_t first, int64_t lane_stride, int64_t lanes, int64_t stride, int64_t steps,
                 uint64_t* gathered) {
  numerics::VisitElementBytes(input.element_bytes(), [&](auto bits) {
    using T = decltype(bits);
    const T* const from = reinterpret_cast<const T*>(input.data()) + first;
    T* const to = reinterpret_cast<T*>(gathered);
    for (int64_t l = 0; l < lanes; ++l) {
      for (int64_t i = 0; i < steps; ++i) to[i * lanes + l] = from[l * lane_stride + i * stride];
    }
  });
}

// Results [begin, end) take in the reduced elements of a segment through the program.
absl::Status RunProgram(const ScalarProgram& program, const ReducePlan& plan, const std::vector<Tensor>& inputs,
                        const std::vector<uint8_t*>& accumulators, int64_t begin, int64_t end, int64_t segment_begin,
                        int64_t segment_end, KernelRuntime& runtime) {
  const size_t n = inputs.size();
  const int64_t lane_stride = plan.kept.row_stride(0), stride = plan.reduced.row_stride(0);
  std::vector<std::vector<uint64_t>> gathered(n);  // lanes that are not neighbours in memory; words keep them aligned
  std::vector<LaneOperand> operands(2 * n);
  std::vector<uint8_t*> outputs(n);
  absl::Status status;
  ForEachKeptRun(plan, begin, end, kLanes, [&](int64_t result, int64_t offset, int64_t lanes) {
    if (!status.ok()) return;
    for (size_t k = 0; k < n; ++k) {
      outputs[k] = accumulators[k] + result * StorageBytes(program.output_type(k));
      operands[k] = {outputs[k], false};
      if (lane_stride != 1) {
        gathered[k].resize(static_cast<size_t>(kGatheredSteps * lanes * inputs[k].element_bytes() + 7) / 8);
      }
    }
    ForEachRow(plan.reduced, segment_begin, segment_end, [&](const std::array<int64_t, 1>& offsets, int64_t count) {
      for (int64_t first = 0; first < count; first += kGatheredSteps) {
        const int64_t steps = std::min(kGatheredSteps, count - first), element = offset + offsets[0] + first * stride;
        for (size_t k = 0; k < n && lane_stride != 1; ++k) {
          GatherSteps(inputs[k], element, lane_stride, lanes, stride, steps, gathered[k].data());
        }
        for (int64_t i = 0; i < steps && status.ok(); ++i) {
          for (size_t k = 0; k < n; ++k) {
            const int64_t bytes = inputs[k].element_bytes();
            const uint8_t* const from = lane_stride == 1
                                            ? inputs[k].data() + (element + i * stride) * bytes
                                            : reinterpret_cast<const uint8_t*>(gathered[k].data()) + i * lanes * bytes;
            operands[n + k] = {from, false};
          }
          status = program.Run(operands, outputs, lanes, runtime);
        }
      }
    });
  });
  return status;
}

}  // namespace

absl::StatusOr<std::vector<Tensor>> ReduceByProgram(const Module& module, const Reduction& reduction,
                                                    KernelRuntime& runtime) {
  absl::StatusOr<std::unique_ptr<ScalarProgram>> program = ScalarProgram::Compile(module, reduction.computation);
  if (!program.ok()) return program.status();
  const size_t n = reduction.inputs.size();
  std::vector<Tensor> inputs, results;
  for (size_t k = 0; k < n; ++k) {
    absl::StatusOr<Tensor> input = ConvertElements(reduction.inputs[k], (*program)->input_type(n + k), runtime);
    // Several inputs are walked with one set of strides.
    if (input.ok() && n > 1) input = DenseElements(*input, runtime);
    if (!input.ok()) return input.status();
    inputs.push_back(*std::move(input));
  }
  const ReducePlan plan = MakePlan(inputs[0], reduction.dimensions);
  std::vector<uint8_t*> accumulators;
  for (size_t k = 0; k < n; ++k) {
    absl::StatusOr<Tensor> init = ConvertElements(reduction.inits[k], (*program)->output_type(k), runtime);
    if (!init.ok()) return init.status();
    absl::StatusOr<Tensor> result = FilledTensor(*init, plan.result_sizes, runtime);
    if (!result.ok()) return result.status();
    results.push_back(*std::move(result));
  }
  if (plan.result_count == 0 || plan.reduced_count == 0) return results;
  accumulators.reserve(results.size());
  for (Tensor& result : results) accumulators.push_back(result.mutable_data());

  // Results side by side: a step of the program costs as much for one lane as for dozens.
  constexpr int64_t kLeastLanes = 64, kParts = 8;
  const int64_t lanes = std::clamp(plan.result_count / kParts, kLeastLanes, kLanes);
  const int64_t blocks = (plan.result_count - 1) / lanes + 1;
  const double of_lane = static_cast<double>(n) + (*program)->nanoseconds_per_lane();
  const double step = 100.0 + of_lane * static_cast<double>(std::min(lanes, plan.result_count));
  for (int64_t segment = 0; segment < plan.reduced_count; segment += kSegment) {
    const int64_t segment_end = std::min(plan.reduced_count, segment + kSegment);
    if (absl::Status s = runtime.CheckCancelled(); !s.ok()) return s;
    absl::Status status;
    if ((*program)->is_compiled()) {
      status = ParallelLoop(runtime, blocks, step * static_cast<double>(segment_end - segment),
                            [&](int64_t begin, int64_t end) {
                              // Compiled programs do not fail.
                              RunProgram(**program, plan, inputs, accumulators, begin * lanes,
                                         std::min(end * lanes, plan.result_count), segment, segment_end, runtime)
                                  .IgnoreError();
                            });
    } else {
      status = RunProgram(**program, plan, inputs, accumulators, 0, plan.result_count, segment, segment_end, runtime);
    }
    if (!status.ok()) return status;
  }
  return results;
}

absl::StatusOr<std::vector<Tensor>> Reduce(const Module& module, const Reduction& reduction, KernelRuntime& runtime) {
  if (reduction.inputs.size() != 1) {
    absl::StatusOr<std::optional<std::vector<Tensor>>> positions = ReducePositions(module, reduction, runtime);
    if (!positions.ok()) return positions.status();
    return positions->has_value() ? **std::move(positions) : ReduceByProgram(module, reduction, runtime);
  }
  const Tensor& input = reduction.inputs[0];
  const RecognizedReducer reducer = RecognizeReducer(module, reduction.computation);
  // A known reducer has one type: that of its root. With mixed precision the operands may have another.
  const ElementType type = module.shape(module.computation(reduction.computation).root).element_type();
  // Bf16 is widened where it is read, whether it is to be computed as f32 or as itself.
  const bool is_bf16 = input.element_type() == ElementType::kBF16;
  const bool fits = type == input.element_type() || (is_bf16 && type == ElementType::kF32);
  if (fits && type == reduction.inits[0].element_type()) {
    if (reducer.kind == KnownReducer::kAdd && IsFloat(type)) {
      absl::StatusOr<Tensor> sums = SumInDouble(input, reduction.inits[0], reduction.dimensions, type, runtime);
      if (!sums.ok()) return sums.status();
      return std::vector<Tensor>{*std::move(sums)};
    }
    // The extremes of narrow floats are those of the same numbers as f32.
    const bool is_widened = (type == ElementType::kBF16 || type == ElementType::kF16) &&
                            (reducer.kind == KnownReducer::kMinimum || reducer.kind == KnownReducer::kMaximum);
    const ElementType computed = is_widened ? ElementType::kF32 : type;
    const bool widens = is_bf16 && computed == ElementType::kF32;
    const absl::StatusOr<Tensor> x = widens ? input : ConvertElements(input, computed, runtime);
    if (!x.ok()) return x.status();
    const absl::StatusOr<Tensor> init = ConvertElements(reduction.inits[0], computed, runtime);
    if (!init.ok()) return init.status();
    const ReducePlan plan = MakePlan(*x, reduction.dimensions);
    absl::StatusOr<Tensor> result = FilledTensor(*init, plan.result_sizes, runtime);
    if (!result.ok()) return result.status();
    ReduceLoops loops{};
    const bool is_empty = plan.result_count == 0 || plan.reduced_count == 0;
    const bool is_known = VisitKnownReducer(reducer, computed, [&](auto element, auto op) {
      using T = decltype(element);
      using Op = decltype(op);
      loops = ReduceLoopsOf<T, T, Op>();
      if constexpr (std::is_same_v<T, float>) {
        if (widens) loops = ReduceLoopsOf<T, numerics::Bf16, Op>();
      }
    });
    if (is_empty || is_known) {
      if (!is_empty) {
        const std::optional<RunsAsLanes> runs = loops.is_associative ? ReduceRunsLast(plan) : std::nullopt;
        const absl::Status status = runs ? FoldRunsLast(loops, *runs, *x, *result, runtime)
                                         : Fold(loops, plan, *x, 0, result->mutable_data(), runtime);
        if (!status.ok()) return status;
      }
      result = ConvertElements(*result, type, runtime);
      if (!result.ok()) return result.status();
      return std::vector<Tensor>{*std::move(result)};
    }
  }
  return ReduceByProgram(module, reduction, runtime);
}

}  // namespace hloscope::evaluator
