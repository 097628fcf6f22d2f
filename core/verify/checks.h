// SPDX-License-Identifier: Apache-2.0
// What is known about each check of the verifier; the table is checks.def.
#ifndef HLOSCOPE_CORE_VERIFY_CHECKS_H_
#define HLOSCOPE_CORE_VERIFY_CHECKS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "core/diagnostics/check_stage.h"
#include "core/ops/rule_context.h"

namespace hloscope {

class Verification;

// What the diagnostics of a check are about: the owners in their sources.
enum class CheckOwner : uint8_t {
  kNothing,      // the module; all of the check runs, or nothing
  kInstruction,  // an instruction
  kComputation,  // a computation
};

// What a check depends on. Where two things are said, the first holds for checks whose owner is an instruction or
// computation, the second for those without owner.
enum CheckInput : uint16_t {
  kInstructions = 1 << 0,  // the instruction itself, or those of the computation; any instruction with the traits
  kOperands = 1 << 1,      // its operands: shape, opcode, name; those of any instruction with the traits
  kUses = 1 << 2,          // who uses it, if anyone can, and whether its computation is fused; the same of any
                           // instruction with the traits
  kCallees = 1 << 3,       // parameters, root and readability of the computations it calls; parameters and roots
  kCallers = 1 << 4,       // the instructions that call the computation, or the one that it is in, with their operands;
                           // which instructions call which computations
  kComputationNames = 1 << 5,
  kEffects = 1 << 6,      // whether it has a side effect, also through what it calls, or those of the computation have;
                          // what communicates or has a side effect, and where it is first
  kAsyncChains = 1 << 7,  // the starts, updates and dones of its computation
  kReadability = 1 << 8,  // which instructions could not be read
  kEntry = 1 << 9,        // parameters and root of the entry computation
  kWorkDivision = 1 << 10,  // whether any instruction of the module divides work (instruction_traits.h)
};
using CheckInputs = uint16_t;

struct Check {
  CheckStage stage;
  CheckOwner owner;
  void (*run)(Verification&);
  CheckInputs looks_at;
  uint8_t traits;
  bool VerifyOptions::*option;
};

// In the order of CheckStage, from kStructure on.
absl::Span<const Check> Checks();

inline bool IsVerifierStage(CheckStage stage) { return stage >= CheckStage::kStructure; }
// What the diagnostics of any stage are about; kSyntax counts as nothing, its owners are nodes.
CheckOwner OwnerOf(CheckStage stage);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_VERIFY_CHECKS_H_
