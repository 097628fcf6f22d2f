// SPDX-License-Identifier: Apache-2.0
#include "numerics/contraction/narrow_gemm.h"

#include <algorithm>
#include <atomic>

#include "numerics/contraction/bf16_arrays.h"
#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/contraction/pack_lines.h"
#include "numerics/contraction/packed_gemm.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Of all elements of the lines. Cancelled, it may say anything: the product will see it.
bool AreSafeForPairs(const Bf16Lines& lines, int64_t count, Executor& executor) {
  // Runs of neighbours: the lines, or what lies across them.
  const bool along = lines.step == 1;
  const int64_t runs = along ? count : lines.inner, size = along ? lines.inner : count;
  const int64_t stride = along ? lines.line_stride : lines.step;
  std::atomic<bool> safe = true;
  const Outcome outcome =
      ParallelLoop(executor, runs, 5 + 0.05 * static_cast<double>(size), [&](int64_t begin, int64_t end) {
        // Where one run follows the other they are one.
        const int64_t joined = stride == size ? end - begin : 1;
        for (int64_t run = begin; run < end && safe; run += joined) {
          if (!IsSafeForPairs(lines.data + run * stride, joined * size)) safe = false;
        }
      });
  return outcome.ok() && safe;
}

// Sums of one product that a thread keeps for itself.
constexpr int64_t kMaxOwnSums = int64_t{1} << 18;
Workspace<float>& OwnSums() {
  static thread_local Workspace<float> sums;
  return sums;
}

double ProductNanoseconds(const GemmSizes& sizes) {
  return static_cast<double>(sizes.rows) * static_cast<double>(sizes.columns * sizes.inner) *
         MultiplyAddNanoseconds(ElementType::kF32);
}

Outcome MultiplyLines(const Bf16Lines& rows, const Bf16Lines& columns, const GemmSizes& sizes, float* sums,
                      Executor& executor) {
  if (MultipliesPairs() && AreSafeForPairs(rows, sizes.rows, executor) &&
      AreSafeForPairs(columns, sizes.columns, executor)) {
    const auto pack = [](const Bf16Lines& lines) {
      return [&lines](int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, uint32_t* packed) {
        lines.PackPairs(first, count, begin, end, panel, packed);
      };
    };
    return MultiplyPackedPairs({sizes.rows, sizes.columns, (sizes.inner + 1) / 2}, pack(rows), pack(columns), sums,
                               sizes.columns, executor);
  }
  const auto pack = [](const Bf16Lines& lines) {
    return [&lines](int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, float* packed) {
      lines.Pack(first, count, begin, end, panel, packed);
    };
  };
  return MultiplyPacked<float>(sizes, pack(rows), pack(columns), sums, sizes.columns, executor);
}

// The operands of a batch of products.
struct Bf16Batch {
  // The sums of product b.
  Outcome Multiply(int64_t b, float* sums, Executor& executor) const {
    const Bf16Lines rows = {reinterpret_cast<const uint16_t*>(lhs.data) + b * lhs_stride, lhs.row_stride,
                            lhs.column_stride, sizes.inner};
    const Bf16Lines columns = {reinterpret_cast<const uint16_t*>(rhs.data) + b * rhs_stride, rhs.column_stride,
                               rhs.row_stride, sizes.inner};
    return MultiplyLines(rows, columns, sizes, sums, executor);
  }

  const MatrixView &lhs, &rhs;
  int64_t lhs_stride, rhs_stride;
  const GemmSizes& sizes;
};

}  // namespace

bool SumsApart(int64_t batch, const GemmSizes& sizes) {
  return sizes.rows * sizes.columns > kMaxOwnSums || !AreDistributed(batch, ProductNanoseconds(sizes));
}

Outcome MultiplyBf16Batch(int64_t batch, const GemmSizes& sizes, const MatrixView& lhs, int64_t lhs_batch_stride,
                          const MatrixView& rhs, int64_t rhs_batch_stride, float* sums, uint16_t* result,
                          Executor& executor) {
  const int64_t count = sizes.rows * sizes.columns;
  const Bf16Batch operands = {lhs, rhs, lhs_batch_stride, rhs_batch_stride, sizes};
  const auto multiply = [&](int64_t b, float* own_sums) {
    if (Outcome outcome = operands.Multiply(b, own_sums, executor); !outcome.ok()) return outcome;
    uint16_t* const to = result + b * count;
    return ParallelLoop(executor, count, 0.2,
                        [&](int64_t begin, int64_t end) { RoundToBf16(own_sums + begin, end - begin, to + begin); });
  };
  if (SumsApart(batch, sizes)) {
    for (int64_t b = 0; b < batch; ++b) {
      if (Outcome outcome = multiply(b, sums); !outcome.ok()) return outcome;
    }
    return Outcome::kDone;
  }
  return MultiplyEach(
      batch, ProductNanoseconds(sizes),
      [&](int64_t b) {
        float* const own_sums = OwnSums().Get(count);
        if (own_sums == nullptr) return Outcome(Outcome::kNoMemory);
        return multiply(b, own_sums);
      },
      executor);
}

Outcome MultiplyBf16Batch(int64_t batch, const GemmSizes& sizes, const MatrixView& lhs, int64_t lhs_batch_stride,
                          const MatrixView& rhs, int64_t rhs_batch_stride, float* result, Executor& executor) {
  const Bf16Batch operands = {lhs, rhs, lhs_batch_stride, rhs_batch_stride, sizes};
  return MultiplyEach(
      batch, ProductNanoseconds(sizes),
      [&](int64_t b) { return operands.Multiply(b, result + b * sizes.rows * sizes.columns, executor); }, executor);
}

}  // namespace hloscope::numerics
