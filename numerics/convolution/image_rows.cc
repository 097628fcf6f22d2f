// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/image_rows.h"

#include <cstring>

#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {

Outcome SpreadImages(const uint8_t* product, int64_t features, int64_t images, int64_t plane_bytes, uint8_t* result,
                     Executor& executor) {
  const double nanoseconds = static_cast<double>(images * plane_bytes) / 8;
  return ParallelLoop(executor, features, nanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t f = begin; f < end; ++f) {
      for (int64_t i = 0; i < images; ++i) {
        std::memcpy(result + (i * features + f) * plane_bytes, product + (f * images + i) * plane_bytes,
                    static_cast<size_t>(plane_bytes));
      }
    }
  });
}

}  // namespace hloscope::numerics
