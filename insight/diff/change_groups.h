// SPDX-License-Identifier: Apache-2.0
// Changes of a module, with those that are alike told once.
#ifndef HLOSCOPE_INSIGHT_DIFF_CHANGE_GROUPS_H_
#define HLOSCOPE_INSIGHT_DIFF_CHANGE_GROUPS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/module_diff.h"

namespace hloscope::insight {

enum class ChangeKind : uint8_t { kChanged, kRemoved, kAdded };

// One instruction that changed, is gone or is new.
struct OneChange {
  ChangeKind kind = ChangeKind::kChanged;
  size_t computation = 0;  // in ModuleDiff::computations
  size_t changed = 0;      // kChanged: in ComputationDiff::changed
  InstructionId a, b;      // none where it is not
};

// Changes of one pattern: the same but for the names of instructions and computations. The layers of a model change
// alike.
struct ChangeGroup {
  std::vector<OneChange> changes;  // not empty; in the order of the diff
};

// Fewer changes that are alike are listed: a reader sees at once that they are.
inline constexpr size_t kFewAlike = 3;

// In the order of the first change of each. Only computations that are in both modules are looked into.
std::vector<ChangeGroup> GroupChanges(const Module& a, const Module& b, const ModuleDiff& diff);

// The computations that are in one of the modules alone and equal but for their names: indices in
// ModuleDiff::computations, those of each list in order, in the order of the first of each.
std::vector<std::vector<size_t>> GroupComputations(const ModuleDiff& diff);

struct DiffCounts {
  size_t unchanged = 0, renamed = 0, changed = 0, removed = 0, added = 0;  // instructions
  // From 0 to 1: twice the unchanged instructions, and the changed ones, by all of both modules. 1 for equal modules.
  double similarity = 1;
};
DiffCounts CountsOf(const ModuleDiff& diff);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_DIFF_CHANGE_GROUPS_H_
