// SPDX-License-Identifier: Apache-2.0
#include "tests/support/rule_pairs.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/support/rule_pair_makers.h"
#include "tests/support/rule_pair_rows.h"
#include "tests/support/rule_test.h"

namespace hloscope {
namespace rule_pairs {

Sizes Random::Array(int64_t least_rank, int64_t most_rank, int64_t least) {
  Sizes sizes(static_cast<size_t>(Int(least_rank, most_rank)));
  for (int64_t& size : sizes) size = Int(least, 9);
  return sizes;
}

Sizes Random::Permutation(size_t rank) {
  Sizes permutation;
  for (size_t d = 0; d < rank; ++d) permutation.push_back(static_cast<int64_t>(d));
  std::shuffle(permutation.begin(), permutation.end(), engine_);
  return permutation;
}

std::string Braces(const Sizes& list) { return absl::StrCat("{", absl::StrJoin(list, ","), "}"); }

std::string Array(absl::string_view type, const Sizes& sizes) {
  return absl::StrCat(type, "[", absl::StrJoin(sizes, ","), "]");
}

std::string Dimensions(const Sizes& list) { return absl::StrCat("dimensions=", Braces(list)); }

Sizes With(Sizes sizes, size_t d, int64_t size) {
  sizes[d] = size;
  return sizes;
}

Sizes Without(Sizes sizes, size_t d) {
  sizes.erase(sizes.begin() + static_cast<int64_t>(d));
  return sizes;
}

std::string InstructionModule(absl::string_view attributes, absl::string_view opcode, absl::string_view operands,
                              absl::string_view result) {
  const std::string braces = attributes.empty() ? "" : absl::StrCat("{", attributes, "}");
  return ModuleAround(absl::StrCat(opcode, braces, " ", operands, " -> ", result));
}

RulePair ByAttributes(absl::string_view code, absl::string_view opcode, absl::string_view operands,
                      absl::string_view result, absl::string_view good, absl::string_view bad) {
  return {InstructionModule(good, opcode, operands, result), InstructionModule(bad, opcode, operands, result),
          std::string(code)};
}

RulePair ByOperands(absl::string_view code, absl::string_view opcode, absl::string_view attributes,
                    absl::string_view result, absl::string_view good, absl::string_view bad) {
  return {InstructionModule(attributes, opcode, good, result), InstructionModule(attributes, opcode, bad, result),
          std::string(code)};
}

RulePair ByResult(absl::string_view code, absl::string_view opcode, absl::string_view attributes,
                  absl::string_view operands, absl::string_view good, absl::string_view bad) {
  return {InstructionModule(attributes, opcode, operands, good), InstructionModule(attributes, opcode, operands, bad),
          std::string(code)};
}

namespace {

const std::vector<Maker>& Makers() {
  static const auto& makers = *[] {
    auto* const all = new std::vector<Maker>;
    for (const absl::Span<const Maker> family :
         {ElementwiseMakers(), DataMovementMakers(), ProductMakers(), ReductionMakers(), CollectiveMakers()}) {
      all->insert(all->end(), family.begin(), family.end());
    }
    return all;
  }();
  return makers;
}

}  // namespace
}  // namespace rule_pairs

size_t RulePairKinds() { return rule_pairs::Makers().size() + RulePairRowCount(); }

RulePair MakeRulePair(size_t kind, uint64_t seed) {
  const std::vector<rule_pairs::Maker>& makers = rule_pairs::Makers();
  if (kind >= makers.size()) return PairOfRow(kind - makers.size(), seed);
  rule_pairs::Random random(seed * 1000003 + kind);
  return makers[kind](random);
}

}  // namespace hloscope
