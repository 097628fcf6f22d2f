// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/indexing/memory_order.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hloscope::evaluator {

std::optional<DimensionVector> DenseOrder(const Tensor& tensor) {
  DimensionVector order(static_cast<size_t>(tensor.rank()));
  std::iota(order.begin(), order.end(), 0);
  if (tensor.IsContiguous()) return order;
  // Dimensions of size 1, whose strides mean nothing, may lie anywhere.
  const auto stride = [&](int64_t d) {
    return tensor.dimension(d) == 1 ? std::numeric_limits<int64_t>::max() : tensor.strides()[static_cast<size_t>(d)];
  };
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return stride(a) > stride(b); });
  if (!InOrder(tensor, order).IsContiguous()) return std::nullopt;
  return order;
}

Tensor InOrder(const Tensor& tensor, const DimensionVector& order) {
  DimensionVector sizes, strides;
  for (int64_t d : order) {
    sizes.push_back(tensor.dimension(d));
    strides.push_back(tensor.strides()[static_cast<size_t>(d)]);
  }
  return tensor.View(sizes, strides, 0);
}

Tensor BackInOrder(const Tensor& tensor, const DimensionVector& order) {
  DimensionVector inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return InOrder(tensor, inverse);
}

}  // namespace hloscope::evaluator
