// SPDX-License-Identifier: Apache-2.0
#include "memory_policy/memory_policy.h"

#include <cstdlib>

// Sanitizers have heaps of their own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HLOSCOPE_TUNES_MALLOC
#endif

#ifdef HLOSCOPE_TUNES_MALLOC
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <mutex>

#include "core/source/memory_hooks.h"
#endif

namespace hloscope::memory_policy {

#ifdef HLOSCOPE_TUNES_MALLOC
namespace {

constexpr size_t kSmallText = 256 << 10;
// What most texts become at least, in sizes of the text: the last large page should not be used for a few bytes only.
constexpr size_t kGrowth = 6;
constexpr size_t kSpare = 256 << 10;
// Blocks beyond this size get mappings of their own (the most that glibc accepts); what is free at the end of the heap
// beyond twice this size is given back.
constexpr int kLargeBlock = 32 << 20;
constexpr int kKeptAtEnd = 2 * kLargeBlock;
constexpr int kNeverTrim = -1;
constexpr int kMappings = 65536;  // as many as by default
constexpr uintptr_t kPageBytes = 4096;

std::mutex g_mutex;
int g_parsing = 0;  // texts for which the heap keeps its end

void AskForLargePages(void* block, size_t bytes) {
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(block) + kPageBytes - 1) & ~(kPageBytes - 1);
  const uintptr_t end = (reinterpret_cast<uintptr_t>(block) + bytes) & ~(kPageBytes - 1);
  if (begin < end) static_cast<void>(madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
}

// Makes the free end of the heap at least so large, in large pages. Requires that the heap keeps it.
void GrowHeap(size_t bytes) {
  mallopt(M_MMAP_MAX, 0);                     // or a block of that size would be a mapping of its own
  void* volatile block = std::malloc(bytes);  // volatile, or nothing is allocated
  mallopt(M_MMAP_MAX, kMappings);
  if (block == nullptr) return;
  AskForLargePages(block, bytes);
  std::free(block);
}

// The text itself and what is made of it come out of one stretch: growing the heap again would leave a seam in it,
// around which there are no large pages. No more than the heap keeps anyway: maybe nobody parses the text.
void BeforeReading(size_t text_bytes) {
  if (text_bytes < kSmallText) return;
  const std::lock_guard<std::mutex> lock(g_mutex);
  mallopt(M_TRIM_THRESHOLD, kNeverTrim);
  GrowHeap(std::min(text_bytes * (kGrowth + 1) + kSpare, static_cast<size_t>(kKeptAtEnd) - kSpare));
  if (g_parsing == 0) mallopt(M_TRIM_THRESHOLD, kKeptAtEnd);
}

void BeforeParsing(size_t text_bytes) {
  if (text_bytes < kSmallText) return;
  const std::lock_guard<std::mutex> lock(g_mutex);
  ++g_parsing;
  mallopt(M_TRIM_THRESHOLD, kNeverTrim);
  GrowHeap(text_bytes * kGrowth);
}

void AfterParsing(size_t text_bytes) {
  if (text_bytes < kSmallText) return;
  const std::lock_guard<std::mutex> lock(g_mutex);
  if (--g_parsing == 0) mallopt(M_TRIM_THRESHOLD, kKeptAtEnd);
}

void FreshBlock(void* block, size_t bytes) {
  if (bytes >= static_cast<size_t>(kLargeBlock)) AskForLargePages(block, bytes);
}

// Free blocks in the middle of the heap, too, which glibc keeps by itself.
void ReleaseFree() { malloc_trim(kKeptAtEnd); }

}  // namespace

void SetUpMemory(TextThreads text_threads) {
  if (text_threads == TextThreads::kAny) mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  mallopt(M_TRIM_THRESHOLD, kKeptAtEnd);
  MemoryHooks hooks;
  hooks.before_reading = BeforeReading;
  hooks.before_parsing = BeforeParsing;
  hooks.after_parsing = AfterParsing;
  hooks.fresh_block = FreshBlock;
  hooks.release_free = ReleaseFree;
  SetMemoryHooks(hooks);
}
#else
void SetUpMemory(TextThreads) {}
#endif

}  // namespace hloscope::memory_policy
