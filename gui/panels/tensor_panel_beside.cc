// SPDX-License-Identifier: Apache-2.0
// The panel's values beside one another.
#include <vector>

#include "gui/panels/tensor_panel.h"

namespace hloscope::gui {

void TensorPanel::SetUpBeside() {
  side_by_side_->setText(tr("Side by Side"));
  side_by_side_->setToolTip(tr("The value and the pinned ones beside one another"));
  side_by_side_->setAccessibleName(side_by_side_->text());
  side_by_side_->setCheckable(true);
  side_by_side_->setFocusPolicy(Qt::TabFocus);
  side_by_side_->hide();
  values_->hide();
  connect(side_by_side_, &QToolButton::toggled, this, [this](bool beside) {
    tabs_->setVisible(!beside);
    values_->setVisible(beside);
    ShowBeside();
  });
  connect(link_, &QCheckBox::toggled, values_, &ValuesBeside::SetLinked);
  // The column that is worked in is the value that is asked about.
  connect(values_, &ValuesBeside::PlaceChanged, this, [this](int column) {
    tabs_->setCurrentIndex(column);
    front()->Follow(*values_->view(column));
    if (link_->isChecked()) LinkFrom(front());
  });
  connect(values_, &ValuesBeside::Activated, this, [this](int column) {
    tabs_->setCurrentIndex(column);
    front()->Follow(*values_->view(column));
    AskWhy();
  });
}

void TensorPanel::SetBeside(bool beside) { side_by_side_->setChecked(beside); }

void TensorPanel::ShowBeside() {
  const bool several = tabs_->count() > 1;
  side_by_side_->setVisible(several);
  link_->setVisible(several);
  if (!several) side_by_side_->setChecked(false);
  if (!side_by_side_->isChecked()) return;
  std::vector<ValuesBeside::Column> columns;
  for (int tab = 0; tab < tabs_->count(); ++tab) {
    const auto* view = static_cast<const TensorView*>(tabs_->widget(tab));
    columns.push_back({tab == 0 ? tr("%1, now").arg(shown_[0].caption) : tabs_->tabToolTip(tab), view->tensor()});
  }
  values_->Show(columns, *front());
}

}  // namespace hloscope::gui
