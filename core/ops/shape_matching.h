// SPDX-License-Identifier: Apache-2.0
// How shapes that ought to agree are compared: an argument with the parameter it is bound to, a declared shape with the
// inferred one (docs/ops/control.md 0.1, 6.1 and 6.14).
#ifndef HLOSCOPE_CORE_OPS_SHAPE_MATCHING_H_
#define HLOSCOPE_CORE_OPS_SHAPE_MATCHING_H_

#include <optional>
#include <string>

#include "absl/types/span.h"
#include "core/ir/shape.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// What layout-sensitive mode compares of a layout; without that mode layouts never count.
struct LayoutMatching {
  bool minor_to_major_only = false;
  bool ignore_memory_space = false;
  bool ignore_tiles = false;
  bool ignore_split_configs = false;
  bool ignore_tail_padding = false;

  static constexpr LayoutMatching Exact() { return {}; }
  static constexpr LayoutMatching MinorToMajorOnly() { return {true, true, true, true, true}; }
};

// True if the layouts of all arrays agree. An array without a layout has the default one, row-major. Requires
// compatible shapes.
bool LayoutsMatch(const Shape& a, const Shape& b, LayoutMatching matching);

// Compatible; in layout-sensitive mode also equal in layouts and in the `<=` flags of dimensions.
bool ShapesMatch(const Shape& a, const Shape& b, const VerifyOptions& options,
                 LayoutMatching matching = LayoutMatching::Exact());

// The first difference of two shapes: the part of the shapes that differs, and what is there and ought to be, in words
// (all differing dimensions of that array).
struct ShapeDifference {
  ShapePart part;
  std::string text;
};
// Nothing if there is no difference that counts. Layouts and `<=` flags only with `with_layout`.
std::optional<ShapeDifference> FindShapeDifference(const Shape& actual, const Shape& expected, bool with_layout);

// The first difference of two shapes in words, to be appended to a message that names both: " (dimension 1 is 3,
// expected 4)", with the tuple element it is in; empty if the shapes say it all. Layouts and `<=` flags only with
// `with_layout`.
std::string DescribeDifference(const Shape& actual, const Shape& expected, bool with_layout);

// The shape for a message, without layouts unless `with_layout`. Of a tuple with many elements, the first few and the
// number of the others.
std::string ShapeText(const Shape& shape, bool with_layout = false);

// True if `a` is a prefix of `b` (2.1): the empty tuple, the same shape, or a tuple whose elements are prefixes of
// the elements of `b` at the same places.
bool IsShapePrefix(const Shape& a, const Shape& b, const VerifyOptions& options);

// The part of `shape` at a tuple index, or null if there is none.
const Shape* SubshapeAt(const Shape& shape, absl::Span<const int64_t> index);
// "{0,1}".
std::string ShapeIndexText(absl::Span<const int64_t> index);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_SHAPE_MATCHING_H_
