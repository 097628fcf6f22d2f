// SPDX-License-Identifier: Apache-2.0
#include "gui/views/icons.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QPixmap>

namespace hloscope::gui {
namespace {

// Drawn on a field of 16 x 16.
void Draw(QPainter* p, Icon icon, QColor ink, QColor accent, QColor go, QColor stop) {
  QPen pen(ink, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
  p->setPen(pen);
  p->setBrush(Qt::NoBrush);
  auto dot = [&](QPointF at) {
    p->setPen(Qt::NoPen);
    p->setBrush(accent);
    p->drawEllipse(at, 2.2, 2.2);
    p->setPen(pen);
    p->setBrush(Qt::NoBrush);
  };
  auto head = [&](QPointF tip, QPointF a, QPointF b) {
    const QPointF points[] = {a, tip, b};
    p->drawPolyline(points, 3);
  };
  auto fill = [&](QColor color, const QPolygonF& shape) {
    p->setPen(Qt::NoPen);
    p->setBrush(color);
    p->drawPolygon(shape);
  };
  switch (icon) {
    case Icon::kRun:
      fill(go, QPolygonF({{4, 2.5}, {13, 8}, {4, 13.5}}));
      break;
    case Icon::kPause:
      fill(ink, QPolygonF({{4, 3}, {7, 3}, {7, 13}, {4, 13}}));
      fill(ink, QPolygonF({{9, 3}, {12, 3}, {12, 13}, {9, 13}}));
      break;
    case Icon::kStepOver: {
      QPainterPath arc(QPointF(2, 9));
      arc.cubicTo(3, 2.5, 12, 2.5, 13.5, 8);
      p->drawPath(arc);
      head({13.7, 8.4}, {10.4, 7.4}, {14.6, 4.8});
      dot({8, 12.5});
      break;
    }
    case Icon::kStepInto:
      p->drawLine(QPointF(8, 1.5), QPointF(8, 9));
      head({8, 9.4}, {5, 6.4}, {11, 6.4});
      dot({8, 13});
      break;
    case Icon::kStepOut:
      p->drawLine(QPointF(8, 2), QPointF(8, 9.4));
      head({8, 1.6}, {5, 4.6}, {11, 4.6});
      dot({8, 13});
      break;
    case Icon::kRunTo:
      fill(go, QPolygonF({{2, 4}, {8.5, 8}, {2, 12}}));
      p->setPen(pen);
      p->drawLine(QPointF(12.5, 3), QPointF(12.5, 13));
      break;
    case Icon::kRestart:
      p->drawArc(QRectF(2.5, 2.5, 11, 11), 60 * 16, 290 * 16);
      head({10.9, 3.2}, {11.6, 0.4}, {13.6, 4.4});
      break;
    case Icon::kStop:
      fill(stop, QPolygonF({{3.5, 3.5}, {12.5, 3.5}, {12.5, 12.5}, {3.5, 12.5}}));
      break;
    case Icon::kBreakpoint:
      p->setPen(Qt::NoPen);
      p->setBrush(stop);
      p->drawEllipse(QPointF(8, 8), 5, 5);
      break;
    case Icon::kStepBack: {
      QPainterPath arc(QPointF(14, 9));
      arc.cubicTo(13, 2.5, 4, 2.5, 2.5, 8);
      p->drawPath(arc);
      head({2.3, 8.4}, {5.6, 7.4}, {1.4, 4.8});
      dot({8, 12.5});
      break;
    }
    case Icon::kReverse:
      fill(go, QPolygonF({{12, 2.5}, {3, 8}, {12, 13.5}}));
      break;
    case Icon::kRunToNan:
      fill(go, QPolygonF({{2, 4}, {8, 8}, {2, 12}}));
      p->setPen(QPen(stop, 2, Qt::SolidLine, Qt::RoundCap));
      p->drawLine(QPointF(12.5, 3.5), QPointF(12.5, 9));
      p->drawPoint(QPointF(12.5, 12.5));
      break;
    case Icon::kClosePanel:
      p->drawLine(QPointF(3.5, 3.5), QPointF(12.5, 12.5));
      p->drawLine(QPointF(12.5, 3.5), QPointF(3.5, 12.5));
      break;
    case Icon::kFloatPanel:
      p->drawRect(QRectF(2.5, 6, 7.5, 7.5));
      p->drawPolyline(QPolygonF({{6, 6}, {6, 2.5}, {13.5, 2.5}, {13.5, 10}, {10, 10}}));
      break;
    case Icon::kArguments:
      for (int row = 0; row < 3; ++row) {
        dot({3, 3.5 + 4.5 * row});
        p->drawLine(QPointF(7, 3.5 + 4.5 * row), QPointF(14, 3.5 + 4.5 * row));
      }
      break;
  }
}

// Asks the palette each time it paints, so that a change of appearance reaches the toolbar.
class Engine : public QIconEngine {
 public:
  explicit Engine(Icon icon) : icon_(icon) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const QPalette palette = QApplication::palette();
    const QColor ink =
        palette.color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active, QPalette::ButtonText);
    const bool disabled = mode == QIcon::Disabled;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(rect.topLeft());
    painter->scale(rect.width() / 16.0, rect.height() / 16.0);
    Draw(painter, icon_, ink, disabled ? ink : palette.color(QPalette::Link), disabled ? ink : QColor(0x2f, 0x96, 0x4b),
         disabled ? ink : QColor(0xd3, 0x3c, 0x3c));
    painter->restore();
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    return pixmap;
  }
  QIconEngine* clone() const override { return new Engine(icon_); }

 private:
  Icon icon_;
};

}  // namespace

QIcon MakeIcon(Icon icon) { return QIcon(new Engine(icon)); }

}  // namespace hloscope::gui
