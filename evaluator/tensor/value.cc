#include "evaluator/tensor/value.h"

#include "absl/container/flat_hash_set.h"

namespace hloscope {

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

}  // namespace hloscope
