// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/literals.h"

#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ir/default_layout.h"
#include "interop/hlo_proto/shape_bytes.h"
#include "interop/hlo_proto/shapes.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {
namespace {

using Field = google::protobuf::FieldDescriptor;

// A message holds at most 2 GiB.
constexpr int64_t kMaxBytes = std::numeric_limits<int32_t>::max() - 1024;

// The bytes of a repeated field.
template <typename T>
absl::Span<const uint8_t> BytesOf(const google::protobuf::RepeatedField<T>& field) {
  return {reinterpret_cast<const uint8_t*>(field.data()), static_cast<size_t>(field.size()) * sizeof(T)};
}
absl::Span<const uint8_t> BytesOf(const std::string& field) {
  return {reinterpret_cast<const uint8_t*>(field.data()), field.size()};
}

// Types and the fields that hold them: HLOSCOPE_FIELD(Type, field, element) of a repeated field, where `element` is
// what it holds, and HLOSCOPE_BYTES(Type, field).
#define HLOSCOPE_LITERAL_FIELDS                 \
  HLOSCOPE_FIELD(Pred, preds, bool)             \
  HLOSCOPE_FIELD(S32, s32s, int32_t)            \
  HLOSCOPE_FIELD(S64, s64s, int64_t)            \
  HLOSCOPE_FIELD(U32, u32s, uint32_t)           \
  HLOSCOPE_FIELD(U64, u64s, uint64_t)           \
  HLOSCOPE_FIELD(F32, f32s, float)              \
  HLOSCOPE_FIELD(F64, f64s, double)             \
  HLOSCOPE_FIELD(C64, c64s, float)              \
  HLOSCOPE_FIELD(C128, c128s, double)           \
  HLOSCOPE_BYTES(S1, s1s)                       \
  HLOSCOPE_BYTES(S2, s2s)                       \
  HLOSCOPE_BYTES(S4, s4s)                       \
  HLOSCOPE_BYTES(S8, s8s)                       \
  HLOSCOPE_BYTES(S16, s16s)                     \
  HLOSCOPE_BYTES(U1, u1s)                       \
  HLOSCOPE_BYTES(U2, u2s)                       \
  HLOSCOPE_BYTES(U4, u4s)                       \
  HLOSCOPE_BYTES(U8, u8s)                       \
  HLOSCOPE_BYTES(U16, u16s)                     \
  HLOSCOPE_BYTES(F4E2M1FN, f4e2m1fns)           \
  HLOSCOPE_BYTES(F6E2M3FN, f6e2m3fns)           \
  HLOSCOPE_BYTES(F6E3M2FN, f6e3m2fns)           \
  HLOSCOPE_BYTES(F8E3M4, f8e3m4s)               \
  HLOSCOPE_BYTES(F8E4M3, f8e4m3s)               \
  HLOSCOPE_BYTES(F8E4M3FN, f8e4m3fns)           \
  HLOSCOPE_BYTES(F8E4M3B11FNUZ, f8e4m3b11fnuzs) \
  HLOSCOPE_BYTES(F8E4M3FNUZ, f8e4m3fnuzs)       \
  HLOSCOPE_BYTES(F8E5M2, f8e5m2s)               \
  HLOSCOPE_BYTES(F8E5M2FNUZ, f8e5m2fnuzs)       \
  HLOSCOPE_BYTES(F8E8M0FNU, f8e8m0fnus)         \
  HLOSCOPE_BYTES(F16, f16s)                     \
  HLOSCOPE_BYTES(BF16, bf16s)

struct FieldData {
  absl::Span<const uint8_t> bytes;
  absl::string_view name;
};

FieldData DataOf(const proto::LiteralProto& from, ElementType type) {
  switch (type) {
#define HLOSCOPE_FIELD(Type, field, element) \
  case ElementType::k##Type:                 \
    return {BytesOf(from.field()), #field};
#define HLOSCOPE_BYTES(Type, field) HLOSCOPE_FIELD(Type, field, )
    HLOSCOPE_LITERAL_FIELDS
#undef HLOSCOPE_BYTES
#undef HLOSCOPE_FIELD
    default:
      return {};
  }
}

// A field with data of a type other than `type`; empty if there is none.
absl::string_view FieldOfOtherType(const proto::LiteralProto& from, ElementType type) {
#define HLOSCOPE_FIELD(Type, field, element) \
  if (type != ElementType::k##Type && !from.field().empty()) return #field;
#define HLOSCOPE_BYTES(Type, field) HLOSCOPE_FIELD(Type, field, )
  HLOSCOPE_LITERAL_FIELDS
#undef HLOSCOPE_BYTES
#undef HLOSCOPE_FIELD
  return "";
}

void SetData(ElementType type, absl::Span<const uint8_t> bytes, proto::LiteralProto* to) {
  switch (type) {
#define HLOSCOPE_FIELD(Type, field, element)                                                            \
  case ElementType::k##Type: {                                                                          \
    to->mutable_##field()->Resize(static_cast<int>(bytes.size() / sizeof(element)), {});                \
    if (!bytes.empty()) std::memcpy(to->mutable_##field()->mutable_data(), bytes.data(), bytes.size()); \
    return;                                                                                             \
  }
#define HLOSCOPE_BYTES(Type, field)                                                          \
  case ElementType::k##Type:                                                                 \
    to->set_##field(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())); \
    return;
    HLOSCOPE_LITERAL_FIELDS
#undef HLOSCOPE_BYTES
#undef HLOSCOPE_FIELD
    default:
      return;
  }
}

// Takes numbers as a message would hold them.
template <typename T>
struct NumberBytes {
  std::vector<uint8_t>& bytes;
  void push_back(int64_t number) {
    const T value = static_cast<T>(number);
    const auto* const begin = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof(T));
  }
};

template <typename T>
bool Unpack(const WireField& field, std::vector<uint8_t>* bytes) {
  NumberBytes<T> numbers{*bytes};
  return TakeNumbers(field, &numbers);
}

// The elements of `type` in a field of bytes, if they are in this field; `unpacked` may be what they are in. Nothing if
// they are not, or damaged.
std::optional<absl::Span<const uint8_t>> DataIn(const WireField& field, ElementType type,
                                                std::vector<uint8_t>* unpacked) {
  using Proto = proto::LiteralProto;
  const absl::Span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(field.bytes.data()), field.bytes.size());
  const auto numbers = [&](bool good) {
    return good ? std::optional<absl::Span<const uint8_t>>(*unpacked) : std::nullopt;
  };
  const auto floats = [&](size_t size) {
    return bytes.size() % size == 0 ? std::optional<absl::Span<const uint8_t>>(bytes) : std::nullopt;
  };
  switch (field.number) {
    case Proto::kPredsFieldNumber:
      return numbers(type == ElementType::kPred && Unpack<bool>(field, unpacked));
    case Proto::kS32SFieldNumber:
      return numbers(type == ElementType::kS32 && Unpack<int32_t>(field, unpacked));
    case Proto::kS64SFieldNumber:
      return numbers(type == ElementType::kS64 && Unpack<int64_t>(field, unpacked));
    case Proto::kU32SFieldNumber:
      return numbers(type == ElementType::kU32 && Unpack<uint32_t>(field, unpacked));
    case Proto::kU64SFieldNumber:
      return numbers(type == ElementType::kU64 && Unpack<uint64_t>(field, unpacked));
    case Proto::kF32SFieldNumber:
      return type == ElementType::kF32 ? floats(sizeof(float)) : std::nullopt;
    case Proto::kF64SFieldNumber:
      return type == ElementType::kF64 ? floats(sizeof(double)) : std::nullopt;
    case Proto::kF16SFieldNumber:
      return type == ElementType::kF16 ? std::optional<absl::Span<const uint8_t>>(bytes) : std::nullopt;
    case Proto::kBf16SFieldNumber:
      return type == ElementType::kBF16 ? std::optional<absl::Span<const uint8_t>>(bytes) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// An array whose shape and numbers come in one piece each, the shape first, as they are written. Nothing if there is
// anything else, or something is wrong.
std::optional<Literal> PlainArray(absl::string_view message) {
  WireReader reader(message);
  WireField field;
  if (!reader.Next(&field) || field.number != proto::LiteralProto::kShapeFieldNumber ||
      field.type != WireType::kBytes) {
    return std::nullopt;
  }
  const absl::StatusOr<Shape> shape = ShapeFromBytes(field.bytes);
  if (!shape.ok() || !shape->IsArray()) return std::nullopt;
  if (!reader.Next(&field) || field.type != WireType::kBytes || reader.end() != message.size()) return std::nullopt;
  std::vector<uint8_t> unpacked;
  const std::optional<absl::Span<const uint8_t>> data = DataIn(field, shape->element_type(), &unpacked);
  if (!data || data->empty()) return std::nullopt;
  absl::StatusOr<Literal> literal = LiteralFromBytes(*shape, *data);
  if (!literal.ok()) return std::nullopt;
  return *std::move(literal);
}

bool IsRowMajor(const Shape& shape) {
  return !shape.has_layout() || shape.layout().minor_to_major == Layout::RowMajor(shape.rank()).minor_to_major;
}

// Calls visit(row-major number, number in the order of the layout) for the first `count` elements in row-major order.
template <typename Visit>
void ForEachPlace(const Shape& shape, int64_t count, Visit visit) {
  const size_t rank = static_cast<size_t>(shape.rank());
  std::vector<int64_t> strides(rank), index(rank, 0);
  int64_t stride = 1;
  for (int64_t d : shape.layout().minor_to_major) {
    strides[static_cast<size_t>(d)] = stride;
    stride *= shape.dimension(d);
  }
  int64_t place = 0;
  for (int64_t i = 0; i < count; ++i) {
    visit(i, place);
    for (size_t d = rank; d-- > 0;) {
      place += strides[d];
      if (++index[d] < shape.dimension(static_cast<int64_t>(d))) break;
      place -= strides[d] * index[d];
      index[d] = 0;
    }
  }
}

// Bits beyond those of the type are the sign's, or zero.
void Normalize(ElementType type, std::vector<uint8_t>& bytes) {
  const int bits = BitWidth(type);
  if (type == ElementType::kPred) {
    for (uint8_t& byte : bytes) byte = byte != 0;
  } else if (bits < 8) {
    const int shift = 8 - bits;
    const bool is_signed = KindOf(type) == ElementKind::kSigned;
    for (uint8_t& byte : bytes) {
      const uint8_t high = static_cast<uint8_t>(byte << shift);
      byte = is_signed ? static_cast<uint8_t>(static_cast<int8_t>(high) >> shift) : static_cast<uint8_t>(high >> shift);
    }
  }
}

}  // namespace

absl::StatusOr<Literal> LiteralFromBytes(const Shape& shape, absl::Span<const uint8_t> bytes) {
  const int64_t unit = StorageBytes(shape.element_type());
  const int64_t count = shape.ElementCount();
  if (unit == 0 || static_cast<int64_t>(bytes.size()) % unit != 0 ||
      static_cast<int64_t>(bytes.size()) / unit != count) {
    return absl::InvalidArgumentError(absl::StrCat(shape.ToString(false), " needs ", count, " values, found ",
                                                   unit == 0 ? 0 : static_cast<int64_t>(bytes.size()) / unit));
  }
  Literal literal(shape);
  std::vector<uint8_t>& to = literal.mutable_bytes();
  if (IsRowMajor(shape)) {
    to.assign(bytes.begin(), bytes.end());
  } else {
    to.resize(bytes.size());
    const size_t size = static_cast<size_t>(unit);
    ForEachPlace(shape, count, [&](int64_t i, int64_t place) {
      std::memcpy(&to[static_cast<size_t>(i) * size], &bytes[static_cast<size_t>(place) * size], size);
    });
  }
  Normalize(shape.element_type(), to);
  return literal;
}

absl::StatusOr<Literal> LiteralFromMessage(absl::string_view bytes) {
  if (std::optional<Literal> literal = PlainArray(bytes)) return *std::move(literal);
  proto::LiteralProto message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::DataLossError("the message is damaged");
  }
  return LiteralFromProto(message);
}

absl::StatusOr<Literal> LiteralFromProto(const proto::LiteralProto& from) {
  if (!from.has_shape()) return absl::InvalidArgumentError("the literal has no shape");
  absl::StatusOr<Shape> shape = ShapeFromProto(from.shape());
  if (!shape.ok()) return absl::InvalidArgumentError(absl::StrCat("shape: ", shape.status().message()));
  if (shape->IsTuple()) {
    if (from.tuple_literals_size() != shape->tuple_size()) {
      return absl::InvalidArgumentError(absl::StrCat(shape->ToString(false), " needs ", shape->tuple_size(),
                                                     " tuple_literals, found ", from.tuple_literals_size()));
    }
    std::vector<Literal> elements;
    for (const proto::LiteralProto& element : from.tuple_literals()) {
      absl::StatusOr<Literal> literal = LiteralFromProto(element);
      if (!literal.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat("tuple_literals[", elements.size(), "]: ", literal.status().message()));
      }
      elements.push_back(*std::move(literal));
    }
    return Literal::Tuple(*std::move(shape), std::move(elements));
  }
  if (!shape->IsArray()) return Literal(*std::move(shape));
  const ElementType type = shape->element_type();
  const FieldData data = DataOf(from, type);
  if (data.bytes.empty()) {
    if (const absl::string_view other = FieldOfOtherType(from, type); !other.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(shape->ToString(false), " needs its values in ", data.name, ", found ", other));
    }
    Literal literal(*shape);
    if (shape->ElementCount() != 0) literal.set_elided();
    return literal;
  }
  absl::StatusOr<Literal> literal = LiteralFromBytes(*shape, data.bytes);
  if (!literal.ok()) return absl::InvalidArgumentError(absl::StrCat(data.name, ": ", literal.status().message()));
  return literal;
}

absl::Status LiteralToProto(const Literal& from, proto::LiteralProto* to) {
  const Shape shape = WithDefaultLayouts(from.shape());
  ShapeToProto(shape, to->mutable_shape());
  for (const Literal& element : from.elements()) {
    if (absl::Status status = LiteralToProto(element, to->add_tuple_literals()); !status.ok()) return status;
  }
  if (!shape.IsArray() || from.IsElided()) return absl::OkStatus();
  const int64_t unit = StorageBytes(shape.element_type());
  const int64_t count = shape.ElementCount();
  if (count > kMaxBytes / unit) {
    return absl::ResourceExhaustedError(
        absl::StrCat("a literal of shape ", shape.ToString(false), " is too large for a message, which holds 2 GiB"));
  }
  const size_t whole = static_cast<size_t>(count * unit);
  const absl::Span<const uint8_t> stored = from.bytes();
  if (IsRowMajor(shape) && stored.size() >= whole) {
    SetData(shape.element_type(), stored.first(whole), to);
    return absl::OkStatus();
  }
  std::vector<uint8_t> bytes(whole, 0);
  if (IsRowMajor(shape)) {
    if (!stored.empty()) std::memcpy(bytes.data(), stored.data(), stored.size());
  } else {
    const size_t size = static_cast<size_t>(unit);
    ForEachPlace(shape, std::min(count, from.StoredElementCount()), [&](int64_t i, int64_t place) {
      std::memcpy(&bytes[static_cast<size_t>(place) * size], &stored[static_cast<size_t>(i) * size], size);
    });
  }
  SetData(shape.element_type(), bytes, to);
  return absl::OkStatus();
}

}  // namespace hloscope::interop
