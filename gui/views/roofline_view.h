// SPDX-License-Identifier: Apache-2.0
// The instructions of a profile against the limits of the device: FLOP per byte, and FLOP per second.
#ifndef HLOSCOPE_GUI_VIEWS_ROOFLINE_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_ROOFLINE_VIEW_H_

#include <QWidget>
#include <memory>
#include <vector>

#include "insight/profile/analysis.h"

namespace hloscope::gui {

class RooflineView : public QWidget {
  Q_OBJECT

 public:
  explicit RooflineView(QWidget* parent = nullptr);

  // May be null.
  void Show(std::shared_ptr<const insight::ProfileAnalysis> analysis);
  // A row of the analysis; -1: none.
  void SetSelected(int row);
  int RowAt(QPointF point) const;
  // Where the row is drawn; null if it has no FLOP, no bytes or no time.
  QPointF PlaceOf(int row) const;
  int drawn() const { return static_cast<int>(points_.size()); }

  QSize minimumSizeHint() const override { return QSize(220, 120); }

 Q_SIGNALS:
  void RowChosen(int row);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Point {
    int row = 0;
    double intensity = 0, rate = 0;  // powers of ten
    double share = 0;                // of the time
  };
  QRectF Plot() const;
  QPointF ToScreen(double intensity, double rate) const;
  void PaintScale(QPainter* painter) const;
  void PaintRoof(QPainter* painter) const;

  std::shared_ptr<const insight::ProfileAnalysis> analysis_;
  std::vector<Point> points_;                             // the most time first
  double left_ = -1, right_ = 3, bottom_ = 9, top_ = 15;  // powers of ten
  int selected_ = -1;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_ROOFLINE_VIEW_H_
