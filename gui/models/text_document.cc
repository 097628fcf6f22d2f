// SPDX-License-Identifier: Apache-2.0
#include "gui/models/text_document.h"

#include <QCoreApplication>
#include <QPlainTextDocumentLayout>
#include <QTextBlock>
#include <QTextLayout>
#include <QTextOption>
#include <QThreadPool>

#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

// Fewer lines are taken apart in no time.
constexpr int kManyLines = 20'000;
// The signature of a large module is one line of 80,000 characters, which takes 20 ms to shape.
constexpr int kLongLine = 2'000, kMostKept = 1'000'000;

void Release(QTextDocument* text) {
  if (text->blockCount() < kManyLines) {
    delete text;
    return;
  }
  // No thread has anything to do with it any more.
  text->setParent(nullptr);
  text->moveToThread(nullptr);
  QThreadPool::globalInstance()->start([text] { delete text; });
}

SharedText MakeText(const QString& shown, const QFont& font) {
  SharedText text(new QTextDocument, Release);
  // What lines depend on comes first, while there are none.
  text->setDocumentLayout(new QPlainTextDocumentLayout(text.get()));
  text->setDefaultFont(font);
  QTextOption option = text->defaultTextOption();
  option.setWrapMode(QTextOption::NoWrap);
  text->setDefaultTextOption(option);
  text->setUndoRedoEnabled(false);
  text->setPlainText(shown);
  text->setUndoRedoEnabled(true);
  // An editor that takes it asks every line for its layout, which is made then unless it is there.
  int kept = 0;
  for (QTextBlock line = text->begin(); line.isValid(); line = line.next()) {
    QTextLayout* const layout = line.layout();
    // The glyphs of a line are found again whenever it is measured or painted, unless they are kept.
    if (line.length() < kLongLine || kept > kMostKept) continue;
    layout->setCacheEnabled(true);
    kept += line.length();
  }
  text->setModified(false);
  text->moveToThread(QCoreApplication::instance()->thread());
  return text;
}

}  // namespace

SharedText MakeTextDocument(const SourceText& source, const QFont& font) { return MakeText(DisplayText(source), font); }

SharedText MakeEmptyText(const QFont& font) { return MakeText(QString(), font); }

}  // namespace hloscope::gui
