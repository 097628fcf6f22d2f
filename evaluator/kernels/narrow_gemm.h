// Matrix products of bf16 without widened copies of the operands.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_NARROW_GEMM_H_
#define HLOSCOPE_EVALUATOR_KERNELS_NARROW_GEMM_H_

#include <cstdint>

#include "absl/status/status.h"
#include "evaluator/kernels/gemm.h"
#include "evaluator/kernels/kernel.h"

namespace hloscope {

// As MultiplyMatrixBatch: operands of bf16, `result` of f32, sums in f32. Strides count elements. `lhs_safe` and
// `rhs_safe`: IsSafeForPairs. Errors: Cancelled.
absl::Status MultiplyBf16Batch(int64_t batch, const GemmSizes& sizes, const MatrixView& lhs, int64_t lhs_batch_stride,
                               const MatrixView& rhs, int64_t rhs_batch_stride, bool safe_for_pairs, float* result,
                               KernelRuntime& runtime);

// True if no product or sum of such numbers can be subnormal, which the fastest loop would take for zero: all are zero
// or at least 2^-50 in size, so products are multiples of 2^-114.
bool IsSafeForPairs(const uint16_t* values, int64_t count);

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_NARROW_GEMM_H_
