// SPDX-License-Identifier: Apache-2.0
#include "gui/models/workspace.h"

#include <QFile>
#include <QFileInfo>
#include <QMetaObject>
#include <QTimer>
#include <string>
#include <utility>

#include "gui/models/text.h"
#include "gui/models/whole_file.h"

namespace hloscope::gui {
namespace {

// Size and time of a file: enough to know whether somebody wrote it.
QByteArray Digest(const QString& path) {
  const QFileInfo info(path);
  return QByteArray::number(info.size()) + ' ' + QByteArray::number(info.lastModified().toMSecsSinceEpoch());
}

}  // namespace

Workspace::Workspace(Selection* selection, QObject* parent) : QObject(parent), selection_(selection) {
  // What was given up does not keep the next file waiting.
  pool_.setMaxThreadCount(2);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this] {
    // Programs write in several steps: the last one counts.
    QTimer::singleShot(200, this, [this] {
      if (path_.isEmpty() || loading_ || Digest(path_) == digest_) return;
      const bool gone = !QFileInfo::exists(path_);
      Watch();
      if (gone) {
        Q_EMIT RemovedFromDisk();
      } else {
        Q_EMIT ChangedOnDisk();
      }
    });
  });
  // Of a file that was deleted: it may come back.
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, [this] {
    if (path_.isEmpty() || loading_ || Digest(path_) == digest_ || !QFileInfo::exists(path_)) return;
    Watch();
    Q_EMIT ChangedOnDisk();
  });
}

void Workspace::Watch() {
  const QStringList watched = watcher_.files() + watcher_.directories();
  if (!watched.isEmpty()) watcher_.removePaths(watched);
  digest_ = Digest(path_);
  if (path_.isEmpty() || path_.startsWith(QLatin1Char(':'))) return;
  const QFileInfo info(path_);
  watcher_.addPath(info.exists() ? path_ : info.absolutePath());
}

QString Workspace::Save(const QString& path, const std::string& bytes) {
  const QString problem = WriteWholeFile(path, bytes.data(), static_cast<qint64>(bytes.size()));
  if (!problem.isEmpty()) return tr("%1 could not be saved: %2").arg(path, problem);
  path_ = path;
  source_ = OpenedSource();  // the file is HLO text now
  TakeNote(SourceText::FromString(path.toStdString(), bytes));
  return QString();
}

void Workspace::TakeNote(std::shared_ptr<const SourceText> text) {
  Watch();
  known_digest_ = digest_;
  known_text_ = std::move(text);
}

bool Workspace::IsOutdated() const {
  return !path_.isEmpty() && !path_.startsWith(QLatin1Char(':')) && QFileInfo::exists(path_) &&
         Digest(path_) != known_digest_;
}

Workspace::~Workspace() {
  pool_.clear();
  pool_.waitForDone();
}

void Workspace::Open(const QString& path, int number) { Start(path, number, /*keep_place=*/false); }

void Workspace::OpenText(const QString& path, const QByteArray& text) {
  const int request = ++request_;
  opening_ = path;
  pool_.clear();
  pool_.start([this, request, path, text, font = text_font_] {
    HandOver(request, path, /*keep_place=*/false, ReadSource(path, text), font);
  });
  if (!std::exchange(loading_, true)) Q_EMIT LoadingChanged(true);
}

void Workspace::Cancel() {
  if (!std::exchange(loading_, false)) return;
  // What is being read is read to its end, for nobody.
  ++request_;
  pool_.clear();
  Q_EMIT LoadingChanged(false);
}

void Workspace::Reload() {
  if (!path_.isEmpty()) Start(path_, source_.number, /*keep_place=*/true);
}

void Workspace::Start(const QString& path, int number, bool keep_place) {
  const int request = ++request_;
  opening_ = path;
  pool_.clear();
  pool_.start([this, request, path, number, keep_place, font = text_font_] {
    HandOver(request, path, keep_place, OpenSource(path, number), font);
  });
  if (!std::exchange(loading_, true)) Q_EMIT LoadingChanged(true);
}

void Workspace::HandOver(int request, const QString& path, bool keep_place, Result result, const QFont& font) {
  if (request != request_) return;
  if (result.ok() && result->document != nullptr) result->text = MakeTextDocument(result->document->source(), font);
  if (request != request_) return;
  QMetaObject::invokeMethod(this, [this, request, path, keep_place, result = std::move(result)]() mutable {
    Finish(request, path, keep_place, std::move(result));
  });
}

void Workspace::Finish(int request, const QString& path, bool keep_place, Result result) {
  if (request != request_) return;
  loading_ = false;
  if (result.ok() && result->is_profile) {
    Q_EMIT ProfileFound(path);
  } else if (result.ok()) {
    path_ = path;
    source_ = *std::move(result);
    TakeNote(source_.document->shared_source());
    Q_EMIT TextMade(std::exchange(source_.text, nullptr));
    selection_->SetDocument(std::exchange(source_.document, nullptr), keep_place);
    Q_EMIT Opened(path);
  } else {
    Q_EMIT OpenFailed(path, ToQString(result.status().message()));
  }
  Q_EMIT LoadingChanged(false);
}

}  // namespace hloscope::gui
