// SPDX-License-Identifier: Apache-2.0
#include "interop/files/literal_data.h"

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "interop/hlo_proto/literals.h"
#include "interop/hlo_proto/shapes.h"
#include "interop/proto/xla_data.pb.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {
namespace {

template <typename Message>
bool Parse(absl::string_view bytes, Message* message) {
  return bytes.size() <= INT32_MAX && message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

absl::Status Truncated() { return absl::InvalidArgumentError("the literal is truncated or damaged"); }

bool IsFixedSize(ElementType type) { return IsFloat(type) || IsComplex(type) || BitWidth(type) <= 16; }

absl::Span<const uint8_t> BytesIn(absl::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// The data of an array whose elements have a fixed size and lie in one piece; nothing if they do not.
std::optional<LiteralData::Array> FindInPlace(absl::string_view bytes) {
  WireReader reader(bytes);
  WireField field;
  proto::ShapeProto shape;
  absl::string_view data;
  int parts = 0;
  while (reader.Next(&field)) {
    if (field.type != WireType::kBytes) return std::nullopt;
    if (field.number == 1) {
      if (!Parse(field.bytes, &shape)) return std::nullopt;
    } else {
      data = field.bytes;
      if (field.number == 10 || field.number == 34 || ++parts > 1) return std::nullopt;
    }
  }
  if (reader.fault() || parts != 1) return std::nullopt;
  const ElementType type = ElementTypeFromNumber(shape.element_type());
  const bool is_varint = type == ElementType::kPred || !IsFixedSize(type);
  const proto::LiteralProto* const prototype = &proto::LiteralProto::default_instance();
  // The field must be that of the type: the last one read.
  const auto* descriptor = prototype->GetDescriptor()->FindFieldByNumber(static_cast<int>(field.number));
  if (!IsArrayElement(type) || type == ElementType::kInvalid || is_varint || descriptor == nullptr ||
      descriptor->name() != absl::StrCat(ElementTypeName(type), "s")) {
    return std::nullopt;
  }
  absl::StatusOr<Shape> read = ShapeFromProto(shape);
  if (!read.ok()) return std::nullopt;
  return LiteralData::Array{*std::move(read), BytesIn(data)};
}

absl::StatusOr<Literal> ReadMessage(absl::string_view bytes) {
  if (const auto array = FindInPlace(bytes)) return LiteralFromBytes(array->shape, array->bytes);
  proto::LiteralProto message;
  if (!Parse(bytes, &message)) return Truncated();
  return LiteralFromProto(message);
}

// Elements of less than a byte are packed, low bits first.
absl::StatusOr<Literal> ReadRawArray(const Shape& shape, absl::string_view* bytes) {
  if (shape.IsDynamic()) {
    const size_t sizes = static_cast<size_t>(shape.rank()) * sizeof(int32_t);
    if (bytes->size() < sizes) return Truncated();
    bytes->remove_prefix(sizes);
  }
  const int64_t count = shape.ElementCount();
  const ElementType type = shape.element_type();
  const int bits = type == ElementType::kPred ? 1 : BitWidth(type);
  const bool is_packed = bits < 8 && 8 % bits == 0;
  const int64_t unit = StorageBytes(type);
  const int64_t available = static_cast<int64_t>(bytes->size());
  if (count < 0 || (is_packed ? count / (8 / bits) > available : count > available / unit)) return Truncated();
  const int64_t size = is_packed ? (count * bits + 7) / 8 : count * unit;
  if (size > available) return Truncated();
  const absl::Span<const uint8_t> data(reinterpret_cast<const uint8_t*>(bytes->data()), static_cast<size_t>(size));
  bytes->remove_prefix(static_cast<size_t>(size));
  if (!is_packed) return LiteralFromBytes(shape, data);
  std::vector<uint8_t> elements(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t bit = i * bits;
    elements[static_cast<size_t>(i)] =
        static_cast<uint8_t>((data[static_cast<size_t>(bit / 8)] >> (bit % 8)) & ((1 << bits) - 1));
  }
  return LiteralFromBytes(shape, elements);
}

absl::StatusOr<Literal> ReadRawShape(const Shape& shape, absl::string_view* bytes) {
  if (shape.IsArray()) return ReadRawArray(shape, bytes);
  if (!shape.IsTuple()) return absl::InvalidArgumentError(absl::StrCat("a ", shape.ToString(), " has no data"));
  std::vector<Literal> elements;
  for (const Shape& element : shape.elements()) {
    absl::StatusOr<Literal> literal = ReadRawShape(element, bytes);
    if (!literal.ok()) return literal;
    elements.push_back(*std::move(literal));
  }
  return Literal::Tuple(shape, std::move(elements));
}

// Takes the shape in front of raw data.
absl::StatusOr<Shape> TakeRawShape(absl::string_view* from) {
  absl::string_view& bytes = *from;
  uint64_t shape_size;
  if (bytes.size() < sizeof(shape_size)) return Truncated();
  std::memcpy(&shape_size, bytes.data(), sizeof(shape_size));
  bytes.remove_prefix(sizeof(shape_size));
  if (shape_size > bytes.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the shape has ", shape_size, " bytes, but ", bytes.size(), " are left of the argument"));
  }
  proto::ShapeProto message;
  if (!Parse(bytes.substr(0, shape_size), &message)) return absl::InvalidArgumentError("its shape is damaged");
  bytes.remove_prefix(shape_size);
  absl::StatusOr<Shape> shape = ShapeFromProto(message);
  if (!shape.ok()) return absl::InvalidArgumentError(absl::StrCat("shape: ", shape.status().message()));
  return shape;
}

absl::StatusOr<Literal> ReadRaw(absl::string_view bytes) {
  const absl::StatusOr<Shape> shape = TakeRawShape(&bytes);
  if (!shape.ok()) return shape.status();
  absl::StatusOr<Literal> literal = ReadRawShape(*shape, &bytes);
  if (literal.ok() && !bytes.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(bytes.size(), " bytes are left over"));
  }
  return literal;
}

// Whether the bytes are those that an array in memory has.
bool IsAsInMemory(const LiteralData::Array& array) {
  const Shape& shape = array.shape;
  if (!shape.IsArray() || shape.IsDynamic() || shape.element_type() == ElementType::kPred) return false;
  const bool is_row_major =
      !shape.has_layout() || shape.layout().minor_to_major == Layout::RowMajor(shape.rank()).minor_to_major;
  const int64_t count = shape.ElementCount(), unit = StorageBytes(shape.element_type());
  return is_row_major && BitWidth(shape.element_type()) >= 8 && count >= 0 &&
         static_cast<int64_t>(array.bytes.size()) % unit == 0 &&
         static_cast<int64_t>(array.bytes.size()) / unit == count;
}

}  // namespace

std::optional<LiteralData::Array> LiteralData::InPlace() const {
  std::optional<Array> array;
  if (form_ == Form::kMessage) {
    array = FindInPlace(bytes_);
  } else {
    absl::string_view rest = bytes_;
    if (absl::StatusOr<Shape> shape = TakeRawShape(&rest); shape.ok()) array = Array{*std::move(shape), BytesIn(rest)};
  }
  return array && IsAsInMemory(*array) ? array : std::nullopt;
}

std::vector<LiteralData> LiteralData::Elements() const {
  std::vector<LiteralData> elements;
  if (form_ != Form::kMessage) return elements;
  WireReader reader(bytes_);
  WireField field;
  while (reader.Next(&field)) {
    if (field.number == proto::LiteralProto::kTupleLiteralsFieldNumber && field.type == WireType::kBytes) {
      elements.emplace_back(Form::kMessage, field.bytes, owner_);
    }
  }
  return reader.has_fault() ? std::vector<LiteralData>() : elements;
}

absl::StatusOr<Literal> LiteralData::Read() const {
  return form_ == Form::kRaw ? ReadRaw(bytes_) : ReadMessage(bytes_);
}

}  // namespace hloscope::interop
