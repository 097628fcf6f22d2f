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
#include "numerics/elements/numeric.h"
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
// Of ChainsTogether.
constexpr int64_t kMostLanes = 16;
constexpr int64_t kMostThin = std::max(kThinIntegers, kThinFloats);
// Columns of the right operand that are brought side by side where its rows are not dense.
constexpr int64_t kTransposedColumns = 32;

// Numbers that are written before they are read: complex ones would be cleared first, which may take longer than a
// small product.
template <typename T, int64_t kCount>
class Room {
 public:
  T* data() { return reinterpret_cast<T*>(bytes_); }

 private:
  alignas(64) unsigned char bytes_[static_cast<size_t>(kCount) * sizeof(T)];
};

template <typename T>
struct Matrix {
  const T* data;
  int64_t row_stride, column_stride;
};

// A stored element as a number of the sums; integers keep their low bits.
template <typename T, typename X>
[[gnu::always_inline]] inline T Number(X x) {
  if constexpr (std::is_same_v<X, Bf16>) {
    return Widened(x);
  } else {
    return static_cast<T>(x);
  }
}

// sums[j] += sum over k of factors[k * step] * rows[k * row_stride + j], each a chain, kTogether rows at a time.
template <int kTogether, typename T, typename X>
[[gnu::always_inline]] inline void AddScaledRows(const T* factors, int64_t step, const X* rows, int64_t row_stride,
                                                 int64_t inner, int64_t columns, T* __restrict sums) {
  int64_t k = 0;
  for (; k + kTogether <= inner; k += kTogether, factors += kTogether * step, rows += kTogether * row_stride) {
    T factor[kTogether];
    const X* row[kTogether];
#pragma GCC unroll 8
    for (int r = 0; r < kTogether; ++r) {
      factor[r] = factors[r * step];
      row[r] = rows + r * row_stride;
    }
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t j = 0; j < columns; ++j) {
      T sum = sums[j];
#pragma GCC unroll 8
      for (int r = 0; r < kTogether; ++r) sum = sum + PlainProduct(factor[r], Number<T>(row[r][j]));
      sums[j] = sum;
    }
  }
  for (; k < inner; ++k, factors += step, rows += row_stride) {
    const T a = factors[0];
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t j = 0; j < columns; ++j) sums[j] += PlainProduct(a, Number<T>(rows[j]));
  }
}

// Rows that are read but once come from memory faster if more of them are read at a time.
constexpr int kRowsTogether = 4, kStreamedRowsTogether = 8;
#define HLOSCOPE_ROW_LOOP(T, X)                                                                                  \
  HLOSCOPE_VECTOR_CLONES void AddRows(const T* factors, int64_t step, const X* rows, int64_t row_stride,         \
                                      int64_t inner, int64_t columns, T* __restrict sums) {                      \
    AddScaledRows<kRowsTogether>(factors, step, rows, row_stride, inner, columns, sums);                         \
  }                                                                                                              \
  HLOSCOPE_VECTOR_CLONES void AddStreamedRows(const T* factors, int64_t step, const X* rows, int64_t row_stride, \
                                              int64_t inner, int64_t columns, T* __restrict sums) {              \
    AddScaledRows<kStreamedRowsTogether>(factors, step, rows, row_stride, inner, columns, sums);                 \
  }
HLOSCOPE_ROW_LOOP(float, float)
HLOSCOPE_ROW_LOOP(float, Bf16)
HLOSCOPE_ROW_LOOP(double, double)
HLOSCOPE_ROW_LOOP(uint64_t, uint64_t)
HLOSCOPE_ROW_LOOP(uint32_t, uint32_t)
HLOSCOPE_ROW_LOOP(uint32_t, int8_t)
HLOSCOPE_ROW_LOOP(uint32_t, uint8_t)
HLOSCOPE_ROW_LOOP(uint32_t, int16_t)
HLOSCOPE_ROW_LOOP(uint32_t, uint16_t)
HLOSCOPE_ROW_LOOP(std::complex<float>, std::complex<float>)
HLOSCOPE_ROW_LOOP(std::complex<double>, std::complex<double>)
#undef HLOSCOPE_ROW_LOOP

// The sum of products of neighbours, whose order does not matter.
#define HLOSCOPE_WORD_LOOP(X)                                                                            \
  HLOSCOPE_VECTOR_CLONES uint32_t SumOfProducts(const uint32_t* factors, const X* line, int64_t count) { \
    uint32_t sum = 0;                                                                                    \
    for (int64_t k = 0; k < count; ++k) sum += factors[k] * static_cast<uint32_t>(line[k]);              \
    return sum;                                                                                          \
  }                                                                                                      \
  HLOSCOPE_VECTOR_CLONES void WidenWords(const X* from, int64_t count, uint32_t* __restrict to) {        \
    for (int64_t k = 0; k < count; ++k) to[k] = static_cast<uint32_t>(from[k]);                          \
  }
HLOSCOPE_WORD_LOOP(uint32_t)
HLOSCOPE_WORD_LOOP(int8_t)
HLOSCOPE_WORD_LOOP(uint8_t)
HLOSCOPE_WORD_LOOP(int16_t)
HLOSCOPE_WORD_LOOP(uint16_t)
#undef HLOSCOPE_WORD_LOOP

// Part of the right operand with dense rows.
template <typename T, typename X>
void Transpose(const Matrix<X>& rhs, int64_t k, int64_t inner, int64_t column, int64_t columns, T* to) {
  const X* const from = rhs.data + k * rhs.row_stride + column * rhs.column_stride;
  if constexpr (std::is_floating_point_v<X>) {
    PackStrided(from, rhs.column_stride, rhs.row_stride, int64_t{0}, columns, int64_t{0}, inner, kTransposedColumns,
                to);
  } else {
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t i = 0; i < inner; ++i) {
        to[i * kTransposedColumns + j] = Number<T>(from[i * rhs.row_stride + j * rhs.column_stride]);
      }
    }
  }
}

// One element of the result: several chains grow side by side.
template <typename T, typename X>
T DotOf(const T* a, int64_t a_step, const X* b, int64_t b_step, int64_t inner) {
  constexpr int64_t kWays = 16;
  T sum = T();
  int64_t k = 0;
  for (; k + kWays * kChain <= inner; k += kWays * kChain) {
    T chains[kWays] = {};
    for (int64_t i = k; i < k + kChain; ++i) {
      for (int64_t w = 0; w < kWays; ++w) {
        const int64_t at = i + w * kChain;
        chains[w] += PlainProduct(a[at * a_step], Number<T>(b[at * b_step]));
      }
    }
    for (const T& chain : chains) sum += chain;
  }
  while (k < inner) {
    T chain = T();
    for (const int64_t end = std::min(inner, k + kChain); k < end; ++k) {
      chain += PlainProduct(a[k * a_step], Number<T>(b[k * b_step]));
    }
    sum += chain;
  }
  return sum;
}

// result[i * row_stride + j * column_stride] (+)= sum over k of lhs(i, k) * rhs(k, j)
template <typename T, typename X = T>
struct ProductInRows {
  GemmSizes sizes;
  Matrix<T> lhs;
  Matrix<X> rhs;
  T* result;
  int64_t row_stride, column_stride;
  bool accumulate;

  void Multiply() const {
    if constexpr (std::is_same_v<T, uint32_t>) {
      if (rhs.row_stride == 1 && sizes.inner > 1) return MultiplyLines();
    }
    if constexpr (std::is_same_v<T, uint32_t> || (std::is_floating_point_v<T> && std::is_same_v<X, T>)) {
      if (rhs.column_stride == 1 && sizes.rows > kFewRows && sizes.rows <= kMostThin) return MultiplyThin();
    }
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

  // Some rows: the right operand is read once, some of its rows at a time for all of the left one. Sums of floats are
  // made of chains here, too.
  void MultiplyThin() const {
    constexpr int64_t kWidth = 512;
    constexpr bool kWidens = !std::is_same_v<X, T>;
    const int64_t chain = std::is_floating_point_v<T> ? kChain : sizes.inner;
    T sums[kMostThin][kWidth], wide[kWidens ? kStreamedRowsTogether : 1][kWidth];
    for (int64_t column = 0; column < sizes.columns; column += kWidth) {
      const int64_t columns = std::min(kWidth, sizes.columns - column);
      int64_t begin = 0;
      do {
        for (int64_t i = 0; i < sizes.rows; ++i) std::fill_n(sums[i], columns, T());
        for (int64_t k = begin, end = std::min(begin + chain, sizes.inner); k < end; k += kStreamedRowsTogether) {
          const int64_t inner = std::min<int64_t>(kStreamedRowsTogether, end - k);
          const X* const rows = rhs.data + k * rhs.row_stride + column;
          for (int64_t r = 0; r < inner; ++r) {
            const X* const next = rows + (kStreamedRowsTogether + r) * rhs.row_stride;
            for (int64_t at = 0; at < columns; at += 64 / int64_t{sizeof(X)}) FetchLine(next + at);
          }
          if constexpr (kWidens) {
            for (int64_t r = 0; r < inner; ++r) WidenWords(rows + r * rhs.row_stride, columns, wide[r]);
          }
          for (int64_t i = 0; i < sizes.rows; ++i) {
            const T* const factors = lhs.data + i * lhs.row_stride + k * lhs.column_stride;
            if constexpr (kWidens) {
              AddStreamedRows(factors, lhs.column_stride, wide[0], kWidth, inner, columns, sums[i]);
            } else {
              AddStreamedRows(factors, lhs.column_stride, rows, rhs.row_stride, inner, columns, sums[i]);
            }
          }
        }
        for (int64_t i = 0; i < sizes.rows; ++i) {
          for (int64_t j = 0; j < columns; ++j) Store(i, column + j, accumulate || begin > 0, sums[i][j]);
        }
        begin += chain;
      } while (begin < sizes.inner);
    }
  }

  // Integers whose columns on the right are runs of memory.
  void MultiplyLines() const {
    constexpr int64_t kPiece = 4096, kRows = 4;
    T factors[kRows][kPiece], wide[kPiece];
    for (int64_t k = 0; k < sizes.inner; k += kPiece) {
      const int64_t piece = std::min(kPiece, sizes.inner - k);
      for (int64_t row = 0; row < sizes.rows; row += kRows) {
        const int64_t rows = std::min(kRows, sizes.rows - row);
        for (int64_t i = 0; i < rows; ++i) {
          const T* const from = lhs.data + (row + i) * lhs.row_stride + k * lhs.column_stride;
          for (int64_t at = 0; at < piece; ++at) factors[i][at] = from[at * lhs.column_stride];
        }
        for (int64_t j = 0; j < sizes.columns; ++j) {
          const X* const line = rhs.data + k + j * rhs.column_stride;
          if (rows == 1) {
            Store(row, j, accumulate || k > 0, SumOfProducts(factors[0], line, piece));
            continue;
          }
          WidenWords(line, piece, wide);
          for (int64_t i = 0; i < rows; ++i) {
            Store(row + i, j, accumulate || k > 0, SumOfProducts(factors[i], wide, piece));
          }
        }
      }
    }
  }

  // Products [k, k + run) of the first columns, as many as are read in step: their number is returned.
  int64_t SumLinesTogether(const T* factors, int64_t k, int64_t run, T* sums) const {
    int64_t j = 0;
    if constexpr (std::is_same_v<T, X>) {
      for (const int64_t together = LinesInStep(); together > 0 && j + together <= sizes.columns; j += together) {
        const X* const lines = rhs.data + k + j * rhs.column_stride;
        for (int64_t at = 0; at < run; at += kChain) {
          SumLinesInStep(factors + at, lines + at, rhs.column_stride, kChain, sums);
          for (int64_t l = 0; l < together; ++l) Store(0, j + l, accumulate || k + at > 0, sums[l]);
        }
      }
    }
    return j;
  }

  // The chains of the only row with all columns, as many as fill whole vectors: how far they go along the inner
  // dimension is returned.
  int64_t SumLongLines() const {
    int64_t k = 0;
    if constexpr (std::is_floating_point_v<T>) {
      const int64_t lanes = ChainsTogether<T>(), block = lanes * kChain;
      if (lanes == 0 || sizes.rows != 1 || rhs.row_stride != 1) return 0;
      T factors[kMostLanes * kChain], turned[kMostLanes * kChain], sums[kMostLanes];
      while (k + block <= sizes.inner) {
        // Several blocks of a line, so that it is read in long runs.
        const int64_t blocks = std::min(kMostLanes / lanes, (sizes.inner - k) / block), run = blocks * block;
        for (int64_t i = 0; i < run; ++i) factors[i] = lhs.data[(k + i) * lhs.column_stride];
        int64_t j = SumLinesTogether(factors, k, run, sums);
        for (int64_t at = 0; at < run && j < sizes.columns; at += block) {
          TurnFactors(factors + at, kChain, turned + at);
        }
        for (; j < sizes.columns; ++j) {
          const X* const line = rhs.data + k + j * rhs.column_stride;
          const X* const next = j + 1 == sizes.columns ? line : line + rhs.column_stride;
          for (int64_t b = 0; b < blocks; ++b) {
            SumChainProducts(turned + b * block, line + b * block, next + b * block, kChain, sums + b * lanes);
          }
          for (int64_t w = 0; w < blocks * lanes; ++w) Store(0, j, accumulate || k + w > 0, sums[w]);
        }
        k += run;
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
          for (int64_t at = 0; at < kPiece * int64_t{sizeof(X)}; at += 64) FetchLine(ahead + at);
        }
      }
      Transpose(rhs, k, piece, column, columns, transposed);
      AddRows(lhs.data + k * lhs.column_stride, lhs.column_stride, transposed, kTransposedColumns, piece, columns,
              sums);
    }
  }

  // All rows of a block of columns of the right operand, which is dense.
  void StreamColumns(int64_t column, int64_t columns) const {
    Room<T, kStreamedColumns> room;
    T* const sums = room.data();
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
    Room<T, kChain * kTransposedColumns> right;
    Room<T, kColumns> room;
    T *const transposed = right.data(), *const sums = room.data();
    do {
      const int64_t inner = std::min(kChain, sizes.inner - k);
      if (!is_dense && sizes.rows == 1) {
        AddOnlyRow(k, inner, column, columns, transposed, sums);
        for (int64_t j = 0; j < columns; ++j) Store(0, column + j, accumulate || k > 0, sums[j]);
        k += inner;
        continue;
      }
      if (!is_dense) Transpose(rhs, k, inner, column, columns, transposed);
      for (int64_t i = first_row; i < last_row; ++i) {
        std::fill_n(sums, columns, T());
        const T* const factors = lhs.data + i * lhs.row_stride + k * lhs.column_stride;
        if (is_dense) {
          AddRows(factors, lhs.column_stride, rhs.data + k * rhs.row_stride + column, rhs.row_stride, inner, columns,
                  sums);
        } else {
          AddRows(factors, lhs.column_stride, transposed, kTransposedColumns, inner, columns, sums);
        }
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
  const auto multiply = [&](auto left, auto right, const GemmSizes& s, const MatrixView& l, const MatrixView& r,
                            int64_t row_stride, int64_t column_stride) {
    using T = decltype(left);
    using X = decltype(right);
    ProductInRows<T, X>{s,
                        {reinterpret_cast<const T*>(l.data), l.row_stride, l.column_stride},
                        {reinterpret_cast<const X*>(r.data), r.row_stride, r.column_stride},
                        reinterpret_cast<T*>(result),
                        row_stride,
                        column_stride,
                        accumulate}
        .Multiply();
  };
  constexpr int64_t kNarrow = 16;
  constexpr ElementType kSame = ElementType::kInvalid;
  // The transposed product may have longer rows.
  const bool is_transposed =
      lhs.stored != kSame || (rhs.stored == kSame && sizes.columns < kNarrow && sizes.columns < sizes.rows);
  VisitSumType(type, [&](auto zero) {
    const auto visit = [&](const GemmSizes& s, const MatrixView& l, const MatrixView& r, int64_t row_stride,
                           int64_t column_stride) {
      const auto with = [&](auto right) { multiply(zero, right, s, l, r, row_stride, column_stride); };
      if constexpr (std::is_same_v<decltype(zero), float>) {
        if (r.stored == ElementType::kBF16) return with(Bf16());
      }
      if constexpr (std::is_same_v<decltype(zero), uint32_t>) {
        if (r.stored == ElementType::kS8) return with(int8_t());
        if (r.stored == ElementType::kU8) return with(uint8_t());
        if (r.stored == ElementType::kS16) return with(int16_t());
        if (r.stored == ElementType::kU16) return with(uint16_t());
      }
      with(zero);
    };
    if (is_transposed) {
      visit({sizes.columns, sizes.rows, sizes.inner}, {rhs.data, rhs.column_stride, rhs.row_stride, rhs.stored},
            {lhs.data, lhs.column_stride, lhs.row_stride, lhs.stored}, 1, result_row_stride);
    } else {
      visit(sizes, lhs, rhs, result_row_stride, 1);
    }
  });
}

}  // namespace hloscope::numerics
