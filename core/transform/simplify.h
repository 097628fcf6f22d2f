// SPDX-License-Identifier: Apache-2.0
// Rules that replace one instruction by something simpler with exactly the same value.
#ifndef HLOSCOPE_CORE_TRANSFORM_SIMPLIFY_H_
#define HLOSCOPE_CORE_TRANSFORM_SIMPLIFY_H_

#include "core/transform/pass.h"

namespace hloscope {

// A rule changes `id` or what uses it and returns true, or does nothing and returns false. `pattern` says what it did:
// "transpose of a transpose". Where an instruction has the form that it is about and stays, the rule says why
// (PassContext::Refuse).
using SimplifyRule = bool (*)(PassContext& context, InstructionId id, std::string* pattern);

// Reshapes of reshapes, identity reshapes, broadcasts of broadcasts.
absl::Span<const SimplifyRule> ReshapeRules();
// All others: identities and chains of transposes, conversions, slices, pads; tuples taken apart; neutral elements.
absl::Span<const SimplifyRule> AlgebraicRules();

// True for instructions whose value is a function of operands and attributes alone and that exist for that value: not
// copies, which exist for their buffers, and nothing that communicates, calls or draws random numbers.
bool IsFunctionOfOperands(Opcode opcode);

inline constexpr absl::string_view kAlgebraicPass = "algebraic";

// Users of `id` take `other`, which is defined before it, and `id` goes if nothing else needs it; `pattern` becomes
// `matched` then. False if that would lose something: a sharding, a control edge, a layout, a root that is a parameter.
bool ReplaceByExisting(PassContext& context, InstructionId id, InstructionId other, absl::string_view matched,
                       std::string* pattern);

// An array's shape as text; tuples are "the tuple": they may be as long as the module.
std::string ShapeForPeople(const Shape& shape);

// What stands between two instructions of the same kind and one of them: `inner` has a sharding that says more about
// some dimensions than about others, or also converts, or an array is not plain. Empty if nothing does.
std::string WhyNotPassed(const Module& module, InstructionId outer, InstructionId inner);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_TRANSFORM_SIMPLIFY_H_
