// SPDX-License-Identifier: Apache-2.0
#include "gui/layout/layout_process.h"

#include <QCoreApplication>
#include <QDir>
#include <optional>

#include "core/resources/own_program.h"
#include "gui/models/child_process.h"

namespace hloscope::gui {

LayoutProcess::LayoutProcess(QObject* parent) : QObject(parent) {
  deadline_.setSingleShot(true);
  connect(&deadline_, &QTimer::timeout, this,
          [this] { Fail(tr("the layout took longer than %1 s").arg(deadline_.interval() / 1000)); });
}

LayoutProcess::~LayoutProcess() { Abandon(); }

QString LayoutProcess::HelperPath() {
  return QFileInfo(QString::fromStdString(OwnProgram())).dir().filePath(QStringLiteral("hloscope-graph-layout"));
}

void LayoutProcess::Abandon() {
  deadline_.stop();
  if (process_ == nullptr) return;
  QProcess* process = process_;
  process_ = nullptr;
  process->disconnect(this);
  // Without a parent, it may outlive this object for the moment it takes to die; then it deletes itself.
  process->setParent(nullptr);
  if (process->state() == QProcess::NotRunning) {
    process->deleteLater();
    return;
  }
  connect(process, &QProcess::finished, process, &QObject::deleteLater);
  process->kill();
}

void LayoutProcess::Fail(const QString& message) {
  Abandon();
  Q_EMIT Failed(message);
}

void LayoutProcess::Start(const QByteArray& dot, size_t node_count, size_t edge_count, int time_limit_ms) {
  Abandon();
  node_count_ = node_count;
  edge_count_ = edge_count;
  process_ = new QProcess(this);
  EndWithThisThread(*process_);
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) Fail(tr("cannot start %1").arg(HelperPath()));
  });
  connect(process_, &QProcess::finished, this, [this](int exit_code, QProcess::ExitStatus status) {
    if (status != QProcess::NormalExit || exit_code != 0) {
      Fail(tr("the layout failed: %1").arg(QString::fromUtf8(process_->readAllStandardError()).trimmed()));
      return;
    }
    const std::optional<GraphLayout> layout = ParseLayout(process_->readAllStandardOutput(), node_count_, edge_count_);
    if (!layout.has_value()) {
      Fail(tr("the layout could not be read"));
      return;
    }
    Abandon();
    Q_EMIT Finished(*layout);
  });
  timer_.start();
  deadline_.start(time_limit_ms);
  process_->start(HelperPath(), QStringList());
  process_->write(dot);
  process_->closeWriteChannel();
}

}  // namespace hloscope::gui
