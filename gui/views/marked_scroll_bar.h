// SPDX-License-Identifier: Apache-2.0
// A scroll bar that shows where in a text something is: problems, breakpoints, what is executed next.
#ifndef HLOSCOPE_GUI_VIEWS_MARKED_SCROLL_BAR_H_
#define HLOSCOPE_GUI_VIEWS_MARKED_SCROLL_BAR_H_

#include <QColor>
#include <QScrollBar>
#include <vector>

namespace hloscope::gui {

class MarkedScrollBar : public QScrollBar {
  Q_OBJECT

 public:
  using QScrollBar::QScrollBar;

  struct Mark {
    int line = 0;
    QColor color;
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  // Later ones are painted over earlier ones. `lines`: of the whole text.
  void SetMarks(std::vector<Mark> marks, int lines);
  const std::vector<Mark>& marks() const { return marks_; }
  // Where a line is shown.
  QRect RectOf(int line) const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<Mark> marks_;
  int lines_ = 1;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_MARKED_SCROLL_BAR_H_
