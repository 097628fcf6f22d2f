// SPDX-License-Identifier: Apache-2.0
#include "core/layout/physical_layout.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ir/checked_math.h"
#include "core/layout/byte_size.h"

namespace hloscope {
namespace {

absl::Status Overflow(const Shape& shape) {
  return absl::InvalidArgumentError(absl::StrCat("the size of ", shape.ToString(), " in memory does not fit 64 bits"));
}

absl::Status CheckWidths(const Shape& array, absl::Span<const int64_t> widths) {
  if (static_cast<int64_t>(widths.size()) != array.rank()) {
    return absl::InvalidArgumentError(
        absl::StrCat("padded_dimensions has ", widths.size(), " entries for rank ", array.rank()));
  }
  for (size_t d = 0; d < widths.size(); ++d) {
    const int64_t size = array.dimension(static_cast<int64_t>(d));
    if (widths[d] < size) {
      return absl::InvalidArgumentError(
          absl::StrCat("padded_dimensions[", d, "]=", widths[d], " is smaller than the size ", size));
    }
  }
  return absl::OkStatus();
}

int64_t LongestPiece(int64_t size, absl::Span<const int64_t> cuts) {
  int64_t longest = 0;
  for (size_t i = 0; i < cuts.size(); ++i) {
    longest = std::max(longest, (i + 1 < cuts.size() ? cuts[i + 1] : size) - cuts[i]);
  }
  return longest;
}

}  // namespace

absl::StatusOr<PhysicalLayout> PhysicalLayout::Of(const Shape& array, const PaddedDimensions& padded) {
  if (!array.IsArray()) return absl::InvalidArgumentError(absl::StrCat(array.ToString(), " is not an array"));
  if (array.HasUnboundedDimension()) {
    return absl::InvalidArgumentError(
        absl::StrCat(array.ToString(), " has no known size; an unbounded dimension cannot be laid out"));
  }
  if (absl::Status status = CheckLayout(array); !status.ok()) return status;
  PhysicalLayout result;
  result.shape_ = array;
  if (!array.has_layout()) result.shape_.set_layout(Layout::RowMajor(array.rank()));
  const Layout& layout = result.shape_.layout();
  result.major_to_minor_.assign(layout.minor_to_major.rbegin(), layout.minor_to_major.rend());
  for (int64_t d : result.major_to_minor_) result.initial_.push_back(array.dimension(d));
  if (!padded.widths.empty()) {
    if (absl::Status status = CheckWidths(array, padded.widths); !status.ok()) return status;
    for (size_t k = 0; k < result.initial_.size(); ++k) {
      result.initial_[k] = padded.widths[static_cast<size_t>(result.major_to_minor_[k])];
    }
  }
  if (!layout.split_configs.empty()) result.cuts_.resize(result.initial_.size());
  CheckedInt64 pieces(1);
  for (const SplitConfig& split : layout.split_configs) {
    const size_t k = static_cast<size_t>(split.dimension);
    result.cuts_[k] = {0};
    result.cuts_[k].insert(result.cuts_[k].end(), split.split_indices.begin(), split.split_indices.end());
    pieces = pieces * static_cast<int64_t>(result.cuts_[k].size());
    result.initial_[k] = LongestPiece(result.initial_[k], result.cuts_[k]);
  }
  if (!pieces.ok()) return Overflow(array);
  result.piece_count_ = pieces.value();
  for (const Tile& tile : layout.tiles) {
    if (absl::Status status = result.AddLevel(tile); !status.ok()) return status;
  }
  if (absl::Status status = result.ComputeSizes(); !status.ok()) return status;
  return result;
}

absl::Status PhysicalLayout::AddLevel(const Tile& tile) {
  Level level;
  const absl::Span<const int64_t> before = stored_dimensions();
  const size_t tile_rank = tile.dimensions.size();
  if (tile_rank > before.size()) level.prepended = static_cast<int64_t>(tile_rank - before.size());
  level.combined.assign(static_cast<size_t>(level.prepended), 1);
  level.combined.insert(level.combined.end(), before.begin(), before.end());
  size_t position = level.combined.size() - tile_rank;
  for (int64_t size : tile.dimensions) {
    if (size != Tile::kCombine) {
      level.tile.push_back(size);
      ++position;
      continue;
    }
    const int64_t minor_size = level.combined[position + 1];
    const CheckedInt64 product = CheckedInt64(level.combined[position]) * minor_size;
    if (!product.ok()) return Overflow(shape_);
    level.combinations.push_back({position, minor_size});
    level.combined[position + 1] = product.value();
    level.combined.erase(level.combined.begin() + static_cast<std::ptrdiff_t>(position));
  }
  const size_t untiled = level.combined.size() - level.tile.size();
  level.result = level.combined;
  for (size_t k = 0; k < level.tile.size(); ++k) {
    level.result[untiled + k] = CeilDiv(level.combined[untiled + k], level.tile[k]);
  }
  level.result.insert(level.result.end(), level.tile.begin(), level.tile.end());
  levels_.push_back(std::move(level));
  return absl::OkStatus();
}

absl::Status PhysicalLayout::ComputeSizes() {
  const Layout& layout = shape_.layout();
  element_count_ = shape_.ElementCount();
  element_bits_ = ElementBits(shape_);
  const absl::Span<const int64_t> stored = stored_dimensions();
  strides_.assign(stored.size(), 1);
  CheckedInt64 cells(1);
  const bool empty = std::find(stored.begin(), stored.end(), 0) != stored.end();
  for (size_t k = stored.size(); k-- > 0 && !empty;) {
    strides_[k] = cells.value();
    cells = cells * stored[k];
    if (!cells.ok()) return Overflow(shape_);
  }
  if (empty) cells = 0;
  unaligned_cell_count_ = cells.value();
  const int64_t alignment = layout.tail_padding_alignment_in_elements;
  cells = CheckedInt64(CeilDiv(unaligned_cell_count_, alignment)) * alignment;
  const CheckedInt64 bits = cells * element_bits_;
  const CheckedInt64 data_bits = CheckedInt64(element_count_) * element_bits_;
  if (!bits.ok() || !data_bits.ok()) return Overflow(shape_);
  const CheckedInt64 bytes = CheckedInt64(CeilDiv(bits.value(), 8)) + layout.dynamic_shape_metadata_prefix_bytes;
  if (!bytes.ok()) return Overflow(shape_);
  cell_count_ = cells.value();
  data_bytes_ = CeilDiv(data_bits.value(), 8);
  physical_bytes_ = bytes.value();
  return absl::OkStatus();
}

absl::Span<const int64_t> PhysicalLayout::physical_dimensions(int64_t level) const {
  return level == 0 ? initial_ : levels_[static_cast<size_t>(level) - 1].result;
}

double PhysicalLayout::waste() const {
  const double physical = static_cast<double>(physical_bytes_) * static_cast<double>(piece_count_);
  return physical == 0 ? 0 : 1 - static_cast<double>(data_bytes_) / physical;
}

int64_t PhysicalLayout::data_extent_bytes() const {
  if (element_count_ == 0) return 0;
  Index last;
  for (int64_t size : shape_.dimensions()) last.push_back(size - 1);
  return CeilDiv((AddressOf(last) + 1) * element_bits_, 8);  // at most cell_count_ * element_bits_
}

PhysicalLayout::Place PhysicalLayout::PlaceOf(absl::Span<const int64_t> index) const {
  Place place;
  Sizes e;
  for (size_t k = 0; k < major_to_minor_.size(); ++k) {
    int64_t at = index[static_cast<size_t>(major_to_minor_[k])];
    if (!cuts_.empty() && !cuts_[k].empty()) {
      const auto cut = std::upper_bound(cuts_[k].begin(), cuts_[k].end(), at) - 1;
      place.piece = place.piece * static_cast<int64_t>(cuts_[k].size()) + (cut - cuts_[k].begin());
      at -= *cut;
    }
    e.push_back(at);
  }
  for (const Level& level : levels_) {
    e.insert(e.begin(), static_cast<size_t>(level.prepended), 0);
    for (const Level::Combination& c : level.combinations) {
      e[c.position + 1] += e[c.position] * c.minor_size;
      e.erase(e.begin() + static_cast<std::ptrdiff_t>(c.position));
    }
    const size_t untiled = e.size() - level.tile.size();
    for (size_t k = 0; k < level.tile.size(); ++k) {
      e.push_back(e[untiled + k] % level.tile[k]);
      e[untiled + k] /= level.tile[k];
    }
  }
  for (size_t k = 0; k < e.size(); ++k) place.address += e[k] * strides_[k];
  return place;
}

std::optional<PhysicalLayout::Index> PhysicalLayout::IndexAt(Place place) const {
  if (place.address >= unaligned_cell_count_) return std::nullopt;
  const absl::Span<const int64_t> stored = stored_dimensions();
  Sizes e(stored.size());
  for (size_t k = 0; k < e.size(); ++k) e[k] = place.address / strides_[k] % stored[k];
  for (size_t l = levels_.size(); l-- > 0;) {
    const Level& level = levels_[l];
    const size_t tile_rank = level.tile.size(), untiled = e.size() - 2 * tile_rank;
    for (size_t k = 0; k < tile_rank; ++k) {
      int64_t& at = e[untiled + k];
      at = at * level.tile[k] + e[untiled + tile_rank + k];
      if (at >= level.combined[untiled + k]) return std::nullopt;
    }
    e.resize(untiled + tile_rank);
    for (size_t c = level.combinations.size(); c-- > 0;) {
      const Level::Combination& combination = level.combinations[c];
      const int64_t at = e[combination.position];
      e[combination.position] = at % combination.minor_size;
      e.insert(e.begin() + static_cast<std::ptrdiff_t>(combination.position), at / combination.minor_size);
    }
    e.erase(e.begin(), e.begin() + level.prepended);
  }
  Index index(major_to_minor_.size());
  int64_t piece = place.piece;
  for (size_t k = major_to_minor_.size(); k-- > 0;) {
    const int64_t d = major_to_minor_[k];
    int64_t end = shape_.dimension(d), at = e[k];
    if (!cuts_.empty() && !cuts_[k].empty()) {
      const size_t number = static_cast<size_t>(piece % static_cast<int64_t>(cuts_[k].size()));
      piece /= static_cast<int64_t>(cuts_[k].size());
      at += cuts_[k][number];
      if (number + 1 < cuts_[k].size()) end = cuts_[k][number + 1];
    }
    if (at >= end) return std::nullopt;
    index[static_cast<size_t>(d)] = at;
  }
  return index;
}

std::optional<std::vector<std::vector<int64_t>>> PhysicalLayout::DigitUnits() const {
  if (!cuts_.empty()) return std::nullopt;
  struct Digit {
    int64_t dimension;  // -1: always 0
    int64_t unit;
  };
  std::vector<Digit> digits;
  for (int64_t d : major_to_minor_) digits.push_back({d, 1});
  for (const Level& level : levels_) {
    if (!level.combinations.empty()) return std::nullopt;
    digits.insert(digits.begin(), static_cast<size_t>(level.prepended), Digit{-1, 1});
    const size_t untiled = digits.size() - level.tile.size();
    for (size_t k = 0; k < level.tile.size(); ++k) {
      digits.push_back(digits[untiled + k]);
      // A unit beyond 64 bits is beyond the dimension's size: its digit is always 0.
      digits[untiled + k].unit = SaturatingProduct(digits[untiled + k].unit, level.tile[k]);
    }
  }
  std::vector<std::vector<int64_t>> units(major_to_minor_.size());
  for (const Digit& digit : digits) {
    if (digit.dimension >= 0 && digit.unit > 1) units[static_cast<size_t>(digit.dimension)].push_back(digit.unit);
  }
  for (std::vector<int64_t>& list : units) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return units;
}

Layout TiledEquivalent(const Shape& array, const PaddedDimensions& padded) {
  Layout layout = array.has_layout() ? array.layout() : Layout::RowMajor(array.rank());
  if (padded.widths.empty()) return layout;
  Tile tile;
  for (size_t k = layout.minor_to_major.size(); k-- > 0;) {
    tile.dimensions.push_back(padded.widths[static_cast<size_t>(layout.minor_to_major[k])]);
  }
  layout.tiles.insert(layout.tiles.begin(), std::move(tile));
  return layout;
}

bool NextIndex(absl::Span<const int64_t> dimensions, absl::Span<int64_t> index) {
  for (size_t d = dimensions.size(); d-- > 0;) {
    if (++index[d] < dimensions[d]) return true;
    index[d] = 0;
  }
  return false;
}

}  // namespace hloscope
