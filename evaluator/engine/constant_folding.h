// SPDX-License-Identifier: Apache-2.0
// The value of one instruction whose operands are known: what `fold-constants` (core/transform) asks for.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_CONSTANT_FOLDING_H_
#define HLOSCOPE_EVALUATOR_ENGINE_CONSTANT_FOLDING_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"

namespace hloscope::evaluator {

// Evaluates instruction `id`, which must not call computations, on these operands. The result has the shape of the
// instruction, without layout. Errors: those of a run; InvalidArgument if the instruction calls something.
absl::StatusOr<Literal> FoldInstruction(const Module& module, InstructionId id,
                                        absl::Span<const Literal* const> operands);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_CONSTANT_FOLDING_H_
