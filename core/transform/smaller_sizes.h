// SPDX-License-Identifier: Apache-2.0
// A module with another size for some of its dimensions, for smaller test cases.
#ifndef HLOSCOPE_CORE_TRANSFORM_SMALLER_SIZES_H_
#define HLOSCOPE_CORE_TRANSFORM_SMALLER_SIZES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/module.h"

namespace hloscope {

// Sizes above 1 that dimensions of arrays have, each once, the largest first.
std::vector<int64_t> DimensionSizes(const Module& module);

// The module with every dimension of size `from` made `to`, and those that follow from it: what reshapes join and
// split, concatenates add, windows, pads and slices leave. Attributes that count elements (slice limits, slice sizes,
// windows of that size, FFT lengths) go along; literals are cut. Nothing if two rules want different sizes for what had
// one. The module may have errors where sizes mean what this does not know. The layout of the entry computation is
// dropped.
std::optional<Module> WithSize(const Module& module, int64_t from, int64_t to);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_TRANSFORM_SMALLER_SIZES_H_
