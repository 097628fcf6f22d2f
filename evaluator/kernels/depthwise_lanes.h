// The innermost loop of depthwise convolution, compiled for several instruction sets.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_DEPTHWISE_LANES_H_
#define HLOSCOPE_EVALUATOR_KERNELS_DEPTHWISE_LANES_H_

#include <cstdint>

namespace hloscope {

// sums[c] (+)= a[c] * b[c].
void AddProducts(const float* a, const float* b, float* sums, int64_t count, bool accumulate);

template <typename T>
void AddProducts(const T* a, const T* b, T* sums, int64_t count, bool accumulate) {
  for (int64_t c = 0; c < count; ++c) sums[c] = accumulate ? sums[c] + a[c] * b[c] : a[c] * b[c];
}

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_DEPTHWISE_LANES_H_
