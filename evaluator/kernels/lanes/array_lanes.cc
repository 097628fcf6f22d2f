// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/array_lanes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/strided_iteration.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/lane_source.h"
#include "numerics/data_movement/past_cache.h"
#include "numerics/data_movement/run_ahead.h"

namespace hloscope::evaluator {
namespace {

constexpr size_t kMaxOperands = LaneFunction::kMaxOperands;
// Elements of an operand that are gathered at a time where its strides are neither 0 nor 1.
constexpr int64_t kGatherLanes = 512;
// Elements that are computed before they go past the caches.
constexpr int64_t kPiece = 1024;
// Rows of at least this many elements are computed row by row; shorter ones are gathered into longer blocks first.
constexpr int64_t kLongRow = 64;
constexpr double kGatherNanoseconds = 1;

struct ArrayLoop {
  const LaneFunction& function;
  std::array<LaneSource, kMaxOperands> sources;
  StridedPlan<kMaxOperands> rows;  // of all operands together
  uint8_t* result;
  int64_t result_bytes;
  size_t operand_count;

  // Result elements [begin, end) where every operand is dense or uniform.
  void RunDense(int64_t begin, int64_t end) const {
    std::array<LaneOperand, kMaxOperands> lanes{};
    for (size_t k = 0; k < operand_count; ++k) {
      const LaneSource& source = sources[k];
      lanes[k] = {source.is_uniform ? source.data : source.data + begin * source.element_bytes, source.is_uniform};
    }
    function(lanes.data(), result + begin * result_bytes, end - begin);
  }

  // The same for a large result, which need not go through the caches.
  void RunPastCache(int64_t begin, int64_t end) const {
    alignas(64) uint8_t piece[kPiece * kMaxElementBytes];
    for (int64_t first = begin; first < end; first += kPiece) {
      const int64_t count = std::min(kPiece, end - first);
      std::array<LaneOperand, kMaxOperands> lanes{};
      for (size_t k = 0; k < operand_count; ++k) {
        const LaneSource& source = sources[k];
        lanes[k] = {source.is_uniform ? source.data : source.data + first * source.element_bytes, source.is_uniform};
        if (!source.is_uniform) numerics::FetchAhead(lanes[k].data, count * source.element_bytes);
      }
      function(lanes.data(), piece, count);
      numerics::CopyPastCache(piece, result + first * result_bytes, count * result_bytes);
    }
    numerics::FinishPastCache();
  }

  // Long rows: operands that repeat or are dense along the row are read where they are.
  void RunRows(int64_t begin, int64_t end) const {
    alignas(64) uint8_t buffers[kMaxOperands][kGatherLanes * kMaxElementBytes];
    uint8_t* out = result + begin * result_bytes;
    ForEachRow(rows, begin, end, [&](const std::array<int64_t, kMaxOperands>& offsets, int64_t row_count) {
      bool gathers = false;
      for (size_t k = 0; k < operand_count; ++k) gathers |= !ReadsInPlace(k);
      const int64_t step = gathers ? kGatherLanes : row_count;
      for (int64_t first = 0; first < row_count; first += step) {
        const int64_t count = std::min(step, row_count - first);
        std::array<LaneOperand, kMaxOperands> lanes{};
        for (size_t k = 0; k < operand_count; ++k) {
          const int64_t stride = rows.row_stride(k);
          const int64_t bytes = sources[k].element_bytes;
          const uint8_t* data = sources[k].data + (offsets[k] + first * stride) * bytes;
          if (!ReadsInPlace(k)) {
            GatherStrided(data, stride, buffers[k], count, bytes);
            data = buffers[k];
          }
          lanes[k] = {data, stride == 0};
        }
        function(lanes.data(), out, count);
        out += count * result_bytes;
      }
    });
  }

  // Short rows: operands that are not dense are gathered into blocks over several rows.
  void RunGathered(int64_t begin, int64_t end) const {
    alignas(64) uint8_t buffers[kMaxOperands][kGatherLanes * kMaxElementBytes];
    std::array<GatheredBlock, kMaxOperands> held;
    const absl::Span<const LaneSource> all(sources.data(), operand_count);
    for (int64_t first = begin, count = 0; first < end; first += count) {
      count = std::min(BlockOfPeriods(all, first, kGatherLanes), end - first);
      std::array<LaneOperand, kMaxOperands> lanes{};
      for (size_t k = 0; k < operand_count; ++k) {
        const LaneSource& source = sources[k];
        if (source.is_uniform) {
          lanes[k] = {source.data, true};
        } else if (source.is_dense) {
          lanes[k] = {source.data + first * source.element_bytes, false};
        } else {
          if (!held[k].Holds(source, first, count)) source.Gather(first, count, buffers[k]);
          lanes[k] = {buffers[k], false};
        }
      }
      function(lanes.data(), result + first * result_bytes, count);
    }
  }

 private:
  bool ReadsInPlace(size_t k) const { return rows.row_stride(k) == 0 || rows.row_stride(k) == 1; }
};

// Appends the run-time sizes of the result to `sizes`: those of the operands; where two differ and one is 1, the other.
// Leaves it empty if all operands are full.
absl::Status CombineDynamicSizes(absl::Span<const Tensor* const> operands, absl::Span<const int64_t> dimensions,
                                 DimensionVector& sizes) {
  const auto is_dynamic = [](const Tensor* tensor) { return !tensor->dynamic_sizes().empty(); };
  if (std::none_of(operands.begin(), operands.end(), is_dynamic)) return absl::OkStatus();
  for (const Tensor* operand : operands) {
    if (operand->rank() == 0) continue;
    const absl::Span<const int64_t> other = is_dynamic(operand) ? operand->dynamic_sizes() : dimensions;
    if (sizes.empty()) sizes.assign(other.begin(), other.end());
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] == other[d] || other[d] == 1) continue;
      if (sizes[d] != 1) {
        return absl::InvalidArgumentError(absl::StrCat("the operands' run-time sizes [", absl::StrJoin(sizes, ","),
                                                       "] and [", absl::StrJoin(other, ","), "] differ in dimension ",
                                                       d));
      }
      sizes[d] = other[d];
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Tensor> ApplyToArrays(const LaneFunction& function, absl::Span<const Tensor* const> arrays,
                                     absl::Span<const int64_t> dimensions, KernelRuntime& runtime) {
  std::array<Tensor, kMaxOperands> in_rows;
  absl::InlinedVector<const Tensor*, kMaxOperands> operands(arrays.begin(), arrays.end());
  for (size_t k = 0; k < operands.size() && !function.IsIdentity(); ++k) {
    if (!operands[k]->dynamic_sizes().empty()) continue;
    absl::StatusOr<Tensor> elements = ElementsInRows(*operands[k], runtime);
    if (!elements.ok()) return elements;
    in_rows[k] = *std::move(elements);
    operands[k] = &in_rows[k];
  }
  DimensionVector dynamic_sizes;
  if (absl::Status status = CombineDynamicSizes(operands, dimensions, dynamic_sizes); !status.ok()) return status;
  if (function.IsIdentity()) {
    Tensor same = operands[0]->WithElementType(function.result_type());
    same.set_dynamic_sizes(dynamic_sizes);
    return same;
  }

  // Strides per result dimension; 0 where an operand serves every index.
  std::array<DimensionVector, kMaxOperands> strides;
  for (size_t k = 0; k < kMaxOperands; ++k) {
    strides[k].assign(dimensions.size(), 0);
    if (k >= operands.size() || operands[k]->rank() == 0) continue;
    strides[k].assign(operands[k]->strides().begin(), operands[k]->strides().end());
    if (operands[k]->dynamic_sizes().empty()) continue;
    for (size_t d = 0; d < dimensions.size(); ++d) {
      // A run-time size of 1 that meets another one.
      if (operands[k]->dynamic_sizes()[d] == 1 && dynamic_sizes[d] != 1) strides[k][d] = 0;
    }
  }

  DimensionVector computed(dimensions.begin(), dimensions.end());
  for (size_t d = 0; d < computed.size(); ++d) {
    const bool repeats =
        std::all_of(strides.begin(), strides.end(), [d](const DimensionVector& s) { return s[d] == 0; });
    if (computed[d] > 1 && repeats) computed[d] = 1;
  }
  absl::StatusOr<Tensor> result = Tensor::Allocate(function.result_type(), computed);
  if (!result.ok()) return result.status();
  const int64_t count = result->element_count();

  if (count > 0) {
    ArrayLoop loop{function, {}, {}, result->mutable_data(), result->element_bytes(), operands.size()};
    double nanoseconds = function.nanoseconds_per_lane();
    bool all_dense = true;
    for (size_t k = 0; k < operands.size(); ++k) {
      const LaneSource& source = loop.sources[k] = LaneSource(*operands[k], computed, strides[k]);
      if (!source.is_uniform && !source.is_dense) {
        all_dense = false;
        nanoseconds += kGatherNanoseconds;
      }
    }
    loop.rows = CollapseDimensions<kMaxOperands>(
        computed, {absl::MakeConstSpan(strides[0]), absl::MakeConstSpan(strides[1]), absl::MakeConstSpan(strides[2])});
    const bool long_rows = loop.rows.row_size() >= kLongRow;
    const bool past_cache = count * loop.result_bytes >= numerics::kPastCacheBytes;
    absl::Status status = ParallelLoop(runtime, count, nanoseconds, [&](int64_t begin, int64_t end) {
      if (all_dense && past_cache) {
        loop.RunPastCache(begin, end);
      } else if (all_dense) {
        loop.RunDense(begin, end);
      } else if (long_rows) {
        loop.RunRows(begin, end);
      } else {
        loop.RunGathered(begin, end);
      }
    });
    if (!status.ok()) return status;
  }

  if (!std::equal(computed.begin(), computed.end(), dimensions.begin(), dimensions.end())) {
    DimensionVector result_strides = RowMajorStrides(computed);
    for (size_t d = 0; d < computed.size(); ++d) {
      if (computed[d] != dimensions[d]) result_strides[d] = 0;
    }
    *result = result->View(dimensions, result_strides, 0);
  }
  result->set_dynamic_sizes(dynamic_sizes);
  return result;
}

absl::StatusOr<Value> EvaluateLanes(const KernelContext& context) {
  absl::StatusOr<LaneFunction> function = LaneFunction::Create(context.module, context.id);
  if (!function.ok()) return function.status();
  absl::InlinedVector<const Tensor*, kMaxOperands> operands;
  for (size_t k = 0; k < function->operand_count(); ++k) operands.push_back(&context.tensor(k));
  absl::StatusOr<Tensor> result = ApplyToArrays(*function, operands, context.shape().dimensions(), context.runtime);
  if (!result.ok()) return result.status();
  return Value(*std::move(result));
}

}  // namespace hloscope::evaluator
