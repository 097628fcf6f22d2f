// SPDX-License-Identifier: Apache-2.0
#include "core/layout/byte_size.h"

#include <limits>

#include "core/ir/checked_math.h"
#include "core/layout/physical_layout.h"

namespace hloscope {
namespace {

constexpr int64_t kOpaqueBytes = 8;

int64_t ArrayDataBytes(const Shape& shape) {
  const int64_t count = shape.ElementCount();
  if (count <= 0) return 0;
  const CheckedInt64 bits = CheckedInt64(count) * ElementBits(shape);
  return bits.ok() ? CeilDiv(bits.value(), 8) : std::numeric_limits<int64_t>::max();
}

int64_t ArrayPhysicalBytes(const Shape& shape) {
  if (!shape.has_layout() || shape.layout().HasOnlyMinorToMajor()) return ArrayDataBytes(shape);
  const absl::StatusOr<PhysicalLayout> physical = PhysicalLayout::Of(shape);
  return physical.ok() ? physical->physical_bytes() : ArrayDataBytes(shape);
}

// The sum over the leaves; iterative, since texts decide how deep tuples nest.
template <typename ArrayBytes>
int64_t SumOfLeaves(const Shape& shape, ArrayBytes array_bytes) {
  int64_t sum = 0;
  absl::InlinedVector<const Shape*, 8> open = {&shape};
  while (!open.empty()) {
    const Shape& top = *open.back();
    open.pop_back();
    int64_t bytes = 0;
    if (top.IsArray()) {
      bytes = array_bytes(top);
    } else if (top.IsOpaque()) {
      bytes = kOpaqueBytes;
    }
    sum = SaturatingSum(sum, bytes);
    for (const Shape& element : top.elements()) open.push_back(&element);
  }
  return sum;
}

}  // namespace

int64_t ElementBits(const Shape& shape) {
  if (!shape.IsArray()) return 0;
  if (shape.has_layout() && shape.layout().element_size_in_bits > 0) return shape.layout().element_size_in_bits;
  return int64_t{8} * StorageBytes(shape.element_type());
}

int64_t DataBytes(const Shape& shape) { return SumOfLeaves(shape, ArrayDataBytes); }

int64_t PhysicalBytes(const Shape& shape) { return SumOfLeaves(shape, ArrayPhysicalBytes); }

}  // namespace hloscope
