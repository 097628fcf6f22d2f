// SPDX-License-Identifier: Apache-2.0
// The types of a bytecode file, in the encodings of the builtin dialect and of VHLO.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "stablehlo/bytecode_elements.h"

namespace hloscope::stablehlo {
namespace {

struct ScalarType {
  uint64_t code;
  absl::string_view text;
  int bits;
  bool is_float;
};
constexpr ScalarType kVersionedScalars[] = {
    {0, "i1", 1, false},         {2, "bf16", 16, true},       {3, "f16", 16, true},
    {4, "f32", 32, true},        {5, "f64", 64, true},        {6, "f8E4M3FN", 8, true},
    {7, "f8E5M2", 8, true},      {9, "index", 64, false},     {10, "i4", 4, false},
    {11, "i8", 8, false},        {12, "i16", 16, false},      {13, "i32", 32, false},
    {14, "i64", 64, false},      {15, "ui4", 4, false},       {16, "ui8", 8, false},
    {17, "ui16", 16, false},     {18, "ui32", 32, false},     {19, "ui64", 64, false},
    {27, "f8E4M3FNUZ", 8, true}, {28, "f8E5M2FNUZ", 8, true}, {29, "f8E4M3B11FNUZ", 8, true},
    {31, "i2", 2, false},        {32, "ui2", 2, false},       {34, "tf32", 0, true},
    {35, "f8E4M3", 8, true},     {36, "f8E3M4", 8, true},     {37, "f4E2M1FN", 4, true},
    {38, "f6E2M3FN", 6, true},   {39, "f6E3M2FN", 6, true},   {40, "f8E8M0FNU", 8, true},
};
constexpr ScalarType kBuiltinScalars[] = {{1, "index", 64, false}, {3, "bf16", 16, true}, {4, "f16", 16, true},
                                          {5, "f32", 32, true},    {6, "f64", 64, true},  {12, "none", 0, false}};

bool SetScalar(absl::Span<const ScalarType> table, uint64_t code, DecodedType& type) {
  for (const ScalarType& scalar : table) {
    if (scalar.code != code) continue;
    type.text = type.element = std::string(scalar.text);
    type.bits = scalar.bits;
    type.is_float = scalar.is_float;
    return true;
  }
  return false;
}

// Types of VHLO that are not scalars.
enum VersionedType : uint64_t {
  kComplexType = 1,
  kFunctionType = 8,
  kTensorType = 20,
  kEncodedTensorType = 21,
  kTokenType = 22,
  kTupleType = 23,
  kQuantizedType = 24,
  kUnrankedType = 25,
  kWitnessType = 26,
  kQuantizedAxisType = 30,
  kNoneType = 33,
  kBufferType = 41,
  kFutureType = 42,
};

}  // namespace

void ElementTable::DecodeBuiltinType(ByteReader& reader, DecodedType& type) {
  constexpr uint64_t kIntegerCode = 0, kFunctionCode = 2, kComplexCode = 9, kTensorCode = 13, kTupleCode = 15;
  const uint64_t code = reader.Varint();
  if (SetScalar(kBuiltinScalars, code, type)) return;
  switch (code) {
    case kIntegerCode: {
      const uint64_t width_and_sign = reader.Varint();
      constexpr absl::string_view kPrefixes[] = {"i", "si", "ui", "i"};
      type.bits = static_cast<int>(std::min<uint64_t>(width_and_sign >> 2, 65));
      type.text = type.element = absl::StrCat(kPrefixes[width_and_sign & 3], width_and_sign >> 2);
      return;
    }
    case kFunctionCode:
      return DecodeFunctionType(reader, type);
    case kComplexCode:
      type.text = type.element = absl::StrCat("complex<", TypeText(reader), ">");
      return;
    case kTensorCode:
      return DecodeTensorType(reader, type, "tensor", "");
    case kTupleCode:
      type.text = absl::StrCat("tuple<", TypeListText(reader), ">");
      return;
    default:
      reader.Fail(absl::StrCat("type code ", code, " of the builtin dialect is not known"));
  }
}

void ElementTable::DecodeVersionedType(ByteReader& reader, DecodedType& type) {
  const uint64_t code = reader.Varint();
  if (SetScalar(kVersionedScalars, code, type)) return;
  switch (code) {
    case kComplexType: {
      const DecodedType& part = Type(ReadTypeNumber(reader));
      type.text = type.element = absl::StrCat("complex<", part.text, ">");
      return;
    }
    case kFunctionType:
      return DecodeFunctionType(reader, type);
    case kTensorType:
      return DecodeTensorType(reader, type, "tensor", "");
    case kEncodedTensorType:
      return DecodeTensorType(reader, type, "tensor", AttributeText(reader));
    case kBufferType:
      return DecodeTensorType(reader, type, "memref", "");
    case kTokenType:
      type.text = "!stablehlo.token";
      return;
    case kTupleType:
      type.text = absl::StrCat("tuple<", TypeListText(reader), ">");
      return;
    case kFutureType:
      type.text = absl::StrCat("!stablehlo.future<", TypeListText(reader), ">");
      return;
    case kUnrankedType:
      type.text = absl::StrCat("tensor<*x", TypeText(reader), ">");
      return;
    case kWitnessType:
      type.text = "!shape.witness";
      return;
    case kNoneType:
      type.text = "none";
      return;
    case kQuantizedType:
    case kQuantizedAxisType: {
      // A quantized type has no meaning in HLO: its name is all that is needed.
      reader.Varint();
      const std::string storage = TypeText(reader);
      type.text = type.element = absl::StrCat("!quant.uniform<", storage, ":", TypeText(reader), ", 1.0>");
      reader.Bytes(reader.left());
      return;
    }
    default:
      reader.Fail(absl::StrCat("type code ", code, " of VHLO is not known"));
  }
}

void ElementTable::DecodeTensorType(ByteReader& reader, DecodedType& type, absl::string_view keyword,
                                    absl::string_view encoding) {
  type.is_tensor = true;
  type.dimensions = reader.SignedList();
  const DecodedType& element = Type(ReadTypeNumber(reader));
  type.element = element.element;
  type.bits = element.bits;
  type.is_float = element.is_float;
  type.text = absl::StrCat(keyword, "<");
  for (const int64_t size : type.dimensions) {
    size < 0 ? absl::StrAppend(&type.text, "?x") : absl::StrAppend(&type.text, size, "x");
  }
  absl::StrAppend(&type.text, element.text, encoding.empty() ? "" : ", ", encoding, ">");
}

void ElementTable::DecodeFunctionType(ByteReader& reader, DecodedType& type) {
  const std::string operands = TypeListText(reader, &type.operands);
  type.text = absl::StrCat("(", operands, ") -> (", TypeListText(reader, &type.results), ")");
}

std::string ElementTable::TypeListText(ByteReader& reader, std::vector<size_t>* numbers) {
  std::string text;
  const size_t count = reader.Count();
  for (size_t i = 0; i < count && reader.ok() && status_.ok(); ++i) {
    const size_t number = ReadTypeNumber(reader);
    if (numbers != nullptr) numbers->push_back(number);
    absl::StrAppend(&text, i > 0 ? ", " : "", Type(number).text);
    if (text.size() > budget_) Spend(text.size());
  }
  return text;
}

}  // namespace hloscope::stablehlo
