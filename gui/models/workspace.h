// SPDX-License-Identifier: Apache-2.0
// Opens files: reads and parses them off the calling thread and hands the document to the selection.
#ifndef HLOSCOPE_GUI_MODELS_WORKSPACE_H_
#define HLOSCOPE_GUI_MODELS_WORKSPACE_H_

#include <QFileSystemWatcher>
#include <QFont>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <atomic>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/document/document.h"
#include "gui/models/opened_source.h"
#include "gui/models/selection.h"

namespace hloscope::gui {

class Workspace : public QObject {
  Q_OBJECT

 public:
  explicit Workspace(Selection* selection, QObject* parent = nullptr);
  ~Workspace() override;

  // Returns at once; Opened or OpenFailed follows. A later call overtakes an earlier one. Paths that begin with ":/"
  // name files inside the binary.
  // `number`: of the module, where the file has several.
  void Open(const QString& path, int number = 0);
  // The same with the text given: it has not been saved to the path yet.
  void OpenText(const QString& path, const QByteArray& text);
  // What texts are made for an editor with.
  void SetTextFont(const QFont& font) { text_font_ = font; }
  // Gives up what is being opened; the document stays. LoadingChanged follows.
  void Cancel();
  // What is being opened, or was last.
  const QString& opening() const { return opening_; }
  // Opens the same file again and keeps the place.
  void Reload();
  // Writes the bytes to a file, whole or not at all. What went wrong, for the user; empty if nothing, and then `path`
  // is the file that is open.
  QString Save(const QString& path, const std::string& bytes);

  // Whether another program has written the file since it was read or saved here.
  bool IsOutdated() const;
  // The text as it was read or saved here; null before the first one.
  const std::shared_ptr<const SourceText>& known_text() const { return known_text_; }
  // The file as it is now counts as known: the text on the screen has taken it in.
  void TakeNote(std::shared_ptr<const SourceText> text);

  // Of the document shown; empty before the first one.
  const QString& path() const { return path_; }
  bool loading() const { return loading_; }
  // What the file is, besides the document: its modules, what was recorded with them.
  const OpenedSource& source() const { return source_; }
  // Whether the text was made from what the file holds, and must not be written over it.
  bool is_made() const { return !source_.kind.isEmpty(); }

 Q_SIGNALS:
  void LoadingChanged(bool loading);
  // What was opened is about to become the document of the selection: this is its text.
  void TextMade(const SharedText& text);
  void Opened(const QString& path);
  // The file could not be read at all. The document shown before stays.
  void OpenFailed(const QString& path, const QString& message);
  // The file holds no module, but times of one. The document shown before stays.
  void ProfileFound(const QString& path);
  // Another program has written the file that is open.
  void ChangedOnDisk();
  // Another program has deleted or moved it.
  void RemovedFromDisk();

 private:
  using Result = absl::StatusOr<OpenedSource>;
  void Finish(int request, const QString& path, bool keep_place, Result result);
  void Start(const QString& path, int number, bool keep_place);
  // In the reading thread: makes the text of what was read, and hands both over if they are still asked for.
  void HandOver(int request, const QString& path, bool keep_place, Result result, const QFont& font);

  Selection* selection_;
  void Watch();

  QString path_, opening_;
  OpenedSource source_;  // without its document
  QFileSystemWatcher watcher_;
  QByteArray digest_;        // of the file as it was noticed last
  QByteArray known_digest_;  // of the file as it was read or written here
  std::shared_ptr<const SourceText> known_text_;
  bool loading_ = false;
  std::atomic<int> request_ = 0;  // number of the newest one; answers to older ones are dropped
  QFont text_font_;
  QThreadPool pool_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_WORKSPACE_H_
