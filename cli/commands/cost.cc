// SPDX-License-Identifier: Apache-2.0
// `hloscope cost`: operations, bytes and memory of a module, without running it.
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands/cost_page.h"
#include "cli/communication_report.h"
#include "cli/diagnostics_json.h"
#include "cli/html_file.h"
#include "cli/input.h"
#include "cli/movement_report.h"
#include "cli/output.h"
#include "cli/transform_report.h"
#include "nlohmann/json.hpp"
#include "reports/cost_report.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kCostOptions[] = {
    {"rows", OptionKind::kValue, "N", "how many rows the tables show (20)"},
    {"target", OptionKind::kValue, "linear|tpu|TILES", "whose memory layout decides what moves: linear, or T(8,128)"},
    {"topology", OptionKind::kValue, "KIND:SIZES",
     "what collectives take on ring:N, mesh:AxB or torus:AxBxC, with ,bandwidth=50G and ,latency=1us"},
    {"json", OptionKind::kSwitch, "", "print JSON, with every row"},
    HLOSCOPE_HTML_OPTION,
};

int RunCost(const Arguments& arguments) {
  const absl::StatusOr<bool> color = UseColor(arguments, STDOUT_FILENO);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  const absl::StatusOr<int64_t> rows = arguments.Int("rows", 20, 1, 1000000);
  if (!rows.ok()) return UsageError(arguments.command(), rows.status().message());
  const absl::StatusOr<CostTarget> target = CostTarget::Parse(arguments.Value("target").value_or("linear"));
  if (!target.ok()) return UsageError(arguments.command(), target.status().message());
  absl::StatusOr<Topology> topology = Topology();
  const std::optional<std::string> topology_text = arguments.Value("topology");
  if (topology_text.has_value()) topology = Topology::Parse(*topology_text);
  if (!topology.ok()) return UsageError(arguments.command(), topology.status().message());
  const std::shared_ptr<const Document> document = OpenDocument(arguments, arguments.operands()[0]);
  if (document == nullptr) return StatusOfReading();
  const reports::CostReport report(*document);
  const ModuleCost moved = MeasureCost(document->module(), *target);
  const std::vector<DataMovement> movements = ExplainDataMovement(document->module(), *target);
  if (arguments.Has("html")) {
    const std::string movement = absl::StrCat(CostTableText(moved, target->name()), "\n",
                                              MovementText(document->module(), movements, movements.size()));
    const int status = WriteHtml(arguments, CostPage(arguments.operands()[0], report, movement));
    if (status != kExitGood || arguments.Value("html") == "-") return status;
  }
  if (arguments.Switch("json")) {
    nlohmann::ordered_json json = reports::CostReportJson(report);
    json["target"] = target->name();
    json["moved"] = ModuleCostJson(moved);
    json["data_movement"] = MovementJson(document->module(), movements);
    if (topology_text.has_value()) {
      json["communication"] =
          CommunicationJson(document->module(), MakeCommunicationReport(document->module(), *topology));
    }
    WriteOutput(DumpJson(json));
    return kExitGood;
  }
  WriteOutput(reports::CostReportText(report, static_cast<size_t>(*rows), *color));
  WriteOutput(absl::StrCat("\nMovement of data ", CostTableText(moved, target->name()), "\n",
                           MovementText(document->module(), movements, static_cast<size_t>(*rows))));
  if (topology_text.has_value()) {
    const CommunicationReport communication = MakeCommunicationReport(document->module(), *topology);
    WriteOutput(absl::StrCat("\n", CommunicationText(document->module(), communication, static_cast<size_t>(*rows))));
  }
  return kExitGood;
}

}  // namespace

const Command& CostCommand() {
  static constexpr Command kCommand = {
      "cost",
      "FILE",
      "operations, bytes and memory of a module, without running it",
      "Counts the operations of each instruction and the bytes it reads and writes, as often as it runs where loops\n"
      "have a known_trip_count or count up to a constant, and the memory that the live arrays need at once: in the\n"
      "module's schedule, or else in the best of a few simple orders. Scopes are the parts of op_name in metadata.\n"
      "\n"
      "Every copy, transpose, reshape, broadcast, pad and convert is free (no element changes its address), avoidable\n"
      "(a pass of `hloscope transform` removes it) or needed, with the bytes it reads and writes on the target and\n"
      "the instructions that ask for it.",
      kCostOptions,
      1,
      1,
      RunCost};
  return kCommand;
}

}  // namespace hloscope::cli
