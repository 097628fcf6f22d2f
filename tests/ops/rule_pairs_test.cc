// SPDX-License-Identifier: Apache-2.0
// Instructions near the border of a rule: nothing on one side of it, exactly one diagnostic on the other.
#include "tests/support/rule_pairs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/document/document.h"

namespace hloscope {
namespace {

// The codes of the errors and warnings about the entry computation.
std::string EntryCodes(const std::string& text) {
  const auto document = Document::Parse(SourceText::FromString("pair", text));
  const size_t entry = text.rfind("ENTRY");
  std::vector<std::string> codes;
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity <= Severity::kWarning && d.range.begin >= entry) codes.emplace_back(d.code());
  }
  return absl::StrJoin(codes, " ");
}

TEST(RulePairs, OneViolationIsOneDiagnostic) {
  constexpr uint64_t kPairsOfAKind = 160;
  size_t failures = 0;
  for (size_t kind = 0; kind < RulePairKinds(); ++kind) {
    for (uint64_t seed = 0; seed < kPairsOfAKind && failures < 20; ++seed) {
      const RulePair pair = MakeRulePair(kind, seed);
      const std::string good = EntryCodes(pair.good), bad = EntryCodes(pair.bad);
      EXPECT_EQ(good, "") << "kind " << kind << ", seed " << seed << "\n" << pair.good.substr(pair.good.rfind("ENTRY"));
      EXPECT_EQ(bad, pair.code) << "kind " << kind << ", seed " << seed << "\n"
                                << pair.bad.substr(pair.bad.rfind("ENTRY"));
      failures += good.empty() && bad == pair.code ? 0 : 1;
    }
  }
}

}  // namespace
}  // namespace hloscope
