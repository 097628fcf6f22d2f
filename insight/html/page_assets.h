// SPDX-License-Identifier: Apache-2.0
// The style and the script of every report: fixed texts, the same in all of them.
#ifndef HLOSCOPE_INSIGHT_HTML_PAGE_ASSETS_H_
#define HLOSCOPE_INSIGHT_HTML_PAGE_ASSETS_H_

#include "absl/strings/string_view.h"

namespace hloscope::insight {

absl::string_view PageStyle();
// Searching, folding, sorting and following names. The page can be read without it.
absl::string_view PageScript();

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_HTML_PAGE_ASSETS_H_
