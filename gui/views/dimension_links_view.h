// SPDX-License-Identifier: Apache-2.0
// The dimensions of operands and result as boxes, with lines between those that belong together.
#ifndef HLOSCOPE_GUI_VIEWS_DIMENSION_LINKS_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_DIMENSION_LINKS_VIEW_H_

#include <QWidget>

#include "gui/models/index_map.h"

namespace hloscope::gui {

class DimensionLinksView : public QWidget {
  Q_OBJECT

 public:
  explicit DimensionLinksView(QWidget* parent = nullptr);

  // Shows nothing for a map that is not good.
  void SetMap(const IndexMap& map);

  QSize sizeHint() const override { return QSize(320, 104); }
  QSize minimumSizeHint() const override { return QSize(160, 104); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Row {
    QString title;
    std::vector<QString> sizes;
  };
  // Boxes of a row that begins at `x`; moves `x` past it.
  std::vector<QRectF> BoxesOf(const Row& row, double y, double* x) const;

  std::vector<Row> operands_;
  Row result_;
  std::vector<DimensionLink> links_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_DIMENSION_LINKS_VIEW_H_
