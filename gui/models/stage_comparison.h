// SPDX-License-Identifier: Apache-2.0
// Two stages of a dumped module beside each other, as texts and as graphs.
#ifndef HLOSCOPE_GUI_MODELS_STAGE_COMPARISON_H_
#define HLOSCOPE_GUI_MODELS_STAGE_COMPARISON_H_

#include <QString>
#include <memory>
#include <vector>

#include "gui/models/version_comparison.h"

namespace hloscope::gui {

// A line of both texts.
struct ComparedLine {
  InstructionChange change = InstructionChange::kSame;
  QString before, after;  // empty where that text has nothing
  InstructionId a, b;     // whose lines they are; none: of none
  bool is_title = false;  // of a computation
};

struct StageComparison {
  std::shared_ptr<const VersionComparison> versions;
  std::vector<ComparedLine> lines;  // computations that changed, around what changed there
  QString summary;
};

// Longest texts; what is left out is said.
inline constexpr size_t kMostComparedLines = 20'000;

// Any thread.
StageComparison CompareStages(std::shared_ptr<const Document> before, std::shared_ptr<const Document> after);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_STAGE_COMPARISON_H_
