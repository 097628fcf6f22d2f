// SPDX-License-Identifier: Apache-2.0
// Products of a kernel with several images side by side: their planes, brought to their places.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_IMAGE_ROWS_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_IMAGE_ROWS_H_

#include <cstdint>

#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// Copies `product`, [feature, image, byte of a plane], to `result`, [image, feature, byte of a plane]. Errors:
// kCancelled.
Outcome SpreadImages(const uint8_t* product, int64_t features, int64_t images, int64_t plane_bytes, uint8_t* result,
                     Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_IMAGE_ROWS_H_
