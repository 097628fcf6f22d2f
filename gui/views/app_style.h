// Qt's Fusion with what the light and the dark colours need: boxes to tick that are seen on a dark ground, and chosen
// buttons that differ from the others.
#ifndef HLOSCOPE_GUI_VIEWS_APP_STYLE_H_
#define HLOSCOPE_GUI_VIEWS_APP_STYLE_H_

#include <QProxyStyle>

namespace hloscope::gui {

class AppStyle : public QProxyStyle {
 public:
  AppStyle();
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget = nullptr) const override;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_APP_STYLE_H_
