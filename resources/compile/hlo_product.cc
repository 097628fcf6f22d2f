#include "hlo_product.h"

#include <algorithm>
#include <complex>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/narrow_gemm.h"
#include "numerics/contraction/packed_gemm.h"

namespace hloscope {
namespace {

template <typename T>
T Product(T a, T b) {
  return a * b;
}
// Without the special treatment of infinities that std::complex has.
template <typename T>
std::complex<T> Product(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Rows of the right operand, one after the other, times one number each.
template <typename T>
void AddRows(const GemmSizes& sizes, const MatrixView& lhs, const MatrixView& rhs, T* result, int64_t stride) {
  const T* const a = reinterpret_cast<const T*>(lhs.data);
  const T* const b = reinterpret_cast<const T*>(rhs.data);
  for (int64_t i = 0; i < sizes.rows; ++i) {
    T* const __restrict out = result + i * stride;
    for (int64_t k = 0; k < sizes.inner; ++k) {
      const T factor = a[i * lhs.row_stride + k * lhs.column_stride];
      const T* const row = b + k * rhs.row_stride;
#pragma GCC ivdep
      for (int64_t j = 0; j < sizes.columns; ++j) out[j] += Product(factor, row[j * rhs.column_stride]);
    }
  }
}

// One element of the result after the other.
template <typename T>
void AddDots(const GemmSizes& sizes, const MatrixView& lhs, const MatrixView& rhs, T* result, int64_t stride) {
  const T* const a = reinterpret_cast<const T*>(lhs.data);
  const T* const b = reinterpret_cast<const T*>(rhs.data);
  constexpr int64_t kWays = 16;  // sums that do not wait for each other
  for (int64_t i = 0; i < sizes.rows; ++i) {
    for (int64_t j = 0; j < sizes.columns; ++j) {
      const T* const x = a + i * lhs.row_stride;
      const T* const y = b + j * rhs.column_stride;
      T ways[kWays] = {};
      int64_t k = 0;
      for (; k + kWays <= sizes.inner; k += kWays) {
#pragma GCC ivdep
        for (int64_t w = 0; w < kWays; ++w) {
          ways[w] += Product(x[(k + w) * lhs.column_stride], y[(k + w) * rhs.row_stride]);
        }
      }
      for (; k < sizes.inner; ++k) ways[0] += Product(x[k * lhs.column_stride], y[k * rhs.row_stride]);
      T sum = T();
      for (const T& way : ways) sum += way;
      result[i * stride + j] += sum;
    }
  }
}

}  // namespace

// Of gemm.h; the evaluator computes small products with Eigen.
void MultiplyMatrices(ElementType type, const GemmSizes& sizes, const MatrixView& lhs, const MatrixView& rhs,
                      uint8_t* result, int64_t result_row_stride, bool accumulate) {
  VisitAccumulator(type, [&](auto zero) {
    using T = decltype(zero);
    T* const out = reinterpret_cast<T*>(result);
    if (!accumulate) {
      for (int64_t i = 0; i < sizes.rows; ++i) std::fill_n(out + i * result_row_stride, sizes.columns, zero);
    }
    if (rhs.row_stride == 1 && rhs.column_stride != 1) {
      AddDots<T>(sizes, lhs, rhs, out, result_row_stride);
    } else {
      AddRows<T>(sizes, lhs, rhs, out, result_row_stride);
    }
  });
}

}  // namespace hloscope

namespace hlo {
namespace {

hloscope::MatrixView ViewOf(const Matrices& m) {
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
  const hloscope::GemmSizes sizes = {rows, columns, inner};
  if (!hloscope::IsWorthPacking(sizes)) {
    const Array l = Widened(lhs, batch, rows, inner), r = Widened(rhs, batch, inner, columns);
    const int64_t count = batch * rows * columns;
    Array sums = Allocate(count * 4);
    MultiplyMatrices(ElementType::kF32, batch, rows, columns, inner, {l.data(), rows * inner, inner, 1},
                     {r.data(), inner * columns, columns, 1}, sums.to<float>());
    for (int64_t i = 0; i < count; ++i) result[i] = hloscope::FloatToBf16(sums.as<float>()[i]);
    return;
  }
  hloscope::KernelRuntime runtime;
  Array sums;
  if (hloscope::SumsApart(batch, sizes)) sums = Allocate(rows * columns * 4);
  const absl::Status status = hloscope::MultiplyBf16Batch(batch, sizes, ViewOf(lhs), lhs.batch_stride, ViewOf(rhs),
                                                          rhs.batch_stride, sums.to<float>(), result, runtime);
  if (!status.ok()) Fail(status.message());
}

void MultiplyMatrices(ElementType type, int64_t batch, int64_t rows, int64_t columns, int64_t inner,
                      const Matrices& lhs, const Matrices& rhs, void* result) {
  hloscope::KernelRuntime runtime;
  const absl::Status status =
      hloscope::MultiplyMatrixBatch(type, batch, {rows, columns, inner}, ViewOf(lhs), lhs.batch_stride, ViewOf(rhs),
                                    rhs.batch_stride, static_cast<uint8_t*>(result), runtime);
  if (!status.ok()) Fail(status.message());
}

}  // namespace hlo
