// SPDX-License-Identifier: Apache-2.0
// Paints a drawn graph in levels of detail: coloured dots when it is far away, boxes with texts when it is near. Boxes
// are painted in batches straight into the painter; there is no object for each.
#ifndef HLOSCOPE_GUI_VIEWS_GRAPH_PAINTER_H_
#define HLOSCOPE_GUI_VIEWS_GRAPH_PAINTER_H_

#include <QHash>
#include <QPainter>
#include <QStringList>
#include <functional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "gui/layout/drawn_graph.h"
#include "gui/views/theme.h"

namespace hloscope::gui {

// What the execution has done with an instruction.
struct NodeMarks {
  bool current = false;  // executed next
  bool failed = false;   // the run ended with an error here
  bool executed = false;
  bool dropped = false;  // executed, but its value is not there any more
  bool breakpoint = false;
  bool nan = false;       // its value holds a NaN
  bool infinity = false;  // or an infinity
};

// What the boxes say and how large that makes them. Made in the UI's thread; Size may be called from any.
class BoxText {
 public:
  // `compact`: two lines a box, and few; else three.
  BoxText(const Module& module, bool compact);

  // The lines of a box that is not open; the first one is its heading.
  QStringList Lines(const VisibleGraph& graph, uint32_t box) const;
  FlowSize Size(const VisibleGraph& graph, uint32_t box) const;
  bool compact() const { return compact_; }

  static QFont HeadingFont();
  static QFont DetailFont();
  static QFont StubFont();

 private:
  float Width(const std::vector<float>& widths, absl::string_view text) const;
  float CompactWidth(InstructionId id) const;

  const Module& module_;
  const bool compact_;
  std::vector<float> heading_widths_, detail_widths_;  // of characters below 128; the last one: of others
  std::vector<float> shape_widths_;                    // by shape
};

class GraphPainter {
 public:
  // Below these scales there are no borders, texts and edges.
  static constexpr double kTextScale = 0.45;
  static constexpr double kBorderScale = 0.16;
  static constexpr double kEdgeScale = 0.045;
  // More boxes without borders are painted as densities.
  static constexpr size_t kMostDots = 3000;
  // Flatter headings of open groups hold no text.
  static constexpr double kLeastHeading = 12;

  // What is painted, besides the graph; everything may change between two paintings.
  struct Look {
    Theme theme;
    const BoxText* text = nullptr;
    std::vector<QColor> fills;                               // by box; empty: by category
    uint32_t selected = VisibleGraph::kNone;                 // box
    uint32_t hovered = VisibleGraph::kNone;                  // box
    absl::flat_hash_set<uint32_t> highlighted;               // boxes: found, or on a path
    bool dim_others = false;                                 // than the highlighted ones
    uint32_t current = VisibleGraph::kNone;                  // box of what is executed next
    std::vector<uint32_t> landmarks;                         // boxes that are named from afar, the first ones first
    std::function<NodeMarks(InstructionId)> marks;           // may be empty
    std::function<QString(InstructionId)> instruction_name;  // for stubs
    std::function<QString(uint32_t box)> group_title;
    std::function<QString(uint32_t box)> tool_tip;
    QRectF covered;           // by something else, in pixels: names have no place there
    bool interactive = true;  // false: an export, without marks of the selection
  };

  // Paints what lies in `visible` (of the graph), scaled by `scale`, its upper left at the painter's origin.
  void Paint(QPainter* painter, const DrawnGraph& graph, const Look& look, const QRectF& visible, double scale);

  // The name of a box that is too small for a text.
  struct FarName {
    uint32_t box;
    QString text;
    QRectF place;  // in pixels, free of other boxes unless it is
    bool over;     // them
  };
  // Those of the last painting.
  const std::vector<FarName>& far_names() const { return far_names_; }

  // Where a box's stubs are said: above it the incoming ones, below it the others.
  static QRectF StubRect(const QRectF& box, bool incoming);
  // "name (12)" in that many pixels: the name loses its middle, the number stays whole, or goes where there is no room
  // for both.
  static QString ShortTitle(const QFontMetrics& metrics, const QString& title, int width);

  QColor Fill(const DrawnGraph& graph, const Look& look, uint32_t box) const;

 private:
  void PaintEdges(QPainter* painter, const DrawnGraph& graph, const Look& look, const QRectF& visible, double scale);
  void PaintSelectedEdges(QPainter* painter, const DrawnGraph& graph, const Look& look, const QRectF& visible,
                          double scale);
  // Dashed lines from the selected box to the other ends of its jumps.
  void PaintSelectedJumps(QPainter* painter, const DrawnGraph& graph, const Look& look, const QRectF& visible,
                          double scale);
  // How dense boxes lie and edges run, where there are too many for each to be seen.
  void PaintDensity(QPainter* painter, const DrawnGraph& graph, const Look& look, const QRectF& visible, double scale);
  void PaintFarMarks(QPainter* painter, const DrawnGraph& graph, const Look& look, const QRectF& visible, double scale);
  void PaintFarBoxes(QPainter* painter, const DrawnGraph& graph, const Look& look, const QRectF& visible, double scale);
  void PaintNearBox(QPainter* painter, const DrawnGraph& graph, const Look& look, uint32_t box);
  void PaintOpenGroup(QPainter* painter, const DrawnGraph& graph, const Look& look, uint32_t box, QRectF device,
                      double scale);
  // Whether boxes of instructions have a heading, and a closed group of that size its title, though no whole texts.
  bool HasFarHeadings(double scale) const;
  static bool HoldsFarTitle(QSizeF size);
  // Names of groups, of what is selected, found or executed next, and of landmarks, where the boxes themselves have
  // none.
  void PlaceFarNames(const QFontMetrics& metrics, const DrawnGraph& graph, const Look& look, const QRectF& visible,
                     double scale, bool density);
  void PaintFarNames(QPainter* painter, const Look& look);
  void PaintStubs(QPainter* painter, const DrawnGraph& graph, const Look& look, uint32_t box);
  void PaintMarks(QPainter* painter, const Look& look, const QRectF& rect, const NodeMarks& marks);

  std::vector<uint32_t> boxes_, edges_, around_;  // scratch
  std::vector<FarName> far_names_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_GRAPH_PAINTER_H_
