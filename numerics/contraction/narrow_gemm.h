// SPDX-License-Identifier: Apache-2.0
// Matrix products of bf16 without widened copies of the operands.
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_NARROW_GEMM_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_NARROW_GEMM_H_

#include <cstdint>

#include "numerics/contraction/gemm.h"
#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// True if operands stay bf16: their products are exact in f32, in which they are summed.
inline bool IsBf16Product(ElementType lhs, ElementType rhs, ElementType result) {
  return lhs == ElementType::kBF16 && rhs == ElementType::kBF16 &&
         (result == ElementType::kBF16 || result == ElementType::kF32);
}

// As MultiplyMatrixBatch: operands and `result` of bf16, sums in f32, rounded once. Strides count elements. `sums`:
// room for those of one product, if SumsApart(batch, sizes) says so. Requires IsWorthPacking(sizes). Errors:
// kCancelled, kNoMemory.
Outcome MultiplyBf16Batch(int64_t batch, const GemmSizes& sizes, const MatrixView& lhs, int64_t lhs_batch_stride,
                          const MatrixView& rhs, int64_t rhs_batch_stride, float* sums, uint16_t* result,
                          Executor& executor);
bool SumsApart(int64_t batch, const GemmSizes& sizes);
// The same with a result of f32: the sums.
Outcome MultiplyBf16Batch(int64_t batch, const GemmSizes& sizes, const MatrixView& lhs, int64_t lhs_batch_stride,
                          const MatrixView& rhs, int64_t rhs_batch_stride, float* result, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_NARROW_GEMM_H_
