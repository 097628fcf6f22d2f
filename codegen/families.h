// SPDX-License-Identifier: Apache-2.0
// What each family of operations becomes in C++: one function per family, in a file of its name. Each writes the
// statement of one instruction. Error Unimplemented, with the reason, for what cannot be compiled.
#ifndef HLOSCOPE_CODEGEN_FAMILIES_H_
#define HLOSCOPE_CODEGEN_FAMILIES_H_

#include "absl/status/status.h"
#include "codegen/computation_writer.h"

namespace hloscope::codegen {

// An instruction that plan() makes a loop: elementwise trees, views, sources of values, pad, concatenate.
absl::Status WriteElementLoop(ComputationWriter& writer, InstructionId id);

absl::Status WriteDataMovement(ComputationWriter& writer, InstructionId id);
absl::Status WriteTypeConversion(ComputationWriter& writer, InstructionId id);  // bitcast-convert between widths
absl::Status WriteReduction(ComputationWriter& writer, InstructionId id);
absl::Status WriteGatherScatter(ComputationWriter& writer, InstructionId id);
absl::Status WriteDot(ComputationWriter& writer, InstructionId id);
absl::Status WriteConvolution(ComputationWriter& writer, InstructionId id);
absl::Status WriteSorting(ComputationWriter& writer, InstructionId id);
absl::Status WriteLinearAlgebra(ComputationWriter& writer, InstructionId id);
absl::Status WriteNormalization(ComputationWriter& writer, InstructionId id);
absl::Status WriteRandom(ComputationWriter& writer, InstructionId id);
absl::Status WriteControlFlow(ComputationWriter& writer, InstructionId id);
absl::Status WriteValueSource(ComputationWriter& writer, InstructionId id);
absl::Status WriteDynamicDimension(ComputationWriter& writer, InstructionId id);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_FAMILIES_H_
