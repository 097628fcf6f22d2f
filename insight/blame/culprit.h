// SPDX-License-Identifier: Apache-2.0
// The instruction with which two stages of a module begin to differ.
#ifndef HLOSCOPE_INSIGHT_BLAME_CULPRIT_H_
#define HLOSCOPE_INSIGHT_BLAME_CULPRIT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/value_flow.h"
#include "core/analysis/value_match.h"
#include "evaluator/compare/run_comparison.h"

namespace hloscope::insight {

struct Culprit {
  InstructionId instruction;  // of the second module
  InstructionId before;       // what was there in the first module; none if nothing did
  // The first values that differ although what they are computed from agrees, in RunComparison::divergences; they
  // depend on the culprit. kNone if no compared value differs: the culprit is what a computation returns.
  static constexpr size_t kNone = SIZE_MAX;
  size_t divergence = kNone;
  bool is_changed = false;  // the two modules differ there; false: differences that were within the tolerance grew
};

// From a comparison of two runs with `match` (stand-ins included). Nothing if no compared value differs.
std::optional<Culprit> FindCulprit(const ValueFlow& a, const ValueFlow& b, const ValueMatch& match,
                                   const evaluator::RunComparison& comparison);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_BLAME_CULPRIT_H_
