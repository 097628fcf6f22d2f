// SPDX-License-Identifier: Apache-2.0
// Pairs of operations that move data.
#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/support/rule_pair_makers.h"

namespace hloscope::rule_pairs {
namespace {

struct BroadcastParts {
  Sizes operand, result, dimensions;
};
BroadcastParts Broadcast(Random& r, int64_t least_rank) {
  BroadcastParts parts;
  parts.result = r.Array(std::max<int64_t>(least_rank, 1));
  const Sizes order = r.Permutation(parts.result.size());
  const int64_t rank = r.Int(least_rank, static_cast<int64_t>(parts.result.size()));
  for (int64_t k = 0; k < rank; ++k) {
    parts.dimensions.push_back(order[static_cast<size_t>(k)]);
    parts.operand.push_back(parts.result[static_cast<size_t>(parts.dimensions.back())]);
  }
  return parts;
}
RulePair BroadcastSizes(Random& r) {
  const BroadcastParts parts = Broadcast(r, 1);
  const size_t d = r.Dimension(parts.operand);
  const absl::string_view type = r.Any();
  return ByOperands("broadcast-size", "broadcast", Dimensions(parts.dimensions), Array(type, parts.result),
                    Array(type, parts.operand), Array(type, With(parts.operand, d, parts.operand[d] + 1)));
}
RulePair BroadcastRange(Random& r) {
  const BroadcastParts parts = Broadcast(r, 1);
  const absl::string_view type = r.Any();
  const int64_t wrong = r.Int(0, 1) == 0 ? -1 : static_cast<int64_t>(parts.result.size());
  return ByAttributes("dimension-out-of-range", "broadcast", Array(type, parts.operand), Array(type, parts.result),
                      Dimensions(parts.dimensions),
                      Dimensions(With(parts.dimensions, r.Dimension(parts.dimensions), wrong)));
}
RulePair BroadcastCount(Random& r) {
  const BroadcastParts parts = Broadcast(r, 1);
  const absl::string_view type = r.Any();
  return ByAttributes("entry-count", "broadcast", Array(type, parts.operand), Array(type, parts.result),
                      Dimensions(parts.dimensions), Dimensions(Without(parts.dimensions, 0)));
}
RulePair BroadcastRepeated(Random& r) {
  const int64_t size = r.Int(1, 9);
  const std::string operand = Array(r.Any(), {size, size});
  const absl::string_view type = absl::string_view(operand).substr(0, operand.find('['));
  return ByAttributes("duplicate-dimension", "broadcast", operand, Array(type, {size, r.Int(1, 9), size}),
                      "dimensions={0,2}", r.Of({"dimensions={0,0}", "dimensions={2,2}"}));
}
RulePair KeptType(Random& r) {
  const Sizes sizes = r.Array(0);
  const bool is_broadcast = r.Int(0, 1) == 0;
  const std::string attributes = is_broadcast ? Dimensions([&] {
    Sizes all;
    for (size_t d = 0; d < sizes.size(); ++d) all.push_back(static_cast<int64_t>(d));
    return all;
  }())
                                              : "";
  return ByResult("result-element-type", is_broadcast ? "broadcast" : "reshape", attributes, Array("f32", sizes),
                  Array("f32", sizes), Array(r.Of({"f64", "bf16", "s32", "pred"}), sizes));
}
RulePair ReshapeCount(Random& r) {
  Sizes sizes = r.Array(1, 4);
  const absl::string_view type = r.Any();
  Sizes flat = {1};
  for (int64_t size : sizes) flat[0] *= size;
  return ByResult("element-count", "reshape", "", Array(type, sizes), Array(type, flat), Array(type, {flat[0] + 1}));
}
RulePair TransposeList(Random& r) {
  const Sizes sizes = r.Array(2);
  const Sizes order = r.Permutation(sizes.size());
  Sizes moved;
  for (int64_t d : order) moved.push_back(sizes[static_cast<size_t>(d)]);
  const absl::string_view type = r.Any();
  const size_t d = r.Dimension(order);
  const int64_t wrong = r.Int(0, 1) == 0 ? order[d == 0 ? 1 : 0] : static_cast<int64_t>(sizes.size());
  return ByAttributes("not-a-permutation", "transpose", Array(type, sizes), Array(type, moved), Dimensions(order),
                      Dimensions(With(order, d, wrong)));
}
RulePair ReverseRepeated(Random& r) {
  const Sizes sizes = r.Array(2);
  const std::string array = Array(r.Any(), sizes);
  const Sizes order = r.Permutation(sizes.size());
  return ByAttributes("duplicate-dimension", "reverse", array, array, Dimensions({order[0], order[1]}),
                      Dimensions({order[0], order[0]}));
}
RulePair ConcatenateSizes(Random& r) {
  const Sizes sizes = r.Array(2);
  const size_t d = r.Dimension(sizes);
  const size_t other = d == 0 ? 1 : d - 1;
  const absl::string_view type = r.Any();
  const std::string a = Array(type, sizes);
  return ByOperands("concatenate-shapes", "concatenate", absl::StrCat("dimensions={", d, "}"),
                    Array(type, With(sizes, d, 2 * sizes[d])), absl::StrCat(a, ", ", a),
                    absl::StrCat(a, ", ", Array(type, With(sizes, other, sizes[other] + 1))));
}
std::string SliceList(const Sizes& sizes, size_t wrong, absl::string_view wrong_range) {
  std::vector<std::string> ranges;
  for (size_t d = 0; d < sizes.size(); ++d) {
    ranges.push_back(d == wrong ? std::string(wrong_range) : absl::StrCat("[0:", sizes[d], "]"));
  }
  return absl::StrCat("slice={", absl::StrJoin(ranges, ", "), "}");
}
RulePair SliceRanges(Random& r) {
  const Sizes sizes = r.Array(1, 4, 2);
  const std::string array = Array(r.Any(), sizes);
  const size_t d = r.Dimension(sizes);
  std::string wrong;
  switch (r.Int(0, 3)) {
    case 0:
      wrong = absl::StrCat("[0:", sizes[d] + r.Int(1, 3), "]");
      break;
    case 1:
      wrong = absl::StrCat("[-1:", sizes[d], "]");
      break;
    case 2:
      wrong = absl::StrCat("[", sizes[d], ":", sizes[d] - 1, "]");
      break;
    default:
      wrong = absl::StrCat("[0:", sizes[d], ":0]");
  }
  return ByAttributes("slice-range", "slice", array, array, SliceList(sizes, sizes.size(), ""),
                      SliceList(sizes, d, wrong));
}
std::string Indices(absl::string_view type, size_t count) {
  std::string text;
  for (size_t k = 0; k < count; ++k) absl::StrAppend(&text, ", ", type, "[]");
  return text;
}
RulePair DynamicSliceSizes(Random& r) {
  const Sizes sizes = r.Array();
  const size_t d = r.Dimension(sizes);
  const std::string array = Array(r.Any(), sizes);
  return ByAttributes(
      "slice-size", "dynamic-slice", absl::StrCat(array, Indices(r.Integer(), sizes.size())), array,
      absl::StrCat("dynamic_slice_sizes=", Braces(sizes)),
      absl::StrCat("dynamic_slice_sizes=", Braces(With(sizes, d, r.Int(0, 1) == 0 ? sizes[d] + 1 : -1))));
}
RulePair DynamicSliceIndexCount(Random& r) {
  const Sizes sizes = r.Array(2);
  const std::string array = Array(r.Any(), sizes);
  const absl::string_view type = r.Integer();
  return ByOperands("operand-count", "dynamic-slice", absl::StrCat("dynamic_slice_sizes=", Braces(sizes)), array,
                    absl::StrCat(array, Indices(type, sizes.size())),
                    absl::StrCat(array, Indices(type, sizes.size() + (r.Int(0, 1) == 0 ? 1 : -1ul))));
}
RulePair DynamicSliceIndexTypes(Random& r) {
  const Sizes sizes = r.Array(2, 2);
  const std::string array = Array(r.Any(), sizes);
  return ByOperands("index-types-differ", "dynamic-slice", absl::StrCat("dynamic_slice_sizes=", Braces(sizes)), array,
                    absl::StrCat(array, ", s32[], s32[]"), absl::StrCat(array, ", s32[], s64[]"));
}
RulePair UpdateSizes(Random& r) {
  const Sizes sizes = r.Array();
  const size_t d = r.Dimension(sizes);
  const absl::string_view type = r.Any();
  const std::string array = Array(type, sizes), indices = Indices(r.Integer(), sizes.size());
  return ByOperands("update-shape", "dynamic-update-slice", "", array,
                    absl::StrCat(array, ", ", Array(type, With(sizes, d, r.Int(0, sizes[d]))), indices),
                    absl::StrCat(array, ", ", Array(type, With(sizes, d, sizes[d] + 1)), indices));
}
RulePair PadInterior(Random& r) {
  const int64_t n = r.Int(2, 9);
  const absl::string_view type = r.Any();
  return ByAttributes("interior-padding", "pad", absl::StrCat(Array(type, {n}), ", ", type, "[]"), Array(type, {n}),
                      "padding=0_0_0", "padding=0_0_-1");
}
RulePair PadNegative(Random& r) {
  const int64_t n = r.Int(1, 9);
  const absl::string_view type = r.Any();
  return ByAttributes("padded-size", "pad", absl::StrCat(Array(type, {n}), ", ", type, "[]"), Array(type, {0}),
                      absl::StrCat("padding=-", n, "_0"), absl::StrCat("padding=-", n, "_-1"));
}
RulePair PadScalar(Random& r) {
  const int64_t n = r.Int(1, 9);
  const absl::string_view type = r.Any();
  const std::string array = Array(type, {n});
  return ByOperands("operand-not-scalar", "pad", "padding=0_0", array, absl::StrCat(array, ", ", type, "[]"),
                    absl::StrCat(array, ", ", type, "[1]"));
}

}  // namespace

absl::Span<const Maker> DataMovementMakers() {
  static constexpr Maker kMakers[] = {
      BroadcastSizes,
      BroadcastRange,
      BroadcastCount,
      BroadcastRepeated,
      KeptType,
      ReshapeCount,
      TransposeList,
      ReverseRepeated,
      ConcatenateSizes,
      SliceRanges,
      DynamicSliceSizes,
      DynamicSliceIndexCount,
      DynamicSliceIndexTypes,
      UpdateSizes,
      PadInterior,
      PadNegative,
      PadScalar,
  };
  return kMakers;
}

}  // namespace hloscope::rule_pairs
