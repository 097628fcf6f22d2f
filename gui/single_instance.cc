// SPDX-License-Identifier: Apache-2.0
#include "gui/single_instance.h"

#include <unistd.h>

#include <QDir>
#include <QFileInfo>
#include <QLocalSocket>
#include <QRegularExpression>

namespace hloscope::gui {
namespace {

constexpr int kConnectPatienceMs = 500;  // the system connects, also where nobody is awake
constexpr qint64 kLongestMessage = 1 << 16;
constexpr char kReady[] = "ok\n", kGo[] = "go\n";
constexpr char kPlaceProperty[] = "place";  // of the other end, what it asks for

}  // namespace

FilePlace ParseFilePlace(const QString& text) {
  static const QRegularExpression pattern(QStringLiteral("^(.+?):([0-9]{1,9})(:[0-9]*)?$"));
  const QRegularExpressionMatch match = pattern.match(text);
  if (!match.hasMatch() || QFileInfo::exists(text)) return {text, 0};
  return {match.captured(1), match.captured(2).toInt()};
}

QString SingleInstance::DefaultName() { return QStringLiteral("hloscope-gui-%1").arg(getuid()); }

SingleInstance::Answer SingleInstance::Send(const QString& place, int patience_ms) {
  QLocalSocket socket;
  socket.connectToServer(name_);
  if (!socket.waitForConnected(kConnectPatienceMs)) return Answer::kNobody;
  socket.write(place.toUtf8() + '\n');
  const bool answered = socket.waitForBytesWritten(kConnectPatienceMs) && socket.waitForReadyRead(patience_ms);
  if (!answered) return Answer::kNone;
  socket.write(kGo);
  return socket.waitForBytesWritten(kConnectPatienceMs) ? Answer::kTaken : Answer::kNone;
}

// A place, which is answered, and then the word that the answer has come: who has given up waiting opens the place
// without this instance.
void SingleInstance::Read(QLocalSocket* socket) {
  if (!socket->canReadLine()) {
    if (socket->bytesAvailable() > kLongestMessage) socket->abort();
    return;
  }
  if (!socket->property(kPlaceProperty).isValid()) {
    socket->setProperty(kPlaceProperty, QString::fromUtf8(socket->readLine(kLongestMessage)).trimmed());
    socket->write(kReady);
    if (!socket->canReadLine()) return;
  }
  socket->disconnectFromServer();
  Q_EMIT Received(socket->property(kPlaceProperty).toString());
}

bool SingleInstance::Listen() {
  server_.setSocketOptions(QLocalServer::UserAccessOption);
  connect(&server_, &QLocalServer::newConnection, this, [this] {
    while (QLocalSocket* socket = server_.nextPendingConnection()) {
      connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
      connect(socket, &QLocalSocket::readyRead, this, [this, socket] { Read(socket); });
    }
  });
  if (server_.listen(name_)) return true;
  // What an instance that crashed has left.
  QLocalServer::removeServer(name_);
  return server_.listen(name_);
}

}  // namespace hloscope::gui
