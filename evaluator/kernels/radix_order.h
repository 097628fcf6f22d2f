// Sorting lines by keys of up to 32 bits, without comparisons.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_RADIX_ORDER_H_
#define HLOSCOPE_EVALUATOR_KERNELS_RADIX_ORDER_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "evaluator/kernels/kernel.h"

namespace hloscope {

// Lines of fewer elements are sorted faster by comparing.
inline constexpr int64_t kMinRadixLength = 256;

// The stable ascending order of keys: position of the j-th smallest key in order[j]. `bits` of the keys count (8, 16,
// 32). Requires keys.size() < 2^32. `scratch` is kept between calls. Errors: Cancelled.
struct RadixScratch {
  std::vector<uint64_t> pairs, other;
};
absl::Status RadixOrder(const std::vector<uint32_t>& keys, int bits, int64_t* order, RadixScratch& scratch,
                        KernelRuntime& runtime);

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_RADIX_ORDER_H_
