// SPDX-License-Identifier: Apache-2.0
// Random instructions on both sides of the border of a rule.
#ifndef HLOSCOPE_TESTS_SUPPORT_RULE_PAIRS_H_
#define HLOSCOPE_TESTS_SUPPORT_RULE_PAIRS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/ops/rule_context.h"

namespace hloscope {

// Two modules that differ in one place.
struct RulePair {
  std::string good;  // nothing is to be said about its entry computation
  std::string bad;   // violates one rule, there
  std::string code;  // the only diagnostic that this is, an error or a warning
  VerifyOptions options = {};
  bool is_whole_module = false;  // nothing is to be said about the good module's other computations either
  std::string common = {};  // a diagnostic that both have: the rule is about something that is wrong or unused itself
};

size_t RulePairKinds();
// Pair number `seed` of one kind, of random ranks, sizes and types; the same seed gives the same pair.
RulePair MakeRulePair(size_t kind, uint64_t seed);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_RULE_PAIRS_H_
