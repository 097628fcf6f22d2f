// SPDX-License-Identifier: Apache-2.0
#include "hlo_copy.h"

#include "hlo_runtime.h"
#include "numerics/data_movement/parallel_copy.h"

namespace hlo {

void CopyStrided(int bytes, std::span<const int64_t> sizes, const void* from, std::span<const int64_t> from_strides,
                 void* to, std::span<const int64_t> to_strides) {
  numerics::CopyStridedInParallel(bytes, sizes, static_cast<const uint8_t*>(from), from_strides,
                                  static_cast<uint8_t*>(to), to_strides, ProgramThreads())
      .Ignore();
}

}  // namespace hlo
