// SPDX-License-Identifier: Apache-2.0
#include "numerics/sorting/top_of_line.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "numerics/elements/element_bits.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
namespace {

// Elements whose keys are made at a time: where none of them is among the first, they are not looked at one by one.
constexpr int64_t kBlock = 256;

struct Candidate {
  int64_t key, position;
};

bool IsBefore(const Candidate& a, const Candidate& b) {
  return a.key != b.key ? a.key < b.key : a.position < b.position;
}

// Flips bits of the keys and returns the least of them.
HLOSCOPE_VECTOR_CLONES int64_t FlipAndFindLeast(int64_t flip, int64_t count, int64_t* keys) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int64_t i = 0; i < count; ++i) {
    keys[i] ^= flip;
    least = std::min(least, keys[i]);
  }
  return least;
}

}  // namespace

void TopOfLine(const StrictOrder& by, const uint8_t* line, int64_t length, int64_t k, int64_t* positions) {
  const size_t kept = static_cast<size_t>(std::min(k, length));
  if (kept == 0) return;
  std::vector<Candidate> candidates;
  candidates.reserve(std::min(static_cast<size_t>(length), 2 * kept + size_t{kBlock}));
  bool has_limit = false;
  int64_t limit = 0;  // the key of the last one so far: what comes later must be less
  const auto prune = [&] {
    const auto last = candidates.begin() + static_cast<int64_t>(kept) - 1;
    std::nth_element(candidates.begin(), last, candidates.end(), IsBefore);
    limit = last->key;
    has_limit = true;
    candidates.resize(kept);
  };
  const int64_t bytes = StorageBytes(by.type);
  // All bits flipped turn the order around without overflow.
  const int64_t flip = by.descending ? -1 : 0;
  int64_t keys[kBlock];
  for (int64_t first = 0; first < length; first += kBlock) {
    const int64_t count = std::min(kBlock, length - first);
    OrderKeys(by.type, line + first * bytes, count, keys);
    const int64_t least = FlipAndFindLeast(flip, count, keys);
    if (has_limit && least >= limit) continue;
    for (int64_t i = 0; i < count; ++i) {
      if (!has_limit || keys[i] < limit) candidates.push_back({keys[i], first + i});
    }
    if (candidates.size() >= 2 * kept) prune();
  }
  if (candidates.size() > kept) prune();
  std::sort(candidates.begin(), candidates.end(), IsBefore);
  for (size_t j = 0; j < kept; ++j) positions[j] = candidates[j].position;
}

}  // namespace hloscope::numerics
