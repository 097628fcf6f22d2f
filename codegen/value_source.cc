// SPDX-License-Identifier: Apache-2.0
// Constants that are more than one number. Iota and constants of one number are loops (element_loop.cc).
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/families.h"

namespace hloscope::codegen {
namespace {

void AppendLeaves(const Literal& literal, std::vector<const Literal*>* leaves) {
  if (!literal.shape().IsTuple()) {
    leaves->push_back(&literal);
    return;
  }
  for (const Literal& element : literal.elements()) AppendLeaves(element, leaves);
}

}  // namespace

absl::Status WriteValueSource(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  if (module.opcode(id) != Opcode::kConstant) return absl::UnimplementedError("no code is written for this opcode");
  if (!module.instruction(id).literal.has_value() || module.literal(id).IsElided()) {
    return absl::UnimplementedError("its value was left out of the text (--fill makes one up)");
  }
  std::vector<const Literal*> leaves;
  AppendLeaves(module.literal(id), &leaves);
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (!leaves[k]->shape().IsArray()) continue;
    const int64_t bytes = leaves[k]->shape().ByteSize();
    const int64_t offset = writer.program().AddConstant(leaves[k]->bytes(), bytes);
    const std::string name = writer.Define(id, static_cast<int64_t>(k));
    writer.AddLine(absl::StrCat("Array ", name, " = Array::Of(hlo::constants + ", offset, ", ", bytes, ");"));
  }
  return absl::OkStatus();
}

}  // namespace hloscope::codegen
