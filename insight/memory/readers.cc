// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/readers.h"

namespace hloscope::insight {
namespace {

bool IsDone(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAllGatherDone:
    case Opcode::kAllReduceDone:
    case Opcode::kAsyncDone:
    case Opcode::kAsyncUpdate:
    case Opcode::kCollectivePermuteDone:
    case Opcode::kCopyDone:
    case Opcode::kSendDone:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool OnlyPassesOn(Opcode opcode) {
  switch (opcode) {
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kBitcast:
    case Opcode::kOptBarrier:
    case Opcode::kDomain:
    case Opcode::kAddDependency:
    case Opcode::kAfterAll:
      return true;
    default:
      return false;
  }
}

ReaderIndex::ReaderIndex(const Module& module, const BufferTable& buffers) : readers_(buffers.buffers().size()) {
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (OnlyPassesOn(module.opcode(id))) continue;
    const auto add = [&](InstructionId operand) {
      if (!operand.has_value()) return;
      for (BufferTable::BufferId buffer : buffers.Of(operand)) {
        std::vector<InstructionId>& readers = readers_[buffer];
        if (readers.empty() || readers.back() != id) readers.push_back(id);
      }
    };
    for (InstructionId operand : module.operands(id)) {
      add(operand);
      // A start goes on reading until its done.
      if (operand.has_value() && IsDone(module.opcode(id))) {
        for (InstructionId of_start : module.operands(operand)) add(of_start);
      }
    }
  }
}

}  // namespace hloscope::insight
