// SPDX-License-Identifier: Apache-2.0
// Shapes and layouts (docs/text-format.md 4): cheap-to-copy immutable-by-convention values.
#ifndef HLOSCOPE_CORE_IR_SHAPE_H_
#define HLOSCOPE_CORE_IR_SHAPE_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "core/ir/element_type.h"

namespace hloscope {

// Dimension size standing for `?` (dynamic, unbounded).
inline constexpr int64_t kUnboundedSize = std::numeric_limits<int64_t>::min();

// One tile of a tiled layout; kCombine stands for `*` (merge into the next more minor dimension).
struct Tile {
  static constexpr int64_t kCombine = std::numeric_limits<int64_t>::min();
  std::vector<int64_t> dimensions;
  friend bool operator==(const Tile&, const Tile&) = default;
};

struct SplitConfig {
  int64_t dimension = 0;
  std::vector<int64_t> split_indices;
  friend bool operator==(const SplitConfig&, const SplitConfig&) = default;
};

// docs/text-format.md 4.3.
struct Layout {
  std::vector<int64_t> minor_to_major;  // fastest varying dimension first
  std::vector<Tile> tiles;
  int64_t tail_padding_alignment_in_elements = 1;
  ElementType index_primitive_type = ElementType::kInvalid;
  ElementType pointer_primitive_type = ElementType::kInvalid;
  int64_t element_size_in_bits = 0;  // 0: natural
  int64_t memory_space = 0;
  std::vector<SplitConfig> split_configs;
  int64_t dynamic_shape_metadata_prefix_bytes = 0;

  // {rank-1, ..., 1, 0}.
  static Layout RowMajor(int64_t rank);
  // True if nothing but minor_to_major is set.
  bool HasOnlyMinorToMajor() const;
  // "{1,0:T(8,128)}" (docs/text-format.md 7.7).
  std::string ToString() const;
  friend bool operator==(const Layout&, const Layout&) = default;
};

// An array, token, opaque, tuple or buffer shape. Default-constructed: the invalid shape, used for values whose
// instruction could not be read; checks skip it silently.
class Shape {
 public:
  Shape() = default;

  // A static array without layout.
  static Shape Array(ElementType type, absl::Span<const int64_t> dimensions);
  // `dynamic[i]` marks `<=dimensions[i]`; a size of kUnboundedSize is dynamic by itself.
  static Shape Array(ElementType type, absl::Span<const int64_t> dimensions, absl::Span<const bool> dynamic);
  static Shape Scalar(ElementType type) { return Array(type, {}); }
  static Shape Token();
  static Shape Opaque();
  static Shape Tuple(std::vector<Shape> elements);
  static Shape Buffer(Shape array);

  ElementType element_type() const { return element_type_; }
  bool IsValid() const { return element_type_ != ElementType::kInvalid; }
  bool IsArray() const { return IsArrayElement(element_type_) && IsValid(); }
  bool IsTuple() const { return element_type_ == ElementType::kTuple; }
  bool IsToken() const { return element_type_ == ElementType::kToken; }
  bool IsOpaque() const { return element_type_ == ElementType::kOpaque; }
  bool IsBuffer() const { return element_type_ == ElementType::kBuffer; }
  bool IsScalar() const { return IsArray() && dimensions_.empty(); }

  int64_t rank() const { return static_cast<int64_t>(dimensions_.size()); }
  // Sizes; the bound for `<=n`, kUnboundedSize for `?`.
  absl::Span<const int64_t> dimensions() const { return dimensions_; }
  int64_t dimension(int64_t i) const { return dimensions_[static_cast<size_t>(i)]; }
  bool IsDynamicDimension(int64_t i) const { return !dynamic_.empty() && dynamic_[static_cast<size_t>(i)]; }
  bool IsUnboundedDimension(int64_t i) const { return dimension(i) == kUnboundedSize; }
  // True if any dimension of this array or of any leaf is dynamic.
  bool IsDynamic() const { return (Contents() & kDynamicDimension) != 0; }
  bool HasUnboundedDimension() const { return (Contents() & kUnboundedDimension) != 0; }
  // True if this is a buffer, or a tuple with one somewhere inside.
  bool HasBuffer() const { return (Contents() & kBufferInside) != 0; }
  // True if this array, or any leaf, has a layout.
  bool HasAnyLayout() const { return (Contents() & kLayoutInside) != 0; }
  void set_dimension(int64_t i, int64_t size) { dimensions_[static_cast<size_t>(i)] = size; }
  void set_dynamic_dimension(int64_t i, bool dynamic);
  void set_element_type(ElementType type) { element_type_ = type; }

  // Product of the sizes (bounds); saturates at the largest int64; -1 if unbounded. Requires IsArray().
  int64_t ElementCount() const;
  // Bytes of all leaves as a Literal or Tensor holds them, saturating; tokens and opaques count 0.
  int64_t ByteSize() const;

  bool has_layout() const { return layout_ != nullptr; }
  // Requires has_layout().
  const Layout& layout() const { return *layout_; }
  void set_layout(Layout layout) { layout_ = std::make_shared<const Layout>(std::move(layout)); }
  void clear_layout() { layout_ = nullptr; }
  // This shape, and its tuple elements, without layouts.
  Shape WithoutLayout() const;

  // Elements of a tuple; the one array of a buffer; empty otherwise.
  absl::Span<const Shape> elements() const {
    return elements_ ? absl::Span<const Shape>(*elements_) : absl::Span<const Shape>();
  }
  int64_t tuple_size() const { return static_cast<int64_t>(elements().size()); }
  const Shape& element(int64_t i) const { return (*elements_)[static_cast<size_t>(i)]; }
  // Number of arrays, tokens and opaques in depth-first order; a leaf itself counts 1.
  int64_t LeafCount() const { return leaf_count_; }
  // Levels of tuples and buffers around the deepest leaf: 0 for an array.
  int64_t NestingDepth() const { return nesting_depth_; }

  // "f32[2,<=3]{1,0}" (docs/text-format.md 7.7).
  std::string ToString(bool with_layout = true) const;
  // The same with the descending layout on arrays that have none (docs/text-format.md 4.3).
  std::string ToStringWithDefaultLayouts() const;

  // Exact equality, layouts included.
  friend bool operator==(const Shape& a, const Shape& b);
  friend bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }
  template <typename H>
  friend H AbslHashValue(H h, const Shape& s) {
    return H::combine(std::move(h), s.Hash());
  }
  uint64_t Hash() const;

 private:
  // What is found in a shape or, for a tuple, anywhere inside: tuples share elements, so that walking them can take
  // time exponential in their depth.
  enum ContentsFlag : uint8_t { kDynamicDimension = 1, kUnboundedDimension = 2, kBufferInside = 4, kLayoutInside = 8 };
  uint8_t Contents() const { return elements_ != nullptr ? contents_ : ContentsOfLeaf(); }
  uint8_t ContentsOfLeaf() const;

  ElementType element_type_ = ElementType::kInvalid;
  uint8_t contents_ = 0;  // of all elements
  int32_t nesting_depth_ = 0;
  absl::InlinedVector<int64_t, 5> dimensions_;
  absl::InlinedVector<bool, 8> dynamic_;  // empty: all static
  std::shared_ptr<const Layout> layout_;
  std::shared_ptr<const std::vector<Shape>> elements_;
  uint64_t elements_hash_ = 0;
  int64_t leaf_count_ = 1;
};

// How two shapes are compared; everything not ignored must be equal.
struct ShapeComparison {
  bool ignore_layout = true;
  bool ignore_dynamic = true;           // the `<=` flag; `?` then matches any size
  bool ignore_float_precision = false;  // all floating-point types count as one
  bool ignore_element_type = false;
};
bool ShapesEqual(const Shape& a, const Shape& b, const ShapeComparison& comparison);

// "Compatible" of docs/text-format.md 6.4: equal but for layouts and `<=` flags; `?` matches anything.
inline bool ShapesCompatible(const Shape& a, const Shape& b) { return ShapesEqual(a, b, ShapeComparison()); }

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_SHAPE_H_
