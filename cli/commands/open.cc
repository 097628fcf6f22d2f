// SPDX-License-Identifier: Apache-2.0
// `hloscope open`: what is in a folder that --xla_dump_to filled.
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/arguments.h"
#include "cli/cancel_on_signal.h"
#include "cli/command.h"
#include "cli/diagnostics_json.h"
#include "cli/dump_input.h"
#include "cli/input.h"
#include "cli/memory_limit.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "insight/passes/module_size.h"
#include "insight/passes/stage_reader.h"
#include "insight/passes/stages.h"
#include "interop/dump/dump_folder.h"
#include "interop/dump/dump_watch.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr OptionSpec kOpenOptions[] = {
    {"cost", OptionKind::kSwitch, "",
     "read the last stage of each module: instructions, operations, bytes, peak memory"},
    {"follow", OptionKind::kValue, "SECONDS", "then list files as they appear, for so long; 0: until Ctrl-C"},
    HLOSCOPE_FILE_LIMIT_OPTION,
    {"json", OptionKind::kSwitch, "", "the list as JSON; with --follow an object a line for each file"},
};

// The file of a stage that a command would read, and what else there is of it.
std::string StageLine(const interop::DumpStage& stage) {
  const interop::DumpFile& first = stage.files.front();
  std::string line =
      absl::StrFormat("  %4d  %s  %d bytes  %s", stage.order, OneLine(stage.name), first.bytes, OneLine(first.path));
  for (size_t i = 1; i < stage.files.size(); ++i) absl::StrAppend(&line, i == 1 ? "  + " : ", ", stage.files[i].kind);
  return absl::StrCat(line, "\n");
}

// What each module takes, by its place in the list; a problem instead where its last stage cannot be read.
struct DumpedCost {
  insight::ModuleSize size;
  std::string stage, problem;
};

// `*limit`: the first that a stage was beyond.
std::vector<DumpedCost> CostsOf(const std::string& path, const interop::DumpFolder& folder, size_t max_expanded_bytes,
                                absl::Status* limit) {
  std::vector<DumpedCost> costs(folder.modules.size());
  const insight::StageReader read = insight::MakeStageReader(false, max_expanded_bytes);
  StatusLine line;
  for (size_t i = 0; i < costs.size(); ++i) {
    std::vector<std::string> notes;
    const std::vector<insight::Stage> stages =
        insight::StagesOf(path, folder, folder.modules[i], &notes, max_expanded_bytes);
    if (stages.empty()) {
      costs[i].problem = "no stage is a module";
      continue;
    }
    line.Show(absl::StrCat("module ", i + 1, " of ", costs.size()));
    costs[i].stage = stages.back().name;
    const absl::StatusOr<std::shared_ptr<const Document>> document = read(stages.back());
    if (document.ok()) {
      costs[i].size = insight::SizeOf(**document);
    } else {
      costs[i].problem = std::string(document.status().message());
      if (limit->ok() && ExitStatusOf(document.status()) == kExitLimit) *limit = document.status();
    }
  }
  return costs;
}

std::string CostLine(const DumpedCost& cost) {
  if (!cost.problem.empty()) return absl::StrCat("        cost: ", OneLine(cost.problem), "\n");
  return absl::StrCat("        cost of ", OneLine(cost.stage), ": ", cost.size.instructions, " instructions, ",
                      cost.size.flop, " FLOP, ", cost.size.bytes, " bytes moved, ", cost.size.peak_bytes,
                      " bytes at the peak\n");
}

std::string FolderText(const interop::DumpFolder& folder, const std::vector<DumpedCost>& costs) {
  std::string text;
  for (size_t i = 0; i < folder.modules.size(); ++i) {
    const interop::DumpModule& module = folder.modules[i];
    absl::StrAppend(&text, i + 1, "  ", OneLine(module.name.empty() ? "(no name)" : module.name));
    if (module.id >= 0) absl::StrAppend(&text, "  id ", module.id);
    if (!module.folder.empty()) absl::StrAppend(&text, "  in ", OneLine(module.folder));
    absl::StrAppend(&text, "  ", module.bytes, " bytes\n");
    if (!costs.empty()) text += CostLine(costs[i]);
    for (const interop::DumpStage& stage : module.stages) absl::StrAppend(&text, StageLine(stage));
    for (const interop::DumpFile& file : module.others) {
      absl::StrAppend(&text, "        ", file.kind, "  ", file.bytes, " bytes  ", OneLine(file.path), "\n");
    }
  }
  if (folder.modules.empty()) text += "no module: no file here has a name that --xla_dump_to gives\n";
  for (const std::string& path : folder.unreadable) absl::StrAppend(&text, "cannot be read: ", OneLine(path), "\n");
  if (!folder.ignored.empty()) absl::StrAppend(&text, "other files: ", folder.ignored.size(), "\n");
  return text;
}

Json FileJson(const interop::DumpFile& file) {
  return {{"file", file.path}, {"kind", file.kind}, {"bytes", file.bytes}};
}

Json CostJson(const DumpedCost& cost) {
  if (!cost.problem.empty()) return {{"problem", cost.problem}};
  return {{"stage", cost.stage},
          {"instructions", cost.size.instructions},
          {"flop", cost.size.flop},
          {"bytes", cost.size.bytes},
          {"peak_bytes", cost.size.peak_bytes}};
}

Json FolderJson(const interop::DumpFolder& folder, const std::vector<DumpedCost>& costs) {
  Json modules = Json::array();
  for (size_t i = 0; i < folder.modules.size(); ++i) {
    const interop::DumpModule& module = folder.modules[i];
    Json stages = Json::array();
    for (const interop::DumpStage& stage : module.stages) {
      Json files = Json::array();
      for (const interop::DumpFile& file : stage.files) files.push_back(FileJson(file));
      const interop::DumpFile& first = stage.files.front();
      stages.push_back({{"order", stage.order},
                        {"name", stage.name},
                        {"file", first.path},
                        {"kind", first.kind},
                        {"bytes", first.bytes},
                        {"files", std::move(files)}});
    }
    Json others = Json::array();
    for (const interop::DumpFile& file : module.others) others.push_back(FileJson(file));
    modules.push_back({{"number", i + 1},
                       {"name", module.name},
                       {"id", module.id},
                       {"folder", module.folder},
                       {"timestamp", module.timestamp},
                       {"bytes", module.bytes},
                       {"stages", std::move(stages)},
                       {"others", std::move(others)}});
    if (!costs.empty()) modules.back()["cost"] = CostJson(costs[i]);
  }
  return {{"modules", std::move(modules)}, {"unreadable", folder.unreadable}, {"ignored", folder.ignored}};
}

using FilesByPath = std::map<std::string, std::pair<const interop::DumpModule*, std::string>>;  // module, stage

FilesByPath FilesOf(const interop::DumpFolder& folder) {
  FilesByPath files;
  for (const interop::DumpModule& module : folder.modules) {
    for (const interop::DumpStage& stage : module.stages) {
      for (const interop::DumpFile& file : stage.files) files.emplace(file.path, std::pair(&module, stage.name));
    }
    for (const interop::DumpFile& file : module.others) files.emplace(file.path, std::pair(&module, ""));
  }
  return files;
}

void TellNewFile(const std::string& path, const interop::DumpModule& module, const std::string& stage, bool json) {
  if (json) {
    const Json line = {{"file", path}, {"module", module.name}, {"id", module.id}, {"stage", stage}};
    WriteOutput(absl::StrCat(line.dump(-1, ' ', false, Json::error_handler_t::replace), "\n"));
    return;
  }
  WriteOutput(
      absl::StrCat("+ ", OneLine(module.name), stage.empty() ? "" : "  ", OneLine(stage), "  ", OneLine(path), "\n"));
}

// Lists files as they are completed. `seconds` 0: until a signal.
int Follow(const std::string& path, interop::DumpWatch& watch, const interop::DumpFolder& listed, double seconds,
           bool json) {
  constexpr int kStepMilliseconds = 200;
  const NoticeSignal signal;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::set<std::string> told;
  for (const auto& [file, where] : FilesOf(listed)) told.insert(file);
  while (!NoticeSignal::noticed() && (seconds == 0 || std::chrono::steady_clock::now() < end)) {
    if (!watch.Wait(kStepMilliseconds)) continue;
    const absl::StatusOr<interop::DumpFolder> now = interop::ListDumpFolder(path);
    if (!now.ok()) return ReportStatus(now.status());
    for (const auto& [file, where] : FilesOf(*now)) {
      if (told.insert(file).second) TellNewFile(file, *where.first, where.second, json);
    }
    FlushOutput();
  }
  return kExitGood;
}

int RunOpen(const Arguments& arguments) {
  const std::string& path = arguments.operands()[0];
  const bool json = arguments.Switch("json");
  double seconds = 0;
  const std::optional<std::string> follow = arguments.Value("follow");
  if (follow && (!absl::SimpleAtod(*follow, &seconds) || !(seconds >= 0))) {
    WriteError(absl::StrCat("hloscope open: --follow=", OneLine(*follow), ": a number of seconds, or 0\n"));
    return kExitUsage;
  }
  // What appears while the list is made is not missed.
  absl::StatusOr<std::unique_ptr<interop::DumpWatch>> watch = nullptr;
  if (follow) watch = interop::DumpWatch::Create(path);
  const absl::StatusOr<interop::DumpFolder> folder = interop::ListDumpFolder(path);
  if (!folder.ok()) return ReportStatus(folder.status());
  if (!watch.ok()) return ReportStatus(watch.status());
  std::vector<DumpedCost> costs;
  absl::Status limit;
  if (arguments.Switch("cost")) costs = CostsOf(path, *folder, ExpandedLimit(arguments), &limit);
  WriteOutput(json ? DumpJson(FolderJson(*folder, costs)) : FolderText(*folder, costs));
  if (!follow) return limit.ok() ? kExitGood : ReportStatus(limit);
  FlushOutput();
  return Follow(path, **watch, *folder, seconds, json);
}

}  // namespace

const Command& OpenCommand() {
  static constexpr Command kCommand = {
      "open",
      "DIR",
      "list the modules and stages in a folder of dumps",
      "Files of --xla_dump_to are grouped by their names into modules, and into the stages of a module: before\n"
      "optimisation, between passes in order, after optimisation. No file is read without --cost. Of several forms of\n"
      "a stage the proto comes first: it leaves out nothing.",
      kOpenOptions,
      1,
      1,
      RunOpen};
  return kCommand;
}

}  // namespace hloscope::cli
