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
#include "gui/views/theme.h"

namespace hloscope {
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

}  // namespace

LinePlotView::LinePlotView(QWidget* parent) : QWidget(parent), task_(new BackgroundTask(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Plot of a row"));
  setAccessibleDescription(tr("Left and right move from element to element."));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LinePlotView::SetLine(std::shared_ptr<const ElementReader> reader, std::shared_ptr<const ElementReader> second,
                           DimensionVector begin, int64_t axis, int64_t count) {
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
  Range range;
  range.Include(line_);
  range.Include(second_);
  if (!(range.low <= range.high)) range.low = range.high = 0;
  if (range.low == range.high) {
    const double some = std::max(std::abs(range.low) * 0.1, 0.5);
    range.low -= some;
    range.high += some;
  }
  const double height = range.high / 2 - range.low / 2;
  const auto y = [&](double value) { return plot.bottom() - (value / 2 - range.low / 2) / height * plot.height(); };
  const auto x = [&](const std::vector<TileCell>& line, size_t i) {
    return plot.left() + (static_cast<double>(i) + 0.5) / static_cast<double>(line.size()) * plot.width();
  };
  QFont small = font();
  small.setPointSizeF(8);
  painter.setFont(small);
  // Lines at round numbers.
  const double rough = height * 2 / std::max(2.0, plot.height() / 40);
  const double magnitude = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = magnitude * (rough / magnitude > 5 ? 10 : rough / magnitude > 2 ? 5 : 2);
  if (step > 0 && std::isfinite(step)) {
    for (double k = std::ceil(range.low / step); k * step <= range.high; ++k) {
      const double at = y(k * step);
      painter.setPen(QPen(theme.reference_fill, 1));
      painter.drawLine(QPointF(plot.left(), at), QPointF(plot.right(), at));
      painter.setPen(theme.muted);
      painter.drawText(QRectF(0, at - 9, kPlotLeft - 6, 18), Qt::AlignRight | Qt::AlignVCenter,
                       QString::number(k * step, 'g', 4));
    }
  }
  painter.setPen(theme.muted);
  painter.drawText(QRectF(plot.left(), plot.bottom() + 3, plot.width(), kPlotBottom - 4), Qt::AlignLeft,
                   QStringLiteral("0"));
  painter.drawText(QRectF(plot.left(), plot.bottom() + 3, plot.width(), kPlotBottom - 4), Qt::AlignRight,
                   FormatCount(count_ - 1));
  painter.setRenderHint(QPainter::Antialiasing);
  const auto draw = [&](const std::vector<TileCell>& line, const QColor& color) {
    // One by one: a path of thousands that crosses itself takes a tenth of a second to be filled.
    QVector<QLineF> mean;
    QPointF before;
    bool down = false;
    for (size_t i = 0; i < line.size(); ++i) {
      const TileCell& cell = line[i];
      if (cell.has_nan || cell.has_infinity) {
        const QRgb mark = cell.has_nan ? ColorScale::NanColor() : ColorScale::InfinityColor(cell.high > 0);
        painter.fillRect(QRectF(x(line, i) - 1, plot.top(), 2, plot.height()), QColor::fromRgb(mark));
      }
      if (!std::isfinite(cell.mean)) {
        down = false;
        continue;
      }
      if (std::isfinite(cell.low) && std::isfinite(cell.high) && cell.low < cell.high) {
        QColor band = color;
        band.setAlpha(90);
        painter.setPen(QPen(band, std::max(1.0, plot.width() / static_cast<double>(line.size()))));
        painter.drawLine(QPointF(x(line, i), y(cell.low)), QPointF(x(line, i), y(cell.high)));
      }
      const QPointF point(x(line, i), y(cell.mean));
      if (down) mean.push_back(QLineF(before, point));
      before = point;
      down = true;
    }
    painter.setPen(QPen(color, 1.4));
    painter.drawLines(mean);
    if (line.size() > 100) return;
    painter.setBrush(color);
    for (size_t i = 0; i < line.size(); ++i) {
      if (std::isfinite(line[i].mean)) painter.drawEllipse(QPointF(x(line, i), y(line[i].mean)), 2.2, 2.2);
    }
    painter.setBrush(Qt::NoBrush);
  };
  draw(second_, theme.current);
  draw(line_, theme.selection);
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

}  // namespace hloscope
