// SPDX-License-Identifier: Apache-2.0
// Qt's Fusion with what the light and the dark colours need: boxes to tick that are seen on a dark ground, chosen
// buttons that differ from the others; with quiet borders, flat headings and one spacing everywhere.
#ifndef HLOSCOPE_GUI_VIEWS_APP_STYLE_H_
#define HLOSCOPE_GUI_VIEWS_APP_STYLE_H_

#include <QProxyStyle>

namespace hloscope::gui {

class AppStyle : public QProxyStyle {
 public:
  AppStyle();
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget = nullptr) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget = nullptr) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option = nullptr,
                  const QWidget* widget = nullptr) const override;

  // What closes and tears off panels looks like the toolbar, sharp at any scale.
  QIcon standardIcon(StandardPixmap icon, const QStyleOption* option = nullptr,
                     const QWidget* widget = nullptr) const override;
  int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                QStyleHintReturn* result = nullptr) const override;

  // Of borders that only part one thing from another.
  static QColor QuietLine(const QPalette& palette);
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_APP_STYLE_H_
