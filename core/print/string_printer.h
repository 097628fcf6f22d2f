// SPDX-License-Identifier: Apache-2.0
// Spelling of strings and raw values in HLO text (docs/text-format.md 7.6).
#ifndef HLOSCOPE_CORE_PRINT_STRING_PRINTER_H_
#define HLOSCOPE_CORE_PRINT_STRING_PRINTER_H_

#include <string>

#include "absl/strings/string_view.h"

namespace hloscope {

// "..." with \n \r \t \" \' \\ and three octal digits for every other byte outside 0x20-0x7E.
void AppendQuoted(absl::string_view text, std::string* out);

// "..." for names that the reference prints as they are (threads, origins, scheduling names): only quotes, backslashes
// and control characters, which it could not read again, are escaped.
void AppendQuotedName(absl::string_view text, std::string* out);

// A value of backend_config or frontend_attributes: as it is if it is exactly one brace block (1.9), else quoted.
void AppendRawOrQuoted(absl::string_view text, std::string* out);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_STRING_PRINTER_H_
