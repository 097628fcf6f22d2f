#include "evaluator/tensor/fill.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "numerics/elements/numeric.h"

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

// After so many elements iota starts again: 0, 1 for pred, the integers that a float holds exactly.
int64_t IotaPeriod(ElementType type) {
  const ElementType component = ComplexComponent(type);
  if (type == ElementType::kPred) return 2;
  if (!IsFloat(component)) return std::numeric_limits<int64_t>::max();
  return int64_t{1} << std::min(FloatFormatOf(component).mantissa_bits + 1, 53);
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

template <typename T, typename Make>
void MakeElements(Tensor& tensor, uint64_t key, Make make) {
  T* const data = tensor.mutable_data_as<T>();
  const int64_t count = tensor.element_count();
  for (int64_t i = 0; i < count; ++i) data[i] = make(Mix(key ^ static_cast<uint64_t>(i)));
}

// As WriteRandom for every element, but fast for the types that models have most of.
void FillRandom(Tensor& tensor, uint64_t key) {
  const ElementType type = tensor.element_type();
  const auto real = [](uint64_t bits) { return static_cast<float>(bits >> 40) * 0x1p-23f - 1.0f; };
  // What was rounded up to 1 goes back.
  const auto narrow = [&real](auto round, uint16_t one) {
    return [=](uint64_t bits) {
      const uint16_t code = round(real(bits));
      return static_cast<uint16_t>(code == one ? one - 1 : code);
    };
  };
  switch (type) {
    case ElementType::kF64:
      return MakeElements<double>(tensor, key, [](uint64_t bits) { return UniformReal(bits); });
    case ElementType::kF32:
      return MakeElements<float>(tensor, key, real);
    case ElementType::kBF16:
      return MakeElements<uint16_t>(tensor, key, narrow([](float x) { return numerics::FloatToBf16(x); }, 0x3f80));
    case ElementType::kF16:
      return MakeElements<uint16_t>(tensor, key, narrow([](float x) { return numerics::FloatToF16(x); }, 0x3c00));
    case ElementType::kPred:
      return MakeElements<uint8_t>(tensor, key, [](uint64_t bits) { return static_cast<uint8_t>(bits >> 63); });
    case ElementType::kS32:
      return MakeElements<int32_t>(tensor, key,
                                   [](uint64_t bits) { return static_cast<int32_t>(bits % kIntegerRange); });
    case ElementType::kS64:
      return MakeElements<int64_t>(tensor, key,
                                   [](uint64_t bits) { return static_cast<int64_t>(bits % kIntegerRange); });
    default:
      break;
  }
  uint8_t* element = tensor.mutable_data();
  const int64_t count = tensor.element_count(), bytes = tensor.element_bytes();
  for (int64_t i = 0; i < count; ++i, element += bytes) {
    WriteRandom(type, Mix(key ^ static_cast<uint64_t>(i)), element);
  }
}

// Calls write(i, element) for the first `period` elements, which the others repeat.
template <typename Write>
void FillPeriodically(Tensor& tensor, int64_t period, Write write) {
  uint8_t* const data = tensor.mutable_data();
  const int64_t count = tensor.element_count(), bytes = tensor.element_bytes();
  int64_t done = std::min(count, period);
  for (int64_t i = 0; i < done; ++i) write(i, data + i * bytes);
  while (done < count) {
    const int64_t step = std::min(done, count - done);
    std::memcpy(data + done * bytes, data, static_cast<size_t>(step * bytes));
    done += step;
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
  switch (kind) {
    case FillKind::kZeros:
      // The closest f8e8m0fnu has to zero.
      FillPeriodically(*tensor, 1, [&](int64_t, uint8_t* element) { WriteReal(type, 0x1p-127, element); });
      break;
    case FillKind::kOnes:
      FillPeriodically(*tensor, 1, [&](int64_t, uint8_t* element) { WriteInteger(type, 1, element); });
      break;
    case FillKind::kIota:
      FillPeriodically(*tensor, IotaPeriod(type), [&](int64_t i, uint8_t* element) { WriteInteger(type, i, element); });
      break;
    case FillKind::kRandom:
      FillRandom(*tensor, key);
      break;
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
