#include "evaluator/kernels/narrow_gemm.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "evaluator/kernels/lane_loops.h"
#include "evaluator/kernels/packed_gemm.h"
#include "evaluator/kernels/parallel_loop.h"
#include "evaluator/tensor/numeric.h"

namespace hloscope {
namespace {

// One matrix with its lines (rows of the left operand, columns of the right one).
struct Lines {
  const uint16_t* data;
  int64_t line_stride, step, inner;

  // As PackStrided, widened.
  void Pack(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, float* to) const {
    ForEach(first, count, begin, end, panel, to,
            [](float& place, const uint16_t* from) { place = Bf16ToFloat(*from); });
  }
  // Pairs [begin, end).
  void PackPairs(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, uint32_t* to) const {
    const Lines pairs = {data, line_stride, 2 * step, inner / 2};
    const int64_t whole = std::min(end, inner / 2);
    pairs.ForEach(first, count, begin, whole, panel, to, [this](uint32_t& place, const uint16_t* from) {
      place = from[0] | static_cast<uint32_t>(from[step]) << 16;
    });
    if (whole == end) return;
    uint32_t* const last = to + (whole - begin) * panel;
    std::fill_n(last, panel, 0);
    for (int64_t line = 0; line < count; ++line) last[line] = data[(first + line) * line_stride + (inner - 1) * step];
  }

 private:
  template <typename Packed, typename Put>
  void ForEach(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, Packed* to,
               const Put& put) const {
    if (count < panel) std::fill_n(to, panel * std::max<int64_t>(end - begin, 0), Packed());
    const uint16_t* from = data + first * line_stride + begin * step;
    if (line_stride == 1) {
      for (int64_t k = begin; k < end; ++k, from += step, to += panel) {
        for (int64_t line = 0; line < count; ++line) put(to[line], from + line);
      }
      return;
    }
    constexpr int64_t kRun = 16;
    for (int64_t k = begin; k < end; k += kRun, from += kRun * step, to += kRun * panel) {
      const int64_t run = std::min(kRun, end - k);
      for (int64_t line = 0; line < count; ++line) {
        for (int64_t i = 0; i < run; ++i) put(to[i * panel + line], from + line * line_stride + i * step);
      }
    }
  }
};

}  // namespace

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
    const Lines rows = {reinterpret_cast<const uint16_t*>(lhs.data) + b * lhs_batch_stride, lhs.row_stride,
                        lhs.column_stride, sizes.inner};
    const Lines columns = {reinterpret_cast<const uint16_t*>(rhs.data) + b * rhs_batch_stride, rhs.column_stride,
                           rhs.row_stride, sizes.inner};
    float* const to = result + b * sizes.rows * sizes.columns;
    if (safe_for_pairs && HasPairProducts()) {
      const auto pack = [](const Lines& lines) {
        return [&lines](int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, uint32_t* packed) {
          lines.PackPairs(first, count, begin, end, panel, packed);
        };
      };
      return MultiplyPackedPairs({sizes.rows, sizes.columns, (sizes.inner + 1) / 2}, pack(rows), pack(columns), to,
                                 sizes.columns, runtime);
    }
    const auto pack = [](const Lines& lines) {
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
