// SPDX-License-Identifier: Apache-2.0
#include "cli/ignored_differences.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace hloscope::cli {

absl::StatusOr<IgnoredDifferences> ReadIgnoredDifferences(const Arguments& arguments) {
  IgnoredDifferences ignored;
  for (const std::string& list : arguments.Values("ignore")) {
    for (absl::string_view word : absl::StrSplit(list, ',')) {
      if (word == "shapes") {
        ignored.shapes = true;
      } else if (word == "layouts") {
        ignored.layouts = true;
      } else if (word == "backend-config") {
        ignored.backend_config = true;
      } else if (word != "names" && word != "metadata") {
        return absl::InvalidArgumentError(absl::StrCat(
            "--ignore takes shapes, layouts, backend-config, names and metadata, with commas between them, not '", word,
            "'"));
      }
    }
  }
  return ignored;
}

}  // namespace hloscope::cli
