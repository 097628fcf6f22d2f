// SPDX-License-Identifier: Apache-2.0
// constant and iota (docs/ops/elementwise.md 10).
#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/lane_function.h"

namespace hloscope::evaluator {
namespace {

// True if every element has the bits of the first one.
bool IsSplat(const Literal& literal) {
  const size_t element_bytes = static_cast<size_t>(StorageBytes(literal.shape().element_type()));
  const absl::Span<const uint8_t> bytes = literal.bytes();
  return literal.StoredElementCount() == literal.shape().ElementCount() && bytes.size() >= 2 * element_bytes &&
         std::memcmp(bytes.data(), bytes.data() + element_bytes, bytes.size() - element_bytes) == 0;
}

absl::StatusOr<Value> LiteralValue(const Literal& literal) {
  if (!literal.shape().IsArray() || literal.IsElided() || !IsSplat(literal)) return Value::FromLiteral(literal);
  // One element that repeats itself.
  const ElementType type = literal.shape().element_type();
  absl::StatusOr<Tensor> element = Tensor::Allocate(type, {});
  if (!element.ok()) return element.status();
  std::memcpy(element->mutable_data(), literal.bytes().data(), static_cast<size_t>(StorageBytes(type)));
  const DimensionVector strides(static_cast<size_t>(literal.shape().rank()), 0);
  return Value(element->View(literal.shape().dimensions(), strides, 0));
}

absl::StatusOr<Value> EvaluateConstant(const KernelContext& context) {
  const auto named = [&](const absl::Status& status) {
    return absl::Status(status.code(),
                        absl::StrCat("constant ", context.module.InstructionName(context.id), ": ", status.message()));
  };
  if (!context.module.instruction(context.id).literal.has_value()) {
    return named(absl::FailedPreconditionError("its value could not be read"));
  }
  absl::StatusOr<Value> value = LiteralValue(context.module.literal(context.id));
  if (!value.ok()) return named(value.status());
  return value;
}

// One row of numbers 0, 1, 2 ... that repeats itself along all other dimensions.
absl::StatusOr<Value> EvaluateIota(const KernelContext& context) {
  const Shape& shape = context.shape();
  const int64_t dimension = context.module.IntAttribute(context.id, AttributeKind::kIotaDimension);
  if (dimension < 0 || dimension >= shape.rank()) {
    return absl::InvalidArgumentError(
        absl::StrCat("iota: iota_dimension ", dimension, " out of range [0,", shape.rank(), ")"));
  }
  const int64_t size = shape.ElementCount() == 0 ? 0 : shape.dimension(dimension);
  if (size < 0) return absl::InvalidArgumentError(absl::StrCat("iota: unbounded shape ", shape.ToString()));
  absl::StatusOr<Tensor> row = Tensor::Allocate(shape.element_type(), {size});
  if (!row.ok()) return row.status();
  const LaneFunction convert = LaneFunction::Convert(ElementType::kS64, shape.element_type());
  absl::Status status =
      ParallelLoop(context.runtime, size, convert.nanoseconds_per_lane(), [&](int64_t begin, int64_t end) {
        constexpr int64_t kBlock = 512;
        int64_t numbers[kBlock];
        for (int64_t first = begin; first < end; first += kBlock) {
          const int64_t count = std::min(kBlock, end - first);
          for (int64_t i = 0; i < count; ++i) numbers[i] = first + i;
          const LaneOperand operand = {reinterpret_cast<const uint8_t*>(numbers), false};
          convert(&operand, row->mutable_data() + first * row->element_bytes(), count);
        }
      });
  if (!status.ok()) return status;
  DimensionVector strides(static_cast<size_t>(shape.rank()), 0);
  strides[static_cast<size_t>(dimension)] = 1;
  return Value(row->View(shape.dimensions(), strides, 0));
}

}  // namespace

absl::StatusOr<Value> EvaluateValueSource(const KernelContext& context) {
  switch (context.opcode()) {
    case Opcode::kConstant:
      return EvaluateConstant(context);
    case Opcode::kIota:
      return EvaluateIota(context);
    default:
      return absl::UnimplementedError(
          absl::StrCat(OpcodeName(context.opcode()), " has no value of its own: the caller gives it"));
  }
}

}  // namespace hloscope::evaluator
