// SPDX-License-Identifier: Apache-2.0
#include "gui/single_instance.h"

#include <unistd.h>

#include <QDir>
#include <QFileInfo>
#include <QLocalSocket>
#include <QRegularExpression>

namespace hloscope::gui {
namespace {

constexpr int kAnswerPatienceMs = 500;
constexpr qint64 kLongestMessage = 1 << 16;

}  // namespace

FilePlace ParseFilePlace(const QString& text) {
  static const QRegularExpression pattern(QStringLiteral("^(.+?):([0-9]{1,9})(:[0-9]*)?$"));
  const QRegularExpressionMatch match = pattern.match(text);
  if (!match.hasMatch() || QFileInfo::exists(text)) return {text, 0};
  return {match.captured(1), match.captured(2).toInt()};
}

QString SingleInstance::DefaultName() { return QStringLiteral("hloscope-gui-%1").arg(getuid()); }

bool SingleInstance::Send(const QString& place) {
  QLocalSocket socket;
  socket.connectToServer(name_);
  if (!socket.waitForConnected(kAnswerPatienceMs)) return false;
  socket.write(place.toUtf8() + '\n');
  return socket.waitForBytesWritten(kAnswerPatienceMs) && socket.waitForReadyRead(kAnswerPatienceMs);
}

bool SingleInstance::Listen() {
  server_.setSocketOptions(QLocalServer::UserAccessOption);
  connect(&server_, &QLocalServer::newConnection, this, [this] {
    while (QLocalSocket* socket = server_.nextPendingConnection()) {
      connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
      connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
        if (!socket->canReadLine()) {
          if (socket->bytesAvailable() > kLongestMessage) socket->abort();
          return;
        }
        const QString place = QString::fromUtf8(socket->readLine(kLongestMessage)).trimmed();
        socket->write("ok\n");
        socket->disconnectFromServer();
        Q_EMIT Received(place);
      });
    }
  });
  if (server_.listen(name_)) return true;
  // What an instance that crashed has left.
  QLocalServer::removeServer(name_);
  return server_.listen(name_);
}

}  // namespace hloscope::gui
