// SPDX-License-Identifier: Apache-2.0
// Loops of some opcodes for processors of CpuLevel::kAvx2 and up, written by hand: the compiler moves halves of vectors
// to and fro where bf16 is widened, divides where multiplying will do, and cannot scale by a power of two. The bits are
// those of the loops that they stand in for.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_WIDE_LOOPS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_WIDE_LOOPS_H_

#include "core/ir/opcode.h"
#include "evaluator/kernels/lanes/lane_function.h"

namespace hloscope::evaluator {

// On f32, and from stored bf16 to stored bf16. Null if there is none for the opcode, or the processor is a smaller one.
LaneLoop WideFloatLoop(Opcode opcode);
LaneLoop WideBf16Loop(Opcode opcode);
// e^(a - b) of f32, or from stored bf16 to stored bf16, with a difference that is rounded; null for other types and on
// smaller processors.
LaneLoop WideExponentialOfDifference(ElementType type);
// What `loop` computes of rows whose second operand is one number each; null if there is nothing faster than a call of
// the loop for each row.
RowLoop WideRowLoop(LaneLoop loop);
// outer(inner(a, b), c) of f32 a, b and c, or outer(c, inner(a, b)) if `is_right`; null if there is none for the
// opcodes, or the processor is a smaller one.
LaneLoop WideComposition(Opcode outer, Opcode inner, bool is_right);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_WIDE_LOOPS_H_
