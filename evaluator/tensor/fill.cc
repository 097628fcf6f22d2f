#include "evaluator/tensor/fill.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/tensor/numeric.h"

namespace hloscope {
namespace {

// Random integers stay below this, so that they are plausible as indices and sizes.
constexpr uint64_t kIntegerRange = 8;

// A mixer whose every output bit depends on every input bit (the finaliser of SplitMix64).
uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Uniform in [-1, 1): multiples of 2^-23, exact in f32 and wider.
double UniformReal(uint64_t bits) { return static_cast<double>(bits >> 40) * 0x1p-23 - 1.0; }

// Floats of a byte hold few integers exactly; iota starts again before it would be rounded.
int64_t IotaElement(ElementType type, int64_t index) {
  const ElementType component = ComplexComponent(type);
  if (type == ElementType::kPred) return index & 1;
  if (!IsFloat(component)) return index;
  const int exact_bits = FloatFormatOf(component).mantissa_bits + 1;
  return index & ((int64_t{1} << std::min(exact_bits, 53)) - 1);
}

void WriteRandom(ElementType type, uint64_t bits, uint8_t* element) {
  if (type == ElementType::kPred) {
    *element = static_cast<uint8_t>(bits >> 63);
  } else if (IsInteger(type)) {
    const int value_bits = BitWidth(type) - (IsSigned(type) ? 1 : 0);
    const uint64_t range = value_bits >= 3 ? kIntegerRange : uint64_t{1} << value_bits;
    WriteInteger(type, static_cast<int64_t>(bits % range), element);
  } else if (IsComplex(type)) {
    const ElementType component = ComplexComponent(type);
    WriteRandom(component, bits, element);
    WriteRandom(component, Mix(bits), element + StorageBytes(component));
  } else {
    // f8e8m0fnu has no zero and no negative numbers.
    const double value = UniformReal(bits);
    uint64_t code = EncodeFloat(type, FloatFormatOf(type).has_sign ? value : 0.75 + 0.25 * value);
    if (DecodeFloat(type, code) >= 1.0) --code;  // rounded up to the open end
    WriteBits(type, code, element);
  }
}

absl::StatusOr<Tensor> FillArray(const Shape& shape, FillKind kind, uint64_t key) {
  const ElementType type = shape.element_type();
  if (shape.HasUnboundedDimension()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no values can be made up for the unbounded shape ", shape.ToString(false)));
  }
  if (kind == FillKind::kZeros && type != ElementType::kF8E8M0FNU) return Tensor::Zeros(type, shape.dimensions());
  absl::StatusOr<Tensor> tensor = Tensor::Allocate(type, shape.dimensions());
  if (!tensor.ok()) return tensor;
  uint8_t* element = tensor->mutable_data();
  const int64_t count = tensor->element_count(), bytes = tensor->element_bytes();
  for (int64_t i = 0; i < count; ++i, element += bytes) {
    switch (kind) {
      case FillKind::kZeros:
        WriteReal(type, 0x1p-127, element);  // the closest f8e8m0fnu has to zero
        break;
      case FillKind::kOnes:
        WriteInteger(type, 1, element);
        break;
      case FillKind::kIota:
        WriteInteger(type, IotaElement(type, i), element);
        break;
      case FillKind::kRandom:
        WriteRandom(type, Mix(key ^ static_cast<uint64_t>(i)), element);
        break;
    }
  }
  return tensor;
}

// `leaf` counts the arrays made so far.
absl::StatusOr<Value> FillLeaves(const Shape& shape, FillKind kind, uint64_t parameter_key, uint64_t* leaf) {
  if (shape.IsToken()) return Value::Token();
  if (shape.IsArray()) {
    absl::StatusOr<Tensor> tensor = FillArray(shape, kind, Mix(parameter_key + (*leaf)++));
    if (!tensor.ok()) return tensor.status();
    return Value(*std::move(tensor));
  }
  if (!shape.IsTuple()) {
    return absl::InvalidArgumentError(absl::StrCat("no values can be made up for the shape ", shape.ToString(false)));
  }
  std::vector<Value> elements;
  elements.reserve(shape.elements().size());
  for (const Shape& element : shape.elements()) {
    absl::StatusOr<Value> value = FillLeaves(element, kind, parameter_key, leaf);
    if (!value.ok()) return value;
    elements.push_back(*std::move(value));
  }
  return Value::Tuple(std::move(elements));
}

}  // namespace

std::optional<FillKind> FillKindFromName(absl::string_view name) {
  if (name == "zeros") return FillKind::kZeros;
  if (name == "ones") return FillKind::kOnes;
  if (name == "iota") return FillKind::kIota;
  if (name == "random") return FillKind::kRandom;
  return std::nullopt;
}

absl::StatusOr<Value> FillValue(const Shape& shape, FillKind kind, uint64_t seed, int64_t parameter_number) {
  uint64_t leaf = 0;
  return FillLeaves(shape, kind, Mix(Mix(seed) + static_cast<uint64_t>(parameter_number)), &leaf);
}

}  // namespace hloscope
