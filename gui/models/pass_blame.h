// SPDX-License-Identifier: Apache-2.0
// Which pass of a dumped module made it compute something else, as rows that lead to the stages and instructions.
#ifndef HLOSCOPE_GUI_MODELS_PASS_BLAME_H_
#define HLOSCOPE_GUI_MODELS_PASS_BLAME_H_

#include <QString>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gui/models/blame_inputs.h"
#include "insight/blame/blame.h"
#include "insight/passes/stages.h"

namespace hloscope::gui {

struct BlameRow {
  QString what, text;
  bool is_culprit = false;
  // What to show: two stages, and an instruction of each by its name. The same stage twice: the stage and the one
  // before.
  size_t before = 0, after = 0;
  std::string name_before, name_after;
};

struct PassBlame {
  QString summary;
  std::vector<BlameRow> rows;  // first what is to blame, then every stage
  // What was found and with what; null: nothing was looked for.
  std::shared_ptr<const insight::BlameResult> result;
  insight::BlameOptions options;
};

// Evaluates stages as insight::Blame does. Any thread. `inputs`: nothing: the usual ones. `on_progress` is told what is
// being done. Errors: those of insight::Blame and of the inputs; Cancelled soon after `cancelled` is set.
absl::StatusOr<PassBlame> FindGuiltyPass(const std::vector<insight::Stage>& stages,
                                         const std::optional<BlameInputs>& inputs,
                                         const std::function<void(const std::string& what)>& on_progress,
                                         const std::atomic<bool>& cancelled);

// Writes what was found as two small modules with their inputs below the folder: paths. Errors: those of
// insight::WriteReproduction; Cancelled soon after `cancelled` is set.
absl::StatusOr<std::vector<std::string>> WriteBlamed(const PassBlame& blame, const QString& folder,
                                                     const std::atomic<bool>& cancelled);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_PASS_BLAME_H_
