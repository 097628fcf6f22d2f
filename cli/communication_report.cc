// SPDX-License-Identifier: Apache-2.0
#include "cli/communication_report.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/analysis/module_index.h"
#include "core/communication/communication_plan.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

std::string BytesText(double bytes) {
  static constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1000;
  return absl::StrFormat("%.*f %s", unit == 0 ? 0 : 2, bytes, kUnits[unit]);
}

std::string SecondsText(double seconds) {
  if (seconds >= 1) return absl::StrFormat("%.3f s", seconds);
  return seconds >= 1e-3 ? absl::StrFormat("%.3f ms", seconds * 1e3) : absl::StrFormat("%.2f us", seconds * 1e6);
}

std::string NameOf(const Module& module, InstructionId id) {
  return absl::StrCat(module.ComputationName(module.instruction(id).computation), "::", module.InstructionName(id));
}

double AllSeconds(const CollectiveCost& cost) { return cost.seconds * static_cast<double>(cost.runs); }

std::string ChangesText(const Module& module, const std::vector<ShardingChange>& changes, size_t rows) {
  std::string text;
  size_t shown = 0;
  for (const ShardingChange& change : changes) {
    if (shown++ == rows) return absl::StrCat(text, "  and ", changes.size() - rows, " more\n");
    absl::StrAppendFormat(&text, "  %-24s %12s a device  %s -> %s%s\n", change.collective,
                          BytesText(static_cast<double>(change.bytes_per_device)), NameOf(module, change.from),
                          module.InstructionName(change.to),
                          change.collective == "all-gather, then slice" ? "  (replicated, then cut again)" : "");
  }
  return text;
}

}  // namespace

CommunicationReport MakeCommunicationReport(const Module& module, const Topology& topology) {
  const ModuleIndex index(module);
  const CostAnalysis cost(module, *index.calls);
  const DeviceGrid grid = InferredGrid(module, {module.header().replica_count, module.header().num_partitions});
  return {topology, MeasureCommunication(module, *index.users, cost, grid, topology), FindShardingChanges(module)};
}

std::string CommunicationText(const Module& module, const CommunicationReport& report, size_t rows) {
  const CommunicationCost& cost = report.cost;
  const int64_t points = report.topology.device_count();
  std::string text =
      absl::StrFormat("Communication of %d replicas of %d partitions on %s (%d devices, %s/s and %s a link)\n",
                      cost.grid.replicas, cost.grid.partitions, report.topology.name(), points,
                      BytesText(report.topology.bytes_per_second), SecondsText(report.topology.seconds_per_hop));
  if (cost.grid.device_count() > points) {
    absl::StrAppend(&text, "  the topology has fewer devices than the run: several share a point\n");
  }
  absl::StrAppendFormat(&text, "  %s in all, %s over the links, %s over the busiest one\n", SecondsText(cost.seconds),
                        BytesText(cost.sent_bytes), BytesText(cost.busiest_link));
  if (cost.not_counted > 0) {
    absl::StrAppendFormat(&text, "  %d collectives are not counted: their groups do not fit\n", cost.not_counted);
  }
  std::vector<const CollectiveCost*> order;
  for (const CollectiveCost& one : cost.collectives) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(),
                   [](const CollectiveCost* a, const CollectiveCost* b) { return AllSeconds(*a) > AllSeconds(*b); });
  if (!order.empty()) {
    absl::StrAppendFormat(&text, "%12s %8s %12s %12s %7s  %s\n", "time", "runs", "operand", "busiest link", "groups",
                          "collective");
  }
  for (size_t i = 0; i < std::min(rows, order.size()); ++i) {
    const CollectiveCost& one = *order[i];
    absl::StrAppendFormat(&text, "%12s %8d %12s %12s %7s  %s %s\n", SecondsText(AllSeconds(one)), one.runs,
                          BytesText(static_cast<double>(one.operand_bytes)), BytesText(one.busiest_link),
                          absl::StrCat(one.group_count, "x", one.group_size),
                          OpcodeName(module.opcode(one.instruction)), NameOf(module, one.instruction));
    if (one.resharded_by.has_value()) {
      absl::StrAppend(&text, "             made whole on every device, then cut again by `",
                      module.InstructionName(one.resharded_by),
                      "`: another sharding of its operand would need an all-to-all or nothing\n");
    }
  }
  if (!report.changes.empty()) {
    absl::StrAppend(&text, "\nChanges of shardings, and what they need\n", ChangesText(module, report.changes, rows));
  }
  return text;
}

nlohmann::ordered_json CommunicationJson(const Module& module, const CommunicationReport& report) {
  nlohmann::ordered_json collectives = nlohmann::ordered_json::array(), changes = nlohmann::ordered_json::array();
  for (const CollectiveCost& one : report.cost.collectives) {
    const Instruction& instruction = module.instruction(one.instruction);
    collectives.push_back({{"name", module.InstructionName(one.instruction)},
                           {"computation", module.ComputationName(instruction.computation)},
                           {"opcode", OpcodeName(instruction.opcode)},
                           {"runs", one.runs},
                           {"group_size", one.group_size},
                           {"groups", one.group_count},
                           {"operand_bytes", one.operand_bytes},
                           {"steps", one.steps},
                           {"link_bytes", one.sent_bytes},
                           {"busiest_link_bytes", one.busiest_link},
                           {"seconds", one.seconds}});
    if (one.resharded_by.has_value()) collectives.back()["resharded_by"] = module.InstructionName(one.resharded_by);
  }
  for (const ShardingChange& change : report.changes) {
    changes.push_back({{"from", module.InstructionName(change.from)},
                       {"to", module.InstructionName(change.to)},
                       {"collective", change.collective},
                       {"array_bytes", change.array_bytes},
                       {"bytes_per_device", change.bytes_per_device}});
  }
  return {{"topology", report.topology.name()},
          {"bytes_per_second", report.topology.bytes_per_second},
          {"seconds_per_hop", report.topology.seconds_per_hop},
          {"replicas", report.cost.grid.replicas},
          {"partitions", report.cost.grid.partitions},
          {"seconds", report.cost.seconds},
          {"link_bytes", report.cost.sent_bytes},
          {"busiest_link_bytes", report.cost.busiest_link},
          {"not_counted", report.cost.not_counted},
          {"collectives", std::move(collectives)},
          {"sharding_changes", std::move(changes)}};
}

}  // namespace hloscope::cli
