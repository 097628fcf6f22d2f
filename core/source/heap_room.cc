#include "core/source/heap_room.h"

// Sanitizers have heaps of their own.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HLOSCOPE_HAS_HEAP_ROOM
#endif

#ifdef HLOSCOPE_HAS_HEAP_ROOM
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>
#endif

namespace hloscope {

#ifdef HLOSCOPE_HAS_HEAP_ROOM
namespace {

constexpr size_t kSmallText = 256 << 10;
// What most texts become at least, in sizes of the text: the last large page should not be used for a few bytes only.
constexpr size_t kGrowth = 6;
// The C library's heap serves blocks up to this size, and gives back what is free at its end beyond twice this size.
constexpr size_t kBlockBytes = size_t{31} << 20;
constexpr size_t kKeptBlocks = 2;
// A text can be 4 GB.
constexpr size_t kMaxBlocks = 1024;
constexpr size_t kSpare = 256 << 10;
// The C library takes larger blocks from the system, each for itself.
constexpr size_t kLargeBlock = size_t{32} << 20;
constexpr uintptr_t kPageBytes = 4096;

void Advise(void* block, size_t bytes) {
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(block) + kPageBytes - 1) & ~(kPageBytes - 1);
  const uintptr_t end = (reinterpret_cast<uintptr_t>(block) + bytes) & ~(kPageBytes - 1);
  if (begin < end) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

// Returns the last of more blocks than the C library would keep, else null; the others are free again.
void* MakeRoom(size_t bytes, size_t max_blocks) {
  // The first large block that is freed tells the C library that blocks of this size come and go: from then on they
  // are taken from the heap. The second time they are, and what is freed stays at the end of the heap.
  static const bool blocks_are_on_heap = [] {
    void* const block = std::malloc(kBlockBytes);
    if (block != nullptr) Advise(block, kBlockBytes);
    std::free(block);
    return true;
  }();
  (void)blocks_are_on_heap;
  std::vector<void*> blocks;
  // Neighbours are advised of together: between two that are not there would be a small page.
  constexpr size_t kMaxGap = 4096;
  uint8_t* begin = nullptr;
  uint8_t* end = nullptr;
  // Whole blocks if there are many: a rest would go into a gap, and the end of the heap be free.
  if (bytes > kKeptBlocks * kBlockBytes) bytes += kBlockBytes - bytes % kBlockBytes;
  for (size_t left = bytes; left > 0 && blocks.size() < max_blocks;) {
    const size_t size = std::min(left, kBlockBytes);
    uint8_t* const block = static_cast<uint8_t*>(std::malloc(size));
    if (block == nullptr) break;
    const bool is_neighbour =
        end != nullptr && std::greater_equal<>()(block, end) && static_cast<size_t>(block - end) <= kMaxGap;
    if (!is_neighbour) {
      if (begin != nullptr) Advise(begin, static_cast<size_t>(end - begin));
      begin = block;
    }
    end = block + size;
    blocks.push_back(block);
    left -= size;
  }
  if (begin != nullptr) Advise(begin, static_cast<size_t>(end - begin));
  void* last = nullptr;
  if (blocks.size() > kKeptBlocks) {
    std::swap(blocks.back(), *std::max_element(blocks.begin(), blocks.end(), std::less<>()));
    last = blocks.back();
    blocks.pop_back();
  }
  for (void* block : blocks) std::free(block);
  return last;
}

}  // namespace

HeapRoom::HeapRoom(size_t text_bytes) {
  if (text_bytes >= kSmallText) end_ = MakeRoom(text_bytes * kGrowth, kMaxBlocks);
}

HeapRoom::~HeapRoom() { std::free(end_); }

// With some to spare: what is left behind the text must do for HeapRoom. Growing the heap again would leave a seam in
// it, around which there are no large pages.
void MakeHeapRoomForText(size_t text_bytes) {
  if (text_bytes >= kSmallText) MakeRoom(text_bytes * (kGrowth + 1) + kSpare, kKeptBlocks);
}

void AskForLargePages(void* block, size_t bytes) {
  if (bytes >= kLargeBlock) Advise(block, bytes);
}
#else
HeapRoom::HeapRoom(size_t) {}
HeapRoom::~HeapRoom() = default;
void MakeHeapRoomForText(size_t) {}
void AskForLargePages(void*, size_t) {}
#endif

}  // namespace hloscope
