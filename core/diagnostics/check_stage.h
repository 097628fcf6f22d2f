// Which part of the reading of a text reported a diagnostic, and about what.
#ifndef HLOSCOPE_CORE_DIAGNOSTICS_CHECK_STAGE_H_
#define HLOSCOPE_CORE_DIAGNOSTICS_CHECK_STAGE_H_

#include <cstddef>
#include <cstdint>

namespace hloscope {

// In the order in which a text is read. The owner of a diagnostic is, by stage: nothing, or what the comment says.
enum class CheckStage : uint8_t {
  kLexer,
  kSyntax,       // an instruction node; nothing outside of instructions
  kHeader,       //
  kInstruction,  // reading an instruction: that instruction
  kComputation,  // reading a computation: that computation
  kEntry,        //
  kStructure,    //
  kShapes,       // the instruction
  kUnbounded,    // the instruction
  kOrigins,      // the instruction
  kStackFrames,
  kEntrySignature,
  kCallers,
  kFusions,  // the fused computation
  kBuffers,
  kCustomCalls,
  kAsyncPairs,   // the instruction
  kAsyncBodies,  // the wrapped computation
  kHostTransfers,
  kCollectives,
  kShardings,  // the instruction
  kShardingAgreement,
  kSchedule,
  kTransferOrder,
  kLayouts,  // the instruction
  kMemorySpaces,
  kDeadCode,  // the instruction
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
