// SPDX-License-Identifier: Apache-2.0
#include "interop/files/literal_data.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>
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

// The data of an array whose elements lie in one piece; nothing if they do not.
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
  const bool is_varints = type == ElementType::kPred || !IsFixedSize(type);
  const proto::LiteralProto* const prototype = &proto::LiteralProto::default_instance();
  // The field must be that of the type: the last one read.
  const auto* descriptor = prototype->GetDescriptor()->FindFieldByNumber(static_cast<int>(field.number));
  if (!IsArrayElement(type) || type == ElementType::kInvalid || descriptor == nullptr ||
      descriptor->name() != absl::StrCat(ElementTypeName(type), "s")) {
    return std::nullopt;
  }
  absl::StatusOr<Shape> read = ShapeFromProto(shape);
  if (!read.ok()) return std::nullopt;
  return LiteralData::Array{*std::move(read), BytesIn(data), is_varints};
}

absl::Status OtherCount(const Shape& shape, int64_t found) {
  return absl::InvalidArgumentError(absl::StrCat(ElementTypeName(shape.element_type()), "s: ", shape.ToString(false),
                                                 " needs ", shape.ElementCount(), " values, found ", found));
}

// What is copied before `done` hears of it.
constexpr size_t kPieceBytes = size_t{4} << 20;

template <typename T>
absl::Status CopyVarints(const LiteralData::Array& from, uint8_t* to,
                         absl::FunctionRef<void(absl::Span<const uint8_t>)> done) {
  const size_t count = static_cast<size_t>(from.shape.ElementCount());
  const uint8_t* const bytes = from.bytes.data();
  const size_t size = from.bytes.size();
  size_t at = 0, released = 0, i = 0;
  for (; at < size; ++i) {
    if (i == count) {
      const auto ends = std::count_if(bytes + at, bytes + size, [](uint8_t byte) { return byte < 0x80; });
      return OtherCount(from.shape, static_cast<int64_t>(i) + ends);
    }
    uint64_t number = bytes[at++];
    if (number >= 0x80) {
      number &= 0x7F;
      int shift = 7;
      for (uint8_t byte = 0x80; byte >= 0x80; shift += 7) {
        if (at == size || shift > 63) return Truncated();
        byte = bytes[at++];
        number |= static_cast<uint64_t>(byte & 0x7F) << shift;
      }
    }
    const T element = std::is_same_v<T, bool> ? static_cast<T>(number != 0) : static_cast<T>(number);
    std::memcpy(to + i * sizeof(T), &element, sizeof(T));
    if (at - released >= kPieceBytes) {
      done(from.bytes.subspan(released, at - released));
      released = at;
    }
  }
  if (i != count) return OtherCount(from.shape, static_cast<int64_t>(i));
  done(from.bytes.subspan(released));
  return absl::OkStatus();
}

// Whether the elements can be taken from the bytes one after the other.
bool IsInPlace(const LiteralData::Array& array) {
  const Shape& shape = array.shape;
  if (!shape.IsArray() || shape.IsDynamic()) return false;
  const bool is_row_major =
      !shape.has_layout() || shape.layout().minor_to_major == Layout::RowMajor(shape.rank()).minor_to_major;
  const int64_t count = shape.ElementCount(), unit = StorageBytes(shape.element_type());
  const int64_t size = static_cast<int64_t>(array.bytes.size());
  if (!is_row_major || count < 0) return false;
  if (array.is_varints) return count <= size;  // how many they are is seen when they are read
  return shape.element_type() != ElementType::kPred && BitWidth(shape.element_type()) >= 8 && size % unit == 0 &&
         size / unit == count;
}

absl::StatusOr<Literal> ReadMessage(absl::string_view bytes) {
  const std::optional<LiteralData::Array> array = FindInPlace(bytes);
  if (array && !array->is_varints) return LiteralFromBytes(array->shape, array->bytes);
  if (array && IsInPlace(*array)) {
    Literal literal(array->shape);
    literal.mutable_bytes().resize(static_cast<size_t>(array->shape.ElementCount()) *
                                   static_cast<size_t>(StorageBytes(array->shape.element_type())));
    const absl::Status status =
        CopyElements(*array, absl::MakeSpan(literal.mutable_bytes()), [](absl::Span<const uint8_t>) {});
    return status.ok() ? absl::StatusOr<Literal>(std::move(literal)) : status;
  }
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

}  // namespace

std::optional<LiteralData::Array> LiteralData::InPlace() const {
  std::optional<Array> array;
  if (form_ == Form::kMessage) {
    array = FindInPlace(bytes_);
  } else {
    absl::string_view rest = bytes_;
    if (absl::StatusOr<Shape> shape = TakeRawShape(&rest); shape.ok()) array = Array{*std::move(shape), BytesIn(rest)};
  }
  return array && IsInPlace(*array) ? array : std::nullopt;
}

absl::Status CopyElements(const LiteralData::Array& from, absl::Span<uint8_t> to,
                          absl::FunctionRef<void(absl::Span<const uint8_t>)> done) {
  if (from.is_varints) {
    const int64_t unit = StorageBytes(from.shape.element_type());
    if (unit == 1) return CopyVarints<bool>(from, to.data(), done);
    if (unit == 4) return CopyVarints<uint32_t>(from, to.data(), done);
    return CopyVarints<uint64_t>(from, to.data(), done);
  }
  if (to.size() != from.bytes.size()) {
    return OtherCount(from.shape, static_cast<int64_t>(from.bytes.size()) / StorageBytes(from.shape.element_type()));
  }
  for (size_t at = 0; at < to.size(); at += kPieceBytes) {
    const size_t size = std::min(kPieceBytes, to.size() - at);
    std::memcpy(to.data() + at, from.bytes.data() + at, size);
    done(from.bytes.subspan(at, size));
  }
  return absl::OkStatus();
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
