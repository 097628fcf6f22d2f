// SPDX-License-Identifier: Apache-2.0
// Finding the files that ship with HLOscope: pages of ops and of diagnostics, examples.
#ifndef HLOSCOPE_CORE_RESOURCES_RESOURCES_H_
#define HLOSCOPE_CORE_RESOURCES_RESOURCES_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "core/ir/opcode.h"

namespace hloscope {

// The resources folder: $HLOSCOPE_RESOURCES; else, seen from the executable, the one of the source tree it was built in
// (`resources` in a parent folder) or of its install prefix (`../share/hloscope/resources`). Empty if there is none.
std::string FindResourceDirectory();

// The same for an executable in `executable_directory`, without looking at the environment.
std::string FindResourceDirectoryFrom(const std::string& executable_directory);

// The Markdown page of an opcode, `ops/<opcode>.md` below `resource_directory`; nullopt if it cannot be read.
std::optional<std::string> ReadOpPage(const std::string& resource_directory, Opcode opcode);

// The Markdown page of a diagnostic code, `diagnostics/<code>.md`: what the diagnostic means, a wrong and a right
// example. `code` must be one of kinds.def (DiagnosticInfo::code); nullopt if the page cannot be read.
std::optional<std::string> ReadDiagnosticPage(const std::string& resource_directory, absl::string_view code);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_RESOURCES_RESOURCES_H_
