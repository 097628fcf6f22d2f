// SPDX-License-Identifier: Apache-2.0
#include "gui/views/slice_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>
#include <climits>

#include "gui/views/metrics.h"
#include "gui/views/wrap_layout.h"

namespace hloscope::gui {

SliceBar::SliceBar(QWidget* parent) : QWidget(parent) {
  new WrapLayout(this);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  hide();
}

void SliceBar::SetSlice(const TensorSlice& slice) {
  const bool same = slice.dimensions() == slice_.dimensions();
  slice_ = slice;
  if (!same) Build();
  Show();
}

void SliceBar::Build() {
  while (QLayoutItem* item = layout()->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  fixed_.clear();
  rows_ = columns_ = nullptr;
  setVisible(slice_.rank() >= 2);
  if (slice_.rank() < 2) return;
  const auto add_axis_box = [this](const QString& caption, const QString& name) {
    auto* label = new QLabel(caption);
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setToolTip(name);
    for (int64_t d = 0; d < slice_.rank(); ++d) {
      box->addItem(tr("dim %1 (%2)").arg(d).arg(slice_.dimensions()[static_cast<size_t>(d)]));
    }
    label->setBuddy(box);
    layout()->addWidget(label);
    layout()->addWidget(box);
    return box;
  };
  rows_ = add_axis_box(tr("rows"), tr("Dimension shown as rows"));
  columns_ = add_axis_box(tr("columns"), tr("Dimension shown as columns"));
  connect(rows_, &QComboBox::currentIndexChanged, this, [this](int axis) {
    TensorSlice slice = slice_;
    slice.SetRowAxis(axis);
    Choose(slice);
  });
  connect(columns_, &QComboBox::currentIndexChanged, this, [this](int axis) {
    TensorSlice slice = slice_;
    slice.SetColumnAxis(axis);
    Choose(slice);
  });
  auto* swap = new QToolButton;
  swap->setText(QStringLiteral("\u21c4"));
  swap->setToolTip(tr("Swap rows and columns"));
  swap->setAccessibleName(swap->toolTip());
  layout()->addWidget(swap);
  connect(swap, &QToolButton::clicked, this, [this] {
    TensorSlice slice = slice_;
    slice.SwapAxes();
    Choose(slice);
  });
  for (int64_t d = 0; d < slice_.rank(); ++d) {
    Fixed fixed;
    fixed.group = new QWidget;
    auto* row = new QHBoxLayout(fixed.group);
    row->setContentsMargins({});
    row->setSpacing(Space::kTight);
    auto* label = new QLabel(tr("dim %1").arg(d));
    fixed.slider = new QSlider(Qt::Horizontal);
    fixed.box = new QSpinBox;
    const int64_t size = slice_.dimensions()[static_cast<size_t>(d)];
    const int last = static_cast<int>(std::clamp<int64_t>(size - 1, 0, INT_MAX));
    fixed.slider->setRange(0, last);
    fixed.slider->setFixedWidth(70);
    fixed.box->setRange(0, last);
    fixed.box->setSuffix(QStringLiteral(" / %1").arg(size));
    const QString name = tr("Index in dimension %1, of %2").arg(d).arg(size);
    for (QWidget* widget : {static_cast<QWidget*>(fixed.slider), static_cast<QWidget*>(fixed.box)}) {
      widget->setToolTip(name);
      widget->setAccessibleName(name);
    }
    label->setBuddy(fixed.box);
    row->addWidget(label);
    row->addWidget(fixed.slider);
    row->addWidget(fixed.box);
    layout()->addWidget(fixed.group);
    const auto choose = [this, d](int value) {
      TensorSlice slice = slice_;
      slice.SetIndex(d, value);
      Choose(slice);
    };
    connect(fixed.slider, &QSlider::valueChanged, this, choose);
    connect(fixed.box, &QSpinBox::valueChanged, this, choose);
    fixed_.push_back(fixed);
  }
}

void SliceBar::Show() {
  if (rows_ == nullptr) return;
  showing_ = true;
  rows_->setCurrentIndex(static_cast<int>(slice_.row_axis()));
  columns_->setCurrentIndex(static_cast<int>(slice_.column_axis()));
  for (int64_t d = 0; d < slice_.rank(); ++d) {
    const Fixed& fixed = fixed_[static_cast<size_t>(d)];
    fixed.group->setVisible(slice_.IsFixed(d));
    const int index = static_cast<int>(std::min<int64_t>(slice_.index(d), INT_MAX));
    fixed.slider->setValue(index);
    fixed.box->setValue(index);
  }
  showing_ = false;
  updateGeometry();
}

void SliceBar::Choose(const TensorSlice& slice) {
  if (showing_) return;
  const bool changed = !(slice == slice_);
  slice_ = slice;
  Show();
  if (changed) Q_EMIT SliceChanged(slice_);
}

}  // namespace hloscope::gui
