// SPDX-License-Identifier: Apache-2.0
#include "reports/cost_report.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/diagnostics/render.h"
#include "core/layout/byte_size.h"
#include "core/print/quantity.h"
#include "nlohmann/json.hpp"

namespace hloscope::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint32_t kMaxScopeDepth = 6;  // of the table for people

std::string Name(const Module& module, InstructionId id) { return OneLine(module.InstructionName(id)); }

// Instructions that a step of the program executes: those of computations with frames.
std::vector<std::pair<InstructionId, Cost>> Executed(const CostReport& report) {
  std::vector<std::pair<InstructionId, Cost>> rows;
  for (size_t c = 0; c < report.module.computations().size(); ++c) {
    const int64_t runs = report.cost.Runs(ComputationId(c));
    if (runs == 0) continue;
    for (InstructionId id : report.module.computations()[c].instructions) {
      // Callers whose callees run as frames would count twice.
      if (RunsAsFrame(report.module.opcode(id))) continue;
      rows.emplace_back(id, report.cost.Of(id).Times(runs));
    }
  }
  return rows;
}

Json CostJson(const Cost& cost) {
  return {{"flops", cost.flops},
          {"transcendentals", cost.transcendentals},
          {"bytes_read", cost.bytes_read},
          {"bytes_written", cost.bytes_written}};
}

// "fusion.3 {1}" for the second leaf of a tuple.
std::string BufferName(const CostReport& report, const LogicalBuffer& buffer) {
  std::string name = Name(report.module, buffer.definer);
  if (report.module.shape(buffer.definer).LeafCount() > 1) absl::StrAppend(&name, " {", buffer.leaf, "}");
  return name;
}

std::string Row(const Cost& cost, absl::string_view label) {
  return absl::StrFormat("%10s %10s %10s %10s  %s\n", CountText(cost.flops), CountText(cost.transcendentals),
                         BytesText(cost.bytes_read), BytesText(cost.bytes_written), label);
}

}  // namespace

CostReport::CostReport(const Document& document)
    : module(document.module()),
      calls(module),
      buffers(module, calls),
      memory(module, document.users(), calls, buffers),
      cost(module, calls),
      scopes(module) {
  scope_costs.resize(scopes.scopes().size());
  for (const auto& [id, one] : Executed(*this)) {
    scope_costs[scopes.Of(id)] += one;
    total += one;
  }
  for (size_t s = scope_costs.size(); s-- > 1;) scope_costs[scopes.scopes()[s].parent] += scope_costs[s];
}

std::string CostReportText(const CostReport& report, size_t rows, bool color) {
  const Module& module = report.module;
  const auto heading = [&](absl::string_view text) {
    return color ? absl::StrCat("\n\x1b[1m", text, "\x1b[0m\n") : absl::StrCat("\n", text, "\n");
  };
  std::string out = absl::StrCat(OneLine(module.name()), ": ", FlopText(report.total.flops), " (",
                                 CountText(report.total.transcendentals), " transcendental), ",
                                 BytesText(report.total.bytes()), " read and written");
  if (report.total.bytes() > 0) {
    absl::StrAppendFormat(&out, ", %.2f FLOP per byte",
                          static_cast<double>(report.total.flops) / static_cast<double>(report.total.bytes()));
  }
  absl::StrAppend(&out, "\n");
  if (report.cost.unknown_trip_counts() > 0) {
    const int64_t loops = report.cost.unknown_trip_counts();
    absl::StrAppend(&out, loops, loops == 1 ? " loop has" : " loops have",
                    " no known trip count: the body is counted once\n");
  }
  if (module.entry().has_value()) {
    const ComputationMemory& entry = report.memory.Of(module.entry());
    absl::StrAppend(&out, heading("Memory"), "  peak of live arrays  ", report.memory.peak_bytes(), " bytes (",
                    BytesText(report.memory.peak_bytes()), ")\n  schedule             ",
                    entry.kind == ScheduleKind::kGiven ? "given by the module"
                                                       : absl::StrCat(ScheduleKindName(entry.kind), ", the best found"),
                    "\n");
    std::vector<std::string> path;
    for (InstructionId id : report.memory.PeakPath()) path.push_back(Name(module, id));
    if (!path.empty()) absl::StrAppend(&out, "  reached at           ", absl::StrJoin(path, " > "), "\n");
    const std::vector<BufferTable::BufferId> live = report.memory.LiveAt(module.entry(), entry.peak_step);
    absl::StrAppend(&out, "  alive there, in the entry computation:\n");
    for (size_t i = 0; i < std::min(rows, live.size()); ++i) {
      const LogicalBuffer& buffer = report.buffers.buffer(live[i]);
      absl::StrAppendFormat(&out, "%14d  %s\n", buffer.bytes, BufferName(report, buffer));
    }
    if (live.size() > rows) absl::StrAppend(&out, "                ... and ", live.size() - rows, " more\n");
    if (!report.buffers.complete()) absl::StrAppend(&out, "  tuples of very many arrays are left out\n");
  }

  std::vector<std::pair<InstructionId, Cost>> executed = Executed(report);
  std::stable_sort(executed.begin(), executed.end(), [](const auto& a, const auto& b) {
    return std::make_pair(a.second.flops, a.second.bytes()) > std::make_pair(b.second.flops, b.second.bytes());
  });
  const std::string head = absl::StrFormat("%10s %10s %10s %10s  ", "FLOP", "transc.", "read", "written");
  absl::StrAppend(&out, heading("Instructions, most operations first"), head, "instruction\n");
  for (size_t i = 0; i < std::min(rows, executed.size()); ++i) {
    const InstructionId id = executed[i].first;
    absl::StrAppend(&out, Row(executed[i].second, absl::StrCat(Name(module, id), "  ", OpcodeName(module.opcode(id)))));
  }
  if (executed.size() > rows) absl::StrAppend(&out, "... and ", executed.size() - rows, " more (all with --json)\n");

  if (report.scopes.scopes().size() == 1) return out;
  absl::StrAppend(&out, heading("Scopes of op_name, with what is inside them"), head, "scope\n");
  size_t shown = 0, hidden = 0;
  std::vector<ScopeTree::ScopeId> open = {ScopeTree::kRoot};
  while (!open.empty()) {
    const ScopeTree::ScopeId at = open.back();
    open.pop_back();
    const ScopeTree::Scope& scope = report.scopes.scope(at);
    if (shown == 2 * rows || scope.depth > kMaxScopeDepth) {
      ++hidden;
      continue;
    }
    ++shown;
    const std::string label =
        at == ScopeTree::kRoot ? "(all)" : absl::StrCat(std::string(2 * scope.depth, ' '), OneLine(scope.name));
    absl::StrAppend(&out, Row(report.scope_costs[at], label));
    std::vector<ScopeTree::ScopeId> children = scope.children;
    std::stable_sort(children.begin(), children.end(), [&](ScopeTree::ScopeId a, ScopeTree::ScopeId b) {
      return report.scope_costs[a].flops < report.scope_costs[b].flops;  // the last is visited first
    });
    open.insert(open.end(), children.begin(), children.end());
  }
  if (hidden > 0) absl::StrAppend(&out, "... and more inside them (all with --json)\n");
  return out;
}

Json CostReportJson(const CostReport& report) {
  const Module& module = report.module;
  Json json = {{"module", std::string(module.name())},
               {"total", CostJson(report.total)},
               {"unknown_trip_counts", report.cost.unknown_trip_counts()}};
  if (module.entry().has_value()) {
    const ComputationMemory& entry = report.memory.Of(module.entry());
    Json path = Json::array(), schedule = Json::array(), live = Json::array();
    for (InstructionId id : report.memory.PeakPath()) path.push_back(std::string(module.InstructionName(id)));
    for (size_t t = 0; t < entry.schedule.size(); ++t) {
      schedule.push_back({{"instruction", std::string(module.InstructionName(entry.schedule[t]))},
                          {"live_bytes", t < entry.live_bytes.size() ? entry.live_bytes[t] : 0}});
    }
    for (BufferTable::BufferId id : report.memory.LiveAt(module.entry(), entry.peak_step)) {
      const LogicalBuffer& buffer = report.buffers.buffer(id);
      live.push_back({{"instruction", std::string(module.InstructionName(buffer.definer))},
                      {"leaf", buffer.leaf},
                      {"bytes", buffer.bytes}});
    }
    json["memory"] = {{"peak_live_bytes", report.memory.peak_bytes()},
                      {"complete", report.buffers.complete()},
                      {"schedule_kind", std::string(ScheduleKindName(entry.kind))},
                      {"peak_path", std::move(path)},
                      {"live_at_peak", std::move(live)},
                      {"schedule", std::move(schedule)}};
  }
  Json instructions = Json::array(), scopes = Json::array();
  for (const auto& [id, cost] : Executed(report)) {
    const ComputationId computation = module.instruction(id).computation;
    Json row = {{"name", std::string(module.InstructionName(id))},
                {"computation", std::string(module.ComputationName(computation))},
                {"opcode", std::string(OpcodeName(module.opcode(id)))},
                {"runs", report.cost.Runs(computation)},
                {"padding_bytes", PhysicalBytes(module.shape(id)) - DataBytes(module.shape(id))}};
    row.update(CostJson(cost));
    instructions.push_back(std::move(row));
  }
  for (ScopeTree::ScopeId s = 0; s < report.scopes.scopes().size(); ++s) {
    const ScopeTree::Scope& scope = report.scopes.scope(s);
    // The path is spelled by the parents: writing it out for every scope could take quadratic space.
    Json row = {{"name", std::string(scope.name)},
                {"parent", s == ScopeTree::kRoot ? Json() : Json(scope.parent)},
                {"instructions", scope.instructions}};
    row.update(CostJson(report.scope_costs[s]));
    scopes.push_back(std::move(row));
  }
  json["instructions"] = std::move(instructions);
  json["scopes"] = std::move(scopes);
  return json;
}

}  // namespace hloscope::reports
