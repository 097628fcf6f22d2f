// SPDX-License-Identifier: Apache-2.0
// Ops that change the element type (docs/ops/elementwise.md 9).
#ifndef HLOSCOPE_CORE_OPS_TYPE_CONVERSION_H_
#define HLOSCOPE_CORE_OPS_TYPE_CONVERSION_H_

#include "core/ir/element_type.h"

namespace hloscope {

// Bits one element occupies for bitcast-convert (9.2): 8 for pred and the f6 types, the natural width otherwise. Always
// a power of two, so of two widths one divides the other.
int BitcastWidth(ElementType type);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_TYPE_CONVERSION_H_
