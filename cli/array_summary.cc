// SPDX-License-Identifier: Apache-2.0
#include "cli/array_summary.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace hloscope::cli {

std::string ArrayLine(const evaluator::Tensor& tensor, SummaryBudget* budget) {
  const evaluator::Tensor array = tensor.WithRunTimeSizes();
  if (array.element_count() == 0) return absl::StrCat(tensor.shape().ToString(), "  no elements");
  constexpr int64_t kLeast = 64;
  const int64_t brief = std::max(kLeast, budget->elements_left);
  const bool is_over = budget->over != nullptr && budget->over->load();
  evaluator::TensorSummary summary =
      is_over ? evaluator::Summarize(array, nullptr, brief) : evaluator::Summarize(array, budget->over);
  if (!is_over && summary.incomplete && summary.count < brief) {
    summary = evaluator::Summarize(array, nullptr, brief);
  }
  if (summary.incomplete) budget->elements_left -= std::min(summary.count, budget->elements_left);
  std::string line =
      absl::StrFormat("%s  min %g  max %g  mean %g", tensor.shape().ToString(), summary.min, summary.max, summary.mean);
  if (summary.nan_count > 0) absl::StrAppend(&line, "  ", summary.nan_count, " NaN");
  if (summary.infinity_count > 0) absl::StrAppend(&line, "  ", summary.infinity_count, " infinite");
  if (summary.incomplete) absl::StrAppend(&line, "  (of the first ", summary.count, " elements)");
  return line;
}

}  // namespace hloscope::cli
