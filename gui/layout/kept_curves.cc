// SPDX-License-Identifier: Apache-2.0
#include "gui/layout/kept_curves.h"

#include <algorithm>
#include <numeric>

namespace hloscope::gui {
namespace {

// Points of a piece of a curve that are looked at: pieces are a few hundred pixels long, boxes at least forty wide.
constexpr int kSamples = 16;

}  // namespace

FlowLayout RowsOf(absl::Span<const QRectF> rects, float width, float height) {
  FlowLayout layout;
  layout.width = width;
  layout.height = height;
  layout.centered = true;
  const auto count = static_cast<uint32_t>(rects.size());
  layout.corners.resize(count);
  layout.row_of.resize(count);
  layout.order.resize(count);
  std::iota(layout.order.begin(), layout.order.end(), 0u);
  std::sort(layout.order.begin(), layout.order.end(),
            [&](uint32_t a, uint32_t b) { return rects[a].top() < rects[b].top(); });
  for (uint32_t i = 0; i < count; ++i) {
    const QRectF& rect = rects[layout.order[i]];
    const auto top = static_cast<float>(rect.top()), bottom = static_cast<float>(rect.bottom());
    if (layout.rows.empty() || top >= layout.rows.back().y + layout.rows.back().height - 0.5F) {
      layout.rows.push_back({i, i, 0, top, 0, 0, 0});
    }
    FlowRow& row = layout.rows.back();
    row.end = i + 1;
    row.height = std::max(row.height, bottom - row.y);
  }
  FlowColumn column{width, 0, 0};
  for (uint32_t r = 0; r < layout.rows.size(); ++r) {
    FlowRow& row = layout.rows[r];
    std::sort(layout.order.begin() + row.begin, layout.order.begin() + row.end,
              [&](uint32_t a, uint32_t b) { return rects[a].left() < rects[b].left(); });
    row.left = static_cast<float>(rects[layout.order[row.begin]].left());
    row.right = static_cast<float>(rects[layout.order[row.end - 1]].right());
    column.left = std::min(column.left, row.left);
    column.right = std::max(column.right, row.right);
    for (uint32_t i = row.begin; i < row.end; ++i) {
      const uint32_t box = layout.order[i];
      layout.row_of[box] = r;
      layout.corners[box] = {static_cast<float>(rects[box].left()), static_cast<float>(rects[box].top())};
    }
  }
  if (count > 0) {
    layout.columns.push_back(column);
    layout.band_tops.push_back(layout.rows.front().y);
  }
  layout.row_count = static_cast<uint32_t>(layout.rows.size());
  layout.column_count = static_cast<uint32_t>(layout.columns.size());
  layout.band_count = static_cast<uint32_t>(layout.band_tops.size());
  return layout;
}

StretchedHeights::StretchedHeights(const FlowLayout& before, const FlowLayout& after,
                                   absl::Span<const uint32_t> former) {
  // Boxes of a row stay in one row.
  std::vector<uint32_t> row_now(before.rows.size(), kNoFlowBox);
  for (uint32_t box = 0; box < former.size(); ++box) {
    if (former[box] < before.row_of.size()) row_now[before.row_of[former[box]]] = after.row_of[box];
  }
  for (uint32_t r = 0; r < row_now.size(); ++r) {
    if (row_now[r] == kNoFlowBox) continue;
    const FlowRow &old = before.rows[r], &now = after.rows[row_now[r]];
    // A box that found no room in its row any more says nothing about where the others went.
    if (!knots_.empty() && now.y < knots_.back().after) continue;
    knots_.push_back({old.y, now.y});
    knots_.push_back({old.y + old.height, now.y + now.height});
  }
}

double StretchedHeights::operator()(double y) const {
  if (knots_.empty()) return y;
  const auto above = std::partition_point(knots_.begin(), knots_.end(), [&](const Knot& k) { return k.before <= y; });
  if (above == knots_.begin()) return y + above->after - above->before;
  const Knot& low = *(above - 1);
  if (above == knots_.end()) return y + low.after - low.before;
  const double part = (y - low.before) / std::max(1e-6, above->before - low.before);
  return low.after + part * (above->after - low.after);
}

bool CurveEnters(absl::Span<const QPointF> curve, absl::Span<const QRectF> boxes) {
  if (boxes.empty()) return false;
  for (size_t i = 0; i + 3 < curve.size(); i += 3) {
    for (int k = 0; k <= kSamples; ++k) {
      const double t = static_cast<double>(k) / kSamples, s = 1 - t;
      const QPointF at =
          s * s * s * curve[i] + 3 * s * s * t * curve[i + 1] + 3 * s * t * t * curve[i + 2] + t * t * t * curve[i + 3];
      for (const QRectF& box : boxes) {
        if (box.contains(at)) return true;
      }
    }
  }
  return false;
}

}  // namespace hloscope::gui
