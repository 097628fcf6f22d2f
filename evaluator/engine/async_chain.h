// SPDX-License-Identifier: Apache-2.0
// Generic asynchronous chains: async-start, async-update ..., async-done (docs/ops/control.md 2.1). The
// wrapped computation runs eagerly: at the first op of the chain at which all arguments and the result slot are bound,
// else at async-done. Values of a start or update are ((arguments...), result, context...); what is not bound or not
// defined is zero.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_ASYNC_CHAIN_H_
#define HLOSCOPE_EVALUATOR_ENGINE_ASYNC_CHAIN_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "core/ops/asynchronous.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// True if the update or done takes arguments, or a result, that the chain before it does not have.
bool BindsMore(const Module& module, InstructionId id);

// True if the computation is a collective of its parameters.
bool IsWrappedCollective(const Module& module, ComputationId wrapped);

// The arguments bound along the chain up to `id`, whose operands have the given values.
std::vector<Value> AsyncArguments(const Module& module, InstructionId id, absl::Span<const Value> operands);

// The value of `id` after the wrapped computation returned `result`.
Value AsyncResult(const Module& module, InstructionId id, absl::Span<const Value> operands, Value result);

// The value of `id` where nothing is launched.
absl::StatusOr<Value> AsyncPassThrough(const Module& module, InstructionId id, absl::Span<const Value> operands);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_ASYNC_CHAIN_H_
