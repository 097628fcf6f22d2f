// SPDX-License-Identifier: Apache-2.0
#include "gui/views/time_spans_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

constexpr int kLaneHeight = 19;
constexpr int kAxisHeight = 18;
constexpr int kLabelRoom = 50;  // of a time on the axis
constexpr double kTriangleHeight = 8;
constexpr int kNarrowest = 3;       // of a span that has a border
constexpr double kRounding = 1e-9;  // of times that are sums of steps
constexpr double kNarrowInk = 0.4;  // how much of the colour of borders narrower ones have, which are pale without it

}  // namespace

TimeSpansView::TimeSpansView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleDescription(tr("Plus and minus zoom, the arrow keys move, 0 shows everything"));
}

void TimeSpansView::Show(std::shared_ptr<const TimeSpans> spans) {
  const double before = spans_ != nullptr ? spans_->total : 0;
  spans_ = std::move(spans);
  FindMarks();
  if (spans_ == nullptr || spans_->total != before) {
    FitAll();
  } else {
    update();
  }
}

void TimeSpansView::FitAll() {
  range_.Fit(spans_ != nullptr ? spans_->total : 0);
  top_lane_ = 0;
  update();
}

void TimeSpansView::MoveTo(double begin) {
  range_.MoveTo(begin);
  update();
}

void TimeSpansView::ZoomBy(double factor, double x) {
  range_.Zoom(factor, x / std::max(1, width()));
  update();
}

void TimeSpansView::FindMarks() {
  marks_.clear();
  if (spans_ == nullptr || !selected_.has_value()) return;
  for (const TimeSpans::Span& span : spans_->spans) {
    const bool is_read = std::binary_search(readers_.begin(), readers_.end(), span.instruction);
    if (!span.is_scope && (is_read || span.instruction == selected_)) marks_.push_back({span.begin, is_read});
  }
}

void TimeSpansView::SetSelected(InstructionId instruction, std::vector<InstructionId> readers) {
  selected_ = instruction;
  readers_ = std::move(readers);
  FindMarks();
  update();
  if (spans_ == nullptr || !instruction.has_value()) return;
  for (const TimeSpans::Span& span : spans_->spans) {
    if (span.instruction != instruction || span.is_scope) continue;
    if (span.end < range_.begin() || span.begin > range_.begin() + range_.length())
      MoveTo((span.begin + span.end - range_.length()) / 2);
    return;
  }
}

int TimeSpansView::MemoryHeight() const {
  return spans_ == nullptr || spans_->alive.empty() ? 0 : std::clamp(height() / 4, 24, 90);
}

QRectF TimeSpansView::RectOf(uint32_t i) const {
  const TimeSpans::Span& span = spans_->spans[i];
  const double left = XOf(span.begin);
  return QRectF(left, kAxisHeight + (static_cast<int>(span.lane) - top_lane_) * kLaneHeight, XOf(span.end) - left,
                kLaneHeight - 1);
}

uint32_t TimeSpansView::SpanAt(QPointF point) const {
  if (spans_ == nullptr || point.y() < kAxisHeight || point.y() >= height() - MemoryHeight()) return TimeSpans::kNone;
  const int lane = static_cast<int>(point.y() - kAxisHeight) / kLaneHeight + top_lane_;
  return spans_->At(SecondsAt(point.x()), static_cast<uint32_t>(lane));
}

void TimeSpansView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::For(palette());
  painter.fillRect(rect(), theme.page);
  if (spans_ == nullptr || spans_->spans.empty()) {
    painter.setPen(theme.muted);
    painter.drawText(rect(), Qt::AlignCenter, tr("Nothing takes time here."));
    return;
  }
  const int lanes = std::min<int>(static_cast<int>(spans_->lanes()),
                                  top_lane_ + (height() - kAxisHeight - MemoryHeight()) / kLaneHeight + 1);
  painter.setClipRect(0, kAxisHeight, width(), height() - kAxisHeight - MemoryHeight());
  for (int lane = top_lane_; lane < lanes; ++lane) PaintLane(&painter, theme, static_cast<uint32_t>(lane));
  painter.setClipping(false);
  PaintMemory(&painter, theme);
  PaintAxis(&painter, theme);
  PaintMarks(&painter, theme);
  if (hasFocus()) {
    painter.setPen(theme.selection);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

QString TimeSpansView::KindText() const {
  if (!spans_->measured) return tr("estimated");
  if (spans_->joined_seconds <= 0) return tr("measured");
  return tr("measured, short steps joined up to %1").arg(FormatSeconds(spans_->joined_seconds));
}

QString TimeSpansView::AxisText(double seconds, double step) {
  if (std::abs(seconds) < step / 2) return QStringLiteral("0");
  const std::pair<double, const char16_t*> units[] = {{1, u"s"}, {1e-3, u"ms"}, {1e-6, u"\u00B5s"}, {1e-9, u"ns"}};
  const auto* unit = std::find_if(std::begin(units), std::end(units) - 1,
                                  [&](const auto& u) { return std::abs(seconds) >= u.first * (1 - kRounding); });
  constexpr int kMostDigits = 9;
  const double digits = std::ceil(-std::log10(step / unit->first) - kRounding);
  return QStringLiteral("%1 %2")
      .arg(seconds / unit->first, 0, 'f', static_cast<int>(std::clamp<double>(digits, 0, kMostDigits)))
      .arg(QStringView(unit->second));
}

QString TimeSpansView::NameOf(const TimeSpans::Span& span) const {
  const QString name = !span.name.empty() ? ToQString(span.name) : name_of_ ? name_of_(span.instruction) : QString();
  return span.is_mixed ? tr("%1 and others").arg(name) : name;
}

void TimeSpansView::PaintAxis(QPainter* painter, const Theme& theme) const {
  painter->fillRect(0, 0, width(), kAxisHeight, theme.gutter);
  // Steps of 1, 2 or 5, so that their labels have room.
  const double wanted = range_.length() / std::max(1, width() / 90);
  double step = std::pow(10, std::floor(std::log10(wanted)));
  for (double factor : {2.0, 2.5, 2.0}) {
    if (step < wanted) step *= factor;
  }
  painter->setFont(TextFont(TextSize::kSmall));
  const QString kind = KindText();
  const int kind_width = painter->fontMetrics().horizontalAdvance(kind) + 2 * Space::kMargin;
  const double first = std::ceil(range_.begin() / step) * step;
  const double steps = (range_.begin() + range_.length() - first) / step;
  for (int k = 0; k <= steps && k <= width(); ++k) {
    const double at = first + k * step;
    const double x = XOf(at);
    painter->setPen(theme.node_border);
    painter->drawLine(QPointF(x, 0), QPointF(x, kAxisHeight));
    if (x > width() - kind_width - kLabelRoom) continue;  // no room beside the word in the corner
    painter->setPen(theme.muted);
    painter->drawText(QRectF(x + 3, 0, 90, kAxisHeight), Qt::AlignLeft | Qt::AlignVCenter, AxisText(at, step));
  }
  const QRectF corner(width() - kind_width, 0, kind_width - Space::kTight, kAxisHeight);
  painter->fillRect(corner, theme.gutter);
  painter->setPen(theme.text);
  painter->drawText(corner, Qt::AlignRight | Qt::AlignVCenter, kind);
  painter->setFont(font());
}

// Where the selected value is written, from above, and where it is read, from below; one a pixel is enough.
void TimeSpansView::PaintMarks(QPainter* painter, const Theme& theme) const {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  int painted[] = {-1, -1};
  for (const Mark& mark : marks_) {
    const double x = XOf(mark.at);
    if (x < 0 || x > width() || static_cast<int>(x) == painted[mark.is_read ? 1 : 0]) continue;
    painted[mark.is_read ? 1 : 0] = static_cast<int>(x);
    const double base = mark.is_read ? kAxisHeight : 0,
                 tip = mark.is_read ? kAxisHeight - kTriangleHeight : kTriangleHeight;
    const QPointF corners[] = {{x - kTriangleHeight / 2, base}, {x + kTriangleHeight / 2, base}, {x, tip}};
    painter->setBrush(mark.is_read ? theme.selection : theme.current);
    painter->drawPolygon(corners, 3);
  }
  painter->restore();
}

void TimeSpansView::PaintLane(QPainter* painter, const Theme& theme, uint32_t lane) const {
  const auto first = spans_->spans.begin() + spans_->lane_begin[lane];
  const auto last = spans_->spans.begin() + spans_->lane_begin[lane + 1];
  auto at = std::upper_bound(first, last, range_.begin(),
                             [](double t, const TimeSpans::Span& span) { return t < span.begin; });
  if (at != first) --at;
  const double y = kAxisHeight + (static_cast<int>(lane) - top_lane_) * kLaneHeight;
  if (lane < spans_->lane_names.size() && !spans_->lane_names[lane].empty()) {
    painter->fillRect(QRectF(0, y, width(), kLaneHeight - 1), theme.gutter);
    painter->setPen(theme.text);
    painter->drawText(QRectF(4, y, width() - 8, kLaneHeight - 1), Qt::AlignLeft | Qt::AlignVCenter,
                      ToQString(spans_->lane_names[lane]));
  }
  const double pixel = range_.length() / width();  // in seconds
  while (at != last && at->begin < range_.begin() + range_.length()) {
    const TimeSpans::Span& span = *at;
    const QRectF rect(XOf(span.begin), y, XOf(span.end) - XOf(span.begin), kLaneHeight - 1);
    const bool selected = span.instruction == selected_ && !span.is_scope && selected_.has_value();
    // Of many short spans, one a pixel is enough: the others are not even looked at.
    ++at;
    if (rect.width() < 1 && at != last && at->begin < span.begin + pixel) {
      at = std::upper_bound(at, last, span.begin + pixel,
                            [](double t, const TimeSpans::Span& other) { return t <= other.begin; });
    }
    const bool has_border = rect.width() >= kNarrowest || selected;
    QColor fill = span.is_scope ? theme.GroupFill() : theme.CategoryFill(span.category);
    if (!has_border) fill = Theme::Mixed(fill, theme.node_border, kNarrowInk);
    const QRectF seen = rect.intersected(QRectF(-2, y, width() + 4, rect.height()));
    painter->fillRect(QRectF(seen.topLeft(), QSizeF(std::max(1.0, seen.width()), seen.height())), fill);
    if (has_border) {
      painter->setPen(QPen(selected ? theme.selection : theme.node_border, selected ? 2 : 1));
      painter->setBrush(Qt::NoBrush);
      painter->drawRect(seen.adjusted(0, 0, -1, -1));
    }
    if (seen.width() < 26) continue;
    const QString name = NameOf(span);
    painter->setPen(Theme::InkOn(fill));
    const QRectF room = seen.adjusted(4, 0, -3, 0);
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(name, Qt::ElideMiddle, static_cast<int>(room.width())));
  }
}

void TimeSpansView::PaintMemory(QPainter* painter, const Theme& theme) const {
  const int room = MemoryHeight();
  if (room == 0) return;
  const int base = height() - 1;
  painter->fillRect(0, base - room, width(), room + 1, theme.page);
  painter->setPen(theme.node_border);
  painter->drawLine(0, base - room, width(), base - room);
  int64_t peak = 1;
  for (const TimeSpans::Alive& alive : spans_->alive) peak = std::max(peak, alive.bytes);
  QColor fill = theme.selection;
  fill.setAlpha(90);
  size_t i = 0;
  for (int x = 0; x < width(); ++x) {
    const double from = SecondsAt(x), to = SecondsAt(x + 1);
    while (i < spans_->alive.size() && spans_->alive[i].end <= from) ++i;
    int64_t bytes = 0;
    for (size_t k = i; k < spans_->alive.size() && spans_->alive[k].begin < to; ++k) {
      bytes = std::max(bytes, spans_->alive[k].bytes);
    }
    const int high = static_cast<int>(static_cast<double>(bytes) / static_cast<double>(peak) * (room - 4));
    painter->fillRect(x, base - high, 1, high, fill);
    painter->fillRect(x, base - high, 1, 2, theme.selection);
  }
  // The curve may run behind the words.
  const QString words = tr("memory alive, at most %1").arg(FormatBytes(peak));
  const QRect plate(2, base - room + 2, painter->fontMetrics().horizontalAdvance(words) + 8, 16);
  QColor ground = theme.page;
  ground.setAlpha(215);
  painter->fillRect(plate, ground);
  painter->setPen(theme.text);
  painter->drawText(plate.adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, words);
}

void TimeSpansView::wheelEvent(QWheelEvent* event) {
  const QPoint angle = event->angleDelta();
  if (event->modifiers().testFlag(Qt::ShiftModifier) || std::abs(angle.x()) > std::abs(angle.y())) {
    MoveTo(range_.begin() - (angle.x() != 0 ? angle.x() : angle.y()) / 120.0 * range_.length() / 8);
  } else {
    ZoomBy(std::pow(1.0015, angle.y()), event->position().x());
  }
  event->accept();
}

void TimeSpansView::mousePressEvent(QMouseEvent* event) {
  press_ = last_ = event->position();
  dragging_ = false;
}

void TimeSpansView::mouseMoveEvent(QMouseEvent* event) {
  if (!event->buttons().testFlag(Qt::LeftButton)) {
    setCursor(SpanAt(event->position()) == TimeSpans::kNone ? Qt::ArrowCursor : Qt::PointingHandCursor);
    return;
  }
  if ((event->position() - press_).manhattanLength() >= QApplication::startDragDistance()) dragging_ = true;
  if (!dragging_ || spans_ == nullptr) return;
  MoveTo(range_.begin() - (event->position().x() - last_.x()) / width() * range_.length());
  const int lanes = static_cast<int>((last_.y() - press_.y()) / kLaneHeight) -
                    static_cast<int>((event->position().y() - press_.y()) / kLaneHeight);
  top_lane_ = std::clamp(top_lane_ + lanes, 0, std::max(0, static_cast<int>(spans_->lanes()) - 1));
  last_ = event->position();
}

void TimeSpansView::mouseReleaseEvent(QMouseEvent* event) {
  if (dragging_ || event->button() != Qt::LeftButton) return;
  const uint32_t span = SpanAt(event->position());
  if (span != TimeSpans::kNone) Q_EMIT SpanClicked(span);
}

void TimeSpansView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return ZoomBy(1.5, width() / 2.0);
    case Qt::Key_Minus:
      return ZoomBy(1 / 1.5, width() / 2.0);
    case Qt::Key_0:
      return FitAll();
    case Qt::Key_Left:
      return MoveTo(range_.begin() - range_.length() / 8);
    case Qt::Key_Right:
      return MoveTo(range_.begin() + range_.length() / 8);
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (spans_ == nullptr) return;
      top_lane_ = std::clamp(top_lane_ + (event->key() == Qt::Key_Up ? -1 : 1), 0,
                             std::max(0, static_cast<int>(spans_->lanes()) - 1));
      return update();
    default:
      QWidget::keyPressEvent(event);
  }
}

QString TimeSpansView::ToolTipOf(uint32_t i) const {
  const TimeSpans::Span& span = spans_->spans[i];
  const QString name = NameOf(span);
  const double share = spans_->total > 0 ? (span.end - span.begin) / spans_->total * 100 : 0;
  QString text = tr("%1\n%2, %3 %").arg(name, FormatSeconds(span.end - span.begin)).arg(share, 0, 'f', 1);
  if (span.steps > 1) text += tr("\n%1 step(s)", nullptr, ForPlural(span.steps)).arg(FormatCount(span.steps));
  const int64_t alive = spans_->AliveAt((span.begin + span.end) / 2);
  if (alive >= 0) text += tr("\n%1 alive").arg(FormatBytes(alive));
  return text;
}

bool TimeSpansView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const uint32_t span = SpanAt(help->pos());
  if (span == TimeSpans::kNone) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(help->globalPos(), ToolTipOf(span), this);
  }
  return true;
}

}  // namespace hloscope::gui
