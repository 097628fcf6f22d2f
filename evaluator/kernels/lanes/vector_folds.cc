// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/vector_folds.h"

#include "numerics/parallel/vector_loops.h"

namespace hloscope::evaluator {
namespace {

// One operation at a time: of a chain of comparisons the compiler makes branches. What the rows add to stays in the
// first cache level.
#define HLOSCOPE_FLOAT_ROWS(Name)                                                                                 \
  HLOSCOPE_VECTOR_CLONES void Name##Rows(const float* const* rows, int64_t row_count, int64_t lanes,              \
                                         float* accumulators) {                                                   \
    for (int64_t r = 0; r < row_count; ++r) {                                                                     \
      const float* const a = rows[r];                                                                             \
      HLOSCOPE_INDEPENDENT_LANES                                                                                  \
      for (int64_t l = 0; l < lanes; ++l) accumulators[l] = numerics::elementwise::Name()(accumulators[l], a[l]); \
    }                                                                                                             \
  }
HLOSCOPE_FLOAT_ROWS(Add)
HLOSCOPE_FLOAT_ROWS(Maximum)
HLOSCOPE_FLOAT_ROWS(Minimum)
#undef HLOSCOPE_FLOAT_ROWS

// ways[l] = op(ways[l], x[l]).
template <int64_t kLanes, typename X, typename Op>
[[gnu::always_inline]] inline void FoldLanes(Op op, const X* x, float* ways) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t l = 0; l < kLanes; ++l) ways[l] = op(ways[l], numerics::Widened(x[l]));
}

// Bytes that are asked for ahead of what is folded: the processor itself does not look across pages.
constexpr int64_t kAhead = 4096, kLine = 64;

template <int64_t kWays, typename X, typename Op>
[[gnu::always_inline]] inline float FoldRun(const X* x, int64_t count, Op op) {
  float ways[kWays];
  for (int64_t w = 0; w < kWays; ++w) ways[w] = numerics::Widened(x[w]);
  for (int64_t i = kWays; i + kWays <= count; i += kWays) {
    for (int64_t at = 0; at < kWays * static_cast<int64_t>(sizeof(X)); at += kLine) {
      __builtin_prefetch(reinterpret_cast<const char*>(x + i) + kAhead + at);
    }
    FoldLanes<kWays>(op, x + i, ways);
  }
  FoldLanes<kWays>(op, x + count - kWays, ways);  // the rest, and some of the others again
  if constexpr (kWays > 32) FoldLanes<32>(op, ways + 32, ways);
  if constexpr (kWays > 16) FoldLanes<16>(op, ways + 16, ways);
  FoldLanes<8>(op, ways + 8, ways);
  FoldLanes<4>(op, ways + 4, ways);
  return op(op(ways[0], ways[1]), op(ways[2], ways[3]));
}

template <typename X, typename Op>
[[gnu::always_inline]] inline float FoldRun(const X* x, int64_t count, Op op) {
  return count >= 64 ? FoldRun<64>(x, count, op) : FoldRun<kMinFoldedRun>(x, count, op);
}

}  // namespace

#define HLOSCOPE_FLOAT_RUN(Name, X)                                                                      \
  HLOSCOPE_VECTOR_CLONES float FoldFloatRun(numerics::elementwise::Name op, const X* x, int64_t count) { \
    return FoldRun(x, count, op);                                                                        \
  }
HLOSCOPE_FLOAT_RUN(Maximum, float)
HLOSCOPE_FLOAT_RUN(Minimum, float)
HLOSCOPE_FLOAT_RUN(Maximum, numerics::Bf16)
HLOSCOPE_FLOAT_RUN(Minimum, numerics::Bf16)
#undef HLOSCOPE_FLOAT_RUN

FoldFloatRows FloatRowFold(numerics::elementwise::Add) { return &AddRows; }
FoldFloatRows FloatRowFold(numerics::elementwise::Maximum) { return &MaximumRows; }
FoldFloatRows FloatRowFold(numerics::elementwise::Minimum) { return &MinimumRows; }

}  // namespace hloscope::evaluator
