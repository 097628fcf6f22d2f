// SPDX-License-Identifier: Apache-2.0
#include "lsp/evaluation/value_json.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "lsp/protocol/json.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

// JSON has no infinities.
json Number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

}  // namespace

absl::StatusOr<ValueQuery> ReadValueQuery(const json& params) {
  ValueQuery query;
  const std::optional<evaluator::FillRule> fill =
      evaluator::FillRuleFromText(FindString(params, {"fill"}).value_or("random"));
  if (!fill.has_value()) {
    return absl::InvalidArgumentError("`fill` must be zeros, ones, iota, random, normal, positive or uniform:LO:HI");
  }
  query.fill = *fill;
  query.with_data = FindBool(params, {"data"}).value_or(false);
  query.seed = static_cast<uint64_t>(FindInt(params, {"seed"}).value_or(0));
  const json* arguments = FindPath(params, {"arguments"});
  if (arguments == nullptr || !arguments->is_object()) return query;
  for (const auto& [key, value] : arguments->items()) {
    int64_t number = 0;
    const auto* path = value.get_ptr<const json::string_t*>();
    if (path == nullptr || !absl::SimpleAtoi(key, &number))
      return absl::InvalidArgumentError("`arguments` maps parameter numbers to .npy files");
    query.arguments[number] = *path;
  }
  return query;
}

json ToJson(const ValuePreview& preview) {
  json leaves = json::array();
  for (const ValuePreview::Leaf& leaf : preview.leaves) {
    leaves.push_back({{"shape", leaf.shape},
                      {"literal", leaf.literal},
                      {"isShortened", leaf.is_shortened},
                      {"count", leaf.summary.count},
                      {"min", Number(leaf.summary.min)},
                      {"max", Number(leaf.summary.max)},
                      {"mean", Number(leaf.summary.mean)},
                      {"standardDeviation", Number(leaf.summary.standard_deviation)},
                      {"zeros", leaf.summary.zero_count},
                      {"nans", leaf.summary.nan_count},
                      {"infinities", leaf.summary.infinity_count}});
    if (!leaf.data.empty()) leaves.back()["data"] = absl::Base64Escape(leaf.data);
  }
  return {{"leaves", std::move(leaves)},
          {"executed", preview.executed},
          {"where", preview.where},
          {"filledConstants", preview.has_filled_constants}};
}

}  // namespace hloscope::lsp
