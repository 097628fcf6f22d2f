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
  // Of its elements, if that is not the type that MultiplyMatrices is given.
  ElementType stored = ElementType::kInvalid;
};

// result[b] = lhs[b] * rhs[b], dense; sums are of `type`: f32, f64, c64, c128, u32 or u64.
void MultiplyMatrices(ElementType type, int64_t batch, int64_t rows, int64_t columns, int64_t inner,
                      const Matrices& lhs, const Matrices& rhs, void* result);

// The same for operands of bf16 and a result of bf16 or f32; sums in f32.
void MultiplyBf16(int64_t batch, int64_t rows, int64_t columns, int64_t inner, const Matrices& lhs, const Matrices& rhs,
                  uint16_t* result);
void MultiplyBf16(int64_t batch, int64_t rows, int64_t columns, int64_t inner, const Matrices& lhs, const Matrices& rhs,
                  float* result);

// Sizes of groups of neighbouring positions, `count` a row. Positions after the last group belong to none.
struct Groups {
  const int64_t* sizes;
  int64_t rows, count;  // one row is for all
};

// The sizes of a product with a ragged dimension, which stands between `before` and `after` in dimensions of its kind.
struct RaggedSizes {
  int64_t batch, before, ragged, after;
  int64_t rows, columns, inner;  // but for the ragged kind
};

// Dense operands and results of accumulator types. A row of groups for each position in `batch` and `before`. Ends the
// program if a size is negative.
//
// lhs [batch, before, ragged, after, inner], rhs [groups, batch, inner, columns],
// result [batch, before, ragged, after, columns]: rows of no group are 0.
void MultiplyRaggedRows(ElementType type, const RaggedSizes& sizes, const Groups& groups, const void* lhs,
                        const void* rhs, void* result);
// lhs [batch, before, rows, ragged, after], rhs [batch, before, ragged, after, columns],
// result [groups, batch, rows, columns], summed over `before`: one product for groups of one row, else one for each
// row.
void MultiplyRaggedInner(ElementType type, const RaggedSizes& sizes, const Groups& groups, const void* lhs,
                         const void* rhs, void* result);
// lhs [before, ragged, after, rows, inner], rhs [before, ragged, after, inner, columns],
// result [before, ragged, after, rows, columns]: products of no group are 0.
void MultiplyRaggedBatch(ElementType type, const RaggedSizes& sizes, const Groups& groups, const void* lhs,
                         const void* rhs, void* result);

}  // namespace hlo

#endif  // HLO_PRODUCT_H_
