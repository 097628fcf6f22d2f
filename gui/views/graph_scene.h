// The drawn graph: a box an instruction, an arrow an operand, and marks for selection and execution.
#ifndef HLOSCOPE_GUI_VIEWS_GRAPH_SCENE_H_
#define HLOSCOPE_GUI_VIEWS_GRAPH_SCENE_H_

#include <QGraphicsScene>
#include <functional>
#include <vector>

#include "core/analysis/graph.h"
#include "gui/layout/graph_layout.h"
#include "gui/views/theme.h"

namespace hloscope {

class GraphNodeItem;
class GraphEdgeItem;

// How the execution stands with an instruction.
struct NodeMarks {
  bool current = false;  // executed next
  bool executed = false;
  bool breakpoint = false;
};

class GraphScene : public QGraphicsScene {
  Q_OBJECT

 public:
  explicit GraphScene(QObject* parent = nullptr);

  // Size of each node's box, in scene units (points of the layout).
  static std::vector<NodeSize> MeasureNodes(const Graph& graph);

  // Replaces what is drawn. `sizes` as measured, `layout` computed for them.
  void ShowGraph(Graph graph, const std::vector<NodeSize>& sizes, const GraphLayout& layout);
  void Clear();
  const Graph& graph() const { return graph_; }
  bool empty() const { return graph_.nodes.empty(); }

  void SetTheme(const Theme& theme);
  const Theme& theme() const { return theme_; }
  // Marks the instruction and its edges; none removes the mark.
  void SetSelected(InstructionId instruction);
  void UpdateMarks(const std::function<NodeMarks(InstructionId)>& marks_of);

  // The instruction drawn at a point; none beside the boxes.
  InstructionId InstructionAtPoint(QPointF point) const;
  // Box of an instruction; null rectangle if it is not drawn.
  QRectF BoxOf(InstructionId instruction) const;

 private:
  friend class GraphNodeItem;
  friend class GraphEdgeItem;

  GraphNodeItem* ItemOf(InstructionId instruction) const;

  Graph graph_;
  Theme theme_;
  InstructionId selected_;
  std::vector<GraphNodeItem*> nodes_;
  std::vector<GraphEdgeItem*> edges_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_GUI_VIEWS_GRAPH_SCENE_H_
