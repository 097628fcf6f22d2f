// SPDX-License-Identifier: Apache-2.0
#include "gui/models/text_merge.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include "absl/status/status.h"
#include "gui/models/child_process.h"

namespace hloscope::gui {
namespace {

constexpr int kTimeLimit = 60'000;  // ms

bool Write(const QString& path, const QByteArray& text) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.flush();
}

}  // namespace

absl::StatusOr<MergedText> MergeTexts(const QByteArray& base, const QByteArray& mine, const QByteArray& theirs) {
  const QTemporaryDir folder;
  const QString here = folder.filePath(QStringLiteral("here"));
  const QString before = folder.filePath(QStringLiteral("before"));
  const QString file = folder.filePath(QStringLiteral("file"));
  if (!folder.isValid() || !Write(here, mine) || !Write(before, base) || !Write(file, theirs)) {
    return absl::InternalError("the texts cannot be written to a temporary folder");
  }
  QProcess process;
  EndWithThisThread(process);
  process.start(QStringLiteral("diff3"),
                {QStringLiteral("--merge"), QStringLiteral("--label=your text"),
                 QStringLiteral("--label=as it was read"), QStringLiteral("--label=the file"), here, before, file});
  if (!process.waitForFinished(kTimeLimit)) {
    process.kill();
    process.waitForFinished();
    return absl::UnavailableError("diff3 (package diffutils) did not start or did not end");
  }
  // 0: merged; 1: with conflicts; 2: trouble.
  if (process.exitStatus() != QProcess::NormalExit || process.exitCode() > 1) {
    return absl::InternalError(process.readAllStandardError().trimmed().toStdString());
  }
  return MergedText{process.readAllStandardOutput(), process.exitCode() == 1};
}

}  // namespace hloscope::gui
