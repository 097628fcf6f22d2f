// SPDX-License-Identifier: Apache-2.0
// Pairs of dot, gather and scatter.
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/support/rule_pair_makers.h"

namespace hloscope::rule_pairs {
namespace {

RulePair DotSizes(Random& r) {
  const int64_t b = r.Int(1, 5), m = r.Int(1, 5), k = r.Int(1, 5), n = r.Int(1, 5);
  const absl::string_view type = r.Real();
  const bool wrong_batch = r.Int(0, 1) == 0;
  return ByOperands("dot-pair-size", "dot",
                    "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}",
                    Array(type, {b, m, n}), absl::StrCat(Array(type, {b, m, k}), ", ", Array(type, {b, k, n})),
                    absl::StrCat(Array(type, {b, m, k}), ", ",
                                 Array(type, {b + (wrong_batch ? 1 : 0), k + (wrong_batch ? 0 : 1), n})));
}
RulePair DotCounts(Random& r) {
  const int64_t m = r.Int(1, 5), k = r.Int(1, 5), n = r.Int(1, 5);
  const absl::string_view type = r.Real();
  return ByAttributes("dot-pair-count", "dot", absl::StrCat(Array(type, {m, k}), ", ", Array(type, {k, n})),
                      Array(type, {m, n}), "lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                      "lhs_contracting_dims={1}, rhs_contracting_dims={}");
}
RulePair DotReused(Random& r) {
  const int64_t m = r.Int(1, 5), n = r.Int(1, 5);
  const absl::string_view type = r.Real();
  return ByAttributes("dot-dimension-reused", "dot", absl::StrCat(Array(type, {m, n}), ", ", Array(type, {m, n})),
                      Array(type, {m}),
                      "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}",
                      "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={0}, rhs_contracting_dims={1}");
}
std::string GatherList(int64_t first, int64_t second, absl::string_view rest) {
  return absl::StrCat("collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={", first, ",",
                      second, "}, offset_dims=", rest);
}
RulePair GatherSizes(Random& r) {
  const int64_t n = r.Int(2, 9), m = r.Int(1, 9), count = r.Int(1, 9);
  const absl::string_view type = r.Any();
  const bool collapsed = r.Int(0, 1) == 0;
  return ByAttributes(collapsed ? "collapsed-slice-size" : "slice-size", "gather",
                      absl::StrCat(Array(type, {n, m}), ", ", Array(r.Integer(), {count, 1})), Array(type, {count, m}),
                      GatherList(1, m, "{1}"), collapsed ? GatherList(2, m, "{1}") : GatherList(1, m + 1, "{1}"));
}
RulePair GatherOffset(Random& r) {
  const int64_t n = r.Int(2, 9), m = r.Int(1, 9), count = r.Int(1, 9);
  const absl::string_view type = r.Any();
  return ByAttributes("dimension-out-of-range", "gather",
                      absl::StrCat(Array(type, {n, m}), ", ", Array(r.Integer(), {count, 1})), Array(type, {count, m}),
                      GatherList(1, m, "{1}"), GatherList(1, m, r.Of({"{2}", "{-1}"})));
}
RulePair GatherBatching(Random& r) {
  const int64_t n = r.Int(2, 9), m = r.Int(1, 9);
  const absl::string_view type = r.Any(), index = r.Integer();
  const std::string operand = Array(type, {n, m});
  return {InstructionModule(
              absl::StrCat("offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
                           "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,",
                           m, "}"),
              "gather", absl::StrCat(operand, ", ", Array(index, {n, 1})), Array(type, {n, m})),
          InstructionModule(
              absl::StrCat("offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
                           "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,",
                           m, "}"),
              "gather", absl::StrCat(operand, ", ", Array(index, {n + 1, 1})), Array(type, {n + 1, m})),
          "batching-size"};
}
RulePair ScatterUpdates(Random& r) {
  const int64_t n = r.Int(2, 9), m = r.Int(1, 9), count = r.Int(1, 9);
  const std::string operand = Array("s32", {n, m}), indices = Array(r.Integer(), {count, 1});
  const Sizes bad = r.Int(0, 1) == 0 ? Sizes{count + 1, m} : Sizes{count, m + 1};
  return ByOperands("updates-size", "scatter",
                    "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                    "index_vector_dim=1, to_apply=add_s32",
                    operand, absl::StrCat(operand, ", ", indices, ", ", Array("s32", {count, m})),
                    absl::StrCat(operand, ", ", indices, ", ", Array("s32", bad)));
}

}  // namespace

absl::Span<const Maker> ProductMakers() {
  static constexpr Maker kMakers[] = {
      DotSizes, DotCounts, DotReused, GatherSizes, GatherOffset, GatherBatching, ScatterUpdates,
  };
  return kMakers;
}

}  // namespace hloscope::rule_pairs
