// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/lane_source.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace hloscope::evaluator {
namespace {

template <typename T>
void GatherRow(const uint8_t* from, int64_t stride, uint8_t* to, int64_t count) {
  const T* x = reinterpret_cast<const T*>(from);
  T* y = reinterpret_cast<T*>(to);
  if (stride == 0) {
    std::fill_n(y, count, *x);
    return;
  }
  for (int64_t i = 0; i < count; ++i) y[i] = x[i * stride];
}

}  // namespace

void GatherStrided(const uint8_t* from, int64_t stride, uint8_t* to, int64_t count, int64_t element_bytes) {
  struct Pair {
    uint64_t low, high;
  };
  if (stride == 1) {
    std::memcpy(to, from, static_cast<size_t>(count * element_bytes));
    return;
  }
  switch (element_bytes) {
    case 1:
      return GatherRow<uint8_t>(from, stride, to, count);
    case 2:
      return GatherRow<uint16_t>(from, stride, to, count);
    case 4:
      return GatherRow<uint32_t>(from, stride, to, count);
    case 8:
      return GatherRow<uint64_t>(from, stride, to, count);
    case 16:
      return GatherRow<Pair>(from, stride, to, count);
    default:
      return;
  }
}

LaneSource::LaneSource(const Tensor& tensor, absl::Span<const int64_t> dimensions, absl::Span<const int64_t> strides)
    : data(tensor.data()), element_bytes(tensor.element_bytes()), plan(CollapseDimensions<1>(dimensions, {strides})) {
  const bool is_one_row = plan.dimensions.size() == 1;
  is_uniform = is_one_row && (plan.row_stride(0) == 0 || plan.row_size() == 1);
  is_dense = is_one_row && plan.row_stride(0) == 1;
}

const uint8_t* LaneSource::At(int64_t n) const {
  int64_t offset = 0;
  for (size_t d = plan.dimensions.size(); d-- > 0;) {
    offset += n % plan.dimensions[d] * plan.strides[0][d];
    n /= plan.dimensions[d];
  }
  return data + offset * element_bytes;
}

void LaneSource::Gather(int64_t begin, int64_t count, uint8_t* buffer) const {
  ForEachRow(plan, begin, begin + count, [&](const std::array<int64_t, 1>& offsets, int64_t row_count) {
    GatherStrided(data + offsets[0] * element_bytes, plan.row_stride(0), buffer, row_count, element_bytes);
    buffer += row_count * element_bytes;
  });
}

}  // namespace hloscope::evaluator
