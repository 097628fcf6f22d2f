// SPDX-License-Identifier: Apache-2.0
#include "cli/comparison_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "cli/output.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

// What entries [begin, end) of by_ulps count: "1", "2..7".
std::string UlpRange(size_t begin, size_t end) {
  const uint64_t first = uint64_t{1} << (begin - 1);
  const uint64_t last = end > 64 ? UINT64_MAX : (uint64_t{1} << (end - 1)) - 1;
  return first == last ? absl::StrCat(first) : absl::StrCat(first, "..", last);
}

}  // namespace

absl::StatusOr<std::vector<evaluator::ToleranceRule>> ReadTolerances(const Arguments& arguments) {
  const absl::StatusOr<double> relative = arguments.NonNegative("rtol", 0), absolute = arguments.NonNegative("atol", 0);
  const absl::StatusOr<int64_t> ulps = arguments.Int("ulp", 0, 0, INT64_MAX);
  if (!relative.ok()) return relative.status();
  if (!absolute.ok()) return absolute.status();
  if (!ulps.ok()) return ulps.status();
  std::vector<evaluator::ToleranceRule> rules;
  if (arguments.Has("rtol") || arguments.Has("atol") || arguments.Has("ulp")) {
    rules.push_back(
        {.tolerance = {.absolute = *absolute, .relative = *relative, .ulps = static_cast<uint64_t>(*ulps)}});
  }
  for (const std::string& text : arguments.Values("tolerance")) {
    absl::StatusOr<evaluator::ToleranceRule> rule = evaluator::ParseToleranceRule(text);
    if (!rule.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("--tolerance: ", OneLine(rule.status().message())));
    }
    rules.push_back(*std::move(rule));
  }
  return rules;
}

std::string StatisticsText(const evaluator::LeafComparison& comparison, const std::string& indent) {
  constexpr size_t kBars = 12, kBarLength = 32;
  const evaluator::TensorDifference& d = comparison.difference;
  if (!comparison.mismatch.empty() || d.different == 0) return "";
  std::string text = absl::StrFormat("%sroot-mean-square difference %.3g\n", indent, d.root_mean_square);
  if (d.beyond > 0) {
    for (const auto& [name, values] :
         {std::pair("first ", &comparison.first_values), std::pair("second", &comparison.second_values)}) {
      absl::StrAppend(&text, indent, name,
                      absl::StrFormat(" from %.4g to %.4g, mean %.4g, standard deviation %.4g, %d NaN, %d infinite\n",
                                      values->min, values->max, values->mean, values->standard_deviation,
                                      values->nan_count, values->infinity_count));
    }
  }
  // Wide ranges are put together, so that there are no more bars than people read.
  const std::vector<int64_t>& counts = d.by_ulps;
  size_t nearest = 1;
  while (nearest < counts.size() && counts[nearest] == 0) ++nearest;
  const size_t step = std::max<size_t>(1, (counts.size() - nearest + kBars - 1) / kBars);
  std::vector<std::pair<std::string, int64_t>> bars = {{"equal", counts[0]}};
  for (size_t k = nearest; k < counts.size(); k += step) {
    const size_t end = std::min(k + step, counts.size());
    bars.emplace_back(absl::StrCat(UlpRange(k, end), " ulp"),
                      std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(k),
                                      counts.begin() + static_cast<std::ptrdiff_t>(end), int64_t{0}));
  }
  if (d.not_finite > 0) bars.emplace_back("not finite", d.not_finite);
  int64_t most = 1;
  size_t width = 0;
  for (const auto& [name, count] : bars) {
    most = std::max(most, count);
    width = std::max(width, name.size());
  }
  for (const auto& [name, count] : bars) {
    const size_t length = static_cast<size_t>(
        std::ceil(static_cast<double>(count) / static_cast<double>(most) * static_cast<double>(kBarLength)));
    absl::StrAppend(&text, indent, std::string(width - name.size(), ' '), name,
                    absl::StrFormat("%10d%s", count, length > 0 ? "  " : ""), std::string(length, '#'), "\n");
  }
  return text;
}

std::string UlpBlocks(const evaluator::TensorDifference& difference) {
  static constexpr const char* kBlocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                            "\u2585", "\u2586", "\u2587", "\u2588"};
  std::string text;
  for (int64_t count : difference.by_ulps) {
    if (count == 0) {
      text += "\u00a0";
      continue;
    }
    const double share = std::log1p(static_cast<double>(count)) / std::log1p(static_cast<double>(difference.count));
    text += kBlocks[std::min<size_t>(std::size(kBlocks) - 1, static_cast<size_t>(share * std::size(kBlocks)))];
  }
  return text;
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
  json["root_mean_square"] = d.root_mean_square;
  const evaluator::Tolerance& allowed = comparison.tolerance;
  json["tolerance"] = {{"rtol", allowed.relative},
                       {"atol", allowed.absolute},
                       {"of_largest", allowed.of_largest},
                       {"ulp", allowed.ulps}};
  json["by_ulps"] = d.by_ulps;
  if (d.beyond > 0) {
    const auto summary = [](const evaluator::TensorSummary& values) {
      return nlohmann::ordered_json({{"min", values.min},
                                     {"max", values.max},
                                     {"mean", values.mean},
                                     {"standard_deviation", values.standard_deviation},
                                     {"nan", values.nan_count},
                                     {"infinite", values.infinity_count}});
    };
    json["values"] = {{"a", summary(comparison.first_values)}, {"b", summary(comparison.second_values)}};
    json["first"] = {{"index", d.first_beyond}, {"a", comparison.first_element}, {"b", comparison.second_element}};
  }
  return json;
}

}  // namespace hloscope::cli
