// SPDX-License-Identifier: Apache-2.0
// The panel's questions about elements, and their answers.
#include "gui/models/element_history.h"
#include "gui/models/element_past.h"
#include "gui/models/text.h"
#include "gui/panels/tensor_panel.h"

namespace hloscope::gui {

void TensorPanel::AskWhy() {
  const Shown& shown = shown_[static_cast<size_t>(tabs_->currentIndex())];
  if (!shown.instruction.has_value() || front()->current_text().isEmpty()) return;
  if (session_->busy()) return ShowAnswer({tr("The run is busy."), {}});
  const evaluator::DimensionVector index = front()->current_index();
  const evaluator::Element element{shown.path, {index.begin(), index.end()}};
  const ElementAnswer answer = WhyElement(selection_->module(), *session_, shown.instruction, element);
  ShowAnswer(answer);
  if (!answer.is_exact) AskDebugger(PastQuestion::kWhy);
}

void TensorPanel::AskDebugger(PastQuestion question) {
  const bool whole = returned_ && tabs_->currentIndex() == 0;
  const Shown& shown = shown_[static_cast<size_t>(tabs_->currentIndex())];
  if (!shown.instruction.has_value() || (!whole && front()->current_text().isEmpty())) return;
  evaluator::Element element;
  if (!whole) {
    const evaluator::DimensionVector index = front()->current_index();
    element = {shown.path, {index.begin(), index.end()}};
  }
  const bool asked = session_->Ask([this, question, device = session_->device(), instruction = shown.instruction,
                                    element](evaluator::Debugger& debugger) -> SessionController::Answer {
    const ElementAnswer answer = AskPast(debugger, question, device, instruction, element);
    return [this, answer] { ShowAnswer(answer); };
  });
  // Without a run there is nothing to ask; what can be said about a constant has been said.
  if (asked) {
    ShowAnswer({tr("Asking the debugger..."), {}});
  } else if (question != PastQuestion::kWhy) {
    ShowAnswer({session_->busy() ? tr("The run is busy.") : tr("Nothing has been computed yet."), {}});
  }
}

void TensorPanel::ShowAnswer(const ElementAnswer& answer) {
  answer_rows_ = answer.rows;
  answer_label_->setText(answer.summary);
  answer_label_->setVisible(!answer.summary.isEmpty());
  answer_list_->clear();
  bool elsewhere = false;
  for (const ElementRow& row : answer_rows_) {
    auto* item = new QTreeWidgetItem(answer_list_, {row.element, row.value, row.operation, row.where});
    item->setToolTip(0, row.element);
    item->setToolTip(3, row.where);
    elsewhere |= !row.where.isEmpty();
  }
  answer_list_->setColumnHidden(3, !elsewhere);
  answer_list_->setVisible(!answer_rows_.empty());
  answers_->setVisible(!answer_rows_.empty() || !answer.summary.isEmpty());
  for (int column = 0; column < 3; ++column) answer_list_->resizeColumnToContents(column);
}

}  // namespace hloscope::gui
