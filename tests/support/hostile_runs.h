// SPDX-License-Identifier: Apache-2.0
// Modules whose run asks for more memory or time than anybody gives.
#ifndef HLOSCOPE_TESTS_SUPPORT_HOSTILE_RUNS_H_
#define HLOSCOPE_TESTS_SUPPORT_HOSTILE_RUNS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hloscope {

struct HostileRun {
  std::string name, text;
};

std::vector<HostileRun> HostileRuns();

// Computations that they may apply: add, ge, lt, and odd, which is no known function.
absl::string_view HostileComputations();

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_HOSTILE_RUNS_H_
