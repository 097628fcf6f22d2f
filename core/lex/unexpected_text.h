// SPDX-License-Identifier: Apache-2.0
// What text that makes no token was probably meant to be: for what diagnostics say, and where the lexer goes on.
#ifndef HLOSCOPE_CORE_LEX_UNEXPECTED_TEXT_H_
#define HLOSCOPE_CORE_LEX_UNEXPECTED_TEXT_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "core/source/source_text.h"

namespace hloscope {

// Characters of the grammar that make no token where they are.
struct BadTokenText {
  size_t end;
  absl::string_view hint;  // begins with "; ", or is empty
};
BadTokenText BadTokenAt(absl::string_view text, size_t pos);

// A run of bytes outside the grammar.
struct StrayBytes {
  size_t end;
  std::string what;
  absl::string_view hint;   // begins with "; "
  bool is_removed = false;  // the text is right without them
};
StrayBytes StrayBytesAt(absl::string_view text, size_t pos);

// What word processors and chat programs make of quotes, dashes, blanks and arrows.
struct TypographicText {
  size_t character_end;
  absl::string_view plain;    // what the grammar has for the character
  size_t end;                 // after the string that is meant, if it is a quote; else `character_end`
  SourceRange closing_quote;  // of that string, where it is typographic as well; else empty
};
// Nothing if the text at `pos` is none of them.
std::optional<TypographicText> TypographicTextAt(absl::string_view text, size_t pos);

// Strings may hold line breaks, but hardly an instruction: true if one follows on the line after `line_end` and the
// quote at `close` is where strings open, so that the string was left open at `line_end`.
bool OpensAnotherString(absl::string_view text, size_t line_end, size_t close);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_LEX_UNEXPECTED_TEXT_H_
