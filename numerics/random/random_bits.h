// SPDX-License-Identifier: Apache-2.0
// Counter-based random bit generators (docs/ops/elementwise.md 11.1): pure functions of key and counter.
#ifndef HLOSCOPE_NUMERICS_RANDOM_RANDOM_BITS_H_
#define HLOSCOPE_NUMERICS_RANDOM_RANDOM_BITS_H_

#include <cstdint>

namespace hloscope::numerics {

// ThreeFry-2x32 with 20 rounds. Computes the blocks of the counters first_counter, first_counter + 1, ... (modulo
// 2^64): x0[j] and x1[j] are the words of block j.
void ThreeFryBlocks(uint64_t key, uint64_t first_counter, int64_t count, uint32_t* x0, uint32_t* x1);

// A 128-bit counter.
struct RandomCounter {
  uint64_t low = 0;
  uint64_t high = 0;

  // With carry.
  RandomCounter Plus(uint64_t n) const {
    const uint64_t sum = low + n;
    return {sum, high + (sum < n ? 1 : 0)};
  }
  friend bool operator==(const RandomCounter&, const RandomCounter&) = default;
};

// Philox-4x32 with 10 rounds: the words [first, first + count) of the stream that the blocks of the counters `counter`,
// `counter` + 1, ... make, four words each.
void PhiloxWords(uint64_t key, const RandomCounter& counter, int64_t first, int64_t count, uint32_t* words);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_RANDOM_RANDOM_BITS_H_
