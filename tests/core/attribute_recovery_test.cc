// SPDX-License-Identifier: Apache-2.0
// Every attribute of core/ir/attributes.def is broken in several ways: each time there is one diagnostic, exactly the
// instruction that carries the attribute is lost, and what uses that instruction is not reported.
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "core/ir/opcode.h"
#include "tests/support/read_document.h"
#include "tests/support/recovery.h"

namespace hloscope {
namespace {

struct Values {
  AttributeKind kind;
  const char* good;
  const char* bad;  // is a diagnostic at or in the value
};

// A new attribute needs a row here.
constexpr Values kValues[] = {
    {AttributeKind::kSharding, "{replicated}", "{replicate}"},
    {AttributeKind::kFrontendAttributes, "{a=\"b\"}", "{a=b}"},
    {AttributeKind::kStatistics, "{visualizing_index=0,x=1.5}", "{visualizing_index=x}"},
    {AttributeKind::kParameterReplication, "{true}", "{1}"},
    {AttributeKind::kControlPredecessors, "{q}", "{nosuch}"},
    {AttributeKind::kOrigin, "{{\"v\"}}", "{\"v\"}"},
    {AttributeKind::kMetadata, "{op_name=\"a\" source_line=3}", "{op_name=a}"},
    {AttributeKind::kBackendConfig, "\"x\"", "x"},
    {AttributeKind::kResultAccuracy, "{mode=highest}", "{mode=best}"},
    {AttributeKind::kIotaDimension, "0", "zero"},
    {AttributeKind::kK, "2", "2.5"},
    {AttributeKind::kLargest, "true", "yes"},
    {AttributeKind::kIsStable, "true", "1"},
    {AttributeKind::kDimensions, "{0}", "0"},
    {AttributeKind::kReplicaGroups, "{{0,1}}", "[2]<=[2]"},
    {AttributeKind::kChannelId, "1", "{1}"},
    {AttributeKind::kConstrainLayout, "true", "True"},
    {AttributeKind::kUseGlobalDeviceIds, "true", "1"},
    {AttributeKind::kToApply, "sum", "nosuch"},
    {AttributeKind::kMode, "cross_replica", "everything"},
    {AttributeKind::kHasDynamicRoot, "false", "0"},
    {AttributeKind::kSourceTargetPairs, "{{0,1},{1,0}}", "{0,1}"},
    {AttributeKind::kSliceSizesList, "{{1},{2}}", "{1,2}"},
    {AttributeKind::kCalls, "neg", "7"},
    {AttributeKind::kAsyncExecutionThread, "\"host\"", "host"},
    {AttributeKind::kOutputToOperandAliasing, "{{}: (0, {})}", "{{}: 0}"},
    {AttributeKind::kCrossProgramPrefetchIndex, "0", "5000000000"},
    {AttributeKind::kInferredDimension, "0", "x"},
    {AttributeKind::kCondition, "less", "nosuch"},
    {AttributeKind::kBody, "neg", "{}"},
    {AttributeKind::kIsHostTransfer, "true", "host"},
    {AttributeKind::kIndex, "0", "#0"},
    {AttributeKind::kIsComposite, "true", "composite"},
    {AttributeKind::kWindow, "{size=2 stride=1}", "{size=2, stride=1}"},
    {AttributeKind::kSelect, "less", "nosuch"},
    {AttributeKind::kScatter, "sum", "nosuch"},
    {AttributeKind::kDimLabels, "bf_io->bf", "bf_io"},
    {AttributeKind::kFeatureGroupCount, "1", "one"},
    {AttributeKind::kBatchGroupCount, "1", "1.0"},
    {AttributeKind::kConvolutionKind, "fprop", "FPROP"},
    {AttributeKind::kOperandPrecision, "{high,default}", "{fast}"},
    {AttributeKind::kDotAlgorithm, "dot_f32_f32_f32", "dot_f31"},
    {AttributeKind::kSparsityConfig, "{lhs={sparsity=2x4}}", "{lhs={sparsity=2}}"},
    {AttributeKind::kBlockScalingConfig, "{lhs={scale_idx=2}}", "{lhs={scale_idx=2x3}}"},
    {AttributeKind::kFftType, "FFT", "fft"},
    {AttributeKind::kFftLength, "{4}", "4"},
    {AttributeKind::kLeftSide, "true", "left"},
    {AttributeKind::kLower, "true", "1"},
    {AttributeKind::kUnitDiagonal, "true", "\"true\""},
    {AttributeKind::kTransposeA, "NO_TRANSPOSE", "NONE"},
    {AttributeKind::kDirection, "EQ", "eq"},
    {AttributeKind::kComparisonType, "FLOAT", "FLOATING"},
    {AttributeKind::kNumCarries, "1", "{1}"},
    {AttributeKind::kIsReverse, "false", "no"},
    {AttributeKind::kIsAssociative, "false", "no"},
    {AttributeKind::kSlice, "{[0:2]}", "{[0-2]}"},
    {AttributeKind::kDynamicSliceSizes, "{2}", "{[0:2]}"},
    {AttributeKind::kEpsilon, "0.001", "1e39"},
    {AttributeKind::kFeatureIndex, "0", "0.5"},
    {AttributeKind::kPadding, "0_1", "0"},
    {AttributeKind::kKind, "kLoop", "loop"},
    {AttributeKind::kInfeedConfig, "\"x\"", "{x}"},
    {AttributeKind::kOutfeedShape, "f32[4]{0}", "4"},
    {AttributeKind::kOutfeedConfig, "\"x\"", "x"},
    {AttributeKind::kDistribution, "rng_uniform", "uniform"},
    {AttributeKind::kDelta, "1", "x"},
    {AttributeKind::kRngAlgorithm, "rng_default", "philox"},
    {AttributeKind::kExponentBits, "5", "five"},
    {AttributeKind::kMantissaBits, "10", "{10}"},
    {AttributeKind::kTrueComputation, "neg", "nosuch"},
    {AttributeKind::kFalseComputation, "neg", "\"neg\""},
    {AttributeKind::kBranchComputations, "{neg, neg}", "{neg, nosuch}"},
    {AttributeKind::kCustomCallTarget, "\"t\"", "t"},
    {AttributeKind::kOperandLayoutConstraints, "{f32[4]{0}}", "{f32[4]{0,1}}"},
    {AttributeKind::kCustomCallHasSideEffect, "true", "1"},
    {AttributeKind::kCalledComputations, "{neg}", "{nosuch}"},
    {AttributeKind::kPaddingType, "PADDING_SAME", "SAME"},
    {AttributeKind::kLiteral, "f32[] 1", "1"},
    {AttributeKind::kCustomCallSchedule, "SCHEDULE_LATEST", "LATE"},
    {AttributeKind::kApiVersion, "API_VERSION_TYPED_FFI", "API_VERSION_5"},
    {AttributeKind::kLhsContractingDims, "{0}", "{x}"},
    {AttributeKind::kRhsContractingDims, "{0}", "{0 1}"},
    {AttributeKind::kLhsBatchDims, "{0}", "{0,}"},
    {AttributeKind::kRhsBatchDims, "{0}", "0"},
    {AttributeKind::kLhsRaggedDims, "{0}", "(0)"},
    {AttributeKind::kRhsGroupDims, "{0}", "[0]"},
    {AttributeKind::kOffsetDims, "{0}", "{{0}}"},
    {AttributeKind::kCollapsedSliceDims, "{0}", "{0.0}"},
    {AttributeKind::kStartIndexMap, "{0}", "{-}"},
    {AttributeKind::kIndexVectorDim, "1", "{1}"},
    {AttributeKind::kSliceSizes, "{1}", "1"},
    {AttributeKind::kOperandBatchingDims, "{0}", "x"},
    {AttributeKind::kStartIndicesBatchingDims, "{0}", "{\"0\"}"},
    {AttributeKind::kIndicesAreSorted, "true", "sorted"},
    {AttributeKind::kUpdateWindowDims, "{0}", "{a}"},
    {AttributeKind::kInsertedWindowDims, "{0}", "{0:1}"},
    {AttributeKind::kScatterDimsToOperandDims, "{0}", "{?}"},
    {AttributeKind::kInputBatchingDims, "{0}", "{true}"},
    {AttributeKind::kScatterIndicesBatchingDims, "{0}", "{0 }0"},
    {AttributeKind::kUniqueIndices, "true", "\"yes\""},
    {AttributeKind::kDomain, "{kind=\"sharding\", entry={replicated}, exit={replicated}}", "{kind=\"sharding\"}"},
};

constexpr AttributeKind kKinds[] = {
#define HLO_ATTRIBUTE(Enum, spelling, Type, Enumeration, doc) AttributeKind::k##Enum,
#include "core/ir/attributes.def"
};

const Values* ValuesOf(AttributeKind kind) {
  for (const Values& values : kValues) {
    if (values.kind == kind) return &values;
  }
  return nullptr;
}

// An opcode that takes the attribute.
Opcode OpcodeWith(AttributeKind kind) {
  if (kind == AttributeKind::kParameterReplication) return Opcode::kParameter;
  for (AttributeKind common : CommonAttributes()) {
    if (common == kind) return Opcode::kNegate;
  }
  for (Opcode opcode : AllOpcodes()) {
    if (opcode != Opcode::kParameter && opcode != Opcode::kConstant && AcceptsAttribute(opcode, kind)) return opcode;
  }
  ADD_FAILURE() << "no opcode takes " << AttributeName(kind);
  return Opcode::kInvalid;
}

constexpr int kBrokenLine = 9;  // counted from 0

// The module whose instruction `broken` carries `attribute`, written as given, and its other required attributes.
std::string ModuleWith(AttributeKind kind, const std::string& attribute) {
  const Opcode opcode = OpcodeWith(kind);
  std::string others;
  for (AttributeKind required : InfoOf(opcode).required) {
    if (required != kind) absl::StrAppend(&others, ", ", AttributeName(required), "=", ValuesOf(required)->good);
  }
  const bool is_tuple = opcode == Opcode::kInfeed || opcode == Opcode::kRecv;
  return absl::StrCat(
      "HloModule m\n"
      "sum { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n"
      "neg { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n"
      "less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT c = pred[] compare(x, y), direction=LT }\n"
      "ENTRY e {\n"
      "  p = f32[4] parameter(0)\n"
      "  q = f32[4] parameter(1)\n"
      "  before = f32[4] negate(p)\n"
      "\n  broken = ",
      is_tuple ? "(f32[4], token[])" : "f32[4]", " ", OpcodeName(opcode), opcode == Opcode::kParameter ? "(2)" : "(p)",
      others, ", ", attribute,
      "\n"
      "  after = f32[4] negate(q), metadata={op_name=\"kept\"}\n"
      "  user = (f32[4], ",
      is_tuple ? "(f32[4], token[])" : "f32[4]",
      ") tuple(after, broken), control-predecessors={broken}\n"
      "  ROOT r = f32[4] add(before, after)\n"
      "}\n");
}

void ExpectOnlyOneIsLost(const std::string& text) { ExpectOneInstructionIsLost(text, kBrokenLine, 7, "broken"); }

TEST(AttributeRecovery, EveryAttributeBrokenInEveryWay) {
  for (AttributeKind kind : kKinds) {
    const Values* values = ValuesOf(kind);
    ASSERT_NE(values, nullptr) << "the attribute " << AttributeName(kind) << " needs a row in this test";
    const std::string name(AttributeName(kind)), good(values->good);
    const auto sound = ParseDocument(ModuleWith(kind, absl::StrCat(name, "=", good)));
    // Operands, which may be too few, are written before it.
    const size_t begin = sound->source().text().find(absl::StrCat(", ", name, "=", good));
    for (const Diagnostic& d : sound->diagnostics()) {
      EXPECT_TRUE(d.severity != Severity::kError || d.range.end <= begin) << name << ": " << d.Message();
    }
    ExpectOnlyOneIsLost(ModuleWith(kind, absl::StrCat(name, "=", values->bad)));
    ExpectOnlyOneIsLost(ModuleWith(kind, absl::StrCat(name, "=")));                               // no value
    ExpectOnlyOneIsLost(ModuleWith(kind, absl::StrCat(name, "=", good, " 1_x")));                 // too much
    ExpectOnlyOneIsLost(ModuleWith(kind, absl::StrCat(name, "=", good, ", ", name, "=", good)));  // twice
    ExpectOnlyOneIsLost(ModuleWith(kind, absl::StrCat(name, "=", good, ",")));                    // a comma too many
    // Misspelt. Only where the name is long enough to be recognised: else its absence is reported too.
    if (name.size() > 3)
      ExpectOnlyOneIsLost(ModuleWith(kind, absl::StrCat(name, name.substr(name.size() - 1), "=", good)));
    if (good.size() > 1 && (good.back() == '}' || good.back() == ')') && kind != AttributeKind::kBackendConfig) {
      ExpectOnlyOneIsLost(ModuleWith(kind, absl::StrCat(name, "=", good.substr(0, good.size() - 1))));  // left open
    }
  }
}

}  // namespace
}  // namespace hloscope
