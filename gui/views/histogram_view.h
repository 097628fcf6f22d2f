// SPDX-License-Identifier: Apache-2.0
// A histogram with the colour scale below it and two handles that choose the scale's range.
#ifndef HLOSCOPE_GUI_VIEWS_HISTOGRAM_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_HISTOGRAM_VIEW_H_

#include <QWidget>

#include "gui/models/color_scale.h"
#include "gui/models/tensor_statistics.h"

namespace hloscope::gui {

class HistogramView : public QWidget {
  Q_OBJECT

 public:
  explicit HistogramView(QWidget* parent = nullptr);

  // Without bins nothing is drawn but the colours.
  void SetHistogram(Histogram histogram);
  const Histogram& histogram() const { return histogram_; }
  void SetScale(const ColorScale& scale);
  // Where a number is on the horizontal axis, in pixels; the handles are at the ends of the range.
  double PixelOf(double value) const;

  QSize sizeHint() const override { return QSize(320, 84); }
  QSize minimumSizeHint() const override { return QSize(120, 72); }

 Q_SIGNALS:
  // The user moved a handle: low <= high.
  void RangeChanged(double low, double high);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  enum class Handle { kNone, kLow, kHigh };

  // Left and right ends of the axis as numbers: the histogram's and the range's.
  double AxisLow() const;
  double AxisHigh() const;
  double ValueAtPixel(double pixel) const;
  void MoveHandle(double value);

  Histogram histogram_;
  ColorScale scale_;
  Handle active_ = Handle::kLow;  // that the keys move
  Handle dragged_ = Handle::kNone;
  double axis_low_ = 0, axis_high_ = 1;  // while a handle is dragged
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_HISTOGRAM_VIEW_H_
