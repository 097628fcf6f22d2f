// What changed between two versions of a module, found although names may have changed.
#ifndef HLOSCOPE_CORE_ANALYSIS_MODULE_DIFF_H_
#define HLOSCOPE_CORE_ANALYSIS_MODULE_DIFF_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/module.h"

namespace hloscope {

// Two instructions that stand for each other but are not the same.
struct ChangedInstruction {
  InstructionId a, b;
  // "shape f32[4]{0} became f32[8]{0}", "operand 1 was %x, is now %y", "attribute dimensions {0} became {1}".
  std::vector<std::string> changes;
};

struct ComputationDiff {
  ComputationId a, b;  // one is none if the computation is only in one module
  std::vector<ChangedInstruction> changed;
  std::vector<InstructionId> removed;  // only in a
  std::vector<InstructionId> added;    // only in b
  // Those that stand for each other and are the same: in a, in b.
  std::vector<std::pair<InstructionId, InstructionId>> same;
  size_t unchanged = 0;  // as many
  size_t renamed = 0;    // of the unchanged ones

  bool IsEmpty() const { return a.has_value() && b.has_value() && changed.empty() && removed.empty() && added.empty(); }
};

struct ModuleDiff {
  std::vector<std::string> header;            // what differs in the first lines
  std::vector<ComputationDiff> computations;  // pairs as they are called from the entry computations; then the others

  bool IsEmpty() const;
};

// Names, ids, metadata, the order of independent instructions and layouts that are only spelled out never count.
//
// Instructions are matched in this order: equal ones with equal operands all the way up, preferring equal names; equal
// ones with matched users all the way down; equal names and opcodes; equal opcodes as the same operand of a matched
// user or the same user of a matched operand. Called computations are matched by their callers. O(n log n) but for
// printing.
ModuleDiff DiffModules(const Module& a, const Module& b);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_MODULE_DIFF_H_
