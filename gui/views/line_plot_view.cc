// SPDX-License-Identifier: Apache-2.0
#include "gui/views/line_plot_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gui/models/color_scale.h"
#include "gui/models/text.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

constexpr double kPlotLeft = 62, kPlotTop = 8, kPlotRight = 10, kPlotBottom = 20;

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void Include(const std::vector<TileCell>& line) {
    for (const TileCell& cell : line) {
      for (const double x : {cell.low, cell.high}) {
        if (!std::isfinite(x)) continue;
        low = std::min(low, x);
        high = std::max(high, x);
      }
    }
  }
};

// The range of both lines, with some height even if all elements are equal.
Range RangeOf(const std::vector<TileCell>& line, const std::vector<TileCell>& second) {
  Range range;
  range.Include(line);
  range.Include(second);
  if (!(range.low <= range.high)) range.low = range.high = 0;
  if (range.low == range.high) {
    const double some = std::max(std::abs(range.low) * 0.1, 0.5);
    range.low -= some;
    range.high += some;
  }
  return range;
}

// Draws elements at their places in a plot.
class PlotPainter {
 public:
  PlotPainter(QPainter& painter, const Theme& theme, const QRectF& plot, const Range& range)
      : painter_(painter), theme_(theme), plot_(plot), range_(range), half_height_(range.high / 2 - range.low / 2) {}

  // Lines at round numbers.
  void PaintScale() {
    const double rough = half_height_ * 2 / std::max(2.0, plot_.height() / 40);
    const double magnitude = std::pow(10.0, std::floor(std::log10(rough)));
    const double step = magnitude * (rough / magnitude > 5 ? 10 : rough / magnitude > 2 ? 5 : 2);
    if (!(step > 0) || !std::isfinite(step)) return;
    for (double k = std::ceil(range_.low / step); k * step <= range_.high; ++k) {
      const double at = Y(k * step);
      painter_.setPen(QPen(theme_.reference_fill, 1));
      painter_.drawLine(QPointF(plot_.left(), at), QPointF(plot_.right(), at));
      painter_.setPen(theme_.muted);
      painter_.drawText(QRectF(0, at - 9, kPlotLeft - 6, 18), Qt::AlignRight | Qt::AlignVCenter,
                        QString::number(k * step, 'g', 4));
    }
  }

  // Means as a line, ranges as a band, and marks where there are NaNs or infinities.
  void PaintLine(const std::vector<TileCell>& line, const QColor& color) {
    // One by one: a path of thousands that crosses itself takes a tenth of a second to be filled.
    QVector<QLineF> mean;
    QPointF before;
    bool down = false;
    for (size_t i = 0; i < line.size(); ++i) {
      const TileCell& cell = line[i];
      if (cell.has_nan || cell.has_infinity) {
        const QRgb mark = cell.has_nan ? ColorScale::NanColor() : ColorScale::InfinityColor(cell.high > 0);
        painter_.fillRect(QRectF(X(line, i) - 1, plot_.top(), 2, plot_.height()), QColor::fromRgb(mark));
      }
      if (!std::isfinite(cell.mean)) {
        down = false;
        continue;
      }
      if (std::isfinite(cell.low) && std::isfinite(cell.high) && cell.low < cell.high) {
        QColor band = color;
        band.setAlpha(90);
        painter_.setPen(QPen(band, std::max(1.0, plot_.width() / static_cast<double>(line.size()))));
        painter_.drawLine(QPointF(X(line, i), Y(cell.low)), QPointF(X(line, i), Y(cell.high)));
      }
      const QPointF point(X(line, i), Y(cell.mean));
      if (down) mean.push_back(QLineF(before, point));
      before = point;
      down = true;
    }
    painter_.setPen(QPen(color, 1.4));
    painter_.drawLines(mean);
    if (line.size() > 100) return;
    painter_.setBrush(color);
    for (size_t i = 0; i < line.size(); ++i) {
      if (std::isfinite(line[i].mean)) painter_.drawEllipse(QPointF(X(line, i), Y(line[i].mean)), 2.2, 2.2);
    }
    painter_.setBrush(Qt::NoBrush);
  }

 private:
  double X(const std::vector<TileCell>& line, size_t i) const {
    return plot_.left() + (static_cast<double>(i) + 0.5) / static_cast<double>(line.size()) * plot_.width();
  }
  // By halves: the difference of two finite numbers may be infinite.
  double Y(double value) const { return plot_.bottom() - (value / 2 - range_.low / 2) / half_height_ * plot_.height(); }

  QPainter& painter_;
  const Theme& theme_;
  const QRectF plot_;
  const Range range_;
  const double half_height_;
};

}  // namespace

LinePlotView::LinePlotView(QWidget* parent) : QWidget(parent), task_(new BackgroundTask(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Plot of a row"));
  setAccessibleDescription(tr("Left and right move from element to element."));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LinePlotView::SetLine(std::shared_ptr<const ElementReader> reader, std::shared_ptr<const ElementReader> second,
                           evaluator::DimensionVector begin, int64_t axis, int64_t count) {
  count_ = reader == nullptr ? 0 : count;
  if (count_ == 0) {
    task_->Cancel();
    line_.clear();
    second_.clear();
    update();
    return;
  }
  task_->Start([this, reader = std::move(reader), second = std::move(second), begin = std::move(begin), axis,
                count](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
    std::vector<TileCell> line = LineOf(*reader, begin, axis, count, kMaxCells, cancelled), other;
    if (second != nullptr) other = LineOf(*second, begin, axis, count, kMaxCells, cancelled);
    return [this, line = std::move(line), other = std::move(other)]() mutable {
      line_ = std::move(line);
      second_ = std::move(other);
      update();
    };
  });
}

void LinePlotView::SetCurrent(int64_t number) {
  current_ = std::clamp<int64_t>(number, 0, std::max<int64_t>(count_ - 1, 0));
  update();
}

void LinePlotView::Choose(int64_t number) {
  const int64_t before = current_;
  SetCurrent(number);
  if (current_ != before) Q_EMIT CurrentChanged(current_);
}

QRectF LinePlotView::Plot() const {
  return QRectF(kPlotLeft, kPlotTop, std::max(1.0, width() - kPlotLeft - kPlotRight),
                std::max(1.0, height() - kPlotTop - kPlotBottom));
}

void LinePlotView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::For(palette());
  painter.fillRect(rect(), theme.page);
  if (line_.empty()) {
    painter.setPen(theme.muted);
    painter.drawText(rect(), Qt::AlignCenter, task_->busy() ? tr("Reading...") : tr("No elements"));
    return;
  }
  const QRectF plot = Plot();
  const QFont small = TextFont(TextSize::kSmall);
  painter.setFont(small);
  PlotPainter in_plot(painter, theme, plot, RangeOf(line_, second_));
  in_plot.PaintScale();
  painter.setPen(theme.muted);
  painter.drawText(QRectF(plot.left(), plot.bottom() + 3, plot.width(), kPlotBottom - 4), Qt::AlignLeft,
                   QStringLiteral("0"));
  painter.drawText(QRectF(plot.left(), plot.bottom() + 3, plot.width(), kPlotBottom - 4), Qt::AlignRight,
                   FormatCount(count_ - 1));
  painter.setRenderHint(QPainter::Antialiasing);
  in_plot.PaintLine(second_, theme.current);
  in_plot.PaintLine(line_, theme.selection);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(theme.node_border);
  painter.drawRect(plot);
  const double at = plot.left() + (static_cast<double>(current_) + 0.5) / static_cast<double>(count_) * plot.width();
  painter.setPen(QPen(theme.text, 1, Qt::DashLine));
  painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
}

void LinePlotView::mousePressEvent(QMouseEvent* event) {
  if (count_ == 0) return;
  const double part = (event->position().x() - Plot().left()) / Plot().width();
  Choose(static_cast<int64_t>(part * static_cast<double>(count_)));
}

void LinePlotView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Left) return Choose(current_ - 1);
  if (event->key() == Qt::Key_Right) return Choose(current_ + 1);
  QWidget::keyPressEvent(event);
}

}  // namespace hloscope::gui
