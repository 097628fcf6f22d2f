// SPDX-License-Identifier: Apache-2.0
// What the panel shows where there is no value.
#include "gui/models/text.h"
#include "gui/panels/tensor_panel.h"

namespace hloscope::gui {

void TensorPanel::ShowMissing(InstructionId instruction) {
  const bool active = session_->FrameOf(selection_->module().instruction(instruction).computation) >= 0;
  const SessionController::State state = session_->state();
  if (state == SessionController::State::kIdle) {
    ShowNothing(tr("Nothing has been computed yet: run (F5) or step (F10)."));
  } else if (!active) {
    ShowReturned(instruction);
  } else if (state == SessionController::State::kFinished) {
    ShowNothing(tr("Not computed: the result does not need it."));
  } else {
    const absl::string_view name = selection_->module().InstructionName(instruction);
    ShowNothing(tr("%1 has not been executed yet.").arg(ToQString(name)));
  }
}

void TensorPanel::ShowDropped(InstructionId instruction) {
  const QString name = ToQString(selection_->module().InstructionName(instruction));
  if (!recall_problem_.isEmpty()) {
    ShowNothing(
        tr("%1 was executed, but its value was dropped because memory was short. %2").arg(name, recall_problem_));
    again_->show();
    return;
  }
  ShowNothing(tr("%1 was executed, but its value was dropped because memory was short. It is being computed again...")
                  .arg(name));
  session_->Recall(instruction);
}

void TensorPanel::ShowNothing(const QString& why) {
  leaves_.clear();
  shown_[0] = {};
  view_->SetOther(evaluator::Tensor());
  view_->SetTensor(evaluator::Tensor());
  ShowBeside();
  heading_->clear();
  ShowAnswer({});
  message_->setText(why);
  SetReturned(false);
  // Pinned values stay in sight.
  const bool pinned = tabs_->count() > 1;
  message_->show();
  again_->hide();
  for (QWidget* widget : {static_cast<QWidget*>(heading_), static_cast<QWidget*>(leaf_box_)}) widget->hide();
  for (QWidget* widget :
       {static_cast<QWidget*>(beside_), static_cast<QWidget*>(element_bar_), static_cast<QWidget*>(compare_box_),
        static_cast<QWidget*>(pin_), static_cast<QWidget*>(export_)}) {
    widget->setVisible(pinned);
  }
  message_->setSizePolicy(QSizePolicy::Preferred, pinned ? QSizePolicy::Maximum : QSizePolicy::Preferred);
  // What could be compared with the value that was shown is not held any longer, either.
  FillCompareBox();
}

// The values are gone with the frame; what they were, the debugger computes again.
void TensorPanel::ShowReturned(InstructionId instruction) {
  ShowNothing(
      tr("Its computation is not active: values live while their computation runs. History shows what they were."));
  shown_[0] = {ToQString(selection_->module().InstructionName(instruction)), instruction, {}};
  SetReturned(true);
}

void TensorPanel::SetReturned(bool returned) {
  returned_ = returned;
  for (const char* name : {"why", "origin"}) {
    element_bar_->findChild<QToolButton*>(QLatin1String(name))->setVisible(!returned || tabs_->count() > 1);
  }
  tabs_->setVisible(!side_by_side_->isChecked() && (!returned || tabs_->count() > 1));
  if (!returned) return;
  message_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  element_bar_->show();
  beside_->show();
}

}  // namespace hloscope::gui
