// SPDX-License-Identifier: Apache-2.0
// sort and topk (docs/ops/tensor.md 7).
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "core/analysis/scalar_patterns.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/sorting/lane_sort.h"
#include "evaluator/kernels/sorting/sort.h"
#include "numerics/sorting/line_order.h"
#include "numerics/sorting/top_of_line.h"
#include "numerics/sorting/value_sort.h"

namespace hloscope::evaluator {
namespace {

// Lines along the last dimension.
struct Lines {
  int64_t count = 1, length = 1;
};

Lines LinesOf(const Tensor& tensor) {
  Lines lines;
  lines.length = tensor.dimension(tensor.rank() - 1);
  for (int64_t d = 0; d + 1 < tensor.rank(); ++d) lines.count *= tensor.dimension(d);
  return lines;
}

// The tensor with dimensions `a` and `b` exchanged.
Tensor Exchanged(const Tensor& tensor, int64_t a, int64_t b) {
  DimensionVector sizes(tensor.dimensions().begin(), tensor.dimensions().end());
  DimensionVector strides(tensor.strides().begin(), tensor.strides().end());
  std::swap(sizes[static_cast<size_t>(a)], sizes[static_cast<size_t>(b)]);
  std::swap(strides[static_cast<size_t>(a)], strides[static_cast<size_t>(b)]);
  return tensor.View(sizes, strides, 0);
}

// Which parameters of the comparator are used at all.
std::vector<bool> UsedParameters(const Module& module, ComputationId comparator) {
  const Computation& computation = module.computation(comparator);
  std::vector<bool> used(computation.parameters.size(), false);
  for (InstructionId id : computation.instructions) {
    for (InstructionId operand : module.operands(id)) {
      if (module.opcode(operand) == Opcode::kParameter) used[module.instruction(operand).parameter_number] = true;
    }
  }
  if (module.opcode(computation.root) == Opcode::kParameter) {
    used[module.instruction(computation.root).parameter_number] = true;
  }
  return used;
}

// What ordering a line takes on the heap for each element: the order, keys and their other halves, a canonical copy.
constexpr int64_t kRoomBytes = 44;
// Longer lines are not searched for their largest elements in one go, but sorted: that can be cancelled.
constexpr int64_t kLongLine = int64_t{1} << 20;

// Memory that is taken from the heap for a while, as far as the limit is concerned: a block that nobody touches.
absl::StatusOr<std::shared_ptr<Buffer>> Room(int64_t elements) {
  int64_t bytes;
  if (__builtin_mul_overflow(elements, kRoomBytes, &bytes)) {
    return absl::ResourceExhaustedError("the lines to be sorted are too long");
  }
  return Buffer::Allocate(bytes);
}

// Runs `order_lines(first line, line count, order)` over all lines, on all threads if `parallel`, and permutes the
// operands.
template <typename OrderLines>
absl::Status SortLines(const std::vector<Tensor>& operands, std::vector<Tensor>& results, bool parallel,
                       double nanoseconds_per_comparison, KernelRuntime& runtime, const OrderLines& order_lines) {
  const Lines lines = LinesOf(operands[0]);
  // Lines are sorted in blocks: the comparisons of a block are made together.
  constexpr int64_t kBlockElements = int64_t{1} << 15;
  const int64_t block_lines = std::clamp<int64_t>(kBlockElements / lines.length, 1, lines.count);
  const int64_t blocks = (lines.count - 1) / block_lines + 1;
  int64_t depth = 1;
  while (depth < 62 && int64_t{1} << depth < lines.length) ++depth;
  absl::Mutex mutex;
  absl::Status status;
  const auto fail = [&](const absl::Status& s) {
    const absl::MutexLock lock(&mutex);
    status.Update(s);
  };
  const auto sort_blocks = [&](int64_t begin, int64_t end) {
    const absl::StatusOr<std::shared_ptr<Buffer>> room = Room(block_lines * lines.length);
    if (!room.ok()) return fail(room.status());
    const std::unique_ptr<int64_t[]> order(new int64_t[static_cast<size_t>(block_lines * lines.length)]);
    for (int64_t block = begin; block < end; ++block) {
      const int64_t first = block * block_lines, count = std::min(block_lines, lines.count - first);
      absl::Status s = order_lines(first, count, order.get());
      if (!s.ok()) return fail(s);
      for (size_t k = 0; k < operands.size() && s.ok(); ++k) {
        const int64_t bytes = operands[k].element_bytes();
        uint8_t* const to = results[k].mutable_data();
        for (int64_t n = 0; n < count && s.ok(); ++n) {
          const int64_t at = (first + n) * lines.length * bytes;
          s = StatusOf(numerics::PermuteLine(bytes, operands[k].data() + at, to + at, lines.length,
                                             order.get() + n * lines.length, runtime),
                       runtime);
        }
      }
      if (!s.ok()) return fail(s);
    }
  };
  if (!parallel) {
    sort_blocks(0, blocks);
    return status;
  }
  const double nanoseconds = nanoseconds_per_comparison * static_cast<double>(block_lines * lines.length * depth);
  if (absl::Status s = ParallelLoop(runtime, blocks, nanoseconds, sort_blocks); !s.ok()) return s;
  return status;
}

// Sort of a single operand.
absl::Status SortValues(const numerics::StrictOrder& by, const Tensor& operand, Tensor& result,
                        KernelRuntime& runtime) {
  constexpr double kElementNanoseconds = 10;
  const Lines lines = LinesOf(operand);
  const int64_t bytes = lines.length * operand.element_bytes();
  uint8_t* const to = result.mutable_data();
  absl::Mutex mutex;
  absl::Status status;
  absl::Status looped = ParallelLoop(
      runtime, lines.count, kElementNanoseconds * static_cast<double>(lines.length), [&](int64_t begin, int64_t end) {
        const absl::StatusOr<std::shared_ptr<Buffer>> room = Room(lines.length);
        absl::Status s = room.status();
        for (int64_t n = begin; n < end && s.ok(); ++n) {
          s = StatusOf(numerics::SortLine(by, operand.data() + n * bytes, lines.length, to + n * bytes, runtime),
                       runtime);
        }
        const absl::MutexLock lock(&mutex);
        status.Update(s);
      });
  return looped.ok() ? status : looped;
}

// Sort with `a < b` or `a > b` of a real operand.
absl::Status SortByKey(const RecognizedComparator& comparator, const std::vector<Tensor>& operands,
                       std::vector<Tensor>& results, KernelRuntime& runtime) {
  const Tensor& keys = operands[comparator.operand];
  const int64_t length = keys.dimension(keys.rank() - 1);
  const numerics::StrictOrder by = {keys.element_type(), comparator.direction == ComparisonDirection::kGt,
                                    comparator.total_order, comparator.canonical};
  if (operands.size() == 1) return SortValues(by, keys, results[0], runtime);
  return SortLines(operands, results, true, 2, runtime, [&](int64_t first, int64_t count, int64_t* order) {
    absl::Status status;
    for (int64_t line = 0; line < count && status.ok(); ++line) {
      status = StatusOf(numerics::OrderLine(by, keys.data() + (first + line) * length * keys.element_bytes(), length,
                                            order + line * length, runtime),
                        runtime);
    }
    return status;
  });
}

absl::StatusOr<Value> EvaluateSort(const KernelContext& context) {
  Sort sort;
  sort.operands = ValidOperands(context, 0, context.operands.size());
  sort.dimension = context.module.IntsAttribute(context.id, AttributeKind::kDimensions)[0];
  sort.comparator = context.module.ComputationAttribute(context.id, AttributeKind::kToApply);
  if (absl::Status s = CheckSameSizes("sort", sort.operands); !s.ok()) return s;
  absl::StatusOr<std::vector<Tensor>> results = SortOperands(context.module, sort, context.runtime);
  if (!results.ok()) return results.status();
  return BoundedValue(*std::move(results), context.shape());
}

absl::StatusOr<Value> EvaluateTopK(const KernelContext& context) {
  if (IsComplex(context.tensor(0).element_type())) {
    return absl::InvalidArgumentError("topk: complex numbers have no order");
  }
  absl::StatusOr<std::vector<Tensor>> results =
      TopK(ValidRegion(context.tensor(0)), context.module.IntAttribute(context.id, AttributeKind::kK),
           context.module.BoolAttribute(context.id, AttributeKind::kLargest, true), context.runtime);
  if (!results.ok()) return results.status();
  return BoundedValue(*std::move(results), context.shape());
}

// Dense copies of the operands with the sorted dimension last, and uninitialised results of the same shape.
absl::Status Arrange(const Sort& sort, std::vector<Tensor>& operands, std::vector<Tensor>& results,
                     KernelRuntime& runtime) {
  for (const Tensor& operand : sort.operands) {
    absl::StatusOr<Tensor> dense = DenseElements(Exchanged(operand, sort.dimension, operand.rank() - 1), runtime);
    if (!dense.ok()) return dense.status();
    absl::StatusOr<Tensor> result = Tensor::Allocate(dense->element_type(), dense->dimensions());
    if (!result.ok()) return result.status();
    operands.push_back(*std::move(dense));
    results.push_back(*std::move(result));
  }
  return absl::OkStatus();
}

void RestoreDimensions(const Sort& sort, std::vector<Tensor>& results) {
  for (Tensor& result : results) result = Exchanged(result, sort.dimension, result.rank() - 1);
}

}  // namespace

absl::StatusOr<std::vector<Tensor>> SortByProgram(const Module& module, const Sort& sort, KernelRuntime& runtime) {
  absl::StatusOr<std::unique_ptr<ScalarProgram>> program = ScalarProgram::Compile(module, sort.comparator);
  if (!program.ok()) return program.status();
  std::vector<Tensor> operands, results, keys;
  if (absl::Status s = Arrange(sort, operands, results, runtime); !s.ok()) return s;
  if (operands[0].element_count() > 0) {
    // Under mixed precision the parameters of one operand may have different types.
    for (size_t p = 0; p < (*program)->input_count(); ++p) {
      absl::StatusOr<Tensor> converted = ConvertElements(operands[p / 2], (*program)->input_type(p), runtime);
      if (!converted.ok()) return converted.status();
      keys.push_back(*std::move(converted));
    }
    const LaneComparator comparator = {**program, keys, UsedParameters(module, sort.comparator)};
    const int64_t length = keys[0].dimension(keys[0].rank() - 1);
    absl::Status status =
        SortLines(operands, results, (*program)->is_compiled(), 10 + (*program)->nanoseconds_per_lane(), runtime,
                  [&](int64_t first, int64_t count, int64_t* order) {
                    return LaneSort(comparator, first, count, length, order, runtime);
                  });
    if (!status.ok()) return status;
  }
  RestoreDimensions(sort, results);
  return results;
}

absl::StatusOr<std::vector<Tensor>> SortOperands(const Module& module, const Sort& sort, KernelRuntime& runtime) {
  const std::optional<RecognizedComparator> comparator = RecognizeComparator(module, sort.comparator);
  if (!comparator || !IsStrict(*comparator) || IsComplex(sort.operands[comparator->operand].element_type())) {
    return SortByProgram(module, sort, runtime);
  }
  const InstructionId key_parameter = module.computation(sort.comparator).parameters[2 * comparator->operand];
  if (module.shape(key_parameter).element_type() != sort.operands[comparator->operand].element_type()) {
    return SortByProgram(module, sort, runtime);  // mixed precision
  }
  std::vector<Tensor> operands, results;
  if (absl::Status s = Arrange(sort, operands, results, runtime); !s.ok()) return s;
  if (operands[0].element_count() > 0) {
    if (absl::Status s = SortByKey(*comparator, operands, results, runtime); !s.ok()) return s;
  }
  RestoreDimensions(sort, results);
  return results;
}

namespace {

// The first k of each line in the order `by`, one line after the other.
absl::Status LongTopK(const Tensor& dense, int64_t length, int64_t line_count, int64_t k,
                      const numerics::StrictOrder& by, uint8_t* values, int32_t* positions, KernelRuntime& runtime) {
  const absl::StatusOr<std::shared_ptr<Buffer>> room = Room(length);
  if (!room.ok()) return room.status();
  const std::unique_ptr<int64_t[]> order(new int64_t[static_cast<size_t>(length)]);
  const int64_t bytes = dense.element_bytes();
  for (int64_t n = 0; n < line_count; ++n) {
    const uint8_t* const line = dense.data() + n * length * bytes;
    absl::Status status = StatusOf(numerics::OrderLine(by, line, length, order.get(), runtime), runtime);
    if (!status.ok()) return status;
    for (int64_t j = 0; j < k; ++j) positions[n * k + j] = static_cast<int32_t>(order[static_cast<size_t>(j)]);
    status = StatusOf(numerics::PermuteLine(bytes, line, values + n * k * bytes, k, order.get(), runtime), runtime);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Tensor>> TopK(const Tensor& operand, int64_t k, bool largest, KernelRuntime& runtime) {
  if (operand.rank() < 1) return absl::InvalidArgumentError("topk: operand must have rank >= 1");
  if (IsComplex(operand.element_type())) return absl::InvalidArgumentError("topk: complex elements have no order");
  absl::StatusOr<Tensor> dense = DenseElements(operand, runtime);
  if (!dense.ok()) return dense.status();
  const Lines lines = LinesOf(*dense);
  if (k < 0 || k > lines.length) {
    return absl::InvalidArgumentError(absl::StrCat("topk: k=", k, " exceeds last dimension size ", lines.length));
  }
  DimensionVector sizes(dense->dimensions().begin(), dense->dimensions().end());
  sizes.back() = k;
  absl::StatusOr<Tensor> values = Tensor::Allocate(dense->element_type(), sizes);
  if (!values.ok()) return values.status();
  absl::StatusOr<Tensor> positions = Tensor::Allocate(ElementType::kS32, sizes);
  if (!positions.ok()) return positions.status();
  if (values->element_count() == 0) return std::vector<Tensor>{*std::move(values), *std::move(positions)};
  uint8_t* const value_data = values->mutable_data();
  int32_t* const position_data = positions->mutable_data_as<int32_t>();
  const numerics::StrictOrder by = {dense->element_type(), largest, /*total_order=*/true};
  if (lines.length > kLongLine) {
    absl::Status status = LongTopK(*dense, lines.length, lines.count, k, by, value_data, position_data, runtime);
    if (!status.ok()) return status;
    return std::vector<Tensor>{*std::move(values), *std::move(positions)};
  }
  const double nanoseconds = 5.0 * static_cast<double>(lines.length);
  absl::Status status = ParallelLoop(runtime, lines.count, nanoseconds, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> first(static_cast<size_t>(k));
    for (int64_t n = begin; n < end; ++n) {
      numerics::TopOfLine(by, dense->data() + n * lines.length * dense->element_bytes(), lines.length, k, first.data());
      for (int64_t j = 0; j < k; ++j) position_data[n * k + j] = static_cast<int32_t>(first[static_cast<size_t>(j)]);
      numerics::VisitElementBytes(dense->element_bytes(), [&](auto bits) {
        using T = decltype(bits);
        const T* const from = reinterpret_cast<const T*>(dense->data()) + n * lines.length;
        T* const to = reinterpret_cast<T*>(value_data) + n * k;
        for (int64_t j = 0; j < k; ++j) to[j] = from[first[static_cast<size_t>(j)]];
      });
    }
  });
  if (!status.ok()) return status;
  return std::vector<Tensor>{*std::move(values), *std::move(positions)};
}

absl::StatusOr<Value> EvaluateSorting(const KernelContext& context) {
  switch (context.opcode()) {
    case Opcode::kSort:
      return EvaluateSort(context);
    case Opcode::kTopk:
      return EvaluateTopK(context);
    default:
      return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), " does not sort"));
  }
}

}  // namespace hloscope::evaluator
