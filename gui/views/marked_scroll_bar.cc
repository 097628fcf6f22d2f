// SPDX-License-Identifier: Apache-2.0
#include "gui/views/marked_scroll_bar.h"

#include <QPainter>
#include <QStyleOptionSlider>
#include <algorithm>
#include <utility>

namespace hloscope::gui {
namespace {

constexpr int kMarkHeight = 3;

}  // namespace

void MarkedScrollBar::SetMarks(std::vector<Mark> marks, int lines) {
  lines = std::max(1, lines);
  if (marks == marks_ && lines == lines_) return;
  marks_ = std::move(marks);
  lines_ = lines;
  update();
}

QRect MarkedScrollBar::RectOf(int line) const {
  QStyleOptionSlider option;
  initStyleOption(&option);
  const QRect groove = style()->subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarGroove, this);
  const int y = groove.top() + static_cast<int>(static_cast<qint64>(line) * (groove.height() - kMarkHeight) / lines_);
  return QRect(groove.left() + groove.width() / 2, y, groove.width() - groove.width() / 2 - 1, kMarkHeight);
}

void MarkedScrollBar::paintEvent(QPaintEvent* event) {
  QScrollBar::paintEvent(event);
  QPainter painter(this);
  for (const Mark& mark : marks_) painter.fillRect(RectOf(mark.line), mark.color);
}

}  // namespace hloscope::gui
