// SPDX-License-Identifier: Apache-2.0
// Colours of the drawn views, chosen by the application's palette: a light set and a dark one.
#ifndef HLOSCOPE_GUI_VIEWS_THEME_H_
#define HLOSCOPE_GUI_VIEWS_THEME_H_

#include <QColor>
#include <QPalette>

#include "core/analysis/graph.h"

namespace hloscope::gui {

struct Theme {
  bool dark = false;

  QColor page;  // background of text and graph
  QColor text;
  QColor muted;  // line numbers, secondary captions
  QColor edge;
  QColor node_border;
  QColor selection;       // accent of the selected instruction
  QColor selection_fill;  // behind the selected instruction's text
  QColor reference_fill;  // behind other mentions of it
  QColor current;         // accent of the instruction that is executed next
  QColor current_fill;
  QColor executed;  // mark of executed instructions
  QColor breakpoint;
  QColor gutter;
  QColor error;
  QColor warning;

  // Syntax colours.
  QColor name, definition, opcode, type, attribute, number, string, keyword, comment;

  QColor CategoryFill(NodeCategory category) const;
  // From pale (0) to glowing (1); below 0: nothing.
  QColor HeatFill(double share) const;
  QColor HealthyFill() const;
  // NaNs and infinities that are meant.
  QColor WrittenFill() const;
  // Values that were dropped before anybody looked for NaNs in them.
  QColor UnseenFill() const;
  // Closed groups.
  QColor GroupFill() const;
  // Fills that anybody can tell apart, for things without an order: 0 to kLabelFills - 1.
  static constexpr int kLabelFills = 8;
  QColor LabelFill(int number) const;
  // Text on such a ground: dark or light, whichever is told from it better.
  static QColor InkOn(const QColor& fill);
  // The same for what matters less; never fainter than kLeastContrast.
  static QColor FaintInkOn(const QColor& fill);
  // As WCAG 2 defines it: from 1, the same, to 21, black and white. All text has at least kLeastContrast.
  static constexpr double kLeastContrast = 4.5;
  static double Contrast(const QColor& a, const QColor& b);
  // `share_of_b` of b, the rest of a.
  static QColor Mixed(const QColor& a, const QColor& b, double share_of_b);
  static Theme For(const QPalette& palette);
  // The palettes behind View > Appearance.
  static QPalette LightPalette();
  static QPalette DarkPalette();
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_THEME_H_
