// SPDX-License-Identifier: Apache-2.0
// The memory of a run over its schedule: the bytes that are alive, and below them the life of each value as a bar, the
// largest first or where it lies in memory.
#ifndef HLOSCOPE_GUI_VIEWS_MEMORY_LIVES_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_MEMORY_LIVES_VIEW_H_

#include <QAbstractScrollArea>
#include <memory>
#include <vector>

#include "gui/models/memory_picture.h"
#include "gui/views/zoom_range.h"

class QPainter;

namespace hloscope::gui {

struct Theme;

class MemoryLivesView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;
  enum class Order { kLargestFirst, kPlaces };

  explicit MemoryLivesView(QWidget* parent = nullptr);

  // May be null.
  void Show(std::shared_ptr<const MemoryPicture> picture);
  void SetOrder(Order order);
  // The step that is marked.
  void SetStep(uint32_t step);
  uint32_t step() const { return step_; }
  void SetSelected(InstructionId instruction);
  // What is at a place of the viewport.
  uint32_t ValueAt(QPointF point) const;
  uint32_t StepAt(double x) const;
  QRectF RectOf(uint32_t value) const;
  void FitAll();
  void ZoomBy(double factor, double x);
  double length() const { return range_.length(); }

  QSize minimumSizeHint() const override { return QSize(200, 100); }

 Q_SIGNALS:
  void StepChosen(uint32_t step);
  void ValueChosen(uint32_t value);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  int CurveHeight() const;
  double XOf(double step) const;
  void Arrange();
  void PaintCurve(QPainter* painter, const Theme& theme) const;
  void PaintBars(QPainter* painter, const Theme& theme) const;
  void PaintMarks(QPainter* painter, const Theme& theme) const;

  std::shared_ptr<const MemoryPicture> picture_;
  Order order_ = Order::kLargestFirst;
  ZoomRange range_;  // in steps
  uint32_t step_ = 0;
  InstructionId selected_;
  std::vector<uint32_t> rows_;    // values by row, kLargestFirst
  std::vector<uint32_t> row_of_;  // the way back
  std::vector<double> places_;    // by value, kPlaces: bytes from the top; below 0: nowhere
  double all_bytes_ = 0;
  QPointF press_;
  double press_begin_ = 0;
  bool dragging_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_MEMORY_LIVES_VIEW_H_
