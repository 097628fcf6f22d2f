#include "gui/views/app_style.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace hloscope::gui {

AppStyle::AppStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void AppStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  const QPalette& colors = option->palette;
  const bool enabled = option->state.testFlag(State_Enabled);
  const QRectF frame = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
  QColor line;
  switch (element) {
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
      // Fusion's frame is darker than the ground, which on a dark one is nearly nothing.
      if (colors.color(QPalette::Window).lightness() >= 128) return;
      line = colors.color(enabled ? QPalette::Active : QPalette::Disabled, QPalette::WindowText);
      line.setAlpha(enabled ? 130 : 70);
      break;
    case PE_PanelButtonTool:
    case PE_PanelButtonCommand: {
      if (!option->state.testFlag(State_On)) return;
      line = colors.color(QPalette::Highlight);
      QColor veil = line;
      veil.setAlpha(90);
      painter->save();
      painter->setRenderHint(QPainter::Antialiasing);
      painter->setPen(Qt::NoPen);
      painter->setBrush(veil);
      painter->drawRoundedRect(frame, 2, 2);
      painter->restore();
      break;
    }
    default:
      return;
  }
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(line);
  painter->setBrush(Qt::NoBrush);
  painter->drawRoundedRect(frame, 2, 2);
  painter->restore();
}

}  // namespace hloscope::gui
