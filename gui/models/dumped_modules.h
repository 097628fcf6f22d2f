// SPDX-License-Identifier: Apache-2.0
// Modules of a folder of dumps, each with the stages that passes left of it.
#ifndef HLOSCOPE_GUI_MODELS_DUMPED_MODULES_H_
#define HLOSCOPE_GUI_MODELS_DUMPED_MODULES_H_

#include <QString>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "insight/passes/stages.h"
#include "interop/dump/dump_folder.h"

namespace hloscope::gui {

// "jit_f  #3", with the folder below the dump's that it is in. Tells modules of a folder apart.
QString DumpedModuleName(const interop::DumpModule& module);

struct DumpedModule {
  QString name;
  int number = 0;  // from 1, as `hloscope open` lists them
  std::vector<insight::Stage> stages;
  QString notes;  // what is wrong with the times; empty: nothing
};

// Those with at least one stage that is a module. Any thread. Errors: there is no such folder, or no right to read it.
absl::StatusOr<std::vector<DumpedModule>> ModulesWithStages(const QString& folder);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_DUMPED_MODULES_H_
