// SPDX-License-Identifier: Apache-2.0
#include "evaluator/compare/comparison_text.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace hloscope::evaluator {

std::string LeafText(const LeafComparison& comparison) {
  return comparison.leaf.empty() ? "" : absl::StrCat("{", absl::StrJoin(comparison.leaf, ","), "}");
}

std::string BeyondText(const LeafComparison& comparison) {
  if (!comparison.mismatch.empty()) return absl::StrCat("the shapes differ: ", comparison.mismatch);
  const TensorDifference& d = comparison.difference;
  if (d.different == 0) return "equal";
  const std::string largest = absl::StrFormat(
      "largest difference %.3g absolute, %.3g relative, %s", d.max_absolute, d.max_relative,
      d.not_finite > 0 ? absl::StrCat(d.not_finite, " where one is not finite") : absl::StrCat(d.max_ulps, " ulp"));
  if (d.beyond == 0) return absl::StrCat("agrees: ", d.different, " of ", d.count, " elements differ, ", largest);
  const double share = 100.0 * static_cast<double>(d.beyond) / static_cast<double>(std::max<int64_t>(1, d.count));
  return absl::StrFormat("%d of %d elements (%.3g %%) beyond the tolerance, first at %s: %s against %s; %s", d.beyond,
                         d.count, share, absl::StrCat("[", absl::StrJoin(d.first_beyond, ","), "]"),
                         comparison.first_element, comparison.second_element, largest);
}

}  // namespace hloscope::evaluator
