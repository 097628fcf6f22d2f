// SPDX-License-Identifier: Apache-2.0
// The program that is running, as a path by which it can be started again.
#ifndef HLOSCOPE_CORE_RESOURCES_OWN_PROGRAM_H_
#define HLOSCOPE_CORE_RESOURCES_OWN_PROGRAM_H_

#include <string>

#include "absl/strings/string_view.h"

namespace hloscope {

// Absolute. Where a launcher runs the program through a loader that lies beside it (cmake/relocatable.sh), the
// launcher: it says so in $HLOSCOPE_PROGRAM. Empty if the system does not tell.
std::string OwnProgram();

// The same for an `executable` that the system names (empty: there is no /proc), and what the launcher says (empty:
// nothing).
std::string OwnProgramFrom(absl::string_view executable, absl::string_view launcher);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_RESOURCES_OWN_PROGRAM_H_
