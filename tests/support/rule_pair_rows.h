// SPDX-License-Identifier: Apache-2.0
// Pairs of instructions on both sides of the border of a rule, as a table of texts.
#ifndef HLOSCOPE_TESTS_SUPPORT_RULE_PAIR_ROWS_H_
#define HLOSCOPE_TESTS_SUPPORT_RULE_PAIR_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "tests/support/rule_pairs.h"

namespace hloscope {

size_t RulePairRowCount();
// The pair of a row with random sizes and types.
RulePair PairOfRow(size_t row, uint64_t seed);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_RULE_PAIR_ROWS_H_
