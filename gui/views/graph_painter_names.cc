// SPDX-License-Identifier: Apache-2.0
// Names of boxes that are too small for a text: beside them, where there is room.
#include <algorithm>

#include "gui/views/graph_painter.h"
#include "gui/views/graph_painter_parts.h"

namespace hloscope::gui {
namespace {

// The largest groups first, and what was searched for before those.
constexpr size_t kMostNamedGroups = 60, kMostNamedHits = 40, kMostNamedLandmarks = 40;
constexpr double kNameHeight = 15, kNameGap = 5, kWidestName = 260;
// A name beside which so many boxes lie is in the middle of them: looking at each would take longer than it says.
constexpr size_t kCrowd = 400;

struct Wanted {
  uint32_t box;
  bool must;  // be seen, over other boxes if need be
};

// In the order in which they get their places.
std::vector<Wanted> WantedNames(const DrawnGraph& graph, const GraphPainter::Look& look,
                                const std::vector<uint32_t>& in_view, const QRectF& visible,
                                const std::function<bool(uint32_t)>& is_readable) {
  const std::vector<VisibleGraph::Box>& all = graph.graph().boxes;
  std::vector<Wanted> names;
  absl::flat_hash_set<uint32_t> has_name;
  const auto add = [&](uint32_t box, bool must) {
    if (box >= all.size() || is_readable(box) || !visible.intersects(graph.rect(box))) return;
    if (has_name.insert(box).second) names.push_back({box, must});
  };
  if (look.interactive) {
    add(look.selected, true);
    add(look.current, true);
    std::vector<uint32_t> found;
    for (uint32_t box : look.highlighted) {
      if (box < all.size() && visible.intersects(graph.rect(box))) found.push_back(box);
    }
    const size_t shown = std::min(found.size(), kMostNamedHits);
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(shown), found.end());
    for (size_t i = 0; i < shown; ++i) add(found[i], true);
  }
  if (look.group_title != nullptr) {
    std::vector<uint32_t> groups;
    for (uint32_t box : in_view) {
      if (all[box].inside != kNoItem || all[box].kind != VisibleGraph::BoxKind::kInstruction) groups.push_back(box);
    }
    const size_t shown = std::min(groups.size(), kMostNamedGroups);
    std::partial_sort(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(shown), groups.end(),
                      [&](uint32_t a, uint32_t b) {
                        const double high = graph.rect(a).height(), low = graph.rect(b).height();
                        return high != low ? high > low : a < b;
                      });
    for (size_t i = 0; i < shown; ++i) add(groups[i], false);
  }
  for (size_t i = 0; i < std::min(look.landmarks.size(), kMostNamedLandmarks); ++i) add(look.landmarks[i], false);
  return names;
}

}  // namespace

void GraphPainter::PlaceFarNames(const QFontMetrics& metrics, const DrawnGraph& graph, const Look& look,
                                 const QRectF& visible, double scale, bool density) {
  far_names_.clear();
  if (look.group_title == nullptr || look.instruction_name == nullptr) return;
  const Mapping map{visible.topLeft(), scale};
  const std::vector<VisibleGraph::Box>& all = graph.graph().boxes;
  const auto is_readable = [&](uint32_t box) {
    if (all[box].inside != kNoItem) return DrawnGraph::kHeader * scale >= kLeastHeading;
    if (all[box].kind == VisibleGraph::BoxKind::kInstruction) return HasFarHeadings(scale);
    return !density && HoldsFarTitle(graph.rect(box).size() * scale);
  };
  const QRectF page(QPointF(0, 0), visible.size() * scale);
  const auto is_taken = [&](const QRectF& place) {
    return look.covered.intersects(place) ||
           std::any_of(far_names_.begin(), far_names_.end(),
                       [&](const FarName& other) { return other.place.intersects(place); });
  };
  const auto is_free = [&](uint32_t named, const QRectF& place) {
    graph.FindFewBoxes(QRectF(place.topLeft() / scale + visible.topLeft(), place.size() / scale), kCrowd, &around_);
    if (around_.size() > kCrowd) return false;
    // What the box itself is in is no obstacle.
    return std::all_of(around_.begin(), around_.end(), [&](uint32_t other) {
      for (uint32_t at = named; at != kNoItem; at = graph.graph().levels[all[at].level].box) {
        if (at == other && at != named) return true;
      }
      return !map(graph.rect(other)).intersects(place);
    });
  };
  for (const Wanted& wanted : WantedNames(graph, look, boxes_, visible, is_readable)) {
    const VisibleGraph::Box& box = all[wanted.box];
    const bool is_instruction = box.kind == VisibleGraph::BoxKind::kInstruction;
    const QString whole = is_instruction ? look.instruction_name(box.instruction) : look.group_title(wanted.box);
    FarName name{wanted.box, ShortTitle(metrics, whole, static_cast<int>(kWidestName)), QRectF(), false};
    const QRectF at = map(graph.rect(wanted.box));
    const QSizeF size(metrics.horizontalAdvance(name.text) + 8, kNameHeight);
    const double top = std::max(at.top(), 0.0);
    const QRectF places[] = {{QPointF(at.left() - kNameGap - size.width(), top), size},
                             {QPointF(at.right() + kNameGap, top), size},
                             {QPointF(at.left(), at.top() - 2 - kNameHeight), size},
                             {QPointF(at.left(), at.bottom() + 2), size}};
    for (const bool over : {false, true}) {
      if (over && !wanted.must) continue;
      const auto* place = std::find_if(std::begin(places), std::end(places), [&](const QRectF& candidate) {
        return page.contains(candidate) && !is_taken(candidate) && (over || is_free(wanted.box, candidate));
      });
      if (place == std::end(places)) continue;
      name.place = *place;
      name.over = over;
      far_names_.push_back(std::move(name));
      break;
    }
  }
}

void GraphPainter::PaintFarNames(QPainter* painter, const Look& look) {
  for (const FarName& name : far_names_) {
    // Edges that pass do not strike it out.
    QColor ground = look.theme.page;
    ground.setAlpha(name.over ? 255 : 210);
    painter->fillRect(name.place, ground);
    const bool selected = name.box == look.selected && look.interactive;
    painter->setPen(selected ? look.theme.selection : look.theme.text);
    painter->drawText(name.place, Qt::AlignCenter, name.text);
    if (!name.over) continue;
    painter->setPen(QPen(selected ? look.theme.selection : look.theme.muted, 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(name.place);
  }
}

}  // namespace hloscope::gui
