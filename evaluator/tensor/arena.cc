// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "absl/strings/str_cat.h"

namespace hloscope::evaluator {
namespace {

using numerics::PageRanges;

constexpr int64_t kAlignment = 64;

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
bool Arena::IsLarge(int64_t bytes) { return bytes > PageRanges::kPage / 8 * 7; }

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
  return IsLarge(bytes) ? PageRanges::RoundUp(bytes) : ClassBytes(ClassOf(bytes));
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
    block = ranges_.Take(block_bytes);
  } else if (std::vector<uint8_t*>& list = free_[static_cast<size_t>(ClassOf(bytes))]; !list.empty()) {
    block = list.back();
    list.pop_back();
    small_cached_ -= block_bytes;
  }
  if (block == nullptr && !GuardedBlocks::Wanted()) {
    // What waits for reuse must not push the process over the limit.
    TrimTo(std::max<int64_t>(0, limit - live_ - block_bytes));
    const auto fresh = [&] {
      return is_large ? PageRanges::Map(block_bytes)
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
    ranges_.Put(block, BlockBytes(bytes));
  } else {
    free_[static_cast<size_t>(ClassOf(bytes))].push_back(block);
    small_cached_ += BlockBytes(bytes);
  }
  // What was in use at once may wait for the next run, as long as that is at most half of the memory; a quarter may in
  // any case.
  const int64_t may_wait = std::max(machine_bytes_ / 4, std::min(most_block_bytes_, machine_bytes_ / 2));
  TrimTo(std::max<int64_t>(0, std::min(may_wait, EffectiveLimit() - live_)));
}

// The largest blocks first, of the last one only as much as is needed.
void Arena::TrimTo(int64_t cached_bytes) {
  ranges_.TrimTo(std::max<int64_t>(0, cached_bytes - small_cached_));
  for (size_t c = free_.size(); c-- > 0 && Cached() > cached_bytes;) {
    const int64_t block_bytes = ClassBytes(static_cast<int>(c));
    while (!free_[c].empty() && Cached() > cached_bytes) {
      std::free(free_[c].back());
      free_[c].pop_back();
      small_cached_ -= block_bytes;
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
  return Cached();
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
