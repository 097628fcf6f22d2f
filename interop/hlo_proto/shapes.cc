// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/shapes.h"

#include <array>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hloscope::interop {
namespace {

constexpr size_t kTypeNumbers = 64;

absl::Status CheckPermutation(const Layout& layout, int64_t rank) {
  std::vector<bool> seen(static_cast<size_t>(rank), false);
  bool good = static_cast<int64_t>(layout.minor_to_major.size()) == rank;
  for (int64_t d : layout.minor_to_major) {
    good = good && d >= 0 && d < rank && !seen[static_cast<size_t>(d)];
    if (good) seen[static_cast<size_t>(d)] = true;
  }
  if (good) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("minor_to_major {", absl::StrJoin(layout.minor_to_major, ","),
                                                 "} is no order of ", rank, " dimensions"));
}

absl::StatusOr<Layout> LayoutFromProto(const proto::LayoutProto& from, int64_t rank) {
  Layout layout;
  layout.minor_to_major.assign(from.minor_to_major().begin(), from.minor_to_major().end());
  if (const absl::Status status = CheckPermutation(layout, rank); !status.ok()) return status;
  for (const proto::TileProto& tile : from.tiles()) {
    Tile& to = layout.tiles.emplace_back();
    to.dimensions.assign(tile.dimensions().begin(), tile.dimensions().end());
    for (int64_t size : to.dimensions) {
      if (size < 0 && size != Tile::kCombine) return absl::InvalidArgumentError(absl::StrCat("a tile of size ", size));
    }
  }
  if (from.tail_padding_alignment_in_elements() != 0) {
    layout.tail_padding_alignment_in_elements = from.tail_padding_alignment_in_elements();
  }
  layout.index_primitive_type = ElementTypeFromNumber(from.index_primitive_type());
  layout.pointer_primitive_type = ElementTypeFromNumber(from.pointer_primitive_type());
  layout.element_size_in_bits = from.element_size_in_bits();
  layout.memory_space = from.memory_space();
  for (const proto::SplitConfigProto& split : from.split_configs()) {
    layout.split_configs.push_back({split.dimension(), {split.split_indices().begin(), split.split_indices().end()}});
  }
  layout.dynamic_shape_metadata_prefix_bytes = from.dynamic_shape_metadata_prefix_bytes();
  return layout;
}

void LayoutToProto(const Layout& from, proto::LayoutProto* to) {
  to->mutable_minor_to_major()->Add(from.minor_to_major.begin(), from.minor_to_major.end());
  for (const Tile& tile : from.tiles) {
    to->add_tiles()->mutable_dimensions()->Add(tile.dimensions.begin(), tile.dimensions.end());
  }
  to->set_tail_padding_alignment_in_elements(from.tail_padding_alignment_in_elements);
  to->set_index_primitive_type(static_cast<proto::PrimitiveType>(NumberOfElementType(from.index_primitive_type)));
  to->set_pointer_primitive_type(static_cast<proto::PrimitiveType>(NumberOfElementType(from.pointer_primitive_type)));
  to->set_element_size_in_bits(from.element_size_in_bits);
  to->set_memory_space(from.memory_space);
  for (const SplitConfig& split : from.split_configs) {
    proto::SplitConfigProto* config = to->add_split_configs();
    config->set_dimension(split.dimension);
    config->mutable_split_indices()->Add(split.split_indices.begin(), split.split_indices.end());
  }
  to->set_dynamic_shape_metadata_prefix_bytes(from.dynamic_shape_metadata_prefix_bytes);
}

absl::StatusOr<Shape> ArrayFromProto(ElementType type, const proto::ShapeProto& from) {
  const int rank = from.dimensions_size();
  const int flags = from.is_dynamic_dimension_size();
  if (flags != 0 && flags != rank) {
    return absl::InvalidArgumentError(absl::StrCat(rank, " dimensions, but ", flags, " flags in is_dynamic_dimension"));
  }
  for (int64_t size : from.dimensions()) {
    if (size < 0 && size != kUnboundedSize) {
      return absl::InvalidArgumentError(absl::StrCat("a dimension of size ", size));
    }
  }
  const absl::Span<const int64_t> sizes(from.dimensions().data(), static_cast<size_t>(rank));
  const absl::Span<const bool> dynamic(from.is_dynamic_dimension().data(), static_cast<size_t>(flags));
  const bool is_dynamic = std::find(dynamic.begin(), dynamic.end(), true) != dynamic.end();
  Shape shape = is_dynamic ? Shape::Array(type, sizes, dynamic) : Shape::Array(type, sizes);
  if (from.has_layout()) {
    absl::StatusOr<Layout> layout = LayoutFromProto(from.layout(), rank);
    if (!layout.ok()) return layout.status();
    shape.set_layout(*std::move(layout));
  }
  return shape;
}

}  // namespace

ElementType ElementTypeFromNumber(int number) {
  static constexpr std::array<ElementType, kTypeNumbers> kTypes = [] {
    std::array<ElementType, kTypeNumbers> types{};
    types.fill(ElementType::kInvalid);
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, proto_number) \
  types[proto_number] = ElementType::k##Enum;
#include "numerics/elements/element_types.def"
    return types;
  }();
  return number > 0 && static_cast<size_t>(number) < kTypeNumbers ? kTypes[static_cast<size_t>(number)]
                                                                  : ElementType::kInvalid;
}

int NumberOfElementType(ElementType type) {
  switch (type) {
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, proto_number) \
  case ElementType::k##Enum:                                                      \
    return proto_number;
#include "numerics/elements/element_types.def"
    default:
      return 0;
  }
}

absl::StatusOr<Shape> ShapeFromProto(const proto::ShapeProto& from) {
  const ElementType type = ElementTypeFromNumber(from.element_type());
  if (type == ElementType::kInvalid) {
    return absl::InvalidArgumentError(absl::StrCat("element_type ", from.element_type(), " is not known"));
  }
  if (IsArrayElement(type)) return ArrayFromProto(type, from);
  if (from.has_layout() && from.layout().minor_to_major_size() > 0) {
    return absl::InvalidArgumentError(absl::StrCat("a layout on a ", ElementTypeName(type)));
  }
  if (type == ElementType::kToken) return Shape::Token();
  if (type == ElementType::kOpaque) return Shape::Opaque();
  std::vector<Shape> elements;
  for (const proto::ShapeProto& element : from.tuple_shapes()) {
    absl::StatusOr<Shape> shape = ShapeFromProto(element);
    if (!shape.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("tuple_shapes[", elements.size(), "]: ", shape.status().message()));
    }
    elements.push_back(*std::move(shape));
  }
  if (type == ElementType::kTuple) return Shape::Tuple(std::move(elements));
  if (elements.size() != 1 || !elements[0].IsArray()) {
    return absl::InvalidArgumentError("a buffer holds exactly one array");
  }
  return Shape::Buffer(std::move(elements[0]));
}

void ShapeToProto(const Shape& from, proto::ShapeProto* to) {
  to->set_element_type(static_cast<proto::PrimitiveType>(NumberOfElementType(from.element_type())));
  if (from.IsArray()) {
    to->mutable_dimensions()->Add(from.dimensions().begin(), from.dimensions().end());
    for (int64_t d = 0; d < from.rank(); ++d) {
      to->add_is_dynamic_dimension(from.IsDynamicDimension(d) || from.IsUnboundedDimension(d));
    }
    if (from.has_layout()) LayoutToProto(from.layout(), to->mutable_layout());
  }
  for (const Shape& element : from.elements()) ShapeToProto(element, to->add_tuple_shapes());
}

}  // namespace hloscope::interop
