// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/value.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

namespace hloscope::evaluator {

Value Value::Token() {
  Value value;
  value.kind_ = Kind::kToken;
  return value;
}

Value Value::Tuple(std::vector<Value> elements) {
  Value value;
  value.kind_ = Kind::kTuple;
  value.elements_ = std::make_shared<const std::vector<Value>>(std::move(elements));
  return value;
}

absl::StatusOr<Value> Value::FromLiteral(const Literal& literal) {
  if (literal.shape().IsToken()) return Token();
  if (!literal.shape().IsTuple()) {
    absl::StatusOr<Tensor> tensor = Tensor::FromLiteral(literal);
    if (!tensor.ok()) return tensor.status();
    return Value(*std::move(tensor));
  }
  if (literal.IsElided()) return absl::FailedPreconditionError("the text leaves the constant's value out: {...}");
  std::vector<Value> elements;
  elements.reserve(literal.elements().size());
  for (const Literal& element : literal.elements()) {
    absl::StatusOr<Value> value = FromLiteral(element);
    if (!value.ok()) return value;
    elements.push_back(*std::move(value));
  }
  return Tuple(std::move(elements));
}

int64_t Value::BufferBytes() const {
  absl::flat_hash_set<const Buffer*> seen;
  int64_t bytes = 0;
  ForEachTensor([&](const Tensor& tensor) {
    if (tensor.has_buffer() && seen.insert(tensor.buffer().get()).second) bytes += tensor.buffer()->size();
  });
  return bytes;
}

void Value::ForEachTensor(absl::FunctionRef<void(const Tensor&)> visit) const {
  if (IsTensor()) visit(tensor_);
  for (const Value& element : elements()) element.ForEachTensor(visit);
}

bool Value::BitwiseEqual(const Value& other) const {
  if (kind_ != other.kind_) return false;
  if (IsTensor()) return tensor_.BitwiseEqual(other.tensor_);
  if (elements().size() != other.elements().size()) return false;
  for (size_t i = 0; i < elements().size(); ++i) {
    if (!elements()[i].BitwiseEqual(other.elements()[i])) return false;
  }
  return true;
}

Shape ShapeOf(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNone:
      return Shape();
    case Value::Kind::kToken:
      return Shape::Token();
    case Value::Kind::kTensor:
      return value.tensor().shape();
    case Value::Kind::kTuple:
      break;
  }
  std::vector<Shape> elements;
  elements.reserve(value.elements().size());
  for (const Value& element : value.elements()) elements.push_back(ShapeOf(element));
  return Shape::Tuple(std::move(elements));
}

bool ValueFits(const Value& value, const Shape& shape) {
  if (shape.IsOpaque() || shape.IsBuffer()) return true;
  if (shape.IsToken()) return value.IsToken();
  if (shape.IsTuple()) {
    if (!value.IsTuple() || value.elements().size() != shape.elements().size()) return false;
    for (size_t i = 0; i < shape.elements().size(); ++i) {
      if (!ValueFits(value.elements()[i], shape.elements()[i])) return false;
    }
    return true;
  }
  if (!value.IsTensor() || value.tensor().element_type() != shape.element_type()) return false;
  const absl::Span<const int64_t> sizes = value.tensor().dimensions();
  if (static_cast<int64_t>(sizes.size()) != shape.rank()) return false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (shape.dimensions()[i] != kUnboundedSize && shape.dimensions()[i] != sizes[i]) return false;
  }
  return true;
}

absl::StatusOr<Literal> LiteralOf(const Value& value) {
  if (value.IsToken()) return Literal(Shape::Token());
  if (value.IsTensor()) {
    const absl::StatusOr<Tensor> dense = value.tensor().WithRunTimeSizes().Contiguous();
    if (!dense.ok()) return dense.status();
    Literal literal(dense->shape());
    literal.mutable_bytes().assign(dense->data(), dense->data() + dense->byte_size());
    return literal;
  }
  std::vector<Literal> elements;
  std::vector<Shape> shapes;
  for (const Value& element : value.elements()) {
    absl::StatusOr<Literal> literal = LiteralOf(element);
    if (!literal.ok()) return literal;
    shapes.push_back(literal->shape());
    elements.push_back(*std::move(literal));
  }
  return Literal::Tuple(Shape::Tuple(std::move(shapes)), std::move(elements));
}

absl::StatusOr<Value> ZeroValue(const Shape& shape) {
  if (shape.IsToken()) return Value::Token();
  if (shape.IsArray()) return Value::FromLiteral(Literal(shape));
  if (shape.IsBuffer()) return ZeroValue(shape.elements()[0]);
  if (!shape.IsTuple()) return absl::InvalidArgumentError(absl::StrCat("there is no zero of shape ", shape.ToString()));
  std::vector<Value> elements;
  elements.reserve(shape.elements().size());
  for (const Shape& element : shape.elements()) {
    absl::StatusOr<Value> zero = ZeroValue(element);
    if (!zero.ok()) return zero;
    elements.push_back(*std::move(zero));
  }
  return Value::Tuple(std::move(elements));
}

}  // namespace hloscope::evaluator
