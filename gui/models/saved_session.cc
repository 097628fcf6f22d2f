// SPDX-License-Identifier: Apache-2.0
#include "gui/models/saved_session.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <algorithm>
#include <array>
#include <utility>

#include "gui/models/whole_file.h"

namespace hloscope::gui {
namespace {

constexpr qint64 kLargest = qint64{256} << 20;

QJsonObject ToJson(const SavedSession::Inputs& inputs) {
  QJsonArray parameters;
  QMap<int, QJsonObject> by_number;
  for (auto it = inputs.files.begin(); it != inputs.files.end(); ++it) {
    by_number[it.key()][QStringLiteral("file")] = it.value();
  }
  for (auto it = inputs.fills.begin(); it != inputs.fills.end(); ++it) {
    by_number[it.key()][QStringLiteral("fill")] = it.value();
  }
  for (auto it = by_number.begin(); it != by_number.end(); ++it) {
    QJsonObject parameter = it.value();
    parameter[QStringLiteral("number")] = it.key();
    parameters.append(parameter);
  }
  return QJsonObject{{QStringLiteral("fill"), inputs.fill},
                     // A string: JSON's numbers are not exact beyond 53 bits.
                     {QStringLiteral("seed"), QString::number(inputs.seed)},
                     {QStringLiteral("parameters"), parameters},
                     {QStringLiteral("recorded"), inputs.recorded},
                     {QStringLiteral("replicas"), inputs.replicas},
                     {QStringLiteral("partitions"), inputs.partitions}};
}

SavedSession::Inputs InputsFromJson(const QJsonObject& object) {
  SavedSession::Inputs inputs;
  inputs.fill = object[QStringLiteral("fill")].toString();
  inputs.seed = object[QStringLiteral("seed")].toString().toULongLong();
  inputs.recorded = object[QStringLiteral("recorded")].toBool(true);
  inputs.replicas = std::max(1, object[QStringLiteral("replicas")].toInt(1));
  inputs.partitions = std::max(1, object[QStringLiteral("partitions")].toInt(1));
  for (const auto& value : object[QStringLiteral("parameters")].toArray()) {
    const QJsonObject parameter = value.toObject();
    const int number = parameter[QStringLiteral("number")].toInt(-1);
    if (number < 0) continue;
    const QString file = parameter[QStringLiteral("file")].toString();
    const QString fill = parameter[QStringLiteral("fill")].toString();
    if (!file.isEmpty()) inputs.files[number] = file;
    if (!fill.isEmpty()) inputs.fills[number] = fill;
  }
  return inputs;
}

// Positions in files are whole numbers that JSON has exactly.
constexpr double kLargestPosition = 9007199254740991.0;

// Names of what is in the form, with where it is.
template <typename Beside>
auto BesideFields(Beside& beside) {
  return std::to_array<std::pair<const char*, decltype(&beside.profile)>>({{"profile", &beside.profile},
                                                                           {"profile_before", &beside.profile_before},
                                                                           {"devices", &beside.devices},
                                                                           {"compared", &beside.compared}});
}

QJsonArray NumbersToJson(const std::vector<int64_t>& numbers) {
  QJsonArray array;
  for (int64_t number : numbers) array.append(static_cast<qint64>(number));
  return array;
}

int64_t NumberFromJson(const QJsonValue& value) {
  return static_cast<int64_t>(std::clamp(value.toDouble(), 0.0, kLargestPosition));
}

std::vector<int64_t> NumbersFromJson(const QJsonArray& array) {
  std::vector<int64_t> numbers;
  for (qsizetype i = 0; i < array.size(); ++i) numbers.push_back(NumberFromJson(array.at(i)));
  return numbers;
}

QJsonObject ToJson(const RunMoment& moment) {
  QJsonArray entered;
  for (const RunMoment::Entered& e : moment.entered) {
    entered.append(QJsonObject{{QStringLiteral("device"), e.device},
                               {QStringLiteral("position"), static_cast<qint64>(e.position)},
                               {QStringLiteral("index"), NumbersToJson(e.index)}});
  }
  return QJsonObject{{QStringLiteral("positions"), NumbersToJson(moment.positions)},
                     {QStringLiteral("device"), moment.device},
                     {QStringLiteral("entered"), entered}};
}

RunMoment MomentFromJson(const QJsonObject& object) {
  RunMoment moment;
  moment.positions = NumbersFromJson(object[QStringLiteral("positions")].toArray());
  const int devices = static_cast<int>(moment.positions.size());
  const auto device_of = [devices](const QJsonObject& from) {
    return std::clamp(from[QStringLiteral("device")].toInt(0), 0, std::max(0, devices - 1));
  };
  moment.device = device_of(object);
  for (const auto& value : object[QStringLiteral("entered")].toArray()) {
    const QJsonObject e = value.toObject();
    moment.entered.push_back({device_of(e), NumberFromJson(e[QStringLiteral("position")]),
                              NumbersFromJson(e[QStringLiteral("index")].toArray())});
  }
  return moment;
}

}  // namespace

QByteArray SessionToJson(const SavedSession& session) {
  QJsonObject object;
  object[QStringLiteral("path")] = session.path;
  // Base 64: the text may hold bytes that are no text.
  if (session.has_text) object[QStringLiteral("text")] = QString::fromLatin1(session.text.toBase64());
  QJsonArray breakpoints;
  for (const SavedSession::Breakpoint& b : session.breakpoints) {
    breakpoints.append(QJsonObject{{QStringLiteral("computation"), b.computation},
                                   {QStringLiteral("instruction"), b.instruction},
                                   {QStringLiteral("condition"), b.condition},
                                   {QStringLiteral("enabled"), b.enabled},
                                   {QStringLiteral("iteration"), b.iteration}});
  }
  object[QStringLiteral("breakpoints")] = breakpoints;
  object[QStringLiteral("watches")] = QJsonArray::fromStringList(session.watches);
  object[QStringLiteral("inputs")] = ToJson(session.inputs);
  if (!session.moment.positions.empty()) object[QStringLiteral("run")] = ToJson(session.moment);
  for (const auto& [name, path] : BesideFields(session.beside)) {
    if (!path->isEmpty()) object[QLatin1String(name)] = *path;
  }
  object[QStringLiteral("computation")] = session.computation;
  object[QStringLiteral("instruction")] = session.instruction;
  object[QStringLiteral("view")] = session.view;
  object[QStringLiteral("docks")] = QString::fromLatin1(session.docks.toBase64());
  return QJsonDocument(object).toJson(QJsonDocument::Indented);
}

std::optional<SavedSession> SessionFromJson(const QByteArray& bytes) {
  const QJsonObject object = QJsonDocument::fromJson(bytes).object();
  SavedSession session;
  session.path = object[QStringLiteral("path")].toString();
  if (session.path.isEmpty()) return std::nullopt;
  session.has_text = object.contains(QStringLiteral("text"));
  session.text = QByteArray::fromBase64(object[QStringLiteral("text")].toString().toLatin1());
  for (const auto& value : object[QStringLiteral("breakpoints")].toArray()) {
    const QJsonObject b = value.toObject();
    session.breakpoints.push_back({b[QStringLiteral("computation")].toString(),
                                   b[QStringLiteral("instruction")].toString(),
                                   b[QStringLiteral("condition")].toString(), b[QStringLiteral("enabled")].toBool(true),
                                   std::max(-1, b[QStringLiteral("iteration")].toInt(-1))});
  }
  for (const auto& value : object[QStringLiteral("watches")].toArray()) session.watches.push_back(value.toString());
  session.inputs = InputsFromJson(object[QStringLiteral("inputs")].toObject());
  session.moment = MomentFromJson(object[QStringLiteral("run")].toObject());
  for (const auto& [name, path] : BesideFields(session.beside)) *path = object[QLatin1String(name)].toString();
  session.computation = object[QStringLiteral("computation")].toString();
  session.instruction = object[QStringLiteral("instruction")].toString();
  session.view = object[QStringLiteral("view")].toString();
  session.docks = QByteArray::fromBase64(object[QStringLiteral("docks")].toString().toLatin1());
  return session;
}

namespace {

template <typename Change>
SavedSession WithPaths(SavedSession session, const Change& change) {
  if (!session.path.startsWith(QLatin1Char(':'))) session.path = change(session.path);
  for (QString& file : session.inputs.files) file = change(file);
  for (const auto& [name, path] : BesideFields(session.beside)) {
    if (!path->isEmpty()) *path = change(*path);
  }
  return session;
}

}  // namespace

SavedSession WithPathsFrom(SavedSession session, const QString& folder) {
  const QDir root(folder);
  return WithPaths(std::move(session), [&](const QString& path) {
    const QString relative = root.relativeFilePath(QFileInfo(path).absoluteFilePath());
    return relative.startsWith(QLatin1String("..")) ? QFileInfo(path).absoluteFilePath() : relative;
  });
}

SavedSession WithPathsIn(SavedSession session, const QString& folder) {
  const QDir root(folder);
  return WithPaths(std::move(session),
                   [&](const QString& path) { return QDir::cleanPath(root.absoluteFilePath(path)); });
}

std::optional<SavedSession> ReadSessionFile(const QString& path) {
  QFile file(path);
  if (file.size() > kLargest || !file.open(QIODevice::ReadOnly)) return std::nullopt;
  return SessionFromJson(file.readAll());
}

QString SessionStore::DefaultFolder() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation); }

bool SessionStore::Write(const SavedSession& session) const {
  const QByteArray bytes = SessionToJson(session);
  if (!QDir().mkpath(folder_)) return false;
  return WriteWholeFile(File(), bytes.data(), bytes.size()).isEmpty();
}

std::optional<SavedSession> SessionStore::Read() const { return ReadSessionFile(File()); }

void SessionStore::Remove() const { QFile::remove(File()); }

}  // namespace hloscope::gui
