// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"

namespace hloscope::evaluator {
namespace {

constexpr int64_t kAlignment = 64;
constexpr int64_t kHugePage = int64_t{2} << 20;

// Memory this process may use: the machine's, or its control group's if that is less.
int64_t MachineBytes() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  int64_t bytes = pages > 0 && page > 0 ? pages * page : std::numeric_limits<int64_t>::max();
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    int64_t group_bytes = 0;
    if (file >> group_bytes && group_bytes > 0) bytes = std::min(bytes, group_bytes);
  }
  return bytes;
}

int64_t RoundUp(int64_t bytes, int64_t unit) { return (bytes + unit - 1) / unit * unit; }

// Whole huge pages; null if there are none left.
uint8_t* MapPages(int64_t bytes) {
  // Reserve a huge page more than needed and give the unaligned ends back.
  const size_t reserved = static_cast<size_t>(bytes + kHugePage);
  void* raw = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(raw);
  const uintptr_t aligned = (begin + kHugePage - 1) & ~static_cast<uintptr_t>(kHugePage - 1);
  if (aligned > begin) munmap(raw, aligned - begin);
  const uintptr_t end = begin + reserved, used_end = aligned + static_cast<uintptr_t>(bytes);
  if (end > used_end) munmap(reinterpret_cast<void*>(used_end), end - used_end);
  madvise(reinterpret_cast<void*>(aligned), static_cast<size_t>(bytes), MADV_HUGEPAGE);
  return reinterpret_cast<uint8_t*>(aligned);
}

// Moves a huge page to `target`, which is mapped, too. False: nothing was moved, and `target` may be lost.
bool MovePage(uintptr_t page, uint8_t* target) {
  return mremap(reinterpret_cast<void*>(page), kHugePage, kHugePage, MREMAP_MAYMOVE | MREMAP_FIXED, target) !=
         MAP_FAILED;
}

// HLOSCOPE_GUARD=1: every block ends at a page that may not be touched, and is gone when it is freed, so that what
// reads or writes outside of it dies at once. Up to 63 bytes in front of that page keep blocks aligned; writes to them
// are found when the block is freed. For tests: it takes a page and two system calls for each block.
class GuardedBlocks {
 public:
  static bool Wanted() {
    static const bool wanted = [] {
      const char* const value = std::getenv("HLOSCOPE_GUARD");
      return value != nullptr && *value != '\0' && *value != '0';
    }();
    return wanted;
  }
  // Null if the system has no memory left.
  static uint8_t* Allocate(int64_t bytes) {
    const int64_t total = Pages(bytes);
    void* const raw = mmap(nullptr, static_cast<size_t>(total + PageBytes()), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) return nullptr;
    uint8_t* const end = static_cast<uint8_t*>(raw) + total;
    if (mprotect(end, static_cast<size_t>(PageBytes()), PROT_NONE) != 0) return nullptr;
    uint8_t* const block = end - RoundUp(bytes, kAlignment);
    std::fill(block + bytes, end, kSlack);
    return block;
  }
  static void Free(uint8_t* block, int64_t bytes) {
    uint8_t* const end = block + RoundUp(bytes, kAlignment);
    if (!std::all_of(block + bytes, end, [](uint8_t byte) { return byte == kSlack; })) {
      std::fprintf(stderr, "HLOSCOPE_GUARD: something was written after a block of %lld bytes\n",
                   static_cast<long long>(bytes));
      std::abort();
    }
    const int64_t total = Pages(bytes);
    munmap(end - total, static_cast<size_t>(total + PageBytes()));
  }

 private:
  static constexpr uint8_t kSlack = 0xa5;
  static int64_t PageBytes() {
    static const int64_t bytes = sysconf(_SC_PAGESIZE);
    return bytes;
  }
  static int64_t Pages(int64_t bytes) { return RoundUp(RoundUp(bytes, kAlignment), PageBytes()); }
};

}  // namespace

Arena& Arena::Global() {
  static Arena* const arena = new Arena();
  return *arena;
}

Arena::Arena() : machine_bytes_(MachineBytes()), limit_(machine_bytes_ / 2) {}

// Small blocks are rounded up to a size that is less than a huge page.
bool Arena::IsLarge(int64_t bytes) { return bytes > kHugePage / 8 * 7; }

// Class c stands for (4 + c % 4) / 4 * 2^(6 + c / 4) bytes, so at most a quarter of a block is unused.
int Arena::ClassOf(int64_t bytes) {
  if (bytes <= 64) return 0;
  const int log2 = std::bit_width(static_cast<uint64_t>(bytes - 1)) - 1;  // 2^log2 < bytes <= 2^(log2+1)
  const int quarter = static_cast<int>(((bytes - 1) >> (log2 - 2)) & 3);
  return 4 * (log2 - 6) + quarter + 1;
}

int64_t Arena::ClassBytes(int size_class) {
  return RoundUp(static_cast<int64_t>(4 + size_class % 4) << (4 + size_class / 4), kAlignment);
}

int64_t Arena::BlockBytes(int64_t bytes) {
  return IsLarge(bytes) ? RoundUp(bytes, kHugePage) : ClassBytes(ClassOf(bytes));
}

int64_t Arena::EffectiveLimit() const { return limit_ > 0 ? std::min(limit_, machine_bytes_) : machine_bytes_; }

absl::Status Arena::CheckLimit(int64_t bytes) const {
  const int64_t limit = EffectiveLimit();
  if (bytes >= 0 && bytes <= limit && live_ <= limit - bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat(limit_ > 0 && limit_ <= machine_bytes_
                       ? absl::StrCat("the memory limit of ", limit,
                                      limit_ == usual_limit() ? " bytes, half of this machine's, is exceeded: "
                                                              : " bytes is exceeded: ")
                       : absl::StrCat("the memory of this machine, ", limit, " bytes, is exceeded: "),
                   bytes, " bytes are needed while ", live_, " are in use"));
}

void Arena::Count(int64_t bytes) {
  live_ += bytes;
  peak_ = std::max(peak_, live_);
}

absl::Status Arena::Charge(int64_t bytes, bool by_force) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!by_force) {
    if (absl::Status status = CheckLimit(bytes); !status.ok()) return status;
  }
  Count(bytes);
  TrimTo(std::max<int64_t>(0, EffectiveLimit() - live_));
  return absl::OkStatus();
}

void Arena::Discharge(int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  live_ -= bytes;
}

absl::StatusOr<uint8_t*> Arena::Allocate(int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (absl::Status status = CheckLimit(bytes); !status.ok()) return status;
  const int64_t limit = EffectiveLimit();
  const int64_t block_bytes = BlockBytes(bytes);
  const bool is_large = IsLarge(bytes);
  uint8_t* block = nullptr;
  if (GuardedBlocks::Wanted()) {
    block = GuardedBlocks::Allocate(bytes);
  } else if (is_large) {
    block = TakeRange(block_bytes);
    if (block == nullptr && !ranges_.empty()) block = JoinRanges(block_bytes);
  } else if (std::vector<uint8_t*>& list = free_[static_cast<size_t>(ClassOf(bytes))]; !list.empty()) {
    block = list.back();
    list.pop_back();
    cached_ -= block_bytes;
  }
  if (block == nullptr && !GuardedBlocks::Wanted()) {
    // What waits for reuse must not push the process over the limit.
    TrimTo(std::max<int64_t>(0, limit - live_ - block_bytes));
    const auto fresh = [&] {
      return is_large ? MapPages(block_bytes)
                      : static_cast<uint8_t*>(std::aligned_alloc(kAlignment, static_cast<size_t>(block_bytes)));
    };
    block = fresh();
    if (block == nullptr) {
      TrimTo(0);
      block = fresh();
    }
  }
  if (block == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat("the system has no ", bytes, " bytes of memory left"));
  }
  Count(bytes);
  block_bytes_ += block_bytes;
  most_block_bytes_ = std::max(most_block_bytes_, block_bytes_);
  return block;
}

void Arena::Free(uint8_t* block, int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  live_ -= bytes;
  block_bytes_ -= BlockBytes(bytes);
  if (GuardedBlocks::Wanted()) {
    GuardedBlocks::Free(block, bytes);
    return;
  }
  if (IsLarge(bytes)) {
    PutRange(block, BlockBytes(bytes));
  } else {
    free_[static_cast<size_t>(ClassOf(bytes))].push_back(block);
  }
  cached_ += BlockBytes(bytes);
  // What was in use at once may wait for the next run, as long as that is at most half of the memory; a quarter may in
  // any case.
  const int64_t may_wait = std::max(machine_bytes_ / 4, std::min(most_block_bytes_, machine_bytes_ / 2));
  TrimTo(std::max<int64_t>(0, std::min(may_wait, EffectiveLimit() - live_)));
}

// The smallest range that is large enough, its lower end.
uint8_t* Arena::TakeRange(int64_t bytes) {
  auto best = ranges_.end();
  for (auto range = ranges_.begin(); range != ranges_.end(); ++range) {
    if (range->second >= bytes && (best == ranges_.end() || range->second < best->second)) best = range;
  }
  if (best == ranges_.end()) return nullptr;
  const auto [address, size] = *best;
  ranges_.erase(best);
  if (size > bytes) ranges_.emplace(address + static_cast<uintptr_t>(bytes), size - bytes);
  cached_ -= bytes;
  return reinterpret_cast<uint8_t*>(address);
}

// Small ranges first: large ones serve requests as they are.
uint8_t* Arena::JoinRanges(int64_t bytes) {
  uint8_t* const block = MapPages(bytes);
  if (block == nullptr) return nullptr;
  std::vector<std::pair<uintptr_t, int64_t>> by_size(ranges_.begin(), ranges_.end());
  std::sort(by_size.begin(), by_size.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  uint8_t* target = block;
  for (const auto& [address, range_bytes] : by_size) {
    ranges_.erase(address);
    for (int64_t offset = 0; offset < range_bytes; offset += kHugePage) {
      const uintptr_t page = address + static_cast<uintptr_t>(offset);
      const bool is_full = target == block + bytes;
      if (!is_full && MovePage(page, target)) {
        target += kHugePage;
        cached_ -= kHugePage;
        continue;
      }
      ranges_.emplace(page, range_bytes - offset);
      if (is_full) return block;
      // The process has as many mappings as it may have: the rest is new memory.
      const bool is_mapped = mmap(target, kHugePage, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
      if (is_mapped) return block;
      munmap(block, static_cast<size_t>(bytes));
      return nullptr;
    }
  }
  return block;
}

void Arena::PutRange(uint8_t* block, int64_t bytes) {
  uintptr_t address = reinterpret_cast<uintptr_t>(block);
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

// The largest blocks first, of the last one only as much as is needed.
void Arena::TrimTo(int64_t cached_bytes) {
  while (cached_ > cached_bytes && !ranges_.empty()) {
    const auto largest = std::max_element(ranges_.begin(), ranges_.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
    const int64_t bytes = std::min(largest->second, RoundUp(cached_ - cached_bytes, kHugePage));
    const uintptr_t end = largest->first + static_cast<uintptr_t>(largest->second);
    if (munmap(reinterpret_cast<void*>(end - static_cast<uintptr_t>(bytes)), static_cast<size_t>(bytes)) != 0) break;
    cached_ -= bytes;
    largest->second -= bytes;
    if (largest->second == 0) ranges_.erase(largest);
  }
  for (size_t c = free_.size(); c-- > 0 && cached_ > cached_bytes;) {
    const int64_t block_bytes = ClassBytes(static_cast<int>(c));
    while (!free_[c].empty() && cached_ > cached_bytes) {
      std::free(free_[c].back());
      free_[c].pop_back();
      cached_ -= block_bytes;
    }
  }
}

void Arena::Trim() {
  std::lock_guard<std::mutex> lock(mutex_);
  TrimTo(0);
}

int64_t Arena::live_bytes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return live_;
}

int64_t Arena::cached_bytes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return cached_;
}

int64_t Arena::peak_bytes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return peak_;
}

void Arena::ResetPeak() {
  std::lock_guard<std::mutex> lock(mutex_);
  peak_ = live_;
}

void Arena::SetLimit(int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  limit_ = std::max<int64_t>(bytes, 0);
}

int64_t Arena::limit() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return limit_;
}

}  // namespace hloscope::evaluator
