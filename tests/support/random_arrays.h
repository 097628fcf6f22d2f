// SPDX-License-Identifier: Apache-2.0
// Random operands of kernels.
#ifndef HLOSCOPE_TESTS_SUPPORT_RANDOM_ARRAYS_H_
#define HLOSCOPE_TESTS_SUPPORT_RANDOM_ARRAYS_H_

#include <cstdint>
#include <random>
#include <vector>

#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/tensor/tensor.h"
#include "tests/support/kernel_test_support.h"

namespace hloscope::evaluator {

class RandomArrays {
 protected:
  int64_t Random(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  // Small integers: sums are exact in every type, whatever their order. The tensor is a view: permuted, or not dense.
  Tensor RandomTensor(ElementType type, const DimensionVector& sizes) {
    DimensionVector padded = sizes;
    for (int64_t& size : padded) size += Random(0, 1);
    int64_t count = 1;
    for (int64_t size : padded) count *= size;
    std::vector<double> values(static_cast<size_t>(count));
    for (double& value : values) value = static_cast<double>(Random(IsUnsigned(type) ? 0 : -4, 4));
    const Tensor dense =
        *ConvertElements(*Tensor::FromValues<double>(ElementType::kF64, padded, values), type, runtime_);
    return dense.View(sizes, dense.strides(), 0);
  }
  DimensionVector RandomSizes(int64_t rank, int64_t low, int64_t high) {
    DimensionVector sizes;
    for (int64_t d = 0; d < rank; ++d) sizes.push_back(Random(low, high));
    return sizes;
  }

  std::mt19937 random_{20240607};
  SerialRuntime runtime_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_TESTS_SUPPORT_RANDOM_ARRAYS_H_
