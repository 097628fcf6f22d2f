// SPDX-License-Identifier: Apache-2.0
#include "gui/views/cell_grid_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

#include "gui/views/cell_keys.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

constexpr int kGridMargin = 6;
constexpr double kSmallestCell = 0.4;
constexpr double kSmallestZoom = 0.01;
// Larger cells are a whole number of pixels.
constexpr double kLargestFraction = 2;
// Smaller cells have no borders; and marks are looked for in no more of them than this.
constexpr int kBorderedCell = 7;
constexpr int64_t kMostMarkedCells = 60'000;

int ToInt(int64_t value) { return static_cast<int>(std::clamp<int64_t>(value, 0, INT_MAX)); }

QFont CellFont() { return CodeFont(TextSize::kSmall); }

}  // namespace

CellGridView::CellGridView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
  setFrameShape(QFrame::StyledPanel);
}

void CellGridView::SetGrid(Grid grid) {
  grid_ = std::move(grid);
  hovered_.reset();
  if (!HasCell(current_)) current_ = {};
  Measure();
  if (fitted_) FitAll();
}

void CellGridView::SetMarks(std::function<Mark(Cell)> mark) {
  mark_ = std::move(mark);
  viewport()->update();
}

void CellGridView::SetEmptyText(const QString& text) {
  empty_text_ = text;
  viewport()->update();
}

void CellGridView::SetWidestText(const QString& text) {
  widest_ = text;
  Measure();
}

void CellGridView::Measure() {
  const QFontMetrics cells(CellFont()), titles(font());
  text_width_ = std::max(cells.horizontalAdvance(widest_) + 10, 24);
  text_height_ = cells.height() + 6;
  const auto cell = [this](int size_of_text) {
    const double size = std::max(kSmallestCell, size_of_text * zoom_);
    return size >= kLargestFraction ? std::floor(size) : size;
  };
  cell_width_ = cell(text_width_);
  cell_height_ = cell(text_height_);
  // Small cells are squares: nothing has to be written into them.
  if (!HasText()) cell_width_ = cell_height_ = std::min(cell_width_, cell_height_);
  head_height_ = grid_.column_title ? titles.height() + 4 : 0;
  head_width_ = 0;
  if (grid_.row_title && grid_.rows > 0) {
    for (int64_t row : {int64_t{0}, grid_.rows - 1}) {
      head_width_ = std::max(head_width_, titles.horizontalAdvance(grid_.row_title(row)) + 10);
    }
  }
  UpdateScrollBars();
  updateGeometry();
  viewport()->update();
}

void CellGridView::SetZoom(double zoom) {
  fitted_ = false;
  zoom_ = std::clamp(zoom, kSmallestZoom, 2.0);
  Measure();
  EnsureVisible(current_);
}

void CellGridView::FitAll() {
  if (grid_.rows == 0 || grid_.columns == 0) return;
  const auto rows = static_cast<double>(grid_.rows), columns = static_cast<double>(grid_.columns);
  const double high = (viewport()->height() - head_height_ - 2 * kGridMargin) / rows;
  const double wide = (viewport()->width() - head_width_ - 2 * kGridMargin) / columns;
  // With texts if they have room, else squares.
  const double with_text = std::min({wide / text_width_, high / text_height_, 1.0});
  SetZoom(with_text >= 0.8 ? with_text : std::min({wide / text_height_, high / text_height_, 0.7}));
  fitted_ = true;
}

void CellGridView::UpdateScrollBars() {
  const int rows = std::max(1, static_cast<int>((viewport()->height() - head_height_ - kGridMargin) / cell_height_));
  const int columns = std::max(1, static_cast<int>((viewport()->width() - head_width_ - kGridMargin) / cell_width_));
  verticalScrollBar()->setRange(0, ToInt(grid_.rows - rows));
  verticalScrollBar()->setPageStep(rows);
  horizontalScrollBar()->setRange(0, ToInt(grid_.columns - columns));
  horizontalScrollBar()->setPageStep(columns);
}

int64_t CellGridView::first_row() const { return verticalScrollBar()->value(); }
int64_t CellGridView::first_column() const { return horizontalScrollBar()->value(); }

QRect CellGridView::RectOf(Cell cell) const {
  const auto at = [](int64_t cells, double size) {
    return static_cast<int>(std::clamp(std::floor(static_cast<double>(cells) * size), -1e5, 1e5));
  };
  const int64_t column = cell.column - first_column(), row = cell.row - first_row();
  const int x = at(column, cell_width_), y = at(row, cell_height_);
  return {kGridMargin + head_width_ + x, kGridMargin + head_height_ + y, std::max(1, at(column + 1, cell_width_) - x),
          std::max(1, at(row + 1, cell_height_) - y)};
}

bool CellGridView::HasCell(Cell cell) const {
  if (cell.row < 0 || cell.column < 0 || cell.row >= grid_.rows || cell.column >= grid_.columns) return false;
  return cell.row + 1 < grid_.rows || grid_.last_row_columns == 0 || cell.column < grid_.last_row_columns;
}

std::optional<CellGridView::Cell> CellGridView::CellAt(QPoint place) const {
  const int x = place.x() - kGridMargin - head_width_, y = place.y() - kGridMargin - head_height_;
  if (x < 0 || y < 0) return std::nullopt;
  // What the middle of the pixel is in.
  const Cell cell{first_row() + static_cast<int64_t>((y + 0.5) / cell_height_),
                  first_column() + static_cast<int64_t>((x + 0.5) / cell_width_)};
  return HasCell(cell) ? std::optional(cell) : std::nullopt;
}

void CellGridView::SetCurrent(Cell cell) {
  if (grid_.rows == 0) return;
  cell.row = std::clamp<int64_t>(cell.row, 0, grid_.rows - 1);
  cell.column = std::clamp<int64_t>(cell.column, 0, grid_.columns - 1);
  if (!HasCell(cell)) cell.column = grid_.last_row_columns - 1;
  current_ = cell;
  EnsureVisible(cell);
  viewport()->update();
}

void CellGridView::EnsureVisible(Cell cell) {
  const auto show = [](QScrollBar* bar, int64_t at) {
    const int64_t page = bar->pageStep();
    if (at < bar->value()) bar->setValue(ToInt(at));
    if (at >= bar->value() + page) bar->setValue(ToInt(at - page + 1));
  };
  show(verticalScrollBar(), cell.row);
  show(horizontalScrollBar(), cell.column);
}

void CellGridView::Choose(Cell cell) {
  SetCurrent(cell);
  Q_EMIT CurrentChanged(current_);
}

void CellGridView::PaintCells(QPainter& painter, const Theme& theme, Cell end) const {
  // Of cells that share a pixel, one is painted.
  const auto down = std::max<int64_t>(1, static_cast<int64_t>(1 / cell_height_));
  const auto across = std::max<int64_t>(1, static_cast<int64_t>(1 / cell_width_));
  for (int64_t row = first_row(); row < end.row; row += down) {
    for (int64_t column = first_column(); column < end.column; column += across) {
      const Cell cell{row, column};
      if (!HasCell(cell)) continue;
      const Look look = grid_.look(cell);
      const QColor fill = look.fill.isValid() ? look.fill : theme.page;
      if (cell_height_ < kBorderedCell) {
        painter.fillRect(RectOf(cell), look.hatched ? Theme::Mixed(theme.page, theme.muted, 0.45) : fill);
        continue;
      }
      const QRect rect = RectOf(cell).adjusted(0, 0, -1, -1);
      painter.fillRect(rect, fill);
      if (look.hatched) painter.fillRect(rect, QBrush(theme.muted, Qt::BDiagPattern));
      painter.setPen(look.hatched ? theme.muted : Theme::InkOn(fill));
      if (HasText()) painter.drawText(rect, Qt::AlignCenter, look.text);
      painter.setPen(theme.dark ? theme.node_border : QColor(0xc4, 0xca, 0xd1));
      painter.drawRect(rect.adjusted(0, 0, 1, 1));
    }
  }
}

void CellGridView::PaintBars(QPainter& painter, const Theme& theme, Cell end) const {
  painter.setPen(QPen(theme.text, 2));
  if (grid_.columns_in_block > 0) {
    for (int64_t c = (first_column() / grid_.columns_in_block + 1) * grid_.columns_in_block; c < end.column;
         c += grid_.columns_in_block) {
      const int x = RectOf({0, c}).left();
      painter.drawLine(x, RectOf({first_row(), 0}).top(), x, RectOf({end.row - 1, 0}).bottom() + 1);
    }
  }
  if (grid_.rows_in_block > 0) {
    for (int64_t r = (first_row() / grid_.rows_in_block + 1) * grid_.rows_in_block; r < end.row;
         r += grid_.rows_in_block) {
      const int y = RectOf({r, 0}).top();
      painter.drawLine(RectOf({0, first_column()}).left(), y, RectOf({0, end.column - 1}).right() + 1, y);
    }
  }
}

void CellGridView::PaintMarks(QPainter& painter, const Theme& theme, Cell end) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const auto frame = [&](Cell cell, const QColor& color, double width) {
    painter.setPen(QPen(color, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(RectOf(cell)).adjusted(0.5, 0.5, -0.5, -0.5));
  };
  const int64_t seen = (end.row - first_row()) * (end.column - first_column());
  if (mark_ && seen <= kMostMarkedCells) {
    for (int64_t row = first_row(); row < end.row; ++row) {
      for (int64_t column = first_column(); column < end.column; ++column) {
        const Mark mark = MarkOf({row, column});
        if (mark == Mark::kNone) continue;
        const QColor color = mark == Mark::kSource   ? theme.current
                             : mark == Mark::kResult ? theme.selection
                                                     : theme.error;
        QColor veil = color;
        veil.setAlpha(mark == Mark::kMoved ? 0 : 70);
        painter.fillRect(RectOf({row, column}), veil);
        frame({row, column}, color, mark == Mark::kMoved ? 1.6 : 2.4);
      }
    }
  }
  if (hovered_ && HasCell(*hovered_)) frame(*hovered_, theme.selection, 2.4);
  if (hasFocus() && HasCell(current_)) {
    painter.setPen(QPen(theme.text, 1, Qt::DashLine));
    painter.drawRect(QRectF(RectOf(current_)).adjusted(2.5, 2.5, -3.5, -3.5));
  }
}

void CellGridView::PaintTitles(QPainter& painter, const Theme& theme, Cell end) const {
  painter.setFont(font());
  painter.setPen(theme.muted);
  // As many titles as have room; of blocks, where they begin.
  const auto step_of = [](int room, double cell, int64_t block) {
    const int64_t step = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(room / cell)));
    if (block <= 1 || step == 1) return step;
    return step <= block && block % step != 0 ? block : (step + block - 1) / block * block;
  };
  if (grid_.row_title) {
    const int64_t step = step_of(fontMetrics().height(), cell_height_, grid_.rows_in_block);
    const int cell_height = std::max(1, static_cast<int>(cell_height_));
    const int height = std::max(cell_height, fontMetrics().height());
    for (int64_t row = (first_row() + step - 1) / step * step; row < std::min(end.row, grid_.rows); row += step) {
      const QRect cell = RectOf({row, 0});
      painter.drawText(QRect(0, cell.top() - (height - cell_height) / 2, kGridMargin + head_width_ - 5, height),
                       Qt::AlignRight | Qt::AlignVCenter, grid_.row_title(row));
    }
  }
  if (grid_.column_title) {
    const int wide = fontMetrics().horizontalAdvance(grid_.column_title(std::max<int64_t>(0, grid_.columns - 1))) + 6;
    const int64_t step = step_of(wide, cell_width_, grid_.columns_in_block);
    const int cell_width = std::max(1, static_cast<int>(cell_width_));
    const int width = std::max(cell_width, wide);
    for (int64_t column = (first_column() + step - 1) / step * step; column < std::min(end.column, grid_.columns);
         column += step) {
      const QRect cell = RectOf({0, column});
      painter.drawText(QRect(cell.left() - (width - cell_width) / 2, 2, width, head_height_), Qt::AlignCenter,
                       grid_.column_title(column));
    }
  }
}

void CellGridView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  const Theme theme = Theme::For(palette());
  painter.fillRect(viewport()->rect(), theme.page);
  if (grid_.rows == 0 || !grid_.look) {
    painter.setPen(theme.muted);
    painter.drawText(viewport()->rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, empty_text_);
    return;
  }
  const auto seen = [](int pixels, double cell) { return static_cast<int64_t>(pixels / cell) + 2; };
  const Cell end = {std::min(grid_.rows, first_row() + seen(viewport()->height(), cell_height_)),
                    std::min(grid_.columns, first_column() + seen(viewport()->width(), cell_width_))};
  const QRect body(head_width_, head_height_, viewport()->width(), viewport()->height());
  painter.setFont(CellFont());
  painter.setClipRect(body);
  PaintCells(painter, theme, end);
  PaintBars(painter, theme, end);
  PaintMarks(painter, theme, end);
  painter.setClipping(false);
  PaintTitles(painter, theme, end);
}

void CellGridView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  if (fitted_) return FitAll();
  UpdateScrollBars();
}

void CellGridView::wheelEvent(QWheelEvent* event) {
  if (!event->modifiers().testFlag(Qt::ControlModifier)) return QAbstractScrollArea::wheelEvent(event);
  event->angleDelta().y() > 0 ? ZoomIn() : ZoomOut();
  event->accept();
}

void CellGridView::mouseMoveEvent(QMouseEvent* event) {
  const std::optional<Cell> cell = CellAt(event->position().toPoint());
  if (cell == hovered_) return;
  hovered_ = cell;
  viewport()->update();
  Q_EMIT Hovered(cell);
}

void CellGridView::leaveEvent(QEvent* event) {
  QAbstractScrollArea::leaveEvent(event);
  if (!hovered_) return;
  hovered_.reset();
  viewport()->update();
  Q_EMIT Hovered(std::nullopt);
}

void CellGridView::mousePressEvent(QMouseEvent* event) {
  if (const std::optional<Cell> cell = CellAt(event->position().toPoint())) Choose(*cell);
}

void CellGridView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return ZoomIn();
    case Qt::Key_Minus:
      return ZoomOut();
    case Qt::Key_0:
      return FitAll();
    default:
      break;
  }
  const auto cell = CellAfterKey(event->key(), current_, verticalScrollBar()->pageStep(), grid_.columns);
  if (!cell.has_value()) return QAbstractScrollArea::keyPressEvent(event);
  if (grid_.rows > 0) Choose(*cell);
}

bool CellGridView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !grid_.tool_tip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const std::optional<Cell> cell = CellAt(help->pos())) {
    QToolTip::showText(help->globalPos(), grid_.tool_tip(*cell), this);
  } else {
    QToolTip::hideText();
  }
  return true;
}

}  // namespace hloscope::gui
