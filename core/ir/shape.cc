// SPDX-License-Identifier: Apache-2.0
#include "core/ir/shape.h"

#include <algorithm>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ir/checked_math.h"

namespace hloscope {
namespace {

enum class LayoutText { kNone, kAsGiven, kWithDefaults };

void AppendNumber(int64_t value, std::string* out) {
  const absl::AlphaNum digits(value);
  out->append(digits.data(), digits.size());
}

void AppendLayout(const Layout& layout, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < layout.minor_to_major.size(); ++i) {
    if (i > 0) out->push_back(',');
    AppendNumber(layout.minor_to_major[i], out);
  }
  if (layout.HasOnlyMinorToMajor()) {
    out->push_back('}');
    return;
  }
  out->push_back(':');
  if (!layout.tiles.empty()) {
    out->push_back('T');
    for (const Tile& tile : layout.tiles) {
      absl::StrAppend(out, "(",
                      absl::StrJoin(tile.dimensions, ",",
                                    [](std::string* s, int64_t d) {
                                      if (d == Tile::kCombine) {
                                        s->push_back('*');
                                      } else {
                                        absl::StrAppend(s, d);
                                      }
                                    }),
                      ")");
    }
  }
  if (layout.tail_padding_alignment_in_elements != 1)
    absl::StrAppend(out, "L(", layout.tail_padding_alignment_in_elements, ")");
  if (layout.index_primitive_type != ElementType::kInvalid) {
    absl::StrAppend(out, "#(", ElementTypeName(layout.index_primitive_type), ")");
  }
  if (layout.pointer_primitive_type != ElementType::kInvalid) {
    absl::StrAppend(out, "*(", ElementTypeName(layout.pointer_primitive_type), ")");
  }
  if (layout.element_size_in_bits != 0) absl::StrAppend(out, "E(", layout.element_size_in_bits, ")");
  if (layout.memory_space != 0) absl::StrAppend(out, "S(", layout.memory_space, ")");
  if (!layout.split_configs.empty()) {
    out->append("SC");
    for (const SplitConfig& split : layout.split_configs) {
      absl::StrAppend(out, "(", split.dimension, ":", absl::StrJoin(split.split_indices, ","), ")");
    }
  }
  if (layout.dynamic_shape_metadata_prefix_bytes != 0) {
    absl::StrAppend(out, "M(", layout.dynamic_shape_metadata_prefix_bytes, ")");
  }
  out->push_back('}');
}

void AppendRowMajor(int64_t rank, std::string* out) {
  out->push_back('{');
  for (int64_t i = rank; i-- > 0;) {
    AppendNumber(i, out);
    out->push_back(i > 0 ? ',' : '}');
  }
}

void AppendShape(const Shape& shape, LayoutText layouts, std::string* out) {
  switch (shape.element_type()) {
    case ElementType::kInvalid:
      out->append("<unknown shape>");
      return;
    case ElementType::kTuple: {
      out->push_back('(');
      for (int64_t i = 0; i < shape.tuple_size(); ++i) {
        if (i > 0) out->append(", ");
        if (i > 0 && i % 5 == 0) absl::StrAppend(out, "/*index=", i, "*/");
        AppendShape(shape.element(i), layouts, out);
      }
      out->push_back(')');
      return;
    }
    case ElementType::kBuffer:
      out->append("b(");
      if (shape.tuple_size() > 0) AppendShape(shape.element(0), layouts, out);
      out->push_back(')');
      return;
    default:
      break;
  }
  const absl::string_view type = ElementTypeName(shape.element_type());
  out->append(type.data(), type.size()).push_back('[');
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (i > 0) out->push_back(',');
    if (shape.IsUnboundedDimension(i)) {
      out->push_back('?');
    } else {
      if (shape.IsDynamicDimension(i)) out->append("<=");
      AppendNumber(shape.dimension(i), out);
    }
  }
  out->push_back(']');
  if (layouts == LayoutText::kNone) return;
  if (shape.has_layout()) {
    if (shape.rank() > 0 || !shape.layout().HasOnlyMinorToMajor()) AppendLayout(shape.layout(), out);
  } else if (layouts == LayoutText::kWithDefaults && shape.rank() > 0) {
    AppendRowMajor(shape.rank(), out);
  }
}

}  // namespace

Layout Layout::RowMajor(int64_t rank) {
  Layout layout;
  layout.minor_to_major.reserve(static_cast<size_t>(rank));
  for (int64_t i = rank - 1; i >= 0; --i) layout.minor_to_major.push_back(i);
  return layout;
}

bool Layout::HasOnlyMinorToMajor() const {
  return tiles.empty() && tail_padding_alignment_in_elements == 1 && index_primitive_type == ElementType::kInvalid &&
         pointer_primitive_type == ElementType::kInvalid && element_size_in_bits == 0 && memory_space == 0 &&
         split_configs.empty() && dynamic_shape_metadata_prefix_bytes == 0;
}

std::string Layout::ToString() const {
  std::string out;
  AppendLayout(*this, &out);
  return out;
}

Shape Shape::Array(ElementType type, absl::Span<const int64_t> dimensions) {
  Shape shape;
  shape.element_type_ = type;
  shape.dimensions_.assign(dimensions.begin(), dimensions.end());
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i] == kUnboundedSize) shape.set_dynamic_dimension(static_cast<int64_t>(i), true);
  }
  return shape;
}

Shape Shape::Array(ElementType type, absl::Span<const int64_t> dimensions, absl::Span<const bool> dynamic) {
  Shape shape = Array(type, dimensions);
  for (size_t i = 0; i < dynamic.size(); ++i) {
    if (dynamic[i]) shape.set_dynamic_dimension(static_cast<int64_t>(i), true);
  }
  return shape;
}

Shape Shape::Token() {
  Shape shape;
  shape.element_type_ = ElementType::kToken;
  return shape;
}

Shape Shape::Opaque() {
  Shape shape;
  shape.element_type_ = ElementType::kOpaque;
  return shape;
}

Shape Shape::Tuple(std::vector<Shape> elements) {
  Shape shape;
  shape.element_type_ = ElementType::kTuple;
  shape.leaf_count_ = 0;
  uint64_t hash = elements.size();
  for (const Shape& element : elements) {
    shape.leaf_count_ = SaturatingSum(shape.leaf_count_, element.leaf_count_);
    shape.nesting_depth_ = std::max(shape.nesting_depth_, element.nesting_depth_);
    shape.contents_ |= element.Contents();
    hash = absl::HashOf(hash, element.Hash());
  }
  ++shape.nesting_depth_;
  shape.elements_hash_ = hash;
  shape.elements_ = std::make_shared<const std::vector<Shape>>(std::move(elements));
  return shape;
}

Shape Shape::Buffer(Shape array) {
  Shape shape = Tuple({std::move(array)});
  shape.element_type_ = ElementType::kBuffer;
  shape.contents_ |= kBufferInside;
  return shape;
}

uint8_t Shape::ContentsOfLeaf() const {
  uint8_t contents = layout_ != nullptr ? kLayoutInside : 0;
  if (std::find(dynamic_.begin(), dynamic_.end(), true) != dynamic_.end()) contents |= kDynamicDimension;
  if (std::find(dimensions_.begin(), dimensions_.end(), kUnboundedSize) != dimensions_.end()) {
    contents |= kUnboundedDimension;
  }
  return contents;
}

void Shape::set_dynamic_dimension(int64_t i, bool dynamic) {
  if (dynamic_.empty()) {
    if (!dynamic) return;
    dynamic_.resize(dimensions_.size(), false);
  }
  dynamic_[static_cast<size_t>(i)] = dynamic;
  if (!dynamic && std::find(dynamic_.begin(), dynamic_.end(), true) == dynamic_.end()) dynamic_.clear();
}

int64_t Shape::ElementCount() const {
  int64_t count = 1;
  bool empty = false;
  for (int64_t size : dimensions_) {
    if (size == kUnboundedSize) return -1;
    if (size == 0) empty = true;
    count = SaturatingProduct(count, size);
  }
  return empty ? 0 : count;
}

int64_t Shape::ByteSize() const {
  if (IsArray()) {
    const int64_t count = ElementCount();
    return count < 0 ? 0 : SaturatingProduct(count, StorageBytes(element_type_));
  }
  int64_t bytes = 0;
  for (const Shape& element : elements()) bytes = SaturatingSum(bytes, element.ByteSize());
  return bytes;
}

Shape Shape::WithoutLayout() const {
  Shape shape = *this;
  if (!HasAnyLayout()) return shape;
  shape.layout_ = nullptr;
  if (elements_ != nullptr) {
    std::vector<Shape> stripped;
    stripped.reserve(elements_->size());
    for (const Shape& element : *elements_) stripped.push_back(element.WithoutLayout());
    Shape result = Tuple(std::move(stripped));
    result.element_type_ = element_type_;
    return result;
  }
  return shape;
}

std::string Shape::ToString(bool with_layout) const {
  std::string out;
  AppendShape(*this, with_layout ? LayoutText::kAsGiven : LayoutText::kNone, &out);
  return out;
}

std::string Shape::ToStringWithDefaultLayouts() const {
  std::string out;
  AppendShape(*this, LayoutText::kWithDefaults, &out);
  return out;
}

bool operator==(const Shape& a, const Shape& b) {
  if (a.element_type_ != b.element_type_ || a.dimensions_ != b.dimensions_ || a.dynamic_ != b.dynamic_) return false;
  if (a.layout_ != b.layout_ && (a.layout_ == nullptr || b.layout_ == nullptr || *a.layout_ != *b.layout_)) {
    return false;
  }
  if (a.elements_ == b.elements_) return true;
  if (a.elements_ == nullptr || b.elements_ == nullptr || a.elements_hash_ != b.elements_hash_) return false;
  return *a.elements_ == *b.elements_;
}

uint64_t Shape::Hash() const {
  uint64_t hash = absl::HashOf(element_type_, dimensions_, dynamic_, elements_hash_);
  if (layout_ == nullptr) return hash;
  hash = absl::HashOf(hash, layout_->minor_to_major, layout_->memory_space, layout_->element_size_in_bits,
                      layout_->tail_padding_alignment_in_elements, layout_->dynamic_shape_metadata_prefix_bytes);
  for (const Tile& tile : layout_->tiles) hash = absl::HashOf(hash, tile.dimensions);
  for (const SplitConfig& split : layout_->split_configs) {
    hash = absl::HashOf(hash, split.dimension, split.split_indices);
  }
  return hash;
}

bool ShapesEqual(const Shape& a, const Shape& b, const ShapeComparison& comparison) {
  if (a.IsTuple() || a.IsBuffer() || b.IsTuple() || b.IsBuffer()) {
    if (a.element_type() != b.element_type() || a.tuple_size() != b.tuple_size()) return false;
    if (a.elements().data() == b.elements().data()) return true;
    for (int64_t i = 0; i < a.tuple_size(); ++i) {
      if (!ShapesEqual(a.element(i), b.element(i), comparison)) return false;
    }
    return true;
  }
  if (a.element_type() != b.element_type()) {
    const bool both_float = IsFloat(a.element_type()) && IsFloat(b.element_type());
    const bool both_arrays = a.IsArray() && b.IsArray();
    if (!(comparison.ignore_float_precision && both_float) && !(comparison.ignore_element_type && both_arrays)) {
      return false;
    }
  }
  if (a.rank() != b.rank()) return false;
  for (int64_t i = 0; i < a.rank(); ++i) {
    const bool unbounded = a.IsUnboundedDimension(i) || b.IsUnboundedDimension(i);
    if (a.dimension(i) != b.dimension(i) && !(comparison.ignore_dynamic && unbounded)) return false;
    if (!comparison.ignore_dynamic && a.IsDynamicDimension(i) != b.IsDynamicDimension(i)) return false;
  }
  if (!comparison.ignore_layout && a.IsArray()) {
    if (a.has_layout() != b.has_layout()) return false;
    if (a.has_layout() && a.layout() != b.layout()) return false;
  }
  return true;
}

}  // namespace hloscope
