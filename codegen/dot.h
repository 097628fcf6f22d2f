// SPDX-License-Identifier: Apache-2.0
// What contractions share.
#ifndef HLOSCOPE_CODEGEN_DOT_H_
#define HLOSCOPE_CODEGEN_DOT_H_

#include <string>

#include "absl/status/status.h"
#include "codegen/computation_writer.h"
#include "codegen/dot_operand.h"
#include "core/ir/element_type.h"
#include "core/ir/module.h"

namespace hloscope::codegen {

// A variable for `count` sums, which is the result's where that has their type.
std::string WriteSums(ComputationWriter& writer, InstructionId id, const std::string& result, ElementType sum_type,
                      int64_t count);
// Makes the numbers of the result of the sums, if they are not the result.
void WriteResultOfSums(ComputationWriter& writer, InstructionId id, const std::string& sums, ElementType sum_type,
                       const std::string& result, int64_t count);

// docs/ops/tensor.md 5.2, 5.3.
absl::Status WriteRaggedDot(ComputationWriter& writer, InstructionId id);
absl::Status WriteScaledDot(ComputationWriter& writer, InstructionId id);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_DOT_H_
