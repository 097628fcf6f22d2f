// SPDX-License-Identifier: Apache-2.0
// Pairs of instructions on both sides of the border of a rule, as a table of texts.
#ifndef HLOSCOPE_TESTS_SUPPORT_RULE_PAIR_ROWS_H_
#define HLOSCOPE_TESTS_SUPPORT_RULE_PAIR_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tests/support/rule_pairs.h"

namespace hloscope {

// Chosen for each pair: @n, @m, @k are sizes from 3 to 9, with `+1`, `-1`, `*2` or `++m` (the size m) after it; @F a
// floating-point type, @I an integer type, @R one of both, @A any type.
struct RulePairRow {
  absl::string_view good, bad, code;
};
// Instructions in the notation of rule_test.h.
absl::Span<const RulePairRow> BorderRowsOfArrays();
absl::Span<const RulePairRow> BorderRowsOfInstructions();
absl::Span<const RulePairRow> BorderRowsOfPrograms();
// Whole modules. Without a header they get one. `switches`: "layout-sensitive", or a list as ApplyVerifySwitches takes.
struct RulePairModule {
  absl::string_view switches, good, bad, code;
  absl::string_view common = {};  // as in RulePair
};
absl::Span<const RulePairModule> BorderModules();
absl::Span<const RulePairModule> BorderModulesOfDevices();
// Lines of an entry computation with the parameters p: s32[@n], i: s32[], q: pred[], and a token t.
absl::Span<const RulePairRow> BorderRowsOfModules();
// The whole text around such lines.
std::string ModuleAroundLines(absl::string_view lines);

size_t RulePairRowCount();
// The pair of a row with random sizes and types.
RulePair PairOfRow(size_t row, uint64_t seed);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_RULE_PAIR_ROWS_H_
