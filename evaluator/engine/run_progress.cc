// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/run_progress.h"

#include "core/analysis/call_graph.h"
#include "core/analysis/cost.h"

namespace hloscope::evaluator {
namespace {

bool RunsStepByStep(Opcode opcode) {
  switch (opcode) {
    case Opcode::kCall:
    case Opcode::kFusion:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<int64_t> StepFlops(const Module& module) {
  const CallGraph calls(module);
  const CostAnalysis cost(module, calls);
  std::vector<int64_t> flops(module.instruction_count());
  for (uint32_t i = 0; i < flops.size(); ++i) {
    if (!RunsStepByStep(module.opcode(InstructionId(i)))) flops[i] = cost.Of(InstructionId(i)).flops;
  }
  return flops;
}

int64_t RunFlops(const Module& module) {
  const CallGraph calls(module);
  return module.entry().has_value() ? CostAnalysis(module, calls).Of(module.entry()).flops : 0;
}

}  // namespace hloscope::evaluator
