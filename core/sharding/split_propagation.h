// SPDX-License-Identifier: Apache-2.0
// How the values of a module come to be cut, before anything of it is written again: through instructions by the rules
// of split_rules.h, and through the computations that loops, conditionals and calls run.
#ifndef HLOSCOPE_CORE_SHARDING_SPLIT_PROPAGATION_H_
#define HLOSCOPE_CORE_SHARDING_SPLIT_PROPAGATION_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "core/sharding/split.h"
#include "core/sharding/split_rules.h"

namespace hloscope {

// The sharding of leaf k of a value; null if there is none.
const Sharding* LeafSharding(const Sharding* sharding, size_t k);

class SplitPropagation {
 public:
  // `order`: the instructions of a computation, operands before users. `module` outlives the object.
  SplitPropagation(const Module& module, int64_t devices,
                   std::function<std::vector<InstructionId>(ComputationId)> order);

  // How an array is to be cut by what the text says of the instruction, if that can be done.
  std::optional<Split> Wanted(InstructionId id) const;
  // Says that the array is cut in another way, and computes nothing.
  bool IsAnnotation(InstructionId id) const;
  // What PlanSplit gives, if it fits the shapes; else the plan in which every device computes all of it.
  SplitPlan PlanOf(InstructionId id, absl::Span<const Split> operands) const;

  // The computations that a while, a conditional or a call runs, where they can be cut with it: nothing else runs them,
  // and they are not nested too deeply. Empty for other instructions.
  std::vector<ComputationId> CutWith(InstructionId id) const;
  // How the state of a loop stays cut from one iteration to the next, if it starts as `initial`. What the body cuts in
  // the same way anyway is cut from the start; what it gives back otherwise is whole. So is all of it where loops
  // within loops would have to be followed too often.
  Splits OfLoop(InstructionId loop, Splits initial) const;
  // How what a conditional or a call gives back is cut: as all of its computations do it. `arguments` of each.
  Splits OfCallees(InstructionId caller, absl::Span<const std::vector<Splits>> arguments) const;

 private:
  using Known = absl::flat_hash_map<InstructionId, Splits>;
  Splits AllWhole(InstructionId id) const;
  Splits Outcome(ComputationId computation, absl::Span<const Splits> parameters) const;
  Splits Of(InstructionId id, absl::Span<const Splits> parameters, const Known& known) const;

  const Module& module_;
  const int64_t devices_;
  const std::function<std::vector<InstructionId>(ComputationId)> order_;
  std::vector<int64_t> callers_;  // by computation
  std::vector<int64_t> nesting_;  // of computations: of the calls that lead there, where loops count more
  mutable int64_t left_;          // instructions that may still be followed
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SHARDING_SPLIT_PROPAGATION_H_
