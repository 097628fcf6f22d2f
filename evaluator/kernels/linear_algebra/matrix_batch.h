// SPDX-License-Identifier: Apache-2.0
// Batches of dense matrices in the type they are computed in.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_MATRIX_BATCH_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_MATRIX_BATCH_H_

#include <complex>
#include <cstdint>
#include <type_traits>

#include "absl/status/statusor.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/tensor/tensor.h"
#include "numerics/linear_algebra/matrix_functions.h"

namespace hloscope::evaluator {

template <typename T>
constexpr ElementType MatrixElementType() {
  if constexpr (std::is_same_v<T, float>) return ElementType::kF32;
  if constexpr (std::is_same_v<T, double>) return ElementType::kF64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return ElementType::kC64;
  return ElementType::kC128;
}

// Calls `body` with a zero of the type in which matrices of `type` (FLOAT or COMPLEX) are computed.
template <typename Body>
auto VisitMatrixType(ElementType type, Body&& body) {
  switch (type) {
    case ElementType::kF64:
      return body(double{});
    case ElementType::kC64:
      return body(std::complex<float>());
    case ElementType::kC128:
      return body(std::complex<double>());
    default:
      return body(float{});
  }
}

// The elements as T, densely packed.
template <typename T>
absl::StatusOr<Tensor> DenseMatrices(const Tensor& matrices, KernelRuntime& runtime) {
  absl::StatusOr<Tensor> converted = ConvertElements(matrices, MatrixElementType<T>(), runtime);
  return converted.ok() ? DenseElements(*converted, runtime) : converted;
}

struct MatrixBatch {
  int64_t count = 1, rows = 0, columns = 0;
  int64_t size() const { return rows * columns; }
};
// Requires rank >= 2.
inline MatrixBatch MatrixBatchOf(const Tensor& matrices) {
  MatrixBatch batch;
  batch.rows = matrices.dimension(matrices.rank() - 2);
  batch.columns = matrices.dimension(matrices.rank() - 1);
  for (int64_t d = 0; d + 2 < matrices.rank(); ++d) batch.count *= matrices.dimension(d);
  return batch;
}

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_MATRIX_BATCH_H_
