// SPDX-License-Identifier: Apache-2.0
// A folder that --xla_dump_to fills, as a tree: modules, their stages, the files of each. Nothing is opened.
#ifndef HLOSCOPE_GUI_MODELS_DUMP_LIST_H_
#define HLOSCOPE_GUI_MODELS_DUMP_LIST_H_

#include <QString>
#include <vector>

#include "absl/status/statusor.h"
#include "insight/passes/module_size.h"

namespace hloscope::gui {

struct DumpEntry {
  QString name;
  QString what;  // "3 files", "HLO text"
  QString path;  // of a file; empty: a module or a stage
  qint64 bytes = 0;
  bool is_module = false;  // a file that holds a module: it can be opened
  std::vector<DumpEntry> entries;
  // Of a module: the file of its last stage that is a module; empty: there is none. And the time when it was written.
  QString last_stage;
  qint64 written = 0;
};

struct DumpList {
  QString folder;
  std::vector<DumpEntry> modules;
  int files = 0;
  int ignored = 0;  // files that no dump writes
  QString problem;  // folders that could not be read
};

// Any thread. Errors: there is no such folder, or no right to read it.
absl::StatusOr<DumpList> ListDumps(const QString& folder);

// What one run of a dumped module takes.
struct DumpCost {
  insight::ModuleSize size;
  QString problem;  // why it is not known
};
// Reads the file. Any thread.
DumpCost CostOfDump(const QString& path);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_DUMP_LIST_H_
