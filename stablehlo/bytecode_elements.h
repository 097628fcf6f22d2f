// SPDX-License-Identifier: Apache-2.0
// Attributes and types of MLIR bytecode as text (docs/stablehlo.md 7).
#ifndef HLOSCOPE_STABLEHLO_BYTECODE_ELEMENTS_H_
#define HLOSCOPE_STABLEHLO_BYTECODE_ELEMENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "stablehlo/bytecode_container.h"

namespace hloscope::stablehlo {

struct DecodedType {
  std::string text;  // as StableHLO writes it
  // Of a tensor.
  bool is_tensor = false;
  std::vector<int64_t> dimensions;
  // Of the elements of a tensor, and of a scalar.
  std::string element;
  int bits = 0;  // as integers are encoded; 0 for others
  bool is_float = false;
  // Of a function.
  std::vector<size_t> operands, results;  // numbers of types
};

enum class ElementForm : uint8_t {
  kOther,
  kUnit,
  kBool,
  kInteger,
  kEnumerator,
  kString,
  kArray,
  kDictionary,
  kTensor,
  kType,
  kForeign,  // only its dialect can read it
};

struct DecodedAttribute {
  ElementForm form = ElementForm::kOther;
  std::string text;  // as StableHLO writes it
  // The bytes of a string; the word of an enumerator.
  std::string string;
  int64_t integer = 0;            // of a bool, integer or enumerator
  std::vector<size_t> items;      // of an array or dictionary, here names and values in turns: numbers of attributes
  std::vector<int64_t> integers;  // of a tensor of at most kMaxIntegers integers, each dimension named once
  size_t type = 0;                // of a tensor or type: its number
};
inline constexpr size_t kMaxIntegers = 100;

// The attributes and types of a file, decoded when they are asked for. After the first failure all are empty, and
// `status` says what was wrong.
class ElementTable {
 public:
  explicit ElementTable(const BytecodeContainer& container);
  const DecodedAttribute& Attribute(size_t number);
  const DecodedType& Type(size_t number);

  // The number of an attribute or a type, from `reader`.
  size_t ReadAttributeNumber(ByteReader& reader) const;
  size_t ReadTypeNumber(ByteReader& reader) const;

  // InvalidArgument with the byte; Unimplemented for what only the dialect itself can read; ResourceExhausted if the
  // texts become much longer than the file.
  const absl::Status& status() const { return status_; }
  void Fail(const absl::Status& status) { status_.Update(status); }
  // Counts text that is made of the file. Fails when there is too much.
  void Spend(size_t bytes);
  const BytecodeContainer& container() const { return container_; }

 private:
  enum class State : uint8_t { kUnread, kOpen, kRead };
  template <typename Element>
  struct Slot {
    State state = State::kUnread;
    Element element;
  };
  template <typename Element, typename Decode>
  const Element& Get(std::vector<Slot<Element>>& slots, const std::vector<EncodedElement>& encoded, size_t number,
                     Decode decode);

  void DecodeBuiltinAttribute(ByteReader& reader, DecodedAttribute& attribute);
  void DecodeVersionedAttribute(ByteReader& reader, DecodedAttribute& attribute);
  void DecodeDenseArray(ByteReader& reader, DecodedAttribute& attribute);
  void DecodeFileRange(ByteReader& reader, DecodedAttribute& attribute);
  void DecodeLocation(uint64_t code, ByteReader& reader, DecodedAttribute& attribute);
  void DecodeMeshAttribute(uint64_t code, ByteReader& reader, DecodedAttribute& attribute);
  void DecodeAccuracy(ByteReader& reader, DecodedAttribute& attribute);
  void DecodeArray(ByteReader& reader, DecodedAttribute& attribute);
  void DecodeDictionary(ByteReader& reader, DecodedAttribute& attribute);
  void DecodeInteger(ByteReader& reader, DecodedAttribute& attribute);
  void DecodeFloat(ByteReader& reader, DecodedAttribute& attribute);
  void DecodeTensor(ByteReader& reader, DecodedAttribute& attribute);
  void DecodeString(ByteReader& reader, DecodedAttribute& attribute);
  void DecodeBuiltinType(ByteReader& reader, DecodedType& type);
  void DecodeVersionedType(ByteReader& reader, DecodedType& type);
  void DecodeTensorType(ByteReader& reader, DecodedType& type, absl::string_view keyword, absl::string_view encoding);
  void DecodeFunctionType(ByteReader& reader, DecodedType& type);
  std::string TypeListText(ByteReader& reader, std::vector<size_t>* numbers = nullptr);
  std::string AttributeText(ByteReader& reader) { return Attribute(ReadAttributeNumber(reader)).text; }
  std::string OptionalAttributeText(ByteReader& reader);
  std::string TypeText(ByteReader& reader) { return Type(ReadTypeNumber(reader)).text; }

  const BytecodeContainer& container_;
  std::vector<Slot<DecodedAttribute>> attributes_;
  std::vector<Slot<DecodedType>> types_;
  absl::Status status_;
  size_t budget_;
  int depth_ = 0;
};

// The bytes between quotes, with escapes, as MLIR writes strings.
std::string QuotedString(absl::string_view bytes);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_BYTECODE_ELEMENTS_H_
