// SPDX-License-Identifier: Apache-2.0
// Objects of compiled programs as files.
#ifndef HLOSCOPE_CLI_COMMANDS_OBJECT_FILES_H_
#define HLOSCOPE_CLI_COMMANDS_OBJECT_FILES_H_

#include <cstdint>
#include <string>

#include "codegen/program.h"

namespace hloscope::cli {

// Variables of the environment that change what the compiler makes of the same command.
inline constexpr const char* kCompilerVariables[] = {"OPTIMISE", "CPATH", "CPLUS_INCLUDE_PATH"};

// Empty if it cannot be read.
std::string ContentOf(const std::string& path);
// Of its last change, in nanoseconds; -1 if there is no such file.
int64_t TimeOf(const std::string& path);
// Of the last change of what an object of the runtime is compiled from: its source and, in `folder`, the headers of the
// program.
int64_t TimeOfSources(const codegen::Program& program, const std::string& folder, const codegen::ProgramFile& source);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMMANDS_OBJECT_FILES_H_
