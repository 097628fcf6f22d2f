// SPDX-License-Identifier: Apache-2.0
// The script that HtmlReport::AddLives is used with: a fixed text.
#ifndef HLOSCOPE_INSIGHT_HTML_LIVES_SCRIPT_H_
#define HLOSCOPE_INSIGHT_HTML_LIVES_SCRIPT_H_

#include "absl/strings/string_view.h"

namespace hloscope::insight {

absl::string_view LivesScript();

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_HTML_LIVES_SCRIPT_H_
