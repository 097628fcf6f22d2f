// SPDX-License-Identifier: Apache-2.0
// Which instructions of two versions of a module compute the same value.
#ifndef HLOSCOPE_CORE_ANALYSIS_VALUE_MATCH_H_
#define HLOSCOPE_CORE_ANALYSIS_VALUE_MATCH_H_

#include <cstddef>
#include <vector>

#include "core/analysis/value_flow.h"
#include "core/ir/module.h"

namespace hloscope {

struct ValueMatch {
  // By instruction of a and of b: the carrier of the other module that stands for the same value; none for
  // instructions that are no carriers or have no counterpart.
  std::vector<InstructionId> partner_of_a, partner_of_b;
  // Instructions of running computations, and those of them whose values all have counterparts.
  size_t running_a = 0, running_b = 0;
  size_t matched_a = 0, matched_b = 0;
};

// Survives new names, fusion and its undoing, inlined calls, inserted copies, and collectives that became asynchronous.
// Carriers (core/analysis/value_flow.h) are matched in this order: equal ones with equal operands all the way up,
// preferring equal names; the results; equal ones as the same operand of a matched user or as the only such user of a
// matched operand; equal ones of the same name, then of the same op_name; then the neighbours of these. Two carriers
// are equal if opcode, element type, sizes and the attributes that say what is computed agree. Nothing is matched by
// its place in the text alone. O(n log n) but for printing attributes.
ValueMatch MatchValues(const ValueFlow& a, const ValueFlow& b);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_VALUE_MATCH_H_
