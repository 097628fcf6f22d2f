#include "gui/models/saved_session.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include "gui/models/whole_file.h"

namespace hloscope::gui {
namespace {

constexpr qint64 kLargest = qint64{256} << 20;

}  // namespace

QString SessionStore::DefaultFolder() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation); }

bool SessionStore::Write(const SavedSession& session) const {
  QJsonObject object;
  object[QStringLiteral("path")] = session.path;
  // Base 64: the text may hold bytes that are no text.
  if (session.has_text) object[QStringLiteral("text")] = QString::fromLatin1(session.text.toBase64());
  QJsonArray breakpoints;
  for (const SavedSession::Breakpoint& b : session.breakpoints) {
    breakpoints.append(QJsonObject{{QStringLiteral("computation"), b.computation},
                                   {QStringLiteral("instruction"), b.instruction},
                                   {QStringLiteral("condition"), b.condition},
                                   {QStringLiteral("enabled"), b.enabled}});
  }
  object[QStringLiteral("breakpoints")] = breakpoints;
  object[QStringLiteral("watches")] = QJsonArray::fromStringList(session.watches);
  const QByteArray bytes = QJsonDocument(object).toJson(QJsonDocument::Compact);
  if (!QDir().mkpath(folder_)) return false;
  return WriteWholeFile(File(), bytes.data(), bytes.size()).isEmpty();
}

std::optional<SavedSession> SessionStore::Read() const {
  QFile file(File());
  if (file.size() > kLargest || !file.open(QIODevice::ReadOnly)) return std::nullopt;
  const QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
  SavedSession session;
  session.path = object[QStringLiteral("path")].toString();
  if (session.path.isEmpty()) return std::nullopt;
  session.has_text = object.contains(QStringLiteral("text"));
  session.text = QByteArray::fromBase64(object[QStringLiteral("text")].toString().toLatin1());
  for (const auto& value : object[QStringLiteral("breakpoints")].toArray()) {
    const QJsonObject b = value.toObject();
    session.breakpoints.push_back(
        {b[QStringLiteral("computation")].toString(), b[QStringLiteral("instruction")].toString(),
         b[QStringLiteral("condition")].toString(), b[QStringLiteral("enabled")].toBool(true)});
  }
  for (const auto& value : object[QStringLiteral("watches")].toArray()) session.watches.push_back(value.toString());
  return session;
}

void SessionStore::Remove() const { QFile::remove(File()); }

}  // namespace hloscope::gui
