// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/fill.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "numerics/elements/numeric.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::evaluator {
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

// The sum of twelve numbers of 16 bits each, with the mean 0 and the variance 1.
double NormalReal(uint64_t bits) {
  uint64_t sum = 0;
  for (int word = 0; word < 3; ++word, bits = Mix(bits)) {
    for (int part = 0; part < 4; ++part) sum += (bits >> (16 * part)) & 0xffff;
  }
  return static_cast<double>(sum) * 0x1p-16 - 6.0;
}

// After so many elements iota starts again: 0, 1 for pred, the integers that a float holds exactly.
int64_t IotaPeriod(ElementType type) {
  const ElementType component = ComplexComponent(type);
  if (type == ElementType::kPred) return 2;
  if (!IsFloat(component)) return std::numeric_limits<int64_t>::max();
  return int64_t{1} << std::min(FloatFormatOf(component).mantissa_bits + 1, 53);
}

// The integers of a rule: `count` of them from `first` on, as far as the type has them.
struct IntegerRange {
  int64_t first = 0;
  uint64_t count = 1;
};

IntegerRange RangeOf(ElementType type, const FillRule& rule) {
  const int value_bits = BitWidth(type) - (IsSigned(type) ? 1 : 0);
  // Bits that a range needs at most, and that f64 counts exactly.
  const double largest = std::ldexp(1.0, std::min(value_bits, 53)) - 1;
  double low = 0, high = static_cast<double>(kIntegerRange);
  if (rule.kind == FillKind::kPositive) low = 1;
  if (rule.kind == FillKind::kUniform) {
    low = std::ceil(rule.low);
    high = std::max(std::ceil(rule.high), low + 1);
  }
  low = std::clamp(low, IsSigned(type) ? -largest - 1 : 0.0, largest);
  high = std::clamp(high, low + 1, largest + 1);
  return {static_cast<int64_t>(low), static_cast<uint64_t>(high - low)};
}

// A finite float of the rule.
double RealOf(const FillRule& rule, uint64_t bits) {
  switch (rule.kind) {
    case FillKind::kNormal:
      return NormalReal(bits);
    case FillKind::kPositive:
      return 1.0 + 0.5 * UniformReal(bits);
    case FillKind::kUniform:
      return rule.low + (rule.high - rule.low) * (0.5 + 0.5 * UniformReal(bits));
    case FillKind::kZeros:
    case FillKind::kOnes:
    case FillKind::kIota:
    case FillKind::kRandom:
      break;
  }
  return UniformReal(bits);
}

void WriteFloat(ElementType type, const FillRule& rule, uint64_t bits, uint8_t* element) {
  // f8e8m0fnu has no zero and no negative numbers.
  const double real = RealOf(rule, bits);
  const double value = FloatFormatOf(type).has_sign     ? real
                       : rule.kind == FillKind::kRandom ? 0.75 + 0.25 * real
                                                        : std::max(std::abs(real), 0x1p-127);
  uint64_t code = EncodeFloat(type, value);
  // What was rounded up to the open end goes back.
  const double end = rule.kind == FillKind::kUniform ? rule.high : 1.0;
  const bool is_open = rule.kind == FillKind::kUniform ? end > 0 && rule.high - rule.low > 0x1p-20 * end
                                                       : rule.kind == FillKind::kRandom;
  if (is_open && code > 0 && DecodeFloat(type, code) >= end) --code;
  WriteBits(type, code, element);
}

void WriteRandom(ElementType type, const FillRule& rule, const IntegerRange& range, uint64_t bits, uint8_t* element) {
  if (type == ElementType::kPred) {
    const bool always = rule.kind == FillKind::kPositive;
    *element = always ? 1 : static_cast<uint8_t>(bits >> 63);
  } else if (IsInteger(type)) {
    WriteInteger(type, range.first + static_cast<int64_t>(bits % range.count), element);
  } else if (IsComplex(type)) {
    const ElementType component = ComplexComponent(type);
    WriteFloat(component, rule, bits, element);
    WriteFloat(component, rule, Mix(bits), element + StorageBytes(component));
  } else {
    WriteFloat(type, rule, bits, element);
  }
}

// Calls body(begin, end) for parts of [0, count).
template <typename Body>
absl::Status ForElements(numerics::Executor* executor, int64_t count, double nanoseconds, Body body) {
  if (executor == nullptr) {
    body(0, count);
    return absl::OkStatus();
  }
  if (numerics::ParallelLoop(*executor, count, nanoseconds, body).ok()) return absl::OkStatus();
  return absl::CancelledError("the run ended while values were made up");
}

template <typename T, typename Make>
absl::Status MakeElements(Tensor& tensor, uint64_t key, numerics::Executor* executor, Make make) {
  T* const data = tensor.mutable_data_as<T>();
  return ForElements(executor, tensor.element_count(), 2.0, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) data[i] = make(Mix(key ^ static_cast<uint64_t>(i)));
  });
}

// The uniform [-1, 1) of kRandom, fast for the types that models have most of; false if the type is none of them.
absl::StatusOr<bool> FillUsualRandom(Tensor& tensor, uint64_t key, numerics::Executor* executor) {
  const auto real = [](uint64_t bits) { return static_cast<float>(bits >> 40) * 0x1p-23f - 1.0f; };
  // What was rounded up to 1 goes back.
  const auto narrow = [&real](auto round, uint16_t one) {
    return [=](uint64_t bits) {
      const uint16_t code = round(real(bits));
      return static_cast<uint16_t>(code == one ? one - 1 : code);
    };
  };
  const auto integer = [](uint64_t bits) { return bits % kIntegerRange; };
  absl::Status status;
  switch (tensor.element_type()) {
    case ElementType::kF64:
      status = MakeElements<double>(tensor, key, executor, [](uint64_t bits) { return UniformReal(bits); });
      break;
    case ElementType::kF32:
      status = MakeElements<float>(tensor, key, executor, real);
      break;
    case ElementType::kBF16:
      status = MakeElements<uint16_t>(tensor, key, executor,
                                      narrow([](float x) { return numerics::FloatToBf16(x); }, 0x3f80));
      break;
    case ElementType::kF16:
      status = MakeElements<uint16_t>(tensor, key, executor,
                                      narrow([](float x) { return numerics::FloatToF16(x); }, 0x3c00));
      break;
    case ElementType::kPred:
      status =
          MakeElements<uint8_t>(tensor, key, executor, [](uint64_t bits) { return static_cast<uint8_t>(bits >> 63); });
      break;
    case ElementType::kS32:
      status = MakeElements<int32_t>(tensor, key, executor,
                                     [&](uint64_t bits) { return static_cast<int32_t>(integer(bits)); });
      break;
    case ElementType::kS64:
      status = MakeElements<int64_t>(tensor, key, executor,
                                     [&](uint64_t bits) { return static_cast<int64_t>(integer(bits)); });
      break;
    default:
      return false;
  }
  if (!status.ok()) return status;
  return true;
}

absl::Status FillRandom(Tensor& tensor, const FillRule& rule, uint64_t key, numerics::Executor* executor) {
  const ElementType type = tensor.element_type();
  if (rule.kind == FillKind::kRandom) {
    const absl::StatusOr<bool> filled = FillUsualRandom(tensor, key, executor);
    if (!filled.ok() || *filled) return filled.status();
  }
  uint8_t* const data = tensor.mutable_data();
  const int64_t bytes = tensor.element_bytes();
  const IntegerRange range = IsInteger(type) ? RangeOf(type, rule) : IntegerRange();
  return ForElements(executor, tensor.element_count(), 20.0, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      WriteRandom(type, rule, range, Mix(key ^ static_cast<uint64_t>(i)), data + i * bytes);
    }
  });
}

// Calls write(i, element) for the first `period` elements, which the others repeat.
template <typename Write>
absl::Status FillPeriodically(Tensor& tensor, int64_t period, numerics::Executor* executor, Write write) {
  uint8_t* const data = tensor.mutable_data();
  const int64_t bytes = tensor.element_bytes();
  return ForElements(executor, tensor.element_count(), 10.0, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) write(i % period, data + i * bytes);
  });
}

absl::StatusOr<Tensor> FillArray(const Shape& shape, const FillRule& rule, uint64_t key, numerics::Executor* executor) {
  const ElementType type = shape.element_type();
  if (shape.HasUnboundedDimension()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no values can be made up for the unbounded shape ", shape.ToString(false)));
  }
  absl::StatusOr<Tensor> tensor = Tensor::Allocate(type, shape.dimensions());
  if (!tensor.ok()) return tensor;
  absl::Status status;
  switch (rule.kind) {
    case FillKind::kZeros:
      if (type == ElementType::kF8E8M0FNU) {
        // The closest that it has to zero.
        status = FillPeriodically(*tensor, 1, executor,
                                  [&](int64_t, uint8_t* element) { WriteReal(type, 0x1p-127, element); });
        break;
      }
      status = ForElements(executor, tensor->byte_size(), 0.1, [&](int64_t begin, int64_t end) {
        std::memset(tensor->mutable_data() + begin, 0, static_cast<size_t>(end - begin));
      });
      break;
    case FillKind::kOnes:
      status =
          FillPeriodically(*tensor, 1, executor, [&](int64_t, uint8_t* element) { WriteInteger(type, 1, element); });
      break;
    case FillKind::kIota:
      status = FillPeriodically(*tensor, IotaPeriod(type), executor,
                                [&](int64_t i, uint8_t* element) { WriteInteger(type, i, element); });
      break;
    case FillKind::kRandom:
    case FillKind::kNormal:
    case FillKind::kPositive:
    case FillKind::kUniform:
      status = FillRandom(*tensor, rule, key, executor);
  }
  if (!status.ok()) return status;
  return tensor;
}

// `leaf` counts the arrays made so far.
absl::StatusOr<Value> FillLeaves(const Shape& shape, const FillRule& rule, uint64_t parameter_key,
                                 numerics::Executor* executor, uint64_t* leaf) {
  if (shape.IsToken()) return Value::Token();
  if (shape.IsArray()) {
    absl::StatusOr<Tensor> tensor = FillArray(shape, rule, Mix(parameter_key + (*leaf)++), executor);
    if (!tensor.ok()) return tensor.status();
    return Value(*std::move(tensor));
  }
  if (!shape.IsTuple()) {
    return absl::InvalidArgumentError(absl::StrCat("no values can be made up for the shape ", shape.ToString(false)));
  }
  std::vector<Value> elements;
  elements.reserve(shape.elements().size());
  for (const Shape& element : shape.elements()) {
    absl::StatusOr<Value> value = FillLeaves(element, rule, parameter_key, executor, leaf);
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
  if (name == "normal") return FillKind::kNormal;
  if (name == "positive") return FillKind::kPositive;
  return std::nullopt;
}

std::optional<FillRule> FillRuleFromText(absl::string_view text) {
  if (const std::optional<FillKind> kind = FillKindFromName(text)) return FillRule(*kind);
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  double low, high;
  if (parts.size() != 3 || parts[0] != "uniform" || !absl::SimpleAtod(parts[1], &low) ||
      !absl::SimpleAtod(parts[2], &high) || !std::isfinite(low) || !std::isfinite(high - low) || !(low < high)) {
    return std::nullopt;
  }
  return FillRule::Uniform(low, high);
}

absl::StatusOr<Value> FillValue(const Shape& shape, const FillRule& rule, uint64_t seed, int64_t stream,
                                numerics::Executor* executor) {
  uint64_t leaf = 0;
  return FillLeaves(shape, rule, Mix(Mix(seed) + static_cast<uint64_t>(stream)), executor, &leaf);
}

}  // namespace hloscope::evaluator
