// SPDX-License-Identifier: Apache-2.0
// `hloscope cost --html`.
#ifndef HLOSCOPE_CLI_COMMANDS_COST_PAGE_H_
#define HLOSCOPE_CLI_COMMANDS_COST_PAGE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "insight/html/html_report.h"
#include "reports/cost_report.h"

namespace hloscope::cli {

// `movement` is the text about movement of data.
insight::HtmlReport CostPage(absl::string_view file, const reports::CostReport& report, absl::string_view movement);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMMANDS_COST_PAGE_H_
