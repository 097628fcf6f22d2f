#include "evaluator/tensor/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "absl/strings/str_cat.h"

namespace hloscope {
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

uint8_t* SystemAllocate(int64_t bytes) {
  if (bytes < kHugePage) return static_cast<uint8_t*>(std::aligned_alloc(kAlignment, static_cast<size_t>(bytes)));
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

void SystemFree(uint8_t* block, int64_t bytes) {
  if (bytes < kHugePage) {
    std::free(block);
  } else {
    munmap(block, static_cast<size_t>(bytes));
  }
}

}  // namespace

Arena& Arena::Global() {
  static Arena* const arena = new Arena();
  return *arena;
}

Arena::Arena() : machine_bytes_(MachineBytes()) {}

// Class c stands for (4 + c % 4) / 4 * 2^(6 + c / 4) bytes, so at most a quarter of a block is unused.
int64_t Arena::ClassBytes(int size_class) {
  const int64_t bytes = static_cast<int64_t>(4 + size_class % 4) << (4 + size_class / 4);
  return bytes >= kHugePage ? (bytes + kHugePage - 1) / kHugePage * kHugePage
                            : (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

int Arena::ClassOf(int64_t bytes) {
  if (bytes <= 64) return 0;
  const int log2 = std::bit_width(static_cast<uint64_t>(bytes - 1)) - 1;  // 2^log2 < bytes <= 2^(log2+1)
  const int quarter = static_cast<int>(((bytes - 1) >> (log2 - 2)) & 3);
  return 4 * (log2 - 6) + quarter + 1;
}

absl::StatusOr<uint8_t*> Arena::Allocate(int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  const int64_t limit = limit_ > 0 ? std::min(limit_, machine_bytes_) : machine_bytes_;
  if (bytes < 0 || bytes > limit || live_ > limit - bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat(limit_ > 0 && limit_ <= machine_bytes_
                         ? absl::StrCat("the memory limit of ", limit, " bytes is exceeded: ")
                         : absl::StrCat("the memory of this machine, ", limit, " bytes, is exceeded: "),
                     bytes, " bytes are needed while ", live_, " are in use"));
  }
  const int size_class = ClassOf(bytes);
  uint8_t* block = nullptr;
  if (size_class < kClassCount && !free_[static_cast<size_t>(size_class)].empty()) {
    std::vector<uint8_t*>& list = free_[static_cast<size_t>(size_class)];
    block = list.back();
    list.pop_back();
    cached_ -= ClassBytes(size_class);
  } else if (size_class < kClassCount) {
    const int64_t block_bytes = ClassBytes(size_class);
    // What waits for reuse must not push the process over the limit.
    TrimTo(std::max<int64_t>(0, limit - live_ - block_bytes));
    block = SystemAllocate(block_bytes);
    if (block == nullptr) {
      TrimTo(0);
      block = SystemAllocate(block_bytes);
    }
  }
  if (block == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat("the system has no ", bytes, " bytes of memory left"));
  }
  live_ += bytes;
  peak_ = std::max(peak_, live_);
  return block;
}

void Arena::Free(uint8_t* block, int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  const int size_class = ClassOf(bytes);
  const int64_t block_bytes = ClassBytes(size_class);
  live_ -= bytes;
  const int64_t limit = limit_ > 0 ? std::min(limit_, machine_bytes_) : machine_bytes_;
  // Blocks that wait may take as much as a quarter of the memory.
  if (live_ + cached_ + block_bytes > limit || cached_ + block_bytes > machine_bytes_ / 4) {
    SystemFree(block, block_bytes);
    return;
  }
  free_[static_cast<size_t>(size_class)].push_back(block);
  cached_ += block_bytes;
}

void Arena::TrimTo(int64_t cached_bytes) {
  for (int c = kClassCount - 1; c >= 0 && cached_ > cached_bytes; --c) {
    std::vector<uint8_t*>& list = free_[static_cast<size_t>(c)];
    while (!list.empty() && cached_ > cached_bytes) {
      SystemFree(list.back(), ClassBytes(c));
      list.pop_back();
      cached_ -= ClassBytes(c);
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

}  // namespace hloscope
