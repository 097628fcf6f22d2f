// SPDX-License-Identifier: Apache-2.0
#include "numerics/memory/page_ranges.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace hloscope::numerics {
namespace {

// Moves a page to `target`, which is mapped, too. False: nothing was moved, and `target` may be lost.
bool MovePage(uintptr_t page, uint8_t* target) {
  constexpr size_t kBytes = PageRanges::kPage;
  return mremap(reinterpret_cast<void*>(page), kBytes, kBytes, MREMAP_MAYMOVE | MREMAP_FIXED, target) != MAP_FAILED;
}

bool HasLess(const std::pair<const uintptr_t, int64_t>& a, const std::pair<const uintptr_t, int64_t>& b) {
  return a.second < b.second;
}

}  // namespace

uint8_t* PageRanges::Map(int64_t bytes) {
  // Reserve a page more than needed and give the unaligned ends back.
  const size_t reserved = static_cast<size_t>(bytes + kPage);
  void* raw = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(raw);
  const uintptr_t aligned = (begin + kPage - 1) & ~static_cast<uintptr_t>(kPage - 1);
  if (aligned > begin) munmap(raw, aligned - begin);
  const uintptr_t end = begin + reserved, used_end = aligned + static_cast<uintptr_t>(bytes);
  if (end > used_end) munmap(reinterpret_cast<void*>(used_end), end - used_end);
  madvise(reinterpret_cast<void*>(aligned), static_cast<size_t>(bytes), MADV_HUGEPAGE);
  return reinterpret_cast<uint8_t*>(aligned);
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
  const auto [address, size] = *best;
  ranges_.erase(best);
  if (size > bytes) ranges_.emplace(address + static_cast<uintptr_t>(bytes), size - bytes);
  waiting_ -= bytes;
  return reinterpret_cast<uint8_t*>(address);
}

// A new range made of the pages of others, as far as they last: moving them costs little, clearing new ones much. Small
// ranges first: large ones serve requests as they are.
uint8_t* PageRanges::Join(int64_t bytes) {
  uint8_t* const block = Map(bytes);
  if (block == nullptr) return nullptr;
  std::vector<std::pair<uintptr_t, int64_t>> by_size(ranges_.begin(), ranges_.end());
  std::sort(by_size.begin(), by_size.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  uint8_t* target = block;
  for (const auto& [address, range_bytes] : by_size) {
    ranges_.erase(address);
    for (int64_t offset = 0; offset < range_bytes; offset += kPage) {
      const uintptr_t page = address + static_cast<uintptr_t>(offset);
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
  const uintptr_t address = reinterpret_cast<uintptr_t>(block);
  auto next = ranges_.lower_bound(address);
  if (next != ranges_.end() && next->first == address + static_cast<uintptr_t>(bytes)) {
    bytes += next->second;
    next = ranges_.erase(next);
  }
  if (next != ranges_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + static_cast<uintptr_t>(previous->second) == address) {
      previous->second += bytes;
      return;
    }
  }
  ranges_.emplace_hint(next, address, bytes);
}

void PageRanges::TrimTo(int64_t bytes) {
  while (waiting_ > bytes && !ranges_.empty()) {
    const auto largest = std::max_element(ranges_.begin(), ranges_.end(), HasLess);
    const int64_t returned = std::min(largest->second, RoundUp(waiting_ - bytes));
    const uintptr_t end = largest->first + static_cast<uintptr_t>(largest->second);
    if (munmap(reinterpret_cast<void*>(end - static_cast<uintptr_t>(returned)), static_cast<size_t>(returned)) != 0) {
      break;
    }
    waiting_ -= returned;
    largest->second -= returned;
    if (largest->second == 0) ranges_.erase(largest);
  }
}

}  // namespace hloscope::numerics
