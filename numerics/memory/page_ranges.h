// SPDX-License-Identifier: Apache-2.0
// Memory of large arrays that waits for reuse: touching fresh pages costs more than most loops do.
#ifndef HLOSCOPE_NUMERICS_MEMORY_PAGE_RANGES_H_
#define HLOSCOPE_NUMERICS_MEMORY_PAGE_RANGES_H_

#include <cstdint>
#include <functional>
#include <map>

namespace hloscope::numerics {

// Ranges of whole huge pages, where the system has them: reading those in jumps, as transpositions and gathers do,
// takes half of the time. Neighbours that wait become one range, and a range serves requests of any size, because a
// program's arrays seldom have the size of one that just went. All sizes are multiples of kPage. Not thread-safe.
class PageRanges {
 public:
  static constexpr int64_t kPage = int64_t{2} << 20;
  static int64_t RoundUp(int64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

  // A range of new memory, aligned to kPage. Null if the system has none left.
  static uint8_t* Map(int64_t bytes);

  // A range that waits, or one made of the pages of some that do, as far as they last. Not initialised. Null if none
  // waits, or the system refuses.
  uint8_t* Take(int64_t bytes);
  // Has a range that Map or Take returned, or part of it, wait.
  void Put(uint8_t* block, int64_t bytes);

  int64_t waiting_bytes() const { return waiting_; }
  // Returns memory to the system until at most `bytes` wait: of the largest ranges, and no more than is needed.
  void TrimTo(int64_t bytes);

 private:
  uint8_t* TakeWhole(int64_t bytes);
  uint8_t* Join(int64_t bytes);

  std::map<uint8_t*, int64_t, std::less<>> ranges_;  // bytes, by address; no two touch
  int64_t waiting_ = 0;
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_MEMORY_PAGE_RANGES_H_
