// SPDX-License-Identifier: Apache-2.0
#include "gui/views/app_style.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

#include "gui/views/icons.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"

namespace hloscope::gui {

AppStyle::AppStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

QColor AppStyle::QuietLine(const QPalette& palette) {
  return Theme::Mixed(palette.color(QPalette::Window), palette.color(QPalette::WindowText), 0.17);
}

int AppStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_LayoutLeftMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutBottomMargin:
      return Space::kMargin;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
      return Space::kGap;
    case PM_DockWidgetTitleMargin:
      return Space::kTight;
    case PM_DockWidgetSeparatorExtent:
    case PM_SplitterWidth:
      return 5;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

QIcon AppStyle::standardIcon(StandardPixmap icon, const QStyleOption* option, const QWidget* widget) const {
  switch (icon) {
    case SP_TitleBarCloseButton:
    case SP_DockWidgetCloseButton:
      return MakeIcon(Icon::kClosePanel);
    case SP_TitleBarNormalButton:
      return MakeIcon(Icon::kFloatPanel);
    default:
      return QProxyStyle::standardIcon(icon, option, widget);
  }
}

int AppStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                        QStyleHintReturn* result) const {
  // Words are enough on the buttons of dialogs.
  if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
  return QProxyStyle::styleHint(hint, option, widget, result);
}

void AppStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                           const QWidget* widget) const {
  const QPalette& colors = option->palette;
  const QRect& rect = option->rect;
  switch (element) {
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
      painter->fillRect(rect, colors.color(QPalette::Window));
      painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), QuietLine(colors));
      if (element == CE_HeaderSection) {
        painter->fillRect(QRect(rect.right(), rect.top() + 3, 1, rect.height() - 6), QuietLine(colors));
      }
      return;
    case CE_Splitter: {
      // A line in the middle; the whole width can be taken hold of.
      const bool upright = option->state.testFlag(State_Horizontal);
      const QColor line =
          option->state.testFlag(State_MouseOver) ? colors.color(QPalette::Highlight) : QuietLine(colors);
      painter->fillRect(upright ? QRect(rect.center().x(), rect.top(), 1, rect.height())
                                : QRect(rect.left(), rect.center().y(), rect.width(), 1),
                        line);
      return;
    }
    case CE_DockWidgetTitle: {
      const auto* title = qstyleoption_cast<const QStyleOptionDockWidget*>(option);
      if (title == nullptr) break;
      QStyleOptionDockWidget plain(*title);
      const QRect room = subElementRect(SE_DockWidgetTitleBarText, &plain, widget);
      painter->save();
      const QFont font = HeadingFont();
      painter->setFont(font);
      const QRect text = room.adjusted(Space::kMargin - pixelMetric(PM_DockWidgetTitleMargin, option, widget), 0, 0, 0);
      drawItemText(painter, text, Qt::AlignLeft | Qt::AlignVCenter, colors, title->state.testFlag(State_Enabled),
                   QFontMetrics(font).elidedText(title->title, Qt::ElideRight, text.width()), QPalette::WindowText);
      painter->restore();
      return;
    }
    default:
      break;
  }
  QProxyStyle::drawControl(element, option, painter, widget);
}

void AppStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
  const QPalette& colors = option->palette;
  if (element == PE_Frame) {
    const bool focus = option->state.testFlag(State_HasFocus);
    painter->save();
    painter->setPen(focus ? colors.color(QPalette::Highlight) : QuietLine(colors));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
    painter->restore();
    return;
  }
  if (element == PE_IndicatorTabClose) {
    const bool is_used = option->state.testFlag(State_MouseOver) || option->state.testFlag(State_Selected);
    MakeIcon(Icon::kClosePanel)
        .paint(painter, option->rect, Qt::AlignCenter, is_used ? QIcon::Normal : QIcon::Disabled);
    return;
  }
  if (element == PE_IndicatorDockWidgetResizeHandle) {
    const QRect& rect = option->rect;
    const bool upright = option->state.testFlag(State_Horizontal);
    painter->fillRect(upright ? QRect(rect.left(), rect.center().y(), rect.width(), 1)
                              : QRect(rect.center().x(), rect.top(), 1, rect.height()),
                      QuietLine(colors));
    return;
  }
  QProxyStyle::drawPrimitive(element, option, painter, widget);
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
