// SPDX-License-Identifier: Apache-2.0
#include "gui/views/heat_map_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/text.h"
#include "gui/views/cell_keys.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

constexpr double kRulerLeft = 46, kRulerTop = 20;  // of the rulers
constexpr double kMaxPixels = 160;                 // of one element
constexpr double kThinnest = 24;                   // pixels that a row of few elements gets at least
constexpr size_t kMaxImages = 600;
constexpr int kCoarser = 8;  // levels in which a tile is looked for until the right one is there

// A round number of elements between ruler marks.
int64_t RulerStep(double elements) {
  int64_t step = 1;
  for (int digit = 0;; ++digit) {
    if (static_cast<double>(step) >= elements) return step;
    step = digit % 3 == 0 ? step * 2 : digit % 3 == 1 ? step / 2 * 5 : step * 2;
  }
}

}  // namespace

HeatMapView::HeatMapView(QWidget* parent) : QWidget(parent), tiles_(new ValueTiles(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Picture of the value"));
  setAccessibleDescription(tr("Arrow keys move from element to element, plus and minus zoom, 0 shows everything."));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  connect(tiles_, &ValueTiles::TileReady, this, [this] { update(); });
}

void HeatMapView::SetSource(std::shared_ptr<const ElementReader> reader, const TensorSlice& slice, int64_t channel_axis,
                            int channels) {
  const bool same_sizes = reader_ != nullptr && slice.rows() == slice_.rows() && slice.columns() == slice_.columns() &&
                          (channel_axis == TensorSlice::kNoAxis) == !is_image();
  reader_ = std::move(reader);
  slice_ = slice;
  channel_axis_ = channel_axis;
  images_.clear();
  tiles_->SetSource(empty() ? nullptr : reader_, slice_, channel_axis, channels);
  if (!same_sizes) {
    current_ = {};
    Fit();
  }
  update();
}

void HeatMapView::SetScale(const ColorScale& scale) {
  scale_ = scale;
  images_.clear();
  update();
}

QRectF HeatMapView::Plot() const {
  return QRectF(kRulerLeft, kRulerTop, std::max(1.0, width() - kRulerLeft - 2),
                std::max(1.0, height() - kRulerTop - 2));
}

QRectF HeatMapView::Fitting() const {
  const QRectF plot = Plot();
  const double rows = std::max<double>(1, static_cast<double>(slice_.rows()));
  const double columns = std::max<double>(1, static_cast<double>(slice_.columns()));
  double x = std::min({plot.width() / columns, plot.height() / rows, kMaxPixels}), y = x;
  if (!is_image()) {
    // Long thin arrays are stretched until they can be seen.
    if (y * rows < kThinnest) y = std::min(kThinnest, plot.height()) / rows;
    if (x * columns < kThinnest) x = std::min(kThinnest, plot.width()) / columns;
  }
  return QRectF(0, 0, plot.width() / x, plot.height() / y);
}

void HeatMapView::Fit() {
  window_ = Fitting();
  fitted_ = true;
  update();
}

void HeatMapView::SetWindow(const QRectF& window) {
  if (window.width() <= 0 || window.height() <= 0) return;
  window_ = window;
  fitted_ = false;
  update();
}

void HeatMapView::MoveTo(QRectF window) {
  // Some of the array stays in view.
  const double rows = static_cast<double>(slice_.rows()), columns = static_cast<double>(slice_.columns());
  window.moveLeft(std::clamp(window.left(), -window.width() / 2, std::max(columns - window.width() / 2, 0.0)));
  window.moveTop(std::clamp(window.top(), -window.height() / 2, std::max(rows - window.height() / 2, 0.0)));
  SetWindow(window);
  Q_EMIT WindowChanged();
}

void HeatMapView::ZoomTo(double pixels) {
  if (pixels > 0) Zoom(pixels * window_.width() / Plot().width(), RectOf(current_).center());
}

void HeatMapView::Zoom(double factor, QPointF pixel) {
  if (empty()) return;
  const QRectF plot = Plot(), all = Fitting();
  double width = window_.width() / factor;
  width = std::clamp(width, plot.width() / kMaxPixels, std::max(all.width() * 2, plot.width() / kMaxPixels));
  const double done = window_.width() / width;
  const double height = std::max(window_.height() / done, plot.height() / kMaxPixels);
  const double x = (pixel.x() - plot.left()) / plot.width(), y = (pixel.y() - plot.top()) / plot.height();
  MoveTo(QRectF(window_.left() + x * (window_.width() - width), window_.top() + y * (window_.height() - height), width,
                height));
}

QPointF HeatMapView::ToPixels(double column, double row) const {
  const QRectF plot = Plot();
  return {plot.left() + (column - window_.left()) * plot.width() / window_.width(),
          plot.top() + (row - window_.top()) * plot.height() / window_.height()};
}

QRectF HeatMapView::RectOf(TensorSlice::Cell cell) const {
  const double row = static_cast<double>(cell.row), column = static_cast<double>(cell.column);
  return {ToPixels(column, row), ToPixels(column + 1, row + 1)};
}

TensorSlice::Cell HeatMapView::CellAt(QPointF pixel) const {
  const QRectF plot = Plot();
  return {
      static_cast<int64_t>(std::floor(window_.top() + (pixel.y() - plot.top()) * window_.height() / plot.height())),
      static_cast<int64_t>(std::floor(window_.left() + (pixel.x() - plot.left()) * window_.width() / plot.width()))};
}

bool HeatMapView::HasCell(QPointF pixel) const {
  const TensorSlice::Cell cell = CellAt(pixel);
  return !empty() && Plot().contains(pixel) && cell.row >= 0 && cell.column >= 0 && cell.row < slice_.rows() &&
         cell.column < slice_.columns();
}

void HeatMapView::SetCurrent(TensorSlice::Cell cell) {
  if (empty()) return;
  cell.row = std::clamp<int64_t>(cell.row, 0, slice_.rows() - 1);
  cell.column = std::clamp<int64_t>(cell.column, 0, slice_.columns() - 1);
  const bool changed = !(cell == current_);
  current_ = cell;
  const QRectF place(static_cast<double>(cell.column), static_cast<double>(cell.row), 1, 1);
  if (!window_.contains(place)) {
    QRectF window = window_;
    window.moveLeft(std::clamp(window.left(), place.right() - window.width(), place.left()));
    window.moveTop(std::clamp(window.top(), place.bottom() - window.height(), place.top()));
    SetWindow(window);
    Q_EMIT WindowChanged();
  }
  update();
  if (changed) Q_EMIT CurrentChanged(cell);
}

QString HeatMapView::CellText(TensorSlice::Cell cell) const { return ToQString(reader_->TextOf(slice_.IndexOf(cell))); }

const QImage& HeatMapView::ImageOf(const TileKey& key, const ValueTile& tile) {
  if (images_.size() > kMaxImages) images_.clear();
  QImage& image = images_[key];
  if (!image.isNull()) return image;
  image = QImage(std::max(tile.columns, 1), std::max(tile.rows, 1), QImage::Format_RGB32);
  for (int row = 0; row < tile.rows; ++row) {
    QRgb* line = reinterpret_cast<QRgb*>(image.scanLine(row));
    for (int column = 0; column < tile.columns; ++column) {
      const TileCell& cell = tile.cell(0, row, column);
      if (is_image()) {
        const auto level = [&](int plane) {
          const double fraction = scale_.FractionOf(tile.cell(plane, row, column).mean);
          return fraction != fraction ? 0 : static_cast<int>(255 * std::clamp(fraction, 0.0, 1.0) + 0.5);
        };
        const int red = level(0);
        line[column] = tile.planes < 3 ? qRgb(red, red, red) : qRgb(red, level(1), level(2));
      } else {
        line[column] = scale_.ColorOf(cell.mean, cell.low, cell.high, cell.has_nan, cell.has_infinity);
      }
    }
  }
  return image;
}

void HeatMapView::DrawTiles(QPainter& painter) {
  const QRectF plot = Plot();
  const int row_level = ValueTiles::LevelFor(window_.height() / plot.height());
  const int column_level = ValueTiles::LevelFor(window_.width() / plot.width());
  const double tile_rows = std::ldexp(ValueTiles::kTileCells, row_level);
  const double tile_columns = std::ldexp(ValueTiles::kTileCells, column_level);
  const double rows = static_cast<double>(slice_.rows()), columns = static_cast<double>(slice_.columns());
  const double top = std::max(window_.top(), 0.0), bottom = std::min(window_.bottom(), rows);
  const double left = std::max(window_.left(), 0.0), right = std::min(window_.right(), columns);
  std::vector<TileKey> wanted;
  const auto area = [&](const TileKey& key) {
    const double height = std::ldexp(ValueTiles::kTileCells, key.row_level);
    const double width = std::ldexp(ValueTiles::kTileCells, key.column_level);
    const double x = static_cast<double>(key.column) * width, y = static_cast<double>(key.row) * height;
    return QRectF(x, y, std::min(width, columns - x), std::min(height, rows - y));
  };
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  for (auto r = static_cast<int64_t>(top / tile_rows); static_cast<double>(r) * tile_rows < bottom; ++r) {
    for (auto c = static_cast<int64_t>(left / tile_columns); static_cast<double>(c) * tile_columns < right; ++c) {
      const TileKey key{row_level, column_level, r, c};
      const QRectF part = area(key);
      // On whole pixels, or the ground shows between tiles.
      const QPointF corner = ToPixels(part.left(), part.top()), end = ToPixels(part.right(), part.bottom());
      const QRectF target(QPointF(std::round(corner.x()), std::round(corner.y())),
                          QPointF(std::round(end.x()), std::round(end.y())));
      if (const auto tile = tiles_->Find(key)) {
        const QImage& image = ImageOf(key, *tile);
        // The last cell of a row may stand for fewer elements than the others: it is drawn in their width and cut.
        const double x = part.width() / std::ldexp(1.0, column_level), y = part.height() / std::ldexp(1.0, row_level);
        painter.drawImage(target, image, QRectF(0, 0, x, y));
        continue;
      }
      wanted.push_back(key);
      // A coarser picture until the tile is there.
      for (int more = 1; more <= kCoarser; ++more) {
        const TileKey coarse{row_level + more, column_level + more, r >> more, c >> more};
        const auto tile = tiles_->Find(coarse);
        if (tile == nullptr) continue;
        const QRectF whole = area(coarse);
        const double span_x = std::ldexp(1.0, coarse.column_level), span_y = std::ldexp(1.0, coarse.row_level);
        painter.drawImage(target, ImageOf(coarse, *tile),
                          QRectF((part.left() - whole.left()) / span_x, (part.top() - whole.top()) / span_y,
                                 part.width() / span_x, part.height() / span_y));
        break;
      }
    }
  }
  tiles_->Want(std::move(wanted));
}

void HeatMapView::DrawNumbers(QPainter& painter) {
  const QRectF one = RectOf({0, 0});
  const QFont font = CodeFont(TextSize::kSmall);
  const QFontMetricsF metrics(font);
  if (one.width() < metrics.horizontalAdvance(QStringLiteral("-0.00")) + 8 || one.height() < metrics.height() + 2) {
    return;
  }
  painter.setFont(font);
  const TensorSlice::Cell first = CellAt(Plot().topLeft()), last = CellAt(Plot().bottomRight());
  const auto fitting = static_cast<int>(one.width() / metrics.averageCharWidth()) - 1;
  for (int64_t row = std::max<int64_t>(first.row, 0); row <= std::min(last.row, slice_.rows() - 1); ++row) {
    for (int64_t column = std::max<int64_t>(first.column, 0); column <= std::min(last.column, slice_.columns() - 1);
         ++column) {
      double number = 0;
      reader_->Read(slice_.IndexOf({row, column}), TensorSlice::kNoAxis, 1, &number);
      QString text = CellText({row, column});
      for (int digits = 6; text.size() > fitting && digits > 0; --digits) text = QString::number(number, 'g', digits);
      const QColor fill = QColor::fromRgb(scale_.ColorOf(number));
      painter.setPen(Theme::InkOn(fill));
      painter.drawText(RectOf({row, column}), Qt::AlignCenter, text);
    }
  }
}

void HeatMapView::DrawRulers(QPainter& painter) {
  const Theme theme = Theme::For(palette());
  const QRectF plot = Plot();
  const QFont font = TextFont(TextSize::kSmall);
  painter.setFont(font);
  painter.setPen(theme.muted);
  const QFontMetricsF metrics(font);
  const double widest = metrics.horizontalAdvance(QString::number(slice_.columns())) + 14;
  const int64_t x_step = RulerStep(window_.width() / plot.width() * widest);
  const auto begin = [](double from, int64_t step) {
    return std::max<int64_t>(0, static_cast<int64_t>(from) / step * step);
  };
  for (int64_t c = begin(window_.left(), x_step); c < slice_.columns(); c += x_step) {
    const double x = ToPixels(static_cast<double>(c) + std::min(0.5, 0.5 * static_cast<double>(x_step)), 0).x();
    if (x > plot.right()) break;
    if (x < plot.left() - 2) continue;
    const QRectF place(x - widest / 2, 2, widest, kRulerTop - 5);
    if (place.right() <= plot.right() + 2)
      painter.drawText(place, Qt::AlignHCenter | Qt::AlignBottom, QString::number(c));
    painter.drawLine(QPointF(x, kRulerTop - 3), QPointF(x, kRulerTop - 1));
  }
  const int64_t y_step = RulerStep(window_.height() / plot.height() * (metrics.height() + 2));
  for (int64_t r = begin(window_.top(), y_step); r < slice_.rows(); r += y_step) {
    const double y = ToPixels(0, static_cast<double>(r) + 0.5).y();
    if (y > plot.bottom()) break;
    if (y < plot.top() - 2) continue;
    painter.drawText(QRectF(0, y - 10, kRulerLeft - 5, 20), Qt::AlignRight | Qt::AlignVCenter, QString::number(r));
    painter.drawLine(QPointF(kRulerLeft - 3, y), QPointF(kRulerLeft - 1, y));
  }
}

void HeatMapView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::For(palette());
  painter.fillRect(rect(), theme.page);
  if (empty()) {
    painter.setPen(theme.muted);
    painter.drawText(rect(), Qt::AlignCenter, tr("No elements"));
    return;
  }
  const QRectF plot = Plot();
  const QRectF array(ToPixels(0, 0),
                     ToPixels(static_cast<double>(slice_.columns()), static_cast<double>(slice_.rows())));
  painter.setClipRect(plot);
  painter.fillRect(array & plot, QBrush(theme.muted, Qt::BDiagPattern));
  DrawTiles(painter);
  if (!is_image()) DrawNumbers(painter);
  painter.setClipRect(plot.adjusted(-1, -1, 1, 1));
  painter.setPen(theme.node_border);
  painter.drawRect(array.adjusted(-0.5, -0.5, 0.5, 0.5));
  const QRectF mark = RectOf(current_);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(Qt::white, hasFocus() ? 4 : 3));
  const QRectF around = mark.adjusted(-1, -1, 1, 1);
  painter.drawRect(around);
  painter.setPen(QPen(hasFocus() ? theme.selection : QColor(Qt::black), hasFocus() ? 2 : 1));
  painter.drawRect(around);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setClipping(false);
  DrawRulers(painter);
}

void HeatMapView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (fitted_) {
    window_ = Fitting();
    return;
  }
  // Pixels keep their size.
  if (event->oldSize().width() > kRulerLeft + 3 && event->oldSize().height() > kRulerTop + 3) {
    window_.setWidth(window_.width() * Plot().width() / (event->oldSize().width() - kRulerLeft - 2));
    window_.setHeight(window_.height() * Plot().height() / (event->oldSize().height() - kRulerTop - 2));
  }
}

void HeatMapView::wheelEvent(QWheelEvent* event) {
  Zoom(std::pow(1.2, event->angleDelta().y() / 120.0), event->position());
  event->accept();
}

void HeatMapView::mousePressEvent(QMouseEvent* event) {
  drag_from_ = event->position();
  drag_window_ = window_;
  dragging_ = event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton;
  dragged_ = false;
}

void HeatMapView::mouseMoveEvent(QMouseEvent* event) {
  if (!dragging_ || empty()) return;
  const QPointF moved = event->position() - drag_from_;
  if (!dragged_ && moved.manhattanLength() < 4) return;
  dragged_ = true;
  setCursor(Qt::ClosedHandCursor);
  const QRectF plot = Plot();
  MoveTo(drag_window_.translated(-moved.x() * window_.width() / plot.width(),
                                 -moved.y() * window_.height() / plot.height()));
}

void HeatMapView::mouseReleaseEvent(QMouseEvent* event) {
  unsetCursor();
  if (std::exchange(dragging_, false) && !dragged_ && HasCell(event->position())) SetCurrent(CellAt(event->position()));
}

void HeatMapView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (HasCell(event->position())) Q_EMIT CellActivated(CellAt(event->position()));
}

void HeatMapView::keyPressEvent(QKeyEvent* event) {
  if (empty()) return QWidget::keyPressEvent(event);
  const int64_t page = std::max<int64_t>(1, static_cast<int64_t>(window_.height() * 0.9));
  if (const auto cell = CellAfterKey(event->key(), current_, page, slice_.columns())) return SetCurrent(*cell);
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return Zoom(1.25, RectOf(current_).center());
    case Qt::Key_Minus:
      return Zoom(0.8, RectOf(current_).center());
    case Qt::Key_0:
      Fit();
      Q_EMIT WindowChanged();
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      Q_EMIT CellActivated(current_);
      return;
    default:
      return QWidget::keyPressEvent(event);
  }
}

bool HeatMapView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (!HasCell(help->pos())) {
    QToolTip::hideText();
    return true;
  }
  const TensorSlice::Cell cell = CellAt(help->pos());
  QStringList index;
  for (int64_t i : slice_.IndexOf(cell)) index << QString::number(i);
  QToolTip::showText(help->globalPos(),
                     QStringLiteral("[%1] = %2").arg(index.join(QStringLiteral(", ")), CellText(cell)), this);
  return true;
}

}  // namespace hloscope::gui
