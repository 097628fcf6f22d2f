// SPDX-License-Identifier: Apache-2.0
// Shows a drawn graph: zooming, panning, what clicks and keys on it mean, and a small map of the whole in the corner.
#ifndef HLOSCOPE_GUI_VIEWS_GRAPH_CANVAS_H_
#define HLOSCOPE_GUI_VIEWS_GRAPH_CANVAS_H_

#include <QElapsedTimer>
#include <QPixmap>
#include <QPoint>
#include <QWidget>
#include <memory>
#include <optional>

#include "gui/layout/drawn_graph.h"
#include "gui/views/graph_painter.h"

namespace hloscope::gui {

class GraphCanvas : public QWidget {
  Q_OBJECT

 public:
  static constexpr double kMinScale = 0.002;
  static constexpr double kMaxScale = 4;
  // A graph that fits at this scale is shown whole at first.
  static constexpr double kReadableScale = 0.6;
  // Around what is shown of a larger one, where all texts can be read.
  static constexpr double kNearScale = 0.85;

  explicit GraphCanvas(QWidget* parent = nullptr);

  // Replaces what is shown; the part that is seen stays the same in the graph's coordinates. Never null.
  void SetGraph(std::shared_ptr<const DrawnGraph> graph);
  const DrawnGraph& graph() const { return *graph_; }
  const std::shared_ptr<const DrawnGraph>& shared_graph() const { return graph_; }
  // What to paint besides; call Refresh after changing it.
  GraphPainter::Look& look() { return look_; }
  const GraphPainter::Look& look() const { return look_; }
  void Refresh();

  double scale() const { return scale_; }
  // Everything is in view, and stays so when the canvas gets another size.
  bool is_fitted() const { return fitted_; }
  QRectF visible() const { return QRectF(origin_, QSizeF(width(), height()) / scale_); }
  QPointF ToScreen(QPointF p) const { return (p - origin_) * scale_; }
  QPointF ToGraph(QPointF p) const { return p / scale_ + origin_; }

  void ZoomIn() { ZoomBy(1.25, rect().center()); }
  void ZoomOut() { ZoomBy(0.8, rect().center()); }
  void ZoomBy(double factor, QPointF around);
  // The whole graph, but never larger than natural size.
  void FitAll();
  // Fits whatever is shown from now on, until somebody zooms or moves the view.
  void SetKeptFitted(bool kept);
  bool is_kept_fitted() const { return kept_fitted_; }
  // A readable first view: everything if that can be read, else the surroundings of `focus` (or the top) at natural
  // size.
  void ShowInitially(uint32_t focus);
  // Scrolls as little as needed.
  void Reveal(uint32_t box);
  // In the middle, and so large that it can be read; does nothing while the graph is kept fitted.
  void Focus(uint32_t box);
  void CenterOn(QPointF point, double scale);
  // Moves the view so that a point of the graph is at a point of the widget.
  void Pin(QPointF graph_point, QPointF screen_point);

  bool minimap_shown() const { return minimap_shown_; }
  void SetMinimapShown(bool shown);
  // Where the map is drawn; empty if everything is in view.
  QRect MinimapRect() const;

  // The picture of the whole graph or of a part, without marks of the selection.
  void PaintExport(QPainter* painter, const QRectF& part, double scale) const;
  // Seconds that the last paint took.
  double last_paint_seconds() const { return last_paint_seconds_; }

  // What is said about the box, or the stub, at a point of the view.
  QString ToolTipAt(QPointF point) const;

 Q_SIGNALS:
  void BoxClicked(uint32_t box, Qt::KeyboardModifiers modifiers);
  void BoxActivated(uint32_t box);  // double click, Enter
  // The stubs of a box above or below it.
  void StubsClicked(uint32_t box, bool incoming);
  // An arrow key: up, down along edges, left and right to what is beside.
  void Walked(Qt::Key direction);
  void WentUp();  // Backspace
  void MenuRequested(uint32_t box, QPoint global);
  void ViewChanged();
  void KeptFittedChanged(bool kept);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  struct StubHit {
    uint32_t box;
    bool incoming;
  };

  void MoveTo(QPointF origin);
  void FollowMinimap(QPointF point);
  void PaintMinimap(QPainter* painter);
  std::optional<StubHit> StubAt(QPointF point) const;

  std::shared_ptr<const DrawnGraph> graph_;
  GraphPainter painter_;
  GraphPainter::Look look_;
  double scale_ = 1;
  bool fitted_ = false;  // everything is in view, and stays so when the canvas gets another size
  bool fitting_ = false;
  bool kept_fitted_ = false;
  QPointF origin_;  // of the graph, at the widget's upper left
  bool minimap_shown_ = true;
  QPixmap minimap_;  // null: to be painted
  double last_paint_seconds_ = 0;

  enum class Drag { kNone, kPressed, kPanning, kMinimap };
  Drag drag_ = Drag::kNone;
  QPoint press_, last_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_GRAPH_CANVAS_H_
