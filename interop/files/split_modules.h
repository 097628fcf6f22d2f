// SPDX-License-Identifier: Apache-2.0
// Several modules in one text.
#ifndef HLOSCOPE_INTEROP_FILES_SPLIT_MODULES_H_
#define HLOSCOPE_INTEROP_FILES_SPLIT_MODULES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hloscope::interop {

struct ModulePart {
  std::string name;  // of its HloModule line; empty if there is none
  size_t begin = 0, end = 0;
};

// A module begins at a line with `HloModule ` at its start that is not inside of a string or a comment; what comes
// before the first one belongs to it. A text with fewer than two of them is one part.
std::vector<ModulePart> SplitModules(absl::string_view text);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_SPLIT_MODULES_H_
