// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/array_program.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/memory_order.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/lane_source.h"
#include "numerics/data_movement/past_cache.h"

namespace hloscope::evaluator {
namespace {

// Lanes that go through the program at a time; all that it makes of them stays in the first cache levels.
constexpr int64_t kBlockLanes = 2048;
// Repeated elements are passed on as one where at least so many follow one another.
constexpr int64_t kLongRun = 512;

// Order of the dimensions in which an operand with all elements lies densely in memory; empty if there is none, or if
// that is the order they have.
DimensionVector MemoryOrder(const std::vector<Value>& operands, absl::Span<const int64_t> dimensions) {
  for (const Value& value : operands) {
    if (value.tensor().rank() == 0 || value.tensor().dimensions() != dimensions) continue;
    std::optional<DimensionVector> order = DenseOrder(value.tensor());
    if (order) return std::is_sorted(order->begin(), order->end()) ? DimensionVector() : *std::move(order);
  }
  return {};
}

DimensionVector Permuted(absl::Span<const int64_t> values, const DimensionVector& order) {
  DimensionVector permuted;
  for (int64_t d : order) permuted.push_back(values[static_cast<size_t>(d)]);
  return permuted;
}

// Loops that compute for long gain nothing from another way to memory.
bool WaitsForMemory(const ScalarProgram& program) {
  constexpr double kNanosecondsOfStep = 2;
  return program.nanoseconds_per_lane() <= kNanosecondsOfStep * static_cast<double>(program.step_count());
}

// Elements [begin, end) of the result. `past_cache`: they are written past the caches.
void RunElements(const ScalarProgram& program, const std::vector<LaneSource>& sources, uint8_t* result,
                 int64_t result_bytes, bool past_cache, int64_t begin, int64_t end, KernelRuntime& runtime) {
  alignas(64) uint8_t block[kBlockLanes * kMaxElementBytes];
  absl::InlinedVector<std::vector<uint64_t>, 4> gathered(sources.size());  // words keep the elements aligned
  absl::InlinedVector<GatheredBlock, 4> held(sources.size());
  absl::InlinedVector<LaneOperand, 8> lanes(sources.size());
  const bool all_in_place =
      std::all_of(sources.begin(), sources.end(), [](const LaneSource& s) { return s.is_uniform || s.is_dense; });
  for (int64_t first = begin; first < end;) {
    int64_t count = all_in_place ? end - first : std::min(BlockOfPeriods(sources, first, kBlockLanes), end - first);
    for (const LaneSource& source : sources) {
      const bool repeats = !source.is_uniform && source.plan.row_stride(0) == 0;
      if (repeats && source.plan.row_size() >= kLongRun) count = std::min(count, source.RunLength(first));
    }
    if (past_cache) count = std::min(count, kBlockLanes);
    for (size_t k = 0; k < sources.size(); ++k) {
      const LaneSource& source = sources[k];
      if (source.is_uniform) {
        lanes[k] = {source.data, true};
      } else if (source.is_dense) {
        lanes[k] = {source.data + first * source.element_bytes, false};
      } else if (source.plan.row_stride(0) <= 1 && source.plan.row_stride(0) >= 0 && source.RunLength(first) >= count) {
        lanes[k] = {source.At(first), source.plan.row_stride(0) == 0};
      } else {
        gathered[k].resize(static_cast<size_t>((kBlockLanes * source.element_bytes + 7) / 8));
        uint8_t* const buffer = reinterpret_cast<uint8_t*>(gathered[k].data());
        if (!held[k].Holds(source, first, count)) source.Gather(first, count, buffer);
        lanes[k] = {buffer, false};
      }
    }
    uint8_t* const to = result + first * result_bytes;
    uint8_t* const outputs[] = {past_cache ? block : to};
    program.Run(lanes, outputs, count, runtime).IgnoreError();  // compiled programs do not fail
    if (past_cache) numerics::CopyPastCache(block, to, count * result_bytes);
    first += count;
  }
  if (past_cache) numerics::FinishPastCache();
}

}  // namespace

absl::StatusOr<Tensor> ApplyProgramToArrays(const ScalarProgram& program, std::vector<Value>& operands,
                                            absl::Span<const int64_t> dimensions, KernelRuntime& runtime) {
  const DimensionVector order = MemoryOrder(operands, dimensions);
  DimensionVector sizes(dimensions.begin(), dimensions.end());
  if (!order.empty()) sizes = Permuted(dimensions, order);
  for (Value& value : operands) {
    const Tensor& operand = value.tensor();
    if (operand.rank() == 0) continue;
    absl::StatusOr<Tensor> elements = ElementsInRows(order.empty() ? operand : InOrder(operand, order), runtime);
    if (!elements.ok()) return elements;
    if (elements->data() != operand.data()) {
      value = Value(order.empty() ? *std::move(elements) : BackInOrder(*elements, order));
    }
  }
  std::vector<DimensionVector> strides;
  for (const Value& value : operands) {
    const Tensor& operand = value.tensor();
    DimensionVector& s = strides.emplace_back(sizes.size(), 0);
    if (operand.rank() == 0) continue;
    s.assign(operand.strides().begin(), operand.strides().end());
    if (!order.empty()) s = Permuted(s, order);
  }
  // Dimensions along which every operand repeats itself are computed once.
  DimensionVector computed = sizes;
  for (size_t d = 0; d < computed.size(); ++d) {
    const bool repeats =
        std::all_of(strides.begin(), strides.end(), [d](const DimensionVector& s) { return s[d] == 0; });
    if (computed[d] > 1 && repeats) computed[d] = 1;
  }
  std::vector<LaneSource> sources;
  double nanoseconds = program.nanoseconds_per_lane();
  for (size_t k = 0; k < operands.size(); ++k) {
    sources.emplace_back(operands[k].tensor(), computed, strides[k]);
    if (!sources.back().is_uniform && !sources.back().is_dense) nanoseconds += 0.5;
  }

  const ElementType type = program.output_type(0);
  int64_t count = 1;
  for (int64_t size : computed) count *= size;
  Tensor result;
  for (size_t k = 0; k < operands.size() && !result.has_buffer(); ++k) {
    const Tensor& operand = operands[k].tensor();
    if (!sources[k].is_dense || StorageBytes(type) != operand.element_bytes() || operand.SharesBuffer() ||
        operand.buffer()->size() != count * operand.element_bytes()) {
      continue;
    }
    result = operand.WithElementType(type).View(computed, RowMajorStrides(computed), 0);
    operands[k] = Value();  // the result is now the only holder
  }
  bool past_cache = false;  // memory that was read is in the caches already
  if (!result.has_buffer()) {
    absl::StatusOr<Tensor> fresh = Tensor::Allocate(type, computed);
    if (!fresh.ok()) return fresh;
    result = *std::move(fresh);
    past_cache = count * StorageBytes(type) >= numerics::kPastCacheBytes && WaitsForMemory(program);
  }
  if (count > 0) {
    uint8_t* const out = result.mutable_data();
    absl::Status status = ParallelLoop(runtime, count, nanoseconds, [&](int64_t begin, int64_t end) {
      RunElements(program, sources, out, StorageBytes(type), past_cache, begin, end, runtime);
    });
    if (!status.ok()) return status;
  }
  DimensionVector result_strides = RowMajorStrides(computed);
  for (size_t d = 0; d < computed.size(); ++d) {
    if (computed[d] != sizes[d]) result_strides[d] = 0;
  }
  const Tensor all = result.View(sizes, result_strides, 0);
  return order.empty() ? all : BackInOrder(all, order);
}

}  // namespace hloscope::evaluator
