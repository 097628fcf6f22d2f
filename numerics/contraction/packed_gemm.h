// SPDX-License-Identifier: Apache-2.0
// Matrix products of f32 and f64 at the speed of the machine. The operands are functions that copy parts of a matrix
// into the order in which the innermost loop reads them, so a convolution needs no array of patches.
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_PACKED_GEMM_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_PACKED_GEMM_H_

#include <cstdint>

#include "numerics/contraction/gemm.h"
#include "numerics/parallel/executor.h"
#include "numerics/parallel/function_ref.h"

namespace hloscope::numerics {

// Lines [first, first + count) of a matrix, elements [begin, end) of each along the contracted dimension, to
// to[(k - begin) * panel + line - first]; lines from `count` up to `panel` are zero. Lines are rows of the left operand
// and columns of the right one. Called from several threads.
template <typename T>
using PackPanel = FunctionRef<void(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, T* to)>;

// result = lhs * rhs; rows of the result are dense, `result_row_stride` elements apart. The order of the sums depends
// on `sizes` alone, not on threads. T: float, double, uint32_t (modulo 2^32). Errors: kCancelled.
//
// Measured side by side (`hloscope_bench evaluator gemm`): as fast as OpenBLAS 0.3.21 (SkylakeX kernels, through NumPy)
// and oneDNN (through PyTorch). Neither library can be cancelled inside a product, takes our threads or promises
// results that do not depend on their number, and oneDNN reorders the operands of a convolution first. Hence these
// loops.
template <typename T>
Outcome MultiplyPacked(const GemmSizes& sizes, PackPanel<T> pack_rows, PackPanel<T> pack_columns, T* result,
                       int64_t result_row_stride, Executor& executor);

// The same for operands that are packed as pairs of bf16 (gemm_micro.h): `sizes.inner` and the packing functions count
// pairs; the half that an odd number of elements leaves over is zero. Requires MultipliesPairs().
Outcome MultiplyPackedPairs(const GemmSizes& sizes, PackPanel<uint32_t> pack_rows, PackPanel<uint32_t> pack_columns,
                            float* result, int64_t result_row_stride, Executor& executor);

// True if a product of these sizes is worth packing its operands.
bool IsWorthPacking(const GemmSizes& sizes);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_PACKED_GEMM_H_
