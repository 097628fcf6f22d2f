// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <complex>
#include <type_traits>
#include <utility>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/line_products.h"
#include "numerics/contraction/pack_lines.h"
#include "numerics/data_movement/run_ahead.h"
#include "numerics/elements/complex_product.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
namespace {

// Every element of the result is a sum of chains of this many products, in their order, however operands lie in memory.
constexpr int64_t kChain = 256;
// Columns whose chains grow side by side; with few rows on the left each element of the right operand is used so few
// times that reading it in the order of memory is worth more than sums in registers.
constexpr int64_t kColumns = 128, kStreamedColumns = 2048, kFewRows = 3;
// Bytes that are asked for ahead of what is read across rows: the processor itself does not look across pages.
constexpr int64_t kColumnAhead = 512;
// Of LinesTogether.
constexpr int64_t kMostLanes = 16;
// Columns of the right operand that are brought side by side where its rows are not dense.
constexpr int64_t kTransposedColumns = 32;

template <typename T>
struct Matrix {
  const T* data;
  int64_t row_stride, column_stride;
};

// sums[j] += sum over k of factors[k * step] * rows[k * row_stride + j], each a chain, kTogether rows at a time.
template <int kTogether, typename T>
[[gnu::always_inline]] inline void AddScaledRows(const T* factors, int64_t step, const T* rows, int64_t row_stride,
                                                 int64_t inner, int64_t columns, T* __restrict sums) {
  int64_t k = 0;
  for (; k + kTogether <= inner; k += kTogether, factors += kTogether * step, rows += kTogether * row_stride) {
    T factor[kTogether];
    const T* row[kTogether];
#pragma GCC unroll 8
    for (int r = 0; r < kTogether; ++r) {
      factor[r] = factors[r * step];
      row[r] = rows + r * row_stride;
    }
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t j = 0; j < columns; ++j) {
      T sum = sums[j];
#pragma GCC unroll 8
      for (int r = 0; r < kTogether; ++r) sum = sum + PlainProduct(factor[r], row[r][j]);
      sums[j] = sum;
    }
  }
  for (; k < inner; ++k, factors += step, rows += row_stride) {
    const T a = factors[0];
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t j = 0; j < columns; ++j) sums[j] += PlainProduct(a, rows[j]);
  }
}

// Rows that are read but once come from memory faster if more of them are read at a time.
constexpr int kRowsTogether = 4, kStreamedRowsTogether = 8;
#define HLOSCOPE_ROW_LOOP(T)                                                                                     \
  HLOSCOPE_VECTOR_CLONES void AddRows(const T* factors, int64_t step, const T* rows, int64_t row_stride,         \
                                      int64_t inner, int64_t columns, T* __restrict sums) {                      \
    AddScaledRows<kRowsTogether>(factors, step, rows, row_stride, inner, columns, sums);                         \
  }                                                                                                              \
  HLOSCOPE_VECTOR_CLONES void AddStreamedRows(const T* factors, int64_t step, const T* rows, int64_t row_stride, \
                                              int64_t inner, int64_t columns, T* __restrict sums) {              \
    AddScaledRows<kStreamedRowsTogether>(factors, step, rows, row_stride, inner, columns, sums);                 \
  }
HLOSCOPE_ROW_LOOP(float)
HLOSCOPE_ROW_LOOP(double)
HLOSCOPE_ROW_LOOP(uint64_t)
HLOSCOPE_ROW_LOOP(std::complex<float>)
HLOSCOPE_ROW_LOOP(std::complex<double>)
#undef HLOSCOPE_ROW_LOOP

// Part of the right operand with dense rows.
template <typename T>
void Transpose(const Matrix<T>& rhs, int64_t k, int64_t inner, int64_t column, int64_t columns, T* to) {
  const T* const from = rhs.data + k * rhs.row_stride + column * rhs.column_stride;
  if constexpr (std::is_floating_point_v<T>) {
    PackStrided(from, rhs.column_stride, rhs.row_stride, int64_t{0}, columns, int64_t{0}, inner, kTransposedColumns,
                to);
  } else {
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t i = 0; i < inner; ++i) {
        to[i * kTransposedColumns + j] = from[i * rhs.row_stride + j * rhs.column_stride];
      }
    }
  }
}

// One element of the result: several chains grow side by side.
template <typename T>
T DotOf(const T* a, int64_t a_step, const T* b, int64_t b_step, int64_t inner) {
  constexpr int64_t kWays = 16;
  T sum = T();
  int64_t k = 0;
  for (; k + kWays * kChain <= inner; k += kWays * kChain) {
    T chains[kWays] = {};
    for (int64_t i = k; i < k + kChain; ++i) {
      for (int64_t w = 0; w < kWays; ++w) {
        const int64_t at = i + w * kChain;
        chains[w] += PlainProduct(a[at * a_step], b[at * b_step]);
      }
    }
    for (const T& chain : chains) sum += chain;
  }
  while (k < inner) {
    T chain = T();
    for (const int64_t end = std::min(inner, k + kChain); k < end; ++k) {
      chain += PlainProduct(a[k * a_step], b[k * b_step]);
    }
    sum += chain;
  }
  return sum;
}

// result[i * row_stride + j * column_stride] (+)= sum over k of lhs(i, k) * rhs(k, j)
template <typename T>
struct ProductInRows {
  GemmSizes sizes;
  Matrix<T> lhs, rhs;
  T* result;
  int64_t row_stride, column_stride;
  bool accumulate;

  void Multiply() const {
    constexpr int64_t kFew = 4;
    if (sizes.rows < kFew && sizes.columns < kFew && sizes.inner > kChain) {
      for (int64_t i = 0; i < sizes.rows; ++i) {
        for (int64_t j = 0; j < sizes.columns; ++j) {
          Store(i, j, accumulate,
                DotOf(lhs.data + i * lhs.row_stride, lhs.column_stride, rhs.data + j * rhs.column_stride,
                      rhs.row_stride, sizes.inner));
        }
      }
      return;
    }
    const bool is_dense = rhs.column_stride == 1 || sizes.columns == 1;
    const bool is_streamed = is_dense && sizes.rows <= kFewRows && sizes.columns > kColumns;
    const int64_t width = is_streamed ? kStreamedColumns : is_dense ? kColumns : kTransposedColumns;
    // Few rows of the right operand stay in the cache: the result is then written row by row.
    constexpr int64_t kShort = 8;
    const int64_t step = is_dense && sizes.inner <= kShort ? 1 : std::max<int64_t>(sizes.rows, 1);
    const int64_t done = is_dense ? 0 : SumLongLines();
    if (done > 0 && done == sizes.inner) return;
    for (int64_t row = 0; row < sizes.rows; row += step) {
      for (int64_t column = 0; column < sizes.columns; column += width) {
        const int64_t columns = std::min(width, sizes.columns - column);
        if (is_streamed) {
          StreamColumns(column, columns);
        } else {
          MultiplyColumns(row, row + step, column, columns, done, is_dense);
        }
      }
    }
  }

 private:
  void Store(int64_t i, int64_t j, bool add, T sum) const {
    T& element = result[i * row_stride + j * column_stride];
    element = add ? element + sum : sum;
  }

  // The chains of the only row with all columns, as many as fill whole vectors: how far they go along the inner
  // dimension is returned.
  int64_t SumLongLines() const {
    int64_t k = 0;
    if constexpr (std::is_floating_point_v<T>) {
      const int64_t lanes = LinesTogether<T>(), block = lanes * kChain;
      if (lanes == 0 || sizes.rows != 1 || rhs.row_stride != 1) return 0;
      T factors[kMostLanes * kChain], turned[kMostLanes * kChain], sums[kMostLanes];
      for (; k + block <= sizes.inner; k += block) {
        for (int64_t i = 0; i < block; ++i) factors[i] = lhs.data[(k + i) * lhs.column_stride];
        TurnFactors(factors, kChain, turned);
        for (int64_t j = 0; j < sizes.columns; ++j) {
          const T* const line = rhs.data + k + j * rhs.column_stride;
          const bool is_last = j + 1 == sizes.columns;
          SumChainProducts(turned, line, is_last ? line : line + rhs.column_stride, kChain, sums);
          for (int64_t w = 0; w < lanes; ++w) Store(0, j, accumulate || k + w > 0, sums[w]);
        }
      }
    }
    return k;
  }

  // The chains of the only row with the first columns, as many as whole vectors of them: their number is returned.
  int64_t SumLines(int64_t k, int64_t inner, int64_t column, int64_t columns, T* sums) const {
    int64_t done = 0;
    if constexpr (std::is_floating_point_v<T>) {
      const int64_t together = LinesTogether<T>();
      if (together == 0 || rhs.row_stride != 1) return 0;
      T factors[kChain];
      for (int64_t i = 0; i < inner; ++i) factors[i] = lhs.data[(k + i) * lhs.column_stride];
      for (; done + together <= columns; done += together) {
        SumLineProducts(factors, rhs.data + k + (column + done) * rhs.column_stride, rhs.column_stride, inner,
                        sums + done);
      }
    }
    return done;
  }

  // What is brought side by side is read once: in pieces that stay in the innermost cache.
  void AddOnlyRow(int64_t k, int64_t inner, int64_t column, int64_t columns, T* transposed, T* sums) const {
    const int64_t summed = SumLines(k, inner, column, columns, sums);
    column += summed;
    columns -= summed;
    sums += summed;
    if (columns == 0) return;
    constexpr int64_t kPiece = 32;
    std::fill_n(sums, columns, T());
    for (const int64_t end = k + inner; k < end; k += kPiece) {
      const int64_t piece = std::min(kPiece, end - k);
      if (rhs.row_stride == 1 && k + piece < sizes.inner) {
        for (int64_t j = 0; j < columns; ++j) {
          const char* const ahead =
              reinterpret_cast<const char*>(rhs.data + k + (column + j) * rhs.column_stride) + kColumnAhead;
          for (int64_t at = 0; at < kPiece * int64_t{sizeof(T)}; at += 64) FetchLine(ahead + at);
        }
      }
      Transpose(rhs, k, piece, column, columns, transposed);
      AddRows(lhs.data + k * lhs.column_stride, lhs.column_stride, transposed, kTransposedColumns, piece, columns,
              sums);
    }
  }

  // All rows of a block of columns of the right operand, which is dense.
  void StreamColumns(int64_t column, int64_t columns) const {
    T sums[kStreamedColumns];
    int64_t k = 0;
    do {
      const int64_t inner = std::min(kChain, sizes.inner - k);
      for (int64_t i = 0; i < sizes.rows; ++i) {
        std::fill_n(sums, columns, T());
        AddStreamedRows(lhs.data + i * lhs.row_stride + k * lhs.column_stride, lhs.column_stride,
                        rhs.data + k * rhs.row_stride + column, rhs.row_stride, inner, columns, sums);
        for (int64_t j = 0; j < columns; ++j) Store(i, column + j, accumulate || k > 0, sums[j]);
      }
      k += inner;
    } while (k < sizes.inner);
  }

  // From element `k` of the inner dimension on.
  void MultiplyColumns(int64_t first_row, int64_t last_row, int64_t column, int64_t columns, int64_t k,
                       bool is_dense) const {
    T transposed[kChain * kTransposedColumns];
    T sums[kColumns];
    do {
      const int64_t inner = std::min(kChain, sizes.inner - k);
      if (!is_dense && sizes.rows == 1) {
        AddOnlyRow(k, inner, column, columns, transposed, sums);
        for (int64_t j = 0; j < columns; ++j) Store(0, column + j, accumulate || k > 0, sums[j]);
        k += inner;
        continue;
      }
      const T* rows = rhs.data + k * rhs.row_stride + column;
      int64_t rows_stride = rhs.row_stride;
      if (!is_dense) {
        Transpose(rhs, k, inner, column, columns, transposed);
        rows = transposed;
        rows_stride = kTransposedColumns;
      }
      for (int64_t i = first_row; i < last_row; ++i) {
        std::fill_n(sums, columns, T());
        AddRows(lhs.data + i * lhs.row_stride + k * lhs.column_stride, lhs.column_stride, rows, rows_stride, inner,
                columns, sums);
        const bool add = accumulate || k > 0;
        if (column_stride == 1 && !add) {
          std::copy_n(sums, columns, result + i * row_stride + column);
        } else {
          for (int64_t j = 0; j < columns; ++j) Store(i, column + j, add, sums[j]);
        }
      }
      k += inner;
    } while (k < sizes.inner);
  }
};

}  // namespace

void MultiplyByRows(ElementType type, const GemmSizes& sizes, const MatrixView& lhs, const MatrixView& rhs,
                    uint8_t* result, int64_t result_row_stride, bool accumulate) {
  VisitAccumulator(type, [&](auto zero) {
    using T = decltype(zero);
    const Matrix<T> l = {reinterpret_cast<const T*>(lhs.data), lhs.row_stride, lhs.column_stride};
    const Matrix<T> r = {reinterpret_cast<const T*>(rhs.data), rhs.row_stride, rhs.column_stride};
    ProductInRows<T> product = {sizes, l, r, reinterpret_cast<T*>(result), result_row_stride, 1, accumulate};
    constexpr int64_t kNarrow = 16;
    if (sizes.columns < kNarrow && sizes.columns < sizes.rows) {
      // The transposed product has longer rows.
      std::swap(product.sizes.rows, product.sizes.columns);
      product.lhs = {r.data, r.column_stride, r.row_stride};
      product.rhs = {l.data, l.column_stride, l.row_stride};
      std::swap(product.row_stride, product.column_stride);
    }
    product.Multiply();
  });
}

}  // namespace hloscope::numerics
