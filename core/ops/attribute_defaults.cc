// SPDX-License-Identifier: Apache-2.0
#include "core/ops/attribute_defaults.h"

#include <algorithm>

namespace hloscope {
namespace {

using Kind = AttributeKind;

struct Row {
  Kind kind;
  AttributeDefault value;
  Opcode opcode = Opcode::kInvalid;  // kInvalid: all that no earlier row names
};

constexpr AttributeDefault Value(absl::string_view text) { return {text, true}; }
constexpr AttributeDefault Words(absl::string_view text) { return {text, false}; }
constexpr AttributeDefault kNone = Words("none");
constexpr AttributeDefault kFalse = Value("false");
constexpr AttributeDefault kOne = Value("1");
constexpr AttributeDefault kEmpty = Value("{}");

constexpr Row kRows[] = {
    {Kind::kSharding, Words("none: the compiler chooses")},
    {Kind::kFrontendAttributes, kEmpty},
    {Kind::kStatistics, kNone},
    {Kind::kParameterReplication, Words("none: nothing is known")},
    {Kind::kControlPredecessors, kNone},
    {Kind::kOrigin, kNone},
    {Kind::kMetadata, kNone},
    {Kind::kBackendConfig, Words("empty")},
    {Kind::kResultAccuracy, Value("{mode=default}")},
    {Kind::kLargest, Value("true")},
    {Kind::kIsStable, Value("true"), Opcode::kTopk},
    {Kind::kIsStable, kFalse},
    {Kind::kDimensions, Value("{}"), Opcode::kBroadcast},
    {Kind::kDimensions, Words("all dimensions, in order"), Opcode::kMap},
    {Kind::kDimensions, Words("none: one operand and one result for each member of the group"), Opcode::kAllToAll},
    {Kind::kDimensions, kNone},
    {Kind::kReplicaGroups, Words("`{}`: one group of all")},
    {Kind::kChannelId, kNone},
    {Kind::kConstrainLayout, kFalse},
    {Kind::kUseGlobalDeviceIds, kFalse},
    {Kind::kMode, kNone},
    {Kind::kHasDynamicRoot, kFalse},
    {Kind::kSliceSizesList, Words("none: the whole operand is sent")},
    {Kind::kCalls, Words("that of the start")},
    {Kind::kAsyncExecutionThread, Value("\"main\""), Opcode::kAsyncStart},
    {Kind::kAsyncExecutionThread, Words("that of the start")},
    {Kind::kOutputToOperandAliasing, kNone},
    {Kind::kCrossProgramPrefetchIndex, kNone},
    {Kind::kInferredDimension, kNone},
    {Kind::kIsHostTransfer, kFalse},
    {Kind::kIsComposite, kFalse},
    {Kind::kToApply, kNone},
    {Kind::kWindow, Words("none: no dimensions")},
    {Kind::kDimLabels, kNone},
    {Kind::kFeatureGroupCount, kOne},
    {Kind::kBatchGroupCount, kOne},
    {Kind::kConvolutionKind, Value("unset")},
    {Kind::kOperandPrecision, Words("`default` for each operand")},
    {Kind::kDotAlgorithm, Value("unset")},
    {Kind::kSparsityConfig, kNone},
    {Kind::kBlockScalingConfig, kNone},
    {Kind::kLeftSide, kFalse},
    {Kind::kLower, kFalse},
    {Kind::kUnitDiagonal, kFalse},
    {Kind::kTransposeA, Value("TRANSPOSE_INVALID")},
    {Kind::kComparisonType, Words("by element type: `FLOAT`, `SIGNED`, or `UNSIGNED` (also for pred)")},
    {Kind::kIsReverse, kFalse},
    {Kind::kIsAssociative, kFalse},
    {Kind::kInfeedConfig, Words("empty")},
    {Kind::kOutfeedShape, Words("that of the first operand")},
    {Kind::kOutfeedConfig, Words("empty")},
    {Kind::kTrueComputation, Words("none; required if the first operand is a `pred[]`")},
    {Kind::kFalseComputation, Words("none; required if the first operand is a `pred[]`")},
    {Kind::kBranchComputations, Words("none; required if the first operand is an `s32[]`")},
    {Kind::kOperandLayoutConstraints, kNone},
    {Kind::kCustomCallHasSideEffect, kFalse},
    {Kind::kCalledComputations, kNone},
    {Kind::kPaddingType, kNone},
    {Kind::kLiteral, kNone},
    {Kind::kCustomCallSchedule, Value("SCHEDULE_NONE")},
    {Kind::kApiVersion, Value("API_VERSION_ORIGINAL")},
    {Kind::kLhsContractingDims, kEmpty},
    {Kind::kRhsContractingDims, kEmpty},
    {Kind::kLhsBatchDims, kEmpty},
    {Kind::kRhsBatchDims, kEmpty},
    {Kind::kLhsRaggedDims, kEmpty},
    {Kind::kRhsGroupDims, kEmpty},
    {Kind::kOperandBatchingDims, kEmpty},
    {Kind::kStartIndicesBatchingDims, kEmpty},
    {Kind::kIndicesAreSorted, kFalse},
    {Kind::kInputBatchingDims, kEmpty},
    {Kind::kScatterIndicesBatchingDims, kEmpty},
    {Kind::kUniqueIndices, kFalse},
};

bool Contains(absl::Span<const AttributeKind> list, AttributeKind kind) {
  return std::find(list.begin(), list.end(), kind) != list.end();
}

}  // namespace

std::optional<AttributeDefault> DefaultOf(Opcode opcode, AttributeKind kind) {
  if (!AcceptsAttribute(opcode, kind) || Contains(InfoOf(opcode).required, kind)) return std::nullopt;
  for (const Row& row : kRows) {
    if (row.kind == kind && (row.opcode == Opcode::kInvalid || row.opcode == opcode)) return row.value;
  }
  return std::nullopt;
}

std::optional<AttributeDefault> DefaultOf(AttributeKind kind) {
  std::optional<AttributeDefault> common;
  for (Opcode opcode : AllOpcodes()) {
    const std::optional<AttributeDefault> value = DefaultOf(opcode, kind);
    if (!value.has_value()) continue;
    if (common.has_value() && common->text != value->text) return std::nullopt;
    common = value;
  }
  return common;
}

}  // namespace hloscope
