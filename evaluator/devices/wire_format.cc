// SPDX-License-Identifier: Apache-2.0
#include "evaluator/devices/wire_format.h"

#include <utility>

namespace hloscope::evaluator {
namespace {

// Deeper than any tuple that the reader of texts accepts.
constexpr int kMostDepth = 1000;

}  // namespace

void WireWriter::Form(const Value& value, std::vector<Tensor>* tensors) {
  Int(static_cast<int64_t>(value.kind()));
  if (value.IsTuple()) {
    Int(static_cast<int64_t>(value.elements().size()));
    for (const Value& element : value.elements()) Form(element, tensors);
  } else if (value.IsTensor()) {
    const Tensor& tensor = value.tensor();
    Int(static_cast<int64_t>(tensor.element_type()));
    Ints(tensor.dimensions());
    Ints(tensor.dynamic_sizes());
    tensors->push_back(tensor);
  }
}

int64_t WireReader::Int() {
  int64_t value = 0;
  if (bytes_.size() < sizeof(value)) {
    is_good_ = false;
    bytes_ = {};
    return 0;
  }
  std::memcpy(&value, bytes_.data(), sizeof(value));
  bytes_.remove_prefix(sizeof(value));
  return value;
}

int64_t WireReader::Count(int64_t least_bytes) {
  const int64_t count = Int();
  if (count >= 0 && count <= static_cast<int64_t>(bytes_.size()) / least_bytes) return count;
  is_good_ = false;
  return 0;
}

std::string WireReader::Text() {
  const size_t size = static_cast<size_t>(Count(1));
  std::string text(bytes_.substr(0, size));
  bytes_.remove_prefix(size);
  return text;
}

std::vector<int64_t> WireReader::Ints() {
  std::vector<int64_t> values(static_cast<size_t>(Count(sizeof(int64_t))));
  for (int64_t& value : values) value = Int();
  return values;
}

absl::StatusOr<Value> WireReader::Form(std::vector<Tensor>* tensors, int depth) {
  const auto malformed = absl::InvalidArgumentError("a message of another process cannot be read");
  const auto kind = static_cast<Value::Kind>(Int());
  if (!is_good_ || depth > kMostDepth) return malformed;
  switch (kind) {
    case Value::Kind::kNone:
      return Value();
    case Value::Kind::kToken:
      return Value::Token();
    case Value::Kind::kTuple: {
      std::vector<Value> elements(static_cast<size_t>(Count(sizeof(int64_t))));
      for (Value& element : elements) {
        absl::StatusOr<Value> read = Form(tensors, depth + 1);
        if (!read.ok()) return read;
        element = *std::move(read);
      }
      return Value::Tuple(std::move(elements));
    }
    case Value::Kind::kTensor: {
      const auto type = static_cast<ElementType>(Int());
      const std::vector<int64_t> dimensions = Ints(), dynamic = Ints();
      if (!is_good_ || !IsArrayElement(type)) return malformed;
      absl::StatusOr<Tensor> tensor = Tensor::Allocate(type, dimensions);
      if (!tensor.ok()) return tensor.status();
      if (!dynamic.empty()) tensor->set_dynamic_sizes(DimensionVector(dynamic.begin(), dynamic.end()));
      tensors->push_back(*tensor);
      return Value(*std::move(tensor));
    }
  }
  return malformed;
}

}  // namespace hloscope::evaluator
