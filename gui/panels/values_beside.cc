// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/values_beside.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "gui/views/metrics.h"

namespace hloscope::gui {

namespace {

// To the slice and element of a view that has another size: its zoom says nothing here.
void GoTo(TensorView* view, const TensorView& other) {
  if (view->slice().dimensions() != other.slice().dimensions()) return;
  const QSignalBlocker quiet(view);
  view->SetSlice(other.slice());
  view->Reveal(other.current_index());
}

}  // namespace

ValuesBeside::ValuesBeside(QWidget* parent)
    : QWidget(parent), modes_(new QComboBox), slices_(new SliceBar), splitter_(new QSplitter(Qt::Horizontal)) {
  setAccessibleName(tr("Values beside one another"));
  modes_->addItems({tr("Table"), tr("Heat map"), tr("Image"), tr("Plot")});
  modes_->setAccessibleName(tr("Form of the values"));
  splitter_->setChildrenCollapsible(false);
  auto* bar = new QHBoxLayout;
  bar->addWidget(modes_, 0, Qt::AlignTop);
  bar->addWidget(slices_, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins({});
  column->addLayout(bar);
  column->addWidget(splitter_, 1);
  connect(modes_, &QComboBox::currentIndexChanged, this, [this](int mode) {
    for (const Shown& shown : columns_) shown.view->SetMode(static_cast<TensorView::Mode>(mode));
  });
  connect(slices_, &SliceBar::SliceChanged, this, [this](const TensorSlice& slice) {
    for (const Shown& shown : columns_) {
      if (shown.view->slice().dimensions() == slice.dimensions()) shown.view->SetSlice(slice);
    }
  });
}

void ValuesBeside::ShowSlice(const TensorView& view) { slices_->SetSlice(view.slice()); }

void ValuesBeside::SetLow(bool low) {
  low_ = low;
  for (const Shown& shown : columns_) shown.view->SetLow(low);
}

ValuesBeside::Shown ValuesBeside::AddColumn() {
  Shown added;
  added.box = new QWidget;
  added.title = new QLabel;
  added.title->setTextFormat(Qt::PlainText);
  added.title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  added.title->setFont(HeadingFont());
  added.view = new TensorView;
  added.view->SetCompact(true);
  added.view->SetLow(low_);
  auto* column = new QVBoxLayout(added.box);
  column->setContentsMargins({});
  column->addWidget(added.title);
  column->addWidget(added.view, 1);
  splitter_->addWidget(added.box);
  connect(added.view, &TensorView::PlaceChanged, this, [this, view = added.view] {
    ShowSlice(*view);
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].view == view) {
        Q_EMIT PlaceChanged(static_cast<int>(i));
      } else if (linked_) {
        columns_[i].view->Follow(*view);
      }
    }
  });
  connect(added.view, &TensorView::Activated, this, [this, view = added.view] {
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].view == view) Q_EMIT Activated(static_cast<int>(i));
    }
  });
  return added;
}

void ValuesBeside::Show(const std::vector<Column>& columns, const TensorView& like) {
  while (columns_.size() > columns.size()) {
    columns_.back().box->hide();
    columns_.back().box->deleteLater();
    columns_.pop_back();
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    const bool is_new = i == columns_.size();
    if (is_new) columns_.push_back(AddColumn());
    const Shown& shown = columns_[i];
    shown.title->setText(columns[i].title);
    shown.title->setToolTip(columns[i].title);
    shown.view->SetTensor(columns[i].tensor);
    if (!is_new) continue;
    modes_->setCurrentIndex(static_cast<int>(like.mode()));
    shown.view->SetMode(like.mode());
    shown.view->SetScale(like.scale());
    GoTo(shown.view, like);
    // As wide as the others.
    splitter_->setSizes(QList<int>(static_cast<qsizetype>(columns_.size()), 1000));
  }
  if (!columns_.empty()) ShowSlice(*columns_.front().view);
}

void ValuesBeside::Follow(const TensorView& view) {
  for (const Shown& shown : columns_) GoTo(shown.view, view);
  if (!columns_.empty()) ShowSlice(*columns_.front().view);
}

}  // namespace hloscope::gui
