// SPDX-License-Identifier: Apache-2.0
// Which instructions and computations of two modules correspond, although names may have changed.
#ifndef HLOSCOPE_CORE_ANALYSIS_MODULE_MATCHING_H_
#define HLOSCOPE_CORE_ANALYSIS_MODULE_MATCHING_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/module.h"

namespace hloscope {

struct ModuleMatching {
  // The counterpart in the other module, by index; none without one.
  std::vector<InstructionId> in_b, in_a;
  std::vector<ComputationId> computation_in_b, computation_in_a;
  // Of computations: as they are called from the entry computations, then the others.
  std::vector<std::pair<ComputationId, ComputationId>> computations;
  // What each computation computes, callees included, by index: equal for equal ones, whatever their names and the
  // order of independent instructions.
  std::vector<uint64_t> content_a, content_b;
};

// What does not count besides names, metadata and order.
struct IgnoredInDiff {
  bool shapes = false;          // sizes and layouts of arrays; element types count
  bool layouts = false;         // of arrays and of the entry computation
  bool backend_config = false;  // of instructions
};

// A shape as far as it counts: with default layouts spelled out.
std::string ComparedShape(const Shape& shape, const IgnoredInDiff& ignored);

// Instructions are matched in this order: equal ones with equal operands all the way up, preferring equal names; equal
// ones with matched users all the way down; equal names and opcodes; equal opcodes as the same operand of a matched
// user or the same user of a matched operand. Called computations are matched by their callers, but those with an
// equal one elsewhere in the other module with that; those without a matched caller with an equal one, then by name.
// O(n log n) but for printing.
ModuleMatching MatchModules(const Module& a, const Module& b, const IgnoredInDiff& ignored = {});

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_MODULE_MATCHING_H_
