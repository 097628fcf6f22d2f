// SPDX-License-Identifier: Apache-2.0
// The graph from far away: boxes without texts, then dots, then how dense they lie and where edges run between them.
#include <QImage>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/views/graph_painter.h"
#include "gui/views/graph_painter_parts.h"
#include "gui/views/metrics.h"

namespace hloscope::gui {
namespace {

// From this scale on, below the one of whole texts, as many boxes as can be painted in no time have a heading.
constexpr double kHeadingScale = 0.3;
constexpr size_t kMostHeadings = 300;
// Pixels of a cell of the picture of densities.
constexpr int kCell = 2;

// Pale and dark fills are made for texts. Where boxes are dots they vanish: the same hue, as strong as it can be told
// from the page.
QColor Dot(const QColor& fill, const Theme& theme) {
  const float hue = fill.hslHueF();
  const float lightness = theme.dark ? 0.56F : 0.58F;
  if (hue < 0 || fill.hslSaturationF() < 0.08F) return QColor::fromHslF(0, 0, theme.dark ? 0.48F : 0.66F);
  return QColor::fromHslF(hue, std::max(0.55F, fill.hslSaturationF()), lightness);
}

// A colour as sums of shares are made of it: the classes of Qt take longer for each of half a million cells.
struct Ink {
  float red = 0, green = 0, blue = 0;

  Ink() = default;
  explicit Ink(const QColor& color) : red(color.redF()), green(color.greenF()), blue(color.blueF()) {}
  Ink MixedWith(const Ink& other, float share) const {
    Ink mixed;
    mixed.red = red + (other.red - red) * share;
    mixed.green = green + (other.green - green) * share;
    mixed.blue = blue + (other.blue - blue) * share;
    return mixed;
  }
  QRgb rgb() const {
    const auto byte = [](float part) { return qRound(part * 255); };
    return qRgb(byte(red), byte(green), byte(blue));
  }
};

// What lies in the cells of a part of the picture: colours of boxes by the area that they cover, and edges that pass.
class Densities {
 public:
  struct Cell {
    float area = 0, edges = 0;
    Ink ink;  // sum by area
  };

  // `cells`: memory from one picture to the next.
  Densities(QSizeF size, std::vector<Cell>* cells)
      : columns_(std::max(1, static_cast<int>(std::ceil(size.width() / kCell)))),
        rows_(std::max(1, static_cast<int>(std::ceil(size.height() / kCell)))),
        cells_(*cells) {
    cells_.assign(static_cast<size_t>(columns_) * static_cast<size_t>(rows_), Cell());
  }

  // In pixels of the painter.
  void AddBox(const QRectF& rect, const Ink& fill) {
    const QRectF at(rect.topLeft() / kCell, rect.size() / kCell);
    const int x0 = std::max(0, static_cast<int>(at.left())), x1 = std::min(columns_ - 1, static_cast<int>(at.right()));
    const int y0 = std::max(0, static_cast<int>(at.top())), y1 = std::min(rows_ - 1, static_cast<int>(at.bottom()));
    for (int y = y0; y <= y1; ++y) {
      const double high = std::min<double>(at.bottom(), y + 1) - std::max<double>(at.top(), y);
      for (int x = x0; x <= x1; ++x) {
        const double wide = std::min<double>(at.right(), x + 1) - std::max<double>(at.left(), x);
        const auto covered = static_cast<float>(std::max(0.02, wide * high));
        Cell& cell = At(x, y);
        cell.area += covered;
        cell.ink.red += covered * fill.red;
        cell.ink.green += covered * fill.green;
        cell.ink.blue += covered * fill.blue;
      }
    }
  }

  // Every cell on the way is passed once.
  void AddEdge(QPointF from, QPointF to) {
    from /= kCell;
    to /= kCell;
    const double steps = std::max({std::abs(to.x() - from.x()), std::abs(to.y() - from.y()), 1.0});
    if (steps > 4.0 * (columns_ + rows_)) return;  // far out of the picture
    const QPointF step = (to - from) / steps;
    QPointF at = from;
    for (int i = 0; i <= static_cast<int>(steps); ++i, at += step) {
      if (at.x() >= 0 && at.y() >= 0 && at.x() < columns_ && at.y() < rows_) {
        At(static_cast<int>(at.x()), static_cast<int>(at.y())).edges += 1;
      }
    }
  }

  QImage Picture(const Theme& theme) const {
    // Lanes of many edges are darker than single ones; beyond these they are as dark as they get.
    constexpr size_t kDarkest = 16;
    const Ink page(theme.page), edge(theme.edge);
    Ink lanes[kDarkest];
    for (size_t count = 0; count < kDarkest; ++count) {
      const auto darkness = static_cast<float>(0.22 * std::log2(1.0 + static_cast<double>(count)));
      lanes[count] = page.MixedWith(edge, std::min(0.75F, darkness));
    }
    const QRgb empty = page.rgb();
    QImage picture(columns_, rows_, QImage::Format_RGB32);
    const Cell* cell = cells_.data();
    for (int y = 0; y < rows_; ++y) {
      auto* line = reinterpret_cast<QRgb*>(picture.scanLine(y));
      for (int x = 0; x < columns_; ++x, ++cell) {
        if (cell->area <= 0 && cell->edges <= 0) {
          line[x] = empty;
          continue;
        }
        Ink color = lanes[std::min(kDarkest - 1, static_cast<size_t>(cell->edges))];
        if (cell->area > 0) {
          Ink boxes;
          color = color.MixedWith(boxes.MixedWith(cell->ink, 1 / cell->area), std::min(1.0F, 0.3F + 0.9F * cell->area));
        }
        line[x] = color.rgb();
      }
    }
    return picture;
  }

 private:
  Cell& At(int x, int y) {
    return cells_[static_cast<size_t>(y) * static_cast<size_t>(columns_) + static_cast<size_t>(x)];
  }

  const int columns_, rows_;
  std::vector<Cell>& cells_;
};

}  // namespace

bool GraphPainter::HasFarHeadings(double scale) const {
  return scale >= kHeadingScale && boxes_.size() <= kMostHeadings;
}

bool GraphPainter::HoldsFarTitle(QSizeF size) { return size.width() >= 44 && size.height() >= 10; }

void GraphPainter::PaintDensity(QPainter* painter, const DrawnGraph& graph, const Look& look, const QRectF& visible,
                                double scale) {
  const Mapping map{visible.topLeft(), scale};
  const QSizeF size = visible.size() * scale;
  static thread_local std::vector<Densities::Cell> cells;
  Densities densities(size, &cells);
  graph.FindEdges(visible, &edges_);
  for (uint32_t i : edges_) {
    const DrawnGraph::Edge& edge = graph.edge(i);
    const QPointF* p = graph.points(edge);
    const uint16_t step = edge.shape == DrawnGraph::EdgeShape::kCurves ? 3 : 1;
    for (uint16_t k = step; k < edge.count; k = static_cast<uint16_t>(k + step)) {
      densities.AddEdge(map(p[k - step]), map(p[k]));
    }
  }
  // Colours on a scale say how much; they are strong enough where they matter.
  const bool by_category = look.fills.empty();
  Ink category_ink[kNodeCategoryCount], dim_ink[kNodeCategoryCount];
  for (int i = 0; i < kNodeCategoryCount; ++i) {
    const QColor fill = look.theme.CategoryFill(static_cast<NodeCategory>(i));
    category_ink[i] = Ink(Dot(fill, look.theme));
    dim_ink[i] = Ink(Dot(Dimmed(fill, look.theme), look.theme));
  }
  for (uint32_t box : boxes_) {
    const VisibleGraph::Box& b = graph.graph().boxes[box];
    if (b.inside != kNoItem) continue;
    if (by_category && b.kind == VisibleGraph::BoxKind::kInstruction) {
      const bool is_dim = look.dim_others && !look.highlighted.contains(box);
      densities.AddBox(map(graph.rect(box)), (is_dim ? dim_ink : category_ink)[static_cast<int>(b.category)]);
      continue;
    }
    const QColor fill = Fill(graph, look, box);
    densities.AddBox(map(graph.rect(box)), Ink(look.fills.empty() ? Dot(fill, look.theme) : fill));
  }
  const QImage picture = densities.Picture(look.theme);
  painter->drawImage(QRectF(0, 0, picture.width() * kCell, picture.height() * kCell), picture);
}

void GraphPainter::PaintFarBoxes(QPainter* painter, const DrawnGraph& graph, const Look& look, const QRectF& visible,
                                 double scale) {
  const Mapping map{visible.topLeft(), scale};
  const bool borders = scale >= kBorderScale;
  const std::vector<VisibleGraph::Box>& all = graph.graph().boxes;
  QColor category_fill[kNodeCategoryCount];
  const bool by_category = look.fills.empty() && !look.dim_others;
  for (int i = 0; i < kNodeCategoryCount; ++i) {
    category_fill[i] = look.theme.CategoryFill(static_cast<NodeCategory>(i));
    if (!borders) category_fill[i] = Dot(category_fill[i], look.theme);
  }
  for (uint32_t box : boxes_) {
    const VisibleGraph::Box& b = all[box];
    if (b.inside != kNoItem) continue;
    const QRectF at = map(graph.rect(box));
    // Gaps between rows are left out as long as they are smaller than a pixel.
    const QRect rect(static_cast<int>(at.left()), static_cast<int>(at.top()), std::max(1, static_cast<int>(at.width())),
                     std::max(1, qRound(at.height())));
    if (by_category && b.kind == VisibleGraph::BoxKind::kInstruction) {
      painter->fillRect(rect, category_fill[static_cast<int>(b.category)]);
    } else {
      painter->fillRect(rect, Fill(graph, look, box));
    }
  }
  if (borders) {
    static thread_local std::vector<QRect> rects;
    rects.clear();
    for (uint32_t box : boxes_) {
      if (all[box].inside == kNoItem) rects.push_back(map(graph.rect(box)).toRect());
    }
    painter->setPen(QPen(Mixed(look.theme.page, look.theme.node_border, 0.7), 0));
    painter->setBrush(Qt::NoBrush);
    painter->drawRects(rects.data(), static_cast<int>(rects.size()));
  }
  // Closed groups are what an overview is read by.
  painter->setFont(BoxText::DetailFont());
  painter->setPen(look.theme.text);
  for (uint32_t box : boxes_) {
    if (all[box].kind == VisibleGraph::BoxKind::kInstruction || all[box].inside != kNoItem) continue;
    const QRectF at = map(graph.rect(box));
    if (!HoldsFarTitle(at.size()) || look.group_title == nullptr) continue;
    painter->drawText(at.adjusted(3, 0, -3, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      ShortTitle(painter->fontMetrics(), look.group_title(box), static_cast<int>(at.width()) - 6));
  }
  // Of boxes that are few and nearly large enough, what they do.
  if (HasFarHeadings(scale) && look.text != nullptr) {
    QFont font = BoxText::HeadingFont();
    font.setPixelSize(BoxTextSize::kStub);
    painter->setFont(font);
    for (uint32_t box : boxes_) {
      if (all[box].kind != VisibleGraph::BoxKind::kInstruction || all[box].inside != kNoItem) continue;
      const QRectF at = map(graph.rect(box)).adjusted(2, 0, -2, 0);
      painter->setPen(Theme::InkOn(Fill(graph, look, box)));
      painter->drawText(at, Qt::AlignCenter,
                        painter->fontMetrics().elidedText(look.text->Lines(graph.graph(), box).value(0),
                                                          Qt::ElideMiddle, static_cast<int>(at.width())));
    }
  }
}

// Marks keep a size that can be seen.
void GraphPainter::PaintFarMarks(QPainter* painter, const DrawnGraph& graph, const Look& look, const QRectF& visible,
                                 double scale) {
  if (!look.interactive) return;
  const Mapping map{visible.topLeft(), scale};
  const std::vector<VisibleGraph::Box>& all = graph.graph().boxes;
  auto frame = [&](uint32_t box, const QColor& color, double width) {
    if (box == kNoItem || box >= all.size()) return;
    QRectF at = map(graph.rect(box));
    const double grow = std::max(2.0, 7 - at.height() / 2);
    painter->setPen(QPen(color, width));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(at.adjusted(-grow, -grow, grow, grow));
  };
  if (look.highlighted.size() <= 2000) {
    for (uint32_t box : look.highlighted) frame(box, look.theme.current, 1.5);
  }
  if (look.marks != nullptr && scale >= kEdgeScale) {
    for (uint32_t box : boxes_) {
      if (all[box].kind != VisibleGraph::BoxKind::kInstruction) continue;
      const NodeMarks marks = look.marks(all[box].instruction);
      if (!marks.nan && !marks.infinity && !marks.breakpoint && !marks.current) continue;
      const QRectF at = map(graph.rect(box));
      painter->fillRect(QRectF(at.topLeft() - QPointF(2, 2), QSizeF(5, 5)), marks.current ? look.theme.current
                                                                            : marks.nan || marks.infinity
                                                                                ? look.theme.error
                                                                                : look.theme.breakpoint);
    }
  }
  frame(look.hovered, look.theme.muted, 1);
  frame(look.selected, look.theme.selection, 2);
}

}  // namespace hloscope::gui
