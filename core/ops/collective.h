// SPDX-License-Identifier: Apache-2.0
// Collectives and the device ids (docs/ops/control.md 1.13, 4.7-4.14).
#ifndef HLOSCOPE_CORE_OPS_COLLECTIVE_H_
#define HLOSCOPE_CORE_OPS_COLLECTIVE_H_

#include "core/ops/rule_context.h"

namespace hloscope {

// True for every opcode by which devices communicate with each other through groups or pairs, start forms included,
// done forms not.
bool IsCollective(Opcode opcode);

// Shape rules and checks of the plain and in-place forms of collective-permute and its start (4.12, 4.14).
InferredShape InferCollectivePermute(RuleContext& context);

// Reports unless there is at least one operand and all are arrays.
bool CheckCollectiveOperands(RuleContext& context);

// The shape of operand 0, or the tuple of all operand shapes.
Shape ShapeOfOperands(const RuleContext& context);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_COLLECTIVE_H_
