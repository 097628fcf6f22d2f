#include "lsp/server/heap_setup.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace hloscope::lsp {

void SetUpHeap() {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  constexpr int kBeginning = 64 << 20;
  constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
  mallopt(M_ARENA_MAX, 1);
  // Texts and tables of that size come from the heap, not from mappings of their own.
  mallopt(M_MMAP_THRESHOLD, kBeginning / 2);
  mallopt(M_TRIM_THRESHOLD, 2 * kBeginning);
  mallopt(M_TOP_PAD, kBeginning);
  // The heap grows by the pad; address space only, until it is used.
  const uintptr_t before = reinterpret_cast<uintptr_t>(sbrk(0));
  void* volatile whatever = std::malloc(kBeginning / 4);  // volatile, or nothing is allocated
  std::free(whatever);
  mallopt(M_TOP_PAD, 1 << 20);
  const uintptr_t begin = (before + kHugePage - 1) & ~(kHugePage - 1);
  const uintptr_t end = reinterpret_cast<uintptr_t>(sbrk(0)) & ~(kHugePage - 1);
  if (end > begin) static_cast<void>(madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
#endif
}

}  // namespace hloscope::lsp
