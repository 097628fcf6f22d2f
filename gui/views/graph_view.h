// Zooming and panning over a GraphScene, and what clicks on it mean.
#ifndef HLOSCOPE_GUI_VIEWS_GRAPH_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_GRAPH_VIEW_H_

#include <QGraphicsView>
#include <QPoint>

#include "core/ir/ids.h"
#include "gui/views/graph_scene.h"

namespace hloscope {

class GraphView : public QGraphicsView {
  Q_OBJECT

 public:
  static constexpr qreal kMinScale = 0.02;
  static constexpr qreal kMaxScale = 4;

  explicit GraphView(GraphScene* scene, QWidget* parent = nullptr);

  void ZoomIn() { ZoomBy(1.25); }
  void ZoomOut() { ZoomBy(0.8); }
  // The whole graph, but never larger than natural size.
  void FitAll();
  // A readable first view: everything if that can be read, else the surroundings of `focus` at natural size.
  void ShowInitially(InstructionId focus);
  // Scrolls as little as needed.
  void Reveal(InstructionId instruction);

 Q_SIGNALS:
  void InstructionClicked(InstructionId instruction);
  void InstructionActivated(InstructionId instruction);  // double click
  // An arrow key: -1 towards operands, +1 towards users.
  void Walked(int direction);

 protected:
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  void ZoomBy(qreal factor);
  InstructionId InstructionUnder(const QMouseEvent* event) const;

  GraphScene* scene_;
  bool pressed_ = false;
  bool panning_ = false;
  QPoint press_, last_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_GUI_VIEWS_GRAPH_VIEW_H_
