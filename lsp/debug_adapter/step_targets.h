// SPDX-License-Identifier: Apache-2.0
// What an instruction can be stepped into.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_STEP_TARGETS_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_STEP_TARGETS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/module.h"

namespace hloscope::dap {

struct StepTarget {
  std::string label;
  ComputationId computation;
  std::optional<std::vector<int64_t>> element;  // of the result, where the computation is applied to make it
};

// In the order in which they are numbered; none for an instruction that calls nothing.
std::vector<StepTarget> StepTargetsOf(const Module& module, InstructionId id);

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_STEP_TARGETS_H_
