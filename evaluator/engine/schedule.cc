// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/schedule.h"

#include <functional>
#include <queue>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/communication/communication_plan.h"
#include "core/ops/custom_call.h"

namespace hloscope::evaluator {
namespace {

// What custom calls to control_dep say: operand 0 runs before operand 1. By the later instruction.
absl::flat_hash_map<InstructionId, std::vector<InstructionId>> OrderedByCalls(
    const Module& module, absl::Span<const InstructionId> instructions) {
  absl::flat_hash_map<InstructionId, std::vector<InstructionId>> ordered;
  for (InstructionId id : instructions) {
    if (module.opcode(id) != Opcode::kCustomCall || module.operands(id).size() != 2) continue;
    if (CustomCallTarget(module, id) != "control_dep") continue;
    const InstructionId before = module.operand(id, 0), after = module.operand(id, 1);
    if (before.has_value() && after.has_value()) ordered[after].push_back(before);
  }
  return ordered;
}

}  // namespace

Schedules::Schedules(const Module& module, bool run_dead_instructions)
    : module_(module),
      run_dead_instructions_(run_dead_instructions),
      local_index_(module.instruction_count(), 0),
      calls_(module),
      side_effects_(module, calls_),
      communicating_(CommunicatingInstructions(module, calls_)),
      schedules_(module.computations().size()) {
  for (const Computation& computation : module.computations()) {
    for (size_t i = 0; i < computation.instructions.size(); ++i) {
      local_index_[computation.instructions[i].index()] = static_cast<uint32_t>(i);
    }
  }
}

absl::StatusOr<const ComputationSchedule*> Schedules::Of(ComputationId computation) {
  if (!computation.has_value() || computation.index() >= schedules_.size()) {
    return absl::InvalidArgumentError("a called computation could not be read");
  }
  std::unique_ptr<const ComputationSchedule>& entry = schedules_[computation.index()];
  if (entry == nullptr) {
    absl::StatusOr<std::unique_ptr<ComputationSchedule>> made = Make(computation);
    if (!made.ok()) return made.status();
    entry = *std::move(made);
  }
  return entry.get();
}

absl::StatusOr<std::unique_ptr<ComputationSchedule>> Schedules::Make(ComputationId computation_id) const {
  const Computation& computation = module_.computation(computation_id);
  const absl::Span<const InstructionId> instructions = computation.instructions;
  const auto error = [&](InstructionId id, absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat("instruction ", module_.InstructionName(id), " of computation ",
                                                   module_.ComputationName(computation_id), " ", what));
  };
  if (!computation.root.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("computation ", module_.ComputationName(computation_id), " has no root"));
  }

  // What is needed, found from the ends: the root, the instructions with side effects, and those that others wait for.
  std::vector<bool> needed(instructions.size(), false);
  std::vector<uint32_t> pending;
  const auto need = [&](InstructionId id) {
    const uint32_t index = LocalIndex(id);
    if (needed[index]) return;
    needed[index] = true;
    pending.push_back(index);
  };
  auto schedule = std::make_unique<ComputationSchedule>();
  schedule->has_side_effects = side_effects_.First(computation_id).has_value();
  schedule->uses.assign(instructions.size(), 0);
  schedule->step_of.assign(instructions.size(), ComputationSchedule::kNoStep);
  for (InstructionId id : instructions) {
    if (side_effects_.Has(id) || id == computation.root || run_dead_instructions_) need(id);
  }
  for (InstructionId id : communicating_[computation_id.index()]) need(id);
  const absl::flat_hash_map<InstructionId, std::vector<InstructionId>> ordered = OrderedByCalls(module_, instructions);
  // Predecessors of each needed instruction: operands and control predecessors.
  std::vector<uint32_t> missing(instructions.size(), 0);
  std::vector<std::vector<uint32_t>> successors(instructions.size());
  while (!pending.empty()) {
    const uint32_t index = pending.back();
    pending.pop_back();
    const InstructionId id = instructions[index];
    const auto depend = [&](InstructionId on) -> absl::Status {
      if (!on.has_value()) return error(id, "has an operand that could not be read");
      if (module_.instruction(on).computation != computation_id) {
        return error(id, "uses an instruction of another computation");
      }
      need(on);
      ++missing[index];
      successors[LocalIndex(on)].push_back(index);
      return absl::OkStatus();
    };
    for (InstructionId operand : module_.operands(id)) {
      if (absl::Status status = depend(operand); !status.ok()) return status;
      ++schedule->uses[LocalIndex(operand)];
    }
    for (InstructionId before : module_.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
      if (absl::Status status = depend(before); !status.ok()) return status;
    }
    if (ordered.empty()) continue;
    if (const auto it = ordered.find(id); it != ordered.end()) {
      for (InstructionId before : it->second) {
        if (absl::Status status = depend(before); !status.ok()) return status;
      }
    }
  }
  ++schedule->uses[LocalIndex(computation.root)];

  // Earliest textual position first among the ready ones.
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<uint32_t>> ready;
  size_t remaining = 0;
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    if (!needed[i]) continue;
    ++remaining;
    if (missing[i] == 0) ready.push(i);
  }
  while (!ready.empty()) {
    const uint32_t index = ready.top();
    ready.pop();
    --remaining;
    const InstructionId id = instructions[index];
    if (module_.opcode(id) == Opcode::kConstant) {
      schedule->constants.push_back(id);
    } else if (module_.opcode(id) != Opcode::kParameter) {
      schedule->step_of[index] = static_cast<uint32_t>(schedule->steps.size());
      schedule->steps.push_back(id);
    }
    for (uint32_t successor : successors[index]) {
      if (--missing[successor] == 0) ready.push(successor);
    }
  }
  if (remaining > 0) {
    return absl::InvalidArgumentError(absl::StrCat("the instructions of computation ",
                                                   module_.ComputationName(computation_id), " wait for each other"));
  }
  return schedule;
}

}  // namespace hloscope::evaluator
