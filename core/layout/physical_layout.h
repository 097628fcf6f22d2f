// SPDX-License-Identifier: Apache-2.0
// Where the elements of an array lie in memory (docs/ops/tensor.md 12): minor-to-major order, padded dimensions,
// nested tiles, combined dimensions, element packing, tail padding and splits between memories.
#ifndef HLOSCOPE_CORE_LAYOUT_PHYSICAL_LAYOUT_H_
#define HLOSCOPE_CORE_LAYOUT_PHYSICAL_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/shape.h"

namespace hloscope {

// True if the list holds each of 0, ..., rank-1 once.
bool IsPermutation(absl::Span<const int64_t> list, int64_t rank);

// Whether the layout of an array can be used: LAY-1 to LAY-6 of 12.1. An absent layout is good. Error InvalidArgument:
// a sentence without "layout:" in front, "dimension 2 is repeated in {2,2}".
absl::Status CheckLayout(const Shape& array);

// The old form of padding (12.3): one width per dimension, at least its size.
struct PaddedDimensions {
  std::vector<int64_t> widths;  // by logical dimension; empty: no padding
};

// The layout of one array with everything needed to find elements; immutable. The cost of a look-up is proportional to
// rank and tile levels.
class PhysicalLayout {
 public:
  using Index = absl::InlinedVector<int64_t, 6>;

  // `array` without layout means the descending one. Errors InvalidArgument: not an array, an unbounded dimension, a
  // layout that CheckLayout refuses, bad widths, sizes beyond 64 bits.
  static absl::StatusOr<PhysicalLayout> Of(const Shape& array, const PaddedDimensions& padded = {});

  const Shape& shape() const { return shape_; }
  // Logical dimension numbers, slowest first.
  absl::Span<const int64_t> major_to_minor() const { return major_to_minor_; }

  // Sizes, most major first, after the first `level` tile levels: level 0 is the array (its widths, if it is padded the
  // old way; its longest pieces, if it is split) in physical order, level_count() is how it is stored.
  int64_t level_count() const { return static_cast<int64_t>(levels_.size()); }
  absl::Span<const int64_t> physical_dimensions(int64_t level) const;
  absl::Span<const int64_t> stored_dimensions() const { return physical_dimensions(level_count()); }

  int64_t element_count() const { return element_count_; }
  // Cells of the buffer (of each piece, if the array is split): elements and padding.
  int64_t cell_count() const { return cell_count_; }
  // Memories that the array is split between; 1 without splits.
  int64_t piece_count() const { return piece_count_; }

  // 12.5. Bytes of the elements alone, and of one buffer: cells and the prefix for dynamic sizes.
  int64_t element_bits() const { return element_bits_; }
  int64_t data_bytes() const { return data_bytes_; }
  int64_t physical_bytes() const { return physical_bytes_; }
  // 1 - data_bytes / physical_bytes over all pieces; 0 for empty buffers.
  double waste() const;
  // Bytes up to the end of the last logical element.
  int64_t data_extent_bytes() const;

  // A cell: in which piece, and its number there. The element's bytes begin at bit address * element_bits() after the
  // prefix.
  struct Place {
    int64_t piece = 0;
    int64_t address = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  // Requires one index per logical dimension, each within its size.
  Place PlaceOf(absl::Span<const int64_t> index) const;
  // Without splits the address is the whole place.
  int64_t AddressOf(absl::Span<const int64_t> index) const { return PlaceOf(index).address; }
  // The element in a cell; nothing if it is padding. Requires 0 <= address < cell_count(), 0 <= piece < piece_count().
  std::optional<Index> IndexAt(Place place) const;

  // The units of each logical dimension's digits: the address is a sum of one function per dimension, and within a
  // dimension it is linear in the digits that begin at these units (1 left out), smallest first. Nothing if tiles
  // combine dimensions or the array is split, so that this does not hold.
  std::optional<std::vector<std::vector<int64_t>>> DigitUnits() const;

 private:
  using Sizes = absl::InlinedVector<int64_t, 8>;

  // One tile level.
  struct Level {
    int64_t prepended = 0;  // dimensions of size 1 put in front, because the tile has more entries than there were
    struct Combination {
      size_t position;     // of the dimension that disappears into the next one
      int64_t minor_size;  // size of that next one
    };
    std::vector<Combination> combinations;  // in this order
    Sizes combined;                         // sizes after them
    Sizes tile;                             // for the last tile.size() of them
    Sizes result;                           // sizes after the level
  };

  PhysicalLayout() = default;
  absl::Status AddLevel(const Tile& tile);
  absl::Status ComputeSizes();

  Shape shape_;
  Index major_to_minor_;
  Sizes initial_;                           // sizes at level 0
  std::vector<std::vector<int64_t>> cuts_;  // by physical dimension: where pieces begin, 0 included; empty: not split
  std::vector<Level> levels_;
  Sizes strides_;  // of the stored dimensions
  int64_t element_count_ = 0, cell_count_ = 0, unaligned_cell_count_ = 0, piece_count_ = 1;
  int64_t element_bits_ = 0, data_bytes_ = 0, physical_bytes_ = 0;
};

// The layout of today that places every element where the padded one does (12.3): one tile of the padded size.
Layout TiledEquivalent(const Shape& array, const PaddedDimensions& padded);

// Moves `index` to the next one in row-major order; false (and all zeros) after the last.
bool NextIndex(absl::Span<const int64_t> dimensions, absl::Span<int64_t> index);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_LAYOUT_PHYSICAL_LAYOUT_H_
