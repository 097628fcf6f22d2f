// What was open, written down every few seconds, so that a crash loses nothing: the file, text that was not saved,
// breakpoints and watches.
#ifndef HLOSCOPE_GUI_MODELS_SAVED_SESSION_H_
#define HLOSCOPE_GUI_MODELS_SAVED_SESSION_H_

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace hloscope::gui {

struct SavedSession {
  struct Breakpoint {
    QString computation, instruction, condition;
    bool enabled = true;
    friend bool operator==(const Breakpoint&, const Breakpoint&) = default;
  };
  QString path;
  bool has_text = false;  // changes that were not saved: `text` is all of it
  QByteArray text;
  std::vector<Breakpoint> breakpoints;
  QStringList watches;
  friend bool operator==(const SavedSession&, const SavedSession&) = default;
};

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
