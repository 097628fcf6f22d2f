// SPDX-License-Identifier: Apache-2.0
// Kinds of instructions for which checks look beyond the instruction and its neighbours.
#ifndef HLOSCOPE_CORE_VERIFY_INSTRUCTION_TRAITS_H_
#define HLOSCOPE_CORE_VERIFY_INSTRUCTION_TRAITS_H_

#include <cstdint>

#include "core/ir/module.h"

namespace hloscope {

enum InstructionTrait : uint8_t {
  kAsyncTrait = 1,     // starts, updates and dones
  kTransferTrait = 2,  // sends, receives, infeeds, outfeeds
  kAllReduceTrait = 4,
  kShardingTrait = 8,      // has a sharding, or two of a domain
  kControlEdgeTrait = 16,  // has control predecessors
  kCollectiveTrait = 32,
  kStackFrameTrait = 64,  // its metadata names a stack frame
};

// Those of every instruction with the opcode.
uint8_t TraitsOf(Opcode opcode);
// All of the instruction.
uint8_t TraitsOf(const Module& module, InstructionId id);
// Of the module: none of its instructions has another one; O(instructions) at most.
uint8_t TraitsOf(const Module& module);

// Whether shapes are global or those of one device shows from instructions of this opcode.
bool DividesWork(Opcode opcode);
// O(instructions).
bool AnyDividesWork(const Module& module);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_VERIFY_INSTRUCTION_TRAITS_H_
