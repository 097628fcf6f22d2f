// SPDX-License-Identifier: Apache-2.0
#include "numerics/memory/page_ranges.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace hloscope::numerics {
namespace {

// Moves a page to `target`, which is mapped, too. False: nothing was moved, and `target` may be lost.
bool MovePage(uint8_t* page, uint8_t* target) {
  constexpr size_t kBytes = PageRanges::kPage;
  return mremap(page, kBytes, kBytes, MREMAP_MAYMOVE | MREMAP_FIXED, target) != MAP_FAILED;
}

constexpr auto kHasLess = [](const auto& a, const auto& b) { return a.second < b.second; };

}  // namespace

uint8_t* PageRanges::Map(int64_t bytes) {
  // Reserve a page more than needed and give the unaligned ends back.
  const size_t reserved = static_cast<size_t>(bytes + kPage);
  void* const raw = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  void* aligned = raw;
  size_t left = reserved;
  std::align(kPage, static_cast<size_t>(bytes), aligned, left);
  if (left < reserved) munmap(raw, reserved - left);
  uint8_t* const block = static_cast<uint8_t*>(aligned);
  if (left > static_cast<size_t>(bytes)) munmap(block + bytes, left - static_cast<size_t>(bytes));
  madvise(block, static_cast<size_t>(bytes), MADV_HUGEPAGE);
  return block;
}

uint8_t* PageRanges::Take(int64_t bytes) {
  uint8_t* const block = TakeWhole(bytes);
  return block == nullptr && !ranges_.empty() ? Join(bytes) : block;
}

// The smallest range that is large enough, its lower end.
uint8_t* PageRanges::TakeWhole(int64_t bytes) {
  auto best = ranges_.end();
  for (auto range = ranges_.begin(); range != ranges_.end(); ++range) {
    if (range->second >= bytes && (best == ranges_.end() || range->second < best->second)) best = range;
  }
  if (best == ranges_.end()) return nullptr;
  const auto [block, size] = *best;
  ranges_.erase(best);
  if (size > bytes) ranges_.emplace(block + bytes, size - bytes);
  waiting_ -= bytes;
  return block;
}

// A new range made of the pages of others, as far as they last: moving them costs little, clearing new ones much. Small
// ranges first: large ones serve requests as they are.
uint8_t* PageRanges::Join(int64_t bytes) {
  uint8_t* const block = Map(bytes);
  if (block == nullptr) return nullptr;
  std::vector<std::pair<uint8_t*, int64_t>> by_size(ranges_.begin(), ranges_.end());
  std::sort(by_size.begin(), by_size.end(), kHasLess);
  uint8_t* target = block;
  for (const auto& [range, range_bytes] : by_size) {
    ranges_.erase(range);
    for (int64_t offset = 0; offset < range_bytes; offset += kPage) {
      uint8_t* const page = range + offset;
      const bool is_full = target == block + bytes;
      if (!is_full && MovePage(page, target)) {
        target += kPage;
        waiting_ -= kPage;
        continue;
      }
      ranges_.emplace(page, range_bytes - offset);
      if (is_full) return block;
      // The process has as many mappings as it may have: the rest is new memory.
      const bool is_mapped = mmap(target, kPage, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
      if (is_mapped) return block;
      munmap(block, static_cast<size_t>(bytes));
      return nullptr;
    }
  }
  return block;
}

void PageRanges::Put(uint8_t* block, int64_t bytes) {
  waiting_ += bytes;
  auto next = ranges_.lower_bound(block);
  if (next != ranges_.end() && next->first == block + bytes) {
    bytes += next->second;
    next = ranges_.erase(next);
  }
  if (next != ranges_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == block) {
      previous->second += bytes;
      return;
    }
  }
  ranges_.emplace_hint(next, block, bytes);
}

void PageRanges::TrimTo(int64_t bytes) {
  while (waiting_ > bytes && !ranges_.empty()) {
    const auto largest = std::max_element(ranges_.begin(), ranges_.end(), kHasLess);
    const int64_t returned = std::min(largest->second, RoundUp(waiting_ - bytes));
    uint8_t* const end = largest->first + largest->second;
    if (munmap(end - returned, static_cast<size_t>(returned)) != 0) break;
    waiting_ -= returned;
    largest->second -= returned;
    if (largest->second == 0) ranges_.erase(largest);
  }
}

}  // namespace hloscope::numerics
