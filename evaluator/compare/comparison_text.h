// SPDX-License-Identifier: Apache-2.0
// How two arrays differ, in words.
#ifndef HLOSCOPE_EVALUATOR_COMPARE_COMPARISON_TEXT_H_
#define HLOSCOPE_EVALUATOR_COMPARE_COMPARISON_TEXT_H_

#include <string>

#include "evaluator/compare/run_comparison.h"

namespace hloscope::evaluator {

// "{1,0}" of a leaf of a tuple, else nothing.
std::string LeafText(const LeafComparison& comparison);
// "12 of 8192 elements (0.15 %) beyond the tolerance, first at [3,17]: 1.25 against 1.2501; largest difference ...".
std::string BeyondText(const LeafComparison& comparison);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_COMPARE_COMPARISON_TEXT_H_
