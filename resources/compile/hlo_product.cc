// SPDX-License-Identifier: Apache-2.0
#include "hlo_product.h"

#include <algorithm>
#include <complex>
#include <cstring>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/narrow_gemm.h"
#include "numerics/contraction/packed_gemm.h"

namespace hlo {
namespace {

numerics::MatrixView ViewOf(const Matrices& m) {
  return {static_cast<const uint8_t*>(m.data), m.row_stride, m.column_stride, m.stored};
}

// Dense f32 copies.
Array Widened(const Matrices& m, int64_t batch, int64_t rows, int64_t columns) {
  Array wide = Allocate(batch * rows * columns * 4);
  float* to = wide.to<float>();
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t i = 0; i < rows; ++i) {
      const uint16_t* const from = static_cast<const uint16_t*>(m.data) + b * m.batch_stride + i * m.row_stride;
      if (m.column_stride == 1) {
        for (int64_t j = 0; j < columns; ++j) to[j] = LoadBf16(from[j]);
      } else {
        for (int64_t j = 0; j < columns; ++j) to[j] = LoadBf16(from[j * m.column_stride]);
      }
      to += columns;
    }
  }
  return wide;
}

void CheckGroups(const Groups& groups) {
  for (int64_t k = 0; k < groups.rows * groups.count; ++k) {
    if (groups.sizes[k] < 0) Fail("ragged-dot: a group size is negative");
  }
}

// Calls part(group, first position, positions) for what each group of a row covers of `size` positions.
template <typename Part>
void ForEachGroup(const Groups& groups, int64_t row, int64_t size, Part part) {
  const int64_t* const sizes = groups.sizes + (groups.rows == 1 ? 0 : row * groups.count);
  int64_t begin = 0;
  for (int64_t g = 0; g < groups.count && begin < size; ++g) {
    const int64_t positions = std::min(sizes[g], size - begin);
    if (positions > 0) part(g, begin, positions);
    begin += positions;
  }
}

// Copies [outer, inner] blocks of so many bytes, with strides in bytes, side by side.
void CopyBlocks(int64_t outer, int64_t inner, int64_t bytes, const char* from, int64_t outer_stride,
                int64_t inner_stride, char* to) {
  for (int64_t i = 0; i < outer; ++i) {
    for (int64_t j = 0; j < inner; ++j, to += bytes) {
      std::memcpy(to, from + i * outer_stride + j * inner_stride, static_cast<size_t>(bytes));
    }
  }
}

int64_t BytesOf(ElementType type) { return numerics::StorageBytes(type); }

// a[i] += b[i]
void AddNumbers(ElementType type, int64_t count, void* a, const void* b) {
  const auto add = [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < count; ++i) static_cast<T*>(a)[i] += static_cast<const T*>(b)[i];
  };
  switch (type) {
    case ElementType::kF32:
      return add(float{});
    case ElementType::kF64:
      return add(double{});
    case ElementType::kC64:
      return add(std::complex<float>{});
    case ElementType::kC128:
      return add(std::complex<double>{});
    default:
      return add(uint64_t{});
  }
}

}  // namespace

void MultiplyBf16(int64_t batch, int64_t rows, int64_t columns, int64_t inner, const Matrices& lhs, const Matrices& rhs,
                  uint16_t* result) {
  const numerics::GemmSizes sizes = {rows, columns, inner};
  if (!numerics::IsWorthPacking(sizes)) {
    const int64_t count = batch * rows * columns;
    Array sums = Allocate(count * 4);
    MultiplyBf16(batch, rows, columns, inner, lhs, rhs, sums.to<float>());
    for (int64_t i = 0; i < count; ++i) result[i] = numerics::FloatToBf16(sums.as<float>()[i]);
    return;
  }
  Array sums;
  if (numerics::SumsApart(batch, sizes)) sums = Allocate(rows * columns * 4);
  CheckDone(numerics::MultiplyBf16Batch(batch, sizes, ViewOf(lhs), lhs.batch_stride, ViewOf(rhs), rhs.batch_stride,
                                        sums.to<float>(), result, ProgramThreads()));
}

void MultiplyBf16(int64_t batch, int64_t rows, int64_t columns, int64_t inner, const Matrices& lhs, const Matrices& rhs,
                  float* result) {
  const numerics::GemmSizes sizes = {rows, columns, inner};
  if (numerics::IsWorthPacking(sizes)) {
    CheckDone(numerics::MultiplyBf16Batch(batch, sizes, ViewOf(lhs), lhs.batch_stride, ViewOf(rhs), rhs.batch_stride,
                                          result, ProgramThreads()));
    return;
  }
  const numerics::WideOperand stays = numerics::WideOperandOf(sizes, numerics::kThinBf16);
  Array wide_lhs, wide_rhs;
  Matrices l = lhs, r = rhs;
  if (stays != numerics::WideOperand::kLeft) {
    wide_lhs = Widened(lhs, batch, rows, inner);
    l = {wide_lhs.data(), rows * inner, inner, 1};
  }
  if (stays != numerics::WideOperand::kRight) {
    wide_rhs = Widened(rhs, batch, inner, columns);
    r = {wide_rhs.data(), inner * columns, columns, 1};
  }
  numerics::MatrixView left = ViewOf(l), right = ViewOf(r);
  if (stays == numerics::WideOperand::kLeft) left.stored = ElementType::kBF16;
  if (stays == numerics::WideOperand::kRight) right.stored = ElementType::kBF16;
  CheckDone(numerics::MultiplyMatrixBatch(ElementType::kF32, batch, sizes, left, l.batch_stride, right, r.batch_stride,
                                          reinterpret_cast<uint8_t*>(result), ProgramThreads()));
}

void MultiplyMatrices(ElementType type, int64_t batch, int64_t rows, int64_t columns, int64_t inner,
                      const Matrices& lhs, const Matrices& rhs, void* result) {
  CheckDone(numerics::MultiplyMatrixBatch(type, batch, {rows, columns, inner}, ViewOf(lhs), lhs.batch_stride,
                                          ViewOf(rhs), rhs.batch_stride, static_cast<uint8_t*>(result),
                                          ProgramThreads()));
}

void MultiplyRaggedRows(ElementType type, const RaggedSizes& sizes, const Groups& groups, const void* lhs,
                        const void* rhs, void* result) {
  CheckGroups(groups);
  const int64_t bytes = BytesOf(type), block = sizes.ragged * sizes.after;
  std::memset(result, 0, static_cast<size_t>(sizes.batch * sizes.before * block * sizes.columns * bytes));
  for (int64_t row = 0; row < sizes.batch * sizes.before; ++row) {
    ForEachGroup(groups, row, sizes.ragged, [&](int64_t group, int64_t begin, int64_t positions) {
      const int64_t first = row * block + begin * sizes.after;
      const int64_t matrix = group * sizes.batch + row / sizes.before;
      MultiplyMatrices(
          type, 1, positions * sizes.after, sizes.columns, sizes.inner,
          {static_cast<const char*>(lhs) + first * sizes.inner * bytes, 0, sizes.inner, 1},
          {static_cast<const char*>(rhs) + matrix * sizes.inner * sizes.columns * bytes, 0, sizes.columns, 1},
          static_cast<char*>(result) + first * sizes.columns * bytes);
    });
  }
}

void MultiplyRaggedInner(ElementType type, const RaggedSizes& sizes, const Groups& groups, const void* lhs,
                         const void* rhs, void* result) {
  CheckGroups(groups);
  const int64_t bytes = BytesOf(type), count = sizes.rows * sizes.columns, block = sizes.ragged * sizes.after;
  std::memset(result, 0, static_cast<size_t>(groups.count * sizes.batch * count * bytes));
  // Groups that all positions in `before` share are parts of one sum.
  const int64_t joined = groups.rows == 1 ? sizes.before : 1;
  const bool adds_up = joined < sizes.before;
  Array product, left, right;
  if (adds_up) product = Allocate(count * bytes);
  if (joined > 1) {
    left = Allocate(sizes.rows * joined * block * bytes);
    right = Allocate(joined * block * sizes.columns * bytes);
  }
  for (int64_t row = 0; row < sizes.batch * sizes.before; row += joined) {
    ForEachGroup(groups, row, sizes.ragged, [&](int64_t group, int64_t begin, int64_t positions) {
      const int64_t first = begin * sizes.after, inner = positions * sizes.after;
      const char* l = static_cast<const char*>(lhs) + (row * sizes.rows * block + first) * bytes;
      const char* r = static_cast<const char*>(rhs) + (row * block + first) * sizes.columns * bytes;
      int64_t l_stride = block;
      if (joined > 1) {
        CopyBlocks(sizes.rows, joined, inner * bytes, l, block * bytes, sizes.rows * block * bytes, left.to<char>());
        CopyBlocks(1, joined, inner * sizes.columns * bytes, r, 0, block * sizes.columns * bytes, right.to<char>());
        l = left.as<char>();
        r = right.as<char>();
        l_stride = joined * inner;
      }
      char* const sums = static_cast<char*>(result) + (group * sizes.batch + row / sizes.before) * count * bytes;
      char* const target = adds_up ? product.to<char>() : sums;
      MultiplyMatrices(type, 1, sizes.rows, sizes.columns, joined * inner, {l, 0, l_stride, 1},
                       {r, 0, sizes.columns, 1}, target);
      if (adds_up) AddNumbers(type, count, sums, target);
    });
  }
}

void MultiplyRaggedBatch(ElementType type, const RaggedSizes& sizes, const Groups& groups, const void* lhs,
                         const void* rhs, void* result) {
  CheckGroups(groups);
  const int64_t bytes = BytesOf(type), left = sizes.rows * sizes.inner, right = sizes.inner * sizes.columns,
                count = sizes.rows * sizes.columns;
  std::memset(result, 0, static_cast<size_t>(sizes.before * sizes.ragged * sizes.after * count * bytes));
  for (int64_t row = 0; row < sizes.before; ++row) {
    ForEachGroup(groups, row, sizes.ragged, [&](int64_t, int64_t begin, int64_t positions) {
      const int64_t first = (row * sizes.ragged + begin) * sizes.after;
      MultiplyMatrices(type, positions * sizes.after, sizes.rows, sizes.columns, sizes.inner,
                       {static_cast<const char*>(lhs) + first * left * bytes, left, sizes.inner, 1},
                       {static_cast<const char*>(rhs) + first * right * bytes, right, sizes.columns, 1},
                       static_cast<char*>(result) + first * count * bytes);
    });
  }
}

}  // namespace hlo
