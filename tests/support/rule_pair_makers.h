// SPDX-License-Identifier: Apache-2.0
// What pairs of one kind are made with, and the kinds by family. Internal to the rule_pairs* files.
#ifndef HLOSCOPE_TESTS_SUPPORT_RULE_PAIR_MAKERS_H_
#define HLOSCOPE_TESTS_SUPPORT_RULE_PAIR_MAKERS_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tests/support/rule_pairs.h"

namespace hloscope::rule_pairs {

using Sizes = std::vector<int64_t>;

// What the pairs of one seed are made of.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  int64_t Int(int64_t low, int64_t high) {  // both included
    return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
  }
  absl::string_view Of(std::initializer_list<absl::string_view> choices) {
    return *(choices.begin() + Int(0, static_cast<int64_t>(choices.size()) - 1));
  }
  Sizes Array(int64_t least_rank = 1, int64_t most_rank = 4, int64_t least = 1);
  size_t Dimension(const Sizes& sizes) { return static_cast<size_t>(Int(0, static_cast<int64_t>(sizes.size()) - 1)); }
  absl::string_view Float() { return Of({"f16", "bf16", "f32", "f64", "f8e5m2"}); }
  absl::string_view Integer() { return Of({"s8", "u8", "s16", "s32", "u32", "s64", "u64"}); }
  absl::string_view Real() { return Int(0, 1) == 0 ? Float() : Integer(); }
  absl::string_view Any() { return Int(0, 4) == 0 ? Of({"c64", "c128", "pred"}) : Real(); }
  Sizes Permutation(size_t rank);

 private:
  std::mt19937_64 engine_;
};

// --- Texts ---

std::string Braces(const Sizes& list);                          // {1,2}
std::string Array(absl::string_view type, const Sizes& sizes);  // f32[1,2]
std::string Dimensions(const Sizes& list);                      // dimensions={1,2}
Sizes With(Sizes sizes, size_t d, int64_t size);                // of another size in dimension d
Sizes Without(Sizes sizes, size_t d);

// A module with an instruction in the notation of rule_test.h.
std::string InstructionModule(absl::string_view attributes, absl::string_view opcode, absl::string_view operands,
                              absl::string_view result);

// --- Pairs whose instructions differ in their attributes, operands or results ---

RulePair ByAttributes(absl::string_view code, absl::string_view opcode, absl::string_view operands,
                      absl::string_view result, absl::string_view good, absl::string_view bad);
RulePair ByOperands(absl::string_view code, absl::string_view opcode, absl::string_view attributes,
                    absl::string_view result, absl::string_view good, absl::string_view bad);
RulePair ByResult(absl::string_view code, absl::string_view opcode, absl::string_view attributes,
                  absl::string_view operands, absl::string_view good, absl::string_view bad);

// --- The kinds ---

using Maker = RulePair (*)(Random&);

absl::Span<const Maker> ElementwiseMakers();
absl::Span<const Maker> DataMovementMakers();
absl::Span<const Maker> ProductMakers();
absl::Span<const Maker> ReductionMakers();
absl::Span<const Maker> CollectiveMakers();

}  // namespace hloscope::rule_pairs

#endif  // HLOSCOPE_TESTS_SUPPORT_RULE_PAIR_MAKERS_H_
