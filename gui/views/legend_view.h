// SPDX-License-Identifier: Apache-2.0
// Colours and what they mean, in rows as wide as there is room.
#ifndef HLOSCOPE_GUI_VIEWS_LEGEND_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_LEGEND_VIEW_H_

#include <QWidget>
#include <vector>

#include "gui/views/graph_coloring.h"

namespace hloscope::gui {

class LegendView : public QWidget {
  Q_OBJECT

 public:
  // More rows than these are not shown; the tool tip has everything.
  static constexpr int kMostRows = 3;

  explicit LegendView(QWidget* parent = nullptr);

  // Hides itself if there is nothing to say.
  void SetEntries(std::vector<LegendEntry> entries);
  const std::vector<LegendEntry>& entries() const { return entries_; }

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return QSize(40, RowHeight()); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int RowHeight() const;
  // Where the entries are; a rectangle each, those that do not fit left out.
  std::vector<QRect> Place(int width) const;

  std::vector<LegendEntry> entries_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_LEGEND_VIEW_H_
