// A folder that --xla_dump_to fills, as a tree: modules, their stages, the files of each. Nothing is opened.
#ifndef HLOSCOPE_GUI_MODELS_DUMP_LIST_H_
#define HLOSCOPE_GUI_MODELS_DUMP_LIST_H_

#include <QString>
#include <vector>

#include "absl/status/statusor.h"

namespace hloscope::gui {

struct DumpEntry {
  QString name;
  QString what;  // "3 files", "HLO text"
  QString path;  // of a file; empty: a module or a stage
  qint64 bytes = 0;
  bool is_module = false;  // a file that holds a module: it can be opened
  std::vector<DumpEntry> entries;
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

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_DUMP_LIST_H_
