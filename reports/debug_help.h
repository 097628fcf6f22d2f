// SPDX-License-Identifier: Apache-2.0
// What `help` says in the debugger: in its terminal and in the console of an editor.
#ifndef HLOSCOPE_REPORTS_DEBUG_HELP_H_
#define HLOSCOPE_REPORTS_DEBUG_HELP_H_

#include <string>

#include "absl/types/span.h"
#include "reports/debug_console.h"

namespace hloscope::reports {

// The commands in groups, a line or more each.
std::string DebugCommandsHelp(const DebugLook& look, absl::Span<const DebugCommandText> commands);

// One command: arguments, short forms, and what expressions may be if it takes one.
std::string DebugCommandHelp(const DebugLook& look, const DebugCommandText& command);

// What expressions may be, indented.
std::string ExpressionHelp();

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_DEBUG_HELP_H_
