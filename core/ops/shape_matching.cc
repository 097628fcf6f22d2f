// SPDX-License-Identifier: Apache-2.0
#include "core/ops/shape_matching.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hloscope {
namespace {

// Tuples with more leaves than this are abbreviated in messages.
constexpr int64_t kMaxLeavesInMessage = 6;

bool IsRowMajor(absl::Span<const int64_t> minor_to_major) {
  const int64_t rank = static_cast<int64_t>(minor_to_major.size());
  for (int64_t i = 0; i < rank; ++i) {
    if (minor_to_major[static_cast<size_t>(i)] != rank - 1 - i) return false;
  }
  return true;
}

bool LayoutMatchesDefault(const Layout& layout, LayoutMatching matching) {
  if (!IsRowMajor(layout.minor_to_major)) return false;
  if (matching.minor_to_major_only || layout.HasOnlyMinorToMajor()) return true;
  Layout rest = layout;
  if (matching.ignore_memory_space) rest.memory_space = 0;
  if (matching.ignore_tiles) rest.tiles.clear();
  if (matching.ignore_split_configs) rest.split_configs.clear();
  if (matching.ignore_tail_padding) rest.tail_padding_alignment_in_elements = 1;
  return rest.HasOnlyMinorToMajor();
}

bool ArrayLayoutsMatch(const Shape& a, const Shape& b, LayoutMatching matching) {
  if (!a.has_layout() && !b.has_layout()) return true;
  if (!a.has_layout()) return LayoutMatchesDefault(b.layout(), matching);
  if (!b.has_layout()) return LayoutMatchesDefault(a.layout(), matching);
  const Layout& x = a.layout();
  const Layout& y = b.layout();
  if (&x == &y) return true;
  if (x.minor_to_major != y.minor_to_major) return false;
  if (matching.minor_to_major_only) return true;
  return (matching.ignore_memory_space || x.memory_space == y.memory_space) &&
         (matching.ignore_tiles || x.tiles == y.tiles) &&
         (matching.ignore_split_configs || x.split_configs == y.split_configs) &&
         (matching.ignore_tail_padding ||
          x.tail_padding_alignment_in_elements == y.tail_padding_alignment_in_elements) &&
         x.index_primitive_type == y.index_primitive_type && x.pointer_primitive_type == y.pointer_primitive_type &&
         x.element_size_in_bits == y.element_size_in_bits &&
         x.dynamic_shape_metadata_prefix_bytes == y.dynamic_shape_metadata_prefix_bytes;
}

std::string SizeText(const Shape& shape, int64_t d) {
  return shape.IsUnboundedDimension(d) ? "?" : absl::StrCat(shape.dimension(d));
}

// Fills `difference`, except for the tuple index, with the first difference of two arrays; false if there is none that
// counts.
bool FindArrayDifference(const Shape& actual, const Shape& expected, bool with_layout, ShapeDifference* difference) {
  using Kind = ShapePart::Kind;
  const auto found = [&](Kind kind, int64_t d, std::string text) {
    difference->part.kind = kind;
    difference->part.dimension = d;
    difference->text = std::move(text);
    return true;
  };
  if (actual.element_type() != expected.element_type()) {
    return found(Kind::kElementType, 0,
                 absl::StrCat("element type ", ElementTypeName(actual.element_type()), ", expected ",
                              ElementTypeName(expected.element_type())));
  }
  if (actual.rank() != expected.rank()) {
    return found(Kind::kDimensions, 0, absl::StrCat("rank ", actual.rank(), ", expected ", expected.rank()));
  }
  int64_t first = -1;
  std::string sizes;
  for (int64_t d = 0; d < actual.rank(); ++d) {
    if (actual.dimension(d) == expected.dimension(d)) continue;
    if (actual.IsUnboundedDimension(d) || expected.IsUnboundedDimension(d)) continue;
    if (first < 0) first = d;
    absl::StrAppend(&sizes, sizes.empty() ? "" : "; ", "dimension ", d, " is ", SizeText(actual, d), ", expected ",
                    SizeText(expected, d));
  }
  if (first >= 0) return found(Kind::kDimension, first, std::move(sizes));
  if (!with_layout) return false;
  if (!ArrayLayoutsMatch(actual, expected, LayoutMatching::Exact())) {
    const Layout standard = Layout::RowMajor(actual.rank());
    return found(Kind::kLayout, 0,
                 absl::StrCat("layout ", (actual.has_layout() ? actual.layout() : standard).ToString(), ", expected ",
                              (expected.has_layout() ? expected.layout() : standard).ToString()));
  }
  for (int64_t d = 0; d < actual.rank(); ++d) {
    if (actual.IsDynamicDimension(d) == expected.IsDynamicDimension(d)) continue;
    return found(Kind::kDimension, d,
                 absl::StrCat("dimension ", d, actual.IsDynamicDimension(d) ? " is dynamic" : " is static"));
  }
  return false;
}

bool FindDifference(const Shape& actual, const Shape& expected, bool with_layout, ShapeDifference* difference) {
  if (!actual.IsTuple() || !expected.IsTuple()) {
    if (actual.IsArray() && expected.IsArray()) return FindArrayDifference(actual, expected, with_layout, difference);
    if (actual.element_type() == expected.element_type()) return false;
    difference->text = absl::StrCat(ShapeText(actual), ", expected ", ShapeText(expected));
    return true;
  }
  if (actual.tuple_size() != expected.tuple_size()) {
    difference->text = absl::StrCat(actual.tuple_size(), actual.tuple_size() == 1 ? " element" : " elements",
                                    ", expected ", expected.tuple_size());
    return true;
  }
  for (int64_t i = 0; i < actual.tuple_size(); ++i) {
    difference->part.index.push_back(i);
    if (FindDifference(actual.element(i), expected.element(i), with_layout, difference)) return true;
    difference->part.index.pop_back();
  }
  return false;
}

}  // namespace

bool LayoutsMatch(const Shape& a, const Shape& b, LayoutMatching matching) {
  if (a.IsArray()) return ArrayLayoutsMatch(a, b, matching);
  if (a.elements().data() == b.elements().data()) return true;
  for (int64_t i = 0; i < a.tuple_size(); ++i) {
    if (!LayoutsMatch(a.element(i), b.element(i), matching)) return false;
  }
  return true;
}

bool ShapesMatch(const Shape& a, const Shape& b, const VerifyOptions& options, LayoutMatching matching) {
  ShapeComparison comparison;
  comparison.ignore_dynamic = !options.layout_sensitive;
  return ShapesEqual(a, b, comparison) && (!options.layout_sensitive || LayoutsMatch(a, b, matching));
}

std::optional<ShapeDifference> FindShapeDifference(const Shape& actual, const Shape& expected, bool with_layout) {
  std::optional<ShapeDifference> difference(std::in_place);
  if (!FindDifference(actual, expected, with_layout, &*difference)) difference.reset();
  return difference;
}

std::string DescribeDifference(const Shape& actual, const Shape& expected, bool with_layout) {
  const std::optional<ShapeDifference> difference = FindShapeDifference(actual, expected, with_layout);
  if (!difference.has_value()) return "";
  const ShapeIndex& index = difference->part.index;
  if (!index.empty()) return absl::StrCat(" (element ", ShapeIndexText(index), ": ", difference->text, ")");
  // Two shapes of different kinds need no more words.
  if (actual.IsTuple() != expected.IsTuple() || actual.IsArray() != expected.IsArray()) return "";
  return absl::StrCat(" (", difference->text, ")");
}

std::string ShapeText(const Shape& shape, bool with_layout) {
  if (!shape.IsTuple() || shape.LeafCount() <= kMaxLeavesInMessage) return shape.ToString(with_layout);
  std::string out = "(";
  int64_t leaves = 0, shown = 0;
  for (const Shape& element : shape.elements()) {
    leaves += element.LeafCount();
    if (leaves > kMaxLeavesInMessage) break;
    absl::StrAppend(&out, element.ToString(with_layout), ", ");
    ++shown;
  }
  const int64_t others = shape.tuple_size() - shown;
  absl::StrAppend(&out, "... ", others, shown > 0 ? " more)" : others == 1 ? " element)" : " elements)");
  return out;
}

bool IsShapePrefix(const Shape& a, const Shape& b, const VerifyOptions& options) {
  if (a.IsTuple() && a.tuple_size() == 0) return true;
  if (!a.IsTuple() || !b.IsTuple()) return ShapesMatch(a, b, options);
  if (a.tuple_size() > b.tuple_size()) return false;
  for (int64_t i = 0; i < a.tuple_size(); ++i) {
    if (!IsShapePrefix(a.element(i), b.element(i), options)) return false;
  }
  return true;
}

const Shape* SubshapeAt(const Shape& shape, absl::Span<const int64_t> index) {
  const Shape* part = &shape;
  for (int64_t i : index) {
    if (!part->IsTuple() || i < 0 || i >= part->tuple_size()) return nullptr;
    part = &part->element(i);
  }
  return part;
}

std::string ShapeIndexText(absl::Span<const int64_t> index) {
  return absl::StrCat("{", absl::StrJoin(index, ","), "}");
}

}  // namespace hloscope
