// SPDX-License-Identifier: Apache-2.0
// `hloscope profile`: measured times for the instructions of the programs in a profile.
#include "interop/profile/profile.h"

#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands/drawing_format.h"
#include "cli/diagnostics_json.h"
#include "cli/html_file.h"
#include "cli/input.h"
#include "cli/memory_limit.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "insight/profile/analysis.h"
#include "interop/files/open_file.h"
#include "nlohmann/json.hpp"
#include "reports/profile_drawing.h"
#include "reports/profile_report.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kProfileOptions[] = {
    {"module", OptionKind::kValue, "NAME|ID", "only the programs of this name, or the one of this id"},
    {"text", OptionKind::kSwitch, "", "print the text of the module of that program, or of the only one, instead"},
    {"hlo", OptionKind::kValue, "FILE", "the module of a program that the profile has without it"},
    {"compare", OptionKind::kValue, "FILE", "another profile: what takes longer or shorter now"},
    {"device", OptionKind::kValue, "NAME", "whose limits count (what the profile says of its device)"},
    {"devices", OptionKind::kValue, "FILE", "a table of devices to add to resources/devices/devices.txt"},
    {"rows", OptionKind::kValue, "N", "how many rows the tables show (20)"},
    HLOSCOPE_FILE_LIMIT_OPTION,
    {"json", OptionKind::kSwitch, "", "print JSON, with every row"},
    HLOSCOPE_PICTURE_FORMAT_OPTION,
    {"html", OptionKind::kValue, "FILE", "write a page, with the lanes of the devices"},
};

absl::StatusOr<insight::ProfileAnalysis> Analyse(const Arguments& arguments, const std::string& path,
                                                 const insight::ProfileOptions& options) {
  absl::StatusOr<std::string> bytes = interop::ReadFileBytes(path, ExpandedLimit(arguments));
  if (!bytes.ok()) return bytes.status();
  const auto named = [&](const absl::Status& status) {
    return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
  };
  absl::StatusOr<interop::Profile> profile =
      interop::ReadProfile(std::make_shared<const std::string>(*std::move(bytes)));
  if (!profile.ok()) return named(profile.status());
  absl::StatusOr<insight::ProfileAnalysis> analysis =
      insight::ProfileAnalysis::Of(std::make_shared<const interop::Profile>(*std::move(profile)), options);
  if (!analysis.ok()) return named(analysis.status());
  return analysis;
}

// The text of the one module that `wanted`, a name or an id, leaves; empty: of all.
absl::StatusOr<std::string> TextOfProgram(const insight::ProfileAnalysis& profile, const std::string& path,
                                          const std::string& wanted) {
  const insight::ProgramModule* found = nullptr;
  size_t count = 0;
  for (const std::unique_ptr<insight::ProgramModule>& program : profile.programs()) {
    if (!wanted.empty() && program->name() != wanted && absl::StrCat(program->id()) != wanted) continue;
    found = program.get();
    ++count;
  }
  if (count != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, count == 0 ? ": there is no program" : ": there are several programs: choose one with",
                     count == 0 ? "" : " --module=ID"));
  }
  if (!found->has_module()) return absl::InvalidArgumentError(absl::StrCat(path, ": ", found->problem()));
  return std::string(found->document().source().text());
}

int RunProfile(const Arguments& arguments) {
  const absl::StatusOr<bool> color = UseColor(arguments, STDOUT_FILENO);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  const absl::StatusOr<int64_t> rows = arguments.Int("rows", 20, 1, 1000000);
  if (!rows.ok()) return UsageError(arguments.command(), rows.status().message());
  const absl::StatusOr<std::string> format = PictureFormat(arguments);
  if (!format.ok()) return UsageError(arguments.command(), format.status().message());
  insight::ProfileOptions options;
  options.module = arguments.Value("module").value_or("");
  options.device = arguments.Value("device").value_or("");
  options.devices = insight::DeviceTable::Shipped();
  if (const std::optional<std::string> table = arguments.Value("devices")) {
    const absl::StatusOr<std::string> text = interop::ReadFileBytes(*table, ExpandedLimit(arguments));
    if (!text.ok()) return ReportStatus(text.status());
    const absl::Status status = options.devices.Add(*text, *table);
    if (!status.ok()) return ReportStatus(status);
  }
  if (const std::optional<std::string> hlo = arguments.Value("hlo")) {
    options.document = OpenOnlyModule(arguments, *hlo);
    if (options.document == nullptr) return StatusOfReading();
  }
  const std::string& path = arguments.operands()[0];
  absl::StatusOr<insight::ProfileAnalysis> profile = Analyse(arguments, path, options);
  if (!profile.ok()) return ReportStatus(profile.status());
  if (arguments.Switch("text")) {
    const absl::StatusOr<std::string> text = TextOfProgram(*profile, path, options.module);
    if (!text.ok()) return ReportStatus(text.status());
    WriteOutput(*text);
    return kExitGood;
  }
  std::optional<insight::ProfileAnalysis> before;
  if (const std::optional<std::string> other = arguments.Value("compare")) {
    absl::StatusOr<insight::ProfileAnalysis> read = Analyse(arguments, *other, options);
    if (!read.ok()) return ReportStatus(read.status());
    before = *std::move(read);
  }
  const insight::ProfileAnalysis* compared = before ? &*before : nullptr;
  if (arguments.Has("html")) {
    const int status = WriteHtml(arguments, reports::ProfileReportHtml(*profile, compared, path));
    if (status != kExitGood) return status;
    if (!arguments.Switch("json") && *format == "text") return kExitGood;
  }
  if (*format != "text") return WriteDrawing(arguments, *format, reports::ProfileSvg(*profile));
  WriteOutput(arguments.Switch("json")
                  ? DumpJson(reports::ProfileReportJson(*profile, compared))
                  : reports::ProfileReportText(*profile, compared, static_cast<size_t>(*rows), *color));
  return kExitGood;
}

}  // namespace

const Command& ProfileCommand() {
  static constexpr Command kCommand = {
      "profile",
      "FILE",
      "measured times of a profile, for the instructions of its programs",
      "Reads an XSpace (NAME.xplane.pb), as profilers of XLA programs write it. Events on lines of devices, or of the\n"
      "host where a program runs there, belong to instructions of the modules inside the profile: time, runs, FLOP/s\n"
      "and B/s by instruction, opcode, source line and scope, against the limits of the device. What belongs to no\n"
      "instruction is listed. Lines that a tool derived from others do not count, nor do launches on the host. What "
      "is\n"
      "damaged or cut off is left out, and said.",
      kProfileOptions,
      1,
      1,
      RunProfile};
  return kCommand;
}

}  // namespace hloscope::cli
