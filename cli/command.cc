// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

namespace hloscope::cli {

absl::Span<const Command* const> AllCommands() {
  static const Command* const kCommands[] = {
#define HLOSCOPE_COMMAND(Name) &Name##Command(),
#include "cli/commands.def"
  };
  return kCommands;
}

const Command* FindCommand(absl::string_view name) {
  for (const Command* command : AllCommands()) {
    if (command->name == name) return command;
  }
  return nullptr;
}

}  // namespace hloscope::cli
