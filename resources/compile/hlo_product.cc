// SPDX-License-Identifier: Apache-2.0
#include "hlo_product.h"

#include <algorithm>
#include <complex>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/narrow_gemm.h"
#include "numerics/contraction/packed_gemm.h"

namespace hlo {
namespace {

numerics::MatrixView ViewOf(const Matrices& m) {
  return {static_cast<const uint8_t*>(m.data), m.row_stride, m.column_stride};
}

// Dense f32 copies.
Array Widened(const Matrices& m, int64_t batch, int64_t rows, int64_t columns) {
  Array wide = Allocate(batch * rows * columns * 4);
  float* to = wide.to<float>();
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t i = 0; i < rows; ++i) {
      const uint16_t* const from = static_cast<const uint16_t*>(m.data) + b * m.batch_stride + i * m.row_stride;
      for (int64_t j = 0; j < columns; ++j) *to++ = LoadBf16(from[j * m.column_stride]);
    }
  }
  return wide;
}

}  // namespace

void MultiplyBf16(int64_t batch, int64_t rows, int64_t columns, int64_t inner, const Matrices& lhs, const Matrices& rhs,
                  uint16_t* result) {
  const numerics::GemmSizes sizes = {rows, columns, inner};
  if (!numerics::IsWorthPacking(sizes)) {
    const Array l = Widened(lhs, batch, rows, inner), r = Widened(rhs, batch, inner, columns);
    const int64_t count = batch * rows * columns;
    Array sums = Allocate(count * 4);
    MultiplyMatrices(ElementType::kF32, batch, rows, columns, inner, {l.data(), rows * inner, inner, 1},
                     {r.data(), inner * columns, columns, 1}, sums.to<float>());
    for (int64_t i = 0; i < count; ++i) result[i] = numerics::FloatToBf16(sums.as<float>()[i]);
    return;
  }
  Array sums;
  if (numerics::SumsApart(batch, sizes)) sums = Allocate(rows * columns * 4);
  CheckDone(numerics::MultiplyBf16Batch(batch, sizes, ViewOf(lhs), lhs.batch_stride, ViewOf(rhs), rhs.batch_stride,
                                        sums.to<float>(), result, ProgramThreads()));
}

void MultiplyMatrices(ElementType type, int64_t batch, int64_t rows, int64_t columns, int64_t inner,
                      const Matrices& lhs, const Matrices& rhs, void* result) {
  CheckDone(numerics::MultiplyMatrixBatch(type, batch, {rows, columns, inner}, ViewOf(lhs), lhs.batch_stride,
                                          ViewOf(rhs), rhs.batch_stride, static_cast<uint8_t*>(result),
                                          ProgramThreads()));
}

}  // namespace hlo
