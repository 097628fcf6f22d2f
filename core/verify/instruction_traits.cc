// SPDX-License-Identifier: Apache-2.0
#include "core/verify/instruction_traits.h"

#include <algorithm>

#include "core/ops/asynchronous.h"
#include "core/ops/collective.h"

namespace hloscope {

uint8_t TraitsOf(Opcode opcode) {
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
    default:  // all other opcodes
      break;
  }
  if (StartOf(opcode) != Opcode::kInvalid || DoneOf(opcode) != Opcode::kInvalid) traits |= kAsyncTrait;
  if (IsCollective(opcode)) traits |= kCollectiveTrait;
  return traits;
}

uint8_t TraitsOf(const Module& module, InstructionId id) {
  uint8_t traits = TraitsOf(module.opcode(id));
  for (const Attribute& attribute : module.attributes(id)) {
    if (attribute.kind == AttributeKind::kSharding || attribute.kind == AttributeKind::kDomain) {
      traits |= kShardingTrait;
    }
    if (attribute.kind == AttributeKind::kControlPredecessors) traits |= kControlEdgeTrait;
    if (attribute.kind == AttributeKind::kMetadata && module.MetadataOf(id)->stack_frame_id != 0) {
      traits |= kStackFrameTrait;
    }
  }
  return traits;
}

uint8_t TraitsOf(const Module& module) {
  uint8_t traits = 0;
  for (Opcode opcode : AllOpcodes()) {
    if (module.MayHave(opcode)) traits |= TraitsOf(opcode);
  }
  if (module.MayHave(AttributeKind::kSharding) || module.MayHave(AttributeKind::kDomain)) traits |= kShardingTrait;
  if (module.MayHave(AttributeKind::kControlPredecessors)) traits |= kControlEdgeTrait;
  if (!module.MayHave(AttributeKind::kMetadata)) return traits;
  for (uint32_t i = 0; i < module.instruction_count() && (traits & kStackFrameTrait) == 0; ++i) {
    traits |= TraitsOf(module, InstructionId(i));
  }
  return traits;
}

bool DividesWork(Opcode opcode) { return IsCollective(opcode) || opcode == Opcode::kPartitionId; }

bool AnyDividesWork(const Module& module) {
  return std::any_of(module.instructions().begin(), module.instructions().end(),
                     [](const Instruction& instruction) { return DividesWork(instruction.opcode); });
}

}  // namespace hloscope
