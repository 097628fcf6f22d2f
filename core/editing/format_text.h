// SPDX-License-Identifier: Apache-2.0
// A text in order, in which nothing but white space changes.
#ifndef HLOSCOPE_CORE_EDITING_FORMAT_TEXT_H_
#define HLOSCOPE_CORE_EDITING_FORMAT_TEXT_H_

#include <string>
#include <vector>

#include "core/document/document.h"

namespace hloscope {

// The text with the white space of a printer: every token and every comment is there, as it is written and in its
// order. A statement that prints in its own style (text_style.h) up to white space gets what prints; in others, such as
// those with comments inside or with attributes that a printer respells, FormatWhiteSpace alone puts blanks in order.
// A text that a printer made stays byte for byte, and formatting twice changes nothing. Requires a text that can be
// read.
std::string FormatText(const Document& document);

// The same as edits of the lines that the range touches: sorted, one for each gap that changes.
std::vector<TextEdit> FormatTextEdits(const Document& document, SourceRange range);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_FORMAT_TEXT_H_
