// SPDX-License-Identifier: Apache-2.0
// What a widget without a label of its own is called: for the mouse, and for screen readers.
#ifndef HLOSCOPE_GUI_VIEWS_NAMED_WIDGET_H_
#define HLOSCOPE_GUI_VIEWS_NAMED_WIDGET_H_

#include <QString>
#include <QWidget>

namespace hloscope::gui {

inline void NameWidget(QWidget* widget, const QString& name) {
  widget->setToolTip(name);
  widget->setAccessibleName(name);
}

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_NAMED_WIDGET_H_
