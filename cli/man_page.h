// SPDX-License-Identifier: Apache-2.0
// Manual pages, made from the same tables as the help texts.
#ifndef HLOSCOPE_CLI_MAN_PAGE_H_
#define HLOSCOPE_CLI_MAN_PAGE_H_

#include <string>

#include "cli/command.h"

namespace hloscope::cli {

// hloscope(1): what `hloscope --help` says.
std::string GeneralManPage();
// hloscope-NAME(1): what `hloscope help NAME` says.
std::string CommandManPage(const Command& command);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_MAN_PAGE_H_
