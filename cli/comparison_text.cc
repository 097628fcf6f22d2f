#include "cli/comparison_text.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

std::string IndexText(absl::Span<const int64_t> index) { return absl::StrCat("[", absl::StrJoin(index, ","), "]"); }

}  // namespace

absl::StatusOr<std::optional<evaluator::Tolerance>> ReadTolerance(const Arguments& arguments) {
  const absl::StatusOr<double> relative = arguments.NonNegative("rtol", 0), absolute = arguments.NonNegative("atol", 0);
  const absl::StatusOr<int64_t> ulps = arguments.Int("ulp", 0, 0, INT64_MAX);
  if (!relative.ok()) return relative.status();
  if (!absolute.ok()) return absolute.status();
  if (!ulps.ok()) return ulps.status();
  if (!arguments.Has("rtol") && !arguments.Has("atol") && !arguments.Has("ulp")) {
    return std::optional<evaluator::Tolerance>();
  }
  return std::optional<evaluator::Tolerance>(
      evaluator::Tolerance{.absolute = *absolute, .relative = *relative, .ulps = static_cast<uint64_t>(*ulps)});
}

std::string LeafText(const evaluator::LeafComparison& comparison) {
  return comparison.leaf.empty() ? "" : absl::StrCat("{", absl::StrJoin(comparison.leaf, ","), "}");
}

// "12 of 8192 elements (0.15 %) beyond the tolerance, first at [3,17]: 1.25 against 1.2501".
std::string BeyondText(const evaluator::LeafComparison& comparison) {
  if (!comparison.mismatch.empty()) return absl::StrCat("the shapes differ: ", comparison.mismatch);
  const evaluator::TensorDifference& d = comparison.difference;
  if (d.different == 0) return "equal";
  const std::string largest = absl::StrFormat(
      "largest difference %.3g absolute, %.3g relative, %s", d.max_absolute, d.max_relative,
      d.not_finite > 0 ? absl::StrCat(d.not_finite, " where one is not finite") : absl::StrCat(d.max_ulps, " ulp"));
  if (d.beyond == 0) return absl::StrCat("agrees: ", d.different, " of ", d.count, " elements differ, ", largest);
  const double share = 100.0 * static_cast<double>(d.beyond) / static_cast<double>(std::max<int64_t>(1, d.count));
  return absl::StrFormat("%d of %d elements (%.3g %%) beyond the tolerance, first at %s: %s against %s; %s", d.beyond,
                         d.count, share, IndexText(d.first_beyond), comparison.first_element, comparison.second_element,
                         largest);
}

nlohmann::ordered_json ComparisonJson(const evaluator::LeafComparison& comparison) {
  const evaluator::TensorDifference& d = comparison.difference;
  nlohmann::ordered_json json = {{"leaf", comparison.leaf}, {"agrees", comparison.Agrees()}};
  if (!comparison.mismatch.empty()) {
    json["mismatch"] = comparison.mismatch;
    return json;
  }
  json["elements"] = d.count;
  json["different"] = d.different;
  json["beyond"] = d.beyond;
  json["not_finite"] = d.not_finite;
  json["max_absolute"] = d.max_absolute;
  json["max_relative"] = d.max_relative;
  json["max_ulps"] = d.max_ulps;
  if (d.beyond > 0) {
    json["first"] = {{"index", d.first_beyond}, {"a", comparison.first_element}, {"b", comparison.second_element}};
  }
  return json;
}

}  // namespace hloscope::cli
