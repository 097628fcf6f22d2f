// SPDX-License-Identifier: Apache-2.0
// Joins the changes that two writers made to one text.
#ifndef HLOSCOPE_GUI_MODELS_TEXT_MERGE_H_
#define HLOSCOPE_GUI_MODELS_TEXT_MERGE_H_

#include <QByteArray>

#include "absl/status/statusor.h"

namespace hloscope::gui {

struct MergedText {
  QByteArray text;
  // Both changed the same lines: both versions are there, between lines of <<<<<<<, ======= and >>>>>>>.
  bool has_conflicts = false;
};

// By lines, with diff3. Runs it as a child: not for the UI thread. Errors: the program is missing, or failed.
absl::StatusOr<MergedText> MergeTexts(const QByteArray& base, const QByteArray& mine, const QByteArray& theirs);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_TEXT_MERGE_H_
