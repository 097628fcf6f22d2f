// SPDX-License-Identifier: Apache-2.0
#include "gui/models/dumped_modules.h"

#include <QCoreApplication>
#include <QFile>
#include <utility>

#include "gui/models/text.h"

namespace hloscope::gui {

QString DumpedModuleName(const interop::DumpModule& module) {
  QString name = module.name.empty() ? QCoreApplication::translate("DumpList", "(no name)") : ToQString(module.name);
  if (module.id >= 0) name += QStringLiteral("  #%1").arg(module.id);
  return module.folder.empty() ? name : ToQString(module.folder) + QLatin1Char('/') + name;
}

absl::StatusOr<std::vector<DumpedModule>> ModulesWithStages(const QString& folder) {
  const std::string path = QFile::encodeName(folder).toStdString();
  const absl::StatusOr<interop::DumpFolder> listed = interop::ListDumpFolder(path);
  if (!listed.ok()) return listed.status();
  std::vector<DumpedModule> modules;
  for (size_t i = 0; i < listed->modules.size(); ++i) {
    DumpedModule module;
    std::vector<std::string> notes;
    module.stages = insight::StagesOf(path, *listed, listed->modules[i], &notes);
    if (module.stages.empty()) continue;
    module.name = DumpedModuleName(listed->modules[i]);
    module.number = static_cast<int>(i) + 1;
    for (const std::string& note : notes) module.notes += ToQString(note) + QLatin1Char(' ');
    modules.push_back(std::move(module));
  }
  return modules;
}

}  // namespace hloscope::gui
