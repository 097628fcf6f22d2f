#include "core/document/update_state.h"

#include "core/ops/asynchronous.h"
#include "core/ops/collective.h"

namespace hloscope {

static uint8_t TraitsOf(Opcode opcode) {
  uint8_t traits = 0;
  switch (opcode) {
    case Opcode::kSend:
    case Opcode::kSendDone:
    case Opcode::kRecv:
    case Opcode::kRecvDone:
    case Opcode::kInfeed:
    case Opcode::kOutfeed:
      traits |= kTransferTrait;
      break;
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
      traits |= kAllReduceTrait;
      break;
    case Opcode::kAsyncUpdate:
      traits |= kAsyncTrait;
      break;
    default:
      break;
  }
  if (StartOf(opcode) != Opcode::kInvalid || DoneOf(opcode) != Opcode::kInvalid) traits |= kAsyncTrait;
  if (IsCollective(opcode)) traits |= kCollectiveTrait;
  return traits;
}

uint8_t TraitsOf(const Module& module, InstructionId id) {
  uint8_t traits = TraitsOf(module.opcode(id));
  for (const Attribute& attribute : module.attributes(id)) {
    if (attribute.kind == AttributeKind::kSharding) traits |= kShardingTrait;
    if (attribute.kind == AttributeKind::kControlPredecessors) traits |= kControlEdgeTrait;
    if (attribute.kind == AttributeKind::kMetadata && module.MetadataOf(id)->stack_frame_id != 0) {
      traits |= kStackFrameTrait;
    }
  }
  return traits;
}

bool DividesWork(Opcode opcode) { return IsCollective(opcode) || opcode == Opcode::kPartitionId; }

std::vector<std::pair<AttributeKind, ComputationId>> CallsOf(const Module& module, InstructionId id) {
  std::vector<std::pair<AttributeKind, ComputationId>> calls;
  module.ForEachCalledComputation(id,
                                  [&](AttributeKind kind, ComputationId callee) { calls.emplace_back(kind, callee); });
  return calls;
}

UpdateState InitialUpdateState(const Module& module, const TokenBuffer& tokens, const SyntaxTree& tree,
                               bool diagnostics_are_local) {
  UpdateState state;
  state.possible = diagnostics_are_local && tree.kind != SyntaxTree::TextKind::kSingleInstruction && !tree.looked_far &&
                   !tokens.has_open_frontend_attributes() && !tree.computations.empty();
  for (const ComputationSyntax& computation : tree.computations) {
    // Where an open body ends depends on what looks like a computation behind it.
    state.possible = state.possible && computation.open_brace != kNoToken && computation.close_brace != kNoToken;
  }
  for (Opcode opcode : AllOpcodes()) {
    if (module.MayHave(opcode)) state.traits |= TraitsOf(opcode);
  }
  if (module.MayHave(AttributeKind::kSharding)) state.traits |= kShardingTrait;
  if (module.MayHave(AttributeKind::kControlPredecessors)) state.traits |= kControlEdgeTrait;
  const bool may_have_frames = module.MayHave(AttributeKind::kMetadata);
  uint32_t i = 0;
  for (const Instruction& instruction : module.instructions()) {
    const InstructionId id(i++);
    if (!instruction.is_named && !instruction.synthesized) ++state.anonymous;
    if (may_have_frames && (state.traits & kStackFrameTrait) == 0) state.traits |= TraitsOf(module, id);
  }
  return state;
}

}  // namespace hloscope
