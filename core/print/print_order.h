// The order in which computations and instructions print (spec/hlo-text.md 7.2, 7.3).
#ifndef HLOSCOPE_CORE_PRINT_PRINT_ORDER_H_
#define HLOSCOPE_CORE_PRINT_PRINT_ORDER_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "core/ir/module.h"

namespace hloscope {

// The computations an instruction calls in the order of its attributes in 7.5 (the order of the text does not matter);
// a `while` calls its body first if `body_before_condition`.
void ForEachCalleeInOrder(const Module& module, InstructionId id, bool body_before_condition,
                          absl::FunctionRef<void(ComputationId)> visit);

// Callees before callers, every computation once.
std::vector<ComputationId> ComputationPrintOrder(const Module& module);

// The order of instructions inside computations.
class InstructionOrder {
 public:
  explicit InstructionOrder(const Module& module);

  // The stored order if it is a schedule (a scheduled module; fusion computations have none), else depth-first
  // post-order: operands before users. All instructions are in it, also those that the text does not show
  // (tuple accesses in compact form): like the reference, they keep their influence on the order.
  std::vector<InstructionId> Of(ComputationId computation) const;

 private:
  const Module& module_;
  std::vector<bool> starts_search_;     // by instruction: it has no users
  std::vector<bool> is_fused_;          // by computation
  mutable std::vector<uint8_t> state_;  // scratch of Of, by instruction
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_PRINT_ORDER_H_
