// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/instruction_attributes.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/ops/attribute_defaults.h"
#include "core/print/attribute_printer.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

// References say nothing by their names.
bool IsReferenceOrMetadata(AttributeKind kind) {
  const AttributeType type = InfoOf(kind).type;
  return type == AttributeType::kComputation || type == AttributeType::kComputations ||
         type == AttributeType::kInstructions || type == AttributeType::kMetadata;
}

// How and where a value is computed or comes from, not what it is.
bool IsAboutExecution(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kOrigin:
    case AttributeKind::kStatistics:
    case AttributeKind::kSharding:
    case AttributeKind::kFrontendAttributes:
    case AttributeKind::kParameterReplication:
    case AttributeKind::kBackendConfig:
    case AttributeKind::kResultAccuracy:
    case AttributeKind::kChannelId:
    case AttributeKind::kConstrainLayout:
    case AttributeKind::kAsyncExecutionThread:
    case AttributeKind::kOutputToOperandAliasing:
    case AttributeKind::kCrossProgramPrefetchIndex:
    case AttributeKind::kInferredDimension:
    case AttributeKind::kIsComposite:
    case AttributeKind::kKind:
    case AttributeKind::kOutfeedConfig:
    case AttributeKind::kInfeedConfig:
    case AttributeKind::kIndicesAreSorted:
    case AttributeKind::kUniqueIndices:
    case AttributeKind::kOperandLayoutConstraints:
    case AttributeKind::kCustomCallSchedule:
      return true;
    case AttributeKind::kControlPredecessors:
    case AttributeKind::kMetadata:
    case AttributeKind::kIotaDimension:
    case AttributeKind::kK:
    case AttributeKind::kLargest:
    case AttributeKind::kIsStable:
    case AttributeKind::kDimensions:
    case AttributeKind::kReplicaGroups:
    case AttributeKind::kUseGlobalDeviceIds:
    case AttributeKind::kToApply:
    case AttributeKind::kMode:
    case AttributeKind::kHasDynamicRoot:
    case AttributeKind::kSourceTargetPairs:
    case AttributeKind::kSliceSizesList:
    case AttributeKind::kCalls:
    case AttributeKind::kCondition:
    case AttributeKind::kBody:
    case AttributeKind::kIsHostTransfer:
    case AttributeKind::kIndex:
    case AttributeKind::kWindow:
    case AttributeKind::kSelect:
    case AttributeKind::kScatter:
    case AttributeKind::kDimLabels:
    case AttributeKind::kFeatureGroupCount:
    case AttributeKind::kBatchGroupCount:
    case AttributeKind::kConvolutionKind:
    case AttributeKind::kOperandPrecision:
    case AttributeKind::kDotAlgorithm:
    case AttributeKind::kSparsityConfig:
    case AttributeKind::kBlockScalingConfig:
    case AttributeKind::kFftType:
    case AttributeKind::kFftLength:
    case AttributeKind::kLeftSide:
    case AttributeKind::kLower:
    case AttributeKind::kUnitDiagonal:
    case AttributeKind::kTransposeA:
    case AttributeKind::kDirection:
    case AttributeKind::kComparisonType:
    case AttributeKind::kNumCarries:
    case AttributeKind::kIsReverse:
    case AttributeKind::kIsAssociative:
    case AttributeKind::kSlice:
    case AttributeKind::kDynamicSliceSizes:
    case AttributeKind::kEpsilon:
    case AttributeKind::kFeatureIndex:
    case AttributeKind::kPadding:
    case AttributeKind::kOutfeedShape:
    case AttributeKind::kDistribution:
    case AttributeKind::kDelta:
    case AttributeKind::kRngAlgorithm:
    case AttributeKind::kExponentBits:
    case AttributeKind::kMantissaBits:
    case AttributeKind::kTrueComputation:
    case AttributeKind::kFalseComputation:
    case AttributeKind::kBranchComputations:
    case AttributeKind::kCustomCallTarget:
    case AttributeKind::kCustomCallHasSideEffect:
    case AttributeKind::kCalledComputations:
    case AttributeKind::kPaddingType:
    case AttributeKind::kLiteral:
    case AttributeKind::kApiVersion:
    case AttributeKind::kLhsContractingDims:
    case AttributeKind::kRhsContractingDims:
    case AttributeKind::kLhsBatchDims:
    case AttributeKind::kRhsBatchDims:
    case AttributeKind::kLhsRaggedDims:
    case AttributeKind::kRhsGroupDims:
    case AttributeKind::kOffsetDims:
    case AttributeKind::kCollapsedSliceDims:
    case AttributeKind::kStartIndexMap:
    case AttributeKind::kIndexVectorDim:
    case AttributeKind::kSliceSizes:
    case AttributeKind::kOperandBatchingDims:
    case AttributeKind::kStartIndicesBatchingDims:
    case AttributeKind::kUpdateWindowDims:
    case AttributeKind::kInsertedWindowDims:
    case AttributeKind::kScatterDimsToOperandDims:
    case AttributeKind::kInputBatchingDims:
    case AttributeKind::kScatterIndicesBatchingDims:
    case AttributeKind::kDomain:
      return false;
  }
  return false;
}

// As it prints, but with all digits of a number.
std::string ValueText(const Module& module, InstructionId id, AttributeKind kind) {
  PrintOptions options;
  options.keep_written_digits = true;
  return PrintAttributeValue(module, id, kind, options);
}

}  // namespace

std::vector<std::pair<AttributeKind, std::string>> AttributeTexts(const Module& module, InstructionId id,
                                                                  AttributesCompared compared) {
  std::vector<std::pair<AttributeKind, std::string>> list;
  const auto add = [&](AttributeKind kind) {
    if (IsReferenceOrMetadata(kind) || (compared == AttributesCompared::kValues && IsAboutExecution(kind))) return;
    if (!AttributePrints(module, id, kind)) return;
    std::string text = ValueText(module, id, kind);
    // What is written as it would be without writing says nothing.
    const std::optional<AttributeDefault> unwritten = DefaultOf(module.opcode(id), kind);
    if (unwritten.has_value() && unwritten->is_value && unwritten->text == text) return;
    list.emplace_back(kind, std::move(text));
  };
  for (AttributeKind kind : InfoOf(module.opcode(id)).attributes) add(kind);
  for (AttributeKind kind : CommonAttributes()) add(kind);
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace hloscope
