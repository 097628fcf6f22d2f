// SPDX-License-Identifier: Apache-2.0
// get-dimension-size and set-dimension-size, where sizes do not change (docs/ops/tensor.md 10).
#include <string>

#include "absl/strings/str_cat.h"
#include "codegen/families.h"

namespace hloscope::codegen {

absl::Status WriteDynamicDimension(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  if (module.opcode(id) != Opcode::kGetDimensionSize) {
    return absl::UnimplementedError("sizes that are only known at run time");
  }
  const int64_t dimension = module.IntsAttribute(id, AttributeKind::kDimensions)[0];
  const std::string result = writer.Define(id);
  writer.AddLine(absl::StrCat("Array ", result, " = Scalar<int32_t>(",
                              module.shape(module.operand(id, 0)).dimension(dimension), ");"));
  return absl::OkStatus();
}

}  // namespace hloscope::codegen
