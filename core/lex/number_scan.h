// SPDX-License-Identifier: Apache-2.0
// Where numbers and what is made of them end (docs/text-format.md 1.3, 1.7). Each function returns the end of the
// longest match of its pattern that starts at text[i], or 0 if there is none.
#ifndef HLOSCOPE_CORE_LEX_NUMBER_SCAN_H_
#define HLOSCOPE_CORE_LEX_NUMBER_SCAN_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace hloscope {

size_t MatchInteger(absl::string_view text, size_t i);    // -?[0-9]+
size_t MatchDecimal(absl::string_view text, size_t i);    // with a point or an exponent; also ".5"
size_t MatchDxD(absl::string_view text, size_t i);        // 2x3
size_t MatchPad(absl::string_view text, size_t i);        // 0_1x-2_2_1
size_t MatchDimLabels(absl::string_view text, size_t i);  // bf01_oi01->bf01

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_LEX_NUMBER_SCAN_H_
