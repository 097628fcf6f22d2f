// SPDX-License-Identifier: Apache-2.0
// What changed between two versions of a module, found although names may have changed.
#ifndef HLOSCOPE_CORE_ANALYSIS_MODULE_DIFF_H_
#define HLOSCOPE_CORE_ANALYSIS_MODULE_DIFF_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/module_matching.h"
#include "core/ir/module.h"

namespace hloscope {

// Two instructions that correspond but differ.
struct ChangedInstruction {
  InstructionId a, b;
  // "opcode add became multiply", "shape f32[4]{0} became f32[8]{0}", "operand 1 was %x, is now %y", "attribute
  // dimensions {0} became {1}", "attribute to_apply was %add, is now %max".
  std::vector<std::string> changes;
};

struct ComputationDiff {
  ComputationId a, b;                // one is none if the computation is only in one module
  std::vector<std::string> changes;  // of the computation itself
  std::vector<ChangedInstruction> changed;
  std::vector<InstructionId> removed;  // only in a
  std::vector<InstructionId> added;    // only in b
  // Those that correspond and do not differ: in a, in b.
  std::vector<std::pair<InstructionId, InstructionId>> same;
  size_t unchanged = 0;  // as many
  size_t renamed = 0;    // of the unchanged ones
  // Of a computation that is only in one module: what it computes, whatever the names, and one of the other module that
  // computes the same and has another counterpart, if there is one: copies that callers share now, or shared before.
  uint64_t content = 0;
  ComputationId equal;

  bool IsEmpty() const {
    return a.has_value() && b.has_value() && changes.empty() && changed.empty() && removed.empty() && added.empty();
  }
};

struct ModuleDiff {
  std::vector<std::string> header;            // what differs in the first lines
  std::vector<ComputationDiff> computations;  // pairs as they are called from the entry computations; then the others

  bool IsEmpty() const;
};

// Names, ids, metadata, the order of independent instructions and layouts that are only spelled out never count.
// Everything else does: any other change is found. What corresponds is what MatchModules matches, and instructions of
// one name, shape and operands whose opcode changed.
ModuleDiff DiffModules(const Module& a, const Module& b, const IgnoredInDiff& ignored = {});

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_MODULE_DIFF_H_
