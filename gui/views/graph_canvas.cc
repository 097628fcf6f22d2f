// SPDX-License-Identifier: Apache-2.0
#include "gui/views/graph_canvas.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

// Pixels around a graph of which everything is shown.
constexpr int kFitMargin = 8;
constexpr int kMinimapWidth = 190, kMinimapHeight = 140;
constexpr int kMinimapMargin = 10;
constexpr double kEnoughSeen = 0.7;  // of the graph: a map of it would hide more than it shows
// A graph that would have to be smaller than this to be as wide as the canvas is shown whole.
constexpr double kWidestScale = 0.3;
// In a lower canvas, the map would cover what it is a map of.
constexpr int kLowestWithMinimap = 180;

}  // namespace

GraphCanvas::GraphCanvas(QWidget* parent) : QWidget(parent), graph_(std::make_shared<DrawnGraph>()) {
  setObjectName(QStringLiteral("graph_canvas"));
  setAccessibleName(tr("Graph"));
  setAccessibleDescription(
      tr("Arrow keys walk along edges, Enter opens a group, Backspace leaves it, I says more about the selected "
         "box, plus and minus zoom, 0 shows everything"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMinimumSize(120, 60);
}

void GraphCanvas::SetGraph(std::shared_ptr<const DrawnGraph> graph) {
  graph_ = std::move(graph);
  look_.hovered = look_.selected = look_.current = kNoItem;
  look_.landmarks.clear();
  look_.highlighted.clear();
  look_.fills.clear();
  look_.dim_others = false;
  Refresh();
  if (kept_fitted_) FitAll();
}

void GraphCanvas::Refresh() {
  minimap_ = QPixmap();
  update();
}

void GraphCanvas::MoveTo(QPointF origin) {
  fitted_ = false;
  if (!fitting_) SetKeptFitted(false);
  // Some of the graph always stays in view.
  const QRectF all = graph_->bounds();
  const QSizeF seen = QSizeF(width(), height()) / scale_;
  auto limited = [](double at, double low, double high, double room) {
    const double slack = room * 0.7;
    return std::clamp(at, std::min(low - slack, high - room + slack), std::max(low - slack, high - room + slack));
  };
  origin_ = QPointF(limited(origin.x(), all.left(), all.right(), seen.width()),
                    limited(origin.y(), all.top(), all.bottom(), seen.height()));
  update();
  Q_EMIT ViewChanged();
}

void GraphCanvas::ZoomBy(double factor, QPointF around) {
  const QPointF fixed = ToGraph(around);
  scale_ = std::clamp(scale_ * factor, kMinScale, kMaxScale);
  MoveTo(fixed - around / scale_);
}

void GraphCanvas::CenterOn(QPointF point, double scale) {
  scale_ = std::clamp(scale, kMinScale, kMaxScale);
  MoveTo(point - QPointF(width(), height()) / 2 / scale_);
}

void GraphCanvas::Pin(QPointF graph_point, QPointF screen_point) {
  if (!kept_fitted_) MoveTo(graph_point - screen_point / scale_);
}

void GraphCanvas::FitAll() {
  const QRectF all = graph_->bounds();
  if (graph_->empty() || all.isEmpty() || width() == 0 || height() == 0) return;
  fitting_ = true;
  CenterOn(all.center(), std::min({std::max(1, width() - 2 * kFitMargin) / all.width(),
                                   std::max(1, height() - 2 * kFitMargin) / all.height(), 1.0}));
  fitting_ = false;
  fitted_ = true;
}

void GraphCanvas::SetKeptFitted(bool kept) {
  if (kept) FitAll();
  if (std::exchange(kept_fitted_, kept) != kept) Q_EMIT KeptFittedChanged(kept);
}

void GraphCanvas::ShowInitially(uint32_t focus) {
  FitAll();
  if (graph_->empty() || kept_fitted_ || scale_ >= kReadableScale) return;
  const QRectF all = graph_->bounds();
  if (focus != kNoItem) {
    CenterOn(graph_->rect(focus).center(), kNearScale);
  } else {
    // An overview that is somewhat too large to be read is begun at its top.
    const double scale = std::min(kNearScale, width() / all.width());
    if (scale < kWidestScale) return;
    CenterOn(QPointF(all.center().x(), all.top()), std::max(scale_, scale));
    MoveTo(QPointF(origin_.x(), all.top()));
  }
}

void GraphCanvas::Reveal(uint32_t box) {
  if (box == kNoItem || box >= graph_->rects().size() || kept_fitted_) return;
  const QRectF rect = graph_->rect(box);
  const QRectF seen = visible();
  const double margin = std::min(40 / scale_, std::min(seen.width(), seen.height()) / 4);
  const QRectF inner = seen.adjusted(margin, margin, -margin, -margin);
  if (inner.contains(rect)) return;
  if (rect.width() > inner.width() || rect.height() > inner.height()) {
    if (!seen.contains(rect.topLeft())) MoveTo(rect.topLeft() - QPointF(margin, margin));
    return;
  }
  if (!seen.intersects(rect)) {
    CenterOn(rect.center(), std::max(scale_, scale_ < GraphPainter::kTextScale ? 0.8 : scale_));
    return;
  }
  QPointF move;
  if (rect.left() < inner.left()) move.setX(rect.left() - inner.left());
  if (rect.right() > inner.right()) move.setX(rect.right() - inner.right());
  if (rect.top() < inner.top()) move.setY(rect.top() - inner.top());
  if (rect.bottom() > inner.bottom()) move.setY(rect.bottom() - inner.bottom());
  MoveTo(origin_ + move);
}

void GraphCanvas::Focus(uint32_t box) {
  if (kept_fitted_) return;
  CenterOn(graph_->rect(box).center(), scale_ >= kReadableScale ? scale_ : kNearScale);
}

void GraphCanvas::SetMinimapShown(bool shown) {
  minimap_shown_ = shown;
  update();
}

QRect GraphCanvas::MinimapRect() const {
  const QRectF all = graph_->bounds();
  const QRectF seen = visible().intersected(all);
  const bool mostly_seen = seen.width() * seen.height() >= kEnoughSeen * all.width() * all.height();
  if (!minimap_shown_ || graph_->empty() || mostly_seen || width() < 2 * kMinimapWidth ||
      height() < kLowestWithMinimap) {
    return QRect();
  }
  const double scale = std::min(kMinimapWidth / all.width(), std::min(kMinimapHeight, height() / 2) / all.height());
  const QSize size(std::max(12, static_cast<int>(all.width() * scale)),
                   std::max(12, static_cast<int>(all.height() * scale)));
  return QRect(QPoint(width() - size.width() - kMinimapMargin, height() - size.height() - kMinimapMargin), size);
}

void GraphCanvas::PaintMinimap(QPainter* painter) {
  const QRect rect = MinimapRect();
  if (rect.isEmpty()) return;
  const QRectF all = graph_->bounds();
  if (minimap_.isNull() || minimap_.size() != rect.size() * devicePixelRatioF()) {
    minimap_ = QPixmap(rect.size() * devicePixelRatioF());
    minimap_.setDevicePixelRatio(devicePixelRatioF());
    minimap_.fill(look_.theme.page);  // the graph may be a fraction of a pixel smaller
    QPainter map(&minimap_);
    GraphPainter::Look look = look_;
    look.interactive = false;
    look.marks = nullptr;
    look.group_title = nullptr;
    look.covered = QRectF();
    painter_.Paint(&map, *graph_, look, all, rect.width() / all.width());
  }
  painter->fillRect(rect.adjusted(-3, -3, 3, 3), look_.theme.gutter);
  painter->drawPixmap(rect.topLeft(), minimap_);
  painter->setPen(QPen(look_.theme.node_border, 1));
  painter->setBrush(Qt::NoBrush);
  painter->drawRect(rect.adjusted(-3, -3, 2, 2));
  const double sx = rect.width() / all.width(), sy = rect.height() / all.height();
  const QRectF seen = visible().intersected(all);
  QRectF frame(rect.left() + (seen.left() - all.left()) * sx, rect.top() + (seen.top() - all.top()) * sy,
               std::max(4.0, seen.width() * sx), std::max(4.0, seen.height() * sy));
  QColor veil = look_.theme.selection;
  veil.setAlpha(50);
  painter->fillRect(frame, veil);
  painter->setPen(QPen(look_.theme.selection, 1.5));
  painter->drawRect(frame);
}

void GraphCanvas::FollowMinimap(QPointF point) {
  const QRect rect = MinimapRect();
  if (rect.isEmpty()) return;
  const QRectF all = graph_->bounds();
  CenterOn(QPointF(all.left() + (point.x() - rect.left()) / rect.width() * all.width(),
                   all.top() + (point.y() - rect.top()) / rect.height() * all.height()),
           scale_);
}

void GraphCanvas::paintEvent(QPaintEvent*) {
  QElapsedTimer clock;
  clock.start();
  QPainter painter(this);
  const QRect minimap = MinimapRect();
  look_.covered = minimap.isEmpty() ? QRectF() : QRectF(minimap.adjusted(-3, -3, 3, 3));
  painter_.Paint(&painter, *graph_, look_, visible(), scale_);
  painter.setRenderHint(QPainter::Antialiasing, false);
  PaintMinimap(&painter);
  if (hasFocus()) {
    painter.setPen(QPen(look_.theme.selection, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
  last_paint_seconds_ = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
}

void GraphCanvas::PaintExport(QPainter* painter, const QRectF& part, double scale) const {
  GraphPainter::Look look = look_;
  look.interactive = false;
  look.covered = QRectF();
  GraphPainter fresh;
  fresh.Paint(painter, *graph_, look, part, scale);
}

void GraphCanvas::resizeEvent(QResizeEvent* event) {
  if (fitted_ || kept_fitted_) {
    FitAll();
    return;
  }
  // What was in the middle stays there.
  if (event->oldSize().isValid()) {
    const QSizeF grown = QSizeF(event->size() - event->oldSize()) / scale_;
    MoveTo(origin_ - QPointF(grown.width(), grown.height()) / 2);
  }
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
  const QPoint pixels = event->pixelDelta(), angle = event->angleDelta();
  if (event->modifiers().testFlag(Qt::ShiftModifier)) {
    const int delta = angle.y() != 0 ? angle.y() : angle.x();
    MoveTo(origin_ - QPointF(delta, 0) / scale_);
  } else if (!pixels.isNull() && !event->modifiers().testFlag(Qt::ControlModifier)) {
    MoveTo(origin_ - QPointF(pixels) / scale_);  // a touchpad
  } else if (angle.y() != 0) {
    ZoomBy(std::pow(1.0015, angle.y()), event->position());
  }
  event->accept();
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
  const bool pan = event->modifiers().testFlag(Qt::ShiftModifier);
  const QPointF step = QPointF(width(), height()) / 4 / scale_;
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      ZoomIn();
      break;
    case Qt::Key_Minus:
      ZoomOut();
      break;
    case Qt::Key_0:
    case Qt::Key_F:
      FitAll();
      break;
    case Qt::Key_M:
      SetMinimapShown(!minimap_shown_);
      break;
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (pan) {
        MoveTo(origin_ + QPointF(0, event->key() == Qt::Key_Up ? -step.y() : step.y()));
      } else {
        Q_EMIT Walked(static_cast<Qt::Key>(event->key()));
      }
      break;
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (pan) {
        MoveTo(origin_ + QPointF(event->key() == Qt::Key_Left ? -step.x() : step.x(), 0));
      } else {
        Q_EMIT Walked(static_cast<Qt::Key>(event->key()));
      }
      break;
    case Qt::Key_PageUp:
      MoveTo(origin_ - QPointF(0, 3 * step.y()));
      break;
    case Qt::Key_PageDown:
      MoveTo(origin_ + QPointF(0, 3 * step.y()));
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (look_.selected != kNoItem) Q_EMIT BoxActivated(look_.selected);
      break;
    case Qt::Key_I:
      if (look_.selected != kNoItem) {
        const QPointF at = ToScreen(graph_->rect(look_.selected).center());
        QToolTip::showText(mapToGlobal(at).toPoint(), ToolTipAt(at), this);
      }
      break;
    case Qt::Key_Backspace:
      Q_EMIT WentUp();
      break;
    case Qt::Key_Menu:
      if (look_.selected != kNoItem) {
        Q_EMIT MenuRequested(look_.selected, mapToGlobal(ToScreen(graph_->rect(look_.selected).center()).toPoint()));
      }
      break;
    default:
      QWidget::keyPressEvent(event);
  }
}

std::optional<GraphCanvas::StubHit> GraphCanvas::StubAt(QPointF point) const {
  if (scale_ < GraphPainter::kTextScale) return std::nullopt;
  std::vector<uint32_t> near;
  const QPointF at = ToGraph(point);
  graph_->FindBoxes(QRectF(at - QPointF(30, 30), QSizeF(60, 60)), &near);
  for (uint32_t box : near) {
    const auto [begin, end] = graph_->StubsOf(box);
    for (uint32_t i = begin; i < end; ++i) {
      const bool incoming = graph_->stubs()[i].incoming;
      if (GraphPainter::StubRect(graph_->rect(box), incoming).contains(at)) return StubHit{box, incoming};
    }
  }
  return std::nullopt;
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  press_ = last_ = event->position().toPoint();
  if (event->button() == Qt::LeftButton && MinimapRect().contains(press_)) {
    drag_ = Drag::kMinimap;
    FollowMinimap(event->position());
    return;
  }
  drag_ = Drag::kPressed;
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPoint now = event->position().toPoint();
  switch (drag_) {
    case Drag::kNone: {
      const bool over_stub = StubAt(now).has_value();
      const uint32_t box = MinimapRect().contains(now) ? kNoItem : graph_->BoxAt(ToGraph(now));
      setCursor(over_stub || (box != kNoItem && graph_->graph().boxes[box].inside == kNoItem) ? Qt::PointingHandCursor
                                                                                              : Qt::ArrowCursor);
      if (std::exchange(look_.hovered, box) != box) update();
      return;
    }
    case Drag::kMinimap:
      FollowMinimap(event->position());
      return;
    case Drag::kPressed:
      if ((now - press_).manhattanLength() < QApplication::startDragDistance()) return;
      setCursor(Qt::ClosedHandCursor);
      drag_ = Drag::kPanning;
      [[fallthrough]];
    case Drag::kPanning:
      MoveTo(origin_ - QPointF(now - last_) / scale_);
      last_ = now;
      return;
  }
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
  const bool click = drag_ == Drag::kPressed && event->button() == Qt::LeftButton;
  drag_ = Drag::kNone;
  setCursor(Qt::ArrowCursor);
  if (!click) return;
  if (const std::optional<StubHit> stub = StubAt(event->position())) {
    Q_EMIT StubsClicked(stub->box, stub->incoming);
    return;
  }
  const uint32_t box = graph_->BoxAt(ToGraph(event->position()));
  if (box != kNoItem) Q_EMIT BoxClicked(box, event->modifiers());
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || MinimapRect().contains(event->position().toPoint())) return;
  const uint32_t box = graph_->BoxAt(ToGraph(event->position()));
  if (box == kNoItem) return;
  // Inside of an open group, only its heading closes it.
  const bool open = graph_->graph().boxes[box].inside != kNoItem;
  if (open && ToGraph(event->position()).y() > graph_->rect(box).top() + DrawnGraph::kHeader) return;
  Q_EMIT BoxActivated(box);
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event) {
  Q_EMIT MenuRequested(graph_->BoxAt(ToGraph(event->pos())), event->globalPos());
}

void GraphCanvas::leaveEvent(QEvent*) {
  if (std::exchange(look_.hovered, kNoItem) != kNoItem) update();
}

QString GraphCanvas::ToolTipAt(QPointF point) const {
  if (const std::optional<StubHit> stub = StubAt(point)) {
    constexpr int kMostNames = 12;
    QStringList names;
    const auto [begin, end] = graph_->StubsOf(stub->box);
    int count = 0;
    for (uint32_t i = begin; i < end; ++i) {
      if (graph_->stubs()[i].incoming != stub->incoming || ++count > kMostNames) continue;
      if (look_.instruction_name != nullptr) names.push_back(look_.instruction_name(graph_->stubs()[i].instruction));
    }
    if (count > kMostNames) names.push_back(tr("and %1 more").arg(count - kMostNames));
    return (stub->incoming ? tr("Comes from, further up:") : tr("Goes to, further down:")) + QLatin1Char('\n') +
           names.join(QLatin1Char('\n'));
  }
  const uint32_t box = graph_->BoxAt(ToGraph(point));
  if (box == kNoItem || look_.text == nullptr) return QString();
  QString text =
      look_.tool_tip != nullptr ? look_.tool_tip(box) : look_.text->Lines(graph_->graph(), box).join(QLatin1Char('\n'));
  if (graph_->graph().boxes[box].openable) {
    text +=
        QLatin1Char('\n') + (graph_->graph().boxes[box].inside == kNoItem ? tr("Double click: open")
                                                                          : tr("Double click on the heading: close"));
  }
  return text;
}

bool GraphCanvas::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = ToolTipAt(help->pos());
    if (text.isEmpty()) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(help->globalPos(), text, this);
    }
    return true;
  }
  return QWidget::event(event);
}

}  // namespace hloscope::gui
