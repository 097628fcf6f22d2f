// SPDX-License-Identifier: Apache-2.0
// Updates of a flow layout: see flow_layout.h.
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/layout/flow_layout.h"
#include "gui/layout/flow_routes.h"

namespace hloscope::gui {
namespace {

// What is below an added row moves by at most this, as long as the row itself is not higher.
constexpr float kMostMove = 50;
// Rows that are looked at for a free place before a new one is made.
constexpr int kRowsTried = 4;
// A band that has become too high for its place gets this much more than it needs.
constexpr float kNewSlack = 400;
// How far a row may reach into the space between columns.
constexpr float kOverhang = 30;

class FlowUpdater {
 public:
  FlowUpdater(const FlowLayout& previous, absl::Span<const uint32_t> former, absl::Span<const FlowSize> sizes,
              absl::Span<const FlowEdge> edges, const FlowOptions& options)
      : previous_(previous),
        former_(former),
        sizes_(sizes),
        edges_(edges),
        options_(options),
        count_(static_cast<uint32_t>(sizes.size())) {}

  FlowLayout Run() {
    result_.columns = previous_.columns;
    result_.band_tops = previous_.band_tops;
    result_.centered = previous_.centered;
    result_.corners.resize(count_);
    Keep();
    MakeRoomInRows();
    IndexEdges();
    for (uint32_t box = 0; box < count_; ++box) {
      if (row_of_[box] == kNoFlowBox) Add(box);
    }
    WidenColumns();
    SetHeights();
    Number();
    RouteFlow(sizes_, edges_, options_, &result_);
    return std::move(result_);
  }

 private:
  struct Row {
    uint32_t column = 0;
    float y = 0, height = 0;
    bool added = false;
    std::vector<uint32_t> boxes;  // from left to right
  };

  float Left(uint32_t box) const { return result_.corners[box].x; }
  float Right(uint32_t box) const { return Left(box) + sizes_[box].width; }
  float Center(uint32_t box) const { return Left(box) + sizes_[box].width / 2; }

  // Boxes that were there keep their places.
  void Keep() {
    rows_.resize(previous_.rows.size());
    in_column_.resize(previous_.columns.size());
    place_.resize(rows_.size());
    for (uint32_t r = 0; r < rows_.size(); ++r) {
      rows_[r].column = previous_.rows[r].column;
      rows_[r].y = previous_.rows[r].y;
      // The middle of a row stays where it is when its highest box goes.
      if (previous_.centered) rows_[r].height = previous_.rows[r].height;
      place_[r] = static_cast<uint32_t>(in_column_[rows_[r].column].size());
      in_column_[rows_[r].column].push_back(r);
    }
    std::vector<uint32_t> now(previous_.corners.size(), kNoFlowBox);
    row_of_.assign(count_, kNoFlowBox);
    for (uint32_t box = 0; box < count_; ++box) {
      if (former_[box] >= now.size() || now[former_[box]] != kNoFlowBox) continue;
      now[former_[box]] = box;
    }
    for (uint32_t old : previous_.order) {
      const uint32_t box = now[old];
      if (box == kNoFlowBox) continue;
      const uint32_t r = previous_.row_of[old];
      row_of_[box] = r;
      rows_[r].boxes.push_back(box);
      rows_[r].height = std::max(rows_[r].height, sizes_[box].height);
      result_.corners[box].x = previous_.corners[old].x;
    }
  }

  // A box that has become wider pushes those beside it; what falls out of the column gets a new place.
  void MakeRoomInRows() {
    for (Row& row : rows_) {
      const float limit = result_.columns.size() > 1 ? ColumnOf(row).right + kOverhang : HUGE_VALF;
      float free_from = -HUGE_VALF;
      size_t kept = 0;
      for (const uint32_t box : row.boxes) {
        float& x = result_.corners[box].x;
        const float pushed = std::max(x, free_from);
        if (pushed > x + 0.01F && pushed + sizes_[box].width > limit) {
          row_of_[box] = kNoFlowBox;
          continue;
        }
        // Boxes of a row may have been a rounding error nearer.
        if (pushed > x + 0.5F) x = pushed;
        free_from = Right(box) + options_.gap;
        row.boxes[kept++] = box;
      }
      row.boxes.resize(kept);
    }
  }

  void IndexEdges() {
    auto is_new = [&](uint32_t box) { return box < count_ && row_of_[box] == kNoFlowBox; };
    for (uint32_t e = 0; e < edges_.size(); ++e) {
      if (edges_[e].from >= edges_[e].to) continue;
      if (is_new(edges_[e].from)) users_.emplace_back(edges_[e].from, edges_[e].to);
      if (is_new(edges_[e].to)) operands_.emplace_back(edges_[e].to, edges_[e].from);
    }
    std::sort(users_.begin(), users_.end());
    std::sort(operands_.begin(), operands_.end());
  }

  template <typename Visit>
  void ForEach(const std::vector<std::pair<uint32_t, uint32_t>>& edges, uint32_t box, Visit visit) const {
    for (auto it = std::lower_bound(edges.begin(), edges.end(), std::pair(box, 0u));
         it != edges.end() && it->first == box; ++it) {
      if (it->second < count_ && row_of_[it->second] != kNoFlowBox) visit(it->second);
    }
  }

  const FlowColumn& ColumnOf(const Row& row) const { return result_.columns[row.column]; }

  // Place of a row in its column. Rows that were added are numbered again when they are.
  uint32_t PlaceOf(uint32_t box) const { return place_[row_of_[box]]; }

  void Add(uint32_t box) {
    // Below the last of the operands; what has none is above the first user, else below what comes before it.
    uint32_t operand = kNoFlowBox, user = kNoFlowBox;
    ForEach(operands_, box, [&](uint32_t o) {
      if (operand == kNoFlowBox || o > operand) operand = o;
    });
    ForEach(users_, box, [&](uint32_t u) {
      if (user == kNoFlowBox || u < user) user = u;
    });
    uint32_t anchor = operand != kNoFlowBox ? operand : user;
    if (anchor == kNoFlowBox && box > 0) anchor = box - 1;
    const uint32_t column = anchor == kNoFlowBox ? 0 : rows_[row_of_[anchor]].column;
    std::vector<uint32_t>& rows = in_column_[column];
    // Rows of the column strictly between: [low, high).
    uint32_t low = 0, high = static_cast<uint32_t>(rows.size());
    if (operand != kNoFlowBox) low = PlaceOf(operand) + 1;
    if (anchor != kNoFlowBox && operand == kNoFlowBox && user == kNoFlowBox) low = PlaceOf(anchor);
    ForEach(operands_, box, [&](uint32_t o) {
      if (rows_[row_of_[o]].column == column) low = std::max(low, PlaceOf(o) + 1);
    });
    ForEach(users_, box, [&](uint32_t u) {
      if (rows_[row_of_[u]].column == column) high = std::min(high, PlaceOf(u));
    });
    const float wanted = anchor == kNoFlowBox ? (ColumnAt(column).left + ColumnAt(column).right) / 2 : Center(anchor);
    const bool downwards = operand != kNoFlowBox || user == kNoFlowBox;
    for (int i = 0; i < kRowsTried && low + static_cast<uint32_t>(i) < high; ++i) {
      const uint32_t at = downwards ? low + static_cast<uint32_t>(i) : high - 1 - static_cast<uint32_t>(i);
      if (PutIntoRow(box, rows[at], wanted)) return;
    }
    const uint32_t at = downwards ? low : std::max(low, high);
    const uint32_t added = static_cast<uint32_t>(rows_.size());
    rows_.push_back({});
    rows_.back().column = column;
    rows_.back().added = true;
    rows.insert(rows.begin() + std::min<std::ptrdiff_t>(at, static_cast<std::ptrdiff_t>(rows.size())), added);
    place_.resize(rows_.size());
    for (uint32_t i = 0; i < rows.size(); ++i) place_[rows[i]] = i;
    PutIntoRow(box, added, wanted);
  }

  const FlowColumn& ColumnAt(uint32_t column) const { return result_.columns[column]; }

  // At the free place of the row that is nearest to where it wants to be. False if there is none.
  bool PutIntoRow(uint32_t box, uint32_t number, float wanted) {
    Row& row = rows_[number];
    if (!row.added && sizes_[box].height > row.height + 0.01F) return false;
    const float width = sizes_[box].width;
    const FlowColumn& column = ColumnOf(row);
    // An only column is as wide as it has to be.
    const float last = std::max(column.left, column.right - width);
    const float ideal = std::clamp(wanted - width / 2, column.left, last);
    float best = HUGE_VALF, best_x = 0;
    size_t best_at = 0;
    float free_from = column.left;
    for (size_t i = 0; i <= row.boxes.size(); ++i) {
      const float free_to = i < row.boxes.size() ? Left(row.boxes[i]) - options_.gap - width : last;
      if (free_from <= free_to) {
        const float x = std::clamp(ideal, free_from, free_to);
        if (std::abs(x - ideal) < best) {
          best = std::abs(x - ideal);
          best_x = x;
          best_at = i;
        }
      }
      if (i < row.boxes.size()) free_from = std::max(free_from, Right(row.boxes[i]) + options_.gap);
    }
    if (best == HUGE_VALF) return false;
    row.boxes.insert(row.boxes.begin() + static_cast<std::ptrdiff_t>(best_at), box);
    row.height = std::max(row.height, sizes_[box].height);
    row_of_[box] = number;
    result_.corners[box].x = best_x;
    return true;
  }

  // A box that is wider than its column pushes the columns beside it.
  void WidenColumns() {
    float by = 0;
    for (uint32_t c = 0; c < in_column_.size(); ++c) {
      FlowColumn& column = result_.columns[c];
      if (c > 0 && column.band != result_.columns[c - 1].band) by = 0;
      float right = column.right + kOverhang;
      for (uint32_t r : in_column_[c]) {
        if (!rows_[r].boxes.empty()) right = std::max(right, Right(rows_[r].boxes.back()));
        for (uint32_t box : rows_[r].boxes) result_.corners[box].x += by;
      }
      const float more = right - column.right - kOverhang;
      column.left += by;
      by += more;
      column.right += by;
    }
  }

  // Rows keep their heights where there is room; others move down.
  void SetHeights() {
    std::vector<float> bottoms(result_.band_tops.size(), 0);
    for (uint32_t c = 0; c < in_column_.size(); ++c) {
      const uint32_t band = result_.columns[c].band;
      // Below what there was: `bottom`; where the next row may be: `free_from`.
      float bottom = result_.band_tops[band] - options_.row_gap, free_from = result_.band_tops[band];
      bool first = true;
      std::vector<uint32_t>& rows = in_column_[c];
      rows.erase(std::remove_if(rows.begin(), rows.end(), [&](uint32_t r) { return rows_[r].boxes.empty(); }),
                 rows.end());
      for (uint32_t r : rows) {
        Row& row = rows_[r];
        if (row.added) {
          // A high row is closer to its neighbours, so that what follows moves no further than it may.
          const float half = options_.row_gap / 2;
          const float gap = std::clamp((kMostMove + options_.row_gap - row.height) / 2, half, options_.row_gap);
          row.y = first ? free_from : std::max(bottom + half, free_from - options_.row_gap + gap);
          free_from = row.y + row.height + gap;
        } else {
          row.y = std::max(row.y, free_from);
          free_from = row.y + row.height + GapBelow(r);
        }
        first = false;
        bottom = row.y + row.height;
        bottoms[band] = std::max(bottoms[band], bottom);
      }
    }
    MoveBands(bottoms);
    if (result_.centered) ShareMoves();
  }

  // Where boxes are higher than what may move, those above the added row give way, too.
  void ShareMoves() {
    float farthest = 0;
    for (size_t r = 0; r < previous_.rows.size(); ++r) {
      if (!rows_[r].boxes.empty()) farthest = std::max(farthest, rows_[r].y - previous_.rows[r].y);
    }
    const float up = std::clamp(farthest - kMostMove, 0.0F, kMostMove);
    for (Row& row : rows_) row.y -= up;
    for (float& top : result_.band_tops) top -= up;
    result_.height -= up;
  }

  // What a row that was there had below it, at most the usual gap.
  float GapBelow(uint32_t r) const {
    if (r + 1 >= previous_.rows.size() || previous_.rows[r + 1].column != previous_.rows[r].column) {
      return options_.row_gap;
    }
    const FlowRow& row = previous_.rows[r];
    return std::clamp(previous_.rows[r + 1].y - row.y - row.height, 0.0F, options_.row_gap);
  }

  void MoveBands(const std::vector<float>& bottoms) {
    std::vector<float> by(bottoms.size(), 0);
    for (size_t band = 1; band < bottoms.size(); ++band) {
      by[band] = by[band - 1];
      const float need = bottoms[band - 1] + by[band - 1] + options_.band_gap / 2;
      if (need > result_.band_tops[band] + by[band]) by[band] = need + kNewSlack - result_.band_tops[band];
    }
    for (size_t band = 0; band < bottoms.size(); ++band) {
      result_.band_tops[band] += by[band];
      result_.height = std::max(result_.height, bottoms[band] + by[band]);
    }
    for (Row& row : rows_) row.y += by[ColumnOf(row).band];
  }

  void Number() {
    result_.row_of.resize(count_);
    for (const std::vector<uint32_t>& rows : in_column_) {
      for (uint32_t r : rows) {
        const Row& row = rows_[r];
        FlowRow drawn{static_cast<uint32_t>(result_.order.size()), 0, row.column, row.y, row.height, 0, 0};
        for (uint32_t box : row.boxes) {
          result_.order.push_back(box);
          result_.row_of[box] = static_cast<uint32_t>(result_.rows.size());
          result_.corners[box].y = row.y + (result_.centered ? (row.height - sizes_[box].height) / 2 : 0);
        }
        drawn.end = static_cast<uint32_t>(result_.order.size());
        drawn.left = Left(row.boxes.front());
        drawn.right = Right(row.boxes.back());
        result_.width = std::max(result_.width, drawn.right);
        result_.rows.push_back(drawn);
      }
    }
    result_.row_count = static_cast<uint32_t>(result_.rows.size());
    result_.column_count = static_cast<uint32_t>(result_.columns.size());
    result_.band_count = static_cast<uint32_t>(result_.band_tops.size());
  }

  const FlowLayout& previous_;
  const absl::Span<const uint32_t> former_;
  const absl::Span<const FlowSize> sizes_;
  const absl::Span<const FlowEdge> edges_;
  const FlowOptions& options_;
  const uint32_t count_;
  FlowLayout result_;

  std::vector<Row> rows_;  // those of before in their order, then the added ones
  std::vector<std::vector<uint32_t>> in_column_;
  std::vector<uint32_t> place_;                          // by row, in its column
  std::vector<uint32_t> row_of_;                         // by box; kNoFlowBox: not placed yet
  std::vector<std::pair<uint32_t, uint32_t>> operands_;  // of new boxes: box, operand
  std::vector<std::pair<uint32_t, uint32_t>> users_;     // of new boxes: box, user
};

}  // namespace

FlowLayout UpdateFlow(const FlowLayout& previous, absl::Span<const uint32_t> former, absl::Span<const FlowSize> sizes,
                      absl::Span<const FlowEdge> edges, const FlowOptions& options) {
  return FlowUpdater(previous, former, sizes, edges, options).Run();
}

bool CanUpdateFlow(const FlowLayout& previous, absl::Span<const uint32_t> former) {
  if (previous.columns.empty() || former.empty()) return false;
  const size_t kept = former.size() - static_cast<size_t>(std::count(former.begin(), former.end(), kNoFlowBox));
  // Of a small picture, a few boxes are a large part; they are no reason to throw the rest about.
  constexpr size_t kFew = 4;
  const size_t added = former.size() - kept, gone = previous.corners.size() - kept;
  return kept > 0 && (added <= kFew || added * 10 <= former.size()) &&
         (gone * 4 <= previous.corners.size() || (gone <= kFew && kept >= gone));
}

}  // namespace hloscope::gui
