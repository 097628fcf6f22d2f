// SPDX-License-Identifier: Apache-2.0
// Elementwise instructions that are executed together when nobody watches, also with reductions of rows and what is
// computed from them for each row, or a conversion together with the reduction of what it converts: what lies between
// them never exists as an array.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_ELEMENTWISE_GROUPS_H_
#define HLOSCOPE_EVALUATOR_ENGINE_ELEMENTWISE_GROUPS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/ir/module.h"
#include "evaluator/engine/row_program.h"
#include "evaluator/engine/schedule.h"
#include "evaluator/kernels/lanes/scalar_program.h"

namespace hloscope::evaluator {

// Executed at the place of its last instruction, the root, the only one whose value others use.
struct ElementwiseGroup {
  InstructionId root;
  std::vector<InstructionId> members;  // the others, in the order of the schedule
  std::vector<InstructionId> inputs;   // what they use from outside, each once
  std::vector<uint32_t> input_uses;    // how often instructions of the group use it
  // Null, and no rows: the root is a reduce, and the one member widens what it reduces, the first input.
  std::unique_ptr<ScalarProgram> program;
  std::unique_ptr<const RowProgram> rows;
  // The same instructions for operands that do not fit `rows`, one after the other: elementwise ones together, others
  // alone, without a program.
  std::vector<ElementwiseGroup> parts;
};

// The groups of one computation.
class ElementwiseGroups {
 public:
  // `single`: every instruction is a group of its own.
  ElementwiseGroups(const Module& module, Schedules& schedules, const ComputationSchedule& schedule, bool single);

  // The group that ends with an instruction; null if there is none.
  const ElementwiseGroup* EndingWith(InstructionId id) const {
    const auto found = groups_.find(id);
    return found == groups_.end() ? nullptr : found->second.get();
  }
  // What executing an instruction of a group one by one would do inside the computation that it calls.
  struct Inlined {
    int64_t steps = 0, frames = 0;
  };
  Inlined InlinedIn(InstructionId id) const {
    const auto found = inlined_.find(id);
    return found == inlined_.end() ? Inlined() : found->second;
  }
  // True if an instruction waits for the root of its group.
  bool IsMember(InstructionId id) const { return members_.contains(id); }

 private:
  absl::flat_hash_map<InstructionId, std::unique_ptr<ElementwiseGroup>> groups_;
  absl::flat_hash_map<InstructionId, InstructionId> members_;  // to the root
  absl::flat_hash_map<InstructionId, Inlined> inlined_;        // of calls
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_ELEMENTWISE_GROUPS_H_
