#include "evaluator/kernels/narrow_gemm.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "evaluator/kernels/lane_loops.h"
#include "evaluator/kernels/pack_lines.h"
#include "evaluator/kernels/packed_gemm.h"
#include "evaluator/kernels/parallel_loop.h"

namespace hloscope {
HLOSCOPE_VECTOR_CLONES bool IsSafeForPairs(const uint16_t* values, int64_t count) {
  constexpr uint16_t kLeast = (127 - 50) << 7;  // 2^-50
  constexpr int64_t kBlock = 4096;
  for (int64_t first = 0; first < count; first += kBlock) {
    const int64_t end = std::min(count, first + kBlock);
    uint16_t small = 0;
    for (int64_t i = first; i < end; ++i) {
      const uint16_t size = values[i] & 0x7fff;
      small |= static_cast<uint16_t>(size != 0 && size < kLeast ? 1 : 0);
    }
    if (small != 0) return false;
  }
  return true;
}

absl::Status MultiplyBf16Batch(int64_t batch, const GemmSizes& sizes, const MatrixView& lhs, int64_t lhs_batch_stride,
                               const MatrixView& rhs, int64_t rhs_batch_stride, bool safe_for_pairs, float* result,
                               KernelRuntime& runtime) {
  const auto multiply = [&](int64_t b) {
    const Bf16Lines rows = {reinterpret_cast<const uint16_t*>(lhs.data) + b * lhs_batch_stride, lhs.row_stride,
                            lhs.column_stride, sizes.inner};
    const Bf16Lines columns = {reinterpret_cast<const uint16_t*>(rhs.data) + b * rhs_batch_stride, rhs.column_stride,
                               rhs.row_stride, sizes.inner};
    float* const to = result + b * sizes.rows * sizes.columns;
    if (safe_for_pairs && HasPairProducts()) {
      const auto pack = [](const Bf16Lines& lines) {
        return [&lines](int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, uint32_t* packed) {
          lines.PackPairs(first, count, begin, end, panel, packed);
        };
      };
      return MultiplyPackedPairs({sizes.rows, sizes.columns, (sizes.inner + 1) / 2}, pack(rows), pack(columns), to,
                                 sizes.columns, runtime);
    }
    const auto pack = [](const Bf16Lines& lines) {
      return [&lines](int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, float* packed) {
        lines.Pack(first, count, begin, end, panel, packed);
      };
    };
    return MultiplyPacked<float>(sizes, pack(rows), pack(columns), to, sizes.columns, runtime);
  };
  const double products = static_cast<double>(sizes.rows) * static_cast<double>(sizes.columns * sizes.inner);
  return MultiplyEach(batch, products * MultiplyAddNanoseconds(ElementType::kF32), multiply, runtime);
}

}  // namespace hloscope
