// SPDX-License-Identifier: Apache-2.0
// What keeps windows and dialogs within small screens: 640 x 360 points, as 1280 x 720 has at double scale.
#ifndef HLOSCOPE_GUI_VIEWS_SMALL_SCREENS_H_
#define HLOSCOPE_GUI_VIEWS_SMALL_SCREENS_H_

#include <QScrollArea>
#include <QSize>

namespace hloscope::gui {

// The size, or as much of it as the screen has room for beside frames and title bars.
QSize FittedToScreen(QSize wanted);

// A page that is scrolled where it is higher or wider than the window around it, and fills it otherwise. Without a
// frame.
class ScrolledPage : public QScrollArea {
  Q_OBJECT

 public:
  explicit ScrolledPage(QWidget* page, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_SMALL_SCREENS_H_
