// SPDX-License-Identifier: Apache-2.0
// Which instruction everything flows through.
#ifndef HLOSCOPE_CORE_ANALYSIS_DOMINATORS_H_
#define HLOSCOPE_CORE_ANALYSIS_DOMINATORS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"

namespace hloscope {

// Dominance on the dataflow of one computation, towards its root: `d` dominates `i` if every path from `i` along users
// to the root passes `d`. Control dependencies do not count.
class FlowDominators {
 public:
  // O(n log n) in the instructions and operands of the computation.
  FlowDominators(const Module& module, const UserIndex& users, ComputationId computation);

  // The instructions that reach the root, each before everything that it dominates: the root first, operands after all
  // of their users.
  absl::Span<const InstructionId> order() const { return order_; }
  // The nearest instruction that dominates `id`, other than itself. None for the root and for what does not reach it.
  InstructionId ImmediateDominator(InstructionId id) const;
  // True also for d == i, if it reaches the root.
  bool Dominates(InstructionId d, InstructionId i) const;

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  uint32_t PositionOf(InstructionId id) const;
  uint32_t Ancestor(uint32_t at, uint32_t steps) const;
  uint32_t Common(uint32_t a, uint32_t b) const;

  std::vector<InstructionId> order_;
  uint32_t first_id_ = 0;
  std::vector<uint32_t> position_;             // by id - first_id_; kNone
  std::vector<uint32_t> depth_;                // by position
  std::vector<std::vector<uint32_t>> lifted_;  // [k][position]: the dominator 2^k steps up
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_DOMINATORS_H_
