// SPDX-License-Identifier: Apache-2.0
// Copies of functions, to be changed for one call.
#ifndef HLOSCOPE_STABLEHLO_FUNCTION_COPY_H_
#define HLOSCOPE_STABLEHLO_FUNCTION_COPY_H_

#include "stablehlo/program.h"

namespace hloscope::stablehlo {

// A function with values, operations and regions of its own, at the places of the original. It belongs to `program`,
// whose lists of functions do not have it.
Function* CopyFunction(Program& program, const Function& function);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_FUNCTION_COPY_H_
