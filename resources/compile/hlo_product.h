// SPDX-License-Identifier: Apache-2.0
// Matrix products: the evaluator's loops (numerics/contraction/gemm.h).
#ifndef HLO_PRODUCT_H_
#define HLO_PRODUCT_H_

#include <cstdint>

#include "hlo_runtime.h"

namespace hlo {

// A batch of matrices: strides in elements. Along rows or columns the stride must be 1, or the size at most 1.
struct Matrices {
  const void* data;
  int64_t batch_stride, row_stride, column_stride;
};

// result[b] = lhs[b] * rhs[b], dense; elements are of the accumulator type `type`: f32, f64, c64, c128 or u64.
void MultiplyMatrices(ElementType type, int64_t batch, int64_t rows, int64_t columns, int64_t inner,
                      const Matrices& lhs, const Matrices& rhs, void* result);

// The same for operands and result of bf16; sums in f32.
void MultiplyBf16(int64_t batch, int64_t rows, int64_t columns, int64_t inner, const Matrices& lhs, const Matrices& rhs,
                  uint16_t* result);

}  // namespace hlo

#endif  // HLO_PRODUCT_H_
