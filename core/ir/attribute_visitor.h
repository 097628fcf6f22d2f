// SPDX-License-Identifier: Apache-2.0
// The values of attributes, each in its own type, to a function object with an overload for every type.
//
// To add a kind of value: an enumerator of AttributeType (opcode.h), its type in attribute_values.h, its table with a
// read and an Add function in Module, its case below and its overload in AttributeAdder. Whatever handles values then
// does not compile until it has an overload for the type: ModuleCompare, the printer. So do the switches on
// AttributeType without default, which know how a value is read, completed and explained.
#ifndef HLOSCOPE_CORE_IR_ATTRIBUTE_VISITOR_H_
#define HLOSCOPE_CORE_IR_ATTRIBUTE_VISITOR_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/types/span.h"
#include "core/ir/module.h"

namespace hloscope {

// Values whose C++ type would not say how they are written.
struct FlagList {
  absl::Span<const int64_t> flags;  // 0 or 1
};
struct Word {
  Enumeration enumeration;
  size_t word;
};
struct WordList {
  Enumeration enumeration;
  absl::Span<const int64_t> words;
};

// An instruction of a module.
struct AttributeOwner {
  const Module& module;
  InstructionId id;
};

// The overloads of several function objects.
template <typename... Visitors>
struct Overloads : Visitors... {
  using Visitors::operator()...;
};
// Clang 14 does not find it out by itself.
template <typename... Visitors>
Overloads(Visitors...) -> Overloads<Visitors...>;

// For overloads that serve several types, and no others: `[](const OneOf<bool, int64_t> auto& value) {...}`.
template <typename T, typename... Types>
concept OneOf = (std::same_as<T, Types> || ...);

// Returns visit(value...), with the value that each owner's attribute of the kind has; all of them must carry it.
// Values are valid until an attribute is added to their module.
template <typename Visitor, typename... Owners>
decltype(auto) VisitAttribute(AttributeKind kind, Visitor&& visit, const Owners&... owners) {
  switch (InfoOf(kind).type) {
    case AttributeType::kBool:
      return visit(owners.module.BoolAttribute(owners.id, kind)...);
    case AttributeType::kInt:
    case AttributeType::kInt32:
      return visit(owners.module.IntAttribute(owners.id, kind)...);
    case AttributeType::kFloat:
      return visit(owners.module.FloatAttribute(owners.id, kind)...);
    case AttributeType::kString:
      return visit(owners.module.StringAttribute(owners.id, kind)...);
    case AttributeType::kInts:
      return visit(owners.module.IntsAttribute(owners.id, kind)...);
    case AttributeType::kBools:
      return visit(FlagList{owners.module.IntsAttribute(owners.id, kind)}...);
    case AttributeType::kWord:
      return visit(Word{InfoOf(kind).enumeration, owners.module.FindAttribute(owners.id, kind)->payload}...);
    case AttributeType::kWords:
      return visit(WordList{InfoOf(kind).enumeration, owners.module.IntsAttribute(owners.id, kind)}...);
    case AttributeType::kIntPairs:
    case AttributeType::kIntLists:
      return visit(*owners.module.IntListsAttribute(owners.id, kind)...);
    case AttributeType::kComputation:
    case AttributeType::kComputations:
      return visit(owners.module.ComputationsAttribute(owners.id, kind)...);
    case AttributeType::kInstructions:
      return visit(owners.module.InstructionsAttribute(owners.id, kind)...);
    case AttributeType::kShape:
      return visit(*owners.module.ShapeAttribute(owners.id, kind)...);
    case AttributeType::kShapes:
      return visit(*owners.module.ShapesAttribute(owners.id, kind)...);
    case AttributeType::kLiteral:
      return visit(*owners.module.LiteralAttribute(owners.id, kind)...);
    case AttributeType::kAliasing:
      return visit(*owners.module.AliasingAttribute(owners.id, kind)...);
    case AttributeType::kReplicaGroups:
      return visit(*owners.module.ReplicaGroupsAttribute(owners.id)...);
    case AttributeType::kWindow:
      return visit(*owners.module.WindowAttribute(owners.id)...);
    case AttributeType::kDimLabels:
      return visit(*owners.module.DimLabelsAttribute(owners.id)...);
    case AttributeType::kPadding:
      return visit(*owners.module.PaddingAttribute(owners.id)...);
    case AttributeType::kSliceRanges:
      return visit(*owners.module.SliceRangesAttribute(owners.id)...);
    case AttributeType::kSparsity:
      return visit(*owners.module.SparsityAttribute(owners.id)...);
    case AttributeType::kBlockScaling:
      return visit(*owners.module.BlockScalingAttribute(owners.id)...);
    case AttributeType::kRaw:
      return visit(*owners.module.RawAttribute(owners.id, kind)...);
    case AttributeType::kSharding:
      return visit(*owners.module.ShardingAttribute(owners.id)...);
    case AttributeType::kFrontendAttributes:
      return visit(*owners.module.FrontendAttributesOf(owners.id)...);
    case AttributeType::kStatistics:
      return visit(*owners.module.StatisticsOf(owners.id)...);
    case AttributeType::kOrigin:
      return visit(*owners.module.OriginOf(owners.id)...);
    case AttributeType::kMetadata:
      return visit(*owners.module.MetadataOf(owners.id)...);
    case AttributeType::kResultAccuracy:
      return visit(*owners.module.ResultAccuracyOf(owners.id)...);
    case AttributeType::kDomain:
      return visit(*owners.module.DomainOf(owners.id)...);
  }
  __builtin_unreachable();  // InfoOf has no other types
}

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_ATTRIBUTE_VISITOR_H_
