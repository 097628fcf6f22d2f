// SPDX-License-Identifier: Apache-2.0
// Which layouts can be used (docs/ops/tensor.md 12.1, LAY-1 to LAY-6).
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/layout/physical_layout.h"

namespace hloscope {
namespace {

absl::Status Bad(absl::string_view message) { return absl::InvalidArgumentError(message); }

absl::Status CheckMinorToMajor(const Shape& array, absl::Span<const int64_t> minor_to_major) {
  const int64_t rank = array.rank();
  if (static_cast<int64_t>(minor_to_major.size()) != rank) {
    return Bad(absl::StrCat("it orders ", minor_to_major.size(), " dimensions but ", array.ToString(false), " has ",
                            rank));  // LAY-1
  }
  std::vector<bool> seen(minor_to_major.size());
  const auto list = [&] { return absl::StrCat("{", absl::StrJoin(minor_to_major, ","), "}"); };
  for (int64_t d : minor_to_major) {
    if (d < 0 || d >= rank) {
      return Bad(absl::StrCat("dimension ", d, " in ", list(), " is out of range [0,", rank, ")"));  // LAY-2
    }
    if (seen[static_cast<size_t>(d)]) {
      return Bad(absl::StrCat("dimension ", d, " is repeated in ", list()));  // LAY-2
    }
    seen[static_cast<size_t>(d)] = true;
  }
  return absl::OkStatus();
}

// LAY-3.
absl::Status CheckTiles(absl::Span<const Tile> tiles) {
  for (size_t t = 0; t < tiles.size(); ++t) {
    const std::vector<int64_t>& sizes = tiles[t].dimensions;
    const std::string which = absl::StrCat("tile level ", t + 1);
    if (sizes.empty()) return Bad(absl::StrCat(which, " is empty; write sizes as in T(8,128)"));
    for (int64_t size : sizes) {
      if (size != Tile::kCombine && size <= 0) return Bad(absl::StrCat(which, " has size ", size, "; sizes are >= 1"));
    }
    if (sizes.back() == Tile::kCombine) {
      return Bad(absl::StrCat(which, " ends in `*`, but there is no more minor dimension to combine with"));
    }
  }
  return absl::OkStatus();
}

// LAY-5.
absl::Status CheckSplits(const Shape& array, const Layout& layout) {
  std::vector<bool> seen(static_cast<size_t>(array.rank()));
  for (const SplitConfig& split : layout.split_configs) {
    const std::string text = absl::StrCat("SC(", split.dimension, ":", absl::StrJoin(split.split_indices, ","), ")");
    if (split.dimension < 0 || split.dimension >= array.rank()) {
      return Bad(absl::StrCat(text, ": there is no physical dimension ", split.dimension, ", only ", array.rank(),
                              " of them, 0 being the most major"));
    }
    const size_t physical = static_cast<size_t>(split.dimension);
    if (seen[physical]) return Bad(absl::StrCat(text, ": physical dimension ", split.dimension, " is split twice"));
    seen[physical] = true;
    const int64_t size = array.dimension(layout.minor_to_major[layout.minor_to_major.size() - 1 - physical]);
    int64_t last = 0;
    for (int64_t index : split.split_indices) {
      if (index <= last || index >= size) {
        return Bad(absl::StrCat(text, ": split indices must increase within (0,", size,
                                "), the size of physical dimension ", split.dimension));
      }
      last = index;
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool IsPermutation(absl::Span<const int64_t> list, int64_t rank) {
  if (static_cast<int64_t>(list.size()) != rank) return false;
  if (rank <= 64) {
    uint64_t set = 0;
    for (int64_t d : list) {
      if (d < 0 || d >= rank || (set >> d & 1) != 0) return false;
      set |= uint64_t{1} << d;
    }
    return true;
  }
  std::vector<bool> seen(list.size());
  for (int64_t d : list) {
    if (d < 0 || d >= rank || seen[static_cast<size_t>(d)]) return false;
    seen[static_cast<size_t>(d)] = true;
  }
  return true;
}

absl::Status CheckLayout(const Shape& array) {
  if (!array.IsArray()) return Bad(absl::StrCat("only arrays have layouts, not ", array.ToString(false)));
  if (!array.has_layout()) return absl::OkStatus();
  const Layout& layout = array.layout();
  if (absl::Status s = CheckMinorToMajor(array, layout.minor_to_major); !s.ok()) return s;
  if (absl::Status s = CheckTiles(layout.tiles); !s.ok()) return s;
  // LAY-4
  if (layout.tail_padding_alignment_in_elements < 1) {
    return Bad(absl::StrCat("L=", layout.tail_padding_alignment_in_elements, " is invalid; it must be at least 1"));
  }
  if (layout.element_size_in_bits < 0) {
    return Bad(absl::StrCat("E=", layout.element_size_in_bits, " is invalid; it must not be negative"));
  }
  if (layout.dynamic_shape_metadata_prefix_bytes < 0) {
    return Bad(absl::StrCat("M=", layout.dynamic_shape_metadata_prefix_bytes, " is invalid; it must not be negative"));
  }
  // LAY-6
  if (layout.index_primitive_type != ElementType::kInvalid || layout.pointer_primitive_type != ElementType::kInvalid) {
    return Bad("index and pointer types (#, *) belong to sparse arrays, which no longer exist");
  }
  return CheckSplits(array, layout);
}

}  // namespace hloscope
