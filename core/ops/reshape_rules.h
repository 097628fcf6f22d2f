// SPDX-License-Identifier: Apache-2.0
// Shape rules of reshape and dynamic-reshape (docs/ops/tensor.md 1.2, 1.3), which carry dynamic sizes through a
// regrouping of dimensions.
#ifndef HLOSCOPE_CORE_OPS_RESHAPE_RULES_H_
#define HLOSCOPE_CORE_OPS_RESHAPE_RULES_H_

#include "core/ops/rule_context.h"

namespace hloscope {

// Both require array operands and a declared array.
InferredShape InferReshape(RuleContext& context);
InferredShape InferDynamicReshape(RuleContext& context);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_RESHAPE_RULES_H_
