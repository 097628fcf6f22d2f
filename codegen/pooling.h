// SPDX-License-Identifier: Apache-2.0
// reduce-window and select-and-scatter by known computations: calls of the loops of numerics/pooling.
#ifndef HLOSCOPE_CODEGEN_POOLING_H_
#define HLOSCOPE_CODEGEN_POOLING_H_

#include <string>

#include "codegen/computation_writer.h"

namespace hloscope::codegen {

// True if FoldWindows of the runtime does such a reduce-window of one operand.
bool IsPooling(const Module& module, InstructionId id);
// The call; `init` is an array of one element. Requires IsPooling and that there are windows.
void WritePooling(ComputationWriter& writer, InstructionId id, const std::string& init, const std::string& result);

// True if SelectAndScatter of the runtime does such a select-and-scatter.
bool IsPoolingGradient(const Module& module, InstructionId id);
// The call; `init` is an array of one element. Requires IsPoolingGradient.
void WritePoolingGradient(ComputationWriter& writer, InstructionId id, const std::string& init,
                          const std::string& result);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_POOLING_H_
