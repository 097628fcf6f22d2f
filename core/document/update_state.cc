#include "core/document/update_state.h"

#include "core/ops/asynchronous.h"
#include "core/ops/collective.h"

namespace hloscope {

uint8_t TraitsOf(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
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
                               bool findings_are_local) {
  UpdateState state;
  state.possible = findings_are_local && tree.kind != SyntaxTree::TextKind::kSingleInstruction && !tree.looked_far &&
                   !tokens.has_open_frontend_attributes() && !tree.computations.empty();
  for (const ComputationSyntax& computation : tree.computations) {
    // Where an open body ends depends on what looks like a computation behind it.
    state.possible = state.possible && computation.open_brace != kNoToken && computation.close_brace != kNoToken;
  }
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    state.traits |= TraitsOf(module, id);
    const Instruction& instruction = module.instruction(id);
    if (!instruction.is_named && !instruction.synthesized) ++state.anonymous;
  }
  return state;
}

}  // namespace hloscope
