// SPDX-License-Identifier: Apache-2.0
// Which values of two stages of a module may be compared.
#ifndef HLOSCOPE_INSIGHT_BLAME_STAND_INS_H_
#define HLOSCOPE_INSIGHT_BLAME_STAND_INS_H_

#include "core/analysis/value_flow.h"
#include "core/analysis/value_match.h"

namespace hloscope::insight {

// Adds to a match the instructions that have the place of one another, whatever they compute: the same result, the same
// operand of matched users, where the shapes agree. A pass that rewrites something is right if these agree.
void AddStandIns(const ValueFlow& a, const ValueFlow& b, ValueMatch* match);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_BLAME_STAND_INS_H_
