// SPDX-License-Identifier: Apache-2.0
#include "core/print/string_printer.h"

#include <string>

#include "absl/strings/str_format.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

// As the reference escapes, one byte at a time.
std::string Quoted(const std::string& text, bool is_name) {
  std::string quoted = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = is_name ? byte >= 0x20 && byte != 0x7F && c != '"' && c != '\\'
                                  : byte >= 0x20 && byte <= 0x7E && c != '"' && c != '\'' && c != '\\';
    if (is_plain) {
      quoted += c;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      quoted += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (c == '"' || c == '\'' || c == '\\') {
      quoted += std::string("\\") + c;
    } else {
      quoted += absl::StrFormat("\\%03o", byte);
    }
  }
  return quoted + "\"";
}

// Eight bytes are looked at together: every byte at every place of texts that are shorter and longer.
TEST(StringPrinter, EscapesEveryByteAtEveryPlace) {
  for (size_t size : {1, 7, 8, 9, 19}) {
    for (size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text(size, 'a');
        text[at] = static_cast<char>(byte);
        std::string value, name;
        AppendQuoted(text, &value);
        AppendQuotedName(text, &name);
        ASSERT_EQ(value, Quoted(text, /*is_name=*/false)) << byte << " at " << at << " of " << size;
        ASSERT_EQ(name, Quoted(text, /*is_name=*/true)) << byte << " at " << at << " of " << size;
      }
    }
  }
}

}  // namespace
}  // namespace hloscope
