// `hloscope cost`: operations, bytes and memory of a module, without running it.
#include <unistd.h>

#include <memory>

#include "cli/arguments.h"
#include "cli/command.h"
#include "reports/cost_report.h"
#include "cli/diagnostics_json.h"
#include "cli/input.h"
#include "cli/output.h"
#include "nlohmann/json.hpp"

namespace hloscope {
namespace {

constexpr OptionSpec kOptions[] = {
    {"rows", OptionKind::kValue, "N", "how many rows the tables show (20)"},
    {"json", OptionKind::kSwitch, "", "print JSON, with every row"},
};

int RunCost(const Arguments& arguments) {
  const absl::StatusOr<bool> color = UseColor(arguments, STDOUT_FILENO);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  const absl::StatusOr<int64_t> rows = arguments.Int("rows", 20, 1, 1000000);
  if (!rows.ok()) return UsageError(arguments.command(), rows.status().message());
  const std::shared_ptr<const Document> document = OpenDocument(arguments, arguments.operands()[0]);
  if (document == nullptr) return kExitBadInput;
  const CostReport report(*document);
  WriteOutput(arguments.Switch("json") ? DumpJson(CostReportJson(report))
                                       : CostReportText(report, static_cast<size_t>(*rows), *color));
  return kExitGood;
}

}  // namespace

const Command& CostCommand() {
  static constexpr Command kCommand = {
      "cost",
      "FILE",
      "operations, bytes and memory of a module, without running it",
      "Counts the operations of each instruction and the bytes it reads and writes, as often as it runs where loops "
      "have\n"
      "a known_trip_count, and the memory that the live arrays need at once: in the module's schedule, or else in the\n"
      "best of a few simple orders. Scopes are the parts of op_name in the metadata.",
      kOptions,
      1,
      1,
      RunCost};
  return kCommand;
}

}  // namespace hloscope
