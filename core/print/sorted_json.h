// SPDX-License-Identifier: Apache-2.0
// JSON in a form that does not depend on the order of keys.
#ifndef HLOSCOPE_CORE_PRINT_SORTED_JSON_H_
#define HLOSCOPE_CORE_PRINT_SORTED_JSON_H_

#include <string>

#include "absl/strings/string_view.h"

namespace hloscope {

// The keys of every object sorted bytewise and the blanks outside strings removed; values keep their spelling. A text
// that is not JSON, or nests deeper than 1000 levels, comes back as it is.
std::string SortedJson(absl::string_view text);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_SORTED_JSON_H_
