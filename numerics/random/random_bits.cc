// SPDX-License-Identifier: Apache-2.0
#include "numerics/random/random_bits.h"

#include <algorithm>
#include <bit>

namespace hloscope::numerics {
namespace {

// Blocks computed at a time, in arrays that the compiler can keep in vector registers.
constexpr int64_t kBatch = 16;

uint32_t Low(uint64_t x) { return static_cast<uint32_t>(x); }
uint32_t High(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

void ThreeFryBatch(uint64_t key, uint64_t first_counter, uint32_t* x0, uint32_t* x1) {
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t keys[3] = {Low(key), High(key), 0x1BD11BDA ^ Low(key) ^ High(key)};
  for (int64_t j = 0; j < kBatch; ++j) {
    const uint64_t counter = first_counter + static_cast<uint64_t>(j);
    x0[j] = Low(counter) + keys[0];
    x1[j] = High(counter) + keys[1];
  }
  for (uint32_t group = 0; group < 5; ++group) {
    for (int rotation : kRotations[group % 2]) {
      for (int64_t j = 0; j < kBatch; ++j) {
        x0[j] += x1[j];
        x1[j] = std::rotl(x1[j], rotation) ^ x0[j];
      }
    }
    for (int64_t j = 0; j < kBatch; ++j) {
      x0[j] += keys[(group + 1) % 3];
      x1[j] += keys[(group + 2) % 3] + group + 1;
    }
  }
}

// Word w of block j goes to words[4 * j + w].
void PhiloxBatch(uint64_t key, const RandomCounter& counter, uint32_t* words) {
  uint32_t x0[kBatch], x1[kBatch], x2[kBatch], x3[kBatch];
  for (int64_t j = 0; j < kBatch; ++j) {
    const RandomCounter block = counter.Plus(static_cast<uint64_t>(j));
    x0[j] = Low(block.low);
    x1[j] = High(block.low);
    x2[j] = Low(block.high);
    x3[j] = High(block.high);
  }
  uint32_t k0 = Low(key), k1 = High(key);
  for (int round = 0; round < 10; ++round) {
    for (int64_t j = 0; j < kBatch; ++j) {
      const uint64_t product0 = uint64_t{x0[j]} * 0xD2511F53u;
      const uint64_t product1 = uint64_t{x2[j]} * 0xCD9E8D57u;
      x0[j] = High(product1) ^ x1[j] ^ k0;
      x1[j] = Low(product1);
      x2[j] = High(product0) ^ x3[j] ^ k1;
      x3[j] = Low(product0);
    }
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  for (int64_t j = 0; j < kBatch; ++j) {
    words[4 * j] = x0[j];
    words[4 * j + 1] = x1[j];
    words[4 * j + 2] = x2[j];
    words[4 * j + 3] = x3[j];
  }
}

}  // namespace

void ThreeFryBlocks(uint64_t key, uint64_t first_counter, int64_t count, uint32_t* x0, uint32_t* x1) {
  for (int64_t first = 0; first < count; first += kBatch) {
    uint32_t batch0[kBatch], batch1[kBatch];
    ThreeFryBatch(key, first_counter + static_cast<uint64_t>(first), batch0, batch1);
    const int64_t used = std::min(kBatch, count - first);
    std::copy(batch0, batch0 + used, x0 + first);
    std::copy(batch1, batch1 + used, x1 + first);
  }
}

void PhiloxWords(uint64_t key, const RandomCounter& counter, int64_t first, int64_t count, uint32_t* words) {
  const int64_t end = first + count;
  for (int64_t block = first / 4; 4 * block < end; block += kBatch) {
    uint32_t batch[4 * kBatch];
    PhiloxBatch(key, counter.Plus(static_cast<uint64_t>(block)), batch);
    const int64_t from = std::max(first, 4 * block), to = std::min(end, 4 * (block + kBatch));
    std::copy(batch + (from - 4 * block), batch + (to - 4 * block), words + (from - first));
  }
}

}  // namespace hloscope::numerics
