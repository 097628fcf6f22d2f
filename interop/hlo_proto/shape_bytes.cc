// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/shape_bytes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "interop/hlo_proto/shapes.h"
#include "interop/proto/xla_data.pb.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {
namespace {

using Numbers = absl::InlinedVector<int64_t, 8>;

// Deeper ones are left to the message, which has a limit.
constexpr int kMostLevels = 16;
constexpr size_t kMostDimensions = 64;
constexpr size_t kCommonRanks = 8;

bool IsOrder(const Numbers& minor_to_major, size_t rank) {
  if (minor_to_major.size() != rank || rank > kMostDimensions) return false;
  uint64_t seen = 0;
  for (const int64_t d : minor_to_major) {
    if (d < 0 || static_cast<size_t>(d) >= rank) return false;
    seen |= uint64_t{1} << d;
  }
  return seen == (rank == kMostDimensions ? ~uint64_t{0} : (uint64_t{1} << rank) - 1);
}

// A layout of an order of dimensions alone; XLA writes the alignment that means none.
bool TakePlainLayout(absl::string_view bytes, Numbers* minor_to_major) {
  using Proto = proto::LayoutProto;
  WireReader reader(bytes);
  WireField field;
  while (reader.Next(&field)) {
    if (field.number == Proto::kMinorToMajorFieldNumber) {
      if (field.type != WireType::kBytes || !TakeNumbers(field, minor_to_major)) return false;
    } else if (field.number != Proto::kTailPaddingAlignmentInElementsFieldNumber || field.type != WireType::kVarint ||
               field.value != 1) {
      return false;
    }
  }
  return !reader.has_fault();
}

// Copies share its layout.
const Shape& RowMajorOnes(size_t rank) {
  static const auto* const kShapes = [] {
    auto* shapes = new std::vector<Shape>;
    for (size_t r = 0; r < kCommonRanks; ++r) {
      shapes->push_back(Shape::Array(ElementType::kF32, Numbers(r, 1)));
      shapes->back().set_layout(Layout::RowMajor(static_cast<int64_t>(r)));
    }
    return shapes;
  }();
  return (*kShapes)[rank];
}

// Nothing if it has something else than XLA writes for most shapes, or is wrong.
std::optional<Shape> PlainShape(absl::string_view bytes, int levels) {
  using Proto = proto::ShapeProto;
  if (levels == kMostLevels) return std::nullopt;
  ElementType type = ElementType::kInvalid;
  Numbers sizes, flags, minor_to_major;
  bool has_layout = false;
  std::vector<Shape> elements;
  WireReader reader(bytes);
  WireField field;
  while (reader.Next(&field)) {
    const bool is_bytes = field.type == WireType::kBytes;
    if (field.number == Proto::kElementTypeFieldNumber && field.type == WireType::kVarint) {
      if (field.value > INT8_MAX) return std::nullopt;
      type = ElementTypeFromNumber(static_cast<int>(field.value));
    } else if (field.number == Proto::kDimensionsFieldNumber && is_bytes) {
      if (!TakeNumbers(field, &sizes)) return std::nullopt;
    } else if (field.number == Proto::kIsDynamicDimensionFieldNumber && is_bytes) {
      if (!TakeNumbers(field, &flags)) return std::nullopt;
    } else if (field.number == Proto::kLayoutFieldNumber && is_bytes && !has_layout) {
      has_layout = true;
      if (!TakePlainLayout(field.bytes, &minor_to_major)) return std::nullopt;
    } else if (field.number == Proto::kTupleShapesFieldNumber && is_bytes) {
      std::optional<Shape> element = PlainShape(field.bytes, levels + 1);
      if (!element) return std::nullopt;
      elements.push_back(*std::move(element));
    } else {
      return std::nullopt;
    }
  }
  if (reader.has_fault()) return std::nullopt;
  if (type == ElementType::kTuple && sizes.empty() && flags.empty() && minor_to_major.empty()) {
    return Shape::Tuple(std::move(elements));
  }
  const auto is_zero = [](int64_t flag) { return flag == 0; };
  const auto is_size = [](int64_t size) { return size >= 0; };
  if (type == ElementType::kInvalid || !IsArrayElement(type) || !elements.empty() ||
      (!flags.empty() && flags.size() != sizes.size()) || !std::all_of(flags.begin(), flags.end(), is_zero) ||
      !std::all_of(sizes.begin(), sizes.end(), is_size)) {
    return std::nullopt;
  }
  if (!has_layout) return Shape::Array(type, sizes);
  if (!IsOrder(minor_to_major, sizes.size())) return std::nullopt;
  if (sizes.size() < kCommonRanks && std::is_sorted(minor_to_major.rbegin(), minor_to_major.rend())) {
    Shape shape = RowMajorOnes(sizes.size());
    shape.set_element_type(type);
    for (size_t d = 0; d < sizes.size(); ++d) shape.set_dimension(static_cast<int64_t>(d), sizes[d]);
    return shape;
  }
  Shape shape = Shape::Array(type, sizes);
  Layout layout;
  layout.minor_to_major.assign(minor_to_major.begin(), minor_to_major.end());
  shape.set_layout(std::move(layout));
  return shape;
}

}  // namespace

absl::StatusOr<Shape> ShapeFromBytes(absl::string_view bytes) {
  if (std::optional<Shape> shape = PlainShape(bytes, 0)) return *std::move(shape);
  proto::ShapeProto message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::DataLossError("the message is damaged");
  }
  return ShapeFromProto(message);
}

}  // namespace hloscope::interop
