#include <algorithm>
#include <complex>

#include "numerics/contraction/gemm.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
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
      HLOSCOPE_INDEPENDENT_LANES
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
        HLOSCOPE_INDEPENDENT_LANES
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

void MultiplyByRows(ElementType type, const GemmSizes& sizes, const MatrixView& lhs, const MatrixView& rhs,
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

}  // namespace hloscope::numerics
