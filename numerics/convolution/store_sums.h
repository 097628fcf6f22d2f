// SPDX-License-Identifier: Apache-2.0
// Sums of products as elements of a result.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_STORE_SUMS_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_STORE_SUMS_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "numerics/contraction/bf16_arrays.h"

namespace hloscope::numerics {

// As they are, or rounded to bf16. Sum: float or double; Result: the same, or uint16_t for float.
template <typename Sum, typename Result>
void StoreSums(const Sum* sums, int64_t count, Result* result) {
  if constexpr (std::is_same_v<Sum, Result>) {
    std::memcpy(result, sums, static_cast<size_t>(count) * sizeof(Sum));
  } else {
    RoundToBf16(sums, count, result);
  }
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_STORE_SUMS_H_
