// SPDX-License-Identifier: Apache-2.0
#include "core/verify/reader_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/match.h"
#include "core/ops/asynchronous.h"
#include "core/verify/checks.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

// Opcodes that the reader takes with any number of operands (6.5).
bool TakesAnyOperands(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kAfterAll:
    case Opcode::kAllGather:
    case Opcode::kAllGatherStart:
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kAllToAll:
    case Opcode::kAsyncStart:
    case Opcode::kCall:
    case Opcode::kCollectiveBroadcast:
    case Opcode::kConcatenate:
    case Opcode::kCustomCall:
    case Opcode::kFusion:
    case Opcode::kMap:
    case Opcode::kReduceScatter:
    case Opcode::kRng:
    case Opcode::kSort:
      return true;
    case Opcode::kConvolution:
      return module.operands(id).size() >= 2;  // positions of sparse values are not counted
    case Opcode::kCollectivePermute:
    case Opcode::kCollectivePermuteStart:
      return !module.HasAttribute(id, AttributeKind::kSliceSizesList);
    default:  // all others have a number of their own
      return false;
  }
}

// Opcodes whose `dimensions` has one entry (6.9).
bool TakesOneDimension(Opcode opcode) {
  static constexpr Opcode kOpcodes[] = {
      Opcode::kAllGather,        Opcode::kAllGatherStart,  Opcode::kAllToAll, Opcode::kConcatenate,
      Opcode::kReduceScatter,    Opcode::kRaggedAllToAll,  Opcode::kScan,     Opcode::kSort,
      Opcode::kGetDimensionSize, Opcode::kSetDimensionSize};
  return std::find(std::begin(kOpcodes), std::end(kOpcodes), opcode) != std::end(kOpcodes);
}

// Declared shapes that the reader compares with something.
bool ReadsDeclaredShape(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kReplicaId:
    case Opcode::kPartitionId:
      return true;
    case Opcode::kTuple:
      return !module.shape(id).IsTuple() ||
             module.shape(id).tuple_size() != static_cast<int64_t>(module.operands(id).size());
    default:  // those of all others are trusted
      return false;
  }
}

bool IsReadError(const Module& module, InstructionId id, const Diagnostic& diagnostic) {
  const Opcode opcode = module.opcode(id);
  const bool is_reshape = opcode == Opcode::kReshape || opcode == Opcode::kDynamicReshape;
  switch (diagnostic.kind) {
    case DiagnosticKind::kOperandCount:
      return !TakesAnyOperands(module, id);
    case DiagnosticKind::kEntryCount:
      return TakesOneDimension(opcode);
    case DiagnosticKind::kElementCount:
    case DiagnosticKind::kResultNotArray:
      return is_reshape;
    case DiagnosticKind::kDeclaredShape:
      return ReadsDeclaredShape(module, id);
    case DiagnosticKind::kAsyncShape:
      return (opcode == Opcode::kAsyncStart || opcode == Opcode::kAsyncUpdate) && !HasAsyncForm(module.shape(id));
    case DiagnosticKind::kLayoutPermutation:
      return opcode == Opcode::kConstant;
    case DiagnosticKind::kGlobalDeviceIds:
      return opcode == Opcode::kAllReduce || opcode == Opcode::kAllReduceStart || opcode == Opcode::kReduceScatter;
    case DiagnosticKind::kSourceTargetPairs: {
      const auto* pairs = module.IntListsAttribute(id, AttributeKind::kSourceTargetPairs);
      return pairs != nullptr &&
             std::any_of(pairs->begin(), pairs->end(), [](const auto& pair) { return pair.size() != 2; });
    }
    case DiagnosticKind::kAsyncProducer:  // an end continues nothing; what is no link at all may be one that was cut
                                          // off
      return (opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone) &&
             module.opcode(module.operand(id, 0)) == Opcode::kAsyncDone;
    case DiagnosticKind::kAsyncComputations:
    case DiagnosticKind::kBranchAttributes:
    case DiagnosticKind::kBranchSelector:
    case DiagnosticKind::kLayoutConstraint:
      return true;
    default:  // the verifier's business
      return false;
  }
}

// Of what is not said of one instruction: an alias of a part of the result that does not exist, a computation that is
// run asynchronously and called otherwise too, and a done with another channel than its transfer (that only one of them
// is for the host is for the verifier).
bool IsReadErrorOfModule(const Diagnostic& diagnostic) {
  if (diagnostic.kind == DiagnosticKind::kSharedAsyncComputation) return true;
  if (diagnostic.kind == DiagnosticKind::kTransferChannel) {
    return diagnostic.arguments.size() > 1 && absl::StrContains(diagnostic.arguments[1], "channel");
  }
  return diagnostic.kind == DiagnosticKind::kModuleAlias && !diagnostic.arguments.empty() &&
         absl::StrContains(diagnostic.arguments[0], " has no element ") &&
         absl::StartsWith(diagnostic.arguments[0], "the result ");
}

// Structure comes first: the others rely on it.
bool HasReadErrors(CheckStage stage) {
  static constexpr CheckStage kStages[] = {
      CheckStage::kStructure,   CheckStage::kShapes,        CheckStage::kEntrySignature, CheckStage::kAsyncPairs,
      CheckStage::kAsyncBodies, CheckStage::kHostTransfers, CheckStage::kLayouts};
  return std::find(std::begin(kStages), std::end(kStages), stage) != std::end(kStages);
}

// What a diagnostic of this stage is about is an instruction.
bool IsAboutInstruction(CheckStage stage) {
  return stage == CheckStage::kShapes || stage == CheckStage::kAsyncPairs || stage == CheckStage::kLayouts;
}

}  // namespace

void VerifyAsReader(const Module& module, const ModuleIndex& index, const VerifyOptions& options,
                    const AnchorResolver& resolver, DiagnosticSink& sink) {
  if (sink.error_count() > 0) return;  // what follows from what could not be read says nothing new
  DiagnosticSink all;
  Verification v(module, index, options, resolver, all, /*scope=*/nullptr);
  for (const Check& check : Checks()) {
    if (!HasReadErrors(check.stage) || !v.Begin(check)) continue;
    check.run(v);
    if (v.is_stopped()) break;
  }
  const std::vector<DiagnosticSource> sources = all.sources();
  const std::vector<Diagnostic> diagnostics = all.Take();
  for (size_t k = 0; k < diagnostics.size(); ++k) {
    const Diagnostic& diagnostic = diagnostics[k];
    const uint32_t owner = sources[k].owner;
    const bool is_of_instruction = owner < module.instruction_count() && IsAboutInstruction(sources[k].stage);
    if (diagnostic.severity != Severity::kError ||
        !(is_of_instruction ? IsReadError(module, InstructionId(owner), diagnostic)
                            : IsReadErrorOfModule(diagnostic))) {
      continue;
    }
    sink.SetSource(sources[k].stage, owner);
    Diagnostic& kept = sink.Add(diagnostic.kind, diagnostic.severity, diagnostic.range, diagnostic.arguments);
    kept.related = diagnostic.related;
    kept.fixes = diagnostic.fixes;
  }
}

}  // namespace hloscope
