// SPDX-License-Identifier: Apache-2.0
// Pairs of tuples and collectives.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/support/rule_pair_makers.h"

namespace hloscope::rule_pairs {
namespace {

RulePair TupleShape(Random& r) {
  const std::string a = Array(r.Any(), r.Array(0)), b = Array(r.Any(), r.Array(1));
  return ByResult("declared-shape", "tuple", "", absl::StrCat(a, ", ", b), absl::StrCat("(", a, ", ", b, ")"),
                  absl::StrCat("(", a, ", ", b, ", ", a, ")"));
}
std::string Groups(int64_t devices, int64_t last) {
  Sizes ids;
  for (int64_t i = 0; i + 1 < devices; ++i) ids.push_back(i);
  ids.push_back(last);
  return absl::StrCat("replica_groups={", Braces(ids), "}");
}
RulePair AllReduceGroups(Random& r) {
  const int64_t devices = r.Int(2, 6);
  const std::string array = Array("s32", r.Array(0));
  return ByAttributes(
      "replica-groups", "all-reduce", array, array, absl::StrCat(Groups(devices, devices - 1), ", to_apply=add_s32"),
      absl::StrCat(Groups(devices, r.Of({"repeated", "beyond"}) == "beyond" ? devices : 0), ", to_apply=add_s32"));
}
RulePair AllReduceCombiner(Random& r) {
  const int64_t devices = r.Int(2, 6);
  const Sizes sizes = r.Array(0);
  const std::string good = Array("s32", sizes), bad = Array(r.Of({"f32", "u32", "s64", "pred"}), sizes);
  const std::string attributes = absl::StrCat(Groups(devices, devices - 1), ", to_apply=add_s32");
  return {InstructionModule(attributes, "all-reduce", good, good),
          InstructionModule(attributes, "all-reduce", bad, bad), "collective-combiner"};
}
RulePair AllGatherSizes(Random& r) {
  const int64_t devices = r.Int(2, 6);
  const Sizes sizes = r.Array();
  const size_t d = r.Dimension(sizes);
  const absl::string_view type = r.Any();
  return ByResult("declared-shape", "all-gather", absl::StrCat("dimensions={", d, "}, ", Groups(devices, devices - 1)),
                  Array(type, sizes), Array(type, With(sizes, d, sizes[d] * devices)),
                  Array(type, With(sizes, d, sizes[d] * devices + 1)));
}
RulePair ReduceScatterSizes(Random& r) {
  const int64_t devices = r.Int(2, 6), n = r.Int(1, 4);
  return ByOperands("collective-size", "reduce-scatter",
                    absl::StrCat("dimensions={0}, ", Groups(devices, devices - 1), ", to_apply=add_s32"),
                    Array("s32", {n}), Array("s32", {n * devices}), Array("s32", {n * devices + 1}));
}
RulePair PermutePairs(Random& r) {
  const std::string array = Array(r.Any(), r.Array(0));
  return ByAttributes("source-target-pairs", "collective-permute", array, array, "source_target_pairs={{0,1},{1,2}}",
                      absl::StrCat("source_target_pairs=", r.Of({"{{0,1},{0,2}}", "{{0,1},{2,1}}", "{{0,-1},{1,2}}"})));
}
RulePair RaggedLists(Random& r) {
  const int64_t devices = r.Int(2, 4), n = r.Int(1, 9), updates = r.Int(1, 3);
  const std::string data = Array(r.Any(), {n}), lists = Array(r.Integer(), {devices * updates});
  const std::string bad = Array("s16", {devices * updates + 1});
  const std::string head = absl::StrCat(data, ", ", data, ", ", lists, ", ", lists, ", ", lists, ", ");
  return ByOperands("ragged-operands", "ragged-all-to-all", Groups(devices, devices - 1), data,
                    absl::StrCat(head, lists), absl::StrCat(head, bad));
}
RulePair RaggedCounts(Random& r) {
  const int64_t devices = r.Int(2, 4), n = r.Int(1, 9), updates = r.Int(1, 3);
  const std::string data = Array(r.Any(), {n});
  const absl::string_view type = r.Integer();
  const auto operands = [&](int64_t entries) {
    const std::string list = Array(type, {entries});
    return absl::StrCat(data, ", ", data, ", ", absl::StrJoin(std::vector<std::string>(4, list), ", "));
  };
  return ByOperands("ragged-operands", "ragged-all-to-all", Groups(devices, devices - 1), data,
                    operands(devices * updates), operands(devices * updates + 1));
}

}  // namespace

absl::Span<const Maker> CollectiveMakers() {
  static constexpr Maker kMakers[] = {
      TupleShape,         AllReduceGroups, AllReduceCombiner, AllGatherSizes,
      ReduceScatterSizes, PermutePairs,    RaggedLists,       RaggedCounts,
  };
  return kMakers;
}

}  // namespace hloscope::rule_pairs
