// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/constant_folding.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/transform/copy_attributes.h"
#include "evaluator/engine/session.h"

namespace hloscope::evaluator {

absl::StatusOr<Literal> FoldInstruction(const Module& module, InstructionId id,
                                        absl::Span<const Literal* const> operands) {
  bool calls = false;
  module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId) { calls = true; });
  if (calls) return absl::InvalidArgumentError("an instruction that calls computations is not folded");
  // A module of its own: the constants and the instruction.
  auto folding = std::make_shared<Module>();
  const ComputationId entry = folding->AddComputation("fold");
  std::vector<InstructionId> copies;
  for (size_t k = 0; k < operands.size(); ++k) {
    copies.push_back(folding->AddInstruction(entry, Opcode::kConstant, absl::StrCat("operand.", k),
                                             module.shape(module.operand(id, k)), {}));
    folding->SetLiteral(copies.back(), *operands[k]);
  }
  const InstructionId root = folding->AddInstruction(entry, module.opcode(id), "value", module.shape(id), copies);
  CopyAttributes(module, id, *folding, root,
                 {[](InstructionId) { return InstructionId::None(); }, [](ComputationId c) { return c; }},
                 [](AttributeKind kind) { return kind != AttributeKind::kControlPredecessors; });
  folding->mutable_computation(entry).root = root;
  folding->set_entry(entry);
  SessionOptions options;
  options.threads = 1;
  absl::StatusOr<std::unique_ptr<Session>> session = Session::Create(std::move(folding), options);
  if (!session.ok()) return session.status();
  if ((*session)->Run() != StopReason::kFinished) return (*session)->status();
  return LiteralOf((*session)->result());
}

}  // namespace hloscope::evaluator
