// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/data_movement/bitcast.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "core/layout/byte_size.h"
#include "core/layout/physical_layout.h"

namespace hloscope::evaluator {
namespace {

// Dimensions from the slowest to the fastest varying one.
DimensionVector MajorToMinor(const Shape& shape) {
  DimensionVector order;
  if (shape.has_layout() && static_cast<int64_t>(shape.layout().minor_to_major.size()) == shape.rank()) {
    order.assign(shape.layout().minor_to_major.rbegin(), shape.layout().minor_to_major.rend());
  } else {
    for (int64_t d = 0; d < shape.rank(); ++d) order.push_back(d);
  }
  return order;
}

DimensionVector SizesOf(const Shape& shape) {
  return DimensionVector(shape.dimensions().begin(), shape.dimensions().end());
}

// True if the elements of both arrays take as many bytes, but their tiles are padded to different sizes. No memory is
// both then: elements keep their places in the order of the layouts, as verification counts them (docs/ops/control.md
// V211).
bool PaddingDiffers(const Shape& operand, const Shape& result) {
  if (operand.ElementCount() * ElementBits(operand) != result.ElementCount() * ElementBits(result)) return false;
  const absl::StatusOr<PhysicalLayout> from = PhysicalLayout::Of(operand), to = PhysicalLayout::Of(result);
  return from.ok() && to.ok() && from->piece_count() == 1 && to->piece_count() == 1 &&
         from->physical_bytes() != to->physical_bytes();
}

bool IsTiled(const Shape& shape) { return shape.has_layout() && !shape.layout().tiles.empty(); }

// Whether arrays here hold elements of the type as memory with `bits` for each does; narrow ones but for the packing.
bool IsStoredAs(ElementType type, int64_t bits) {
  return bits < 8 ? StorageBytes(type) == 1 : StorageBytes(type) * 8 == bits;
}

// Elements of `bits` < 8 bits, one a byte, joined to full bytes, the first one in the low bits; and back.
absl::StatusOr<Tensor> Packed(const Tensor& elements, int64_t bits) {
  const int64_t per_byte = 8 / bits, count = elements.element_count();
  absl::StatusOr<Tensor> packed = Tensor::Zeros(ElementType::kU8, {(count + per_byte - 1) / per_byte});
  if (!packed.ok()) return packed;
  uint8_t* const bytes = packed->mutable_data();
  const unsigned mask = (1u << bits) - 1;
  for (int64_t i = 0; i < count; ++i) {
    const unsigned value = elements.data()[i] & mask;
    bytes[i / per_byte] = static_cast<uint8_t>(bytes[i / per_byte] | value << (i % per_byte * bits));
  }
  return packed;
}
absl::StatusOr<Tensor> Unpacked(const Tensor& bytes, ElementType type, int64_t bits, int64_t count) {
  const int64_t per_byte = 8 / bits;
  absl::StatusOr<Tensor> elements = Tensor::Allocate(type, {count});
  if (!elements.ok()) return elements;
  uint8_t* const values = elements->mutable_data();
  const unsigned mask = (1u << bits) - 1, sign = 1u << (bits - 1);
  for (int64_t i = 0; i < count; ++i) {
    const unsigned value = static_cast<unsigned>(bytes.data()[i / per_byte]) >> (i % per_byte * bits) & mask;
    values[i] = static_cast<uint8_t>(IsSigned(type) ? (value ^ sign) - sign : value);
  }
  return elements;
}

// One element and the memory of an array: `bits` at `address` * bits from `bytes` on. `size` bytes hold the element by
// itself.
void Store(const uint8_t* element, size_t size, int64_t bits, int64_t address, uint8_t* bytes) {
  const uint64_t bit = static_cast<uint64_t>(address) * static_cast<uint64_t>(bits);
  if (bits >= 8) {
    std::memcpy(bytes + bit / 8, element, std::min(size, static_cast<size_t>(bits / 8)));
    return;
  }
  for (int64_t b = 0; b < bits; ++b) {
    const uint64_t at = bit + static_cast<uint64_t>(b);
    bytes[at / 8] = static_cast<uint8_t>(bytes[at / 8] | (*element >> b & 1) << at % 8);
  }
}
void Load(const uint8_t* bytes, int64_t bits, int64_t address, bool is_signed, uint8_t* element, size_t size) {
  const uint64_t bit = static_cast<uint64_t>(address) * static_cast<uint64_t>(bits);
  if (bits >= 8) {
    std::memcpy(element, bytes + bit / 8, std::min(size, static_cast<size_t>(bits / 8)));
    return;
  }
  unsigned value = 0;
  for (int64_t b = 0; b < bits; ++b) {
    const uint64_t at = bit + static_cast<uint64_t>(b);
    value |= (static_cast<unsigned>(bytes[at / 8]) >> at % 8 & 1u) << b;
  }
  const unsigned sign = 1u << (bits - 1);
  *element = static_cast<uint8_t>(is_signed ? (value ^ sign) - sign : value);
}

// Writes the operand into memory as its layout says and reads the result from there. Padding is zero, which is as good
// as anything.
absl::StatusOr<Tensor> BitcastTiled(const Tensor& operand, const Shape& operand_shape, const Shape& result_shape) {
  const absl::StatusOr<PhysicalLayout> from = PhysicalLayout::Of(operand_shape), to = PhysicalLayout::Of(result_shape);
  for (const auto* layout : {&from, &to}) {
    if (!layout->ok()) return absl::InvalidArgumentError(absl::StrCat("bitcast: ", layout->status().message()));
  }
  if (operand.element_count() != from->element_count()) {
    return absl::InvalidArgumentError("bitcast: an operand in this layout must have the sizes that its shape declares");
  }
  if (from->piece_count() > 1 || to->piece_count() > 1) {
    return absl::UnimplementedError("bitcast: arrays that are split between memories cannot be evaluated");
  }
  if (to->data_extent_bytes() > from->physical_bytes()) {
    return absl::InvalidArgumentError(absl::StrCat("bitcast: the result ", result_shape.ToString(), " takes ",
                                                   to->data_extent_bytes(), " bytes, the operand ",
                                                   operand_shape.ToString(), " only ", from->physical_bytes()));
  }
  absl::StatusOr<Tensor> elements = operand.Contiguous();
  if (!elements.ok()) return elements;
  absl::StatusOr<Tensor> memory =
      Tensor::Zeros(ElementType::kU8, {std::max(from->physical_bytes(), to->physical_bytes())});
  if (!memory.ok()) return memory;
  absl::StatusOr<Tensor> result = Tensor::Zeros(result_shape.element_type(), SizesOf(result_shape));
  if (!result.ok()) return result;
  uint8_t* const bytes = memory->mutable_data();
  const size_t from_size = static_cast<size_t>(operand.element_bytes());
  if (operand.element_count() > 0) {
    DimensionVector index(static_cast<size_t>(operand_shape.rank()), 0);
    const uint8_t* element = elements->data();
    do {
      Store(element, from_size, from->element_bits(), from->AddressOf(index), bytes);
      element += from_size;
    } while (NextIndex(operand_shape.dimensions(), absl::MakeSpan(index)));
  }
  const size_t to_size = static_cast<size_t>(result->element_bytes());
  if (result->element_count() > 0) {
    DimensionVector index(static_cast<size_t>(result_shape.rank()), 0);
    uint8_t* element = result->mutable_data();
    do {
      Load(bytes, to->element_bits(), to->AddressOf(index), IsSigned(result_shape.element_type()), element, to_size);
      element += to_size;
    } while (NextIndex(result_shape.dimensions(), absl::MakeSpan(index)));
  }
  return result;
}

}  // namespace

absl::StatusOr<Tensor> Bitcast(const Tensor& operand, const Shape& operand_shape, const Shape& result_shape) {
  const ElementType type = result_shape.element_type();
  const int64_t from_bits = ElementBits(operand_shape), to_bits = ElementBits(result_shape);
  const bool same_elements = from_bits == to_bits && operand.element_bytes() == StorageBytes(type);
  if (IsTiled(operand_shape) || IsTiled(result_shape)) {
    const bool same_place = operand_shape.dimensions() == result_shape.dimensions() && operand_shape.has_layout() &&
                            result_shape.has_layout() && operand_shape.layout().tiles == result_shape.layout().tiles &&
                            operand_shape.layout().minor_to_major == result_shape.layout().minor_to_major;
    if (same_place && same_elements) return operand.WithElementType(type);
    if (!PaddingDiffers(operand_shape, result_shape)) return BitcastTiled(operand, operand_shape, result_shape);
  }
  // Elements of a width that the layout sets are not the bytes that are here.
  if (!same_elements && (!IsStoredAs(operand.element_type(), from_bits) || !IsStoredAs(type, to_bits))) {
    return BitcastTiled(operand, operand_shape, result_shape);
  }
  const int64_t result_count = result_shape.ElementCount();
  int64_t result_bits, operand_bits;
  if (__builtin_mul_overflow(result_count, to_bits, &result_bits) ||
      __builtin_mul_overflow(operand.element_count(), from_bits, &operand_bits) ||
      (result_bits + 7) / 8 > (operand_bits + 7) / 8) {
    return absl::InvalidArgumentError(absl::StrCat("bitcast: the result ", result_shape.ToString(),
                                                   " is larger than the operand ", operand_shape.ToString()));
  }

  // The operand's elements in the order in which they are in memory.
  DimensionVector sizes, strides;
  for (int64_t d : MajorToMinor(operand_shape)) {
    sizes.push_back(operand.dimension(d));
    strides.push_back(operand.strides()[static_cast<size_t>(d)]);
  }
  Tensor physical = operand.View(sizes, strides, 0);
  if (!same_elements || result_count != operand.element_count()) {
    absl::StatusOr<Tensor> dense = physical.Contiguous();
    if (!dense.ok()) return dense;
    physical = *dense;
    if (from_bits < 8 && from_bits != to_bits) {
      absl::StatusOr<Tensor> packed = Packed(physical, from_bits);
      if (!packed.ok()) return packed;
      physical = *packed;
    }
    if (to_bits < 8 && from_bits != to_bits) {
      absl::StatusOr<Tensor> unpacked = Unpacked(physical, type, to_bits, result_count);
      if (!unpacked.ok()) return unpacked;
      physical = *unpacked;
    }
    // The dense bytes are the elements of the result; the operand may have some to spare.
    physical = physical.WithElementType(type).View({result_count}, {1}, 0);
  }
  physical = physical.WithElementType(type);

  const DimensionVector order = MajorToMinor(result_shape);
  DimensionVector ordered_sizes;
  for (int64_t d : order) ordered_sizes.push_back(result_shape.dimension(d));
  absl::StatusOr<Tensor> ordered = physical.Reshape(ordered_sizes);
  if (!ordered.ok()) return ordered;
  DimensionVector result_sizes(order.size()), result_strides(order.size());
  for (size_t k = 0; k < order.size(); ++k) {
    result_sizes[static_cast<size_t>(order[k])] = ordered->dimensions()[k];
    result_strides[static_cast<size_t>(order[k])] = ordered->strides()[k];
  }
  return ordered->View(result_sizes, result_strides, 0);
}

}  // namespace hloscope::evaluator
