#include "evaluator/kernels/radix_order.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hloscope {

absl::Status RadixOrder(const std::vector<uint32_t>& keys, int bits, int64_t* order, RadixScratch& scratch,
                        KernelRuntime& runtime) {
  // Digits of 11 bits make three passes over 32-bit keys; for the fewer bits of the rest, digits of 8.
  const int digit_bits = bits > 16 ? 11 : 8;
  constexpr size_t kPollInterval = size_t{1} << 20;
  const int passes = (bits + digit_bits - 1) / digit_bits;
  const size_t count = keys.size(), buckets = size_t{1} << digit_bits;
  const uint32_t mask = static_cast<uint32_t>(buckets - 1);
  scratch.pairs.resize(count);
  scratch.other.resize(count);
  std::array<std::vector<uint32_t>, 4> histograms;
  for (int p = 0; p < passes; ++p) histograms[static_cast<size_t>(p)].assign(buckets, 0);
  for (size_t j = 0; j < count; ++j) {
    scratch.pairs[j] = static_cast<uint64_t>(keys[j]) << 32 | j;
    for (int p = 0; p < passes; ++p) ++histograms[static_cast<size_t>(p)][keys[j] >> (p * digit_bits) & mask];
  }
  for (int p = 0; p < passes; ++p) {
    std::vector<uint32_t>& place = histograms[static_cast<size_t>(p)];
    // A digit that all keys share moves nothing.
    if (std::find(place.begin(), place.end(), static_cast<uint32_t>(count)) != place.end()) continue;
    uint32_t next = 0;
    for (uint32_t& bucket : place) next += std::exchange(bucket, next);
    const int shift = 32 + p * digit_bits;
    for (size_t first = 0; first < count; first += kPollInterval) {
      if (absl::Status status = runtime.CheckCancelled(); !status.ok()) return status;
      for (size_t j = first; j < std::min(count, first + kPollInterval); ++j) {
        const uint64_t pair = scratch.pairs[j];
        scratch.other[place[pair >> shift & mask]++] = pair;
      }
    }
    std::swap(scratch.pairs, scratch.other);
  }
  for (size_t j = 0; j < count; ++j) order[j] = static_cast<int64_t>(scratch.pairs[j] & 0xffffffff);
  return absl::OkStatus();
}

}  // namespace hloscope
