// SPDX-License-Identifier: Apache-2.0
// In which order the instructions of a computation run, and how long their values are needed
// (docs/ops/control.md 7.2, 7.7).
#ifndef HLOSCOPE_EVALUATOR_ENGINE_SCHEDULE_H_
#define HLOSCOPE_EVALUATOR_ENGINE_SCHEDULE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/side_effects.h"
#include "core/ir/module.h"

namespace hloscope::evaluator {

struct ComputationSchedule {
  static constexpr uint32_t kNoStep = UINT32_MAX;

  // Executed in this order: everything that the root, a control successor, a side effect or another device needs, but
  // parameters and constants, which have their values when a frame opens.
  std::vector<InstructionId> steps;
  std::vector<uint32_t> step_of;         // place in steps, by place in Computation::instructions; else kNoStep
  std::vector<InstructionId> constants;  // the ones that are needed
  // How often an instruction is an operand of a step, by its place in Computation::instructions. The root counts one
  // more, for the frame's result.
  std::vector<uint32_t> uses;
  bool has_side_effects = false;  // of its own or of a called computation
};

// The schedules of a module, made when first asked for. Not thread-safe.
class Schedules {
 public:
  // `run_dead_instructions`: schedule also what nobody needs.
  Schedules(const Module& module, bool run_dead_instructions);

  // Errors: InvalidArgument if the computation has unreadable parts or its dependences are circular.
  absl::StatusOr<const ComputationSchedule*> Of(ComputationId computation);

  // Place of an instruction in Computation::instructions.
  uint32_t LocalIndex(InstructionId id) const { return local_index_[id.index()]; }

  const CallGraph& calls() const { return calls_; }

 private:
  absl::StatusOr<std::unique_ptr<ComputationSchedule>> Make(ComputationId computation) const;

  const Module& module_;
  const bool run_dead_instructions_;
  std::vector<uint32_t> local_index_;  // by instruction
  const CallGraph calls_;
  const SideEffects side_effects_;
  const std::vector<std::vector<InstructionId>> communicating_;        // by computation
  std::vector<std::unique_ptr<const ComputationSchedule>> schedules_;  // by computation
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_SCHEDULE_H_
