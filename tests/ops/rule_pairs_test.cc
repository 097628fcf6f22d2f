// SPDX-License-Identifier: Apache-2.0
// Instructions near the border of a rule: nothing on one side of it, exactly one diagnostic on the other.
#include "tests/support/rule_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/document/document.h"

namespace hloscope {
namespace {

std::vector<std::string> Sorted(std::vector<std::string> codes) {
  codes.erase(std::remove(codes.begin(), codes.end(), ""), codes.end());
  std::sort(codes.begin(), codes.end());
  return codes;
}

// The codes, sorted, of the errors and warnings about the module, or about its entry computation.
std::string Codes(const RulePair& pair, const std::string& text) {
  const auto document = Document::Parse(SourceText::FromString("pair", text), {pair.options});
  const size_t entry = pair.is_whole_module ? 0 : text.rfind("ENTRY");
  std::vector<std::string> codes;
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity <= Severity::kWarning && d.range.begin >= entry) codes.emplace_back(d.code());
  }
  return absl::StrJoin(Sorted(std::move(codes)), " ");
}

std::string ShownPart(const RulePair& pair, const std::string& text) {
  return pair.is_whole_module ? text : text.substr(text.rfind("ENTRY"));
}

TEST(RulePairs, OneViolationIsOneDiagnostic) {
  constexpr uint64_t kPairsOfAKind = 160;
  size_t failures = 0;
  for (size_t kind = 0; kind < RulePairKinds(); ++kind) {
    for (uint64_t seed = 0; seed < kPairsOfAKind && failures < 20; ++seed) {
      const RulePair pair = MakeRulePair(kind, seed);
      const std::string good = Codes(pair, pair.good), bad = Codes(pair, pair.bad);
      const std::string wanted = absl::StrJoin(Sorted({pair.code, pair.common}), " ");
      EXPECT_EQ(good, pair.common) << "kind " << kind << ", seed " << seed << "\n" << ShownPart(pair, pair.good);
      EXPECT_EQ(bad, wanted) << "kind " << kind << ", seed " << seed << "\n" << ShownPart(pair, pair.bad);
      failures += good == pair.common && bad == wanted ? 0 : 1;
    }
  }
}

// Checks that no pair of texts can be on both sides of, and why.
std::string WhyWithoutPair(absl::string_view code) {
  static const auto& reasons = *new std::map<absl::string_view, absl::string_view>{
      {"operand-elsewhere", "no text says it: names have a scope"},
      {"scheduled-twice", "no text says it: a name is defined once"},
      {"schedule-order", "no text says it: a text is read in order"},
      {"dependency-cycle", "no text says it: control predecessors come before"},
      {"constant-shape", "no text says it: a literal is read as the shape says"},
  };
  const auto reason = reasons.find(code);
  return std::string(reason == reasons.end() ? "" : reason->second);
}

TEST(RulePairs, EveryCheckOfInstructionsAndModulesHasAPair) {
  std::set<std::string> paired;
  for (size_t kind = 0; kind < RulePairKinds(); ++kind) paired.insert(MakeRulePair(kind, 0).code);
  for (int kind = static_cast<int>(DiagnosticKind::kDeclaredShape);
       kind < static_cast<int>(DiagnosticKind::kElidedConstantFilled); ++kind) {
    const DiagnosticInfo& info = InfoOf(static_cast<DiagnosticKind>(kind));
    if (info.severity > Severity::kWarning) continue;  // forbids nothing
    const bool has_pair = paired.contains(std::string(info.code));
    EXPECT_NE(has_pair, !WhyWithoutPair(info.code).empty())
        << info.code << (has_pair ? " has a pair after all" : " has neither a pair nor a reason to have none");
  }
}

}  // namespace
}  // namespace hloscope
