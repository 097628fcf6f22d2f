#include "gui/views/graph_scene.h"

#include <QFontMetricsF>
#include <QGraphicsItem>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <algorithm>
#include <utility>

#include "gui/models/text.h"

namespace hloscope {
namespace {

constexpr qreal kHorizontalPadding = 10;
constexpr qreal kVerticalPadding = 6;
constexpr qreal kMinWidth = 56;
constexpr qreal kMargin = 40;  // around the whole drawing
// Below these scales of the view, text and arrow heads are smaller than a reader can use.
constexpr qreal kTextScale = 0.3;
constexpr qreal kArrowScale = 0.15;

QFont HeadingFont() {
  QFont font;
  font.setPixelSize(13);
  font.setBold(true);
  return font;
}

QFont DetailFont() {
  QFont font = Theme::CodeFont();
  font.setPixelSize(11);
  return font;
}

QFont BadgeFont() {
  QFont font;
  font.setPixelSize(10);
  return font;
}

// Sources are drawn small: what they are called and how large they are.
bool IsCompact(const GraphNode& node) {
  return node.category == NodeCategory::kConstant || node.category == NodeCategory::kParameter;
}

QStringList Captions(const GraphNode& node) {
  QStringList lines;
  for (const std::string& line : node.lines) lines << ToQString(line);
  // The name of a constant says less than its type; what it holds is in the property panel.
  if (node.category == NodeCategory::kConstant && lines.size() > 2) lines.removeAt(1);
  return lines;
}

qreal LineHeight(bool heading) { return QFontMetricsF(heading ? HeadingFont() : DetailFont()).height(); }

}  // namespace

class GraphNodeItem : public QGraphicsItem {
 public:
  enum { Type = UserType + 1 };
  int type() const override { return Type; }

  GraphNodeItem(const GraphScene& scene, const GraphNode& node, QPointF center, NodeSize size)
      : scene_(scene),
        node_(node),
        captions_(Captions(node)),
        box_(-size.width / 2, -size.height / 2, size.width, size.height) {
    setPos(center);
    setZValue(1);
    QStringList tool_tip;
    for (const std::string& line : node.lines) tool_tip << ToQString(line);
    if (node.hidden_neighbours > 0) {
      tool_tip << GraphScene::tr("%1 more operands and users are not drawn").arg(node.hidden_neighbours);
    }
    if (!node.called.empty()) tool_tip << GraphScene::tr("Double-click to enter the called computation");
    setToolTip(tool_tip.join(QLatin1Char('\n')));
  }

  const GraphNode& node() const { return node_; }
  QRectF box() const { return box_.translated(pos()); }
  void SetMarks(NodeMarks marks) {
    if (marks.current == marks_.current && marks.executed == marks_.executed && marks.breakpoint == marks_.breakpoint) {
      return;
    }
    marks_ = marks;
    update();
  }
  void SetSelected(bool selected) {
    selected_ = selected;
    setZValue(selected ? 2 : 1);
    update();
  }

  QRectF boundingRect() const override { return box_.adjusted(-10, -10, 22, 16); }

  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override {
    const Theme& theme = scene_.theme();
    const qreal scale = option->levelOfDetailFromTransform(painter->worldTransform());
    const qreal radius = IsCompact(node_) ? box_.height() / 2 : 7;
    if (selected_) {
      QColor halo = theme.selection;
      halo.setAlpha(70);
      painter->setPen(Qt::NoPen);
      painter->setBrush(halo);
      painter->drawRoundedRect(box_.adjusted(-5, -5, 5, 5), radius + 5, radius + 5);
    }
    QPen border(theme.node_border, 1);
    if (node_.is_root) border.setWidthF(2);
    if (selected_) border = QPen(theme.selection, 2.4);
    if (marks_.current) border = QPen(theme.current, 3);
    painter->setPen(border);
    painter->setBrush(theme.CategoryFill(node_.category));
    painter->drawRoundedRect(box_, radius, radius);
    if (!node_.called.empty()) {
      // A second outline inside: there is a computation to enter.
      painter->setBrush(Qt::NoBrush);
      painter->setPen(QPen(theme.node_border, 0.8));
      painter->drawRoundedRect(box_.adjusted(3, 3, -3, -3), radius - 2, radius - 2);
    }
    if (scale >= kTextScale) PaintText(painter, theme);
    PaintMarks(painter, theme, scale);
  }

 private:
  void PaintText(QPainter* painter, const Theme& theme) {
    qreal y = box_.top() + kVerticalPadding;
    for (qsizetype i = 0; i < captions_.size(); ++i) {
      const bool heading = i == 0;
      painter->setFont(heading ? HeadingFont() : DetailFont());
      painter->setPen(i + 1 == captions_.size() && i > 0 ? theme.type : theme.text);
      const qreal height = LineHeight(heading);
      painter->drawText(QRectF(box_.left(), y, box_.width(), height), Qt::AlignCenter, captions_[i]);
      y += height;
    }
    if (node_.hidden_neighbours > 0) {
      painter->setFont(BadgeFont());
      painter->setPen(theme.muted);
      painter->drawText(QRectF(box_.right() - 60, box_.bottom() + 1, 60, 13), Qt::AlignRight | Qt::AlignTop,
                        QStringLiteral("+%1").arg(node_.hidden_neighbours));
    }
    if (node_.is_root) {
      painter->setFont(BadgeFont());
      painter->setPen(theme.muted);
      painter->drawText(QRectF(box_.left(), box_.bottom() + 1, 60, 13), Qt::AlignLeft | Qt::AlignTop,
                        QStringLiteral("ROOT"));
    }
  }

  void PaintMarks(QPainter* painter, const Theme& theme, qreal scale) {
    painter->setPen(Qt::NoPen);
    if (marks_.executed) {
      const QPointF center(box_.right() - 1, box_.top() + 1);
      painter->setBrush(theme.executed);
      painter->drawEllipse(center, 7, 7);
      if (scale >= kTextScale) {
        painter->setPen(QPen(theme.page, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const QPointF tick[] = {center + QPointF(-3, 0), center + QPointF(-1, 2.6), center + QPointF(3.4, -2.6)};
        painter->drawPolyline(tick, 3);
        painter->setPen(Qt::NoPen);
      }
    }
    if (marks_.current) {
      painter->setBrush(theme.current);
      const QPointF arrow[] = {{box_.left() - 9, -7}, {box_.left() + 3, 0}, {box_.left() - 9, 7}};
      painter->drawPolygon(arrow, 3);
    }
    if (marks_.breakpoint) {
      painter->setBrush(theme.breakpoint);
      painter->drawEllipse(QPointF(box_.left() + 1, box_.top() + 1), 6, 6);
    }
  }

  const GraphScene& scene_;
  const GraphNode& node_;
  QStringList captions_;
  QRectF box_;  // around the item's position
  NodeMarks marks_;
  bool selected_ = false;
};

class GraphEdgeItem : public QGraphicsItem {
 public:
  GraphEdgeItem(const GraphScene& scene, const GraphEdge& edge, const GraphLayout::Edge& drawn)
      : scene_(scene), edge_(edge), drawn_(drawn) {
    bounds_ = drawn_.path.boundingRect().united(QRectF(drawn_.arrow_tip, QSizeF(1, 1))).adjusted(-14, -14, 14, 14);
  }

  const GraphEdge& edge() const { return edge_; }
  // An edge of the selected instruction; its operand number is shown where the selected instruction consumes.
  void SetHighlighted(bool highlighted, bool numbered) {
    if (highlighted == highlighted_ && numbered == numbered_) return;
    highlighted_ = highlighted;
    numbered_ = numbered;
    setZValue(highlighted ? 0.5 : 0);
    update();
  }

  QRectF boundingRect() const override { return bounds_; }

  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override {
    if (drawn_.path.isEmpty()) return;
    const Theme& theme = scene_.theme();
    const qreal scale = option->levelOfDetailFromTransform(painter->worldTransform());
    const QColor color = highlighted_ ? theme.selection : theme.edge;
    // Thin lines keep a visible width when the whole graph is in view.
    QPen pen(color, std::max(highlighted_ ? 2.0 : 1.1, 0.6 / std::max(scale, 0.01)));
    if (edge_.operand == GraphEdge::kControl) pen.setStyle(Qt::DashLine);
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(drawn_.path);
    if (scale < kArrowScale) return;
    const QLineF direction(drawn_.arrow_base, drawn_.arrow_tip);
    if (direction.length() > 0.1) {
      const QPointF along = (drawn_.arrow_tip - drawn_.arrow_base) / direction.length();
      const QPointF across(-along.y(), along.x());
      const QPointF head[] = {drawn_.arrow_tip, drawn_.arrow_tip - along * 8 + across * 3.6,
                              drawn_.arrow_tip - along * 8 - across * 3.6};
      painter->setPen(Qt::NoPen);
      painter->setBrush(color);
      painter->drawPolygon(head, 3);
    }
    if (numbered_ && edge_.operand >= 0 && scale >= kTextScale) {
      painter->setFont(BadgeFont());
      painter->setPen(theme.selection);
      painter->drawText(drawn_.arrow_base + QPointF(6, 0), QString::number(edge_.operand));
    }
  }

 private:
  const GraphScene& scene_;
  const GraphEdge& edge_;
  GraphLayout::Edge drawn_;
  QRectF bounds_;
  bool highlighted_ = false;
  bool numbered_ = false;
};

GraphScene::GraphScene(QObject* parent) : QGraphicsScene(parent) {}

std::vector<NodeSize> GraphScene::MeasureNodes(const Graph& graph) {
  const QFontMetricsF heading(HeadingFont()), detail(DetailFont());
  std::vector<NodeSize> sizes;
  sizes.reserve(graph.nodes.size());
  for (const GraphNode& node : graph.nodes) {
    const QStringList captions = Captions(node);
    NodeSize size;
    for (qsizetype i = 0; i < captions.size(); ++i) {
      const QFontMetricsF& metrics = i == 0 ? heading : detail;
      size.width = std::max(size.width, metrics.horizontalAdvance(captions[i]));
      size.height += metrics.height();
    }
    size.width = std::max(kMinWidth, size.width + 2 * kHorizontalPadding + (IsCompact(node) ? 10 : 0));
    size.height += 2 * kVerticalPadding;
    sizes.push_back(size);
  }
  return sizes;
}

void GraphScene::Clear() {
  clear();
  nodes_.clear();
  edges_.clear();
  graph_ = Graph();
  selected_ = InstructionId();
}

void GraphScene::ShowGraph(Graph graph, const std::vector<NodeSize>& sizes, const GraphLayout& layout) {
  Clear();
  graph_ = std::move(graph);
  // Items refer to the nodes and edges of graph_, which stay where they are until the next Clear().
  for (size_t i = 0; i < graph_.edges.size(); ++i) {
    edges_.push_back(new GraphEdgeItem(*this, graph_.edges[i], layout.edges[i]));
    addItem(edges_.back());
  }
  for (size_t i = 0; i < graph_.nodes.size(); ++i) {
    nodes_.push_back(new GraphNodeItem(*this, graph_.nodes[i], layout.centers[i], sizes[i]));
    addItem(nodes_.back());
  }
  setSceneRect(QRectF(QPointF(0, 0), layout.size).adjusted(-kMargin, -kMargin, kMargin, kMargin));
}

void GraphScene::SetTheme(const Theme& theme) {
  theme_ = theme;
  setBackgroundBrush(theme.page);
  update();
}

GraphNodeItem* GraphScene::ItemOf(InstructionId instruction) const {
  const auto found = graph_.node_of.find(instruction);
  return found != graph_.node_of.end() ? nodes_[found->second] : nullptr;
}

void GraphScene::SetSelected(InstructionId instruction) {
  if (GraphNodeItem* before = ItemOf(selected_)) before->SetSelected(false);
  selected_ = instruction;
  if (GraphNodeItem* now = ItemOf(selected_)) now->SetSelected(true);
  const auto found = graph_.node_of.find(instruction);
  const uint32_t node = found != graph_.node_of.end() ? found->second : 0xFFFFFFFFu;
  int operands = 0;
  for (const GraphEdge& edge : graph_.edges) operands += edge.to == node && edge.operand >= 0;
  for (GraphEdgeItem* item : edges_) {
    const bool consumed = item->edge().to == node;
    item->SetHighlighted(consumed || item->edge().from == node, consumed && operands > 1);
  }
}

void GraphScene::UpdateMarks(const std::function<NodeMarks(InstructionId)>& marks_of) {
  for (GraphNodeItem* item : nodes_) item->SetMarks(marks_of(item->node().instruction));
}

InstructionId GraphScene::InstructionAtPoint(QPointF point) const {
  for (QGraphicsItem* item : items(point)) {
    const auto* node = qgraphicsitem_cast<const GraphNodeItem*>(item);
    if (node != nullptr && node->box().contains(point)) return node->node().instruction;
  }
  return InstructionId();
}

QRectF GraphScene::BoxOf(InstructionId instruction) const {
  const GraphNodeItem* item = ItemOf(instruction);
  return item != nullptr ? item->box() : QRectF();
}

}  // namespace hloscope
