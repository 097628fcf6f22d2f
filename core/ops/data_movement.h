// SPDX-License-Identifier: Apache-2.0
// Ops that move, replicate, cut and join data without computing (docs/ops/tensor.md 1, 9).
#ifndef HLOSCOPE_CORE_OPS_DATA_MOVEMENT_H_
#define HLOSCOPE_CORE_OPS_DATA_MOVEMENT_H_

#include "core/ir/attribute_values.h"
#include "core/ir/checked_math.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// Size of a dimension of `size` elements after padding (1.10): holes first, then the edges. May be negative, which is
// an error of the text, or overflow.
CheckedInt64 PaddedSize(int64_t size, const PaddingDimension& padding);

// True if the start indices `first_index`... of a dynamic-slice or dynamic-update-slice are one rank-1 operand instead
// of one scalar per dimension (1.8).
bool HasIndexVector(const RuleContext& context, size_t first_index);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_DATA_MOVEMENT_H_
