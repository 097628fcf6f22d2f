// SPDX-License-Identifier: Apache-2.0
// What `hloscope transform --report` and `--explain` print.
#ifndef HLOSCOPE_CLI_TRANSFORM_REPORT_H_
#define HLOSCOPE_CLI_TRANSFORM_REPORT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "core/transform/cost_model.h"
#include "core/transform/transform.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::cli {

// The table of docs/rewrites.md 6: before, after and their ratio, in total and for the computations that changed.
std::string CostTableText(const ModuleCost& before, const ModuleCost& after, absl::string_view target);
// One module's costs alone.
std::string CostTableText(const ModuleCost& cost, absl::string_view target);
nlohmann::ordered_json ModuleCostJson(const ModuleCost& cost);

// One paragraph for each rewrite, with the bytes that it saves and, where the application has them, the steps.
std::string ApplicationsText(const std::vector<Application>& applications);
nlohmann::ordered_json ApplicationsJson(const std::vector<Application>& applications);

// One line for each candidate that stays.
std::string RefusalsText(const std::vector<Refusal>& refusals);
nlohmann::ordered_json RefusalsJson(const std::vector<Refusal>& refusals);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_TRANSFORM_REPORT_H_
