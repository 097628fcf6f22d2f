// SPDX-License-Identifier: Apache-2.0
// `hloscope memory`: why a module needs the memory that it needs.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands/drawing_format.h"
#include "cli/diagnostics_json.h"
#include "cli/html_file.h"
#include "cli/input.h"
#include "cli/memory_limit.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "core/diagnostics/render.h"
#include "interop/dump/dump_folder.h"
#include "interop/records/assignment_files.h"
#include "nlohmann/json.hpp"
#include "reports/memory_drawing.h"
#include "reports/memory_report.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kMemoryOptions[] = {
    {"buffer-assignment", OptionKind::kValue, "FILE",
     "the compiler's record, as proto or text (that of FILE itself, or beside it); none: our own packing"},
    {"schedule", OptionKind::kValue, "module|text|post-order|largest|list",
     "the order of the instructions (that of the module, or else the best of the others)"},
    {"what-if", OptionKind::kValue, "QUESTION",
     "the peak with recompute:NAME, donate:N, donate:N{I,J}, schedule:ORDER or type:NAME=TYPE; repeatable"},
    {"rows", OptionKind::kValue, "N", "how many rows the tables show (20)"},
    HLOSCOPE_FILE_LIMIT_OPTION,
    {"json", OptionKind::kSwitch, "", "print JSON, with every row"},
    HLOSCOPE_PICTURE_FORMAT_OPTION,
    HLOSCOPE_HTML_OPTION,
};

constexpr size_t kMaxNotes = 10;

void Warn(absl::string_view what) { WriteError(absl::StrCat("hloscope memory: warning: ", OneLine(what), "\n")); }

// --buffer-assignment, else what the file holds, else what is beside it. Nothing: there is none, or what is beside it
// is none, which is said.
absl::StatusOr<std::optional<interop::FoundAssignment>> FindRecord(const Arguments& arguments, const std::string& path,
                                                                   const interop::OpenedFile& file) {
  const std::optional<std::string> wanted = arguments.Value("buffer-assignment");
  if (!wanted) {
    absl::StatusOr<std::optional<interop::FoundAssignment>> found =
        interop::FindAssignment(path, file, ExpandedLimit(arguments));
    if (found.ok()) return found;
    Warn(found.status().message());
    return std::optional<interop::FoundAssignment>();
  }
  if (*wanted == "none") return std::optional<interop::FoundAssignment>();
  absl::StatusOr<interop::FoundAssignment> record = interop::ReadAssignmentFile(*wanted, ExpandedLimit(arguments));
  if (!record.ok()) return record.status();
  return std::optional<interop::FoundAssignment>(*std::move(record));
}

// In a folder of dumps: the last stage of the module that --module names, or of the only one.
absl::StatusOr<std::string> FileOfFolder(const Arguments& arguments, const std::string& path) {
  const absl::StatusOr<interop::DumpFolder> folder = interop::ListDumpFolder(path);
  if (!folder.ok()) return folder.status();
  if (folder->modules.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(OneLine(path), ": no file here has a name that --xla_dump_to gives a module"));
  }
  const std::optional<std::string> wanted = arguments.Value("module");
  size_t number = 0;
  const bool is_number = wanted && absl::SimpleAtoi(*wanted, &number);
  std::vector<const interop::DumpModule*> found;
  std::vector<std::string> names;
  for (size_t m = 0; m < folder->modules.size(); ++m) {
    const interop::DumpModule& module = folder->modules[m];
    names.push_back(absl::StrCat(m + 1, " ", OneLine(module.name)));
    if (!wanted || (is_number ? number == m + 1 : module.name == *wanted)) found.push_back(&module);
  }
  if (names.size() > 20) names.resize(20);
  if (found.size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(OneLine(path), found.empty() ? " has no such module" : " holds several modules",
                     ": choose one with --module=NAME|NUMBER (", absl::StrJoin(names, ", "), ")"));
  }
  const std::vector<interop::DumpStage>& stages = found[0]->stages;
  for (size_t s = stages.size(); s-- > 0;) {
    for (const interop::DumpFile& file : stages[s].files) {
      if (file.kind == "hlo") return absl::StrCat(path, "/", file.path);
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(OneLine(path), ": the module has no stage with HLO"));
}

absl::StatusOr<std::optional<ScheduleKind>> ScheduleFrom(const Arguments& arguments) {
  const absl::StatusOr<std::string> name =
      arguments.Choice("schedule", {"module", "text", "post-order", "largest", "list"});
  if (!name.ok()) return name.status();
  if (*name == "module") return std::nullopt;
  if (*name == "text") return ScheduleKind::kText;
  if (*name == "post-order") return ScheduleKind::kPostOrder;
  return *name == "largest" ? ScheduleKind::kLargest : ScheduleKind::kList;
}

int RunMemory(const Arguments& arguments) {
  const absl::StatusOr<bool> color = UseColor(arguments, STDOUT_FILENO);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  const absl::StatusOr<int64_t> rows = arguments.Int("rows", 20, 1, 1000000);
  if (!rows.ok()) return UsageError(arguments.command(), rows.status().message());
  const absl::StatusOr<std::optional<ScheduleKind>> schedule = ScheduleFrom(arguments);
  if (!schedule.ok()) return UsageError(arguments.command(), schedule.status().message());

  const absl::StatusOr<std::string> format = PictureFormat(arguments);
  if (!format.ok()) return UsageError(arguments.command(), format.status().message());

  std::string path = arguments.operands()[0];
  std::error_code error;
  const bool is_folder = path != "-" && std::filesystem::is_directory(path, error);
  if (is_folder) {
    absl::StatusOr<std::string> chosen = FileOfFolder(arguments, path);
    if (!chosen.ok()) return ReportStatus(chosen.status());
    path = *std::move(chosen);
  }
  std::shared_ptr<const interop::OpenedFile> file;
  const std::shared_ptr<const Document> document =
      is_folder ? OpenOnlyModule(arguments, path, &file) : OpenDocument(arguments, path, {}, &file);
  if (document == nullptr) return StatusOfReading();
  for (size_t k = 0; k < std::min<size_t>(file->notes.size(), kMaxNotes); ++k) {
    Warn(absl::StrCat(path, ": ", file->notes[k]));
  }
  absl::StatusOr<std::optional<interop::FoundAssignment>> record = std::optional<interop::FoundAssignment>();
  if (!*schedule) record = FindRecord(arguments, path, *file);
  if (!record.ok()) return ReportStatus(record.status());

  const insight::MemoryOptions options = {*schedule, *record ? &(*record)->assignment : nullptr};
  reports::MemoryReport report(*document, options, *record ? (*record)->source : "");
  for (const std::string& question : arguments.Values("what-if")) {
    absl::StatusOr<insight::WhatIf> answer = insight::AskWhatIf(report.memory, report.readers, question);
    if (!answer.ok()) return UsageError(arguments.command(), answer.status().message());
    report.answers.push_back(*std::move(answer));
  }
  if (arguments.Has("html")) {
    const int status = WriteHtml(arguments, reports::MemoryReportHtml(report, path));
    if (status != kExitGood) return status;
    if (!arguments.Switch("json") && *format == "text") return kExitGood;
  }
  if (*format != "text") return WriteDrawing(arguments, *format, reports::MemorySvg(report.memory));
  WriteOutput(arguments.Switch("json") ? DumpJson(reports::MemoryReportJson(report))
                                       : reports::MemoryReportText(report, static_cast<size_t>(*rows), *color));
  return kExitGood;
}

}  // namespace

const Command& MemoryCommand() {
  static constexpr Command kCommand = {
      "memory",
      "FILE|DIR",
      "what needs memory when, where it lies, and what would help",
      "Follows the arrays of a run through the schedule of the module, called computations inside their callers: the\n"
      "most bytes at once, what is alive there and who keeps it, lives and places, donated arguments and why they are\n"
      "not used, copies. Places are those of the compiler's buffer assignment if there is one: in the file, beside it\n"
      "(NAME-buffer-assignment.txt), or given; else our own packing, which the output says. With the compiler's, "
      "memory\n"
      "of arguments, results and constants counts for the whole run, and the peak is compared with its figures. DIR "
      "is\n"
      "a folder of dumps: the last stage of its module, or of the one of --module. --what-if answers with lives alone.",
      kMemoryOptions,
      1,
      1,
      RunMemory};
  return kCommand;
}

}  // namespace hloscope::cli
