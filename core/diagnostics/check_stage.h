// SPDX-License-Identifier: Apache-2.0
// Which part of the reading of a text reported a diagnostic, and about what.
#ifndef HLOSCOPE_CORE_DIAGNOSTICS_CHECK_STAGE_H_
#define HLOSCOPE_CORE_DIAGNOSTICS_CHECK_STAGE_H_

#include <cstddef>
#include <cstdint>

namespace hloscope {

// In the order in which a text is read. The owner of a diagnostic is what the comment or core/verify/checks.def says.
enum class CheckStage : uint8_t {
  kLexer,
  kSyntax,  // an instruction node; nothing outside of instructions
  kHeader,
  kInstruction,  // reading an instruction: that instruction
  kComputation,  // reading a computation: that computation
  kEntry,
  kStructure,
  kShapes,
  kUnbounded,
  kOrigins,
  kStackFrames,
  kEntrySignature,
  kCallers,
  kFusions,
  kCustomCallBuffers,
  kBuffers,
  kCustomCalls,
  kAsyncPairs,
  kAsyncBodies,
  kHostTransfers,
  kCollectives,
  kShardings,
  kShardingAgreement,
  kSchedule,
  kTransferOrder,
  kCollectiveOrder,
  kLayouts,
  kMemorySpaces,
  kDeadCode,
  kUncalled,
  kCount,
};

struct DiagnosticSource {
  static constexpr uint32_t kNobody = 0xFFFFFFFFu;
  CheckStage stage = CheckStage::kLexer;
  uint32_t owner = kNobody;
  friend bool operator==(DiagnosticSource, DiagnosticSource) = default;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DIAGNOSTICS_CHECK_STAGE_H_
