// SPDX-License-Identifier: Apache-2.0
// A slice of an array as a picture: a rectangle of colour for each element, or for each group of elements where there
// are more than pixels. Pans and zooms; never computes on the UI thread.
#ifndef HLOSCOPE_GUI_VIEWS_HEAT_MAP_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_HEAT_MAP_VIEW_H_

#include <QImage>
#include <QWidget>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "gui/models/color_scale.h"
#include "gui/models/value_tiles.h"

namespace hloscope::gui {

class HeatMapView : public QWidget {
  Q_OBJECT

 public:
  explicit HeatMapView(QWidget* parent = nullptr);

  // The part in view stays if the slice has the sizes of the one before. With a channel axis the first `channels` (1
  // or 3) slices along it are grey, or red, green and blue. Null: nothing is shown.
  void SetSource(std::shared_ptr<const ElementReader> reader, const TensorSlice& slice,
                 int64_t channel_axis = TensorSlice::kNoAxis, int channels = 1);
  void SetScale(const ColorScale& scale);
  const ColorScale& scale() const { return scale_; }
  ValueTiles* tiles() { return tiles_; }

  // The part in view, in elements: x are columns, y are rows.
  QRectF window() const { return window_; }
  // Says nothing to others: for views that follow one another.
  void SetWindow(const QRectF& window);
  // All of it.
  void Fit();
  // One element covers this many pixels.
  void ZoomTo(double pixels);

  TensorSlice::Cell current() const { return current_; }
  // Clamped; scrolls there.
  void SetCurrent(TensorSlice::Cell cell);
  // Where a cell is drawn.
  QRectF RectOf(TensorSlice::Cell cell) const;

  QSize sizeHint() const override { return QSize(320, 170); }
  QSize minimumSizeHint() const override { return QSize(120, 90); }

 Q_SIGNALS:
  // The user moved or zoomed.
  void WindowChanged();
  void CurrentChanged(TensorSlice::Cell cell);
  void CellActivated(TensorSlice::Cell cell);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  bool empty() const { return slice_.rows() == 0 || reader_ == nullptr; }
  bool is_image() const { return channel_axis_ != TensorSlice::kNoAxis; }
  QRectF Plot() const;
  QPointF ToPixels(double column, double row) const;
  TensorSlice::Cell CellAt(QPointF pixel) const;
  bool HasCell(QPointF pixel) const;
  void MoveTo(QRectF window);
  void Zoom(double factor, QPointF pixel);
  QRectF Fitting() const;
  QString CellText(TensorSlice::Cell cell) const;
  const QImage& ImageOf(const TileKey& key, const ValueTile& tile);
  void DrawTiles(QPainter& painter);
  void DrawNumbers(QPainter& painter);
  void DrawRulers(QPainter& painter);

  ValueTiles* tiles_;
  std::shared_ptr<const ElementReader> reader_;
  TensorSlice slice_;
  int64_t channel_axis_ = TensorSlice::kNoAxis;
  ColorScale scale_;
  QRectF window_;
  bool fitted_ = true;  // follows the widget's size
  TensorSlice::Cell current_;
  absl::flat_hash_map<TileKey, QImage> images_;
  QPointF drag_from_;
  QRectF drag_window_;
  bool dragging_ = false, dragged_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_HEAT_MAP_VIEW_H_
