// SPDX-License-Identifier: Apache-2.0
// Dispatch from an instruction to its family's shape rule and checks.
#ifndef HLOSCOPE_CORE_OPS_SHAPE_INFERENCE_H_
#define HLOSCOPE_CORE_OPS_SHAPE_INFERENCE_H_

#include "core/ops/rule_context.h"

namespace hloscope {

// Every family F of families.def defines InferF (in core/ops/<file>.cc): runs all checks of the op that need no more
// than the instruction, its operands' shapes and the signatures of the called computations, reports every violation,
// and returns the inferred result shape.
#define HLO_FAMILY(Enum, file) InferredShape Infer##Enum(RuleContext& context);
#include "core/ir/families.def"

// Most leaves, and levels of nesting (docs/text-format.md 8.5), of a shape that a text leaves out. Tuples of tuples
// double with every line: without a limit a text of a few lines stands for more leaves than fit any memory. Real
// modules have some thousands. Shapes that are written out are as long as their text and have no limit of leaves.
inline constexpr int64_t kMaxInferredLeaves = int64_t{1} << 17;
inline constexpr int64_t kMaxInferredNesting = 8192;

// False, after reporting it at `range`, if the shape is larger than that.
bool CheckInferredSize(const Shape& shape, SourceRange range, DiagnosticSink& sink);

// Runs the rule of the instruction's family. Operand count is checked here against opcodes.def; rules of opcodes with a
// fixed arity may rely on it. All operand shapes must be valid. A shape that the text leaves out has a limited size.
InferredShape InferShape(RuleContext& context);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_SHAPE_INFERENCE_H_
