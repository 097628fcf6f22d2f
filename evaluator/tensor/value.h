// SPDX-License-Identifier: Apache-2.0
// What an instruction produces: a tensor, a tuple of values, or a token.
#ifndef HLOSCOPE_EVALUATOR_TENSOR_VALUE_H_
#define HLOSCOPE_EVALUATOR_TENSOR_VALUE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// Cheap to copy: tensors share buffers, tuples share their elements.
class Value {
 public:
  enum class Kind : uint8_t { kNone, kTensor, kTuple, kToken };

  Value() = default;
  Value(Tensor tensor) : kind_(Kind::kTensor), tensor_(std::move(tensor)) {}  // NOLINT: meant to convert
  static Value Token();
  static Value Tuple(std::vector<Value> elements);
  // Error FailedPrecondition if any part is elided.
  static absl::StatusOr<Value> FromLiteral(const Literal& literal);

  Kind kind() const { return kind_; }
  bool has_value() const { return kind_ != Kind::kNone; }
  bool IsTensor() const { return kind_ == Kind::kTensor; }
  bool IsTuple() const { return kind_ == Kind::kTuple; }
  bool IsToken() const { return kind_ == Kind::kToken; }
  // Requires IsTensor().
  const Tensor& tensor() const { return tensor_; }
  // Elements of a tuple; empty otherwise.
  absl::Span<const Value> elements() const {
    return elements_ ? absl::Span<const Value>(*elements_) : absl::Span<const Value>();
  }

  // Bytes of the distinct buffers below this value.
  int64_t BufferBytes() const;
  // Tensors in depth-first order (tokens are left out).
  void ForEachTensor(absl::FunctionRef<void(const Tensor&)> visit) const;
  bool BitwiseEqual(const Value& other) const;

 private:
  Kind kind_ = Kind::kNone;
  Tensor tensor_;
  std::shared_ptr<const std::vector<Value>> elements_;
};

// The shape of a value, without layout. Sizes are those of the tensors' buffers (the bounds of dynamic dimensions).
Shape ShapeOf(const Value& value);

// True if a value may be where `shape` is declared: same structure, element types and sizes; `?` fits any size,
// opaque and buffer shapes anything.
bool ValueFits(const Value& value, const Shape& shape);

// The value as a literal. Dynamic dimensions have their run-time sizes. Errors: ResourceExhausted.
absl::StatusOr<Literal> LiteralOf(const Value& value);

// A value of `shape` that is all zero bits, without storage for its elements. Error InvalidArgument if a size is
// unbounded or too large.
absl::StatusOr<Value> ZeroValue(const Shape& shape);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_TENSOR_VALUE_H_
