// SPDX-License-Identifier: Apache-2.0
// Opcodes and attributes: enumerators and table look-ups generated from opcodes.def, attributes.def, words.def and
// families.def.
#ifndef HLOSCOPE_CORE_IR_OPCODE_H_
#define HLOSCOPE_CORE_IR_OPCODE_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hloscope {

enum class Opcode : uint8_t {
  kInvalid,  // an instruction that could not be read
#define HLO_OPCODE(Enum, spelling, arity, Family, shape, required, attributes) k##Enum,
#include "core/ir/opcodes.def"
};

enum class OpFamily : uint8_t {
#define HLO_FAMILY(Enum, file) k##Enum,
#include "core/ir/families.def"
};

enum class AttributeKind : uint8_t {
#define HLO_ATTRIBUTE(Enum, spelling, Type, Enumeration, doc) k##Enum,
#include "core/ir/attributes.def"
};

// How an attribute's value is written and stored (docs/text-format.md 6.7).
enum class AttributeType : uint8_t {
  kBool,
  kInt,
  kInt32,
  kFloat,
  kString,
  kInts,
  kIntPairs,
  kIntLists,
  kBools,
  kComputation,
  kComputations,
  kWord,
  kWords,
  kShape,
  kShapes,
  kLiteral,
  kAliasing,
  kReplicaGroups,
  kWindow,
  kDimLabels,
  kPadding,
  kSliceRanges,
  kSparsity,
  kBlockScaling,
  kRaw,
  kSharding,
  kFrontendAttributes,
  kStatistics,
  kInstructions,
  kOrigin,
  kMetadata,
  kResultAccuracy,
  kDomain,
};

// Enumerations of words, e.g. enum class ComparisonDirection { kEq, kNe, ... } (words.def).
enum class Enumeration : uint8_t {
  kNone,
#define HLO_ENUMERATION(Name, ignore_case) k##Name,
#include "core/ir/words.def"
};

#define HLO_ENUMERATION(Name, ignore_case) \
  }                                        \
  ;                                        \
  enum class Name : uint8_t {
#define HLO_WORD(Name, Enum, spelling) k##Enum,
enum class UnusedEnumerationHead : uint8_t {
#include "core/ir/words.def"
};

struct OpcodeInfo {
  absl::string_view name;
  int arity;  // -1: varies
  OpFamily family;
  bool shape_can_be_omitted;
  absl::Span<const AttributeKind> required;
  absl::Span<const AttributeKind> attributes;  // in printing order; without the common ones
};
const OpcodeInfo& InfoOf(Opcode opcode);
inline absl::string_view OpcodeName(Opcode opcode) { return InfoOf(opcode).name; }
std::optional<Opcode> OpcodeFromName(absl::string_view name);
// Every opcode of the table, without kInvalid.
absl::Span<const Opcode> AllOpcodes();

struct AttributeInfo {
  absl::string_view name;
  AttributeType type;
  Enumeration enumeration;
  absl::string_view doc;
};
const AttributeInfo& InfoOf(AttributeKind kind);
inline absl::string_view AttributeName(AttributeKind kind) { return InfoOf(kind).name; }
// Attributes that every opcode accepts (docs/text-format.md 6.8).
absl::Span<const AttributeKind> CommonAttributes();
// The attribute that `name` means on `opcode`, or nullopt if the opcode does not take it.
std::optional<AttributeKind> AttributeFromName(Opcode opcode, absl::string_view name);
// True if `name` is an attribute of any opcode.
bool IsAttributeName(absl::string_view name);
// True if some opcode's attribute of this name holds a computation or a list of computations.
bool IsComputationAttributeName(absl::string_view name);
bool AcceptsAttribute(Opcode opcode, AttributeKind kind);

absl::string_view FamilyFile(OpFamily family);

// The words of an enumeration in the order of their values.
absl::Span<const absl::string_view> WordsOf(Enumeration enumeration);
// The value of `word`, honouring the enumeration's case rule.
std::optional<int> WordValue(Enumeration enumeration, absl::string_view word);

// True for the opcodes with an effect besides their result: they are never dead
// (docs/ops/control.md 8.1).
bool HasSideEffect(Opcode opcode);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_OPCODE_H_
