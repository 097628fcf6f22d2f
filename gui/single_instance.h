// SPDX-License-Identifier: Apache-2.0
// One window a user: a second start hands its file to the first one and ends.
#ifndef HLOSCOPE_GUI_SINGLE_INSTANCE_H_
#define HLOSCOPE_GUI_SINGLE_INSTANCE_H_

#include <QLocalServer>
#include <QObject>
#include <QString>

namespace hloscope::gui {

// "module.hlo:12" is line 12 of module.hlo, unless a file has that very name. Line 0: none was named.
struct FilePlace {
  QString path;
  int line = 0;
};
FilePlace ParseFilePlace(const QString& text);

class SingleInstance : public QObject {
  Q_OBJECT

 public:
  explicit SingleInstance(QString name, QObject* parent = nullptr) : QObject(parent), name_(std::move(name)) {}
  // Of the user who runs the app.
  static QString DefaultName();

  enum class Answer {
    kNobody,  // no other instance listens
    kTaken,   // another one does what the message asks for
    kNone     // another one is there and does not answer: it has not got the message, and will not
  };
  static constexpr int kPatienceMs = 10'000;  // a busy one takes a while
  Answer Send(const QString& place, int patience_ms = kPatienceMs);
  // Takes messages from now on. False if it cannot.
  bool Listen();

 Q_SIGNALS:
  // Another start asks for this; may be empty: it only wants to be seen.
  void Received(const QString& place);

 private:
  void Read(QLocalSocket* socket);

  const QString name_;
  QLocalServer server_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_SINGLE_INSTANCE_H_
