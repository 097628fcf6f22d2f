#include "gui/views/graph_view.h"

#include <QApplication>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace hloscope {
namespace {

// A graph that fits at this scale is shown whole at first.
constexpr qreal kReadableScale = 0.55;

}  // namespace

GraphView::GraphView(GraphScene* scene, QWidget* parent) : QGraphicsView(scene, parent), scene_(scene) {
  setRenderHint(QPainter::Antialiasing);
  setFrameShape(QFrame::NoFrame);
  setTransformationAnchor(QGraphicsView::AnchorUnderMouse);
  setResizeAnchor(QGraphicsView::AnchorViewCenter);
  setViewportUpdateMode(QGraphicsView::SmartViewportUpdate);
  setOptimizationFlag(QGraphicsView::DontSavePainterState);
}

void GraphView::ZoomBy(qreal factor) {
  const qreal now = transform().m11();
  const qreal wanted = std::clamp(now * factor, kMinScale, kMaxScale);
  if (wanted != now) scale(wanted / now, wanted / now);
}

void GraphView::FitAll() {
  const QRectF all = scene_->sceneRect();
  if (scene_->empty() || all.isEmpty()) return;
  const qreal fit = std::min(viewport()->width() / all.width(), viewport()->height() / all.height());
  const qreal wanted = std::clamp(fit, kMinScale, 1.0);
  setTransform(QTransform::fromScale(wanted, wanted));
  centerOn(all.center());
}

void GraphView::ShowInitially(InstructionId focus) {
  FitAll();
  if (scene_->empty() || transform().m11() >= kReadableScale) return;
  setTransform(QTransform::fromScale(0.85, 0.85));
  const QRectF box = scene_->BoxOf(focus);
  if (box.isNull()) {
    const QRectF all = scene_->sceneRect();
    centerOn(all.center().x(), all.top());
  } else {
    centerOn(box.center());
  }
}

void GraphView::Reveal(InstructionId instruction) {
  const QRectF box = scene_->BoxOf(instruction);
  if (box.isNull()) return;
  const QRectF visible = mapToScene(viewport()->rect()).boundingRect();
  if (visible.contains(box.adjusted(-20, -20, 20, 20))) return;
  if (visible.intersects(box)) {
    ensureVisible(box, 60, 60);
  } else {
    centerOn(box.center());
  }
}

void GraphView::wheelEvent(QWheelEvent* event) {
  const int delta = event->angleDelta().y();
  if (event->modifiers().testFlag(Qt::ShiftModifier)) {
    QGraphicsView::wheelEvent(event);
    return;
  }
  if (delta != 0) ZoomBy(std::pow(1.0015, delta));
  event->accept();
}

void GraphView::keyPressEvent(QKeyEvent* event) {
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
    case Qt::Key_Up:
      Q_EMIT Walked(-1);
      break;
    case Qt::Key_Down:
      Q_EMIT Walked(1);
      break;
    default:
      QGraphicsView::keyPressEvent(event);
  }
}

InstructionId GraphView::InstructionUnder(const QMouseEvent* event) const {
  return scene_->InstructionAtPoint(mapToScene(event->position().toPoint()));
}

void GraphView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  pressed_ = true;
  panning_ = false;
  press_ = last_ = event->position().toPoint();
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
  const QPoint now = event->position().toPoint();
  if (!pressed_) {
    viewport()->setCursor(InstructionUnder(event).has_value() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    return;
  }
  if (!panning_ && (now - press_).manhattanLength() < QApplication::startDragDistance()) return;
  if (!panning_) viewport()->setCursor(Qt::ClosedHandCursor);
  panning_ = true;
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - (now.x() - last_.x()));
  verticalScrollBar()->setValue(verticalScrollBar()->value() - (now.y() - last_.y()));
  last_ = now;
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
  const bool click = pressed_ && !panning_ && event->button() == Qt::LeftButton;
  pressed_ = panning_ = false;
  viewport()->setCursor(Qt::ArrowCursor);
  if (!click) return;
  const InstructionId instruction = InstructionUnder(event);
  if (instruction.has_value()) Q_EMIT InstructionClicked(instruction);
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
  const InstructionId instruction = InstructionUnder(event);
  if (event->button() == Qt::LeftButton && instruction.has_value()) Q_EMIT InstructionActivated(instruction);
}

}  // namespace hloscope
