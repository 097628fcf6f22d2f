// SPDX-License-Identifier: Apache-2.0
#include "numerics/parallel/parallel_loop.h"

#include <algorithm>
#include <atomic>

namespace hloscope::numerics {
namespace {

// Handing a block to another thread costs some microseconds, so a block should be worth several times that.
constexpr double kBlockNanoseconds = 12e3;
// Work that threads distribute at a time, summed over all of them. They wait for one another at its end, so it should
// be many times a block.
constexpr double kSharedNanoseconds = 50e6;
// Work of one thread between two looks at the cancellation flag. Much less than what users notice: where the host of a
// virtual machine has to find the memory that is touched for the first time, 2 MiB take 10 ms and this work a hundred
// times as long as guessed.
constexpr double kLookNanoseconds = 100e3;

int64_t ItemsFor(double nanoseconds, double nanoseconds_per_item) {
  const double items = nanoseconds / std::max(nanoseconds_per_item, 1e-3);
  return std::max<int64_t>(1, static_cast<int64_t>(std::min(items, 1e15)));
}

}  // namespace

Outcome ParallelLoop(Executor& executor, int64_t count, double nanoseconds_per_item,
                     FunctionRef<void(int64_t begin, int64_t end)> body) {
  if (count <= 0) return Outcome::kDone;
  const int64_t block = ItemsFor(kBlockNanoseconds, nanoseconds_per_item);
  if (count <= block) {
    // Many small loops are a long one.
    static thread_local double since_look = 0;
    since_look += nanoseconds_per_item * static_cast<double>(count);
    if (since_look >= kLookNanoseconds) {
      since_look = 0;
      if (executor.IsCancelled()) return Outcome::kCancelled;
    }
    body(0, count);
    return Outcome::kDone;
  }
  // Equal strides: a short last one would keep few threads busy.
  const int64_t strides = (count - 1) / std::max(block, ItemsFor(kSharedNanoseconds, nanoseconds_per_item)) + 1;
  const int64_t stride = (count - 1) / strides + 1;
  std::atomic<bool> stopped = false;
  const int64_t part = std::max(block, ItemsFor(kLookNanoseconds, nanoseconds_per_item));
  for (int64_t first = 0; first < count; first += stride) {
    if (executor.IsCancelled()) return Outcome::kCancelled;
    executor.ParallelFor(std::min(stride, count - first), block, [&](int64_t begin, int64_t end) {
      for (int64_t from = begin; from < end; from += part) {
        if (from > begin && executor.IsCancelled()) {
          stopped = true;
          return;
        }
        body(first + from, first + std::min(end, from + part));
      }
    });
    if (stopped) return Outcome::kCancelled;
  }
  return Outcome::kDone;
}

Outcome SerialLoop(Executor& executor, int64_t count, double nanoseconds_per_item,
                   FunctionRef<void(int64_t begin, int64_t end)> body) {
  const int64_t stride = ItemsFor(kLookNanoseconds, nanoseconds_per_item);
  for (int64_t first = 0; first < count; first += stride) {
    if (executor.IsCancelled()) return Outcome::kCancelled;
    body(first, std::min(count, first + stride));
  }
  return Outcome::kDone;
}

}  // namespace hloscope::numerics
