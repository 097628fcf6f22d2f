// SPDX-License-Identifier: Apache-2.0
// Sliding windows: the sizes they produce and the checks of the `window` attribute (WIN, docs/ops/tensor.md 0.6).
#ifndef HLOSCOPE_CORE_OPS_WINDOW_RULES_H_
#define HLOSCOPE_CORE_OPS_WINDOW_RULES_H_

#include <cstdint>
#include <optional>

#include "core/ir/attribute_values.h"
#include "core/ir/checked_math.h"
#include "core/ir/shape.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// Size of `size` elements with `dilation` - 1 holes between neighbours. Zero elements have no holes.
CheckedInt64 DilatedSize(int64_t size, int64_t dilation);
// Size of a base of `base` elements after base dilation and padding; negative if the padding removes more than there
// is.
CheckedInt64 PaddedBaseSize(int64_t base, const WindowDimension& window);
// Number of windows over a base of `base` elements. Nothing if the sizes overflow or the padded base is negative.
// Requires size, stride and dilations of at least 1.
std::optional<int64_t> WindowCount(int64_t base, const WindowDimension& window);

// WIN-2..5, for every dimension of the window.
bool CheckWindowFields(RuleContext& context, const Window& window);
// WIN-8: hints at rhs_reversal, which only convolution reads.
void CheckNoReversal(RuleContext& context, const Window& window);
// The number of windows in window dimension `d` over dimension `base_dimension` of `base`, reporting WIN-6 and
// overflow; kUnboundedSize over an unbounded dimension.
std::optional<int64_t> InferWindowCount(RuleContext& context, const Window& window, size_t d, const Shape& base,
                                        int64_t base_dimension);
// The shape of windows over every dimension of `base`, with its element type and flags and without layout, for
// reduce-window and select-and-scatter: all WIN checks. An absent window has no dimensions.
std::optional<Shape> InferWindowedShape(RuleContext& context, const Shape& base);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_WINDOW_RULES_H_
