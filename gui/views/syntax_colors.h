// SPDX-License-Identifier: Apache-2.0
// Syntax colours of one line, from the tokens that the reader made of it.
#ifndef HLOSCOPE_GUI_VIEWS_SYNTAX_COLORS_H_
#define HLOSCOPE_GUI_VIEWS_SYNTAX_COLORS_H_

#include <QList>
#include <QTextLayout>
#include <cstdint>

#include "core/document/document.h"
#include "gui/views/theme.h"

namespace hloscope::gui {

// Colours beyond this column are left out: a line of 77 000 characters is a replica group list or a huge tuple shape.
inline constexpr uint32_t kMaxColoredColumn = 6000;

// Format ranges in UTF-16 units of the displayed line. `line` must be a line of the document's source.
QList<QTextLayout::FormatRange> LineColors(const Document& document, uint32_t line, const Theme& theme);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_SYNTAX_COLORS_H_
