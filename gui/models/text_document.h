// SPDX-License-Identifier: Apache-2.0
// The text of a module as what an editor shows: made in any thread, since for large texts that takes seconds.
#ifndef HLOSCOPE_GUI_MODELS_TEXT_DOCUMENT_H_
#define HLOSCOPE_GUI_MODELS_TEXT_DOCUMENT_H_

#include <QFont>
#include <QTextDocument>
#include <memory>

#include "core/source/source_text.h"

namespace hloscope::gui {

// Large ones are taken apart in a thread of their own, wherever the last pointer to them goes.
using SharedText = std::shared_ptr<QTextDocument>;

// A document for a QPlainTextEdit that does not wrap lines, with the text as DisplayText has it. It belongs to the
// thread of the application, whichever thread makes it.
SharedText MakeTextDocument(const SourceText& source, const QFont& font);
// The same without any text.
SharedText MakeEmptyText(const QFont& font);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_TEXT_DOCUMENT_H_
