#include "evaluator/kernels/parallel_loop.h"

#include <algorithm>

namespace hloscope {
namespace {

// Handing a block to another thread costs some microseconds, so a block should be worth several times that.
constexpr double kBlockNanoseconds = 40e3;
// Work between two looks at the cancellation flag, summed over all threads.
constexpr double kPollNanoseconds = 8e6;

int64_t ItemsFor(double nanoseconds, double nanoseconds_per_item) {
  const double items = nanoseconds / std::max(nanoseconds_per_item, 1e-3);
  return std::max<int64_t>(1, static_cast<int64_t>(std::min(items, 1e15)));
}

}  // namespace

absl::Status ParallelLoop(KernelRuntime& runtime, int64_t count, double nanoseconds_per_item,
                          absl::FunctionRef<void(int64_t begin, int64_t end)> body) {
  if (count <= 0) return absl::OkStatus();
  const int64_t block = ItemsFor(kBlockNanoseconds, nanoseconds_per_item);
  if (count <= block) {
    body(0, count);
    return absl::OkStatus();
  }
  const int64_t stride = std::max(block, ItemsFor(kPollNanoseconds, nanoseconds_per_item));
  for (int64_t first = 0; first < count; first += stride) {
    if (absl::Status status = runtime.CheckCancelled(); !status.ok()) return status;
    runtime.ParallelFor(std::min(stride, count - first), block,
                        [&](int64_t begin, int64_t end) { body(first + begin, first + end); });
  }
  return absl::OkStatus();
}

absl::Status SerialLoop(KernelRuntime& runtime, int64_t count, double nanoseconds_per_item,
                        absl::FunctionRef<void(int64_t begin, int64_t end)> body) {
  const int64_t stride = ItemsFor(kPollNanoseconds, nanoseconds_per_item);
  for (int64_t first = 0; first < count; first += stride) {
    if (absl::Status status = runtime.CheckCancelled(); !status.ok()) return status;
    body(first, std::min(count, first + stride));
  }
  return absl::OkStatus();
}

}  // namespace hloscope
