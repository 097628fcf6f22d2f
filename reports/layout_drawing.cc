// SPDX-License-Identifier: Apache-2.0
#include "reports/layout_drawing.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reports/grid_drawing.h"
#include "reports/layout_text.h"

namespace hloscope::reports {
namespace {

constexpr int64_t kMostRows = 16, kMostColumns = 16, kMostPlanes = 3;

using CellOf = std::function<DrawnCell(absl::Span<const int64_t> index)>;

// The last two dimensions as one grid, the others fixed at what `index` says. Rank 1 is one row, a scalar one cell.
DrawnGrid PlaneGrid(std::string title, absl::Span<const int64_t> sizes, std::vector<int64_t> index,
                    const CellOf& cell_of) {
  const size_t rank = sizes.size();
  const std::vector<int64_t> columns = ShownNumbers(rank >= 1 ? sizes[rank - 1] : 1, kMostColumns);
  DrawnGrid grid;
  grid.title = std::move(title);
  const auto number = [](int64_t n) { return n == kLeftOutNumber ? std::string("…") : absl::StrCat(n); };
  if (rank >= 1) {
    for (int64_t column : columns) grid.columns.push_back(number(column));
  }
  for (int64_t row : ShownNumbers(rank >= 2 ? sizes[rank - 2] : 1, kMostRows)) {
    DrawnGrid::Row& drawn = grid.rows.emplace_back();
    if (rank >= 2) drawn.head = number(row);
    for (int64_t column : columns) {
      if (row == kLeftOutNumber || column == kLeftOutNumber) {
        drawn.cells.push_back({"…", DrawnCell::Kind::kLeftOut, 0});
        continue;
      }
      if (rank >= 2) index[rank - 2] = row;
      if (rank >= 1) index[rank - 1] = column;
      drawn.cells.push_back(cell_of(index));
    }
  }
  return grid;
}

// Every plane of the last two dimensions, or the first and the last ones of many.
void AddPlanes(const std::string& title, absl::Span<const int64_t> sizes, const CellOf& cell_of,
               std::vector<DrawnGrid>* grids) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) {
    grids->push_back({absl::StrCat(title, " (no elements)"), {}, {}});
    return;
  }
  std::vector<int64_t> index(sizes.size(), 0);
  const absl::Span<const int64_t> outer = sizes.subspan(0, sizes.size() <= 2 ? 0 : sizes.size() - 2);
  int64_t planes = 1;
  for (int64_t size : outer) planes *= size;  // at most the element count
  for (int64_t plane : ShownNumbers(planes, kMostPlanes)) {
    if (plane == kLeftOutNumber) {
      grids->push_back({"…", {}, {}});
      continue;
    }
    int64_t rest = plane;
    for (size_t d = outer.size(); d-- > 0;) {
      index[d] = rest % outer[d];
      rest /= outer[d];
    }
    const std::string place =
        outer.empty() ? ""
                      : absl::StrCat(" [", absl::StrJoin(absl::MakeSpan(index).subspan(0, outer.size()), ","), ",:,:]");
    grids->push_back(PlaneGrid(absl::StrCat(title, place), sizes, index, cell_of));
  }
}

DrawnGrid MemoryGrid(const PhysicalLayout& layout, int64_t piece, int64_t group_cells) {
  DrawnGrid grid;
  grid.title = layout.piece_count() > 1 ? absl::StrCat("Memory of piece ", piece, ": element in each cell")
                                        : "Memory: element in each cell, padding hatched";
  const int64_t run = layout.stored_dimensions().empty() ? 1 : std::max<int64_t>(1, layout.stored_dimensions().back());
  const int64_t columns = run > kMostColumns ? kMostColumns : run * std::max<int64_t>(1, 8 / run);
  const int64_t cells = layout.cell_count();
  for (int64_t row : ShownNumbers((cells + columns - 1) / columns, kMostRows)) {
    DrawnGrid::Row& drawn = grid.rows.emplace_back();
    if (row == kLeftOutNumber) {
      drawn.head = "…";
      continue;
    }
    drawn.head = absl::StrCat(row * columns);
    for (int64_t at = row * columns; at < std::min(cells, (row + 1) * columns); ++at) {
      const auto index = layout.IndexAt({piece, at});
      if (index.has_value()) {
        drawn.cells.push_back({absl::StrJoin(*index, ","), DrawnCell::Kind::kElement, at / group_cells});
      } else {
        drawn.cells.push_back({"", DrawnCell::Kind::kPadding, 0});
      }
    }
  }
  return grid;
}

void AddLayout(const PhysicalLayout& layout, std::vector<DrawnGrid>* grids) {
  const int64_t run = layout.stored_dimensions().empty() ? 1 : layout.stored_dimensions().back();
  const int64_t tile = InnermostTileCells(layout);
  const int64_t group_cells = std::max<int64_t>(1, tile > 0 ? tile : run);
  const auto cell = [&](absl::Span<const int64_t> index) {
    const PhysicalLayout::Place place = layout.PlaceOf(index);
    return DrawnCell{
        layout.piece_count() > 1 ? absl::StrCat(place.piece, ":", place.address) : absl::StrCat(place.address),
        DrawnCell::Kind::kElement, place.address / group_cells};
  };
  AddPlanes(absl::StrCat(layout.shape().ToString(), ": address of each element"), layout.shape().dimensions(), cell,
            grids);
  for (int64_t piece : ShownNumbers(layout.piece_count(), kMostPlanes)) {
    if (piece != kLeftOutNumber) grids->push_back(MemoryGrid(layout, piece, group_cells));
  }
}

// The element of the operand that an element of the result reads.
std::vector<int64_t> SourceIndex(const BroadcastPlan& plan, int operand, absl::Span<const int64_t> result) {
  std::vector<int64_t> index(result.begin(), result.end());
  for (size_t k = plan.steps.size(); k-- > 0;) {
    const BroadcastStep& step = plan.steps[k];
    if (step.operand != operand) continue;
    if (step.kind == BroadcastStepKind::kStretch) {
      for (int64_t d : step.repeated) index[static_cast<size_t>(d)] = 0;
      continue;
    }
    std::vector<int64_t> before;
    for (size_t d = 0; d < index.size(); ++d) {
      const bool is_new =
          std::find(step.repeated.begin(), step.repeated.end(), static_cast<int64_t>(d)) != step.repeated.end();
      if (!is_new) before.push_back(index[d]);
    }
    index = std::move(before);
  }
  return index;
}

int64_t LinearNumber(absl::Span<const int64_t> sizes, absl::Span<const int64_t> index) {
  int64_t number = 0;
  for (size_t d = 0; d < index.size() && d < sizes.size(); ++d) number = number * sizes[d] + index[d];
  return number;
}

}  // namespace

std::string LayoutSvg(absl::Span<const PhysicalLayout> layouts) {
  std::vector<DrawnGrid> grids;
  for (const PhysicalLayout& layout : layouts) AddLayout(layout, &grids);
  return GridsToSvg(grids);
}

std::string BroadcastSvg(const BroadcastPlan& plan) {
  std::vector<DrawnGrid> grids;
  for (int operand : {0, 1}) {
    const BuilderValue& value = operand == 0 ? plan.lhs : plan.rhs;
    const absl::Span<const int64_t> sizes = value.shape.dimensions();
    const auto cell = [&](absl::Span<const int64_t> index) {
      return DrawnCell{absl::StrJoin(index, ","), DrawnCell::Kind::kElement, LinearNumber(sizes, index)};
    };
    AddPlanes(absl::StrCat(value.name, " ", value.shape.ToString(false)), sizes, cell, &grids);
    const bool is_repeated = std::any_of(plan.steps.begin(), plan.steps.end(),
                                         [&](const BroadcastStep& step) { return step.operand == operand; });
    if (!is_repeated) continue;
    AddPlanes(
        absl::StrCat(value.name, " as ", plan.result.ToString(false), ": the element that each position reads"),
        plan.result.dimensions(),
        [&](absl::Span<const int64_t> index) { return cell(SourceIndex(plan, operand, index)); }, &grids);
  }
  return GridsToSvg(grids);
}

}  // namespace hloscope::reports
