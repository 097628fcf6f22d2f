// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/interface/kernel.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace hloscope::evaluator {

RandomCounter KernelRuntime::AdvanceRandomCounter(InstructionId id, uint64_t delta) {
  constexpr uint64_t kInitialCounter = 0x7012395;
  RandomCounter& counter = random_counters_.try_emplace(id, RandomCounter{kInitialCounter, 0}).first->second;
  const RandomCounter before = counter;
  counter = counter.Plus(delta);
  return before;
}

uint64_t KernelRuntime::NumberStream(const Module& module, InstructionId id) { return StreamOfName(module, id); }

uint64_t StreamOfName(const Module& module, InstructionId id) {
  // FNV-1a: hashes of the library differ from process to process.
  uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](absl::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  };
  add(module.InstructionName(id));
  add(" ");
  add(module.shape(id).ToString(false));
  return hash;
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

}  // namespace hloscope::evaluator
