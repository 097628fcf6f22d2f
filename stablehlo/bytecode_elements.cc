// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/bytecode_elements.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace hloscope::stablehlo {
namespace {

constexpr int kMaxDepth = 200;
// A file may name one long type in each of its bytes.
constexpr size_t kTextPerByte = 64, kTextAtLeast = 16 << 20;

// Numbers of the dialects' own encodings.
enum BuiltinAttribute : uint64_t {
  kBuiltinArray = 0,
  kBuiltinDictionary,
  kBuiltinString,
  kBuiltinTypedString,
  kBuiltinSymbol,
  kBuiltinNestedSymbol,
  kBuiltinType,
  kBuiltinUnit,
  kBuiltinInteger,
  kBuiltinFloat,
  kCallSite,
  kFileLocation,
  kFused,
  kFusedWithMetadata,
  kNameLocation,
  kUnknownLocation,
  kBuiltinDenseArray = 17,
  kBuiltinDense,
  kFileRange = 22,
};
enum VersionedAttribute : uint64_t {
  kArray = 1,
  kBool,
  kComparisonDirection,
  kComparisonType,
  kApiVersion,
  kDictionary,
  kFftType,
  kFloat,
  kInteger,
  kOutputOperandAlias,
  kPrecision,
  kRngAlgorithm,
  kRngDistribution,
  kString,
  kTensor,
  kTranspose,
  kType,
  kTypeExtensions,
  kAccuracyMode,
  kAccuracy,
  kSubAxis,
  kAxisRef,
  kMeshAxes,
  kMeshAxis,
  kMesh,
};

// An enumeration: its name in StableHLO, and its words from 0 on.
struct Enumeration {
  uint64_t code;
  absl::string_view name;
  std::vector<absl::string_view> words;
};
const std::vector<Enumeration>& Enumerations() {
  static const auto* const kEnumerations = new std::vector<Enumeration>{
      {kComparisonDirection, "comparison_direction", {"EQ", "NE", "GE", "GT", "LE", "LT"}},
      {kComparisonType, "comparison_type", {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}},
      {kFftType, "fft_type", {"FFT", "IFFT", "RFFT", "IRFFT"}},
      {kPrecision, "precision", {"DEFAULT", "HIGH", "HIGHEST"}},
      {kRngAlgorithm, "rng_algorithm", {"DEFAULT", "THREE_FRY", "PHILOX"}},
      {kRngDistribution, "rng_distribution", {"", "UNIFORM", "NORMAL"}},
      {kTranspose, "transpose", {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}},
      {kAccuracyMode, "result_accuracy_mode", {"DEFAULT", "HIGHEST", "TOLERANCE"}},
  };
  return *kEnumerations;
}

// Integers of up to 8 bits are a byte, others up to 64 bits a signed varint.
int64_t IntegerOfWidth(ByteReader& reader, int bits) {
  if (bits > 8) return reader.SignedVarint();
  return static_cast<int8_t>(reader.Byte());
}

// Shortest decimal digits that give the same number again; MLIR wants a point. Infinities and NaNs are bit patterns.
std::string FloatText(uint64_t pattern, int bits) {
  const std::string hex = absl::StrFormat("0x%0*X", bits / 4, pattern);
  if (bits != 32 && bits != 64) return hex;
  double value;
  std::memcpy(&value, &pattern, sizeof(value));
  if (bits == 32) {
    float single;
    const auto low = static_cast<uint32_t>(pattern);
    std::memcpy(&single, &low, sizeof(single));
    value = single;
  }
  if (!std::isfinite(value)) return hex;
  for (const int digits : {6, 8, 16}) {
    std::string text = absl::StrFormat("%.*e", digits, value);
    double back = 0;
    if (absl::SimpleAtod(text, &back) &&
        (bits == 32 ? static_cast<float>(back) == static_cast<float>(value) : back == value)) {
      return text;
    }
  }
  return hex;
}

// The elements of a tensor as nested lists; `at` moves through them.
void AppendNested(const std::vector<std::string>& elements, absl::Span<const int64_t> dimensions, size_t& at,
                  std::string& text) {
  if (dimensions.empty()) {
    text += elements[at++];
    return;
  }
  text += "[";
  for (int64_t i = 0; i < dimensions[0]; ++i) {
    if (i > 0) text += ", ";
    AppendNested(elements, dimensions.subspan(1), at, text);
  }
  text += "]";
}

int64_t ElementCount(absl::Span<const int64_t> dimensions) {
  int64_t count = 1;
  for (const int64_t size : dimensions) {
    if (size < 0) return -1;
    if (size != 0 && count > std::numeric_limits<int64_t>::max() / size) return -1;
    count *= size;
  }
  return count;
}

uint64_t LittleEndian(absl::string_view bytes) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(value)));
  return value;
}

int64_t SignExtended(uint64_t value, int bits) {
  const int unused = 64 - bits;
  return static_cast<int64_t>(value << unused) >> unused;
}

}  // namespace

std::string QuotedString(absl::string_view bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    if (c == '"' || c == '\\') {
      absl::StrAppend(&text, "\\", absl::string_view(&c, 1));
    } else if (absl::ascii_isprint(static_cast<unsigned char>(c))) {
      text.push_back(c);
    } else {
      absl::StrAppendFormat(&text, "\\%02X", static_cast<unsigned char>(c));
    }
  }
  return text + "\"";
}

ElementTable::ElementTable(const BytecodeContainer& container)
    : container_(container),
      attributes_(container.attributes.size()),
      types_(container.types.size()),
      budget_(kTextAtLeast + kTextPerByte * container.ir.file().size()) {}

void ElementTable::Spend(size_t bytes) {
  if (bytes > budget_ && status_.ok()) {
    Fail(absl::ResourceExhaustedError("the text of this bytecode would be much longer than the bytecode"));
  }
  budget_ -= std::min(bytes, budget_);
}

template <typename Element, typename Decode>
const Element& ElementTable::Get(std::vector<Slot<Element>>& slots, const std::vector<EncodedElement>& encoded,
                                 size_t number, Decode decode) {
  static const Element kEmpty;
  if (!status_.ok() || number >= slots.size()) return kEmpty;
  Slot<Element>& slot = slots[number];
  if (slot.state == State::kRead) {
    return slot.element;
  }
  const EncodedElement& from = encoded[number];
  ByteReader reader(container_.ir.file(), from.begin, from.end);
  if (slot.state == State::kOpen) reader.Fail("an attribute or type that contains itself");
  if (depth_ >= kMaxDepth) reader.Fail(absl::StrCat("attributes nested more than ", kMaxDepth, " deep"));
  if (reader.ok()) {
    slot.state = State::kOpen;
    ++depth_;
    const absl::string_view dialect = container_.dialects[from.dialect];
    if (!from.is_custom) {
      slot.element.text = std::string(reader.ZeroTerminated());
    } else if (dialect == "builtin" || dialect == "vhlo") {
      decode(reader, dialect == "vhlo", slot.element);
    } else if constexpr (std::is_same_v<Element, DecodedAttribute>) {
      slot.element.form = ElementForm::kForeign;
      reader.Bytes(reader.left());
    } else {
      Fail(absl::UnimplementedError(absl::StrCat("a type that only the dialect ", dialect, " itself can read")));
    }
    --depth_;
    if (status_.ok() && reader.ok() && reader.left() > 0) reader.Fail("bytes after an attribute or type");
    slot.state = State::kRead;
  }
  Fail(reader.status());
  Spend(slot.element.text.size());
  return status_.ok() ? slot.element : kEmpty;
}

const DecodedAttribute& ElementTable::Attribute(size_t number) {
  return Get(attributes_, container_.attributes, number,
             [this](ByteReader& reader, bool is_versioned, DecodedAttribute& attribute) {
               is_versioned ? DecodeVersionedAttribute(reader, attribute) : DecodeBuiltinAttribute(reader, attribute);
             });
}

const DecodedType& ElementTable::Type(size_t number) {
  return Get(types_, container_.types, number, [this](ByteReader& reader, bool is_versioned, DecodedType& type) {
    is_versioned ? DecodeVersionedType(reader, type) : DecodeBuiltinType(reader, type);
  });
}

size_t ElementTable::ReadAttributeNumber(ByteReader& reader) const {
  return reader.Index(attributes_.size(), "attribute");
}

size_t ElementTable::ReadTypeNumber(ByteReader& reader) const { return reader.Index(types_.size(), "type"); }

// --- Attributes ---

void ElementTable::DecodeBuiltinAttribute(ByteReader& reader, DecodedAttribute& attribute) {
  const uint64_t code = reader.Varint();
  switch (code) {
    case kBuiltinArray:
      return DecodeArray(reader, attribute);
    case kBuiltinDictionary:
      return DecodeDictionary(reader, attribute);
    case kBuiltinString:
      return DecodeString(reader, attribute);
    case kBuiltinTypedString:
      DecodeString(reader, attribute);
      TypeText(reader);
      return;
    case kBuiltinSymbol:
      attribute.text = absl::StrCat("@", QuotedString(Attribute(ReadAttributeNumber(reader)).string));
      return;
    case kBuiltinType:
      attribute.form = ElementForm::kType;
      attribute.type = ReadTypeNumber(reader);
      attribute.text = Type(attribute.type).text;
      return;
    case kBuiltinUnit:
      attribute.form = ElementForm::kUnit;
      return;
    case kBuiltinInteger:
      return DecodeInteger(reader, attribute);
    case kBuiltinFloat:
      return DecodeFloat(reader, attribute);
    case kBuiltinDenseArray:
      return DecodeDenseArray(reader, attribute);
    case kBuiltinDense:
      return DecodeTensor(reader, attribute);
    case kCallSite:
    case kFileLocation:
    case kFileRange:
    case kFused:
    case kFusedWithMetadata:
    case kNameLocation:
    case kUnknownLocation:
      return DecodeLocation(code, reader, attribute);
    default:
      reader.Fail(absl::StrCat("attribute code ", code, " of the builtin dialect is not known"));
  }
}

// Text without the word loc, as it is inside of other locations; empty for an unknown one.
void ElementTable::DecodeLocation(uint64_t code, ByteReader& reader, DecodedAttribute& attribute) {
  const auto location = [&] {
    std::string text = AttributeText(reader);
    return text.empty() ? std::string("unknown") : text;
  };
  if (code == kUnknownLocation) return;
  if (code == kFileLocation) {
    const std::string file = QuotedString(Attribute(ReadAttributeNumber(reader)).string);
    const uint64_t line = reader.Varint();
    attribute.text = absl::StrCat(file, ":", line, ":", reader.Varint());
  } else if (code == kFileRange) {
    DecodeFileRange(reader, attribute);
  } else if (code == kNameLocation) {
    const std::string name = QuotedString(Attribute(ReadAttributeNumber(reader)).string);
    const std::string child = AttributeText(reader);
    attribute.text = child.empty() ? name : absl::StrCat(name, "(", child, ")");
  } else if (code == kCallSite) {
    const std::string callee = location();
    attribute.text = absl::StrCat("callsite(", callee, " at ", location(), ")");
  } else {
    const size_t count = reader.Count();
    for (size_t i = 0; i < count && reader.ok() && status_.ok(); ++i) {
      absl::StrAppend(&attribute.text, i > 0 ? ", " : "", location());
      if (attribute.text.size() > budget_) Spend(attribute.text.size());
    }
    if (code == kFusedWithMetadata) AttributeText(reader);
    attribute.text = absl::StrCat("fused[", attribute.text, "]");
  }
}

// array<i32: 1, -1>, with the bytes of its elements one after the other.
void ElementTable::DecodeDenseArray(ByteReader& reader, DecodedAttribute& attribute) {
  const DecodedType& type = Type(ReadTypeNumber(reader));
  const uint64_t count = reader.Varint(), size = reader.Varint();
  const absl::string_view bytes = reader.Bytes(size);
  const size_t width = count == 0 ? 1 : bytes.size() / std::max<uint64_t>(count, 1);
  if (!reader.ok() || !status_.ok()) return;
  if (type.is_float || width == 0 || width > 8 || count > bytes.size() || width * count != bytes.size()) {
    return reader.Fail("an array whose elements are no integers, or do not fill its bytes");
  }
  attribute.text = absl::StrCat("array<", type.text, count == 0 ? "" : ": ");
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    for (size_t k = width; k > 0; --k) bits = bits << 8 | static_cast<uint8_t>(bytes[i * width + k - 1]);
    const int unused = static_cast<int>(64 - 8 * width);
    const int64_t number = static_cast<int64_t>(bits << unused) >> unused;
    absl::StrAppend(&attribute.text, i > 0 ? ", " : "", number);
  }
  attribute.text += ">";
}

// The numbers of a range are as many as are needed: line; line and column; line, column and last column; line, column,
// last line and last column.
void ElementTable::DecodeFileRange(ByteReader& reader, DecodedAttribute& attribute) {
  const std::string file = QuotedString(Attribute(ReadAttributeNumber(reader)).string);
  const size_t count = reader.Index(5, "count of numbers of a range");
  uint64_t numbers[4] = {};
  for (size_t i = 0; i < count; ++i) numbers[i] = reader.Varint();
  attribute.text = absl::StrCat(file, ":", numbers[0], ":", numbers[1]);
  if (count == 3) absl::StrAppend(&attribute.text, " to :", numbers[2]);
  if (count == 4) absl::StrAppend(&attribute.text, " to ", numbers[2], ":", numbers[3]);
}

void ElementTable::DecodeVersionedAttribute(ByteReader& reader, DecodedAttribute& attribute) {
  const uint64_t code = reader.Varint();
  for (const Enumeration& enumeration : Enumerations()) {
    if (enumeration.code != code) continue;
    attribute.form = ElementForm::kEnumerator;
    attribute.integer = static_cast<int64_t>(reader.Index(enumeration.words.size(), enumeration.name));
    attribute.string = std::string(enumeration.words[static_cast<size_t>(attribute.integer)]);
    attribute.text = absl::StrCat("#stablehlo<", enumeration.name, " ", attribute.string, ">");
    return;
  }
  switch (code) {
    case kArray:
      return DecodeArray(reader, attribute);
    case kBool:
      attribute.form = ElementForm::kBool;
      attribute.integer = reader.Varint() != 0 ? 1 : 0;
      attribute.text = attribute.integer != 0 ? "true" : "false";
      return;
    case kApiVersion:
      attribute.form = ElementForm::kInteger;
      attribute.integer = static_cast<int64_t>(reader.Varint());
      attribute.text = absl::StrCat(attribute.integer, " : i32");
      return;
    case kDictionary:
      return DecodeDictionary(reader, attribute);
    case kFloat:
      return DecodeFloat(reader, attribute);
    case kInteger:
      return DecodeInteger(reader, attribute);
    case kString:
      return DecodeString(reader, attribute);
    case kTensor:
      return DecodeTensor(reader, attribute);
    case kType:
      attribute.form = ElementForm::kType;
      attribute.type = ReadTypeNumber(reader);
      attribute.text = Type(attribute.type).text;
      return;
    case kOutputOperandAlias: {
      const std::vector<int64_t> output = reader.SignedList();
      const int64_t operand = reader.SignedVarint();
      attribute.text = absl::StrCat("#stablehlo.output_operand_alias<output_tuple_indices = [",
                                    absl::StrJoin(output, ", "), "], operand_index = ", operand,
                                    ", operand_tuple_indices = [", absl::StrJoin(reader.SignedList(), ", "), "]>");
      return;
    }
    case kTypeExtensions: {
      const std::vector<int64_t> bounds = reader.SignedList();
      attribute.text = absl::StrCat("#stablehlo.bounds<",
                                    absl::StrJoin(bounds, ", ",
                                                  [](std::string* out, int64_t bound) {
                                                    bound < 0 ? absl::StrAppend(out, "?") : absl::StrAppend(out, bound);
                                                  }),
                                    ">");
      return;
    }
    case kAccuracy:
      return DecodeAccuracy(reader, attribute);
    case kSubAxis:
    case kAxisRef:
    case kMeshAxes:
    case kMeshAxis:
    case kMesh:
      return DecodeMeshAttribute(code, reader, attribute);
    default:
      reader.Fail(absl::StrCat("attribute code ", code, " of VHLO is not known"));
  }
}

void ElementTable::DecodeAccuracy(ByteReader& reader, DecodedAttribute& attribute) {
  const auto tolerance = [&] { return FloatText(static_cast<uint64_t>(reader.SignedVarint()), 64); };
  const std::string absolute = tolerance();
  const std::string relative = tolerance();
  const int64_t ulps = reader.SignedVarint();
  const DecodedAttribute& mode = Attribute(ReadAttributeNumber(reader));
  attribute.form = ElementForm::kEnumerator;
  attribute.string = mode.string;
  attribute.text = absl::StrCat("#stablehlo.result_accuracy<atol = ", absolute, ", rtol = ", relative,
                                ", ulps = ", ulps, ", mode = ", mode.text, ">");
}

std::string ElementTable::OptionalAttributeText(ByteReader& reader) {
  return reader.Varint() != 0 ? AttributeText(reader) : std::string();
}

void ElementTable::DecodeMeshAttribute(uint64_t code, ByteReader& reader, DecodedAttribute& attribute) {
  if (code == kSubAxis) {
    const int64_t before = reader.SignedVarint();
    attribute.text = absl::StrCat("(", before, ")", reader.SignedVarint());
  } else if (code == kAxisRef) {
    attribute.text = absl::StrCat("#stablehlo.axis_ref<name = ", AttributeText(reader));
    const std::string part = OptionalAttributeText(reader);
    absl::StrAppend(&attribute.text, part.empty() ? "" : ", sub_axis_info = ", part, ">");
  } else if (code == kMeshAxis) {
    const std::string name = AttributeText(reader);
    attribute.text = absl::StrCat("#stablehlo.mesh_axis<name = ", name, ", size = ", reader.SignedVarint(), ">");
  } else if (code == kMesh) {
    attribute.text = absl::StrCat("#stablehlo.mesh<axes = ", AttributeText(reader));
    const std::string devices = OptionalAttributeText(reader);
    absl::StrAppend(&attribute.text, devices.empty() ? "" : ", device_ids = ", devices, ">");
  } else {
    const std::string mesh = AttributeText(reader);
    attribute.text =
        absl::StrCat("#stablehlo.replica_group_mesh_axes<mesh = ", mesh, ", axes = ", AttributeText(reader), ">");
  }
}

void ElementTable::DecodeArray(ByteReader& reader, DecodedAttribute& attribute) {
  attribute.form = ElementForm::kArray;
  const size_t count = reader.Count();
  attribute.text = "[";
  for (size_t i = 0; i < count && reader.ok() && status_.ok(); ++i) {
    attribute.items.push_back(ReadAttributeNumber(reader));
    absl::StrAppend(&attribute.text, i > 0 ? ", " : "", Attribute(attribute.items.back()).text);
    if (attribute.text.size() > budget_) Spend(attribute.text.size());
  }
  attribute.text += "]";
}

void ElementTable::DecodeDictionary(ByteReader& reader, DecodedAttribute& attribute) {
  attribute.form = ElementForm::kDictionary;
  const size_t count = reader.Count();
  attribute.text = "{";
  for (size_t i = 0; i < count && reader.ok() && status_.ok(); ++i) {
    attribute.items.push_back(ReadAttributeNumber(reader));
    attribute.items.push_back(ReadAttributeNumber(reader));
    const std::string name = QuotedString(Attribute(attribute.items[2 * i]).string);
    const DecodedAttribute& value = Attribute(attribute.items[2 * i + 1]);
    if (value.form == ElementForm::kForeign) continue;
    absl::StrAppend(&attribute.text, attribute.text.size() > 1 ? ", " : "", name);
    if (value.form != ElementForm::kUnit) absl::StrAppend(&attribute.text, " = ", value.text);
    if (attribute.text.size() > budget_) Spend(attribute.text.size());
  }
  attribute.text += "}";
}

void ElementTable::DecodeString(ByteReader& reader, DecodedAttribute& attribute) {
  attribute.form = ElementForm::kString;
  const size_t number = reader.Index(container_.strings.size(), "string");
  if (!reader.ok()) return;
  attribute.string = std::string(container_.strings[number]);
  attribute.text = QuotedString(attribute.string);
}

void ElementTable::DecodeInteger(ByteReader& reader, DecodedAttribute& attribute) {
  const DecodedType& type = Type(ReadTypeNumber(reader));
  if (status_.ok() && (type.bits == 0 || type.bits > 64 || type.is_float)) {
    reader.Fail(absl::StrCat("an integer of type ", type.text));
    return;
  }
  attribute.form = ElementForm::kInteger;
  attribute.integer = IntegerOfWidth(reader, type.bits);
  if (type.element == "i1") {
    attribute.form = ElementForm::kBool;
    attribute.integer &= 1;
    attribute.text = attribute.integer != 0 ? "true" : "false";
    return;
  }
  attribute.text = absl::StrCat(attribute.integer, " : ", type.text);
}

void ElementTable::DecodeFloat(ByteReader& reader, DecodedAttribute& attribute) {
  const DecodedType& type = Type(ReadTypeNumber(reader));
  if (status_.ok() && (!type.is_float || type.bits == 0)) {
    reader.Fail(absl::StrCat("a floating-point number of type ", type.text));
    return;
  }
  const auto pattern = static_cast<uint64_t>(IntegerOfWidth(reader, type.bits));
  const uint64_t mask = type.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << type.bits) - 1;
  attribute.text = absl::StrCat(FloatText(pattern & mask, type.bits), " : ", type.text);
}

// Raw little-endian data: one element stands for all; i1 in bits, or bytes as older writers have it.
void ElementTable::DecodeTensor(ByteReader& reader, DecodedAttribute& attribute) {
  constexpr int64_t kMaxNested = kMaxIntegers;
  attribute.form = ElementForm::kTensor;
  attribute.type = ReadTypeNumber(reader);
  const DecodedType& type = Type(attribute.type);
  const absl::string_view data = reader.Bytes(reader.Varint());
  if (!reader.ok() || !status_.ok()) return;
  const int64_t count = ElementCount(type.dimensions);
  if (!type.is_tensor || count < 0) return reader.Fail(absl::StrCat("dense data of type ", type.text));
  const size_t bytes = static_cast<size_t>((type.bits + 7) / 8);
  const bool is_splat = bytes > 0 && data.size() == bytes;
  const bool is_whole = bytes > 0 && data.size() == bytes * static_cast<size_t>(count);
  // As brackets, which are nested as deep as there are dimensions, only what is small; and numbers of at most 64 bits.
  const bool is_small = is_whole && count <= kMaxNested && type.dimensions.size() <= static_cast<size_t>(kMaxNested);
  std::string payload;
  if (count > 0 && type.element != "i1" && type.bits <= 64 && (is_splat || is_small)) {
    std::vector<std::string> elements;
    for (size_t at = 0; at < data.size(); at += bytes) {
      const uint64_t value = LittleEndian(data.substr(at, bytes));
      if (!type.is_float) attribute.integers.push_back(SignExtended(value, type.bits));
      const bool is_unsigned = absl::StartsWith(type.element, "ui");
      elements.push_back(type.is_float ? FloatText(value, type.bits)
                         : is_unsigned ? absl::StrCat(value)
                                       : absl::StrCat(attribute.integers.back()));
    }
    size_t at = 0;
    AppendNested(elements, is_splat ? absl::Span<const int64_t>() : type.dimensions, at, payload);
    if (is_splat && !attribute.integers.empty() && count <= static_cast<int64_t>(kMaxIntegers)) {
      attribute.integers.resize(static_cast<size_t>(count), attribute.integers[0]);
    }
  } else if (count > 0) {
    payload = absl::StrCat("\"0x", absl::AsciiStrToUpper(absl::BytesToHexString(data)), "\"");
  }
  attribute.text = absl::StrCat("dense<", payload, "> : ", type.text);
}

}  // namespace hloscope::stablehlo
