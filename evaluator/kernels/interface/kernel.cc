#include "evaluator/kernels/interface/kernel.h"

#include "absl/strings/str_cat.h"

namespace hloscope {

RandomCounter KernelRuntime::AdvanceRandomCounter(InstructionId id, uint64_t delta) {
  constexpr uint64_t kInitialCounter = 0x7012395;
  RandomCounter& counter = random_counters_.try_emplace(id, RandomCounter{kInitialCounter, 0}).first->second;
  const RandomCounter before = counter;
  counter = counter.Plus(delta);
  return before;
}

absl::StatusOr<Value> EvaluateInstruction(const KernelContext& context) {
  if (context.opcode() == Opcode::kInvalid) {
    return absl::FailedPreconditionError(
        absl::StrCat("instruction ", context.module.InstructionName(context.id), " could not be read"));
  }
  switch (InfoOf(context.opcode()).family) {
#define HLO_FAMILY(Enum, file) \
  case OpFamily::k##Enum:      \
    return Evaluate##Enum(context);
#include "core/ir/families.def"
  }
  return absl::InternalError("unknown family");
}

}  // namespace hloscope
