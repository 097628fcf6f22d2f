// SPDX-License-Identifier: Apache-2.0
#include "numerics/elements/numeric.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hloscope::numerics {
namespace {

uint64_t WidthMask(ElementType type) {
  const int width = BitWidth(type);
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

int64_t SignExtend(uint64_t bits, int width) { return static_cast<int64_t>(bits << (64 - width)) >> (64 - width); }

// Truncated toward zero and saturated; NaN gives 0.
uint64_t SaturatedInteger(ElementType type, double value) {
  const int value_bits = IsSigned(type) ? BitWidth(type) - 1 : BitWidth(type);
  const double above = std::ldexp(1.0, value_bits);
  if (std::isnan(value)) return 0;
  if (value >= above) return value_bits == 64 ? ~uint64_t{0} : (uint64_t{1} << value_bits) - 1;
  if (!IsSigned(type)) return value <= 0 ? 0 : static_cast<uint64_t>(value);
  if (value <= -above) return ~uint64_t{0} << value_bits;
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

template <typename T>
T ReadAs(const uint8_t* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

}  // namespace

uint64_t ReadBits(ElementType type, const uint8_t* element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, static_cast<size_t>(std::min(StorageBytes(type), 8)));
  return bits & WidthMask(type);
}

void WriteBits(ElementType type, uint64_t bits, uint8_t* element) {
  bits &= WidthMask(type);
  if (IsSigned(type)) bits = static_cast<uint64_t>(SignExtend(bits, BitWidth(type)));
  std::memcpy(element, &bits, static_cast<size_t>(std::min(StorageBytes(type), 8)));
}

int64_t ReadInteger(ElementType type, const uint8_t* element) {
  const uint64_t bits = ReadBits(type, element);
  return IsSigned(type) ? SignExtend(bits, BitWidth(type)) : static_cast<int64_t>(bits);
}

double ReadReal(ElementType type, const uint8_t* element) {
  // What most tensors hold: without a detour through the bits of any type.
  if (type == ElementType::kF32) return ReadAs<float>(element);
  if (type == ElementType::kBF16) return Bf16ToFloat(ReadAs<uint16_t>(element));
  if (type == ElementType::kF16) return F16ToFloat(ReadAs<uint16_t>(element));
  if (IsFloat(type)) return DecodeFloat(type, ReadBits(type, element));
  if (type == ElementType::kU64) return static_cast<double>(ReadBits(type, element));
  return static_cast<double>(ReadInteger(type, element));
}

std::complex<double> ReadComplex(ElementType type, const uint8_t* element) {
  if (!IsComplex(type)) return ReadReal(type, element);
  const ElementType component = ComplexComponent(type);
  return {ReadReal(component, element), ReadReal(component, element + StorageBytes(component))};
}

void WriteInteger(ElementType type, int64_t value, uint8_t* element) {
  if (type == ElementType::kPred) {
    *element = value != 0;
  } else if (IsInteger(type)) {
    WriteBits(type, static_cast<uint64_t>(value), element);
  } else {
    WriteReal(type, static_cast<double>(value), element);
  }
}

void WriteReal(ElementType type, double value, uint8_t* element) {
  if (type == ElementType::kPred) {
    *element = value != 0;
  } else if (IsInteger(type)) {
    WriteBits(type, SaturatedInteger(type, value), element);
  } else if (IsComplex(type)) {
    const ElementType component = ComplexComponent(type);
    WriteReal(component, value, element);
    WriteReal(component, 0, element + StorageBytes(component));
  } else {
    WriteBits(type, EncodeFloat(type, value), element);
  }
}

}  // namespace hloscope::numerics
