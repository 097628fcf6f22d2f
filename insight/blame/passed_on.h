// SPDX-License-Identifier: Apache-2.0
// The instructions that pass a value on between the one that computes it and the one that reads it.
#ifndef HLOSCOPE_INSIGHT_BLAME_PASSED_ON_H_
#define HLOSCOPE_INSIGHT_BLAME_PASSED_ON_H_

#include <vector>

#include "core/analysis/users.h"
#include "core/analysis/value_flow.h"

namespace hloscope::insight {

class PassedOn {
 public:
  // `flow` outlives the object.
  explicit PassedOn(const ValueFlow& flow) : flow_(flow), calls_(flow.module()) {}

  // From `id`, which has `carrier` among its carriers, to the carrier, which is not in the list: `id` first. Fusions
  // and calls are followed into what they call, parameters to what they are given.
  std::vector<InstructionId> Chain(InstructionId id, InstructionId carrier) const;
  // The operand of a carrier that brings its number-th carrier (ValueFlow::operands).
  InstructionId OperandOf(InstructionId carrier, size_t number) const;

 private:
  InstructionId Before(InstructionId id, InstructionId carrier) const;
  bool Has(InstructionId id, InstructionId carrier) const;

  const ValueFlow& flow_;
  const UserIndex calls_;
};

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_BLAME_PASSED_ON_H_
