// SPDX-License-Identifier: Apache-2.0
// The help texts.
#ifndef HLOSCOPE_CLI_HELP_H_
#define HLOSCOPE_CLI_HELP_H_

#include <string>

#include "cli/command.h"

namespace hloscope::cli {

// What `hloscope --help` prints.
std::string GeneralHelp();
// What `hloscope help NAME` prints.
std::string CommandHelp(const Command& command);
// "hloscope 1.2.3\n".
std::string VersionText();

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_HELP_H_
