// SPDX-License-Identifier: Apache-2.0
#include "gui/views/histogram_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

constexpr double kHistogramMargin = 8;  // left and right
constexpr double kBar = 10;             // height of the colours
constexpr double kCaption = 16;         // height of the numbers
constexpr double kGrab = 7;             // pixels around a handle
constexpr double kKeyStep = 0.01;       // of the axis

QString BinNumber(double value) { return QString::number(value, 'g', 4); }

}  // namespace

HistogramView::HistogramView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Histogram and range of the colours"));
  setAccessibleDescription(tr("Up and down choose the end of the range, left and right move it."));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HistogramView::SetHistogram(Histogram histogram) {
  histogram_ = std::move(histogram);
  update();
}

void HistogramView::SetScale(const ColorScale& scale) {
  scale_ = scale;
  update();
}

double HistogramView::AxisLow() const {
  if (dragged_ != Handle::kNone) return axis_low_;
  return histogram_.bins.empty() ? scale_.low() : std::min(histogram_.low, scale_.low());
}

double HistogramView::AxisHigh() const {
  if (dragged_ != Handle::kNone) return axis_high_;
  const double high = histogram_.bins.empty() ? scale_.high() : std::max(histogram_.high, scale_.high());
  return high > AxisLow() ? high : AxisLow() + std::max(1.0, std::abs(AxisLow()));
}

double HistogramView::PixelOf(double value) const {
  const double width = AxisHigh() / 2 - AxisLow() / 2;
  return kHistogramMargin + (value / 2 - AxisLow() / 2) / width * (this->width() - 2 * kHistogramMargin);
}

double HistogramView::ValueAtPixel(double pixel) const {
  const double part = std::clamp((pixel - kHistogramMargin) / std::max(1.0, width() - 2 * kHistogramMargin), 0.0, 1.0);
  return AxisLow() * (1 - part) + AxisHigh() * part;
}

void HistogramView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::For(palette());
  painter.fillRect(rect(), theme.page);
  const double bottom = height() - kCaption - kBar - 4, top = 4;
  if (!histogram_.bins.empty()) {
    const int64_t most = *std::max_element(histogram_.bins.begin(), histogram_.bins.end());
    const double count = static_cast<double>(histogram_.bins.size());
    for (size_t i = 0; i < histogram_.bins.size() && most > 0; ++i) {
      if (histogram_.bins[i] == 0) continue;
      const double at = static_cast<double>(i) / count, next = static_cast<double>(i + 1) / count;
      const double left = PixelOf(histogram_.low * (1 - at) + histogram_.high * at);
      double right = PixelOf(histogram_.low * (1 - next) + histogram_.high * next);
      if (histogram_.low == histogram_.high) right = left + 6;
      // Logarithmic, so that single elements can be seen beside millions.
      const double part = std::log1p(static_cast<double>(histogram_.bins[i])) / std::log1p(static_cast<double>(most));
      const double height = std::max(1.0, part * (bottom - top));
      painter.fillRect(QRectF(left, bottom - height, std::max(1.0, right - left - 0.5), height), theme.edge);
    }
  }
  painter.setPen(theme.node_border);
  painter.drawLine(QPointF(kHistogramMargin, bottom), QPointF(width() - kHistogramMargin, bottom));
  // The colours where they are in the numbers.
  for (int x = static_cast<int>(kHistogramMargin); x < width() - static_cast<int>(kHistogramMargin); ++x) {
    const double value = ValueAtPixel(x + 0.5);
    painter.fillRect(QRectF(x, bottom + 3, 1, kBar), QColor::fromRgb(scale_.MapColor(scale_.FractionOf(value))));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Handle handle : {Handle::kLow, Handle::kHigh}) {
    const double x = PixelOf(handle == Handle::kLow ? scale_.low() : scale_.high());
    const bool marked = hasFocus() && handle == active_;
    painter.setPen(QPen(marked ? theme.selection : theme.text, marked ? 2.5 : 1.5));
    painter.drawLine(QPointF(x, top), QPointF(x, bottom + kBar + 3));
    painter.setBrush(marked ? theme.selection : theme.page);
    painter.drawEllipse(QPointF(x, bottom + kBar / 2 + 3), 4, 4);
  }
  painter.setPen(theme.text);
  const QFont small = TextFont(TextSize::kSmall);
  painter.setFont(small);
  const QRectF captions(kHistogramMargin, height() - kCaption, width() - 2 * kHistogramMargin, kCaption);
  painter.drawText(captions, Qt::AlignLeft | Qt::AlignVCenter, BinNumber(scale_.low()));
  painter.drawText(captions, Qt::AlignRight | Qt::AlignVCenter, BinNumber(scale_.high()));
  painter.setPen(theme.muted);
  painter.drawText(captions, Qt::AlignCenter, NumberScaleName(scale_.scale()));
}

void HistogramView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const double x = event->position().x();
  const double to_low = std::abs(x - PixelOf(scale_.low())), to_high = std::abs(x - PixelOf(scale_.high()));
  active_ = to_low < to_high || (to_low == to_high && x < PixelOf(scale_.low())) ? Handle::kLow : Handle::kHigh;
  const double low = AxisLow(), high = AxisHigh();
  axis_low_ = low;
  axis_high_ = high;
  dragged_ = active_;
  if (std::min(to_low, to_high) > kGrab) MoveHandle(ValueAtPixel(x));
  update();
}

void HistogramView::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  const bool near = std::min(std::abs(x - PixelOf(scale_.low())), std::abs(x - PixelOf(scale_.high()))) <= kGrab;
  setCursor(near || dragged_ != Handle::kNone ? Qt::SizeHorCursor : Qt::ArrowCursor);
  if (dragged_ != Handle::kNone) MoveHandle(ValueAtPixel(x));
}

void HistogramView::mouseReleaseEvent(QMouseEvent*) {
  dragged_ = Handle::kNone;
  update();
}

void HistogramView::MoveHandle(double value) {
  const double low = active_ == Handle::kLow ? std::min(value, scale_.high()) : scale_.low();
  const double high = active_ == Handle::kLow ? scale_.high() : std::max(value, scale_.low());
  if (low == scale_.low() && high == scale_.high()) return;
  if (!scale_.SetRange(low, high)) return;
  update();
  Q_EMIT RangeChanged(low, high);
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
  const double step = (AxisHigh() / 2 - AxisLow() / 2) * 2 * kKeyStep;
  const double at = active_ == Handle::kLow ? scale_.low() : scale_.high();
  switch (event->key()) {
    case Qt::Key_Left:
      return MoveHandle(at - step);
    case Qt::Key_Right:
      return MoveHandle(at + step);
    case Qt::Key_Up:
    case Qt::Key_Down:
      active_ = active_ == Handle::kLow ? Handle::kHigh : Handle::kLow;
      return update();
    default:
      QWidget::keyPressEvent(event);
  }
}

bool HistogramView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || histogram_.bins.empty()) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const double value = ValueAtPixel(help->pos().x());
  const double width = histogram_.high - histogram_.low;
  const double place = width > 0 ? (value - histogram_.low) / width : 0.5;
  if (place < 0 || place > 1) return QWidget::event(event);
  const double count = static_cast<double>(histogram_.bins.size());
  const size_t bin = static_cast<size_t>(std::min(place * count, count - 1));
  const double at = static_cast<double>(bin) / count;
  QToolTip::showText(help->globalPos(),
                     tr("%1 element(s) from %2 to %3", nullptr, ForPlural(histogram_.bins[bin]))
                         .arg(FormatCount(histogram_.bins[bin]), BinNumber(histogram_.low + width * at),
                              BinNumber(histogram_.low + width * (at + 1 / count))),
                     this);
  return true;
}

}  // namespace hloscope::gui
