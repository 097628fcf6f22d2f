// SPDX-License-Identifier: Apache-2.0
#include "interop/files/mapped_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace hloscope::interop {
namespace {

// A mapped file, for the function that runs when a page of it is gone: it takes no locks and no memory.
struct Region {
  std::atomic<uintptr_t> begin{0};  // 0: unused
  std::atomic<uintptr_t> end{0};    // of its last page
  std::atomic<bool> is_cut{false};
};
constexpr size_t kMostMapped = 256;
std::array<Region, kMostMapped> regions;
std::mutex regions_mutex;  // of those who map and unmap
struct sigaction before = {};
uintptr_t page_bytes = 4096;

// The system sends SIGBUS where a page of a mapping lies beyond the end of its file. Zeros take the place of all that
// may be gone; whoever reads goes on, and asks CheckWhole in the end.
void ReplaceMissingPages(int signal, siginfo_t* info, void* /*context*/) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(info->si_addr);
  const uintptr_t page = address / page_bytes * page_bytes;
  for (Region& region : regions) {
    const uintptr_t begin = region.begin.load(), end = region.end.load();
    if (begin == 0 || address < begin || address >= end) continue;
    void* const zeros =
        ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) break;
    region.is_cut = true;
    return;
  }
  // Not ours: it happens again, as it would have without this.
  ::sigaction(signal, &before, nullptr);
}

void WatchForMissingPages() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_bytes = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action = {};
    action.sa_sigaction = ReplaceMissingPages;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &before);
  });
}

// kMostMapped if all are taken.
size_t TakeRegion(uintptr_t begin, size_t size) {
  WatchForMissingPages();
  const std::lock_guard<std::mutex> lock(regions_mutex);
  for (size_t i = 0; i < kMostMapped; ++i) {
    if (regions[i].begin != 0) continue;
    regions[i].is_cut = false;
    regions[i].end = begin + (size + page_bytes - 1) / page_bytes * page_bytes;
    regions[i].begin = begin;
    return i;
  }
  return kMostMapped;
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::Open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return nullptr;
  std::shared_ptr<const MappedFile> mapped;
  struct stat status = {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && static_cast<size_t>(status.st_size) >= kLeastBytes) {
    const size_t size = static_cast<size_t>(status.st_size);
    void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (start != MAP_FAILED) {
      const size_t slot = TakeRegion(reinterpret_cast<uintptr_t>(start), size);
      if (slot < kMostMapped) {
        mapped.reset(new MappedFile(absl::string_view(static_cast<const char*>(start), size), slot));
      } else {
        ::munmap(start, size);
      }
    }
  }
  ::close(file);
  return mapped;
}

MappedFile::~MappedFile() {
  const std::lock_guard<std::mutex> lock(regions_mutex);
  regions[slot_].begin = 0;
  ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

void MappedFile::Release(absl::Span<const uint8_t> part) const {
  const uintptr_t mapping = reinterpret_cast<uintptr_t>(bytes_.data()),
                  first = reinterpret_cast<uintptr_t>(part.data());
  if (first < mapping || first + part.size() > mapping + bytes_.size()) return;
  // The system has them in the file.
  const uintptr_t begin = (first + page_bytes - 1) / page_bytes * page_bytes;
  const uintptr_t end = (first + part.size()) / page_bytes * page_bytes;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

absl::Status MappedFile::CheckWhole() const {
  if (!regions[slot_].is_cut) return absl::OkStatus();
  return absl::DataLossError("the file became shorter while it was read");
}

}  // namespace hloscope::interop
