// SPDX-License-Identifier: Apache-2.0
// The white space of a text, and nothing else of it.
#ifndef HLOSCOPE_CORE_EDITING_WHITE_SPACE_H_
#define HLOSCOPE_CORE_EDITING_WHITE_SPACE_H_

#include <vector>

#include "core/document/document.h"

namespace hloscope {

// What puts the white space of the lines that the range touches in order: indentation, blanks around punctuation,
// blanks at line ends, empty lines, one statement a line. Every token and every comment stays as it is and where it is
// in the order of the text; values in braces (literals, layouts, shardings) and the lines of a statement that is
// written over several keep their form. Works on texts with errors: what cannot be read is left alone but for its
// indentation. Sorted, one edit for each gap that changes.
std::vector<TextEdit> FormatWhiteSpace(const Document& document, SourceRange range);

// The same with what is known of single gaps: by token, what comes before it. A gap without data() gets what
// FormatWhiteSpace gives it.
std::vector<TextEdit> FormatWhiteSpace(const Document& document, SourceRange range,
                                       const std::vector<absl::string_view>& known_gaps);

// The blanks that the line of the offset should begin with while it is being written: two columns for each body around
// it.
std::vector<TextEdit> IndentLine(const Document& document, uint32_t offset);

// What typing asks for: the same for the line of the offset, and, after a line end, the white space of the line before.
std::vector<TextEdit> FormatTypedLine(const Document& document, uint32_t offset, bool after_line_end);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_WHITE_SPACE_H_
