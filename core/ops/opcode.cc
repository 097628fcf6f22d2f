#include "core/ops/opcode.h"

#include <array>
#include <cstddef>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"

namespace hloscope {
namespace {

// Short names for the attribute enumerators inside the table's lists.
namespace attribute_names {
#define HLO_ATTRIBUTE(Enum, spelling, Type, Enumeration, doc) constexpr AttributeKind Enum = AttributeKind::k##Enum;
#include "core/ops/attributes.def"
}  // namespace attribute_names

template <AttributeKind... kinds>
struct AttributeList {
  static constexpr std::array<AttributeKind, sizeof...(kinds)> value = {kinds...};
};

constexpr bool kInferred = true;
constexpr bool kDeclared = false;

const std::vector<OpcodeInfo>& OpcodeInfos() {
  using namespace attribute_names;  // NOLINT: scope of this function only
  static const auto* infos = new std::vector<OpcodeInfo>{
      {"<broken>", -1, OpFamily::kElementwise, false, {}, {}},
#define REQUIRED(...) AttributeList<__VA_ARGS__>::value
#define ATTRIBUTES(...) AttributeList<__VA_ARGS__>::value
#define HLO_OPCODE(Enum, spelling, arity, Family, shape, required, attributes) \
  {spelling, arity, OpFamily::k##Family, k##shape, required, attributes},
#include "core/ops/opcodes.def"
#undef REQUIRED
#undef ATTRIBUTES
  };
  return *infos;
}

constexpr AttributeInfo kAttributeInfos[] = {
#define HLO_ATTRIBUTE(Enum, spelling, Type, Enum2, doc) {spelling, AttributeType::k##Type, Enumeration::k##Enum2, doc},
#include "core/ops/attributes.def"
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

const WordTables& Words() {
  static const auto* tables = [] {
    auto* t = new WordTables;
#define HLO_ENUMERATION(Name, ignore) t->ignore_case[static_cast<size_t>(Enumeration::k##Name)] = ignore;
#define HLO_WORD(Name, Enum, spelling) t->words[static_cast<size_t>(Enumeration::k##Name)].push_back(spelling);
#include "core/ops/words.def"
    return t;
  }();
  return *tables;
}

}  // namespace

const OpcodeInfo& InfoOf(Opcode opcode) {
  static const OpcodeInfo* const infos = OpcodeInfos().data();
  return infos[static_cast<size_t>(opcode)];
}

std::optional<Opcode> OpcodeFromName(absl::string_view name) {
  static const auto* map = [] {
    auto* m = new absl::flat_hash_map<absl::string_view, Opcode>;
    for (size_t i = 1; i < OpcodeInfos().size(); ++i) (*m)[OpcodeInfos()[i].name] = static_cast<Opcode>(i);
    return m;
  }();
  const auto it = map->find(name);
  if (it == map->end()) return std::nullopt;
  return it->second;
}

absl::Span<const Opcode> AllOpcodes() {
  static constexpr Opcode kAll[] = {
#define HLO_OPCODE(Enum, spelling, arity, Family, shape, required, attributes) Opcode::k##Enum,
#include "core/ops/opcodes.def"
  };
  return kAll;
}

const AttributeInfo& InfoOf(AttributeKind kind) { return kAttributeInfos[static_cast<size_t>(kind)]; }

absl::Span<const AttributeKind> CommonAttributes() { return kCommonAttributes; }

std::optional<AttributeKind> AttributeFromName(Opcode opcode, absl::string_view name) {
  for (AttributeKind kind : InfoOf(opcode).attributes) {
    if (AttributeName(kind) == name) return kind;
  }
  for (AttributeKind kind : kCommonAttributes) {
    if (AttributeName(kind) == name) return kind;
  }
  return std::nullopt;
}

bool IsAttributeName(absl::string_view name) {
  for (const AttributeInfo& info : kAttributeInfos) {
    if (info.name == name) return true;
  }
  return false;
}

bool IsComputationAttributeName(absl::string_view name) {
  for (const AttributeInfo& info : kAttributeInfos) {
    const bool computation = info.type == AttributeType::kComputation || info.type == AttributeType::kComputations;
    if (computation && info.name == name) return true;
  }
  return false;
}

bool AcceptsAttribute(Opcode opcode, AttributeKind kind) {
  for (AttributeKind own : InfoOf(opcode).attributes) {
    if (own == kind) return true;
  }
  for (AttributeKind common : kCommonAttributes) {
    if (common == kind) return true;
  }
  return false;
}

absl::string_view FamilyFile(OpFamily family) {
  static constexpr absl::string_view kFiles[] = {
#define HLO_FAMILY(Enum, file) file,
#include "core/ops/families.def"
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
  switch (opcode) {
    case Opcode::kSend:
    case Opcode::kSendDone:
    case Opcode::kRecv:
    case Opcode::kRecvDone:
    case Opcode::kRng:
    case Opcode::kRngGetAndUpdateState:
    case Opcode::kInfeed:
    case Opcode::kOutfeed:
    case Opcode::kAllReduceStart:
    case Opcode::kAllReduceDone:
    case Opcode::kAllGatherStart:
    case Opcode::kAllGatherDone:
    case Opcode::kCollectiveBroadcast:
    case Opcode::kCollectivePermuteStart:
    case Opcode::kCollectivePermuteDone:
      return true;
    default:
      return false;
  }
}

}  // namespace hloscope
