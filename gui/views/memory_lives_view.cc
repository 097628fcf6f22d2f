// SPDX-License-Identifier: Apache-2.0
#include "gui/views/memory_lives_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gui/models/text.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

constexpr int kRowHeight = 17;
constexpr double kNarrowestName = 30;
constexpr double kLowestName = 12;

}  // namespace

MemoryLivesView::MemoryLivesView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Memory over the schedule"));
  setAccessibleDescription(tr("The arrow keys go from step to step, plus and minus zoom, 0 shows everything"));
}

void MemoryLivesView::Show(std::shared_ptr<const MemoryPicture> picture) {
  picture_ = std::move(picture);
  step_ = picture_ != nullptr ? picture_->memory().peak_step() : 0;
  Arrange();
  FitAll();
}

void MemoryLivesView::SetOrder(Order order) {
  order_ = order;
  Arrange();
}

void MemoryLivesView::Arrange() {
  rows_.clear();
  row_of_.clear();
  places_.clear();
  all_bytes_ = 0;
  if (picture_ != nullptr) {
    const std::vector<insight::MemoryValue>& values = picture_->memory().values();
    rows_.resize(values.size());
    std::iota(rows_.begin(), rows_.end(), 0u);
    std::stable_sort(rows_.begin(), rows_.end(),
                     [&](uint32_t a, uint32_t b) { return values[a].taken_bytes > values[b].taken_bytes; });
    row_of_.resize(values.size());
    for (size_t row = 0; row < rows_.size(); ++row) row_of_[rows_[row]] = static_cast<uint32_t>(row);
    // Allocations one below the other, in their order.
    std::vector<double> tops;
    for (const insight::MemoryAllocation& allocation : picture_->memory().allocations()) {
      tops.push_back(allocation.is_counted ? all_bytes_ : -1);
      if (allocation.is_counted) all_bytes_ += static_cast<double>(allocation.size);
    }
    for (const insight::MemoryValue& value : values) {
      const bool has_place = value.allocation >= 0 && static_cast<size_t>(value.allocation) < tops.size() &&
                             tops[static_cast<size_t>(value.allocation)] >= 0;
      places_.push_back(has_place ? tops[static_cast<size_t>(value.allocation)] + static_cast<double>(value.offset)
                                  : -1);
    }
  }
  const int room = viewport()->height() - CurveHeight();
  const int wanted = order_ == Order::kLargestFirst ? static_cast<int>(rows_.size()) * kRowHeight : 0;
  verticalScrollBar()->setRange(0, std::max(0, wanted - room));
  verticalScrollBar()->setPageStep(std::max(1, room));
  verticalScrollBar()->setSingleStep(kRowHeight);
  viewport()->update();
}

void MemoryLivesView::SetStep(uint32_t step) {
  step_ = step;
  viewport()->update();
}

void MemoryLivesView::SetSelected(InstructionId instruction) {
  if (std::exchange(selected_, instruction) != instruction) viewport()->update();
}

void MemoryLivesView::FitAll() {
  range_.Fit(picture_ != nullptr ? static_cast<double>(picture_->memory().live_bytes().size()) : 0);
  viewport()->update();
}

void MemoryLivesView::ZoomBy(double factor, double x) {
  range_.Zoom(factor, x / std::max(1, viewport()->width()));
  viewport()->update();
}

int MemoryLivesView::CurveHeight() const { return std::clamp(viewport()->height() / 3, 40, 140); }

double MemoryLivesView::XOf(double step) const { return range_.XOf(step, viewport()->width()); }

uint32_t MemoryLivesView::StepAt(double x) const {
  if (picture_ == nullptr || picture_->memory().live_bytes().empty()) return kNone;
  const double step = range_.At(x, viewport()->width());
  return static_cast<uint32_t>(std::clamp(step, 0.0, static_cast<double>(picture_->memory().live_bytes().size() - 1)));
}

QRectF MemoryLivesView::RectOf(uint32_t number) const {
  const insight::MemoryValue& value = picture_->memory().values()[number];
  const double left = XOf(value.live.begin), right = XOf(value.live.end + 1.0);
  const int top = CurveHeight(), room = viewport()->height() - top;
  if (order_ == Order::kLargestFirst) {
    const double y = top + static_cast<double>(row_of_[number]) * kRowHeight - verticalScrollBar()->value();
    return QRectF(left, y, right - left, kRowHeight - 1);
  }
  if (places_[number] < 0 || all_bytes_ <= 0) return QRectF();
  return QRectF(left, top + places_[number] / all_bytes_ * room, right - left,
                static_cast<double>(value.padded_bytes) / all_bytes_ * room);
}

uint32_t MemoryLivesView::ValueAt(QPointF point) const {
  if (picture_ == nullptr || point.y() < CurveHeight()) return kNone;
  if (order_ == Order::kLargestFirst) {
    const auto row =
        static_cast<size_t>(point.y() - CurveHeight() + verticalScrollBar()->value()) / static_cast<size_t>(kRowHeight);
    return row < rows_.size() && RectOf(rows_[row]).contains(point) ? rows_[row] : kNone;
  }
  for (uint32_t value = 0; value < places_.size(); ++value) {
    if (RectOf(value).contains(point)) return value;
  }
  return kNone;
}

void MemoryLivesView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  const Theme theme = Theme::For(palette());
  painter.fillRect(viewport()->rect(), theme.page);
  painter.setFont(TextFont(TextSize::kSmall));
  if (picture_ == nullptr || picture_->memory().live_bytes().empty()) {
    painter.setPen(theme.muted);
    painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("Nothing needs memory here."));
    return;
  }
  painter.setClipRect(0, CurveHeight(), viewport()->width(), viewport()->height());
  PaintBars(&painter, theme);
  painter.setClipping(false);
  PaintCurve(&painter, theme);
  PaintMarks(&painter, theme);
}

void MemoryLivesView::PaintCurve(QPainter* painter, const Theme& theme) const {
  const std::vector<int64_t>& live = picture_->memory().live_bytes();
  const int base = CurveHeight() - 1, room = base - Space::kMargin, width = viewport()->width();
  const double most = static_cast<double>(std::max<int64_t>(1, picture_->memory().peak_bytes()));
  QColor fill = theme.selection;
  fill.setAlpha(90);
  for (int x = 0; x < width; ++x) {
    // A column of pixels shows the most of the steps that fall on it.
    const auto first = static_cast<size_t>(std::max(0.0, range_.At(x, width)));
    const auto last = std::max(first + 1, static_cast<size_t>(std::max(0.0, range_.At(x + 1, width))));
    int64_t bytes = 0;
    for (size_t i = first; i < std::min(last, live.size()); ++i) bytes = std::max(bytes, live[i]);
    const int high = static_cast<int>(static_cast<double>(bytes) / most * room);
    painter->fillRect(x, base - high, 1, high, fill);
    painter->fillRect(x, base - high, 1, 2, theme.selection);
  }
  painter->setPen(theme.node_border);
  painter->drawLine(0, base, width, base);
}

void MemoryLivesView::PaintBars(QPainter* painter, const Theme& theme) const {
  const std::vector<insight::MemoryValue>& values = picture_->memory().values();
  const QRectF seen = viewport()->rect();
  size_t first = 0, last = rows_.size();
  if (order_ == Order::kLargestFirst) {
    first = static_cast<size_t>(verticalScrollBar()->value() / kRowHeight);
    last = std::min(last, first + static_cast<size_t>(viewport()->height() / kRowHeight) + 2);
  }
  for (size_t row = first; row < last; ++row) {
    const uint32_t number = rows_[row];
    const insight::MemoryValue& value = values[number];
    QRectF rect = RectOf(number);
    if (rect.isNull() || rect.right() < 0 || rect.left() > seen.right()) continue;
    rect.setWidth(std::max(1.0, rect.width()));
    rect.setHeight(std::max(1.0, rect.height()));
    const QRectF shown = rect.intersected(seen.adjusted(-2, -2, 2, 2));
    const QColor fill = theme.LabelFill(static_cast<int>(value.kind));
    painter->fillRect(shown, fill);
    const bool is_selected = selected_.has_value() && value.definer == selected_;
    const bool is_alive = value.live.begin <= step_ && step_ <= value.live.end;
    if (is_selected || (shown.width() > 3 && shown.height() > 3)) {
      painter->setPen(QPen(is_selected ? theme.selection
                           : is_alive  ? theme.text
                                       : theme.node_border,
                           is_selected ? 2 : 1));
      painter->setBrush(Qt::NoBrush);
      painter->drawRect(shown.adjusted(0, 0, -1, -1));
    }
    if (shown.height() < kLowestName) continue;
    const QString name =
        tr("%1, %2").arg(ToQString(picture_->memory().ValueName(value)), FormatBytes(value.padded_bytes));
    const QFontMetrics metrics = painter->fontMetrics();
    if (shown.width() >= metrics.horizontalAdvance(name) + 2 * Space::kTight || order_ == Order::kPlaces) {
      if (shown.width() < kNarrowestName) continue;
      painter->setPen(Theme::InkOn(fill));
      const QRectF room = shown.adjusted(Space::kTight, 0, -Space::kTight, 0);
      painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                        metrics.elidedText(name, Qt::ElideMiddle, static_cast<int>(room.width())));
      continue;
    }
    // A row is the bar's own: its name has room beside it.
    painter->setPen(theme.text);
    const bool right = shown.right() + metrics.horizontalAdvance(name) + Space::kTight < seen.right();
    const QRectF room =
        right ? QRectF(shown.right() + Space::kTight, shown.top(), seen.right() - shown.right(), shown.height())
              : QRectF(0, shown.top(), shown.left() - Space::kTight, shown.height());
    painter->drawText(room, (right ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                      metrics.elidedText(name, Qt::ElideMiddle, static_cast<int>(room.width())));
  }
}

void MemoryLivesView::PaintMarks(QPainter* painter, const Theme& theme) const {
  const insight::MemoryExplanation& memory = picture_->memory();
  const auto line = [&](uint32_t step, const QPen& pen) {
    painter->setPen(pen);
    const double x = XOf(step + 0.5);
    painter->drawLine(QPointF(x, 0), QPointF(x, viewport()->height()));
  };
  line(memory.peak_step(), QPen(theme.error, 1, Qt::DashLine));
  line(step_, QPen(theme.current, 2));
  const int64_t live = step_ < memory.live_bytes().size() ? memory.live_bytes()[step_] : 0;
  const InstructionId at =
      step_ < memory.timeline().steps.size() ? memory.timeline().steps[step_].instruction : InstructionId();
  const QString words =
      tr("step %1, %2: %3 alive")
          .arg(FormatCount(step_), at.has_value() ? ToQString(picture_->module().InstructionName(at)) : tr("the end"),
               FormatBytes(live));
  const QFontMetrics metrics = painter->fontMetrics();
  const int width = metrics.horizontalAdvance(words) + 2 * Space::kTight;
  const double x = XOf(step_ + 0.5);
  const double left =
      x + Space::kTight + width < viewport()->width() ? x + Space::kTight : std::max(0.0, x - Space::kTight - width);
  const QRectF plate(left, Space::kTight, width, metrics.height() + 2);
  QColor ground = theme.page;
  ground.setAlpha(225);
  painter->fillRect(plate, ground);
  painter->setPen(theme.text);
  painter->drawText(plate, Qt::AlignCenter, words);
}

void MemoryLivesView::resizeEvent(QResizeEvent*) { Arrange(); }

void MemoryLivesView::wheelEvent(QWheelEvent* event) {
  const QPoint angle = event->angleDelta();
  const bool over_rows = order_ == Order::kLargestFirst && event->position().y() > CurveHeight();
  if (over_rows && !event->modifiers().testFlag(Qt::ControlModifier)) {
    verticalScrollBar()->setValue(verticalScrollBar()->value() - angle.y() / 2);
  } else {
    ZoomBy(std::pow(1.0015, angle.y()), event->position().x());
  }
  event->accept();
}

void MemoryLivesView::mousePressEvent(QMouseEvent* event) {
  press_ = event->position();
  press_begin_ = range_.begin();
  dragging_ = false;
}

void MemoryLivesView::mouseMoveEvent(QMouseEvent* event) {
  if (!event->buttons().testFlag(Qt::LeftButton)) return;
  const double way = event->position().x() - press_.x();
  if ((event->position() - press_).manhattanLength() >= QApplication::startDragDistance()) dragging_ = true;
  if (!dragging_) return;
  range_.MoveTo(press_begin_ - way / std::max(1, viewport()->width()) * range_.length());
  viewport()->update();
}

void MemoryLivesView::mouseReleaseEvent(QMouseEvent* event) {
  if (dragging_ || event->button() != Qt::LeftButton || picture_ == nullptr) return;
  const uint32_t value = ValueAt(event->position());
  const uint32_t step = StepAt(event->position().x());
  if (step != kNone) Q_EMIT StepChosen(step);
  if (value != kNone) Q_EMIT ValueChosen(value);
}

void MemoryLivesView::keyPressEvent(QKeyEvent* event) {
  if (picture_ == nullptr) return QAbstractScrollArea::keyPressEvent(event);
  const auto steps = static_cast<uint32_t>(picture_->memory().live_bytes().size());
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return ZoomBy(1.5, viewport()->width() / 2.0);
    case Qt::Key_Minus:
      return ZoomBy(1 / 1.5, viewport()->width() / 2.0);
    case Qt::Key_0:
      return FitAll();
    case Qt::Key_Left:
      if (step_ > 0) Q_EMIT StepChosen(step_ - 1);
      return;
    case Qt::Key_Right:
      if (step_ + 1 < steps) Q_EMIT StepChosen(step_ + 1);
      return;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

bool MemoryLivesView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const uint32_t value = ValueAt(help->pos());
  if (value == kNone) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(help->globalPos(), picture_->Describe(value), this);
  }
  return true;
}

}  // namespace hloscope::gui
