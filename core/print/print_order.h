// SPDX-License-Identifier: Apache-2.0
// The order in which computations and instructions print (docs/text-format.md 7.2, 7.3).
#ifndef HLOSCOPE_CORE_PRINT_PRINT_ORDER_H_
#define HLOSCOPE_CORE_PRINT_PRINT_ORDER_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "core/ir/module.h"
#include "core/print/print_options.h"

namespace hloscope {

// The computations an instruction calls in the order of its attributes in 7.5 (the order of the text does not matter);
// a `while` calls its body first if `body_before_condition`.
void ForEachCalleeInOrder(const Module& module, InstructionId id, bool body_before_condition,
                          absl::FunctionRef<void(ComputationId)> visit);

// Callees before callers, every computation once. In text order, one that the module stores after its first caller
// is directly before it.
std::vector<ComputationId> ComputationPrintOrder(const Module& module, PrintOrder order = PrintOrder::kXla);

// The order of instructions inside computations.
class InstructionOrder {
 public:
  explicit InstructionOrder(const Module& module, PrintOrder order = PrintOrder::kXla);

  // The stored order if it is a schedule (a scheduled module; fusion computations have none). Else depth-first
  // post-order, operands before users: from every instruction in text order, which changes nothing where operands are
  // stored before users; from those without users in that of the reference. All instructions are in it, also those that
  // the text does not show (tuple accesses in compact form): like the reference, they keep their influence on the
  // order.
  std::vector<InstructionId> Of(ComputationId computation) const;

 private:
  const Module& module_;
  std::vector<bool> starts_search_;     // by instruction; in the order of the reference: it has no users
  std::vector<bool> is_fused_;          // by computation
  std::vector<bool> is_stored_so_;      // by computation: what it is in is the order
  mutable std::vector<uint8_t> state_;  // scratch of Of, by instruction
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_PRINT_ORDER_H_
