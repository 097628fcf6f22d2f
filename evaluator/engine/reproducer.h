// SPDX-License-Identifier: Apache-2.0
// A module of its own that shows what one instruction of a run did.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_REPRODUCER_H_
#define HLOSCOPE_EVALUATOR_ENGINE_REPRODUCER_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// Writes `module.hlo` with the one instruction (and what it calls), and the values that it read as the arguments of
// that module: arg0.npy, arg1.npy, ... `value_of` gives the value of an operand, or of what an operand is computed from
// if the two cannot be parted. Returns the paths. `directory` exists; a failure leaves none of the files behind.
// Errors: those of writing and of `value_of`.
absl::StatusOr<std::vector<std::string>> WriteReproducer(
    const Module& module, const UserIndex& users, InstructionId instruction,
    absl::FunctionRef<absl::StatusOr<Value>(InstructionId)> value_of, const std::string& directory);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_REPRODUCER_H_
