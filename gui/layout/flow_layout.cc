// SPDX-License-Identifier: Apache-2.0
#include "gui/layout/flow_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "gui/layout/flow_routes.h"

namespace hloscope::gui {
namespace {

constexpr uint32_t kUnplaced = std::numeric_limits<uint32_t>::max();
// Widths that a column may have. Few and fixed, so that a wider row somewhere does not move everything else.
constexpr float kColumnWidths[] = {420, 560, 720, 960, 1280, 1600, 2400};
constexpr uint32_t kColumnsOfABand[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128};
// Bands have one of a few heights, so that a row more in the longest column does not move the next band.
constexpr float kBandHeight = 3000;
constexpr float kBandGrowth = 1.5F;
// Left empty at the end of a band: room for rows that are added later, so that the next band stays where it is.
constexpr float kBandSlack = 400;
// Width to height of the picture that columns aim at.
constexpr float kAspect = 1.6F;

class FlowLayouter {
 public:
  FlowLayouter(absl::Span<const FlowSize> sizes, absl::Span<const FlowEdge> edges,
               absl::Span<const uint32_t> identities, const FlowOptions& options)
      : sizes_(sizes),
        edges_(edges),
        identities_(identities),
        options_(options),
        count_(static_cast<uint32_t>(sizes.size())) {}

  FlowLayout Run() {
    result_.corners.resize(count_);
    result_.routes.resize(edges_.size());
    if (count_ == 0) return std::move(result_);
    IndexEdges();
    AssignLayers();
    FindColumns();
    FindSpine();
    PlaceInRows();
    SetColumns();
    result_.order = std::move(order_);
    result_.rows = std::move(rows_);
    RouteFlow(sizes_, edges_, options_, &result_);
    return std::move(result_);
  }

 private:
  using Row = FlowRow;
  struct Adjacency {
    std::vector<uint32_t> begin;  // by box, one more
    std::vector<uint32_t> other;
    absl::Span<const uint32_t> Of(uint32_t box) const {
      return absl::MakeConstSpan(other).subspan(begin[box], begin[box + 1] - begin[box]);
    }
  };

  bool IsForward(const FlowEdge& edge) const { return edge.from < edge.to && edge.to < count_; }

  void IndexEdges() {
    operands_.begin.assign(count_ + 1, 0);
    users_.begin.assign(count_ + 1, 0);
    for (const FlowEdge& edge : edges_) {
      if (!IsForward(edge)) continue;
      ++operands_.begin[edge.to + 1];
      ++users_.begin[edge.from + 1];
    }
    for (uint32_t i = 0; i < count_; ++i) {
      operands_.begin[i + 1] += operands_.begin[i];
      users_.begin[i + 1] += users_.begin[i];
    }
    operands_.other.resize(operands_.begin[count_]);
    users_.other.resize(users_.begin[count_]);
    std::vector<uint32_t> next_operand(operands_.begin.begin(), operands_.begin.end() - 1);
    std::vector<uint32_t> next_user(users_.begin.begin(), users_.begin.end() - 1);
    for (const FlowEdge& edge : edges_) {
      if (!IsForward(edge)) continue;
      operands_.other[next_operand[edge.to]++] = edge.from;
      users_.other[next_user[edge.from]++] = edge.to;
    }
  }

  void AssignLayers() {
    layer_.assign(count_, 0);
    floats_.assign(count_, 0);
    for (uint32_t box = 0; box < count_; ++box) {
      const absl::Span<const uint32_t> operands = operands_.Of(box);
      bool floats = true;
      for (uint32_t operand : operands) {
        layer_[box] = std::max(layer_[box], layer_[operand] + 1);
        floats = floats && floats_[operand] && operand == operands.front();
      }
      floats_[box] = floats;
    }
    for (uint32_t box = count_; box-- > 0;) {
      const absl::Span<const uint32_t> users = users_.Of(box);
      if (!floats_[box] || users.empty()) continue;
      uint32_t first = kUnplaced;
      for (uint32_t user : users) first = std::min(first, layer_[user]);
      layer_[box] = first - 1;
    }
    layer_count_ = 1 + *std::max_element(layer_.begin(), layer_.end());
    // Layers that only held what was pulled down are empty now.
    std::vector<uint32_t> number(layer_count_, 0);
    for (uint32_t layer : layer_) number[layer] = 1;
    uint32_t used = 0;
    for (uint32_t& n : number) n = n != 0 ? used++ : used;
    for (uint32_t& layer : layer_) layer = number[layer];
    layer_count_ = used;
  }

  // The layers at which columns begin: each at the box of the smallest identity within its reach.
  void FindColumns() {
    column_starts_ = {0};
    if (InColumns()) {
      std::vector<uint64_t> least(layer_count_, ~uint64_t{0});
      for (uint32_t box = 0; box < count_; ++box) least[layer_[box]] = std::min(least[layer_[box]], Identity(box));
      while (column_starts_.back() + options_.column_max < layer_count_) {
        const auto begin = least.begin() + column_starts_.back();
        const auto next = std::min_element(begin + options_.column_min, begin + options_.column_max);
        column_starts_.push_back(static_cast<uint32_t>(next - least.begin()));
      }
    }
    column_.resize(layer_count_);
    for (uint32_t column = 0; column < column_starts_.size(); ++column) {
      for (uint32_t layer = column_starts_[column]; layer < LayersEnd(column); ++layer) column_[layer] = column;
    }
  }

  uint32_t LayersEnd(uint32_t column) const {
    return column + 1 < column_starts_.size() ? column_starts_[column + 1] : layer_count_;
  }

  // In each column the longest path that ends in its last layer, at a box which leads on if there is one. Each column
  // by itself, so that what happens in one does not change the others.
  void FindSpine() {
    spine_.assign(layer_count_, kUnplaced);
    std::vector<uint32_t> ends(column_starts_.size(), kUnplaced);
    auto leads_on = [&](uint32_t box) {
      for (uint32_t user : users_.Of(box)) {
        if (layer_[user] == layer_[box] + 1) return true;
      }
      return false;
    };
    for (uint32_t box = 0; box < count_; ++box) {
      const uint32_t column = column_[layer_[box]];
      if (layer_[box] + 1 != LayersEnd(column)) continue;
      const uint32_t best = ends[column];
      auto rank = [&](uint32_t b) { return std::tuple(floats_[b] == 0, leads_on(b), ~Identity(b)); };
      if (best == kUnplaced || rank(box) > rank(best)) ends[column] = box;
    }
    for (uint32_t column = 0; column < ends.size(); ++column) {
      uint32_t box = ends[column];
      while (box != kUnplaced && column_[layer_[box]] == column) {
        spine_[layer_[box]] = box;
        uint32_t above = kUnplaced;
        for (uint32_t operand : operands_.Of(box)) {
          if (layer_[operand] + 1 != layer_[box]) continue;
          if (above == kUnplaced || (floats_[above] && !floats_[operand])) above = operand;
        }
        box = above;
      }
    }
  }

  uint64_t Identity(uint32_t box) const {
    const uint64_t hash = (identities_.empty() ? box : identities_[box]) * uint64_t{0x9E3779B97F4A7C15};
    return hash ^ (hash >> 31);
  }

  // Center of each box, 0 being the spine; rows with their boxes from left to right.
  void PlaceInRows() {
    std::vector<uint32_t> begin(layer_count_ + 1, 0);
    for (uint32_t layer : layer_) ++begin[layer + 1];
    for (uint32_t i = 0; i < layer_count_; ++i) begin[i + 1] += begin[i];
    std::vector<uint32_t> members(count_);
    {
      std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
      for (uint32_t box = 0; box < count_; ++box) members[next[layer_[box]]++] = box;
    }
    ChooseColumnWidth(begin, members);
    wanted_.assign(count_, 0);
    center_.assign(count_, 0);
    // From above: what depends on something is below it.
    std::vector<uint32_t> row;
    for (uint32_t layer = 0; layer < layer_count_; ++layer) {
      row.clear();
      for (uint32_t i = begin[layer]; i < begin[layer + 1]; ++i) {
        if (floats_[members[i]] && members[i] != spine_[layer]) continue;
        row.push_back(members[i]);
        wanted_[members[i]] = members[i] == spine_[layer] ? 0 : WantedBelow(members[i]);
      }
      Pack(spine_[layer], row);
    }
    // From below: what was pulled down is above its first user, at the place of the operand it is.
    order_.reserve(count_);
    for (uint32_t layer = layer_count_; layer-- > 0;) {
      for (uint32_t i = begin[layer]; i < begin[layer + 1]; ++i) {
        const uint32_t box = members[i];
        const bool is_float = floats_[box] && box != spine_[layer];
        wanted_[box] = is_float ? WantedAbove(box) : center_[box];
        if (is_float) center_[box] = wanted_[box];
      }
    }
    for (uint32_t layer = 0; layer < layer_count_; ++layer) {
      row.assign(members.begin() + begin[layer], members.begin() + begin[layer + 1]);
      Pack(spine_[layer], row);
      AppendRows(row);
    }
  }

  void ChooseColumnWidth(const std::vector<uint32_t>& begin, const std::vector<uint32_t>& members) {
    std::vector<float> widths(layer_count_, 0);
    double area = 0;
    for (uint32_t layer = 0; layer < layer_count_; ++layer) {
      float height = 0;
      for (uint32_t i = begin[layer]; i < begin[layer + 1]; ++i) {
        widths[layer] += sizes_[members[i]].width + options_.gap;
        height = std::max(height, sizes_[members[i]].height + options_.row_gap);
      }
      area += static_cast<double>(widths[layer]) * height;
    }
    const size_t most = widths.size() * 19 / 20;
    std::nth_element(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(most), widths.end());
    column_width_ = kColumnWidths[std::size(kColumnWidths) - 1];
    for (float width : kColumnWidths) {
      if (widths[most] <= width) {
        column_width_ = width;
        break;
      }
    }
    if (!InColumns()) {
      // Few rows: as wide as it takes to fill a picture, in coarse steps.
      const float side = static_cast<float>(std::sqrt(area * kAspect));
      column_width_ = std::max({column_width_, 1600.0F, std::ceil(side / 800) * 800});
    }
  }

  bool InColumns() const { return layer_count_ >= options_.layers_for_columns; }

  // Where a box would best be: below its operand that is nearest, branches to both sides in turn.
  float WantedBelow(uint32_t box) const {
    uint32_t nearest = kUnplaced;
    for (uint32_t operand : operands_.Of(box)) {
      if (floats_[operand] && operand != spine_[layer_[operand]]) continue;
      if (column_[layer_[operand]] != column_[layer_[box]]) continue;
      if (nearest == kUnplaced || layer_[operand] > layer_[nearest]) nearest = operand;
    }
    if (nearest == kUnplaced) return 1;
    const absl::Span<const uint32_t> siblings = users_.Of(nearest);
    if (siblings.size() == 1) return center_[nearest];
    int branch = 0;
    for (uint32_t sibling : siblings.subspan(0, std::min<size_t>(siblings.size(), 64))) {
      if (sibling == box) break;
      branch += layer_[sibling] != layer_[box] || sibling != spine_[layer_[sibling]];
    }
    const float side = branch % 2 == 0 ? 1.0F : -1.0F;
    return center_[nearest] + side * static_cast<float>(1 + branch);
  }

  float WantedAbove(uint32_t box) const {
    uint32_t first = kUnplaced;
    for (uint32_t user : users_.Of(box)) {
      if (first == kUnplaced || layer_[user] < layer_[first]) first = user;
    }
    return first == kUnplaced ? 1 : PortX(box, first);
  }

  // Where the operand's edge enters the user, relative to the spine.
  float PortX(uint32_t operand, uint32_t user) const {
    const absl::Span<const uint32_t> operands = operands_.Of(user);
    const auto place = std::find(operands.begin(), operands.end(), operand) - operands.begin();
    return center_[user] +
           sizes_[user].width * (static_cast<float>(place + 1) / static_cast<float>(operands.size() + 1) - 0.5F);
  }

  // Sorts a row from left to right and gives each box a center: as near to where it wants to be as the others allow.
  void Pack(uint32_t spine, std::vector<uint32_t>& row) {
    std::sort(row.begin(), row.end(), [&](uint32_t a, uint32_t b) {
      const float at_a = a == spine ? 0 : wanted_[a], at_b = b == spine ? 0 : wanted_[b];
      if (at_a != at_b) return at_a < at_b;
      if ((a == spine) != (b == spine)) return a == spine;
      return a < b;
    });
    const auto middle = std::find(row.begin(), row.end(), spine);
    const auto split = middle == row.end()
                           ? std::find_if(row.begin(), row.end(), [&](uint32_t box) { return wanted_[box] >= 0; })
                           : middle;
    float half = 0;
    if (middle != row.end()) {
      center_[spine] = 0;
      half = sizes_[spine].width / 2 + options_.gap;
    }
    side_.assign(std::make_reverse_iterator(split), row.rend());
    PackSide(half, -1);
    side_.assign(middle == row.end() ? split : split + 1, row.end());
    PackSide(half, 1);
  }

  // Boxes of side_ outwards from the spine: the least squares of the distances from where they want to be (isotonic
  // regression by pooling neighbours), within the column.
  void PackSide(float lower, float sign) {
    if (side_.empty()) return;
    blocks_.clear();
    double offset = 0;
    for (size_t i = 0; i < side_.size(); ++i) {
      const uint32_t box = side_[i];
      if (i > 0) offset += (sizes_[side_[i - 1]].width + sizes_[box].width) / 2 + options_.gap;
      Block block{sign * wanted_[box] - offset, 1};
      while (!blocks_.empty() && blocks_.back().sum * block.count >= block.sum * blocks_.back().count) {
        block.sum += blocks_.back().sum;
        block.count += blocks_.back().count;
        blocks_.pop_back();
      }
      blocks_.push_back(block);
    }
    const double low = lower + sizes_[side_.front()].width / 2;
    const double high = std::max(low, column_width_ / 2.0 - offset - sizes_[side_.back()].width / 2);
    size_t i = 0;
    offset = 0;
    for (const Block& block : blocks_) {
      const double at = std::clamp(block.sum / block.count, low, high);
      for (uint32_t k = 0; k < block.count; ++k, ++i) {
        if (i > 0) offset += (sizes_[side_[i - 1]].width + sizes_[side_[i]].width) / 2 + options_.gap;
        center_[side_[i]] = sign * static_cast<float>(at + offset);
      }
    }
  }

  // One row, or several if it does not fit into the column.
  void AppendRows(const std::vector<uint32_t>& row) {
    const float left = Left(row.front()), right = Left(row.back()) + sizes_[row.back()].width;
    const float room = column_width_ / 2 + 0.5F;
    const bool fits = row.size() == 1 || (-left <= room && right <= room);
    first_row_.push_back(static_cast<uint32_t>(rows_.size()));
    size_t i = 0;
    while (i < row.size()) {
      Row drawn;
      drawn.begin = static_cast<uint32_t>(order_.size());
      const size_t end = fits ? row.size() : BrokenRowEnd(row, i);
      float width = -options_.gap;
      for (; i < end; ++i) {
        width += options_.gap + sizes_[row[i]].width;
        drawn.height = std::max(drawn.height, sizes_[row[i]].height);
        order_.push_back(row[i]);
      }
      drawn.end = static_cast<uint32_t>(order_.size());
      if (!fits) {
        float x = -width / 2;
        for (uint32_t k = drawn.begin; k < drawn.end; ++k) {
          center_[order_[k]] = x + sizes_[order_[k]].width / 2;
          x += sizes_[order_[k]].width + options_.gap;
        }
      }
      drawn.left = Left(order_[drawn.begin]);
      drawn.right = Left(order_[drawn.end - 1]) + sizes_[order_[drawn.end - 1]].width;
      rows_.push_back(drawn);
    }
  }

  // Where a row that begins at `begin` ends: it is full, or, if there is much more to come, half full and before the
  // box of the smallest identity, so that one box more does not push all that follow.
  size_t BrokenRowEnd(const std::vector<uint32_t>& row, size_t begin) const {
    float width = sizes_[row[begin]].width;
    size_t end = begin + 1, best = 0;
    for (; end < row.size(); ++end) {
      if (width > column_width_ / 2 && (best == 0 || Identity(row[end]) < Identity(row[best]))) best = end;
      width += options_.gap + sizes_[row[end]].width;
      if (width > column_width_) break;
    }
    return end < row.size() && best != 0 ? best : end;
  }

  float Left(uint32_t box) const { return center_[box] - sizes_[box].width / 2; }

  void SetColumns() {
    std::vector<uint32_t> starts;  // rows
    for (uint32_t column = 0; column < column_starts_.size(); ++column) {
      const uint32_t end = LayersEnd(column) < layer_count_ ? first_row_[LayersEnd(column)] : RowCount();
      // Layers of very many boxes take columns of their own, which end where the columns of layers would.
      for (uint32_t row = first_row_[column_starts_[column]];;) {
        starts.push_back(row);
        if (!InColumns() || end - row <= 2 * options_.column_max) break;
        const auto first = rows_.begin() + row;
        row =
            static_cast<uint32_t>(std::min_element(first + options_.column_min, first + options_.column_max,
                                                   [&](const Row& a, const Row& b) { return MarkOf(a) < MarkOf(b); }) -
                                  rows_.begin());
      }
    }
    const uint32_t columns = static_cast<uint32_t>(starts.size());
    starts.push_back(RowCount());
    result_.row_of.resize(count_);
    // Width and height of each column.
    struct Extent {
      float left = 0, right = 0, height = 0;
    };
    std::vector<Extent> extents(columns);
    float tallest = 0;
    for (uint32_t column = 0; column < columns; ++column) {
      Extent& extent = extents[column];
      // Only a box that is wider than the column makes it wider; a single column is as wide as what it holds.
      if (columns > 1) extent = {-column_width_ / 2, column_width_ / 2, 0};
      extent.height = -options_.row_gap;
      for (uint32_t r = starts[column]; r < starts[column + 1]; ++r) {
        extent.left = std::min(extent.left, rows_[r].left);
        extent.right = std::max(extent.right, rows_[r].right);
        extent.height += rows_[r].height + options_.row_gap;
      }
      tallest = std::max(tallest, extent.height);
    }
    uint32_t per_band = columns;
    if (columns > 1) {
      const float band = BandHeight(tallest) + options_.band_gap;
      const float ideal =
          std::sqrt(static_cast<float>(columns) * kAspect * band / (column_width_ + options_.column_gap));
      per_band = kColumnsOfABand[0];
      for (uint32_t count : kColumnsOfABand) {
        if (static_cast<float>(count) <= ideal * 1.3F) per_band = count;
      }
    }
    float top = 0;
    for (uint32_t first = 0; first < columns; first += per_band) {
      float x = 0, height = 0;
      for (uint32_t column = first; column < std::min(columns, first + per_band); ++column) {
        const Extent& extent = extents[column];
        PlaceColumn(column, starts[column], starts[column + 1], x - extent.left, top);
        result_.columns.push_back({x, x + extent.right - extent.left, result_.band_count});
        x += extent.right - extent.left + options_.column_gap;
        height = std::max(height, extent.height);
      }
      result_.width = std::max(result_.width, x - options_.column_gap);
      result_.height = top + height;
      result_.band_tops.push_back(top);
      top += BandHeight(height) + options_.band_gap;
      ++result_.band_count;
    }
    result_.row_count = RowCount();
    result_.column_count = columns;
  }

  static float BandHeight(float tallest) {
    float height = kBandHeight;
    while (height < tallest + kBandSlack) height *= kBandGrowth;
    return height;
  }

  uint64_t MarkOf(const Row& row) const { return Identity(order_[row.begin]); }

  uint32_t RowCount() const { return static_cast<uint32_t>(rows_.size()); }

  void PlaceColumn(uint32_t column, uint32_t begin, uint32_t end, float x, float y) {
    for (uint32_t r = begin; r < end; ++r) {
      Row& row = rows_[r];
      row.column = column;
      row.y = y;
      for (uint32_t i = row.begin; i < row.end; ++i) {
        result_.row_of[order_[i]] = r;
        center_[order_[i]] += x;
        result_.corners[order_[i]] = {Left(order_[i]), y};
      }
      row.left += x;
      row.right += x;
      y += row.height + options_.row_gap;
    }
  }

  struct Block {
    double sum = 0;
    uint32_t count = 0;
  };

  const absl::Span<const FlowSize> sizes_;
  const absl::Span<const FlowEdge> edges_;
  const absl::Span<const uint32_t> identities_;
  const FlowOptions& options_;
  const uint32_t count_;
  FlowLayout result_;

  Adjacency operands_, users_;
  std::vector<uint32_t> layer_;
  std::vector<uint8_t> floats_;  // a source, or a chain of one operand below one
  uint32_t layer_count_ = 0;
  std::vector<uint32_t> column_starts_;  // layers
  std::vector<uint32_t> column_;         // by layer
  std::vector<uint32_t> spine_;          // by layer
  std::vector<float> wanted_, center_;
  float column_width_ = 0;
  std::vector<uint32_t> order_;  // boxes row by row
  std::vector<Row> rows_;
  std::vector<uint32_t> first_row_;  // by layer
  std::vector<uint32_t> side_;       // scratch
  std::vector<Block> blocks_;        // scratch
};

}  // namespace

FlowLayout LayOutFlow(absl::Span<const FlowSize> sizes, absl::Span<const FlowEdge> edges,
                      absl::Span<const uint32_t> identities, const FlowOptions& options) {
  return FlowLayouter(sizes, edges, identities, options).Run();
}

}  // namespace hloscope::gui
