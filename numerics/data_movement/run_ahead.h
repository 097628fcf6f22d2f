// SPDX-License-Identifier: Apache-2.0
// Asks for memory ahead of a loop over a run of neighbouring numbers: the processor itself looks across pages too late
// or not at all.
#ifndef HLOSCOPE_NUMERICS_DATA_MOVEMENT_RUN_AHEAD_H_
#define HLOSCOPE_NUMERICS_DATA_MOVEMENT_RUN_AHEAD_H_

#include <cstdint>

namespace hloscope::numerics {

// Asks for a cache line that will be read. It goes into the second cache level: until a loop gets there it reads more
// than what the first one of some processors holds.
[[gnu::always_inline]] inline void FetchLine(const void* x) {
  constexpr int kReads = 0, kSecondLevel = 2;
  __builtin_prefetch(x, kReads, kSecondLevel);
}

// To be called for each `count` numbers (whole cache lines, or less than one) that the loop reads at `x`. The distance
// is four pages: with one, sums wait for memory a fifth of the time (`hloscope_bench evaluator reduce_last`).
template <typename X>
[[gnu::always_inline]] inline void FetchAhead(const X* x, int64_t count) {
  constexpr int64_t kAhead = 16384, kLine = 64;
  for (int64_t at = 0; at < count * static_cast<int64_t>(sizeof(X)); at += kLine) {
    FetchLine(reinterpret_cast<const char*>(x) + kAhead + at);
  }
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_DATA_MOVEMENT_RUN_AHEAD_H_
