// SPDX-License-Identifier: Apache-2.0
// The inputs of a run as a session keeps them, and back.
#ifndef HLOSCOPE_GUI_MODELS_RUN_INPUTS_H_
#define HLOSCOPE_GUI_MODELS_RUN_INPUTS_H_

#include <memory>
#include <vector>

#include "gui/models/debugged_run.h"
#include "gui/models/saved_session.h"

namespace hloscope::gui {

SavedSession::Inputs InputsOf(const ArgumentSource& arguments);
// `recorded`: what the file holds; null: nothing. Fills that have no such name are `fill`.
ArgumentSource ArgumentsOf(const SavedSession::Inputs& inputs, evaluator::FillKind fill,
                           std::shared_ptr<const std::vector<evaluator::Value>> recorded);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_RUN_INPUTS_H_
