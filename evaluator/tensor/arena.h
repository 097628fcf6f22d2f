// The memory behind tensors: blocks that are reused instead of being returned to the operating system, because touching
// fresh pages costs more than most kernels.
#ifndef HLOSCOPE_EVALUATOR_TENSOR_ARENA_H_
#define HLOSCOPE_EVALUATOR_TENSOR_ARENA_H_

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "absl/status/statusor.h"

namespace hloscope {

// Thread-safe.
class Arena {
 public:
  // The one arena of the process; never destroyed, so buffers may outlive main().
  static Arena& Global();

  // At least `bytes` bytes, aligned to 64 bytes (to huge pages if large), not initialised. Errors: ResourceExhausted
  // beyond the limit or the machine's memory.
  absl::StatusOr<uint8_t*> Allocate(int64_t bytes);
  // Takes back a block that Allocate(bytes) returned.
  void Free(uint8_t* block, int64_t bytes);

  // Sum of the bytes asked for and not yet given back, and the highest it ever was.
  int64_t live_bytes() const;
  int64_t peak_bytes() const;
  void ResetPeak();
  // 0: only the machine's memory limits.
  void SetLimit(int64_t bytes);
  int64_t limit() const;
  // Returns the blocks that wait for reuse to the operating system.
  void Trim();

 private:
  // Four size classes for each power of two from 64 bytes up to 2^47.
  static constexpr int kClassCount = 4 * 42;

  Arena();
  static int ClassOf(int64_t bytes);
  static int64_t ClassBytes(int size_class);
  void TrimTo(int64_t cached_bytes);

  mutable std::mutex mutex_;
  std::array<std::vector<uint8_t*>, kClassCount> free_;
  const int64_t machine_bytes_;
  int64_t limit_ = 0;
  int64_t live_ = 0;
  int64_t peak_ = 0;
  int64_t cached_ = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_TENSOR_ARENA_H_
