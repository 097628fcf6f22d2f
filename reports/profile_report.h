// SPDX-License-Identifier: Apache-2.0
// What `hloscope profile` prints.
#ifndef HLOSCOPE_REPORTS_PROFILE_REPORT_H_
#define HLOSCOPE_REPORTS_PROFILE_REPORT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "insight/html/html_report.h"
#include "insight/profile/analysis.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::reports {

// Tables for people; `rows` limits each. `before` is another profile to compare with, or null.
std::string ProfileReportText(const insight::ProfileAnalysis& profile, const insight::ProfileAnalysis* before,
                              size_t rows, bool color);
// All of it.
nlohmann::ordered_json ProfileReportJson(const insight::ProfileAnalysis& profile,
                                         const insight::ProfileAnalysis* before);
// One page with the lanes of all devices; `file` is what it says it is about.
insight::HtmlReport ProfileReportHtml(const insight::ProfileAnalysis& profile, const insight::ProfileAnalysis* before,
                                      absl::string_view file);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_PROFILE_REPORT_H_
