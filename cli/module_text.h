// SPDX-License-Identifier: Apache-2.0
// Modules that a command made, as text.
#ifndef HLOSCOPE_CLI_MODULE_TEXT_H_
#define HLOSCOPE_CLI_MODULE_TEXT_H_

#include <optional>
#include <string>

#include "core/document/document.h"
#include "core/print/print_options.h"

namespace hloscope::cli {

// The style in which commands print modules that they made of `origin`: nothing is left out but default layouts, where
// the text of `origin` has none.
PrintOptions MadeModuleStyle(const Module& origin);

// The text of a module that was made of `origin`, such that printing it again changes nothing; nothing if it has errors
// when it is read, which are put on standard error if `explain`.
std::optional<std::string> CheckedModuleText(const Module& module, const Document& origin, bool explain);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_MODULE_TEXT_H_
