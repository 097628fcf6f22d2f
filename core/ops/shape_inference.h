// Dispatch from an instruction to its family's shape rule and checks.
#ifndef HLOSCOPE_CORE_OPS_SHAPE_INFERENCE_H_
#define HLOSCOPE_CORE_OPS_SHAPE_INFERENCE_H_

#include "core/ops/rule_context.h"

namespace hloscope {

// Every family F of families.def defines InferF (in core/ops/<file>.cc): runs all checks of the op that need no more
// than the instruction, its operands' shapes and the signatures of the called computations, reports every violation,
// and returns the inferred result shape.
#define HLO_FAMILY(Enum, file) InferredShape Infer##Enum(RuleContext& context);
#include "core/ops/families.def"

// Runs the rule of the instruction's family. Operand count is checked here against opcodes.def; rules of opcodes with a
// fixed arity may rely on it. All operand shapes must be valid.
InferredShape InferShape(RuleContext& context);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_SHAPE_INFERENCE_H_
