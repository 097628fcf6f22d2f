// SPDX-License-Identifier: Apache-2.0
#include "gui/models/dump_list.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "gui/models/dumped_modules.h"
#include "gui/models/opened_source.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "interop/dump/dump_folder.h"

namespace hloscope::gui {
namespace {

struct DumpListText {
  Q_DECLARE_TR_FUNCTIONS(DumpList)
};

// Whether the kind of a file, by its name, is a form of a module.
bool HoldsModule(const interop::DumpFile& file) {
  return file.kind == "hlo" || file.kind == "snapshot" || file.kind == "mlir";
}

DumpEntry EntryOf(const QDir& folder, const interop::DumpFile& file) {
  DumpEntry entry;
  const QString path = QFile::decodeName(file.path.c_str());
  entry.name = QFileInfo(path).fileName();
  entry.what = ToQString(file.kind);
  entry.path = folder.filePath(path);
  entry.bytes = static_cast<qint64>(file.bytes);
  entry.is_module = HoldsModule(file);
  return entry;
}

QString FileCount(size_t count) { return DumpListText::tr("%n file(s)", nullptr, ForPlural(count)); }

}  // namespace

absl::StatusOr<DumpList> ListDumps(const QString& path) {
  const absl::StatusOr<interop::DumpFolder> listed = interop::ListDumpFolder(QFile::encodeName(path).toStdString());
  if (!listed.ok()) return listed.status();
  DumpList list;
  list.folder = path;
  list.ignored = static_cast<int>(listed->ignored.size());
  const QDir folder(path);
  for (const interop::DumpModule& module : listed->modules) {
    DumpEntry& entry = list.modules.emplace_back();
    entry.name = DumpedModuleName(module);
    entry.bytes = static_cast<qint64>(module.bytes);
    entry.what = DumpListText::tr("%n stage(s)", nullptr, ForPlural(module.stages.size()));
    for (const interop::DumpStage& stage : module.stages) {
      DumpEntry& step = entry.entries.emplace_back();
      step.name = ToQString(stage.name);
      step.what = FileCount(stage.files.size());
      for (const interop::DumpFile& file : stage.files) {
        step.entries.push_back(EntryOf(folder, file));
        step.bytes += step.entries.back().bytes;
        ++list.files;
      }
      // The form that tells most stands for the stage.
      if (!step.entries.empty() && step.entries.front().is_module) step.path = step.entries.front().path;
      step.is_module = !step.path.isEmpty();
    }
    for (const DumpEntry& step : entry.entries) {
      if (!step.path.isEmpty()) entry.last_stage = step.path;
    }
    if (!entry.last_stage.isEmpty()) entry.written = QFileInfo(entry.last_stage).lastModified().toMSecsSinceEpoch();
    for (const interop::DumpFile& file : module.others) {
      entry.entries.push_back(EntryOf(folder, file));
      ++list.files;
    }
  }
  QStringList unreadable;
  for (const std::string& one : listed->unreadable) unreadable << ToQString(one);
  if (!unreadable.isEmpty())
    list.problem = DumpListText::tr("No right to read: %1").arg(unreadable.join(QStringLiteral(", ")));
  return list;
}

DumpCost CostOfDump(const QString& path) {
  DumpCost cost;
  const absl::StatusOr<OpenedSource> opened = OpenSource(path, 0);
  if (!opened.ok()) {
    cost.problem = ToQString(opened.status().message());
  } else if (opened->document == nullptr || opened->document->has_errors()) {
    cost.problem = DumpListText::tr("The module has errors.");
  } else {
    cost.size = insight::SizeOf(*opened->document);
  }
  return cost;
}

}  // namespace hloscope::gui
