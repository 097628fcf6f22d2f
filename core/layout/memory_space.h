// SPDX-License-Identifier: Apache-2.0
// The memory spaces S(n) of layouts that have a fixed meaning (docs/ops/tensor.md 12.1).
#ifndef HLOSCOPE_CORE_LAYOUT_MEMORY_SPACE_H_
#define HLOSCOPE_CORE_LAYOUT_MEMORY_SPACE_H_

#include <cstdint>

#include "core/ir/shape.h"

namespace hloscope {

inline constexpr int64_t kDeviceMemorySpace = 0;
inline constexpr int64_t kFastMemorySpace = 1;
inline constexpr int64_t kHostMemorySpace = 5;

// Of an array; without a layout it lies in device memory.
inline int64_t MemorySpaceOf(const Shape& array) {
  return array.has_layout() ? array.layout().memory_space : kDeviceMemorySpace;
}

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_LAYOUT_MEMORY_SPACE_H_
