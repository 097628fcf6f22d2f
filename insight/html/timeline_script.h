// SPDX-License-Identifier: Apache-2.0
// The script that draws HtmlReport::AddTimeline: a fixed text.
#ifndef HLOSCOPE_INSIGHT_HTML_TIMELINE_SCRIPT_H_
#define HLOSCOPE_INSIGHT_HTML_TIMELINE_SCRIPT_H_

#include "absl/strings/string_view.h"

namespace hloscope::insight {

absl::string_view TimelineScript();

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_HTML_TIMELINE_SCRIPT_H_
