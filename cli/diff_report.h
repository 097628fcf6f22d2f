// SPDX-License-Identifier: Apache-2.0
// Differences of modules as text and JSON.
#ifndef HLOSCOPE_CLI_DIFF_REPORT_H_
#define HLOSCOPE_CLI_DIFF_REPORT_H_

#include <cstddef>
#include <string>

#include "core/analysis/module_diff.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::cli {

struct DiffTextOptions {
  bool color = false;
  bool all = false;  // every change; else those that are alike are listed once, with a count
};

std::string DiffText(const Module& a, const Module& b, const ModuleDiff& diff, const DiffTextOptions& options);
nlohmann::ordered_json DiffJson(const Module& a, const Module& b, const ModuleDiff& diff);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_DIFF_REPORT_H_
