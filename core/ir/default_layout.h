// SPDX-License-Identifier: Apache-2.0
// The layout that a text without layouts means (docs/text-format.md 4.3).
#ifndef HLOSCOPE_CORE_IR_DEFAULT_LAYOUT_H_
#define HLOSCOPE_CORE_IR_DEFAULT_LAYOUT_H_

#include "core/ir/shape.h"

namespace hloscope {

// The shape with the descending layout on every array, also inside tuples and buffers, that has none.
Shape WithDefaultLayouts(const Shape& shape);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_DEFAULT_LAYOUT_H_
