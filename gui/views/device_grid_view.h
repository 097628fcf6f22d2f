// SPDX-License-Identifier: Apache-2.0
// The devices of a run as boxes: coloured by the part of the array they hold or by their group, with arrows for what
// the chosen device gets and gives.
#ifndef HLOSCOPE_GUI_VIEWS_DEVICE_GRID_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_DEVICE_GRID_VIEW_H_

#include <QAbstractScrollArea>

#include "gui/models/device_map.h"

namespace hloscope::gui {

// A colour for a group or a part: neighbours differ.
QColor NumberColor(int64_t number, bool dark);

class DeviceGridView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit DeviceGridView(QWidget* parent = nullptr);

  void SetMap(const DeviceMap& map);
  // -1: none.
  int64_t current() const { return current_; }
  void SetCurrent(int64_t device);
  // Of a device; empty if it has none.
  QRectF RectOf(int64_t device) const;

  QSize sizeHint() const override { return QSize(260, 150); }
  QSize minimumSizeHint() const override { return QSize(120, 80); }

 Q_SIGNALS:
  void CurrentChanged(int64_t device);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  int64_t columns() const;
  QRectF RectAt(size_t place) const;
  size_t PlaceAt(QPointF point) const;
  void UpdateScrollBars();
  void Choose(int64_t device);
  void DrawArrow(QPainter& painter, int64_t from, int64_t to, const QColor& color) const;

  DeviceMap map_;
  int64_t current_ = -1;
};

// An array cut into the parts that devices hold: the two dimensions that are cut most.
class ArrayPartsView : public QWidget {
  Q_OBJECT

 public:
  explicit ArrayPartsView(QWidget* parent = nullptr);
  void SetMap(const DeviceMap& map);
  void SetCurrent(int64_t device);
  QSize sizeHint() const override { return QSize(200, 150); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  DeviceMap map_;
  int64_t current_ = -1;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_DEVICE_GRID_VIEW_H_
