// SPDX-License-Identifier: Apache-2.0
// The memory behind tensors: blocks that are reused instead of being returned to the operating system, because touching
// fresh pages costs more than most kernels.
#ifndef HLOSCOPE_EVALUATOR_TENSOR_ARENA_H_
#define HLOSCOPE_EVALUATOR_TENSOR_ARENA_H_

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "absl/status/statusor.h"
#include "numerics/memory/page_ranges.h"

namespace hloscope::evaluator {

// Small blocks wait for reuse by size, large ones as ranges of pages. Thread-safe.
class Arena {
 public:
  // The one arena of the process; never destroyed, so buffers may outlive main().
  static Arena& Global();

  // At least `bytes` bytes, aligned to 64 bytes (to huge pages if large), not initialised. Errors: ResourceExhausted
  // beyond the limit or the machine's memory.
  absl::StatusOr<uint8_t*> Allocate(int64_t bytes);
  // Takes back a block that Allocate(bytes) returned.
  void Free(uint8_t* block, int64_t bytes);

  // Counts memory that is not a block of this arena, but grows with what a run does. Errors: ResourceExhausted beyond
  // the limit, unless `by_force`.
  absl::Status Charge(int64_t bytes, bool by_force);
  void Discharge(int64_t bytes);

  // Sum of the bytes asked for and not yet given back, and the highest it ever was.
  int64_t live_bytes() const;
  int64_t peak_bytes() const;
  void ResetPeak();
  // Half of the machine's memory: the limit until SetLimit.
  int64_t usual_limit() const { return machine_bytes_ / 2; }
  // 0: only the machine's memory limits.
  void SetLimit(int64_t bytes);
  int64_t limit() const;
  // Bytes that wait for reuse.
  int64_t cached_bytes() const;
  // Returns the blocks that wait for reuse to the operating system.
  void Trim();

 private:
  // Four size classes for each power of two from 64 bytes up to large blocks.
  static constexpr int kClassCount = 4 * 15;

  Arena();
  static bool IsLarge(int64_t bytes);
  static int ClassOf(int64_t bytes);
  static int64_t ClassBytes(int size_class);
  // Requires the mutex. Error ResourceExhausted if so many bytes more are beyond the limit.
  absl::Status CheckLimit(int64_t bytes) const;
  // Requires the mutex.
  void Count(int64_t bytes);
  // Bytes of the block that serves a request.
  static int64_t BlockBytes(int64_t bytes);
  int64_t EffectiveLimit() const;
  int64_t Cached() const { return small_cached_ + ranges_.waiting_bytes(); }
  // The largest blocks first, of the last one only as much as is needed.
  void TrimTo(int64_t cached_bytes);

  mutable std::mutex mutex_;
  std::array<std::vector<uint8_t*>, kClassCount> free_;  // small blocks, by size class
  numerics::PageRanges ranges_;                          // large ones
  const int64_t machine_bytes_;
  int64_t limit_;  // 0: none
  int64_t live_ = 0;
  int64_t peak_ = 0;
  int64_t block_bytes_ = 0;       // of blocks that are in use
  int64_t most_block_bytes_ = 0;  // of blocks that were in use at once, ever
  int64_t small_cached_ = 0;      // bytes of small blocks that wait
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_TENSOR_ARENA_H_
