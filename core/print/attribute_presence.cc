// SPDX-License-Identifier: Apache-2.0
#include "core/print/attribute_presence.h"

#include <algorithm>

#include "core/ir/attribute_visitor.h"
#include "core/print/attribute_printer.h"
#include "core/print/sharding_printer.h"

namespace hloscope {

int64_t DefaultInt(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kFeatureGroupCount:
    case AttributeKind::kBatchGroupCount:
      return 1;
    case AttributeKind::kInferredDimension:
      return -1;
    default:
      return 0;
  }
}

bool DefaultBool(AttributeKind kind, Opcode opcode) {
  return kind == AttributeKind::kLargest || (kind == AttributeKind::kIsStable && opcode == Opcode::kTopk);
}

// They have a default that always prints.
bool AlwaysPrints(Opcode opcode, AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kReplicaGroups:
    case AttributeKind::kHasDynamicRoot:
    case AttributeKind::kLhsContractingDims:
    case AttributeKind::kRhsContractingDims:
    case AttributeKind::kLargest:
    case AttributeKind::kIsAssociative:
    case AttributeKind::kOutfeedShape:
      return true;
    case AttributeKind::kIsStable:
      return opcode == Opcode::kTopk;
    case AttributeKind::kDimensions:
      return opcode == Opcode::kBroadcast || opcode == Opcode::kMap;
    default:
      return false;
  }
}

absl::Span<const AttributeKind> TrailingAttributes() {
  static constexpr AttributeKind kTrailing[] = {
      AttributeKind::kSharding,   AttributeKind::kFrontendAttributes, AttributeKind::kControlPredecessors,
      AttributeKind::kStatistics, AttributeKind::kResultAccuracy,     AttributeKind::kOrigin,
      AttributeKind::kMetadata,   AttributeKind::kBackendConfig};
  return kTrailing;
}

namespace {

// The comparison type that a text without `type=` means: by the element type of the operands (6.9).
ComparisonType DefaultComparisonType(const Module& module, InstructionId id) {
  if (module.operands(id).empty() || !module.operand(id, 0).has_value()) return ComparisonType::kFloat;
  const ElementType type = module.shape(module.operand(id, 0)).element_type();
  if (IsSigned(type)) return ComparisonType::kSigned;
  if (IsUnsigned(type) || type == ElementType::kPred) return ComparisonType::kUnsigned;
  return ComparisonType::kFloat;
}

// True for integers with a default that does not print (the others always print when present).
bool HasSilentDefault(AttributeKind kind) {
  return kind == AttributeKind::kFeatureGroupCount || kind == AttributeKind::kBatchGroupCount ||
         kind == AttributeKind::kInferredDimension;
}

// Whether a word that is present differs from its default.
bool WordPrints(const Module& module, InstructionId id, AttributeKind kind, size_t word) {
  switch (kind) {
    case AttributeKind::kMode:
      // Read and ignored; but with it, flat ids need no channel (6.9).
      return module.BoolAttribute(id, AttributeKind::kUseGlobalDeviceIds, false) &&
             !module.HasAttribute(id, AttributeKind::kChannelId);
    case AttributeKind::kComparisonType:
      return static_cast<ComparisonType>(word) != DefaultComparisonType(module, id);
    case AttributeKind::kTransposeA:
    case AttributeKind::kPaddingType:
    case AttributeKind::kDotAlgorithm:
    case AttributeKind::kConvolutionKind:
    case AttributeKind::kCustomCallSchedule:
    case AttributeKind::kApiVersion:
      return word != 0;  // the first word is the default
    default:             // all other kinds
      return true;
  }
}

bool IntsPrint(const Module& module, InstructionId id, AttributeKind kind, absl::Span<const int64_t> ints) {
  if (kind == AttributeKind::kDimensions) return module.opcode(id) != Opcode::kRaggedAllToAll;
  // Required lists print even if they are empty.
  const auto required = InfoOf(module.opcode(id)).required;
  return !ints.empty() || std::find(required.begin(), required.end(), kind) != required.end();
}

bool PresentAttributePrints(const Module& module, InstructionId id, AttributeKind kind) {
  const Opcode opcode = module.opcode(id);
  const bool is_pairs = InfoOf(kind).type == AttributeType::kIntPairs;
  const Overloads prints = {
      [](bool value) { return value; },
      [&](int64_t value) { return !HasSilentDefault(kind) || value != DefaultInt(kind); },
      [&](absl::string_view text) {
        if (kind == AttributeKind::kAsyncExecutionThread) return opcode == Opcode::kAsyncStart && text != "main";
        return kind == AttributeKind::kCustomCallTarget || !text.empty();
      },
      [&](absl::Span<const int64_t> ints) { return IntsPrint(module, id, kind, ints); },
      [&](const std::vector<std::vector<int64_t>>& lists) { return is_pairs || !lists.empty(); },
      [&](const Word& value) { return WordPrints(module, id, kind, value.word); },
      [](const WordList& list) {
        return std::any_of(list.words.begin(), list.words.end(), [](int64_t word) { return word != 0; });
      },
      [&](const Window& window) { return opcode == Opcode::kCustomCall || !window.dimensions.empty(); },
      [](const OneOf<absl::Span<const ComputationId>, absl::Span<const InstructionId>, std::vector<AliasEntry>,
                     FrontendAttributes> auto& list) { return !list.empty(); },
      [](const RawValue& raw) { return !raw.text.empty(); },
      [](const Statistics& statistics) { return !statistics.values.empty(); },
      [](const ResultAccuracy& accuracy) { return accuracy.is_tolerance || accuracy.highest; },
      [](const Metadata& metadata) { return IsPrintable(metadata); },
      [](const OneOf<double, FlagList, Shape, std::vector<Shape>, Literal, ReplicaGroups, ConvolutionDimensionNumbers,
                     PaddingConfig, std::vector<SliceRange>, SparsityConfig, BlockScalingConfig, Sharding, Origin,
                     DomainValue> auto&) { return true; },
  };
  return VisitAttribute(kind, prints, AttributeOwner{module, id});
}

}  // namespace

bool AttributePrints(const Module& module, InstructionId id, AttributeKind kind) {
  if (AlwaysPrints(module.opcode(id), kind)) {
    // The default of outfeed_shape is the shape of operand 0.
    return kind != AttributeKind::kOutfeedShape || module.HasAttribute(id, kind) ||
           (!module.operands(id).empty() && module.operand(id, 0).has_value());
  }
  return module.HasAttribute(id, kind) && PresentAttributePrints(module, id, kind);
}

}  // namespace hloscope
