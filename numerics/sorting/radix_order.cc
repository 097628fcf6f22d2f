// SPDX-License-Identifier: Apache-2.0
#include "numerics/sorting/radix_order.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {

Outcome RadixOrder(RadixScratch& scratch, int64_t count, int bits, int64_t* order, Executor& executor) {
  // Digits of 11 bits make three passes over 32-bit keys; for the fewer bits of the rest, digits of 8.
  const int digit_bits = bits > 16 ? 11 : 8;
  constexpr double kElementNanoseconds = 4;
  const int passes = (bits + digit_bits - 1) / digit_bits;
  const size_t buckets = size_t{1} << digit_bits;
  const uint32_t mask = static_cast<uint32_t>(buckets - 1);
  const uint32_t* const keys = scratch.keys.get();
  std::array<std::vector<uint32_t>, 4> histograms;
  for (int p = 0; p < passes; ++p) histograms[static_cast<size_t>(p)].assign(buckets, 0);
  const auto for_all = [&](auto body) {
    return SerialLoop(executor, count, kElementNanoseconds, [&](int64_t begin, int64_t end) {
      for (size_t j = static_cast<size_t>(begin); j < static_cast<size_t>(end); ++j) body(j);
    });
  };
  Outcome outcome = for_all([&](size_t j) {
    scratch.pairs[j] = static_cast<uint64_t>(keys[j]) << 32 | j;
    for (int p = 0; p < passes; ++p) ++histograms[static_cast<size_t>(p)][keys[j] >> (p * digit_bits) & mask];
  });
  if (!outcome.ok()) return outcome;
  for (int p = 0; p < passes; ++p) {
    std::vector<uint32_t>& place = histograms[static_cast<size_t>(p)];
    // A digit that all keys share moves nothing.
    if (std::find(place.begin(), place.end(), static_cast<uint32_t>(count)) != place.end()) continue;
    uint32_t next = 0;
    for (uint32_t& bucket : place) next += std::exchange(bucket, next);
    const int shift = 32 + p * digit_bits;
    const uint64_t* const from = scratch.pairs.get();
    uint64_t* const to = scratch.other.get();
    uint32_t* const places = place.data();
    outcome = for_all([=](size_t j) { to[places[from[j] >> shift & mask]++] = from[j]; });
    if (!outcome.ok()) return outcome;
    std::swap(scratch.pairs, scratch.other);
  }
  return for_all([&](size_t j) { order[j] = static_cast<int64_t>(scratch.pairs[j] & 0xffffffff); });
}

}  // namespace hloscope::numerics
