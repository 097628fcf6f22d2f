// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/non_finite.h"

#include <array>
#include <cmath>

#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

// In IEEE formats a magnitude above that of infinity is a NaN.
template <typename Bits>
void ScanIeee(const uint8_t* data, int64_t count, Bits magnitude_mask, Bits infinity, NonFinite* found) {
  const Bits* bits = reinterpret_cast<const Bits*>(data);
  bool nan = false, inf = false;
  for (int64_t i = 0; i < count; ++i) {
    const Bits magnitude = bits[i] & magnitude_mask;
    nan |= magnitude > infinity;
    inf |= magnitude == infinity;
  }
  found->nan |= nan;
  found->infinity |= inf;
}

void ScanByTable(ElementType type, const uint8_t* data, int64_t count, NonFinite* found) {
  std::array<bool, 256> seen{};
  for (int64_t i = 0; i < count; ++i) seen[data[i]] = true;
  for (size_t code = 0; code < seen.size(); ++code) {
    if (!seen[code]) continue;
    const double value = DecodeFloat(type, code);
    found->nan |= std::isnan(value);
    found->infinity |= std::isinf(value);
  }
}

// The distinct elements of a view in any order: dimensions that repeat are looked at once.
Tensor WithoutRepetition(const Tensor& tensor) {
  DimensionVector dimensions(tensor.dimensions().begin(), tensor.dimensions().end());
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (tensor.strides()[i] == 0 && dimensions[i] > 1) dimensions[i] = 1;
  }
  return tensor.View(dimensions, tensor.strides(), 0);
}

void Scan(const Tensor& tensor, NonFinite* found) {
  const ElementType type = ComplexComponent(tensor.element_type());
  if (!IsFloat(type) || tensor.element_count() == 0) return;
  const absl::StatusOr<Tensor> dense = WithoutRepetition(tensor).Contiguous();
  if (!dense.ok()) return;
  const int64_t count = dense->byte_size() / StorageBytes(type);
  switch (type) {
    case ElementType::kBF16:
      return ScanIeee<uint16_t>(dense->data(), count, 0x7fff, 0x7f80, found);
    case ElementType::kF16:
      return ScanIeee<uint16_t>(dense->data(), count, 0x7fff, 0x7c00, found);
    case ElementType::kF32:
      return ScanIeee<uint32_t>(dense->data(), count, 0x7fffffff, 0x7f800000, found);
    case ElementType::kF64:
      return ScanIeee<uint64_t>(dense->data(), count, 0x7fffffffffffffff, 0x7ff0000000000000, found);
    default:
      return ScanByTable(type, dense->data(), count, found);
  }
}

}  // namespace

NonFinite FindNonFinite(const Value& value) {
  NonFinite found;
  value.ForEachTensor([&](const Tensor& tensor) { Scan(tensor, &found); });
  return found;
}

}  // namespace hloscope::evaluator
