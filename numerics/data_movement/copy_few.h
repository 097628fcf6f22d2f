// SPDX-License-Identifier: Apache-2.0
// Copying lines of few elements.
#ifndef HLOSCOPE_NUMERICS_DATA_MOVEMENT_COPY_FEW_H_
#define HLOSCOPE_NUMERICS_DATA_MOVEMENT_COPY_FEW_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hloscope::numerics {

// Copies `count` elements, 1 <= count <= 16, without a call or a loop, which take longer than copying.
template <typename T>
inline void CopyUpToSixteen(const T* from, int64_t count, T* to) {
  const auto copy_ends = [&](auto size) {
    T first[size], last[size];
    std::memcpy(first, from, sizeof first);
    std::memcpy(last, from + count - size, sizeof last);
    std::memcpy(to, first, sizeof first);
    std::memcpy(to + count - size, last, sizeof last);
  };
  if (count >= 8) {
    copy_ends(std::integral_constant<int, 8>());
  } else if (count >= 4) {
    copy_ends(std::integral_constant<int, 4>());
  } else if (count >= 2) {
    copy_ends(std::integral_constant<int, 2>());
  } else {
    *to = *from;
  }
}

// Copies `count` >= 1 elements, mostly few.
template <typename T>
inline void CopyFew(const T* from, int64_t count, T* to) {
  count > 16 ? static_cast<void>(std::copy_n(from, count, to)) : CopyUpToSixteen(from, count, to);
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_DATA_MOVEMENT_COPY_FEW_H_
