// SPDX-License-Identifier: Apache-2.0
// The option --ignore of commands that compare modules.
#ifndef HLOSCOPE_CLI_IGNORED_DIFFERENCES_H_
#define HLOSCOPE_CLI_IGNORED_DIFFERENCES_H_

#include "absl/status/statusor.h"
#include "cli/arguments.h"

namespace hloscope::cli {

// Names and metadata never count; they can be given all the same.
struct IgnoredDifferences {
  bool shapes = false, layouts = false, backend_config = false;
};

// All values of --ignore, each a list with commas. Error InvalidArgument, for the user.
absl::StatusOr<IgnoredDifferences> ReadIgnoredDifferences(const Arguments& arguments);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_IGNORED_DIFFERENCES_H_
