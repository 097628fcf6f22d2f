// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/data_movement/gather.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/start_indices.h"
#include "evaluator/kernels/indexing/strided_iteration.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::evaluator {
namespace {

// Everything about a gather that does not depend on the batch position.
struct GatherPlan {
  DimensionVector result_sizes;
  DimensionVector result_batch_strides;  // by batch dimension
  DimensionVector largest_start;         // by operand dimension
  StridedPlan<2> window;                 // operand, result
};

// from[i] += start[i], clamped, times the stride.
HLOSCOPE_VECTOR_CLONES void AddPlaces(const int64_t* start, int64_t largest, int64_t stride, int64_t count,
                                      int64_t* from) {
  for (int64_t i = 0; i < count; ++i) {
    const int64_t clamped = start[i] < 0 ? 0 : start[i] > largest ? largest : start[i];
    from[i] += clamped * stride;
  }
}

// Where windows lie, found some at a time.
class WindowPlaces {
 public:
  static constexpr int64_t kMost = 256;

  WindowPlaces(const StartIndices& starts, const GatherPlan& plan, absl::Span<const int64_t> strides)
      : starts_(starts),
        plan_(plan),
        strides_(strides),
        batch_index_(starts.batch_sizes().size(), 0),
        start_(strides.size() * kMost, 0) {}

  // Finds those of batch positions [n, end), or as many of them as fit; returns how many. Offsets are in elements.
  int64_t Find(int64_t n, int64_t end) {
    const int64_t wanted = std::min(kMost, end - n);
    int64_t count = 0;
    while (count < wanted) {
      const Row row = FindRow(n + count, wanted - count, count);
      for (int64_t i = 0; i < row.count; ++i) to_[static_cast<size_t>(count + i)] = row.to + i * row.to_step;
      count += row.count;
    }
    return count;
  }
  int64_t from(int64_t k) const { return from_[static_cast<size_t>(k)]; }
  int64_t to(int64_t k) const { return to_[static_cast<size_t>(k)]; }

  // The first of them that are neighbours in the last dimension of the batch.
  struct Row {
    int64_t count;
    const int64_t* from;
    int64_t to, to_step;
  };
  Row FindRow(int64_t n, int64_t end) { return FindRow(n, std::min(kMost, end - n), 0); }

 private:
  Row FindRow(int64_t n, int64_t most, int64_t at) {
    const int64_t count = std::min(most, starts_.Get(n, kMost, absl::MakeSpan(batch_index_), start_.data()));
    int64_t* const from = from_.data() + at;
    std::fill_n(from, count, 0);
    for (size_t d = 0; d < strides_.size(); ++d) {
      AddPlaces(start_.data() + static_cast<int64_t>(d) * kMost, plan_.largest_start[d], strides_[d], count, from);
    }
    int64_t first = 0;
    for (size_t b = 0; b < batch_index_.size(); ++b) first += batch_index_[b] * plan_.result_batch_strides[b];
    return {count, from, first, batch_index_.empty() ? 0 : plan_.result_batch_strides.back()};
  }

  const StartIndices& starts_;
  const GatherPlan& plan_;
  const absl::Span<const int64_t> strides_;
  DimensionVector batch_index_;
  std::vector<int64_t> start_;
  std::array<int64_t, kMost> from_, to_;
};

// Windows that are one run of bytes in the operand and in the result. While some are copied, the next ones are on their
// way from memory.
class RunCopier {
 public:
  RunCopier(const StartIndices& starts, const GatherPlan& plan, const Tensor& x, int64_t run_bytes, uint8_t* result)
      : starts_(starts),
        is_list_(starts.IsList()),
        plan_(plan),
        from_(x.data()),
        element_bytes_(x.element_bytes()),
        strides_(x.strides().begin(), x.strides().end()),
        run_bytes_(run_bytes),
        result_(result) {}

  // The windows of batch positions [begin, end).
  void Copy(int64_t begin, int64_t end) const {
    std::array<Run, kAhead> runs[2];
    DimensionVector batch_index(starts_.batch_sizes().size(), 0), start(strides_.size(), 0);
    int which = 0;
    Locate(begin, end, batch_index, start, runs[0]);
    for (int64_t n = begin; n < end; n += kAhead, which ^= 1) {
      Locate(n + kAhead, end, batch_index, start, runs[which ^ 1]);
      for (int64_t k = 0; k < std::min(kAhead, end - n); ++k) {
        CopyRun(runs[which][static_cast<size_t>(k)]);
      }
    }
  }

 private:
  static constexpr int64_t kAhead = 16, kLine = 64, kMaxPrefetched = 1024;
  struct Run {
    const uint8_t* from;
    uint8_t* to;
  };

  // Short runs are many: the call of a function that first looks at their size takes as long as copying them.
  void CopyRun(const Run& run) const {
    int64_t at = 0;
    for (; run_bytes_ <= kMaxPrefetched && at + kLine <= run_bytes_; at += kLine) {
      std::memcpy(run.to + at, run.from + at, kLine);
    }
    if (at < run_bytes_) std::memcpy(run.to + at, run.from + at, static_cast<size_t>(run_bytes_ - at));
  }

  // The runs of positions from `n` on, at most kAhead and none from `end` on; their bytes are asked for.
  void Locate(int64_t n, int64_t end, DimensionVector& batch_index, DimensionVector& start,
              std::array<Run, kAhead>& runs) const {
    for (int64_t k = 0; k < std::min(kAhead, end - n); ++k) {
      int64_t from = 0, to = 0;
      if (is_list_) {
        const size_t d = starts_.ListDimension();
        from = std::clamp<int64_t>(starts_.ListIndex(n + k), 0, plan_.largest_start[d]) * strides_[d];
        to = (n + k) * plan_.result_batch_strides[0];
      } else {
        starts_.Get(n + k, absl::MakeSpan(batch_index), absl::MakeSpan(start));
        for (size_t d = 0; d < start.size(); ++d) {
          from += std::clamp<int64_t>(start[d], 0, plan_.largest_start[d]) * strides_[d];
        }
        for (size_t b = 0; b < batch_index.size(); ++b) to += batch_index[b] * plan_.result_batch_strides[b];
      }
      const Run run = {from_ + from * element_bytes_, result_ + to * element_bytes_};
      for (int64_t at = 0; at < std::min(run_bytes_, kMaxPrefetched); at += kLine) {
        __builtin_prefetch(run.from + at);
        __builtin_prefetch(run.to + at, /*rw=*/1);
      }
      runs[static_cast<size_t>(k)] = run;
    }
  }

  const StartIndices& starts_;
  const bool is_list_;
  const GatherPlan& plan_;
  const uint8_t* const from_;
  const int64_t element_bytes_;
  const DimensionVector strides_;
  const int64_t run_bytes_;
  uint8_t* const result_;
};

// The windows of batch positions [begin, end), in any strides. T: a carrier of an element's bits.
template <typename T>
void CopyWindows(const StartIndices& starts, const GatherPlan& plan, const Tensor& x, int64_t begin, int64_t end,
                 uint8_t* result) {
  WindowPlaces places(starts, plan, x.strides());
  const int64_t window_count = plan.window.element_count();
  const int64_t from_stride = plan.window.row_stride(0), to_stride = plan.window.row_stride(1);
  const T* const all_from = reinterpret_cast<const T*>(x.data());
  T* const all_to = reinterpret_cast<T*>(result);
  if (window_count == 1) {
    for (int64_t n = begin; n < end;) {
      const WindowPlaces::Row row = places.FindRow(n, end);
      T* const to = all_to + row.to;
      for (int64_t k = 0; k < row.count; ++k) to[k * row.to_step] = all_from[row.from[k]];
      n += row.count;
    }
    return;
  }
  for (int64_t n = begin; n < end;) {
    const int64_t found = places.Find(n, end);
    n += found;
    for (int64_t k = 0; k < found; ++k) {
      const T* const from = all_from + places.from(k);
      T* const to = all_to + places.to(k);
      ForEachRow(plan.window, 0, window_count, [&](const std::array<int64_t, 2>& offsets, int64_t count) {
        const T* source = from + offsets[0];
        T* destination = to + offsets[1];
        if (from_stride == 1 && to_stride == 1) {
          std::memcpy(destination, source, static_cast<size_t>(count) * sizeof(T));
        } else {
          for (int64_t i = 0; i < count; ++i) destination[i * to_stride] = source[i * from_stride];
        }
      });
    }
  }
}

}  // namespace

absl::StatusOr<Tensor> Gather(const KernelContext& context) {
  const Module& module = context.module;
  const InstructionId id = context.id;
  const Tensor& x = context.tensor(0);
  const Tensor indices = ValidRegion(context.tensor(1));
  const absl::Span<const int64_t> offset_dims = module.IntsAttribute(id, AttributeKind::kOffsetDims);
  const absl::Span<const int64_t> collapsed = module.IntsAttribute(id, AttributeKind::kCollapsedSliceDims);
  const absl::Span<const int64_t> slice_sizes = module.IntsAttribute(id, AttributeKind::kSliceSizes);
  IndexDimensionNumbers numbers;
  numbers.index_vector_dim = module.IntAttribute(id, AttributeKind::kIndexVectorDim);
  numbers.start_index_map = module.IntsAttribute(id, AttributeKind::kStartIndexMap);
  numbers.operand_batching_dims = module.IntsAttribute(id, AttributeKind::kOperandBatchingDims);
  numbers.start_indices_batching_dims = module.IntsAttribute(id, AttributeKind::kStartIndicesBatchingDims);
  if (absl::Status s = CheckBatchingDimensions(numbers, collapsed); !s.ok()) return s;
  const StartIndices starts(indices, numbers);

  // Window dimensions of the operand, with the sizes that are copied: a full slice of a dynamic dimension copies the
  // run-time size.
  GatherPlan plan;
  DimensionVector window_sizes, window_strides;
  for (int64_t d = 0; d < x.rank(); ++d) {
    const bool is_collapsed = absl::c_linear_search(collapsed, d);
    const int64_t declared = slice_sizes[static_cast<size_t>(d)];
    const int64_t size = declared == x.dimension(d) ? ValidSize(x, d) : declared;
    plan.largest_start.push_back(std::max<int64_t>(ValidSize(x, d) - (is_collapsed ? 1 : size), 0));
    if (is_collapsed || absl::c_linear_search(numbers.operand_batching_dims, d)) continue;
    window_sizes.push_back(size);
    window_strides.push_back(x.strides()[static_cast<size_t>(d)]);
  }
  const size_t result_rank = offset_dims.size() + starts.batch_sizes().size();
  plan.result_sizes.resize(result_rank);
  std::vector<size_t> batch_dims;
  for (size_t d = 0, w = 0, b = 0; d < result_rank; ++d) {
    if (absl::c_linear_search(offset_dims, static_cast<int64_t>(d))) {
      plan.result_sizes[d] = window_sizes[w++];
    } else {
      plan.result_sizes[d] = starts.batch_sizes()[b++];
      batch_dims.push_back(d);
    }
  }
  if (x.element_count() == 0) return Tensor::Zeros(x.element_type(), plan.result_sizes);
  absl::StatusOr<Tensor> result = Tensor::Allocate(x.element_type(), plan.result_sizes);
  if (!result.ok() || result->element_count() == 0) return result;
  for (size_t d : batch_dims) plan.result_batch_strides.push_back(result->strides()[d]);
  DimensionVector result_window_strides;
  for (int64_t d : offset_dims) result_window_strides.push_back(result->strides()[static_cast<size_t>(d)]);
  plan.window = CollapseDimensions<2>(window_sizes, {window_strides, result_window_strides});

  const int64_t window_count = plan.window.element_count();
  const bool window_is_one_run = window_count > 1 && plan.window.dimensions.size() == 1 &&
                                 plan.window.row_stride(0) == 1 && plan.window.row_stride(1) == 1;
  const double nanoseconds = (window_count > 1 ? 20 : 4) + 0.2 * static_cast<double>(window_count * x.element_bytes());
  uint8_t* const result_data = result->mutable_data();
  absl::Status status =
      ParallelLoop(context.runtime, starts.batch_count(), nanoseconds, [&](int64_t begin, int64_t end) {
        if (window_is_one_run) {
          RunCopier(starts, plan, x, window_count * x.element_bytes(), result_data).Copy(begin, end);
          return;
        }
        numerics::VisitElementBytes(x.element_bytes(), [&](auto bits) {
          CopyWindows<decltype(bits)>(starts, plan, x, begin, end, result_data);
        });
      });
  if (!status.ok()) return status;
  return result;
}

}  // namespace hloscope::evaluator
