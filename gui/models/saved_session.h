// SPDX-License-Identifier: Apache-2.0
// What is open: the file, text that was not saved, inputs of the run and how far it is, breakpoints and watches, the
// place, the view and the layout of the window. Written down every few seconds, so that a crash loses nothing, and to
// files that users choose.
#ifndef HLOSCOPE_GUI_MODELS_SAVED_SESSION_H_
#define HLOSCOPE_GUI_MODELS_SAVED_SESSION_H_

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "gui/models/run_moment.h"

namespace hloscope::gui {

struct SavedSession {
  struct Breakpoint {
    QString computation, instruction, condition;
    bool enabled = true;
    int iteration = -1;  // of the innermost loop; -1: every one
    friend bool operator==(const Breakpoint&, const Breakpoint&) = default;
  };
  // Where the arguments of the run come from.
  struct Inputs {
    QString fill;  // a word of kFillWords; empty: as the preferences say
    quint64 seed = 0;
    QMap<int, QString> files;  // by parameter
    QMap<int, QString> fills;
    bool recorded = true;  // those that the file holds, if it holds any
    int replicas = 1, partitions = 1;
    friend bool operator==(const Inputs&, const Inputs&) = default;
  };
  QString path;
  bool has_text = false;  // changes that were not saved: `text` is all of it
  QByteArray text;
  std::vector<Breakpoint> breakpoints;
  QStringList watches;
  Inputs inputs;
  RunMoment moment;
  // Files that are shown with the module; empty: none.
  struct Beside {
    QString profile, profile_before, devices;  // measured times, those they are compared with, the user's table
    QString compared;                          // another version of the module
    friend bool operator==(const Beside&, const Beside&) = default;
  };
  Beside beside;
  QString computation, instruction;  // that are selected
  QString view;                      // as ViewState writes it
  QByteArray docks;                  // QMainWindow::saveState
  friend bool operator==(const SavedSession&, const SavedSession&) = default;
};

QByteArray SessionToJson(const SavedSession& session);
// Nothing if the bytes are no session.
std::optional<SavedSession> SessionFromJson(const QByteArray& bytes);
// What sessions that users save are called.
inline constexpr char kSessionSuffix[] = ".hloscope-session";
// Paths in such a file are those of its folder where they can be, so that the folder can be moved: these make them
// relative to the folder, and absolute again.
SavedSession WithPathsFrom(SavedSession session, const QString& folder);
SavedSession WithPathsIn(SavedSession session, const QString& folder);
// A session that is no larger than that is read.
std::optional<SavedSession> ReadSessionFile(const QString& path);

// In a folder of its own; nothing is written anywhere else.
class SessionStore {
 public:
  explicit SessionStore(QString folder) : folder_(std::move(folder)) {}
  // The user's folder for data of this app.
  static QString DefaultFolder();

  // False if it could not be written; what was there before stays.
  bool Write(const SavedSession& session) const;
  // The session of a run that did not end as it should; nothing if there is none, or if it cannot be read.
  std::optional<SavedSession> Read() const;
  // The app ends as it should.
  void Remove() const;

 private:
  QString File() const { return folder_ + QStringLiteral("/session.json"); }
  QString folder_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_SAVED_SESSION_H_
