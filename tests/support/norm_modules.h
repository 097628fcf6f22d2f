// SPDX-License-Identifier: Apache-2.0
// The modules of docs/rewrites.md 8, in any size.
#ifndef HLOSCOPE_TESTS_SUPPORT_NORM_MODULES_H_
#define HLOSCOPE_TESTS_SUPPORT_NORM_MODULES_H_

#include <cstdint>
#include <string>

namespace hloscope {

// Activations [batch, height, width, channels], `groups` groups of channels.
struct NormSizes {
  int64_t batch = 8, height = 56, width = 56, channels = 256, groups = 32;
};

// Mean and variance of each group of channels of each image, written with reshapes to [B, H, W, C/G, G] and back.
std::string GroupNormForward(const NormSizes& sizes = {});
// The gradient of the input of GroupNormForward, given the input, the scale and the gradient of the result.
std::string GroupNormBackward(const NormSizes& sizes = {});
// Mean and variance over virtual batches of `virtual_batch` images: reshapes to [B/V, V, H, W, C] and back.
std::string GhostBatchNorm(const NormSizes& sizes = {256, 28, 28, 128, 0}, int64_t virtual_batch = 32);
// Over the last dimension, without any reshape: there is nothing to gain.
std::string LayerNorm(int64_t rows = 1024, int64_t features = 768);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_NORM_MODULES_H_
