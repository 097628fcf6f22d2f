// SPDX-License-Identifier: Apache-2.0
#include "core/ir/opcode.h"

#include <array>
#include <bitset>
#include <cstddef>
#include <iterator>
#include <vector>

#include "absl/strings/match.h"
#include "core/ir/word_table.h"

namespace hloscope {
namespace {

// Short names for the attribute enumerators inside the table's lists.
namespace attribute_names {
#define HLO_ATTRIBUTE(Enum, spelling, Type, Enumeration, doc) constexpr AttributeKind Enum = AttributeKind::k##Enum;
#include "core/ir/attributes.def"
}  // namespace attribute_names

template <AttributeKind... kinds>
struct AttributeList {
  static constexpr std::array<AttributeKind, sizeof...(kinds)> value = {kinds...};
};

constexpr bool kInferred = true;
constexpr bool kDeclared = false;

absl::Span<const OpcodeInfo> OpcodeInfos() {
  using namespace attribute_names;  // NOLINT: scope of this function only
  static constexpr OpcodeInfo kInfos[] = {
      {"<broken>", -1, OpFamily::kElementwise, false, {}, {}},
#define REQUIRED(...) AttributeList<__VA_ARGS__>::value
#define ATTRIBUTES(...) AttributeList<__VA_ARGS__>::value
#define HLO_OPCODE(Enum, spelling, arity, Family, shape, required, attributes) \
  {spelling, arity, OpFamily::k##Family, k##shape, required, attributes},
#include "core/ir/opcodes.def"
#undef REQUIRED
#undef ATTRIBUTES
  };
  return kInfos;
}

constexpr AttributeInfo kAttributeInfos[] = {
#define HLO_ATTRIBUTE(Enum, spelling, Type, Enum2, doc) {spelling, AttributeType::k##Type, Enumeration::k##Enum2, doc},
#include "core/ir/attributes.def"
};

constexpr AttributeKind kCommonAttributes[] = {AttributeKind::kSharding,
                                               AttributeKind::kFrontendAttributes,
                                               AttributeKind::kStatistics,
                                               AttributeKind::kParameterReplication,
                                               AttributeKind::kControlPredecessors,
                                               AttributeKind::kOrigin,
                                               AttributeKind::kMetadata,
                                               AttributeKind::kBackendConfig};

struct WordTables {
  std::array<std::vector<absl::string_view>, 32> words;
  std::array<bool, 32> ignore_case = {};
};

// Which opcode takes which attribute.
struct AttributeTables {
  static constexpr size_t kCount = std::size(kAttributeInfos);
  static constexpr uint8_t kNone = 0xFF;
  static_assert(kCount < kNone);
  WordTable<uint8_t, 512> by_name;            // the first attribute of the name
  std::array<uint8_t, kCount> next = {};      // the next one of the same name, or kNone
  std::vector<std::bitset<kCount>> accepted;  // by opcode
};

const AttributeTables& Attributes() {
  static const auto* tables = [] {
    auto* t = new AttributeTables;
    t->next.fill(AttributeTables::kNone);
    for (size_t i = 0; i < AttributeTables::kCount; ++i) {
      const uint8_t* const first = t->by_name.Find(kAttributeInfos[i].name);
      if (first == nullptr) {
        t->by_name.Add(kAttributeInfos[i].name, static_cast<uint8_t>(i));
        continue;
      }
      size_t last = *first;
      while (t->next[last] != AttributeTables::kNone) last = t->next[last];
      t->next[last] = static_cast<uint8_t>(i);
    }
    t->accepted.resize(OpcodeInfos().size());
    for (size_t i = 0; i < OpcodeInfos().size(); ++i) {
      for (AttributeKind own : OpcodeInfos()[i].attributes) t->accepted[i].set(static_cast<size_t>(own));
      for (AttributeKind common : kCommonAttributes) t->accepted[i].set(static_cast<size_t>(common));
    }
    return t;
  }();
  return *tables;
}

// The first attribute of this name for which wanted(AttributeKind) holds.
template <typename Wanted>
std::optional<AttributeKind> FindAttributeKind(absl::string_view name, Wanted wanted) {
  const AttributeTables& tables = Attributes();
  const uint8_t* const first = tables.by_name.Find(name);
  if (first == nullptr) return std::nullopt;
  for (uint8_t i = *first; i != AttributeTables::kNone; i = tables.next[i]) {
    if (wanted(static_cast<AttributeKind>(i))) return static_cast<AttributeKind>(i);
  }
  return std::nullopt;
}

const WordTables& Words() {
  static const auto* tables = [] {
    auto* t = new WordTables;
#define HLO_ENUMERATION(Name, ignore) t->ignore_case[static_cast<size_t>(Enumeration::k##Name)] = ignore;
#define HLO_WORD(Name, Enum, spelling) t->words[static_cast<size_t>(Enumeration::k##Name)].push_back(spelling);
#include "core/ir/words.def"
    return t;
  }();
  return *tables;
}

// Collectives that may be left out where nobody uses the result. Others keep their place: a new one does.
bool IsPureCollective(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAllGather:
    case Opcode::kAllReduce:
    case Opcode::kReduceScatter:
    case Opcode::kAllToAll:
    case Opcode::kRaggedAllToAll:
    case Opcode::kCollectivePermute:
    case Opcode::kPartitionId:
    case Opcode::kReplicaId:
      return true;
    default:
      return false;
  }
}

}  // namespace

const OpcodeInfo& InfoOf(Opcode opcode) { return OpcodeInfos()[static_cast<size_t>(opcode)]; }

std::optional<Opcode> OpcodeFromName(absl::string_view name) {
  static constexpr auto kTable = [] {
    WordTable<Opcode, 512> table;
#define HLO_OPCODE(Enum, spelling, arity, Family, shape, required, attributes) table.Add(spelling, Opcode::k##Enum);
#include "core/ir/opcodes.def"
    return table;
  }();
  const Opcode* const found = kTable.Find(name);
  if (found == nullptr) return std::nullopt;
  return *found;
}

absl::Span<const Opcode> AllOpcodes() {
  static constexpr Opcode kAll[] = {
#define HLO_OPCODE(Enum, spelling, arity, Family, shape, required, attributes) Opcode::k##Enum,
#include "core/ir/opcodes.def"
  };
  return kAll;
}

const AttributeInfo& InfoOf(AttributeKind kind) { return kAttributeInfos[static_cast<size_t>(kind)]; }

absl::Span<const AttributeKind> CommonAttributes() { return kCommonAttributes; }

std::optional<AttributeKind> AttributeFromName(Opcode opcode, absl::string_view name) {
  return FindAttributeKind(name, [&](AttributeKind kind) { return AcceptsAttribute(opcode, kind); });
}

bool IsAttributeName(absl::string_view name) { return Attributes().by_name.Find(name) != nullptr; }

bool IsComputationAttributeName(absl::string_view name) {
  const auto kind = FindAttributeKind(name, [](AttributeKind candidate) {
    const AttributeType type = kAttributeInfos[static_cast<size_t>(candidate)].type;
    return type == AttributeType::kComputation || type == AttributeType::kComputations;
  });
  return kind.has_value();
}

bool AcceptsAttribute(Opcode opcode, AttributeKind kind) {
  return Attributes().accepted[static_cast<size_t>(opcode)][static_cast<size_t>(kind)];
}

absl::string_view FamilyFile(OpFamily family) {
  static constexpr absl::string_view kFiles[] = {
#define HLO_FAMILY(Enum, file) file,
#include "core/ir/families.def"
  };
  return kFiles[static_cast<size_t>(family)];
}

absl::Span<const absl::string_view> WordsOf(Enumeration enumeration) {
  return Words().words[static_cast<size_t>(enumeration)];
}

std::optional<int> WordValue(Enumeration enumeration, absl::string_view word) {
  const bool ignore_case = Words().ignore_case[static_cast<size_t>(enumeration)];
  const auto words = WordsOf(enumeration);
  for (size_t i = 0; i < words.size(); ++i) {
    if (ignore_case ? absl::EqualsIgnoreCase(words[i], word) : words[i] == word) return static_cast<int>(i);
  }
  return std::nullopt;
}

bool HasSideEffect(Opcode opcode) {
  if (opcode == Opcode::kInvalid) return false;
  switch (InfoOf(opcode).family) {
    case OpFamily::kHostTransfer:
      return true;
    case OpFamily::kRandom:
      return opcode != Opcode::kRngBitGenerator;  // which has its state as operand and result
    case OpFamily::kCollective:
      return !IsPureCollective(opcode);
    case OpFamily::kElementwise:
    case OpFamily::kTypeConversion:
    case OpFamily::kDataMovement:
    case OpFamily::kGatherScatter:
    case OpFamily::kReduction:
    case OpFamily::kConvolution:
    case OpFamily::kDot:
    case OpFamily::kLinearAlgebra:
    case OpFamily::kSorting:
    case OpFamily::kNormalization:
    case OpFamily::kValueSource:
    case OpFamily::kDynamicDimension:
    case OpFamily::kTuple:
    case OpFamily::kControlFlow:
    case OpFamily::kAsynchronous:
    case OpFamily::kCustomCall:
      break;
  }
  return false;
}

}  // namespace hloscope
