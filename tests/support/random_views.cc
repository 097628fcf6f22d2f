// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_views.h"

#include <algorithm>
#include <vector>

#include "evaluator/kernels/lanes/lane_function.h"

namespace hloscope {

using evaluator::DimensionVector;
using evaluator::LaneFunction;
using evaluator::LaneOperand;
using evaluator::Tensor;

Tensor RandomTensor(ElementType type, absl::Span<const int64_t> dimensions, std::mt19937& random) {
  Tensor bits = *Tensor::Allocate(ElementType::kS32, dimensions);
  for (int64_t i = 0; i < bits.element_count(); ++i) {
    bits.mutable_data_as<int32_t>()[i] = static_cast<int32_t>(random() % 201) - 100;
  }
  Tensor result = *Tensor::Allocate(type, dimensions);
  const LaneOperand operand = {bits.data(), false};
  LaneFunction::Convert(ElementType::kS32, type)(&operand, result.mutable_data(), bits.element_count());
  return result;
}

Tensor RandomView(ElementType type, absl::Span<const int64_t> dimensions, std::mt19937& random) {
  std::vector<size_t> order(dimensions.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (random() % 2 == 0) std::shuffle(order.begin(), order.end(), random);
  DimensionVector strides(dimensions.size(), 0);
  int64_t stride = 1, offset = 0;
  for (size_t i = order.size(); i-- > 0;) {
    const size_t d = order[i];
    const int kind = static_cast<int>(random() % 6);
    if (kind == 0) continue;  // repeats
    if (kind == 1) stride *= 2;
    strides[d] = kind == 2 ? -stride : stride;
    if (kind == 2) offset += stride * (dimensions[d] - 1);
    stride *= dimensions[d];
  }
  return RandomTensor(type, {stride}, random).View(dimensions, strides, offset);
}

}  // namespace hloscope
