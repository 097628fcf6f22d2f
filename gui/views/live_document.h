// SPDX-License-Identifier: Apache-2.0
// Keeps a document in step with a text that is being edited: after a short rest, the new version is made off the UI's
// thread (Document::WithEdit) and reported to whoever shows it.
#ifndef HLOSCOPE_GUI_VIEWS_LIVE_DOCUMENT_H_
#define HLOSCOPE_GUI_VIEWS_LIVE_DOCUMENT_H_

#include <QObject>
#include <QPlainTextEdit>
#include <QThreadPool>
#include <QTimer>
#include <memory>
#include <string>

#include "core/document/document.h"
#include "gui/models/edit_tracker.h"

namespace hloscope::gui {

class LiveDocument : public QObject {
  Q_OBJECT

 public:
  // Milliseconds without a key before the text is read again.
  static constexpr int kRestMs = 120;

  explicit LiveDocument(QPlainTextEdit* view);
  // The view has another text document than before.
  void Follow(QTextDocument* text);
  ~LiveDocument() override;

  // The view shows the text of the document, which may be null.
  void Reset(std::shared_ptr<const Document> document);
  // The text is newer than the document.
  bool pending() const { return !tracker_.is_empty(); }
  // The bytes that the text stands for, including what was typed this moment.
  std::string CurrentText() const;

 Q_SIGNALS:
  // The document of the text as it is now.
  void Updated(std::shared_ptr<const Document> document);

 private:
  void Start();

  QPlainTextEdit* view_;
  QMetaObject::Connection followed_;
  std::shared_ptr<const Document> document_;
  EditTracker tracker_;
  QTimer rest_;
  int version_ = 0;  // counts changes
  bool resetting_ = false;
  QThreadPool pool_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_LIVE_DOCUMENT_H_
