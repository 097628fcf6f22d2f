// Integers that order elements of any real type.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_ORDER_KEYS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_ORDER_KEYS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope {

// keys[i] orders like element `first + i` of `dense`, a contiguous array: by value for pred and integers, by the total
// order for floats (spec/ops-a-elementwise.md 6.3).
void OrderKeys(const Tensor& dense, int64_t first, int64_t count, int64_t* keys);

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_ORDER_KEYS_H_
