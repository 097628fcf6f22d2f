// SPDX-License-Identifier: Apache-2.0
// The icons of the toolbar and of title bars, drawn in the palette's colours so that they fit light and dark.
#ifndef HLOSCOPE_GUI_VIEWS_ICONS_H_
#define HLOSCOPE_GUI_VIEWS_ICONS_H_

#include <QIcon>

namespace hloscope::gui {

enum class Icon {
  kRun,
  kPause,
  kStepOver,
  kStepInto,
  kStepOut,
  kRunTo,
  kRestart,
  kStop,
  kBreakpoint,
  kArguments,
  kStepBack,
  kReverse,
  kRunToNan,
  kClosePanel,
  kFloatPanel
};

QIcon MakeIcon(Icon icon);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_ICONS_H_
