// SPDX-License-Identifier: Apache-2.0
// Tensors as the loops of convolutions see them.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_STRIDED_ARRAY_H_
#define HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_STRIDED_ARRAY_H_

#include "evaluator/tensor/tensor.h"
#include "numerics/convolution/convolution.h"

namespace hloscope::evaluator {

// The tensor must outlive the view.
inline numerics::StridedArray ArrayOf(const Tensor& tensor) {
  return {tensor.element_type(),
          tensor.data(),
          {tensor.dimensions().begin(), tensor.dimensions().end()},
          {tensor.strides().begin(), tensor.strides().end()}};
}

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_STRIDED_ARRAY_H_
