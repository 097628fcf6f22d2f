// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/panel_commands.h"

#include <QFile>
#include <QFileInfo>

#include "gui/models/text.h"
#include "gui/panels/broadcast_panel.h"
#include "gui/panels/changes_panel.h"
#include "gui/panels/layout_panel.h"
#include "gui/panels/memory_panel.h"
#include "gui/panels/passes_panel.h"
#include "gui/panels/profile_panel.h"
#include "gui/panels/tensor_panel.h"
#include "gui/panels/timeline_panel.h"
#include "reports/subprocess.h"

namespace hloscope::gui {
namespace {

QString Quoted(const QString& word) { return ToQString(reports::ShellQuoted(QFile::encodeName(word).toStdString())); }

// The path from wherever the line is used. What is inside of the app has none.
QString PathOf(const QString& file) {
  return file.isEmpty() || file.startsWith(QLatin1Char(':')) ? QString() : Quoted(QFileInfo(file).absoluteFilePath());
}

QString CommandOfProfile(const ProfilePanel& panel, const QString& module) {
  if (panel.profile() == nullptr) return QString();
  const ProfileRequest& shown = panel.shown_request();
  QString line = QStringLiteral("hloscope profile ") + PathOf(shown.path);
  const auto add = [&](const char* option, const QString& value) {
    if (!value.isEmpty()) line += QStringLiteral(" --%1=%2").arg(QLatin1String(option), value);
  };
  add("compare", PathOf(shown.before_path));
  if (shown.program >= 0) add("module", QString::number(shown.program));
  if (shown.document != nullptr) add("hlo", module);
  add("devices", PathOf(panel.devices_path()));
  if (!shown.device.isEmpty()) add("device", Quoted(shown.device));
  return line + QStringLiteral(" --html=profile.html");
}

}  // namespace

QString CommandOfPanel(QWidget* panel, const QString& file) {
  const QString path = PathOf(file);
  if (qobject_cast<MemoryPanel*>(panel) != nullptr) {
    return path.isEmpty() ? QString() : QStringLiteral("hloscope memory %1 --html=memory.html").arg(path);
  }
  if (auto* profile = qobject_cast<ProfilePanel*>(panel)) {
    return CommandOfProfile(*profile, path);
  }
  if (auto* layout = qobject_cast<LayoutPanel*>(panel)) {
    const QString shape = layout->shape_field()->text().trimmed();
    if (shape.isEmpty()) return QString();
    const QString to = layout->to_field()->text().trimmed();
    return QStringLiteral("hloscope layout %1%2")
        .arg(Quoted(shape), to.isEmpty() ? QString() : QLatin1Char(' ') + Quoted(to));
  }
  if (auto* changes = qobject_cast<ChangesPanel*>(panel)) {
    const QString other = PathOf(changes->compared_path());
    if (path.isEmpty() || other.isEmpty()) return QString();
    return QStringLiteral("hloscope diff %1 %2 --html=diff.html").arg(other, path);
  }
  if (auto* value = qobject_cast<TensorPanel*>(panel)) {
    const QString expression = value->ExpressionOfShown();
    if (path.isEmpty() || expression.isEmpty()) return QString();
    return QStringLiteral("hloscope value %1 %2 --fill=random --html=value.html").arg(path, Quoted(expression));
  }
  if (auto* broadcast = qobject_cast<BroadcastPanel*>(panel)) {
    const QString lhs = broadcast->lhs_field()->text().trimmed(), rhs = broadcast->rhs_field()->text().trimmed();
    if (lhs.isEmpty() || rhs.isEmpty()) return QString();
    const QString dims = broadcast->dims_field()->text().remove(QLatin1Char(' '));
    return QStringLiteral("hloscope broadcast %1 %2%3 --html=broadcast.html")
        .arg(Quoted(lhs), Quoted(rhs), dims.isEmpty() ? QString() : QStringLiteral(" --dims=") + Quoted(dims));
  }
  if (qobject_cast<TimelinePanel*>(panel) != nullptr) {
    return path.isEmpty() ? QString() : QStringLiteral("hloscope run %1 --fill=random --trace=timeline.html").arg(path);
  }
  if (auto* passes = qobject_cast<PassesPanel*>(panel)) {
    if (passes->module_number() == 0) return QString();
    return QStringLiteral("hloscope passes %1 --module=%2 --html=passes.html")
        .arg(PathOf(passes->folder()))
        .arg(passes->module_number());
  }
  return QString();
}

QString BlameCommand(const QString& folder, int module, const std::optional<BlameInputs>& inputs) {
  QString line = QStringLiteral("hloscope blame %1 --module=%2").arg(PathOf(folder)).arg(module);
  if (!inputs.has_value()) return line + QStringLiteral(" --fill=random");
  for (const QString& argument : BlameArguments(*inputs)) line += QLatin1Char(' ') + Quoted(argument);
  return line;
}

}  // namespace hloscope::gui
