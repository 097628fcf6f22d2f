// SPDX-License-Identifier: Apache-2.0
// Why a module moves data: every copy, transpose, reshape, broadcast, pad and convert, what it costs, and who asks for
// it.
#ifndef HLOSCOPE_CORE_TRANSFORM_DATA_MOVEMENT_H_
#define HLOSCOPE_CORE_TRANSFORM_DATA_MOVEMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/module.h"
#include "core/transform/cost_model.h"

namespace hloscope {

enum class MovementVerdict : uint8_t {
  kFree,       // no element changes its address, or nothing is ever stored
  kNeeded,     // somebody needs the data in this form
  kAvoidable,  // a pass of the registry removes it
};
absl::string_view MovementVerdictName(MovementVerdict verdict);  // "free", "needed", "avoidable"

struct DataMovement {
  InstructionId id;
  MovementVerdict verdict = MovementVerdict::kNeeded;
  int64_t bytes = 0;   // physical, read and written, on the target; 0 if it is free
  std::string reason;  // a phrase: "both layouts keep every element in its place", "reshape-reduce removes it"
  // Who asks for it: users from the instruction on, through further movements, up to the first that computes or
  // communicates. Where there are several users, the one that leads to most bytes; empty if nothing uses it.
  std::vector<InstructionId> chain;
};

// In the order of the module. Each instruction is judged by itself; `module` must be free of errors.
std::vector<DataMovement> ExplainDataMovement(const Module& module, const CostTarget& target);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_TRANSFORM_DATA_MOVEMENT_H_
