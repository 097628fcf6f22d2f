// SPDX-License-Identifier: Apache-2.0
// Numbers of things in messages.
#ifndef HLOSCOPE_CORE_DIAGNOSTICS_COUNT_TEXT_H_
#define HLOSCOPE_CORE_DIAGNOSTICS_COUNT_TEXT_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace hloscope {

// "2 entries", "1 entry".
template <typename Number>
std::string CountOf(Number count, absl::string_view singular, absl::string_view plural) {
  return absl::StrCat(count, " ", count == 1 ? singular : plural);
}
// The same for a word whose plural ends in s.
template <typename Number>
std::string CountOf(Number count, absl::string_view singular) {
  return absl::StrCat(count, " ", singular, count == 1 ? "" : "s");
}

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DIAGNOSTICS_COUNT_TEXT_H_
