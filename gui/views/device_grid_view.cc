// SPDX-License-Identifier: Apache-2.0
#include "gui/views/device_grid_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

constexpr double kWidth = 122, kHeight = 46, kGap = 26, kMargin = 10;
constexpr size_t kMaxArrows = 64;  // of the chosen device
constexpr size_t kDevicesWithAllPairs = 64;

// The head of an arrow that comes from the direction `back`, of length 1.
void DrawHead(QPainter& painter, QPointF at, QPointF back, const QColor& color) {
  const QPointF normal(-back.y(), back.x());
  painter.setBrush(color);
  painter.setPen(Qt::NoPen);
  painter.drawPolygon(QPolygonF({at, at + back * 9 + normal * 4, at + back * 9 - normal * 4}));
}

}  // namespace

QColor NumberColor(int64_t number, bool dark) {
  // Steps of the golden ratio around the circle of hues.
  const double hue = std::fmod(0.58 + 0.618034 * static_cast<double>(number), 1.0);
  return dark ? QColor::fromHslF(static_cast<float>(hue), 0.42F, 0.3F)
              : QColor::fromHslF(static_cast<float>(hue), 0.6F, 0.85F);
}

DeviceGridView::DeviceGridView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Devices"));
  setAccessibleDescription(tr("Arrow keys choose a device."));
}

void DeviceGridView::SetMap(const DeviceMap& map) {
  map_ = map;
  if (map_.Find(current_) == nullptr) current_ = map_.cells.empty() ? -1 : map_.cells[0].device;
  UpdateScrollBars();
  viewport()->update();
}

int64_t DeviceGridView::columns() const { return std::max<int64_t>(map_.columns, 1); }

QRectF DeviceGridView::RectAt(size_t place) const {
  const int64_t row = static_cast<int64_t>(place) / columns(), column = static_cast<int64_t>(place) % columns();
  return {kMargin + static_cast<double>(column) * (kWidth + kGap) - horizontalScrollBar()->value(),
          kMargin + static_cast<double>(row) * (kHeight + kGap) - verticalScrollBar()->value(), kWidth, kHeight};
}

QRectF DeviceGridView::RectOf(int64_t device) const {
  const DeviceCell* cell = map_.Find(device);
  return cell == nullptr ? QRectF() : RectAt(static_cast<size_t>(cell - map_.cells.data()));
}

size_t DeviceGridView::PlaceAt(QPointF point) const {
  for (size_t place = 0; place < map_.cells.size(); ++place) {
    if (RectAt(place).contains(point)) return place;
  }
  return map_.cells.size();
}

void DeviceGridView::UpdateScrollBars() {
  const int64_t count = static_cast<int64_t>(map_.cells.size());
  const double rows = static_cast<double>((count + columns() - 1) / columns());
  const double wide = static_cast<double>(std::min(count, columns()));
  const auto set = [](QScrollBar* bar, double needed, int there) {
    bar->setRange(0, std::max(0, static_cast<int>(needed) - there));
    bar->setPageStep(there);
    bar->setSingleStep(20);
  };
  set(verticalScrollBar(), 2 * kMargin + rows * (kHeight + kGap), viewport()->height());
  set(horizontalScrollBar(), 2 * kMargin + wide * (kWidth + kGap), viewport()->width());
}

void DeviceGridView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  UpdateScrollBars();
}

void DeviceGridView::SetCurrent(int64_t device) {
  if (map_.Find(device) == nullptr) return;
  current_ = device;
  const QRectF rect = RectOf(device);
  const auto show = [](QScrollBar* bar, double begin, double end, int there) {
    if (begin < 0) bar->setValue(bar->value() + static_cast<int>(begin - kMargin));
    if (end > there) bar->setValue(bar->value() + static_cast<int>(end - there + kMargin));
  };
  show(verticalScrollBar(), rect.top(), rect.bottom(), viewport()->height());
  show(horizontalScrollBar(), rect.left(), rect.right(), viewport()->width());
  viewport()->update();
}

void DeviceGridView::Choose(int64_t device) {
  if (device == current_) return;
  SetCurrent(device);
  Q_EMIT CurrentChanged(current_);
}

void DeviceGridView::DrawArrow(QPainter& painter, int64_t from, int64_t to, const QColor& color) const {
  const QRectF a = RectOf(from), b = RectOf(to);
  if (a.isNull() || b.isNull()) return;
  // Along a row or a column, past the devices between: through the gap beside them.
  const bool in_row = std::abs(a.top() - b.top()) < 1 && std::abs(a.left() - b.left()) > kWidth + kGap + 1;
  const bool in_column = std::abs(a.left() - b.left()) < 1 && std::abs(a.top() - b.top()) > kHeight + kGap + 1;
  if (in_row || in_column) {
    const QPointF out = in_row ? QPointF(0, kGap) : QPointF(kGap, 0);
    const QPointF tail = in_row ? QPointF(a.center().x(), a.bottom()) : QPointF(a.right(), a.center().y());
    const QPointF head = in_row ? QPointF(b.center().x(), b.bottom()) : QPointF(b.right(), b.center().y());
    QPainterPath path(tail);
    path.cubicTo(tail + out, head + out, head);
    painter.setPen(QPen(color, 1.8));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    DrawHead(painter, head, out / kGap, color);
    return;
  }
  const QPointF start = a.center(), end = b.center();
  const QPointF along = end - start;
  const double length = std::hypot(along.x(), along.y());
  if (length < 1) return;
  // Bent to one side, so that arrows there and back stay apart.
  const QPointF side(-along.y() / length, along.x() / length);
  const QPointF bend = (start + end) / 2 + side * std::min(30.0, length / 5);
  const auto border = [](const QRectF& box, QPointF toward) {
    const QPointF d = toward - box.center();
    const double x = d.x() == 0 ? 1e9 : box.width() / 2 / std::abs(d.x());
    const double y = d.y() == 0 ? 1e9 : box.height() / 2 / std::abs(d.y());
    return box.center() + d * std::min({x, y, 1.0});
  };
  const QPointF tail = border(a, bend), head = border(b, bend);
  QPainterPath path(tail);
  path.quadTo(bend, head);
  painter.setPen(QPen(color, 1.8));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
  const QPointF back = (bend - head) / std::max(std::hypot((bend - head).x(), (bend - head).y()), 1.0);
  DrawHead(painter, head, back, color);
}

void DeviceGridView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::For(palette());
  painter.fillRect(viewport()->rect(), theme.page);
  const QFont small = TextFont(TextSize::kSmall);
  const QFont bold = HeadingFont();
  const bool by_group = map_.has_collective && !map_.groups.empty();
  for (size_t place = 0; place < map_.cells.size(); ++place) {
    const QRectF rect = RectAt(place);
    if (!rect.intersects(QRectF(viewport()->rect()))) continue;
    const DeviceCell& cell = map_.cells[place];
    const int64_t color = by_group ? cell.group : cell.part;
    painter.setBrush(color < 0 ? theme.reference_fill : NumberColor(color, theme.dark));
    const bool chosen = cell.device == current_;
    painter.setPen(QPen(chosen ? theme.selection : theme.node_border, chosen ? 2.5 : 1));
    painter.drawRoundedRect(rect, 5, 5);
    painter.setPen(theme.text);
    painter.setFont(bold);
    painter.drawText(rect.adjusted(8, 4, -6, -4), Qt::AlignLeft | Qt::AlignTop, cell.name);
    painter.setFont(small);
    const QString part = cell.group >= 0 ? tr("group %1, rank %2").arg(cell.group).arg(cell.rank)
                         : cell.has_part ? cell.HoldsNothing() ? tr("nothing") : DeviceMap::RangesText(cell.ranges)
                                         : QString();
    painter.drawText(rect.adjusted(8, 4, -6, -5), Qt::AlignLeft | Qt::AlignBottom,
                     QFontMetrics(small).elidedText(part, Qt::ElideMiddle, static_cast<int>(kWidth) - 14));
  }
  if (map_.cells.size() <= kDevicesWithAllPairs) {
    for (const auto& [from, to] : map_.pairs) {
      if (from != current_ && to != current_) DrawArrow(painter, from, to, theme.edge);
    }
  }
  const std::vector<int64_t> senders = map_.SendersTo(current_), receivers = map_.ReceiversFrom(current_);
  const auto draw = [&](const std::vector<int64_t>& others, bool to_current, const QColor& color) {
    for (int64_t other : others) {
      if (others.size() <= kMaxArrows) {
        DrawArrow(painter, to_current ? other : current_, to_current ? current_ : other, color);
        continue;
      }
      painter.setPen(QPen(color, 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(RectOf(other), 5, 5);
    }
  };
  draw(senders, true, theme.executed);
  draw(receivers, false, theme.current);
}

void DeviceGridView::mousePressEvent(QMouseEvent* event) {
  const size_t place = PlaceAt(event->position());
  if (place < map_.cells.size()) Choose(map_.cells[place].device);
}

void DeviceGridView::keyPressEvent(QKeyEvent* event) {
  const DeviceCell* cell = map_.Find(current_);
  if (cell == nullptr) return QAbstractScrollArea::keyPressEvent(event);
  int64_t place = cell - map_.cells.data();
  switch (event->key()) {
    case Qt::Key_Left:
      --place;
      break;
    case Qt::Key_Right:
      ++place;
      break;
    case Qt::Key_Up:
      place -= columns();
      break;
    case Qt::Key_Down:
      place += columns();
      break;
    default:
      return QAbstractScrollArea::keyPressEvent(event);
  }
  if (place >= 0 && place < static_cast<int64_t>(map_.cells.size())) {
    Choose(map_.cells[static_cast<size_t>(place)].device);
  }
}

bool DeviceGridView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const size_t place = PlaceAt(help->pos());
  if (place >= map_.cells.size()) {
    QToolTip::hideText();
    return true;
  }
  const DeviceCell& cell = map_.cells[place];
  QString text = tr("device %1").arg(cell.device);
  if (cell.has_part) text += tr(", holds %1").arg(DeviceMap::RangesText(cell.ranges));
  if (cell.group >= 0) text += tr(", group %1, rank %2").arg(cell.group).arg(cell.rank);
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

ArrayPartsView::ArrayPartsView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("The array and its parts"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
  setMinimumSize(110, 80);
}

void ArrayPartsView::SetMap(const DeviceMap& map) {
  map_ = map;
  update();
}

void ArrayPartsView::SetCurrent(int64_t device) {
  current_ = device;
  update();
}

void ArrayPartsView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::For(palette());
  painter.fillRect(rect(), theme.page);
  if (map_.tiles.empty()) return;
  // The two dimensions that are cut most, the earlier one downwards; a vector lies flat.
  const int64_t rank = map_.array.rank();
  int64_t down = -1, across = -1;
  for (int64_t d = 0; d < rank; ++d) {
    const auto cuts = [&](int64_t k) { return k < 0 ? int64_t{0} : map_.tiles[static_cast<size_t>(k)]; };
    if (across < 0 || cuts(d) >= cuts(across)) {
      down = across;
      across = d;
    } else if (down < 0 || cuts(d) > cuts(down)) {
      down = d;
    }
  }
  if (across < 0) return;
  if (down > across) std::swap(down, across);
  const QRectF area = QRectF(rect()).adjusted(14, 24, -14, -14);
  const double rows = down < 0 ? 1 : std::max<double>(1, static_cast<double>(map_.array.dimension(down)));
  const double columns = std::max<double>(1, static_cast<double>(map_.array.dimension(across)));
  const auto x = [&](int64_t c) { return area.left() + static_cast<double>(c) / columns * area.width(); };
  const auto y = [&](int64_t r) { return area.top() + static_cast<double>(r) / rows * area.height(); };
  const auto place = [&](const DeviceCell& cell) {
    const SliceRange across_range = cell.ranges[static_cast<size_t>(across)];
    const SliceRange down_range = down < 0 ? SliceRange{0, 1, 1} : cell.ranges[static_cast<size_t>(down)];
    return QRectF(QPointF(x(across_range.start), y(down_range.start)),
                  QPointF(x(across_range.limit), y(down_range.limit)));
  };
  painter.setRenderHint(QPainter::Antialiasing);
  for (const DeviceCell& cell : map_.cells) {
    if (!cell.has_part) continue;
    painter.setPen(theme.node_border);
    painter.setBrush(NumberColor(cell.part, theme.dark));
    painter.drawRect(place(cell));
  }
  const DeviceCell* chosen = map_.Find(current_);
  if (chosen != nullptr && chosen->has_part) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.selection, 3));
    painter.drawRect(place(*chosen).adjusted(1, 1, -1, -1));
  }
  painter.setPen(theme.muted);
  const QFont small = TextFont(TextSize::kSmall);
  painter.setFont(small);
  const QString caption =
      down < 0 ? tr("dim %1 \u2192").arg(across) : tr("dim %1 \u2193, dim %2 \u2192").arg(down).arg(across);
  painter.drawText(QRectF(14, 4, width() - 28, 18), Qt::AlignLeft | Qt::AlignVCenter, caption);
}

}  // namespace hloscope::gui
