// SPDX-License-Identifier: Apache-2.0
#include "numerics/contraction/packed_gemm.h"

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/contraction/tile_product.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Along the contracted dimension: how often a result is read and written again, and how long threads work before they
// wait for each other.
constexpr int64_t kInnerBlock = 512;
// A block of the right operand, shared by the threads, fits in the last-level cache; the part of the left operand that
// a thread packs at a time fits in its own.
constexpr int64_t kColumnBlock = 1024;
constexpr int64_t kRowBlockBytes = 256 << 10, kLeastRowBlock = 48;

// Rows that a thread packs at a time: of a product with few rows, a part.
int64_t RowBlock(int64_t rows, int64_t inner, int64_t bytes) {
  const int64_t most = std::max(kRowBlockBytes / (std::clamp<int64_t>(inner, 1, kInnerBlock) * bytes), kLeastRowBlock);
  return std::min(rows, std::clamp(rows / 4, kLeastRowBlock, most));
}

// Rows [row, row_end) of the product with a packed block of columns.
template <typename T, typename Packed>
void MultiplyRows(const MicroKernel<T, Packed>& kernel, int64_t row, int64_t row_end, int64_t columns, int64_t inner,
                  const Packed* a, const Packed* b, T* result, int64_t stride, bool accumulate) {
  for (int64_t column = 0; column < columns; column += kernel.columns, b += kernel.columns * inner) {
    const int64_t width = std::min(kernel.columns, columns - column);
    const Packed* panel = a;
    for (int64_t r = row; r < row_end; r += kernel.rows, panel += kernel.rows * inner) {
      MultiplyTilePart(kernel, inner, panel, b, std::min(kernel.rows, row_end - r), width, result + r * stride + column,
                       stride, accumulate);
    }
  }
}

// Memory for the rows that a thread packs. A function, so that every thread makes and releases its own: of a variable
// of the function that starts a loop, only the thread that called it would.
template <typename Packed>
Workspace<Packed>& OwnRows() {
  static thread_local Workspace<Packed> rows;
  return rows;
}

Outcome NoMemory() { return Outcome(Outcome::kNoMemory); }

// See packed_gemm.h.
template <typename T, typename Packed>
Outcome Multiply(const MicroKernel<T, Packed>& kernel, const GemmSizes& sizes, PackPanel<Packed> pack_rows,
                 PackPanel<Packed> pack_columns, T* result, int64_t result_row_stride, Executor& executor) {
  static thread_local Workspace<Packed> shared;
  std::atomic<bool> out_of_memory{false};
  const double nanoseconds = MultiplyAddNanoseconds(std::is_same_v<T, uint32_t> ? ElementType::kU32
                                                    : sizeof(T) == 4            ? ElementType::kF32
                                                                                : ElementType::kF64);
  // No bigger than the product: a wide one with few rows would else have a single block.
  const int64_t row_block = RoundUp(RowBlock(sizes.rows, sizes.inner, sizeof(Packed)), kernel.rows);
  const int64_t row_blocks = (sizes.rows - 1) / row_block + 1;
  for (int64_t column = 0; column < sizes.columns; column += kColumnBlock) {
    const int64_t columns = std::min(kColumnBlock, sizes.columns - column);
    const int64_t panels = (columns - 1) / kernel.columns + 1;
    for (int64_t k = 0; k < sizes.inner; k += kInnerBlock) {
      const int64_t inner = std::min(kInnerBlock, sizes.inner - k);
      Packed* const packed = shared.Get(panels * kernel.columns * inner);
      if (packed == nullptr) return NoMemory();
      Outcome outcome = ParallelLoop(executor, panels, 1.0 * static_cast<double>(kernel.columns * inner),
                                     [&](int64_t begin, int64_t end) {
                                       for (int64_t p = begin; p < end; ++p) {
                                         const int64_t first = p * kernel.columns;
                                         pack_columns(column + first, std::min(kernel.columns, columns - first), k,
                                                      k + inner, kernel.columns, packed + first * inner);
                                       }
                                     });
      if (!outcome.ok()) return outcome;
      const double block_nanoseconds =
          static_cast<double>(row_block * inner) * (1 + nanoseconds * static_cast<double>(columns));
      // Where there are fewer blocks of rows than would keep threads busy, columns are distributed too.
      const int64_t parts = row_blocks >= 16  ? 1
                            : row_blocks >= 8 ? std::min<int64_t>(panels, 2)
                                              : std::min(panels, 8 / row_blocks);
      outcome = ParallelLoop(executor, row_blocks * parts, block_nanoseconds / static_cast<double>(parts),
                             [&](int64_t begin, int64_t end) {
                               Packed* const rows = OwnRows<Packed>().Get(row_block * inner);
                               if (rows == nullptr) {
                                 out_of_memory = true;
                                 return;
                               }
                               int64_t packed_block = -1;
                               for (int64_t task = begin; task < end; ++task) {
                                 const int64_t block = task / parts, part = task % parts;
                                 const int64_t row = block * row_block, row_end = std::min(sizes.rows, row + row_block);
                                 if (block != packed_block) {
                                   for (int64_t r = row; r < row_end; r += kernel.rows) {
                                     pack_rows(r, std::min(kernel.rows, row_end - r), k, k + inner, kernel.rows,
                                               rows + (r - row) * inner);
                                   }
                                   packed_block = block;
                                 }
                                 const int64_t first = panels * part / parts * kernel.columns;
                                 const int64_t last = std::min(columns, panels * (part + 1) / parts * kernel.columns);
                                 MultiplyRows(kernel, row, row_end, last - first, inner, rows, packed + first * inner,
                                              result + column + first, result_row_stride, k > 0);
                               }
                             });
      if (!outcome.ok()) return outcome;
      if (out_of_memory) return NoMemory();
    }
  }
  return Outcome::kDone;
}

}  // namespace

template <typename T>
Outcome MultiplyPacked(const GemmSizes& sizes, PackPanel<T> pack_rows, PackPanel<T> pack_columns, T* result,
                       int64_t result_row_stride, Executor& executor) {
  return Multiply<T, T>(BestMicroKernel<T>(), sizes, pack_rows, pack_columns, result, result_row_stride, executor);
}

Outcome MultiplyPackedPairs(const GemmSizes& sizes, PackPanel<uint32_t> pack_rows, PackPanel<uint32_t> pack_columns,
                            float* result, int64_t result_row_stride, Executor& executor) {
  return Multiply<float, uint32_t>(BestMicroKernel<float, uint32_t>(), sizes, pack_rows, pack_columns, result,
                                   result_row_stride, executor);
}

template Outcome MultiplyPacked<float>(const GemmSizes&, PackPanel<float>, PackPanel<float>, float*, int64_t,
                                       Executor&);
template Outcome MultiplyPacked<uint32_t>(const GemmSizes&, PackPanel<uint32_t>, PackPanel<uint32_t>, uint32_t*,
                                          int64_t, Executor&);
template Outcome MultiplyPacked<double>(const GemmSizes&, PackPanel<double>, PackPanel<double>, double*, int64_t,
                                        Executor&);

bool IsWorthPacking(const GemmSizes& sizes) {
  // Of a product with a vector, every element is used once.
  return sizes.rows >= 4 && sizes.columns >= 8 && sizes.inner >= 4 && sizes.rows * sizes.columns >= 256;
}

}  // namespace hloscope::numerics
