// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/indexing/index_values.h"

#include <array>
#include <cstring>
#include <limits>

#include "evaluator/kernels/indexing/strided_iteration.h"

namespace hloscope::evaluator {
namespace {

template <typename T>
T Load(const uint8_t* element) {
  T value;
  std::memcpy(&value, element, sizeof(T));
  return value;
}

}  // namespace

int64_t ReadIndex(const uint8_t* element, ElementType type) {
  const bool is_signed = IsSigned(type);
  switch (StorageBytes(type)) {
    case 1:
      return is_signed ? int64_t{Load<int8_t>(element)} : int64_t{*element};
    case 2:
      return is_signed ? int64_t{Load<int16_t>(element)} : int64_t{Load<uint16_t>(element)};
    case 4:
      return is_signed ? int64_t{Load<int32_t>(element)} : int64_t{Load<uint32_t>(element)};
    default:
      break;
  }
  const int64_t value = Load<int64_t>(element);
  return value < 0 && !is_signed ? std::numeric_limits<int64_t>::max() : value;
}

std::vector<int64_t> ReadIndices(const Tensor& tensor) {
  std::vector<int64_t> values;
  if (tensor.element_count() == 0) return values;
  values.reserve(static_cast<size_t>(tensor.element_count()));
  const StridedPlan<1> plan = CollapseDimensions<1>(tensor.dimensions(), {tensor.strides()});
  const int64_t bytes = tensor.element_bytes();
  ForEachRow(plan, 0, plan.element_count(), [&](const std::array<int64_t, 1>& offsets, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t offset = offsets[0] + i * plan.row_stride(0);
      values.push_back(ReadIndex(tensor.data() + offset * bytes, tensor.element_type()));
    }
  });
  return values;
}

}  // namespace hloscope::evaluator
