// SPDX-License-Identifier: Apache-2.0
// Compiled parts of the runtime of programs that come with the product (codegen/runtime_objects).
#ifndef HLOSCOPE_CLI_COMMANDS_SHIPPED_OBJECTS_H_
#define HLOSCOPE_CLI_COMMANDS_SHIPPED_OBJECTS_H_

#include <string>

#include "codegen/program.h"

namespace hloscope::cli {

// Puts the objects that are missing in a program's folder, or older than their sources, there, and returns how many.
// 0 where the product has none that fit: for this processor, of this very runtime, by the compiler at the path
// `compiler` in the version that made them; or where variables of the environment change what the compiler does.
int PlaceShippedObjects(const codegen::Program& program, const std::string& compiler, const std::string& folder);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMMANDS_SHIPPED_OBJECTS_H_
