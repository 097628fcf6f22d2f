// SPDX-License-Identifier: Apache-2.0
// Asynchronous chains: async-start, async-update, async-done, and the copy-start/copy-done pair
// (docs/ops/control.md 1.15, 2.1).
#ifndef HLOSCOPE_CORE_OPS_ASYNCHRONOUS_H_
#define HLOSCOPE_CORE_OPS_ASYNCHRONOUS_H_

#include "core/ir/module.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// async-start or async-update.
inline bool IsAsyncLink(Opcode opcode) { return opcode == Opcode::kAsyncStart || opcode == Opcode::kAsyncUpdate; }

// ((operands...), result, context...): the shape of an asynchronous value.
bool HasAsyncForm(const Shape& shape);

// The start opcode whose value this done opcode finishes: all-reduce-start for all-reduce-done; kInvalid for other
// opcodes. Of async-done: async-start.
Opcode StartOf(Opcode done);
// The other way round.
Opcode DoneOf(Opcode start);

// True if operand 0 of a done is the start that belongs to it, but no tuple of that many elements: the shape of the
// start is in error, not the done.
bool FollowsUnfitStart(const RuleContext& context, int64_t elements);

// True for instructions that may hand an asynchronous value on unchanged (2.1): tuples and their elements, loops, calls
// and conditionals, barriers, copies and annotation custom calls.
bool PassesAsyncValueOn(const Module& module, InstructionId id);

// The async-start that the value of `link`, a start, update or done, comes from: follows operand 0 through updates,
// tuple elements, barriers, copies and into the initial value of loops. None if it cannot be found in the computation.
InstructionId FindAsyncStart(const Module& module, InstructionId link);

// The computation that a start, update or done wraps: its own `calls`, or that of its start; none if unknown.
ComputationId WrappedComputation(const Module& module, InstructionId link);

// --- Evaluation (2.1): the wrapped computation runs at the first op of the chain at which all arguments and the result
// are bound, else at async-done ---

// True if the wrapped computation runs at `id`.
bool AsyncLaunches(const Module& module, InstructionId id);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_ASYNCHRONOUS_H_
