// SPDX-License-Identifier: Apache-2.0
// The panel's values beside one another, and the room that they have.
#include <vector>

#include "gui/panels/tensor_panel.h"

namespace hloscope::gui {
namespace {

// From this width on, answers about an element lie beside the value.
constexpr int kWide = 640;
// Characters of the boxes that name values: two of them stand beside each other in a dock of a small window.
constexpr int kShortestName = 10, kUsualName = 15, kRoomForNames = 390;
constexpr int kAnswersWidth = 240;
// Below this height controls need most of the panel.
constexpr int kLow = 460;

}  // namespace

void TensorPanel::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  const bool wide = width() >= kWide;
  for (QComboBox* box : {source_box_, compare_box_}) {
    box->setMinimumContentsLength(width() < kRoomForNames ? kShortestName : kUsualName);
  }
  ShareRoom();
  beside_->setOrientation(wide ? Qt::Horizontal : Qt::Vertical);
  // In a narrow panel they are above the value, next to the buttons: below it nobody would see them without scrolling.
  beside_->insertWidget(wide ? beside_->count() - 1 : 0, answers_);
  answers_->setMinimumWidth(wide ? kAnswersWidth : 0);
}

void TensorPanel::ShareRoom() {
  for (int tab = 0; tab < tabs_->count(); ++tab) {
    static_cast<TensorView*>(tabs_->widget(tab))->SetLow(height() < kLow);
  }
  values_->SetLow(height() < kLow);
}

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
