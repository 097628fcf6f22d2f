// SPDX-License-Identifier: Apache-2.0
// The difference of two stages as two small modules with their inputs.
#ifndef HLOSCOPE_INSIGHT_BLAME_REPRODUCE_H_
#define HLOSCOPE_INSIGHT_BLAME_REPRODUCE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "insight/blame/blame.h"

namespace hloscope::insight {

// Writes good/module.hlo and bad/module.hlo below `directory`, which exists: what computes the first value that
// differs, from the values around it that agree, in the last good and the first bad stage; and these values, as they
// were where the difference first shows, as arg0.npy, arg1.npy, ... beside each. Running both shows the difference.
// Returns the paths. Errors: FailedPrecondition if no single value differs; those of the runs and of writing.
absl::StatusOr<std::vector<std::string>> WriteReproduction(const BlameResult& result, const BlameOptions& options,
                                                           const std::string& directory);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_BLAME_REPRODUCE_H_
