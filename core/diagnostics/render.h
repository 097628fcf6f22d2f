// SPDX-License-Identifier: Apache-2.0
// Diagnostics as text for people.
#ifndef HLOSCOPE_CORE_DIAGNOSTICS_RENDER_H_
#define HLOSCOPE_CORE_DIAGNOSTICS_RENDER_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "core/diagnostics/diagnostic.h"
#include "core/source/source_text.h"

namespace hloscope {

struct RenderOptions {
  bool color = false;        // ANSI escape sequences
  bool source_lines = true;  // source line, carets, related places and fixes below the first line
  int width = 100;           // columns of the terminal
};

// Line and column as people count: from 1, columns in characters (Unicode code points; a byte that is not UTF-8 counts
// as one).
LineColumn HumanPosition(const SourceText& source, uint32_t offset);

// `FILE:LINE:COL: error: MESSAGE [code]` and a line feed; with source lines, below it the source line with carets under
// the range (a window around it if the line is wider than the terminal), the related places in the same way as notes,
// and the titles of the fixes. Control characters of the text never reach the output.
std::string RenderDiagnostic(const SourceText& source, const Diagnostic& diagnostic, const RenderOptions& options);

// Only the source line and the carets, indented; for other messages about a place.
std::string RenderExcerpt(const SourceText& source, SourceRange range, const RenderOptions& options);

// The text with control characters as \n, \t, \x1b ..., safe for a terminal and on one line.
std::string OneLine(absl::string_view text);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DIAGNOSTICS_RENDER_H_
