// SPDX-License-Identifier: Apache-2.0
// What stages of a dump are run with to find the pass to blame, and how far their results may differ.
#ifndef HLOSCOPE_GUI_MODELS_BLAME_INPUTS_H_
#define HLOSCOPE_GUI_MODELS_BLAME_INPUTS_H_

#include <QString>
#include <QStringList>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "evaluator/compare/tolerances.h"
#include "gui/models/debugged_run.h"
#include "insight/blame/blame.h"

namespace hloscope::gui {

struct BlameInputs {
  ArgumentSource arguments;  // files and fills of single parameters
  QString place;             // a snapshot, a folder or an .npz archive with arguments; empty: none
  // "f32:rtol=1e-3 dot:ulp=4": rules with spaces between them; empty: what is usual for what computes a value.
  QString tolerances;
};

// As the preferences say, for as many devices as the module asks for.
BlameInputs UsualBlameInputs(const Module& module);
// Error InvalidArgument, for the user.
absl::StatusOr<std::vector<evaluator::ToleranceRule>> TolerancesIn(const QString& text);
// `module`: that of the first stage. Errors: those of TolerancesIn; those of reading `place`.
absl::StatusOr<insight::BlameOptions> BlameOptionsOf(const BlameInputs& inputs, const Module& module);

// How the command line says the same: "--fill=random", "--arg=0=x.npy", ...; not quoted.
QStringList BlameArguments(const BlameInputs& inputs);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_BLAME_INPUTS_H_
