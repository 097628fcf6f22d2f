// SPDX-License-Identifier: Apache-2.0
#include "cli/transform_report.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CostRow {
  absl::string_view label;
  const char* key;
  int64_t (*value)(const TransformCost&);
};
constexpr CostRow kRows[] = {
    {"reshapes", "reshapes", [](const TransformCost& c) { return c.reshapes; }},
    {"elements reshaped", "reshaped_elements", [](const TransformCost& c) { return c.reshaped_elements; }},
    {"bytes moved by relayouts", "relayout_bytes", [](const TransformCost& c) { return c.relayout_bytes; }},
    {"bytes of reduces", "reduce_bytes", [](const TransformCost& c) { return c.reduce_bytes; }},
    {"bytes of elementwise instructions", "elementwise_bytes",
     [](const TransformCost& c) { return c.elementwise_bytes; }},
    {"bytes of broadcasts", "broadcast_bytes", [](const TransformCost& c) { return c.broadcast_bytes; }},
    {"all of these bytes", "moved_bytes", [](const TransformCost& c) { return c.moved_bytes(); }},
    {"padding in results, bytes", "padding_bytes", [](const TransformCost& c) { return c.padding_bytes(); }},
};

// "3136", "1.5", "-" where there is nothing to compare.
std::string Ratio(int64_t before, int64_t after) {
  if (before == after) return "1";
  if (after == 0 || before == 0) return "-";
  return absl::StrFormat("%.4g", static_cast<double>(before) / static_cast<double>(after));
}

std::string Line(absl::string_view label, int64_t before, int64_t after) {
  return absl::StrFormat("  %-34s%20d%20d%12s\n", label, before, after, Ratio(before, after));
}

int64_t PerReshape(const TransformCost& cost) {
  return cost.reshapes == 0 ? 0 : cost.reshaped_elements / cost.reshapes;
}

void AppendTable(absl::string_view title, const TransformCost& before, const TransformCost& after, std::string* out) {
  absl::StrAppendFormat(out, "%-36s%20s%20s%12s\n", title, "before", "after", "ratio");
  for (const CostRow& row : kRows) absl::StrAppend(out, Line(row.label, row.value(before), row.value(after)));
  absl::StrAppend(out, Line("elements of a reshape, on average", PerReshape(before), PerReshape(after)));
}

Json CostJson(const TransformCost& cost) {
  Json json = Json::object();
  for (const CostRow& row : kRows) json[row.key] = row.value(cost);
  return json;
}

}  // namespace

std::string CostTableText(const ModuleCost& before, const ModuleCost& after, absl::string_view target) {
  std::string out = absl::StrCat("target ", target, ", physical bytes read and written, each computation once\n\n");
  AppendTable("all computations", before.total, after.total, &out);
  absl::StrAppend(&out, Line("peak live bytes", before.peak_live_bytes, after.peak_live_bytes));
  absl::flat_hash_map<absl::string_view, const TransformCost*> old_costs;
  for (const ComputationCost& row : before.computations) old_costs[row.computation] = &row.cost;
  for (const ComputationCost& row : after.computations) {
    const auto it = old_costs.find(row.computation);
    if (it == old_costs.end() || *it->second == row.cost) continue;
    out.push_back('\n');
    AppendTable(row.computation, *it->second, row.cost, &out);
  }
  return out;
}

std::string CostTableText(const ModuleCost& cost, absl::string_view target) {
  std::string out = absl::StrCat("on target ", target, ", physical bytes read and written, each computation once\n");
  for (const CostRow& row : kRows) absl::StrAppendFormat(&out, "  %-34s%20d\n", row.label, row.value(cost.total));
  return out;
}

Json ModuleCostJson(const ModuleCost& cost) {
  Json computations = Json::array();
  for (const ComputationCost& row : cost.computations) {
    Json json = {{"computation", row.computation}};
    json.update(CostJson(row.cost));
    computations.push_back(std::move(json));
  }
  Json json = {{"total", CostJson(cost.total)}};
  json["total"]["peak_live_bytes"] = cost.peak_live_bytes;
  json["computations"] = std::move(computations);
  return json;
}

std::string ApplicationsText(const std::vector<Application>& applications) {
  std::string out;
  for (const Application& a : applications) {
    absl::StrAppendFormat(&out, "%s at %s in %s: %s\n", a.pass, a.instruction, a.computation, a.pattern);
    absl::StrAppendFormat(&out, "  bytes %d -> %d, elements reshaped %d -> %d%s\n", a.before.moved_bytes(),
                          a.after.moved_bytes(), a.before.reshaped_elements, a.after.reshaped_elements,
                          a.reassociates ? "; floating-point operations are grouped differently" : "");
    for (const std::string& note : a.notes) absl::StrAppend(&out, "  ", note, "\n");
    for (const std::string& line : a.removed) absl::StrAppend(&out, "  - ", line, "\n");
    for (const std::string& line : a.added) absl::StrAppend(&out, "  + ", line, "\n");
  }
  return out;
}

std::string RefusalsText(const std::vector<Refusal>& refusals) {
  std::string out;
  for (const Refusal& r : refusals) {
    absl::StrAppend(&out, r.pass, " not at ", r.instruction, " in ", r.computation, ": ", r.reason, "\n");
  }
  return out;
}

Json RefusalsJson(const std::vector<Refusal>& refusals) {
  Json list = Json::array();
  for (const Refusal& r : refusals) {
    list.push_back(
        {{"pass", r.pass}, {"computation", r.computation}, {"instruction", r.instruction}, {"reason", r.reason}});
  }
  return list;
}

Json ApplicationsJson(const std::vector<Application>& applications) {
  Json list = Json::array();
  for (const Application& a : applications) {
    Json json = {{"pass", a.pass},
                 {"computation", a.computation},
                 {"instruction", a.instruction},
                 {"pattern", a.pattern},
                 {"exact", !a.reassociates},
                 {"before", CostJson(a.before)},
                 {"after", CostJson(a.after)}};
    if (!a.notes.empty()) json["notes"] = a.notes;
    if (!a.removed.empty()) json["removed"] = a.removed;
    if (!a.added.empty()) json["added"] = a.added;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace hloscope::cli
