// SPDX-License-Identifier: Apache-2.0
// Finding what names on the command line mean in a module.
#ifndef HLOSCOPE_CLI_MODULE_NAMES_H_
#define HLOSCOPE_CLI_MODULE_NAMES_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "core/ir/module.h"

namespace hloscope::cli {

// The computation `name`, or the entry computation without a name. Nothing after a message on standard error that
// begins with "hloscope COMMAND: " and suggests the nearest name; the command then returns kExitBadInput.
std::optional<ComputationId> FindNamedComputation(const Module& module, absl::string_view command,
                                                  const std::optional<std::string>& name);

// The instruction of that name in the computation, else (unless `only_there`) in the first that has it; a `%` in front
// does not count. Nothing after a message.
std::optional<InstructionId> FindNamedInstruction(const Module& module, absl::string_view command,
                                                  ComputationId computation, bool only_there, absl::string_view name);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_MODULE_NAMES_H_
