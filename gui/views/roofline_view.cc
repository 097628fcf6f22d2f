// SPDX-License-Identifier: Apache-2.0
#include "gui/views/roofline_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/print/quantity.h"
#include "gui/models/text.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

constexpr int kLeftRoom = 84;
constexpr double kSmallestDot = 4, kLargestDot = 16;
constexpr double kReach = 12;  // pixels around a dot in which it is hit

}  // namespace

RooflineView::RooflineView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Roofline"));
  setAccessibleDescription(tr("The arrow keys go from instruction to instruction, the one with the most time first"));
}

void RooflineView::Show(std::shared_ptr<const insight::ProfileAnalysis> analysis) {
  analysis_ = std::move(analysis);
  points_.clear();
  selected_ = -1;
  double least_rate = 12, most_rate = 12, least_intensity = 0, most_intensity = 2;
  for (size_t i = 0; analysis_ != nullptr && i < analysis_->instructions().size(); ++i) {
    const insight::InstructionTime& row = analysis_->instructions()[i];
    const double seconds = static_cast<double>(row.self_ps) * 1e-12;
    if (row.flops <= 0 || row.bytes <= 0 || seconds <= 0 || row.executions <= 0) continue;
    Point point;
    point.row = static_cast<int>(i);
    point.intensity = std::log10(static_cast<double>(row.flops) / static_cast<double>(row.bytes));
    point.rate = std::log10(static_cast<double>(row.flops) * static_cast<double>(row.executions) / seconds);
    point.share = static_cast<double>(row.self_ps) / static_cast<double>(std::max<int64_t>(1, analysis_->total_ps()));
    least_rate = std::min(least_rate, point.rate);
    most_rate = std::max(most_rate, point.rate);
    least_intensity = std::min(least_intensity, point.intensity);
    most_intensity = std::max(most_intensity, point.intensity);
    points_.push_back(point);
  }
  if (analysis_ != nullptr) {
    for (const auto& [type, flops] : analysis_->device().flops) {
      if (flops > 0) most_rate = std::max(most_rate, std::log10(flops));
    }
  }
  left_ = std::floor(least_intensity) - 1;
  right_ = std::ceil(most_intensity) + 1;
  bottom_ = std::floor(least_rate);
  top_ = std::ceil(most_rate + 0.2);
  update();
}

void RooflineView::SetSelected(int row) {
  selected_ = row;
  update();
}

QRectF RooflineView::Plot() const {
  const int line = QFontMetrics(TextFont(TextSize::kSmall)).height();
  return QRectF(kLeftRoom, line + Space::kMargin, std::max(1, width() - kLeftRoom - Space::kWide),
                std::max(1, height() - 3 * line - 2 * Space::kMargin));
}

QPointF RooflineView::ToScreen(double intensity, double rate) const {
  const QRectF plot = Plot();
  return QPointF(plot.left() + (intensity - left_) / (right_ - left_) * plot.width(),
                 plot.bottom() - (rate - bottom_) / (top_ - bottom_) * plot.height());
}

QPointF RooflineView::PlaceOf(int row) const {
  for (const Point& point : points_) {
    if (point.row == row) return ToScreen(point.intensity, point.rate);
  }
  return QPointF();
}

int RooflineView::RowAt(QPointF at) const {
  int found = -1;
  double nearest = kReach;
  for (const Point& point : points_) {
    const QPointF way = ToScreen(point.intensity, point.rate) - at;
    const double distance = std::hypot(way.x(), way.y());
    if (distance >= nearest) continue;
    nearest = distance;
    found = point.row;
  }
  return found;
}

void RooflineView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::For(palette());
  painter.fillRect(rect(), theme.page);
  painter.setFont(TextFont(TextSize::kSmall));
  if (points_.empty()) {
    painter.setPen(theme.muted);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     analysis_ == nullptr ? tr("No profile is open.")
                                          : tr("No instruction of the profile has a known number of FLOP and bytes."));
    return;
  }
  PaintScale(&painter);
  painter.setClipRect(Plot());
  PaintRoof(&painter);
  for (auto point = points_.rbegin(); point != points_.rend(); ++point) {
    QColor fill =
        theme.CategoryFill(CategoryOf(analysis_->OpcodeOf(analysis_->instructions()[static_cast<size_t>(point->row)])));
    const bool chosen = point->row == selected_;
    painter.setBrush(fill);
    painter.setPen(QPen(chosen ? theme.selection : theme.text, chosen ? 3 : 1));
    const double radius = kSmallestDot + (kLargestDot - kSmallestDot) * std::sqrt(point->share);
    painter.drawEllipse(ToScreen(point->intensity, point->rate), radius, radius);
  }
  painter.setClipping(false);
  const qsizetype left_out = static_cast<qsizetype>(analysis_->instructions().size() - points_.size());
  if (left_out > 0) {
    painter.setPen(theme.muted);
    painter.drawText(QRectF(0, 0, width() - Space::kMargin, Plot().top()), Qt::AlignRight | Qt::AlignVCenter,
                     tr("%1 without FLOP or bytes are in the table alone").arg(FormatCount(left_out)));
  }
}

void RooflineView::PaintScale(QPainter* painter) const {
  const Theme theme = Theme::For(palette());
  const QRectF plot = Plot();
  const double line = painter->fontMetrics().height();
  for (double power = left_; power <= right_; power += 1) {
    const double x = ToScreen(power, bottom_).x();
    painter->setPen(theme.gutter);
    painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    painter->setPen(theme.muted);
    painter->drawText(QRectF(x - 40, plot.bottom() + 2, 80, line), Qt::AlignCenter,
                      QString::number(std::pow(10, power), 'g', 4));
  }
  for (double power = bottom_; power <= top_; power += 1) {
    const double y = ToScreen(left_, power).y();
    painter->setPen(theme.gutter);
    painter->drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter->setPen(theme.muted);
    painter->drawText(QRectF(0, y - line / 2, kLeftRoom - Space::kTight, line), Qt::AlignRight | Qt::AlignVCenter,
                      ToQString(FlopRateText(std::pow(10, power))));
  }
  painter->drawText(QRectF(plot.left(), plot.bottom() + 2 + line, plot.width(), line), Qt::AlignCenter,
                    tr("FLOP per byte"));
}

void RooflineView::PaintRoof(QPainter* painter) const {
  const Theme theme = Theme::For(palette());
  const insight::DeviceLimits& device = analysis_->device();
  const double memory = device.bytes_per_second > 0 ? std::log10(device.bytes_per_second) : 0;
  if (memory > 0) {
    painter->setPen(QPen(theme.error, 1.5));
    painter->drawLine(ToScreen(left_, memory + left_), ToScreen(right_, memory + right_));
    const QPointF at = ToScreen(left_, std::max(bottom_, memory + left_));
    painter->drawText(at + QPointF(Space::kTight, -Space::kTight), ToQString(ByteRateText(device.bytes_per_second)));
  }
  // Types with the same limit are one line.
  std::map<double, QStringList> limits;
  for (const auto& [type, flops] : device.flops) {
    if (flops > 0) limits[flops] << ToQString(type);
  }
  for (const auto& [flops, types] : limits) {
    const double rate = std::log10(flops);
    painter->setPen(QPen(theme.warning, 1, Qt::DashLine));
    painter->drawLine(ToScreen(memory > 0 ? std::max(left_, rate - memory) : left_, rate), ToScreen(right_, rate));
    painter->setPen(theme.text);
    const QString words = tr("%1: %2").arg(types.join(QStringLiteral(", ")), ToQString(FlopRateText(flops)));
    const double width = painter->fontMetrics().horizontalAdvance(words);
    painter->drawText(ToScreen(right_, rate) - QPointF(width + Space::kTight, 3), words);
  }
}

void RooflineView::mousePressEvent(QMouseEvent* event) {
  const int row = RowAt(event->position());
  if (row >= 0) Q_EMIT RowChosen(row);
}

void RooflineView::keyPressEvent(QKeyEvent* event) {
  const bool on = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
  const bool back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
  if ((!on && !back) || points_.empty()) return QWidget::keyPressEvent(event);
  const auto here = std::find_if(points_.begin(), points_.end(), [&](const Point& p) { return p.row == selected_; });
  const auto count = static_cast<std::ptrdiff_t>(points_.size());
  const std::ptrdiff_t at = here == points_.end() ? (on ? -1 : count) : here - points_.begin();
  Q_EMIT RowChosen(points_[static_cast<size_t>(std::clamp<std::ptrdiff_t>(at + (on ? 1 : -1), 0, count - 1))].row);
}

bool RooflineView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int row = RowAt(help->pos());
  if (row < 0) {
    QToolTip::hideText();
    return true;
  }
  const insight::InstructionTime& time = analysis_->instructions()[static_cast<size_t>(row)];
  const double seconds = static_cast<double>(time.self_ps) * 1e-12;
  const double runs = static_cast<double>(time.executions);
  QToolTip::showText(help->globalPos(),
                     tr("%1\n%2 in %3 run(s)\n%4, %5\n%6 to gain")
                         .arg(ToQString(analysis_->NameOf(time)), FormatSeconds(seconds), FormatCount(time.executions),
                              ToQString(FlopRateText(static_cast<double>(time.flops) * runs / seconds)),
                              ToQString(ByteRateText(static_cast<double>(time.bytes) * runs / seconds)),
                              FormatSeconds(time.gain_ps * 1e-12)),
                     this);
  return true;
}

}  // namespace hloscope::gui
