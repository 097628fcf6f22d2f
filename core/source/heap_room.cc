#include "core/source/heap_room.h"

#ifdef __linux__
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#endif

namespace hloscope {

#ifdef __linux__
namespace {

constexpr size_t kSmallText = 256 << 10;
// What most texts become at least, in sizes of the text: the last large page should not be used for a few bytes only.
constexpr size_t kGrowth = 6;
// The C library's heap serves blocks up to this size, and gives back what is free at its end beyond twice this size.
constexpr size_t kBlockBytes = size_t{31} << 20;
constexpr size_t kMaxBlocks = 2;
constexpr size_t kSpare = 256 << 10;
// The C library takes larger blocks from the system, each for itself.
constexpr size_t kLargeBlock = size_t{32} << 20;
constexpr uintptr_t kPageBytes = 4096;

void Advise(void* block, size_t bytes) {
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(block) + kPageBytes - 1) & ~(kPageBytes - 1);
  const uintptr_t end = (reinterpret_cast<uintptr_t>(block) + bytes) & ~(kPageBytes - 1);
  if (begin < end) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

void MakeRoom(size_t bytes) {
  // The first large block that is freed tells the C library that blocks of this size come and go: from then on they
  // are taken from the heap. The second time they are, and what is freed stays at the end of the heap.
  static const bool blocks_are_on_heap = [] {
    void* const block = std::malloc(kBlockBytes);
    if (block != nullptr) Advise(block, kBlockBytes);
    std::free(block);
    return true;
  }();
  (void)blocks_are_on_heap;
  std::array<void*, kMaxBlocks> blocks = {};
  size_t left = bytes;
  for (void*& block : blocks) {
    const size_t size = std::min(left, kBlockBytes);
    if (size == 0) break;
    block = std::malloc(size);
    if (block != nullptr) Advise(block, size);
    left -= size;
  }
  for (void* block : blocks) std::free(block);
}

}  // namespace

void MakeHeapRoom(size_t text_bytes) {
  if (text_bytes >= kSmallText) MakeRoom(text_bytes * kGrowth);
}

// With some to spare: what is left behind the text must do for MakeHeapRoom. Growing the heap again would leave a seam
// in it, around which there are no large pages.
void MakeHeapRoomForText(size_t text_bytes) {
  if (text_bytes >= kSmallText) MakeRoom(text_bytes * (kGrowth + 1) + kSpare);
}

void AskForLargePages(void* block, size_t bytes) {
  if (bytes >= kLargeBlock) Advise(block, bytes);
}
#else
void MakeHeapRoom(size_t) {}
void MakeHeapRoomForText(size_t) {}
void AskForLargePages(void*, size_t) {}
#endif

}  // namespace hloscope
