// SPDX-License-Identifier: Apache-2.0
// The one spacing and the one type scale of the app. Nothing else says how far apart things are or how large text is.
#ifndef HLOSCOPE_GUI_VIEWS_METRICS_H_
#define HLOSCOPE_GUI_VIEWS_METRICS_H_

#include <QFont>
#include <array>

namespace hloscope::gui {

// Pixels before scaling, between and around what is in a panel, a dialog or a page.
struct Space {
  static constexpr int kNone = 0;
  static constexpr int kTight = 4;   // between controls that belong together, and above and below lines of them
  static constexpr int kGap = 6;     // between the parts of a panel
  static constexpr int kMargin = 8;  // around what is in a panel or a dialog
  static constexpr int kWide = 16;   // between columns and paragraphs of a page
  static constexpr int kPage = 40;   // around a page
  static constexpr std::array<int, 6> kAll = {kNone, kTight, kGap, kMargin, kWide, kPage};
};

// Sizes of text, as shares of the font that the user's system has.
enum class TextSize { kSmall, kBody, kTitle };
inline constexpr std::array<TextSize, 3> kTextSizes = {TextSize::kSmall, TextSize::kBody, TextSize::kTitle};
double ScaleOf(TextSize size);

// The application's font in a size: captions of drawings are small, everything else but the name of a page is body.
QFont TextFont(TextSize size);
// Headings inside of a panel: body, but bold.
QFont HeadingFont();
// Fixed pitch, in a size; the text of a module has the size that users choose.
QFont CodeFont(TextSize size = TextSize::kBody);

// Boxes of graphs are in units of the drawing, which users zoom: pixels at 100 %.
struct BoxTextSize {
  static constexpr int kHeading = 12, kDetail = 11, kStub = 9;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_METRICS_H_
