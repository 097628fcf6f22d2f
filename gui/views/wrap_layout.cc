// SPDX-License-Identifier: Apache-2.0
#include "gui/views/wrap_layout.h"

#include <QWidget>
#include <algorithm>
#include <vector>

namespace hloscope::gui {

WrapLayout::WrapLayout(QWidget* parent, int spacing) : QLayout(parent), spacing_(spacing) { setContentsMargins({}); }

WrapLayout::~WrapLayout() { qDeleteAll(items_); }

QLayoutItem* WrapLayout::takeAt(int index) {
  return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

void WrapLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  Place(rect.marginsRemoved(contentsMargins()), /*move=*/true);
}

// What says how narrow it may be is made so at the end of a row before it begins another one.
int WrapLayout::NarrowestWidth(QLayoutItem& item) {
  const QWidget* widget = item.widget();
  const int wanted = item.sizeHint().width();
  return widget != nullptr && widget->minimumWidth() > 0 ? std::min(widget->minimumWidth(), wanted) : wanted;
}

QSize WrapLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : items_) {
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  }
  return size.grownBy(contentsMargins());
}

int WrapLayout::Place(const QRect& rect, bool move) const {
  int y = rect.y(), bottom = rect.y();
  std::vector<QLayoutItem*> row;
  int width = 0, height = 0;
  const auto finish_row = [&] {
    int x = rect.x();
    for (QLayoutItem* item : row) {
      QSize size = item->sizeHint();
      size.setWidth(std::min(size.width(), std::max(rect.width() - (x - rect.x()), item->minimumSize().width())));
      // Centred, so that labels are level with boxes.
      if (move) item->setGeometry(QRect(QPoint(x, y + (height - size.height()) / 2), size));
      x += size.width() + spacing_;
    }
    if (!row.empty()) bottom = y + height;
    y += height + spacing_;
    row.clear();
    width = height = 0;
  };
  for (QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    const QSize size = item->sizeHint();
    if (!row.empty() && width + NarrowestWidth(*item) > rect.width()) finish_row();
    row.push_back(item);
    // One that was made narrower ends its row.
    width += size.width() + spacing_;
    height = std::max(height, size.height());
  }
  finish_row();
  return bottom - rect.y();
}

QWidget* MakeWrapBar(QWidget* parent) {
  auto* bar = new QWidget(parent);
  new WrapLayout(bar);
  // No more than one row is needed at least: how many there are, the width decides.
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  bar->setSizePolicy(policy);
  return bar;
}

}  // namespace hloscope::gui
